#include "tests/support/xml_elements.hpp"

#include <array>
#include <cstdlib>
#include <stdexcept>
#include <utility>

#include "core/base/unicode.hpp"

namespace kinetoscope {
namespace {

using namespace std::string_view_literals;

bool is_xml_character(char32_t character) noexcept {
  return character == 0x9 || character == 0xa || character == 0xd || (character >= 0x20 && character <= 0xd7ff) ||
         (character >= 0xe000 && character <= 0xfffd) || character >= 0x10000;
}

bool is_xml_text(std::string_view text) {
  if (valid_utf8(text).replacements > 0) return false;
  for (std::size_t position = 0; position < text.size();) {
    if (!is_xml_character(next_character(text, position))) return false;
  }
  return true;
}

class XmlReader {
 public:
  explicit XmlReader(std::string_view text) : rest_(text) {}

  XmlDocument read() {
    if (!is_xml_text(rest_)) return {{}, "characters that XML does not have"};
    try {
      read_all();
    } catch (const std::runtime_error& error) {
      document_.problem = error.what();
    }
    return std::move(document_);
  }

 private:
  void read_all() {
    do {
      const std::size_t tag = rest_.find('<');
      const std::string_view text = rest_.substr(0, tag);
      if (!open_.empty()) {
        document_.elements[open_.back()].text += resolved(text);
      } else if (text.find_first_not_of(" \n") != std::string_view::npos) {
        throw std::runtime_error("text outside of the root");
      }
      if (tag == std::string_view::npos) break;
      rest_.remove_prefix(tag + 1);
      read_tag();
    } while (!rest_.empty());
    if (!open_.empty()) throw std::runtime_error("not ended: " + document_.elements[open_.back()].name);
    if (document_.elements.empty()) throw std::runtime_error("no element");
  }

  void read_tag() {
    if (take("/")) {
      const std::string name(take_name());
      if (open_.empty() || document_.elements[open_.back()].name != name) {
        throw std::runtime_error("ended, not begun: " + name);
      }
      open_.pop_back();
      if (!take(">")) throw std::runtime_error("end tag");
      return;
    }
    if (open_.empty() && !document_.elements.empty()) throw std::runtime_error("two roots");
    XmlElement element;
    element.depth = open_.size();
    element.name = take_name();
    while (take(" ")) {
      const std::string attribute(take_name());
      if (!take("=\"")) throw std::runtime_error("attribute without a value: " + attribute);
      const std::size_t end = rest_.find('"');
      if (end == std::string_view::npos || rest_.substr(0, end).find('<') != std::string_view::npos) {
        throw std::runtime_error("value of " + attribute);
      }
      const std::string value = resolved(rest_.substr(0, end));
      if (!element.attributes.emplace(attribute, value).second) throw std::runtime_error("twice: " + attribute);
      rest_.remove_prefix(end + 1);
    }
    const bool is_empty = take("/");
    if (!take(">")) throw std::runtime_error("tag of " + element.name);
    document_.elements.push_back(std::move(element));
    if (!is_empty) open_.push_back(document_.elements.size() - 1);
  }

  bool take(std::string_view expected) {
    if (!rest_.starts_with(expected)) return false;
    rest_.remove_prefix(expected.size());
    return true;
  }

  std::string_view take_name() {
    const std::size_t end = rest_.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-");
    if (end == 0 || end == std::string_view::npos) throw std::runtime_error("no name");
    const std::string_view name = rest_.substr(0, end);
    rest_.remove_prefix(end);
    return name;
  }

  static std::string resolved(std::string_view text) {
    static constexpr std::array references = {std::pair{"&amp;"sv, '&'}, std::pair{"&lt;"sv, '<'},
                                              std::pair{"&gt;"sv, '>'}, std::pair{"&quot;"sv, '"'}};
    std::string out;
    while (!text.empty()) {
      bool is_reference = false;
      for (const auto& [reference, character] : references) {
        if (!text.starts_with(reference)) continue;
        out += character;
        text.remove_prefix(reference.size());
        is_reference = true;
        break;
      }
      if (is_reference) continue;
      if (text.front() == '&') throw std::runtime_error("unknown reference");
      out += text.front();
      text.remove_prefix(1);
    }
    return out;
  }

  std::string_view rest_;
  XmlDocument document_;
  std::vector<std::size_t> open_;
};
}  // namespace

double XmlElement::number(const std::string& attribute) const {
  const std::string& value = attributes.at(attribute);
  char* end = nullptr;
  const double out = std::strtod(value.c_str(), &end);
  if (value.empty() || *end != '\0') throw std::runtime_error("no number: " + value);
  return out;
}

std::vector<XmlElement> XmlDocument::all(std::string_view name) const {
  std::vector<XmlElement> out;
  for (const XmlElement& element : elements) {
    if (element.name == name) out.push_back(element);
  }
  return out;
}

const XmlElement& XmlDocument::with_text(std::string_view text) const {
  for (const XmlElement& element : elements) {
    if (element.text == text) return element;
  }
  throw std::runtime_error("no element says " + std::string(text));
}

bool XmlDocument::says(std::string_view part) const {
  for (const XmlElement& element : elements) {
    if (element.text.find(part) != std::string::npos) return true;
  }
  return false;
}

XmlDocument read_xml(std::string_view text) { return XmlReader(text).read(); }
}  // namespace kinetoscope
