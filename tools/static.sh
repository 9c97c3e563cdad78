#!/bin/sh
# An archive of the command, linked statically, with the programs and pages that come with it: unpack it anywhere, it needs
# no library and no root. `simtlab cc` alone needs the compilers of tools/packages.txt.
# Usage: tools/static.sh BUILD FOLDER. Writes simtlab-VERSION-MACHINE.tar.xz to FOLDER and names it.
set -eu
build=$(cd "$1" && pwd -P)
mkdir -p "$2"
out=$(cd "$2" && pwd -P)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
umask 022
make --no-print-directory -s -C "$build" simtlab_static >/dev/null
version=$(sed -n 's/^CMAKE_PROJECT_VERSION:STATIC=//p' "$build/CMakeCache.txt")
name=simtlab-$version-$(uname -m)
cmake --install "$build" --prefix "$work/$name" --component command >/dev/null
strip -o "$work/$name/bin/simtlab" "$build/simtlab-static"
tar -c -C "$work" --owner=0 --group=0 --sort=name "$name" | xz -T0 >"$out/$name.tar.xz"
echo "$out/$name.tar.xz"
