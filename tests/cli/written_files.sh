# simtlab loses no files: it writes them atomically, never overwrites its inputs, and never writes to descriptors that
# were closed.
. "$(dirname "$0")/_lib.sh"
cd "$work" || exit 1
cp "$BUILD/bench/VecAdd.elf" v.elf
cp "$SOURCE/machines/simtight.yaml" m.yaml
ln -s v.elf link.elf
before=$(cat v.elf m.yaml | cksum)

# kept: neither file has changed.
kept() { [ "$(cat v.elf m.yaml | cksum)" = "$before" ] || complain "has overwritten its input"; }

for option in --stats --trace-commits; do
  for output in v.elf ./v.elf link.elf "$work/v.elf"; do
    expect 2 "$SIMTLAB" run -q $option $output v.elf
    says "$option $output would overwrite an input: 'v.elf' names the same file"
    kept
  done
  expect 2 "$SIMTLAB" run -q -m m.yaml $option m.yaml v.elf
  says "would overwrite an input: 'm.yaml' names the same file"
  kept
done
expect 2 "$SIMTLAB" profile -q --html v.elf v.elf
expect 2 "$SIMTLAB" profile -q -m m.yaml --json m.yaml v.elf
expect 2 "$SIMTLAB" compare -q -m simtight,m.yaml:lanes=16 --json m.yaml v.elf
says "would overwrite an input: 'simtight,m.yaml:lanes=16' names the same file"
expect 2 "$SIMTLAB" bench -q -m m.yaml --only VecAdd --json m.yaml
expect 2 "$SIMTLAB" verify -q simtight -s lanes=32 --json=m.yaml m.yaml
kept

# Two outputs with the same name, existing or not.
expect 2 "$SIMTLAB" run -q --stats new --trace-commits ./new v.elf
says "--stats new and --trace-commits ./new are the same file; give them different names"
[ ! -e new ] || complain "makes it none the less"
expect 2 "$SIMTLAB" profile -q --html a --json a v.elf
echo old >a
ln a b
expect 2 "$SIMTLAB" compare -q -m simtight,simty-plus --html a --json b "$BUILD/bench/VecAdd.elf"
says "are the same file"
expect 0 "$SIMTLAB" run -q --stats /dev/null --trace-commits /dev/null v.elf

# A file size limit, which stands for a full disk; an invalid program after an output was opened.
echo old >stats
# (Coverage builds write their data elsewhere: the limit would damage it.)
(ulimit -f 1 && GCOV_PREFIX=$work/coverage "$SIMTLAB" run -q --stats stats --trace-commits trace v.elf >out 2>err </dev/null)
[ $? -eq 2 ] || complain "exit status is not 2"
grep -q 'stats: cannot be written (File too large); the previous file is unchanged' err || complain "says: $(cat err)"
[ "$(cat stats)" = old ] || complain "the file of before is lost"
[ ! -e trace ] || complain "half a trace"
expect 2 "$SIMTLAB" profile --json stats -m simtight "$SOURCE/README.md"
[ "$(cat stats)" = old ] || complain "an error deletes the earlier file"
chmod 640 stats
expect 0 "$SIMTLAB" run -q --stats stats v.elf
[ "$(stat -c %a stats)" = 640 ] || complain "changes the permissions of the file"
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
# Files that a launch script names are inputs or outputs, too.
cat >d.ptx <<'X'
.version 6.4
.target sm_70
.address_size 64
.visible .entry k(.param .u64 a, .param .u64 b)
{
	.reg .b32 %r<9>;
	.reg .b64 %rd<9>;
	ld.param.u64 %rd1, [a];
	ld.param.u64 %rd2, [b];
	ld.global.u32 %r1, [%rd1];
	st.global.u32 [%rd2], %r1;
	ret;
}
X
head -c 1024 /dev/zero >in.bin
mkdir -p sub
cp d.ptx in.bin sub
for folder in . sub; do
  printf '%s\n' 'ptx d.ptx' 'buffer a 1024 file in.bin' 'buffer b 1024 zero' 'launch k 1 1 1 32 1 1 0 buf:a buf:b' 'sum b' >$folder/d.launch
  cp $folder/d.ptx before.ptx
  for read in d.ptx in.bin d.launch; do
    for how in "run -q --fast --stats" "profile -q -m sm7-1 --json" "compare -q -m sm7-1 --json"; do
      # shellcheck disable=SC2086
      expect 2 "$SIMTLAB" $how $folder/$read $folder/d.launch
      says "would overwrite an input"
    done
    { cat $folder/d.launch; echo "dump a $read"; } >$folder/e.launch
    [ $read = d.launch ] && sed -i 's/dump a .*/dump a e.launch/' $folder/e.launch
    expect 2 "$SIMTLAB" run -q --fast $folder/e.launch
    says "dump "
    says "would overwrite an input"
  done
  cmp -s $folder/d.ptx before.ptx || complain "the module is lost"
  { cat $folder/d.launch; echo 'dump a x.bin'; echo 'dump b x.bin'; } >$folder/e.launch
  expect 2 "$SIMTLAB" run -q --fast $folder/e.launch
  says "are the same file"
  { cat $folder/d.launch; echo 'dump a x.bin'; } >$folder/e.launch
  expect 2 "$SIMTLAB" run -q --fast --stats $folder/x.bin $folder/e.launch
  says "are the same file"
  expect 0 "$SIMTLAB" run -q --fast --stats $folder/s.json $folder/e.launch
done
finish
