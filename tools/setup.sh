#!/bin/sh
# Installs the Debian packages of tools/packages.txt that are missing, of the groups named: build (what `make` and
# `make demo` need, the default), static, test. Says what it does; does nothing when all are there.
# Usage: tools/setup.sh [GROUP]...
set -eu
list=$(dirname "$0")/packages.txt
[ $# -gt 0 ] || set -- build
missing=
for group; do
  packages=$(awk -v group="[$group]" '/^\[/ { mine = $1 == group; next } mine && $1 !~ /^#/ { print $1 }' "$list")
  [ -n "$packages" ] || { echo "setup: $list has no group $group" >&2; exit 1; }
  for package in $packages; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || missing="$missing $package"
  done
done
[ -n "$missing" ] || exit 0

echo "setup: installing Debian packages, which takes some minutes:$missing"
run=
if [ "$(id -u)" -ne 0 ]; then
  command -v sudo >/dev/null || { echo "setup: needs root or sudo to install them" >&2; exit 1; }
  run=sudo
fi
export DEBIAN_FRONTEND=noninteractive
$run apt-get update -qq
# shellcheck disable=SC2086
$run apt-get install -y -qq --no-install-recommends $missing >/dev/null
echo "setup: done"
