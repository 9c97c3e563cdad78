#!/bin/sh
# The pages about the sources name existing files of src/ and tests/, links between pages lead to files and headings,
# and the citation and the changelog have the version of the build.
set -eu
cd "${SOURCE:-$(dirname "$0")/../..}"
status=0
names=$(sed -n 's/`/\n/gp' docs/explanation/architecture.md docs/explanation/tour.md CONTRIBUTING.md \
  docs/ARCHITECTURE.md docs/explanation/machines/*.md docs/explanation/convergence.md docs/explanation/backend.md |
  grep -E '^[a-z0-9_./-]+\.(c|h|def|sh|txt)$' | sort -u)
[ "$(echo "$names" | wc -l)" -gt 50 ] || { echo "the pages name too few files: the test does not see them" >&2; exit 1; }
there=$(find src tests tools include runtime docs reference)
for name in $names; do
  case "$there
" in
  *"/$name
"*) ;;
  *) [ -e "$name" ] || { echo "a page names $name, which does not exist" >&2; status=1; } ;;
  esac
done

version=$(sed -n 's/^project(simtlab VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
grep -qx "version: $version" CITATION.cff || { echo "CITATION.cff has another version than $version" >&2; status=1; }
grep -qx "## $version" CHANGELOG.md || { echo "CHANGELOG.md has no version $version" >&2; status=1; }

# Links are "PAGE TARGET FILE ANCHOR", headings "FILE#ANCHOR" with anchors as GitHub forms them. FILE is from the root.
pages=$(find . -name '*.md' -not -path './build*' -not -path './results/*' | sed 's,^\./,,' | sort)
links=$(mktemp)
headings=$(mktemp)
trap 'rm -f "$links" "$headings"' EXIT
# shellcheck disable=SC2086
awk -v headings="$headings" '
  function plain(path) { # without . and ..
    gsub(/\/\.\//, "/", path); sub(/^\.\//, "", path)
    while (match(path, /[^\/.][^\/]*\/\.\.\//)) path = substr(path, 1, RSTART - 1) substr(path, RSTART + RLENGTH)
    return path
  }
  FNR == 1 { code = 0; folder = FILENAME; if (!sub(/[^\/]*$/, "", folder)) folder = "" }
  /^ *```/ { code = !code }
  code { next }
  /^#/ {
    text = tolower($0); sub(/^#+ */, "", text)
    while (match(text, /\]\([^)]*\)/)) text = substr(text, 1, RSTART - 1) substr(text, RSTART + RLENGTH)
    gsub(/[^a-z0-9_ -]/, "", text); gsub(/ /, "-", text)
    print FILENAME "#" text >headings
  }
  {
    line = $0; gsub(/`[^`]*`/, "", line)
    while (match(line, /\]\([^)]*\)/)) {
      target = substr(line, RSTART + 2, RLENGTH - 3); line = substr(line, RSTART + RLENGTH)
      if (target ~ /:\/\//) continue
      file = target; anchor = ""
      if (match(file, /#/)) { anchor = substr(file, RSTART); file = substr(file, 1, RSTART - 1) }
      print FILENAME, target, file == "" ? FILENAME : plain(folder file), anchor
    }
  }' $pages >"$links"
[ "$(wc -l <"$links")" -gt 100 ] || { echo "the pages have too few links: the test does not see them" >&2; exit 1; }
while read -r page target file anchor; do
  [ -e "$file" ] || { echo "$page: the link $target leads to no file" >&2; status=1; }
done <"$links"
awk 'FILENAME == ARGV[1] { heading[$0] = 1; next }
  $4 != "" && !($3 $4 in heading) { print $1 ": the link " $2 " leads to no heading"; bad = 1 }
  END { exit bad }' "$headings" "$links" >&2 || status=1
[ "$status" -eq 0 ] && echo "$(echo "$names" | wc -l) files named, $(wc -l <"$links") links, all there"
exit "$status"
