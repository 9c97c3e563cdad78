# Nothing that is there is lost: files appear whole or stay as they were, what is read is not written over, and closed
# descriptors take nothing that is for somebody else.
. "$(dirname "$0")/_lib.sh"
cd "$work" || exit 1
cp "$BUILD/bench/VecAdd.elf" v.elf
cp "$SOURCE/machines/simtight.yaml" m.yaml
ln -s v.elf link.elf
before=$(cat v.elf m.yaml | cksum)

# kept: neither has changed.
kept() { [ "$(cat v.elf m.yaml | cksum)" = "$before" ] || complain "has written over what it reads"; }

for option in --stats --trace-commits; do
  for output in v.elf ./v.elf link.elf "$work/v.elf"; do
    expect 2 "$SIMTLAB" run -q $option $output v.elf
    says "$option $output would write over what is read: 'v.elf' names the same file"
    kept
  done
  expect 2 "$SIMTLAB" run -q -m m.yaml $option m.yaml v.elf
  says "would write over what is read: 'm.yaml' names the same file"
  kept
done
expect 2 "$SIMTLAB" profile -q --html v.elf v.elf
expect 2 "$SIMTLAB" profile -q -m m.yaml --json m.yaml v.elf
expect 2 "$SIMTLAB" compare -q -m simtight,m.yaml:lanes=16 --json m.yaml v.elf
says "would write over what is read: 'simtight,m.yaml:lanes=16' names the same file"
expect 2 "$SIMTLAB" bench -q -m m.yaml --only VecAdd --json m.yaml
expect 2 "$SIMTLAB" verify -q simtight -s lanes=32 --json=m.yaml m.yaml
kept

# Two outputs of one name, there already or not.
expect 2 "$SIMTLAB" run -q --stats new --trace-commits ./new v.elf
says "--stats new and --trace-commits ./new are one file; give them names of their own"
[ ! -e new ] || complain "makes it none the less"
expect 2 "$SIMTLAB" profile -q --html a --json a v.elf
echo old >a
ln a b
expect 2 "$SIMTLAB" compare -q -m simtight,simty-plus --html a --json b "$BUILD/bench/VecAdd.elf"
says "are one file"
expect 0 "$SIMTLAB" run -q --stats /dev/null --trace-commits /dev/null v.elf

# A limit on the size of files, which stands for a full disk; a wrong program after an output was opened.
echo old >stats
# (What a build that measures coverage writes at the end goes elsewhere: cut, it would be damaged.)
(ulimit -f 1 && GCOV_PREFIX=$work/coverage "$SIMTLAB" run -q --stats stats --trace-commits trace v.elf >out 2>err </dev/null)
[ $? -eq 2 ] || complain "exit status is not 2"
grep -q 'stats: cannot be written (File too large); the previous file is unchanged' err || complain "says: $(cat err)"
[ "$(cat stats)" = old ] || complain "the file of before is lost"
[ ! -e trace ] || complain "half a trace"
expect 2 "$SIMTLAB" profile --json stats -m simtight "$SOURCE/README.md"
[ "$(cat stats)" = old ] || complain "an error loses the file of before"
chmod 640 stats
expect 0 "$SIMTLAB" run -q --stats stats v.elf
[ "$(stat -c %a stats)" = 640 ] || complain "changes the rights of the file"
[ -z "$(find . -name '*.part')" ] || complain "leaves $(find . -name '*.part')"

# Closed descriptors.
command="run with standard output closed"
"$SIMTLAB" run -q --stats closed v.elf >&- 2>err </dev/null
[ $? -eq 0 ] || complain "exit status"
head -c 1 closed | grep -q '{' || complain "the console is in the statistics"
grep -q PASSED closed && complain "the console is in the statistics"
command="run with standard error closed"
"$SIMTLAB" run --trace-commits closed v.elf >out 2>&- </dev/null || complain "exit status"
grep -q '^simtlab' closed && complain "the summary is in the trace"
head -1 closed | grep -q '^# ' || complain "no trace"
command="run with standard input closed"
"$SIMTLAB" run -q --stats closed v.elf >out <&- 2>err || complain "exit status"
grep -q PASSED out || complain "no console"
finish
