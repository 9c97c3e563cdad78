# sm7: keys select cache replacement and prefetching. The defaults disable both extensions. Other values change cycles
# and counters of caches that are too small, but never the results, on any number of host threads.
. "$(dirname "$0")/_lib.sh"
cd "$work" || exit 1
cat >k.ptx <<'P'
.version 6.4
.target sm_70
.address_size 64
.visible .entry k(.param .u64 x, .param .u32 lines)
{
  .reg .pred %p<2>; .reg .b32 %r<10>; .reg .b64 %rd<6>;
  ld.param.u64 %rd1, [x];
  ld.param.u32 %r1, [lines];
  mov.u32 %r2, %tid.x;
  mov.u32 %r3, 0;
  mov.u32 %r7, 0;
again:
  rem.u32 %r4, %r3, %r1;
  shl.b32 %r5, %r4, 5;
  add.u32 %r5, %r5, %r2;
  mul.wide.u32 %rd2, %r5, 4;
  add.s64 %rd3, %rd1, %rd2;
  ld.global.u32 %r6, [%rd3];
  add.u32 %r7, %r7, %r6;
  add.u32 %r3, %r3, 1;
  setp.lt.u32 %p1, %r3, 400;
  @%p1 bra again;
  mul.wide.u32 %rd4, %r2, 4;
  add.s64 %rd5, %rd1, %rd4;
  st.global.u32 [%rd5+65536], %r7;
  ret;
}
P
small="--set l1.sets=1 --set storage.bytes=8192 --set l2.sets=1 --set l2.ways=1 --set l2.warm=off"
value() { python3 -c 'import json, sys; print(json.load(open(sys.argv[2]))["totals"]["counters"][sys.argv[1]]["value"])' "$1" "$2"; }
# with NAME LINES OPTION...: runs the kernel, which cycles through LINES lines; writes statistics to NAME.json.
with() {
  name=$1
  printf 'ptx k.ptx\nbuffer x 66000 iota\nlaunch k 1 1 1 32 1 1 0 buf:x u32:%s\nsum x\n' "$2" >k.launch
  shift 2
  # shellcheck disable=SC2086
  expect 0 "$SIMTLAB" run -q -m sm7-1 $small "$@" --stats "$name.json" k.launch
  mv out "$name.out"
}
with lru 70
with same 70 --set l1.replacement=lru --set l2.replacement=lru --set l1.prefetch=none
with fifo 70 --set l1.replacement=fifo
with random 70 --set l1.replacement=random
with again 70 --set l1.replacement=random
with l2 70 --set l2.replacement=random
with next 400 --set l1.prefetch=next-line --set l2.sets=32 --set l2.ways=24
with none 400 --set l2.sets=32 --set l2.ways=24
for name in same fifo random again l2; do
  cmp -s lru.out $name.out || complain "$name: memory differs"
done
cmp -s none.out next.out || complain "memory differs with prefetching"
misses() { value l1.misses "$1.json"; }
# 400 lines of 4 sectors, accessed cyclically, which exceed the ways, and a line that is stored
[ "$(misses lru)" = 1604 ] || complain "lru: $(misses lru) misses"
[ "$(misses same)" = "$(misses lru)" ] && [ "$(value cycles same.json)" = "$(value cycles lru.json)" ] || complain "the defaults differ"
[ "$(misses fifo)" = 1604 ] || complain "fifo: $(misses fifo) misses"
[ "$(misses random)" -lt 1200 ] || complain "random: $(misses random) misses"
[ "$(misses random)" = "$(misses again)" ] || complain "random replacement is not reproducible"
[ "$(value l1.prefetches none.json)" = 0 ] || complain "prefetches by default"
[ "$(value l1.prefetches next.json)" -gt 700 ] || complain "$(value l1.prefetches next.json) prefetches"
[ "$(value l1.prefetch_hits next.json)" -gt 700 ] || complain "$(value l1.prefetch_hits next.json) hits on prefetched sectors"
[ "$(misses next)" -lt 900 ] || complain "$(misses next) misses beside prefetches"
[ "$(value cycles next.json)" -lt "$(value cycles none.json)" ] || complain "prefetching of a stream takes longer"
expect 2 "$SIMTLAB" run -q -m sm7-1 --set l1.replacement=plru k.launch
says "lru, fifo or random"
finish
