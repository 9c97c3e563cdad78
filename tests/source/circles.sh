#!/bin/sh
# Dependencies between files of src/ have no cycle, by the symbols that object files use, except for the pairs in
# circles.txt. Oracles of test builds (tests/oracles) look into what they check.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
edges=$(mktemp)
trap 'rm -f "$edges"' EXIT

# "user used" per pair of files; file names are used once (names.sh).
pairs() { # files that nm reads
  nm -A -P "$@" 2>/dev/null | awk '
    { file = $1; sub(/\]?:$/, "", file); sub(/.*[\/\[]/, "", file); sub(/\.c\.o$|\.o$/, "", file)
      if ($3 == "U") wanted[file, $2] = 1
      else if ($3 ~ /^[A-TV-Z]$/) owner[$2] = file }
    END { for (w in wanted) { split(w, part, SUBSEP); o = owner[part[2]]; if (o != "" && o != part[1]) print part[1], o } }' |
    sort -u
}
oracles=$(cd "$here/../oracles" && ls *.c | sed 's/\.c$//' | tr '\n' '|')


pairs "$BUILD/libsimtlab.a" $(find "$BUILD/CMakeFiles/simtlab_command.dir" -name '*.o') | grep -vE " (${oracles%|})$" >"$edges"
[ "$(wc -l <"$edges")" -gt 300 ] || { echo "$BUILD: the object files tell too little" >&2; exit 1; }

# An edge is in a cycle if its end reaches its start.
awk -v declared="$here/circles.txt" '
  function leads(from, to,   n, i, p) {
    if (from == to) return 1
    seen[from] = 1
    n = split(uses[from], p, " ")
    for (i = 1; i <= n; i++) if (!(p[i] in seen) && leads(p[i], to)) return 1
    return 0
  }
  BEGIN { while ((getline line < declared) > 0) { split(line, p, " "); if (line !~ /^#/ && p[2] != "") allowed[p[1] " " p[2]] = 1 } }
  { edge[$0] = 1; if (!($0 in allowed)) uses[$1] = uses[$1] " " $2 }
  END {
    for (e in allowed) if (!(e in edge)) { print "circles.txt declares " e ", which is no use any more"; bad = 1 }
    for (e in edge) {
      if (e in allowed) continue
      split(e, q, " "); delete seen
      if (leads(q[2], q[1])) { print "circle: " q[1] ".c uses " q[2] ".c"; bad = 1 }
    }
    exit bad
  }' "$edges" >&2
echo "no circles between $(cut -d' ' -f1 "$edges" | sort -u | wc -l) files"
