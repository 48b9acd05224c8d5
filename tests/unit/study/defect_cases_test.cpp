// Every damaged input that the generator makes, five variants and more of each kind, against the outcome that follows
// from its construction.

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <unistd.h>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "core/base/error.hpp"
#include "core/report/info_json.hpp"
#include "core/study/study.hpp"
#include "examples/generator/defect_case.hpp"

namespace kinetoscope {
namespace {

using nlohmann::json;

/// A file that goes when the test does.
class TemporaryTrace {
 public:
  explicit TemporaryTrace(const std::string& bytes) {
    std::string pattern = (std::filesystem::temp_directory_path() / "kinetoscope-defect-XXXXXX").string();
    const int descriptor = mkstemp(pattern.data());
    REQUIRE(descriptor >= 0);
    close(descriptor);
    path_ = pattern;
    std::ofstream(path_, std::ios::binary) << bytes;
  }
  ~TemporaryTrace() { std::filesystem::remove(path_); }
  TemporaryTrace(const TemporaryTrace&) = delete;
  TemporaryTrace& operator=(const TemporaryTrace&) = delete;
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

json figures(const analysis::GpuPopulation& found) {
  return {{"events", found.events},
          {"untimed", found.untimed},
          {"kernel_sum_ns", *narrowed(found.kernel_sum_ns)},
          {"busy_ns", found.busy_ns},
          {"span_ns", found.span_ns},
          {"idle_ns", found.idle_ns},
          {"computation_ns", found.computation_ns},
          {"communication_ns", found.communication_ns},
          {"exposed_communication_ns", found.exposed_communication_ns},
          {"memcpy_ns", found.memcpy_ns}};
}

void check_diagnostics(const Study& study, const json& expected) {
  std::map<std::string, std::uint64_t> unlisted;
  for (const Diagnostic& found : study.diagnostics().sorted()) {
    if (!expected.contains(found.code) && found.severity == Severity::warning) unlisted[found.code] = found.count;
  }
  CHECK_MESSAGE(unlisted.empty(), "not expected: ", json(unlisted).dump());
  for (const auto& item : expected.items()) {
    const std::string& code = item.key();
    const json& count = item.value();
    std::uint64_t found = 0;
    for (const Diagnostic& diagnostic : study.diagnostics().sorted()) {
      if (diagnostic.code == code) found = diagnostic.count;
    }
    CAPTURE(code);
    if (count == "present") {
      CHECK(found > 0);
    } else if (count != "any") {
      CHECK(found == count.get<std::uint64_t>());
    }
  }
}

std::map<std::string, EventId> events_by_name(const Trace& trace) {
  std::map<std::string, EventId> out;
  for (std::size_t i = 0; i < trace.size(); ++i) {
    out.try_emplace(std::string(trace.name_text(id_at<EventId>(i))), id_at<EventId>(i));
  }
  return out;
}

void check_kernels(const Study& study, const json& expected) {
  const Trace& trace = study.trace();
  const CallTree& tree = study.tree();
  const auto by_name = events_by_name(trace);
  for (const auto& item : expected.items()) {
    const std::string& name = item.key();
    const json& wanted = item.value();
    CAPTURE(name);
    REQUIRE(by_name.contains(name));
    const EventId kernel = by_name.at(name);
    const NodeId launch = tree.launch(kernel);
    if (wanted.contains("method")) {
      const std::string method(spelling_of(tree.link(kernel).method));
      const auto& method_wanted = wanted["method"].get_ref<const std::string&>();
      CHECK_MESSAGE((method == method_wanted || method.starts_with(method_wanted + "_and_")), method, " ",
                    method_wanted);
    }
    if (wanted.contains("launcher")) {
      CHECK((launch == no_node ? json() : json(tree.name(tree.launcher(kernel)))) == wanted["launcher"]);
    }
    if (wanted.contains("process") && launch != no_node) {
      CHECK(trace.track_info(trace.track(tree.event(launch))).pid.number == wanted["process"].get<std::int64_t>());
    }
    if (wanted.contains("stream")) {
      const std::int64_t stream = trace.streams()[index_of(trace.stream(kernel))].stream;
      CHECK((wanted["stream"].is_string() ? json(std::to_string(stream)) : json(stream)) == wanted["stream"]);
    }
    if (wanted.contains("ancestors")) {
      json ancestors = json::array();
      for (NodeId above = launch; above != no_node; above = tree.parent(above)) ancestors.push_back(tree.name(above));
      CHECK(ancestors == wanted["ancestors"]);
    }
  }
}

void check_steps(const Study& study, const json& expected) {
  const auto steps = study.steps().steps();
  REQUIRE(steps.size() == expected.size());
  for (std::size_t i = 0; i < steps.size(); ++i) {
    CAPTURE(i);
    const json& wanted = expected[i];
    const Step& step = steps[i];
    if (wanted.contains("name")) CHECK(study.trace().name_text(step.annotation) == wanted["name"]);
    if (wanted.contains("phase") && wanted["phase"].is_string())
      CHECK(spelling_of(step.label.phase) == wanted["phase"]);
    if (wanted.contains("gpu_events")) CHECK(step.gpu_events.size() == wanted["gpu_events"].get<std::size_t>());
    const auto busy = analysis::measure_population(study.trace(), study.buckets(), step.gpu_events);
    if (wanted.contains("busy_ns")) CHECK(busy.busy_ns == wanted["busy_ns"].get<std::int64_t>());
    if (wanted.contains("gpu_annotation_busy_ns")) {
      CHECK(step.annotated_gpu_time_ns == wanted["gpu_annotation_busy_ns"].get<std::int64_t>());
    }
  }
}

void check_structure(const Study& study, const json& expected) {
  const Trace& trace = study.trace();
  const auto by_name = events_by_name(trace);
  for (const json& name : expected.value("names", json::array())) {
    CHECK_MESSAGE(by_name.contains(name.get<std::string>()), "missing: ", name.dump());
  }
  const json parents = expected.value("host_parents", json::object());
  for (const auto& item : parents.items()) {
    const std::string& name = item.key();
    const json& parent = item.value();
    CAPTURE(name);
    REQUIRE(by_name.contains(name));
    const NodeId node = study.tree().node(by_name.at(name));
    REQUIRE(node != no_node);
    const NodeId above = study.tree().parent(node);
    CHECK((above == no_node ? json() : json(study.tree().name(above))) == parent);
  }
  if (expected.contains("streams")) {
    std::set<std::string> found;
    std::set<std::string> wanted;
    for (const Stream& stream : trace.streams()) found.insert(std::to_string(stream.stream));
    for (const json& stream : expected["streams"]) {
      wanted.insert(stream.is_string() ? stream.get<std::string>() : std::to_string(stream.get<std::int64_t>()));
    }
    CHECK(found == wanted);
  }
}

void check_loaded(const Study& study, const json& expected) {
  if (expected.contains("events")) CHECK(study.trace().size() == expected["events"].get<std::size_t>());
  if (expected.contains("diagnostics")) check_diagnostics(study, expected["diagnostics"]);
  if (expected.contains("partial_offset")) {
    REQUIRE(study.trace().partial().has_value());
    const json& offset = expected["partial_offset"];
    if (offset.is_number()) CHECK(study.trace().partial()->offset == offset.get<std::uint64_t>());
  }
  const json gpu = figures(study.populations().all);
  const json wanted_figures = expected.value("gpu", json::object());
  for (const auto& item : wanted_figures.items()) {
    const std::string& name = item.key();
    const json& value = item.value();
    CAPTURE(name);
    CHECK(gpu.at(name) == value);
  }
  if (expected.contains("linked")) CHECK(study.populations().linked.events == expected["linked"].get<std::uint64_t>());
  const LaunchCounts& launches = study.tree().launches();
  if (expected.contains("launches")) CHECK(launches.total == expected["launches"].get<std::uint64_t>());
  if (expected.contains("launches_without_kernel")) {
    CHECK(launches.without_kernel == expected["launches_without_kernel"].get<std::uint64_t>());
  }
  if (expected.contains("rank")) {
    const auto& distributed = study.trace().metadata().distributed;
    const json rank = distributed && distributed->rank ? json(*distributed->rank) : json();
    CHECK(rank == expected["rank"]);
  }
  check_structure(study, expected);
  if (expected.contains("kernels")) check_kernels(study, expected["kernels"]);
  if (expected.contains("steps")) check_steps(study, expected["steps"]);
}
}  // namespace

TEST_CASE("defect cases: every variant of every kind gives its right outcome") {
  for (const examples::DefectCase& damage : examples::defect_cases()) {
    CAPTURE(damage.id);
    CAPTURE(damage.variant);
    const TemporaryTrace file(damage.bytes);
    try {
      const auto study = load_study(file.path());
      CHECK_MESSAGE(!damage.expected.contains("error"), "was to be refused");
      if (!damage.expected.contains("error")) check_loaded(*study, damage.expected);
    } catch (const Error& error) {
      INFO(error.what());
      REQUIRE(damage.expected.contains("error"));
      const auto& code = damage.expected["error"].get_ref<const std::string&>();
      CHECK((code == "any" || code == kind_of(error.code()).spelling));
    }
  }
}
}  // namespace kinetoscope
