# Results say where they come from: sources, compiler, host, command line and date, which SOURCE_DATE_EPOCH sets.
. "$(dirname "$0")/_lib.sh"
cd "$work" || exit 1
expect 0 "$SIMTLAB" --version
prints "commit "
prints "compiler "
cp "$BUILD/bench/VecAdd.elf" .
expect 0 env SOURCE_DATE_EPOCH=86400 "$SIMTLAB" run -q --stats stats.json VecAdd.elf small
has stats.json '"date": "1970-01-02T00:00:00Z"'
has stats.json 'run -q --stats stats.json VecAdd.elf small"'
has stats.json "\"system\": \"$(uname -s) $(uname -r) $(uname -m)\""
commit=$("$SIMTLAB" --version | sed -n 's/.*commit \([^,]*\),.*/\1/p')
[ -n "$commit" ] || complain "--version has no commit"
has stats.json "\"commit\": \"$commit\""

# What is no date is none.
year=$(date -u +%Y)
expect 0 env SOURCE_DATE_EPOCH=yesterday "$SIMTLAB" run -q --stats stats.json VecAdd.elf small
grep -q "\"date\": \"$year\|\"date\": \"$((year + 1))" stats.json || complain "SOURCE_DATE_EPOCH=yesterday gives another date than today's"
finish
