#pragma once

// Adds up the bytes that a call moves, operand by operand. An operand of unknown element size makes the sum unknown,
// and says which type it was; what a call does not have adds nothing, whatever its type.

#include <optional>
#include <string>
#include <string_view>

#include "core/perf_model/call.hpp"
#include "core/perf_model/element_types.hpp"
#include "core/perf_model/estimate.hpp"

namespace kinetoscope::perf_model {

class Traffic {
 public:
  /// An operand that is read or written once: each element that lies in memory.
  void add(const Operand& operand) {
    const double stored = stored_elements_of(operand);
    if (stored < elements_of(operand.dims)) repeats_ = true;
    if (!is_contiguous(operand)) is_dense_ = false;
    add(stored, operand.type);
  }
  /// Where the call may lack it.
  void add(const Operand* operand) {
    if (operand != nullptr) add(*operand);
  }
  /// Elements of a type by its name.
  void add(double elements, std::string_view type_name) {
    if (elements == 0) return;
    const ElementType* const type = find_element_type(type_name);
    if (type != nullptr) {
      bytes_ += elements * static_cast<double>(type->bytes);
    } else if (!is_unknown_) {
      is_unknown_ = true;
      unknown_type_ = type_name;
    }
  }
  void add_bytes(double bytes) { bytes_ += bytes; }

  /// Sets bytes_moved, or the gap; adds the notes.
  void put_into(Estimate& out) const {
    std::uint64_t bits = out.notes.bits();
    if (repeats_) bits |= std::uint64_t{1} << static_cast<unsigned>(Note::operand_repeated);
    if (!is_dense_) bits |= std::uint64_t{1} << static_cast<unsigned>(Note::operand_not_dense);
    out.notes = Notes(bits);
    if (!is_unknown_) {
      out.bytes_moved = bytes_;
    } else if (!out.gap) {
      out.gap = Gap::element_type_unknown;
      out.gap_detail = unknown_type_;
    }
  }

 private:
  double bytes_ = 0;
  bool repeats_ = false;
  bool is_dense_ = true;
  bool is_unknown_ = false;
  std::string unknown_type_;
};

/// Adds a note.
inline void note(Estimate& out, Note which) {
  out.notes = Notes(out.notes.bits() | (std::uint64_t{1} << static_cast<unsigned>(which)));
}
}  // namespace kinetoscope::perf_model
