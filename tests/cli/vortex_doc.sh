# docs/explanation/machines/vortex.md states the presets' values of keys.
. "$(dirname "$0")/_lib.sh"
page=$SOURCE/docs/explanation/machines/vortex.md
for preset in vortex vortex-simx; do
  expect 0 "$SIMTLAB" show $preset
  awk '$2 == "=" {print $1, $3}' "$work/out" >"$work/$preset"
done
awk 'NR == FNR {rtl[$1] = $2; next} {print "| `" $1 "` | " rtl[$1] " | " $2 " |"}' "$work/vortex" "$work/vortex-simx" \
  >"$work/rows"
command="docs/explanation/machines/vortex.md"
grep -Eo '^\| `[a-z0-9_.]+` \| [^|]+ \| [^|]+ \|' "$page" | grep -v '`vortex' >"$work/out"
[ "$(wc -l <"$work/out")" -ge 100 ] || complain "names only $(wc -l <"$work/out") keys"
while read -r row; do
  grep -qF -- "$row" "$work/rows" || complain "states $row, which is wrong"
done <"$work/out"
finish
