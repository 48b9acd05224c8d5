#include "tools/dispatch.hpp"

#include <new>
#include <utility>

#include <fmt/format.h>

#include "core/base/format.hpp"
#include "core/report/redact.hpp"
#include "tools/arguments.hpp"

namespace kinetoscope::tools {
namespace {

Json rounded(Json value) {
  if (value.is_number_float()) return Json::parse(fmt::format("{:.6g}", value.get<double>()), nullptr, false);
  if (value.is_structured()) {
    for (Json& element : value) element = rounded(std::move(element));
  }
  return value;
}

std::string sentence(std::string text) {
  if (text.empty()) return text;
  if (text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text + ".";
}

/// The text of one part, escaped and cut: it may come from a trace.
std::string part(const std::string& foreign) { return printable(foreign, 1000); }

std::string error_text(const Failure& failure, const ErrorKind& kind) {
  std::string text;
  if (!failure.argument.empty()) {
    text = failure.argument + (failure.received.empty() ? "" : " " + in_quotes(failure.received)) + ": ";
  } else if (!failure.input.empty()) {
    text = printable(failure.input, 400) + ": ";
  }
  text += failure.problem.empty() ? std::string(kind.meaning) : part(failure.problem);
  text += ".";
  if (!failure.accepted.empty()) text += " " + sentence(part(failure.accepted));
  const std::string next = failure.next.empty() ? std::string(kind.advice) : part(failure.next);
  return text + " Next: " + next + ".";
}

[[noreturn]] void refuse_length(const Tool& tool, std::size_t bytes) {
  throw Error({.code = ErrorCode::limit_reached,
               .argument = "limit",
               .problem = fmt::format("the answer would have {} bytes, more than {}", bytes, most_answer_bytes),
               .next = "call " + tool.name + " with a smaller limit or a narrower scope"});
}
}  // namespace

ToolAnswer error_answer(const Error& error, bool is_redacted) {
  const Failure& failure = error.failure();
  const ErrorKind& kind = kind_of(error.code());
  const report::Redactor redactor({});
  const auto shown = [&](const std::string& text) { return is_redacted ? redactor.text(text) : text; };
  Json facts = {{"code", kind.spelling}};
  const auto add = [&](const char* key, const std::string& text) {
    if (!text.empty()) facts[key] = shown(part(text));
  };
  add("input", failure.input);
  add("argument", failure.argument);
  add("received", failure.received);
  add("message", failure.problem.empty() ? std::string(kind.meaning) : failure.problem);
  add("accepted", failure.accepted);
  add("hint", failure.next.empty() ? std::string(kind.advice) : failure.next);
  return {.is_error = true, .structured = {{"error", std::move(facts)}}, .text = shown(error_text(failure, kind))};
}

ToolAnswer answer_of(const Tool& tool, const Json& arguments, const ToolContext& context) {
  ToolResult result = tool.call(checked_arguments(tool, arguments), context);
  ToolAnswer answer = {.structured = rounded(std::move(result.structured)), .links = std::move(result.links)};
  answer.text = report::one_line(answer.structured);
  if (answer.text.size() > most_answer_bytes) refuse_length(tool, answer.text.size());
  return answer;
}

ToolAnswer call_tool(const Tool& tool, const Json& arguments, const ToolContext& context) {
  try {
    return answer_of(tool, arguments, context);
  } catch (const Error& error) {
    if (error.code() == ErrorCode::interrupted) throw;
    return error_answer(error, context.is_redacted);
  } catch (const std::bad_alloc&) {
    return error_answer(Error({.code = ErrorCode::limit_reached, .problem = "memory does not suffice"}), false);
  }
}
}  // namespace kinetoscope::tools
