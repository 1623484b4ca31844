# Sourced by tools/quickstart and tools/check: installs what is missing and builds.

# What a build and the first example need, and what only the tests need.
BUILD_PACKAGES=(ca-certificates clang-22 cmake g++ git libclang-22-dev libgtest-dev lld-22 llvm-22 llvm-22-dev
  llvm-22-tools make ninja-build python3)
TEST_PACKAGES=(clang-format-22 clang-tidy-22 doxygen flang-22 gdb libclang-rt-22-dev libeigen3-dev python3-venv valgrind)
# A browser for test/Explain (100 MB to download); the tests do without where there is none.
WANTED_PACKAGES=(chromium-headless-shell)

say() { printf '\n== %s\n' "$*"; }
die() { printf '%s: %s\n' "$(basename "$0")" "$*" >&2; exit 1; }

# need_packages PACKAGE...: installs those that are not there, and nothing else.
need_packages() {
  local Missing=() Package Root=()
  if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
    need_programs "$@"
    return
  fi
  for Package in "$@"; do
    [[ $(dpkg-query -W -f='${db:Status-Status}' "$Package" 2>/dev/null) == installed ]] ||
      Missing+=("$Package")
  done
  ((${#Missing[@]})) || return 0
  if ((EUID != 0)); then
    command -v sudo >/dev/null || die "these packages are missing, and only root can install them:
  apt-get install --no-install-recommends ${Missing[*]}"
    Root=(sudo)
  fi
  say "Installing ${Missing[*]}"
  "${Root[@]}" apt-get update -q || true # another repository's failure need not matter
  "${Root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -q -y \
    --no-install-recommends "${Missing[@]}" ||
    die "the packages could not be installed; Isozyme needs those of Debian 12 with its security updates"
}

# want_packages PACKAGE...: the same for what is good to have.
want_packages() {
  (need_packages "$@") || say "going on without ${*}"
}

# Without apt nothing is installed. What is needed may be there all the same.
need_programs() {
  local Missing=() Program
  for Program in cmake ninja git python3 clang-22 clang++-22 ld.lld-22 opt-22 FileCheck-22 lit-22; do
    command -v "$Program" >/dev/null || Missing+=("$Program")
  done
  ((${#Missing[@]})) || return 0
  die "there is no apt-get here, and these programs are missing: ${Missing[*]}
Install, with the package manager of this system:
  LLVM 22.1 with its headers and CMake files, clang 22 with its headers and runtime libraries, lld 22,
  LLVM's test tools (FileCheck, not, lit), CMake 3.25, Ninja, git, Python 3 and GoogleTest.
On Debian 12 these are: ${*}"
}

# build PRESET [TARGET...]: configures when that has not been done, and builds.
build() {
  local Preset=$1 Folder=build Target Targets=()
  shift
  [[ $Preset == release ]] || Folder=build-$Preset
  for Target in "$@"; do Targets+=(--target "$Target"); done
  say "Building ($Preset)"
  [[ -f $Folder/build.ninja ]] || cmake --preset "$Preset"
  cmake --build --preset "$Preset" "${Targets[@]}"
}
