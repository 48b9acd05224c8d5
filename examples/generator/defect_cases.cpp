// All defect cases, by id: the areas' lists, one after another.

#include <algorithm>
#include <iterator>

#include "examples/generator/defect_case.hpp"

namespace kinetoscope::examples {

std::vector<DefectCase> defect_cases() {
  std::vector<DefectCase> all;
  for (auto* area : {string_defects, value_defects, cut_defects, container_defects, time_defects, clock_defects,
                     identity_defects, link_defects, metadata_defects, step_defects}) {
    std::vector<DefectCase> cases = area();
    std::move(cases.begin(), cases.end(), std::back_inserter(all));
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const DefectCase& one, const DefectCase& other) { return one.id < other.id; });
  return all;
}
}  // namespace kinetoscope::examples
