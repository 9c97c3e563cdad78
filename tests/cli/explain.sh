# simtlab explain knows every name that simtlab prints: counters, stall reasons, columns of profiles and tables, keys of
# every preset, statuses. Each explanation is self-contained.
. "$(dirname "$0")/_lib.sh"
cd "$work" || exit 1

# explained KIND: explain has an entry of this kind for each line of the file `words`.
explained() {
  [ -s words ] || complain "no explanation of: $1"
  ! brief || sed -i '9,$d' words
  tr '\n' '\0' <words | xargs -0 "$SIMTLAB" explain >out 2>err || complain "does not explain: $(cat err)"
  [ "$(grep -c ": a $1\$" out)" -ge "$(wc -l <words)" ] || complain "does not explain each word as a $1"
}

# A machine, and a program whose statistics and profiles have all its counters and columns.
for run in "simtight-rfc-pp-sb-fp bench/MatMul" "simty-plus bench/VecAdd" "vortex-cfm-dmsl bench-vortex/saxpy-cfm-dmsl"; do
  machine=${run% *} program=$BUILD/${run#* }.elf
  expect 0 "$SIMTLAB" run -q -m "$machine" --stats stats.json "$program"
  sed -n '/"launches"/,$p' stats.json | sed -n '/"counters": {/,/^ *},$/p' | sed -n 's/^ *"\([^"]*\)": {$/\1/p' |
    grep -v '^counters$' | sort -u >words
  explained counter
  expect 0 "$SIMTLAB" profile -q -m "$machine" --json profile.json --html profile.html "$program"
  sed -n '/"cycles_by_cause": {/,/}/s/^ *"\([^"]*\)": [0-9].*/\1/p' profile.json | sort -u >words
  explained 'cause of cycles'
  grep -o '<th title="[^"]*">[^<]*' profile.html | sed 's/.*>//' | sort -u >words
  explained 'column of profile'
done
for preset in $("$SIMTLAB" help --list machines); do
  "$SIMTLAB" show "$preset" | sed -n 's/^\([a-z][^ ]*\)  *= .*/\1/p'
done | sort -u >words
[ "$(wc -l <words)" -ge 150 ] || complain "too few keys"
explained key
printf 'share %%\nlanes active\noperands u/a/g %%\nissue %%\notherwise\nretries_held\nvector_issues\nscratchpad_passes\n' >words
explained 'column of profile'

# Tables of run, bench, compare and verify, by their titles.
"$SIMTLAB" run "$BUILD/bench/VecAdd.elf" 2>&1 >/dev/null | grep '^launch' >titles
"$SIMTLAB" bench --only VecAdd -q | grep '^benchmark' >>titles
"$SIMTLAB" bench --only VecAdd -q --fast | grep '^benchmark' >>titles
"$SIMTLAB" compare -m simtight,simty-plus "$BUILD/bench/VecAdd.elf" | grep '^machine' >>titles
"$SIMTLAB" verify simtight --only 'empty*' | grep '^program' >>titles
sed 's/   */\n/g' titles | sed 's/  /\n/g' | grep -vE '^(benchmark|machine|program|counter|)$' | sort -u >words
[ "$(wc -l <words)" -ge 12 ] || complain "too few titles"
explained 'column of tables'
printf 'passed\ncheck failed\nfault\nlimit\nerror\nWRONG\n0\n1\n2\n3\n4\n70\n' >words
explained status
printf 'affine\nuniform\ngeneral\noccupancy\nwarp\nlane\nblock\ndivergence\nbank conflict\n' >words
explained term

# explain also accepts the hardware's name of a counter, and other spellings.
expect 0 "$SIMTLAB" explain DRAMAccs
prints "dram_beats: a counter"
expect 0 "$SIMTLAB" explain "dram beats"
prints "dram_beats: a counter"
prints "DRAM beats: a column of tables"
expect 0 "$SIMTLAB" explain dram.latency
prints "Latency from a read on the memory's port to its first beat."
prints "unit:    cycles"
prints "range:   1 to 100000; default 30"
prints "source:  simulation memory of the published RTL"
expect 0 "$SIMTLAB" explain memory
[ "$(grep -c ': a cause of cycles$' out)" -eq 4 ] || complain "does not explain memory for each machine"
# Glossary terms, also by synonyms; the pages that they refer to exist.
printf 'warp\noccupancy\naffine\nuniform\ndivergence\nbank conflict\nWavefront\nworkgroup\ncompute unit\nbar\n' >words
explained term
expect 0 "$SIMTLAB" explain wavefront
prints "warp: a term"
prints "also:   wavefront (AMD), subgroup (OpenCL)"
"$SIMTLAB" help --list terms | sort -u | tr '\n' '\0' | xargs -0 "$SIMTLAB" explain >all
sed -n 's/^  page:  *//p' all | sort -u >pages
[ "$(wc -l <pages)" -ge 10 ] || complain "too few pages"
while read -r page; do
  [ -e "$SOURCE/$page" ] || complain "names $page, which does not exist"
done <pages
expect 2 "$SIMTLAB" explain retreis
says "no term is called 'retreis'; did you mean 'retries'?"
expect 2 "$SIMTLAB" explain frobnicate
says "simtlab explain lists all terms"

# The list has every name, and no explanation depends on another.
expect 0 "$SIMTLAB" explain
for kind in terms keys counters "causes of cycles" "columns of profile" "columns of tables" statuses; do
  grep -q "^$kind: " out || complain "lists no $kind"
done
! grep -E '^  (the same|those|likewise)\b' all || complain "an explanation refers to the one before it"
finish
