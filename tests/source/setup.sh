#!/bin/sh
# tools/setup.sh names the packages and the command on systems where it cannot install, for every requested group.
set -eu
source=${SOURCE:-$(cd "$(dirname "$0")/../.." && pwd)}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
status=0

# names SYSTEM TEXT...: setup for the system exits with status 1 and prints the texts.
names() {
  printf 'ID=%s\n' "$1" >"$work/os-release"
  if SIMTLAB_OS_RELEASE=$work/os-release PKG_CONFIG_LIBDIR=$work "$source/tools/setup.sh" demo build test >"$work/said" 2>&1; then
    echo "setup on $1 does not fail"
    status=1
  fi
  shift
  for text; do
    grep -qF -e "$text" "$work/said" || { echo "setup does not say: $text"; sed 's/^/  /' "$work/said"; status=1; }
  done
}
names fedora "dnf install gcc make cmake" "elfutils-devel" "llvm-devel" "libcmocka-devel"
names arch "pacman -S base-devel cmake" "riscv64-elf-gcc" "cmocka"
names plan9 "cannot install packages on this system" "libyaml-dev"

if "$source/tools/setup.sh" nothing 2>"$work/said"; then
  echo "setup accepts a group that does not exist"
  status=1
fi
grep -q "has no group nothing" "$work/said" || { echo "setup does not name the wrong group"; status=1; }
exit $status
