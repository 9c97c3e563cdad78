#!/bin/sh
# make deb: the package names what it needs, and the command inside it runs.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
(cd "$BUILD" && cpack -G DEB -B "$work/out" >"$work/log" 2>&1) || { cat "$work/log" >&2; exit 1; }
package=$(find "$work/out" -maxdepth 1 -name 'simtlab_*.deb')
dpkg-deb --field "$package" Depends | grep -q libdw1
dpkg-deb --extract "$package" "$work/root"
"$work/root/usr/bin/simtlab" bench --only VecAdd >/dev/null
test -f "$work/root/usr/include/simtlab/simtlab.h"
test -f "$work/root/usr/share/doc/simtlab/copyright"
echo "package works: $(basename "$package")"
