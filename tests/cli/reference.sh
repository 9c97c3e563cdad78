# tools/reference.sh generates the pages docs/reference/cli.md, keys.md and counters.md; they list every key.
. "$(dirname "$0")/_lib.sh"
expect 0 sh "$SOURCE/tools/reference.sh" "$SIMTLAB" "$work/reference"
for page in cli keys counters; do
  cmp -s "$work/reference/$page.md" "$SOURCE/docs/reference/$page.md" || {
    complain "docs/reference/$page.md is out of date; run tools/reference.sh"
    diff "$work/reference/$page.md" "$SOURCE/docs/reference/$page.md" | head -6
  }
done
for machine in simtight simty vortex cyclotron sm7; do
  "$SIMTLAB" show "$machine" | sed -n 's/^\([a-z][^ ]*\)  *= .*/| `\1` |/p' >"$work/keys"
  [ -s "$work/keys" ] || complain "$machine shows no keys"
  while read -r row; do
    grep -qF -- "$row" "$work/reference/keys.md" || complain "keys.md lacks $row"
  done <"$work/keys"
done
grep -q '^| `issued` | cycles | simtight | [^|]*[a-z]' "$work/reference/counters.md" || complain "no stall reasons"
finish
