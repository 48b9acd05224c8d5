#include "core/names/name_rules.hpp"

#include <array>
#include <string>

#include <doctest/doctest.h>

#include "core/base/error.hpp"
#include "core/names/name_head.hpp"

namespace kinetoscope::names {
namespace {

constexpr std::array lists = {RuleList{"rules", "is", [](std::string_view text) -> std::optional<std::uint8_t> {
                                         if (text == "yes") return std::uint8_t{1};
                                         return std::nullopt;
                                       }}};

// Whether a file of one rule with this one piece holds for the name.
bool holds(const std::string& piece, std::string_view name) {
  const NameRules rules("test.json", R"({"rules": {"rules": [{"is": "yes", "any": [")" + piece + "\"]}]}}", lists);
  return rules.first(0, rules.find(name)).has_value();
}

std::string_view head(std::string_view name) {
  const NameHead range = head_of(name);
  return name.substr(range.begin, range.end - range.begin);
}
}  // namespace

TEST_CASE("name rules: plain pieces ignore case, pieces with capitals do not") {
  CHECK(holds("gemm", "sGEMM_kernel"));
  CHECK(holds("GEMM", "sGEMM_kernel"));
  CHECK_FALSE(holds("GEMM", "sgemm_kernel"));
}

TEST_CASE("name rules: words end at other characters, digits and humps of CamelCase") {
  CHECK(holds("|rope|", "qk_norm_rope_H32"));
  CHECK(holds("|rope|", "applyRopeKernel"));
  CHECK(holds("|rope|", "24rope2"));
  CHECK(holds("|rope|", "ROPEKernel"));
  CHECK_FALSE(holds("|rope|", "europe"));
  CHECK_FALSE(holds("|rope|", "ropes"));
  CHECK(holds("|rope|", "europe_rope"));  // a later place counts when an earlier one does not
}

TEST_CASE("name rules: pieces can be bound to the head of a name") {
  CHECK(holds("^vllm", "void vllm::kernel<float>(int)"));
  CHECK(holds("kernel$", "void vllm::kernel<float>(int)"));
  CHECK_FALSE(holds("@float", "void vllm::kernel<float>(int)"));
  CHECK(holds("float", "void vllm::kernel<float>(int)"));
}

TEST_CASE("name head: return types, template arguments and parameters are no part of it") {
  CHECK(head("void at::native::(anonymous namespace)::copy<int (*)(int)>(char*)") ==
        "at::native::(anonymous namespace)::copy");
  CHECK(head("std::enable_if<(((8)>(0)))&&x<float>::y, void>::type vllm::norm<int>(int)") == "vllm::norm");
  CHECK(head("Memcpy HtoD (Pinned -> Device)") == "Memcpy HtoD (Pinned -> Device)");
  CHECK(head("ncclDevKernel_Generic(ncclDevKernelArgsStorage<4096ul>)") == "ncclDevKernel_Generic");
  CHECK(head("_ZN5aiter4normIDF16bEEvPT0_") == "5aiter4norm");
  CHECK(head("_ZN99x") == "99x");
  CHECK(head("_Z") == "_Z");
  CHECK(head("my kernel") == "my kernel");
  CHECK(head("").empty());
}

TEST_CASE("name rules: a data file that does not fit is refused with its place") {
  const auto problem_of = [](std::string_view json) {
    try {
      NameRules("test.json", json, lists);
    } catch (const Error& error) {
      CHECK(error.code() == ErrorCode::data_file_invalid);
      return error.failure().argument + ": " + error.failure().problem;
    }
    return std::string("accepted");
  };
  CHECK(problem_of("{") == ": the file is no valid JSON");
  CHECK(problem_of("{}") == "rules: there is no list of rules under this key");
  CHECK(problem_of(R"({"rules": {"rules": [{"is": "no", "any": ["x"]}]}})") ==
        "rules.rules[0].is: no known value: \"no\"");
  CHECK(problem_of(R"({"rules": {"rules": [{"is": "yes"}]}})") == "rules.rules[0]: the rule holds for every name");
  CHECK(problem_of(R"({"rules": {"rules": [{"is": "yes", "any": ["|"]}]}})") == "rules.rules[0]: an empty piece");
  CHECK(problem_of(R"({"rules": {"rules": [{"is": "yes", "eny": ["x"]}]}})") == "rules.rules[0].eny: unknown key");
  CHECK(problem_of(R"({"rules": {"rules": [{"is": "yes", "within": "x"}]}})") ==
        "rules.rules[0].within: there is no such set");
}
}  // namespace kinetoscope::names
