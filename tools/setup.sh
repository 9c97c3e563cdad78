#!/bin/sh
# Installs the missing packages of the groups named, from tools/packages.txt; "demo" is the default. On Debian and Ubuntu
# it uses apt-get. On other systems it names the packages and how to install them. When nothing is missing it does nothing.
# Usage: tools/setup.sh [GROUP]...
# SIMTLAB_OS_RELEASE is the file that tells the system (/etc/os-release).
set -eu
list=$(dirname "$0")/packages.txt
[ $# -gt 0 ] || set -- demo

for group; do
  grep -q "^\[$group\]" "$list" || { echo "setup: $list has no group $group" >&2; exit 1; }
done

# packages COLUMN GROUP...: the packages of a column, a space between them.
packages() {
  column=$1
  shift
  for group; do
    awk -F '|' -v column="$column" -v group="[$group]" '
      /^\[/ { mine = index($0, group) == 1; next }
      mine && !/^#/ && NF > 1 { gsub(/^ +| +$/, "", $column); if ($column != "-") print $column }' "$list"
  done | tr '\n' ' '
}

system=$(. "${SIMTLAB_OS_RELEASE:-/etc/os-release}" 2>/dev/null && echo " ${ID:-} ${ID_LIKE:-} ") || system=
case $system in
*" debian "* | *" ubuntu "*) ;;
*" fedora "* | *" rhel "*)
  # The libraries tell whether somebody has installed them.
  pkg-config --exists libelf libdw yaml-0.1 jansson libzstd libxxhash 2>/dev/null && exit 0
  echo "setup: this system is not Debian. Install these packages, then run the command again:" >&2
  echo "  dnf install $(packages 2 "$@")" >&2
  echo "setup: Fedora has no riscv64-unknown-elf-gcc with picolibc; compile kernels in the container image (Containerfile)." >&2
  exit 1
  ;;
*" arch "*)
  pkg-config --exists libelf libdw yaml-0.1 jansson libzstd libxxhash 2>/dev/null && exit 0
  echo "setup: this system is not Debian. Install these packages, then run the command again:" >&2
  echo "  pacman -S $(packages 3 "$@")" >&2
  echo "setup: Arch has no picolibc for RISC-V; compile kernels in the container image (Containerfile)." >&2
  exit 1
  ;;
*)
  pkg-config --exists libelf libdw yaml-0.1 jansson libzstd libxxhash 2>/dev/null && exit 0
  echo "setup: cannot install packages on this system. It needs what these Debian packages contain:" >&2
  echo "  $(packages 1 "$@")" >&2
  exit 1
  ;;
esac

missing=
for package in $(packages 1 "$@"); do
  dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || missing="$missing $package"
done
[ -n "$missing" ] || exit 0
run=
if [ "$(id -u)" -ne 0 ]; then
  command -v sudo >/dev/null || {
    echo "setup: packages are missing, and installing them needs root or sudo. As root, run:" >&2
    echo "  apt-get install --no-install-recommends$missing" >&2
    exit 1
  }
  run=sudo
fi
echo "setup: installing Debian packages (about half a minute):$missing"
export DEBIAN_FRONTEND=noninteractive
$run apt-get update -qq
# shellcheck disable=SC2086
$run apt-get install -y -qq --no-install-recommends $missing >/dev/null || {
  echo "setup: apt-get could not install them. Debian 12 has all; Ubuntu has them since 24.04" >&2
  exit 1
}
echo "setup: done"
