#!/bin/sh
# A release lists its contents and dependencies, and its checksums match. The same sources give the same files.
set -eu
git -C "$SOURCE" rev-parse HEAD >/dev/null 2>&1 || { echo "release: skipped, this is no repository"; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
SKIP_STATIC=1 "$SOURCE/tools/release.sh" "$BUILD" "$folder/one" >"$folder/names"
(cd "$folder/one" && sha256sum --quiet -c SHA256SUMS)
for package in simtlab libsimtlab0 libsimtlab-dev python3-simtlab; do
  grep -q " ${package}_.*\.deb$" "$folder/one/SHA256SUMS"
done
[ "$(grep -c . "$folder/one/SHA256SUMS")" -eq $(($(find "$folder/one" -type f | wc -l) - 1)) ]
head -1 "$folder/one"/*-notes.md | grep -q "^# simtlab [0-9]"
"${PYTHON:-python3}" - "$folder/one"/*.spdx.json <<'END'
import json, sys
sbom = json.load(open(sys.argv[1]))
names = [p["name"] for p in sbom["packages"]]
assert sbom["spdxVersion"] == "SPDX-2.3" and names[0] == "simtlab"
# What CMakeLists.txt asks pkg-config for, as the packages of Debian 12 are called.
for library in "libelf1", "libdw1", "libyaml-0-2", "libjansson4", "libzstd1", "libxxhash0", "libc6":
    assert library in names, library
assert all(p["versionInfo"] for p in sbom["packages"])
assert len(sbom["relationships"]) == len(names)
END
sleep 1 # another date, if one got in
SKIP_STATIC=1 "$SOURCE/tools/release.sh" "$BUILD" "$folder/two" >/dev/null
cmp "$folder/one/SHA256SUMS" "$folder/two/SHA256SUMS"
# Packages state the library versions that they need.
dpkg-deb -f "$folder/one"/libsimtlab0_*.deb Depends | grep -q 'libc6 (>= [0-9.]*)'
echo "release: complete"
