#pragma once

// Where in a kernel's name its own name stands: without return type, template arguments and parameters, in plain and in
// mangled C++ names. "void vllm::rms_norm_kernel<float>(float*)" has the head "vllm::rms_norm_kernel". Types in the
// rest name things that the kernel does not do (a rotary kernel's parameter may be called Fp8KVCacheDataType). Cost:
// one pass over the name, no allocation. Source of the mangled form: the Itanium C++ ABI, 5.1 (nested names).

#include <cstddef>
#include <string_view>

namespace kinetoscope::names {

/// From begin up to, but not including, end. The whole name when it is no C++ signature.
struct NameHead {
  std::size_t begin = 0;
  std::size_t end = 0;
  friend bool operator==(const NameHead&, const NameHead&) = default;
};

[[nodiscard]] NameHead head_of(std::string_view name) noexcept;
}  // namespace kinetoscope::names
