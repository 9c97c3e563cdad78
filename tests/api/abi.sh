#!/bin/sh
# The binary interface of the shared library equals the record: functions with symbol versions, and the types of the
# header. An incompatible change needs another SOVERSION, an addition a new record: RENEW=1 sh tests/api/abi.sh. Needs
# abigail-tools. The script builds the public layer alone, with debugging information.
set -eu
record=$SOURCE/reference/abi/libsimtlab.abi
command -v abidw >/dev/null && command -v abidiff >/dev/null || { echo "abi: skipped, abigail-tools is not installed"; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# The file name appears in the record. The interface needs no other part of the library.
build() { # FILE [OPTION...]
  output=$1
  shift
  gcc -std=c17 -g -O0 -fPIC -shared -fvisibility=hidden -D_XOPEN_SOURCE=700 "$@" "-I$SOURCE/include" "-I$SOURCE/src" \
    "-ffile-prefix-map=$SOURCE=." "-Wl,--version-script=$SOURCE/cmake/simtlab.map" -Wl,-soname,libsimtlab.so.0 \
    -o "$output" "$SOURCE"/src/api/*.c
}
describe() { # FILE HEADERS
  abidw --headers-dir "$2" --drop-private-types --no-show-locs --no-corpus-path --no-comp-dir-path "$1"
}

build "$folder/libsimtlab.so.0"
if [ -n "${RENEW:-}" ]; then
  describe "$folder/libsimtlab.so.0" "$SOURCE/include/simtlab" >"$record"
  echo "abi: recorded"
  exit
fi
describe "$folder/libsimtlab.so.0" "$SOURCE/include/simtlab" >"$folder/own.abi"
abidiff "$record" "$folder/own.abi" || {
  echo "abi: differs from $record; a new function is recorded by RENEW=1 sh tests/api/abi.sh" >&2
  exit 1
}

# The shipped library exports these functions, each with a version, and nothing else.
nm -D --defined-only "$BUILD/libsimtlab.so" | awk '$2 == "T" { print $3 }' | sort >"$folder/shipped"
nm -D --defined-only "$folder/libsimtlab.so.0" | awk '$2 == "T" { print $3 }' | sort >"$folder/built"
diff "$folder/built" "$folder/shipped"
grep -q '^simtlab_device_create@@SIMTLAB_0.2$' "$folder/shipped"
if grep -v '@@SIMTLAB_' "$folder/shipped"; then
  echo "abi: exported without a version" >&2
  exit 1
fi

# The comparison detects a missing function and a changed struct.
mkdir "$folder/include"
cp -r "$SOURCE/include/simtlab" "$folder/include"
sed -i 's/^  char text\[1024\];/  char text[2048];/' "$folder/include/simtlab/simtlab.h"
build "$folder/changed.so" "-I$folder/include" "-Dsimtlab_version=simtlab_version_too"
describe "$folder/changed.so" "$folder/include/simtlab" >"$folder/changed.abi"
if abidiff "$record" "$folder/changed.abi" >"$folder/differences"; then
  echo "abi: changes are not noticed" >&2
  exit 1
fi
grep -q simtlab_version "$folder/differences"
grep -q simtlab_error "$folder/differences"
echo "abi: as recorded, $(wc -l <"$folder/shipped") functions"
