#pragma once

// A first look over a message's JSON that keeps nothing: is it JSON, and can it be held without harm? Passed to
// Json::sax_parse; stops at the first thing that is wrong.

#include <cstddef>
#include <string>
#include <vector>

#include "server/mcp/json.hpp"

namespace kinetoscope::mcp {

class MessageLimits final : public nlohmann::json_sax<Json> {
 public:
  /// Sound JSON, but too deep or with too many members in one object.
  [[nodiscard]] bool is_exceeded() const noexcept { return is_exceeded_; }
  /// What stopped it; empty when nothing did.
  [[nodiscard]] const std::string& problem() const noexcept { return problem_; }

  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool string(string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }
  bool start_object(std::size_t) override { return enter(); }
  bool key(string_t&) override;
  bool end_object() override { return leave(); }
  bool start_array(std::size_t) override { return enter(); }
  bool end_array() override { return leave(); }
  bool parse_error(std::size_t position, const std::string& token, const nlohmann::detail::exception& error) override;

 private:
  bool enter();
  bool leave();
  bool exceed(std::string problem);

  std::vector<int> members_;  ///< of each array or object that is open
  bool is_exceeded_ = false;
  std::string problem_;
};
}  // namespace kinetoscope::mcp
