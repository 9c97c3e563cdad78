#!/bin/sh
# Installs the Debian packages of tools/packages.txt that are missing. Says what it does; does nothing when all are there.
set -eu
list=$(dirname "$0")/packages.txt
missing=
for package in $(sed 's/#.*//' "$list"); do
  dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

echo "setup: installing Debian packages:$missing"
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
