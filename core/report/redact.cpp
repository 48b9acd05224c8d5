#include "core/report/redact.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>
#include <xxhash.h>

namespace kinetoscope::report {
namespace {

/// Where paths begin that tell of a user or a machine; what follows, up to a delimiter, is the path.
constexpr std::array<std::string_view, 12> path_beginnings = {"/home/", "/Users/", "/root/",    "/tmp/",
                                                              "/mnt/",  "/data/",  "/scratch/", "/workspace/",
                                                              "/var/",  "/opt/",   "/nfs/",     "\\\\"};
/// Shorter names would be found inside of words.
constexpr std::size_t shortest_known = 3;
constexpr std::string_view path_ends = " \t\r\n\"'`,;()[]{}<>|";

std::string hidden(std::string_view text) {
  return fmt::format("redacted-{:016x}", XXH3_64bits(text.data(), text.size()));
}

bool is_drive(std::string_view text, std::size_t at) {
  const auto is_letter = [](char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); };
  const bool is_word_before = at > 0 && is_letter(text[at - 1]);
  return !is_word_before && at + 2 < text.size() && is_letter(text[at]) && text[at + 1] == ':' &&
         (text[at + 2] == '\\' || text[at + 2] == '/');
}

bool is_path(std::string_view text, std::size_t at) {
  if (is_drive(text, at)) return true;
  const std::string_view rest = text.substr(at);
  return std::ranges::any_of(path_beginnings, [&](std::string_view b) { return rest.starts_with(b); });
}

std::string without_paths(std::string_view shown) {
  std::string out;
  for (std::size_t at = 0; at < shown.size();) {
    if (!is_path(shown, at)) {
      out += shown[at++];
      continue;
    }
    const std::size_t end = std::min(shown.find_first_of(path_ends, at), shown.size());
    out += hidden(shown.substr(at, end - at));
    at = end;
  }
  return out;
}

void replace_all(std::string& text, std::string_view known) {
  const std::string replacement = hidden(known);
  std::string out;
  std::size_t at = 0;
  for (std::size_t found = text.find(known); found != std::string::npos; found = text.find(known, at)) {
    out.append(text, at, found - at);
    out += replacement;
    at = found + known.size();
  }
  if (at > 0) text = out.append(text, at);
}
}  // namespace

Redactor::Redactor(std::vector<std::string> known) : known_(std::move(known)) {
  std::erase_if(known_, [](const std::string& text) { return text.size() < shortest_known; });
  std::ranges::stable_sort(known_, std::greater(), &std::string::size);
}

std::string Redactor::text(std::string_view shown) const {
  std::string out(shown);
  for (const std::string& known : known_) replace_all(out, known);
  return without_paths(out);
}

nlohmann::ordered_json Redactor::json(nlohmann::ordered_json document) const {
  if (document.is_string()) return text(document.get_ref<const std::string&>());
  if (document.is_structured()) {
    for (auto& element : document) element = json(std::move(element));
  }
  return document;
}
}  // namespace kinetoscope::report
