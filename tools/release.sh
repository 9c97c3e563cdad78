#!/bin/sh
# What a release is made of: the Debian packages, the static archive, an archive of the sources, a list of what they contain and
# need (SPDX 2.3, JSON), and SHA-256 sums of all of that.
# Usage: tools/release.sh BUILD FOLDER. Uses what `make` has built in BUILD, writes to FOLDER, and names the files.
# Dates are those of the commit, or of SOURCE_DATE_EPOCH, so that the same sources give the same files.
set -eu
source=$(cd "$(dirname "$0")/.." && pwd -P)
build=$(cd "$1" && pwd -P)
mkdir -p "$2"
out=$(cd "$2" && pwd -P)
version=$(sed -n 's/^CMAKE_PROJECT_VERSION:STATIC=//p' "$build/CMakeCache.txt")
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git -C "$source" log -1 --format=%ct)}
export SOURCE_DATE_EPOCH
created=$(date -u -d "@$SOURCE_DATE_EPOCH" +%Y-%m-%dT%H:%M:%SZ)
commit=$(git -C "$source" rev-parse HEAD)

"$source/tools/deb.sh" "$build" "$out"
[ -n "${SKIP_STATIC:-}" ] || "$source/tools/static.sh" "$build" "$out"
archive=simtlab-$version-source.tar.gz
git -C "$source" archive --format=tar --prefix="simtlab-$version/" HEAD | gzip -9n >"$out/$archive"
echo "$out/$archive"

# Name, version and origin of the packages whose libraries the command is linked with.
linked() {
  ldd "$build/simtlab" | sed -n 's/.*=> \(\/[^ ]*\) .*/\1/p' | while read -r library; do
    file=$(readlink -f "$library") # below /usr, where not all packages say that they have it
    dpkg -S "$file" 2>/dev/null || dpkg -S "${file#/usr}" 2>/dev/null
  done | sed 's/:.*//' | sort -u
}

sbom=$out/simtlab-$version.spdx.json
{
  cat <<END
{
  "spdxVersion": "SPDX-2.3",
  "dataLicense": "CC0-1.0",
  "SPDXID": "SPDXRef-DOCUMENT",
  "name": "simtlab-$version",
  "documentNamespace": "https://spdx.org/spdxdocs/simtlab-$version-$commit",
  "creationInfo": {"created": "$created", "creators": ["Tool: simtlab-release-$version"]},
  "documentDescribes": ["SPDXRef-simtlab"],
  "packages": [
    {"SPDXID": "SPDXRef-simtlab", "name": "simtlab", "versionInfo": "$version", "downloadLocation": "NOASSERTION",
     "sourceInfo": "commit $commit", "filesAnalyzed": false, "licenseConcluded": "BSD-2-Clause",
     "licenseDeclared": "BSD-2-Clause", "copyrightText": "NOASSERTION"}
END
  for package in $(linked); do
    package_version=$(dpkg-query -W -f '${Version}' "$package")
    cat <<END
    , {"SPDXID": "SPDXRef-$package", "name": "$package", "versionInfo": "$package_version",
     "downloadLocation": "NOASSERTION", "filesAnalyzed": false, "licenseConcluded": "NOASSERTION",
     "licenseDeclared": "NOASSERTION", "copyrightText": "NOASSERTION", "externalRefs": [{"referenceCategory":
     "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": "pkg:deb/debian/$package@$package_version"}]}
END
  done
  printf '  ],\n  "relationships": [\n'
  printf '    {"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES", "relatedSpdxElement": "SPDXRef-simtlab"}\n'
  for package in $(linked); do
    printf '    , {"spdxElementId": "SPDXRef-simtlab", "relationshipType": "DYNAMIC_LINK", "relatedSpdxElement": "SPDXRef-%s"}\n' "$package"
  done
  printf '  ]\n}\n'
} >"$sbom"
echo "$sbom"

cd "$out"
sha256sum -- *.deb *.tar.* *.spdx.json >SHA256SUMS
echo "$out/SHA256SUMS"
