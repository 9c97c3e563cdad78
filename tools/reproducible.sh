#!/bin/sh
# Builds, installs and packages everything twice, in two folders of the same sources, and compares the files bit for
# bit: command, libraries, programs of the simulated machines, manual pages, Debian packages.
# Usage: tools/reproducible.sh [JOBS]. Takes the time of two builds and ignores uncommitted changes. Exit status 1: the
# printed files differ.
set -eu
source=$(cd "$(dirname "$0")/.." && pwd -P)
jobs=${1:-$(nproc)}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
commit=$(git -C "$source" rev-parse HEAD)
SOURCE_DATE_EPOCH=$(git -C "$source" log -1 --format=%ct)
export SOURCE_DATE_EPOCH

# build FOLDER RESULTS
build() {
  mkdir -p "$work/$1"
  git -C "$source" archive --format=tar "$commit" | tar -x -C "$work/$1"
  cmake -S "$work/$1" -B "$work/$1/build" -DSIMTLAB_TESTS=OFF -DSIMTLAB_SOURCE_NAME=/usr/src/simtlab >/dev/null
  for target in simtlab simtlab_lib simtlab_shared shipped; do
    make --no-print-directory -s -C "$work/$1/build" "-j$jobs" $target >/dev/null
  done
  cmake --install "$work/$1/build" --prefix "$work/$2/installed" >/dev/null
  # Its sections for link-time optimisation have random names; the package's copy has no such sections.
  rm "$work/$2"/installed/lib*/*/libsimtlab.a "$work/$2"/installed/lib*/libsimtlab.a 2>/dev/null || true
  "$work/$1/tools/deb.sh" "$work/$1/build" "$work/$2/packages" >/dev/null
}

build one 1
build another/with-a-longer-name 2
cd "$work"
files=$(find 1 -type f | wc -l)
echo "commit $commit, $files files:"
if diff -r -q 1 2; then
  find 1 -name simtlab -path '*/bin/*' -o -name 'libsimtlab.so.*' -type f -o -name '*.deb' | sort | xargs sha256sum | sed 's| 1/| |'
  echo "all $files files are equal"
else
  echo "these differ; the others are equal"
  exit 1
fi
