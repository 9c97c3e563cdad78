#!/bin/sh
# A statically linked archive of the command with its programs and manual pages. It can be unpacked anywhere and needs
# neither libraries nor root. Only `simtlab cc` needs the compilers of tools/packages.txt.
# Usage: tools/static.sh BUILD FOLDER. Writes simtlab-VERSION-MACHINE.tar.xz to FOLDER and prints its name.
set -eu
build=$(cd "$1" && pwd -P)
mkdir -p "$2"
out=$(cd "$2" && pwd -P)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
umask 022
cmake --build "$build" --target simtlab_static >/dev/null
version=$(sed -n 's/^CMAKE_PROJECT_VERSION:STATIC=//p' "$build/CMakeCache.txt")
name=simtlab-$version-$(uname -m)
cmake --install "$build" --prefix "$work/$name" --component command >/dev/null
strip -o "$work/$name/bin/simtlab" "$build/simtlab-static"
tar -c -C "$work" --owner=0 --group=0 --sort=name "$name" | xz -T0 >"$out/$name.tar.xz"
echo "$out/$name.tar.xz"
