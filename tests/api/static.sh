#!/bin/sh
# make static builds a statically linked command, which runs in a root without other files.
set -eu
. "$(dirname "$0")/_clean_root.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
archive=$("$SOURCE/tools/static.sh" "$BUILD" "$work")
tar -x -C "$work" -f "$archive"
unpacked=$work/$(basename "$archive" .tar.xz)
ldd "$unpacked/bin/simtlab" 2>&1 | grep -q 'not a dynamic executable'
LD_LIBRARY_PATH="" "$unpacked/bin/simtlab" bench --only VecAdd,MatMul_Float >/dev/null
if can_enter "$work"; then
  mkdir "$unpacked/proc"
  within "$unpacked" /bin/simtlab bench --only VecAdd >/dev/null
  within "$unpacked" /bin/simtlab profile -n 1 /share/simtlab/bench/VecAdd.elf small | grep -q 'VecAdd.c:'
fi
echo "static command works: $(basename "$archive")"
