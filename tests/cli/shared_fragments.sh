# shared.fragments: the accesses and cycles of wmma in shared memory, by thread groups of Volta (machine/sm7/sm7_operands.c).
. "$(dirname "$0")/_lib.sh"
cd "$work" || exit 1

# A kernel of one warp with an instruction on a matrix at `s`, whose lines are STRIDE elements apart.
kernel() {
  cat >k.ptx <<P
.version 6.4
.target sm_70
.address_size 64
.shared .align 32 .b8 s[16384];
.visible .entry k()
{
  .reg .b32 %r<9>;
  .reg .f32 %f<9>;
  $1;
  ret;
}
P
  printf 'ptx k.ptx\nlaunch k 1 1 1 32 1 1 0\n' >k.launch
}
R='{%r1,%r2,%r3,%r4,%r5,%r6,%r7,%r8}'
F='{%f1,%f2,%f3,%f4,%f5,%f6,%f7,%f8}'
H='{%r1,%r2,%r3,%r4}'
# INSTRUCTION ACCESSES CYCLES: by default and with the key.
costs() {
  kernel "$1"
  for key in off on; do
    expect 0 "$SIMTLAB" run -q -m sm7-1 --set shared.fragments=$key --stats k.json k.launch
    "$PYTHON" -c 'import json
c = json.load(open("k.json"))["totals"]["counters"]
print(*(c[n]["value"] if isinstance(c[n], dict) else c[n] for n in ("shared.instrs", "shared.cycles")))' >got
    wanted="1 $2"
    [ $key = off ] || wanted="$3 $4"
    [ "$(cat got)" = "$wanted" ] || complain "$1, shared.fragments=$key: $(cat got), not $wanted"
  done
}
W='.sync.aligned'
# 16 x 16 halves of 8 words per line: 128 words, four in each bank. Eight lanes read rows 0 to 3 and 8 to 11 of A, which
# are two words in a bank; of B they read four columns twice.
costs "wmma.load.a$W.row.m16n16k16.shared.f16 $R, [s], 16" 4 2 16
costs "wmma.load.b$W.col.m16n16k16.shared.f16 $R, [s], 16" 4 2 8
# Lines of 32 words begin in the same bank.
costs "wmma.load.a$W.row.m16n16k16.shared.f16 $R, [s], 64" 16 2 64
costs "wmma.load.b$W.col.m16n16k16.shared.f16 $R, [s], 64" 16 2 32
# Four accesses of 8 bytes, in two passes each. 16 lanes read words 0, 1, 4 and 5 (A) of four lines of 8 words; of B 0 to
# 1 and 4 to 5 as well, in the other pass 2, 3, 6 and 7.
costs "wmma.load.a$W.col.m16n16k16.shared.f16 $R, [s], 16" 4 4 8
costs "wmma.load.b$W.row.m16n16k16.shared.f16 $R, [s], 16" 4 4 8
# Sums: 256 words, eight in each bank. By rows 16 lanes access rows 0, 1, 8 and 9 in pairs of words, and rows 0 and 8 begin
# in the same bank. By columns a lane accesses one word; columns of a parity have the same banks, and there are four.
costs "wmma.load.c$W.row.m16n16k16.shared.f32 $F, [s], 16" 8 4 16
costs "wmma.store.d$W.row.m16n16k16.shared.f32 [s], $F, 16" 8 4 16
costs "wmma.load.c$W.col.m16n16k16.shared.f32 $F, [s], 16" 8 8 32
# Sums of f16 are 128 words. Eight lanes read half of rows 0 to 3 and 8 to 11.
costs "wmma.load.c$W.row.m16n16k16.shared.f16 $H, [s], 16" 4 1 8
# Other shapes have no accesses of their own.
costs "wmma.load.a$W.row.m32n8k16.shared.f16 $R, [s], 16" 8 1 8
finish
