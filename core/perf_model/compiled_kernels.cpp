#include "core/perf_model/compiled_kernels.hpp"

#include <algorithm>
#include <optional>
#include <unordered_map>

#include <fmt/format.h>

#include "core/base/error.hpp"
#include "core/io/byte_source.hpp"
#include "core/io/file_source.hpp"
#include "core/perf_model/compiled_kernel_reader.hpp"

namespace kinetoscope::perf_model {
namespace {

/// Absent for a file that cannot be read, or is longer than sources are: one of them is no reason to refuse the others.
std::optional<std::string> compiled_file_text(const std::string& path) {
  try {
    io::FileSource source(path, std::make_shared<io::ReadProgress>());
    const std::uint64_t size = source.size_bytes().value_or(most_compiled_file_bytes + 1);
    if (size > most_compiled_file_bytes) return std::nullopt;
    std::string text(static_cast<std::size_t>(size), '\0');
    text.resize(io::read_fully(source, text));
    return text;
  } catch (const Error&) {
    return std::nullopt;
  }
}

/// Collects kernels by name.
class CompiledNames {
 public:
  void add(CompiledKernel kernel) {
    const auto [found, is_new] = places_.try_emplace(kernel.name, known_.size());
    if (is_new) {
      known_.push_back({std::move(kernel), false});
    } else if (known_[found->second].kernel != kernel) {
      known_[found->second].is_ambiguous = true;
    }
  }
  void put_into(CompiledFolder& out) {
    for (Known& one : known_) {
      if (one.is_ambiguous) {
        out.ambiguous.push_back(std::move(one.kernel.name));
      } else {
        out.kernels.push_back(std::move(one.kernel));
      }
    }
    std::ranges::sort(out.ambiguous);
    std::ranges::sort(out.kernels, {}, &CompiledKernel::name);
  }

 private:
  struct Known {
    CompiledKernel kernel;
    bool is_ambiguous = false;
  };
  std::unordered_map<std::string, std::size_t> places_;
  std::vector<Known> known_;
};
}  // namespace

CompiledFolder read_compiled_folder(const std::string& folder, const std::stop_token& stop, std::size_t most_bytes) {
  io::FilesBelow below = io::files_below(folder, ".py");
  CompiledFolder out;
  out.left_out = std::move(below.left_out);
  CompiledNames names;
  std::size_t bytes = 0;
  std::string path;
  for (const std::string& file : below.files) {
    if (stop.stop_requested()) throw Error({.code = ErrorCode::interrupted, .input = folder});
    const std::optional<std::string> text = compiled_file_text(path.assign(folder).append("/").append(file));
    if (!text) {
      out.left_out.add(file);
      continue;
    }
    bytes += text->size();
    if (bytes > most_bytes) {
      throw Error({.code = ErrorCode::limit_reached,
                   .input = folder,
                   .problem = fmt::format("its Python files have more than {} bytes", most_bytes),
                   .next = "name a folder inside it"});
    }
    ++out.files;
    CompiledSource source = read_compiled_kernels(*text);
    if (source.not_understood > 0 && out.not_understood == 0) out.first_not_understood = file;
    out.not_understood += source.not_understood;
    for (CompiledKernel& kernel : source.kernels) names.add(std::move(kernel));
  }
  names.put_into(out);
  return out;
}

const CompiledKernel* CompiledKernels::find(std::string_view name) const noexcept {
  if (!folder_) return nullptr;
  const auto found = std::ranges::lower_bound(folder_->kernels, name, {},
                                              [](const CompiledKernel& one) { return std::string_view(one.name); });
  return found != folder_->kernels.end() && found->name == name ? &*found : nullptr;
}
}  // namespace kinetoscope::perf_model
