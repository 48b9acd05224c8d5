#!/usr/bin/env bash
# All checks of the repository, or the stages that ./dev test names.
#
# Each stage prints what failed and its seconds; the last line is "N passed, M failed" over all of them.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit
source scripts/environment.sh
source scripts/build.sh

passed=0
failed=0
lints_all=no

# count PASSED FAILED: every check of a stage ends here.
count() { passed=$((passed + $1)) failed=$((failed + $2)); }

# check TEXT COMMAND...: one check, named when it fails.
check() {
  local text=$1
  shift
  if "$@"; then
    count 1 0
  else
    count 0 1
    echo "FAILED: $text"
  fi
}

# counted COMMAND...: a program of ours whose last line is "name: N passed, M failed".
counted() {
  local output last
  output=$("$@" 2>&1)
  local status=$?
  echo "$output"
  last=$(tail -n 1 <<<"$output")
  if [[ $last =~ ([0-9]+)\ passed,\ ([0-9]+)\ failed$ ]] && [[ $status -eq 0 || ${BASH_REMATCH[2]} -gt 0 ]]; then
    count "${BASH_REMATCH[1]}" "${BASH_REMATCH[2]}"
  else
    count 0 1
    echo "FAILED: $* (exit status $status)"
  fi
}

# unit_tests PRESET [CTEST OPTIONS...]: counts test cases, and a program that died as one failure.
unit_tests() {
  local preset=$1 log=build/$1-tests.log without_random_addresses=()
  shift
  # The thread sanitizer of older compilers refuses the addresses that newer kernels give.
  if [[ $preset == thread ]] && setarch -R true 2>/dev/null; then without_random_addresses=(setarch -R); fi
  # At exit it sleeps a second to find threads that race with the end; the tests of Ctrl-C measure that end.
  if [[ $preset == thread ]]; then export TSAN_OPTIONS=atexit_sleep_ms=0; fi
  "${without_random_addresses[@]}" ctest --test-dir "build/$preset" -V -j "$(nproc)" --timeout 600 "$@" </dev/null >"$log" 2>&1
  local cases_passed cases_failed programs_failed
  read -r cases_passed cases_failed < <(awk '
    /\[doctest\] test cases:/ { for (i = 2; i <= NF; ++i) { if ($i == "passed") p += $(i-1); if ($i == "failed") f += $(i-1) } }
    END { print p + 0, f + 0 }' "$log")
  programs_failed=$(sed -n 's/.*tests passed, \([0-9]*\) tests\{0,1\} failed.*/\1/p' "$log")
  if [[ -z $programs_failed ]]; then programs_failed=1; fi
  if [[ $cases_failed -lt $programs_failed ]]; then cases_failed=$programs_failed; fi
  if [[ $cases_failed -gt 0 ]]; then
    grep -E -A 12 'ERROR: |ERROR!|runtime error|WARNING: ThreadSanitizer|\*\*\*|No tests were found' "$log" | head -n 120
    echo "FAILED: unit tests of preset $preset; all of it: $log"
  fi
  echo "unit tests ($preset): $cases_passed passed, $cases_failed failed"
  count "$cases_passed" "$cases_failed"
}

is_formatted() {
  cpp_sources | xargs -r clang-format --dry-run -Werror 2>&1 |
    sed -n 's/^\([^:]*\):[0-9]*:[0-9]*: error.*/\1: not formatted/p' | sort -u
  [[ ${PIPESTATUS[1]} -eq 0 ]]
}

format_stage() { check "sources are formatted (./dev format does it)" is_formatted; }

# Files changed since the merge base with main or, on main itself, since the last commit.
changed_files() {
  local base
  base=$(git merge-base HEAD origin/main 2>/dev/null || git merge-base HEAD main 2>/dev/null || true)
  if [[ -z $base || $base == $(git rev-parse HEAD) ]]; then
    base=$(git rev-parse --verify -q HEAD~1 || git hash-object -t tree /dev/null)
  fi
  { git diff --name-only --diff-filter=d "$base" -- '*.cpp' '*.hpp'; git ls-files --others --exclude-standard '*.[ch]pp'; } |
    sort -u
}

# A changed header counts for the source of its name.
changed_sources() {
  changed_files | sed 's/\.hpp$/.cpp/' | sort -u | while read -r file; do if [[ -e $file ]]; then echo "$file"; fi; done
}

# Files that the clang preset compiles: it has no fuzzers.
tidied_sources() {
  if [[ $lints_all == yes ]]; then cpp_sources | grep '\.cpp$'; else changed_sources; fi | grep -v '^tests/fuzz/' || true
}

# Headers that have to compile alone.
checked_headers() {
  if [[ $lints_all == yes ]]; then cpp_sources; else changed_files; fi | grep -E '^(core|server)/.*\.hpp$' || true
}

lone_headers() {
  local header
  for header in $(checked_headers); do find build/clang -path "*_verify_interface_header_sets/$header.cxx"; done
}

# A source of one line for each header comes from CMake's header sets: the header alone. Without the precompiled header:
# checks walk all that a file includes, and most files need none of its big headers. What builds generate is read where
# the program's build has it, so that nothing need be compiled for this.
is_tidy() {
  local log=build/clang-tidy.log
  mkdir -p build/tidy
  cmake --preset clang </dev/null >build/clang-configure.log 2>&1 || { cat build/clang-configure.log; return 1; }
  sed -E -e 's/ -Winvalid-pch( -Xclang -include-pch -Xclang [^ "]+)? -Xclang -include -Xclang [^ "]+//' \
    -e 's|/build/clang/generated |/build/release/generated |' \
    build/clang/compile_commands.json >build/tidy/compile_commands.json
  { tidied_sources; lone_headers; } | xargs -r -P 2 -n 1 clang-tidy -p build/tidy --quiet >"$log" 2>/dev/null && return
  grep -E 'error:|warning:' "$log" | sort -u | head -n 60
  return 1
}

lint_stage() {
  check "the checking scripts hold their own tests" python3 -B tests/scripts/scripts_test.py
  counted python3 scripts/lint_structure.py
  check "the program compiles" build_program
  check "clang-tidy is content with $(tidied_sources | wc -l) sources and $(checked_headers | wc -l) headers alone" is_tidy
}

unit_stage() {
  check "everything compiles with g++" configure_and_build release
  unit_tests release
}

sanitize_stage() {
  check "everything compiles with address and undefined-behaviour sanitizers" configure_and_build debug
  unit_tests debug
  check "tests with threads compile with the thread sanitizer" configure_and_build thread
  unit_tests thread
}

fuzz_stage() {
  check "fuzzers compile" build_fuzzers
  local output
  output=$(run_fuzzers 20)
  [[ -z $output ]] || echo "$output"
  count "$(grep -c '^fuzz: .* ran ' <<<"$output")" "$(grep -c '^fuzz: .* found ' <<<"$output")"
}

golden_stage() {
  check "the program compiles" build_program
  counted python3 scripts/run_golden.py
  counted python3 tests/golden/derive_models.py
  counted python3 tests/golden/model_shares.py
}

# One page is what the program says of itself.
docs_stage() {
  check "the program compiles" build_program
  counted python3 scripts/make_docs.py --check
}

readme_stage() {
  check "the program compiles" build_program
  counted python3 scripts/check_readme.py
}

run_stage() {
  local begin=$SECONDS failed_before=$failed
  echo "== $1"
  "${1}_stage"
  local word="done"
  if [[ $failed -gt $failed_before ]]; then word=FAILED; fi
  echo "== $1: $word in $((SECONDS - begin)) s"
}

stages=()
for argument in "$@"; do
  case $argument in
    --all) lints_all=yes ;;
    --changed) lints_all=no ;;
    format | lint | unit | sanitize | fuzz | golden | docs | readme) stages+=("$argument") ;;
    *) echo "test: no stage \"$argument\"; there are: format lint unit sanitize fuzz golden docs readme" >&2 && exit 2 ;;
  esac
done
if [[ ${#stages[@]} -eq 0 ]]; then stages=(format unit docs golden readme lint sanitize fuzz); fi
mkdir -p build
for stage in "${stages[@]}"; do run_stage "$stage"; done
echo "all of it took $SECONDS s"
echo "$passed passed, $failed failed"
[[ $failed -eq 0 ]]
