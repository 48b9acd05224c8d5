#include "core/tree/scope_choices.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "core/base/format.hpp"
#include "core/tree/scope_selection.hpp"

namespace kinetoscope {
namespace {

constexpr std::size_t most_choices = 8;
constexpr std::size_t most_characters = 60;

/// Distinct texts in order of appearance: the first few, and how many more there are.
class Choices {
 public:
  void add(std::string text) {
    if (std::ranges::find(first_, text) != first_.end()) return;
    if (first_.size() < most_choices) {
      first_.push_back(std::move(text));
    } else {
      has_more_ = true;
    }
  }
  [[nodiscard]] std::string clause(std::string_view what_is_absent) const {
    if (first_.empty()) return fmt::format("the trace has no {}", what_is_absent);
    return fmt::format("there are {}{}", fmt::join(first_, ", "), has_more_ ? " and others" : "");
  }

 private:
  std::vector<std::string> first_;
  bool has_more_ = false;
};

struct Chooser {
  const CallTree& tree;
  std::span<const Step> steps;

  [[nodiscard]] std::string name_of(const Step& step) const {
    return printable(tree.trace().name_text(step.annotation), most_characters);
  }
  [[nodiscard]] std::string step_names() const {
    if (steps.size() == 1) return name_of(steps.front());
    return fmt::format("{} to {}", name_of(steps.front()), name_of(steps.back()));
  }

  std::string operator()(const StepRange&) const {
    if (steps.empty()) return "the trace has no steps";
    if (steps.size() == 1) return fmt::format("there is step 0, {}", step_names());
    return fmt::format("there are steps 0 to {}, {}", steps.size() - 1, step_names());
  }
  std::string operator()(const AnnotationName&) const {
    if (!steps.empty()) return fmt::format("there {} {}", steps.size() == 1 ? "is" : "are", step_names());
    const Trace& trace = tree.trace();
    std::vector<bool> is_seen(trace.names_count(), false);
    Choices choices;
    for (std::size_t i = 0; i < trace.size(); ++i) {
      const auto event = id_at<EventId>(i);
      const NameId name = trace.name(event);
      if (trace.role(event) != Role::host_annotation || name == no_name || is_seen[index_of(name)]) continue;
      is_seen[index_of(name)] = true;
      choices.add(printable(trace.text(name), most_characters));
    }
    return choices.clause("annotations");
  }
  std::string operator()(const PhaseOfSteps&) const {
    Choices choices;
    for (const Step& step : steps) choices.add(text_of(PhaseOfSteps{step.label.phase}));
    return choices.clause("steps");
  }
  std::string operator()(const ModuleName&) const {
    Choices choices;
    for (std::size_t i = 0; i < tree.size(); ++i) {
      if (!tree.is_module(id_at<NodeId>(i))) continue;
      const std::string_view label = tree.module_label(id_at<NodeId>(i));
      choices.add("module:" + printable(label.substr(module_prefix.size()), most_characters));
    }
    return choices.clause("module calls");
  }
  std::string operator()(const StreamNumber&) const {
    Choices choices;
    for (const Stream& stream : tree.trace().streams()) choices.add(fmt::format("stream:{}", stream.stream));
    return choices.clause("GPU work");
  }
  std::string operator()(const DeviceNumber&) const {
    Choices choices;
    for (const Stream& stream : tree.trace().streams()) choices.add(fmt::format("device:{}", stream.device));
    return choices.clause("GPU work");
  }
  std::string operator()(const TimeWindow&) const {
    const Interval recorded = recorded_time(tree.trace());
    return fmt::format("the trace is {} long", duration_text(recorded.end_ns - recorded.begin_ns));
  }
};
}  // namespace

std::string choices_for(const ScopeCondition& condition, const CallTree& tree, std::span<const Step> steps) {
  return std::visit(Chooser{tree, steps}, condition);
}
}  // namespace kinetoscope
