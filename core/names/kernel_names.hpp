#pragma once

// What the name of a device event says: the kind of work, the library that ships the kernel, the way of a copy, the
// collective, and what else the name tells. One table, kernel_kinds.json, in which the first rule that holds decides.
// A name says what a kernel is called, not what it costs: what the name leaves open is unknown.
// Cost: about 2 us a name of 400 characters; callers classify each distinct name once. The table is read at the first
// call. Threads: safe to call at once.

#include <string_view>

#include "core/names/collective_kinds.hpp"
#include "core/names/copy_direction.hpp"
#include "core/names/kernel_kinds.hpp"
#include "core/names/kernel_libraries.hpp"
#include "core/names/kernel_tags.hpp"

namespace kinetoscope::names {

struct KernelTraits {
  KernelKind kind = KernelKind::unknown;
  Library library = Library::unknown;
  CollectiveKind collective = CollectiveKind::none;
  CopyTraits copy;  ///< unknown unless kind is memory_copy
  EnumSet<Function> functions;
  EnumSet<Tag> tags;

  [[nodiscard]] bool is_communication() const noexcept { return kind == KernelKind::communication; }
  friend bool operator==(const KernelTraits&, const KernelTraits&) = default;
};

/// Any text is a valid name; the empty one is unknown. O(n).
[[nodiscard]] KernelTraits classify_kernel(std::string_view name);
}  // namespace kinetoscope::names
