# shellcheck shell=bash
# Building and fuzzing: functions that ./dev and scripts/test.sh share.

# configure_and_build PRESET [TARGET...]: quiet on success, the compiler's words on failure.
configure_and_build() {
  local preset=$1 log=build/$1.log
  shift
  mkdir -p build
  local targets=()
  if [[ $# -gt 0 ]]; then targets=(--target "$@"); fi
  if ! { cmake --preset "$preset" && cmake --build --preset "$preset" "${targets[@]}"; } </dev/null >"$log" 2>&1; then
    grep -E -A 12 'FAILED|error|Error' "$log" | head -n 80 || tail -n 40 "$log"
    echo "build: preset $preset failed; all of it: $log"
    return 1
  fi
}

build_program() { configure_and_build release kinetoscope; }

cpp_sources() { git ls-files --cached --others --exclude-standard '*.cpp' '*.hpp'; }

fuzzers() {
  local source
  for source in tests/fuzz/*_fuzz.cpp; do
    if [[ -e $source ]]; then basename "$source" .cpp; fi
  done
}

build_fuzzers() {
  local names
  mapfile -t names < <(fuzzers)
  if [[ ${#names[@]} -eq 0 ]]; then return; fi
  configure_and_build debug "${names[@]}"
}

# run_fuzzer NAME SECONDS: the debug build has it; seeds stand in tests/fuzz/seeds/<parser>/; what it learns stays under
# build/fuzz/corpus.
run_fuzzer() {
  local name=$1 seconds=$2 log=build/fuzz/$1.log seeds=()
  mkdir -p "build/fuzz/corpus/$name" build/fuzz/findings
  local folder
  for folder in "tests/fuzz/seeds/${name%_fuzz}" "$KINETOSCOPE_SHARED/field_inputs"; do
    if [[ -d $folder ]]; then seeds+=("$folder"); fi
  done
  # The short runs of ./dev test always begin alike, so that a failure can be repeated; long ones begin anew each time.
  local seed=1
  if [[ $seconds -gt 20 ]]; then seed=0; fi
  if "build/debug/$name" -seed="$seed" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 \
    -artifact_prefix="build/fuzz/findings/$name-" "build/fuzz/corpus/$name" "${seeds[@]}" </dev/null >"$log" 2>&1; then
    echo "fuzz: $name ran $(sed -n 's/^stat::number_of_executed_units: *//p' "$log") inputs in $seconds s"
  else
    grep -E -A 20 '^==|ERROR|SUMMARY' "$log" | head -n 40 || true
    echo "fuzz: $name found something in build/fuzz/findings/; all of it: $log"
    return 1
  fi
}
export -f run_fuzzer

# run_fuzzers SECONDS: two at a time; fails when one of them finds something.
run_fuzzers() {
  # shellcheck disable=SC2016
  fuzzers | xargs -r -P 2 -I{} bash -c 'run_fuzzer "$1" "$2"' _ {} "$1"
}
