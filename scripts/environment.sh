# shellcheck shell=bash
# Packages and environment of every build: sourced by ./dev.
# Names that Debian 12 and later share; each library's reason is in CONTRIBUTING.md.

packages=(
  g++ clang clang-format clang-tidy libclang-rt-dev cmake ninja-build ccache pkg-config git python3 valgrind
  libfmt-dev libspdlog-dev nlohmann-json3-dev libsimdjson-dev libcli11-dev doctest-dev libvalijson-dev
  zlib1g-dev libzstd-dev libzip-dev libxlsxwriter-dev libxxhash-dev libcpp-httplib-dev libssl-dev
)
# ISA-L is not built for every processor; where it is not, zlib serves.
case $(dpkg --print-architecture 2>/dev/null) in
  amd64 | arm64) packages+=(libisal-dev) ;;
esac

# ccache may keep precompiled headers, and a second clone or worktree reuses what the first one compiled.
export CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
export CCACHE_BASEDIR=${CCACHE_BASEDIR:-$PWD}
export CCACHE_NOHASHDIR=1

# Inputs for tests that are not part of the repository: named by the caller, else beside it.
if [[ -z ${KINETOSCOPE_SHARED:-} ]]; then
  KINETOSCOPE_SHARED=$(dirname "$PWD")/shared
fi
export KINETOSCOPE_SHARED

missing_packages() {
  local package
  for package in "${packages[@]}"; do
    [[ $(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null) == installed ]] || echo "$package"
  done
}

as_root() {
  if [[ $EUID -eq 0 ]]; then "$@"; else sudo -n -- "$@"; fi
}

# Costs a few hundredths of a second when nothing is missing.
install_packages() {
  if ! command -v dpkg-query >/dev/null; then
    echo "dev: not a Debian system; what is needed, by Debian's names: ${packages[*]}" >&2
    return
  fi
  local missing=() log=build/packages.log
  mapfile -t missing < <(missing_packages)
  if [[ ${#missing[@]} -eq 0 ]]; then return; fi
  echo "dev: installing ${missing[*]} (log: $log)" >&2
  mkdir -p build
  if ! {
    as_root apt-get update &&
      as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "${missing[@]}"
  } </dev/null >"$log" 2>&1; then
    tail -n 20 "$log" >&2
    echo "dev: the packages could not be installed; as root: apt-get install ${missing[*]}" >&2
    return 1
  fi
}
