# Launches count as kernels on every machine. A program that launches kernels itself has an entry per kernel, from its
# start to its end, with the cycles that the program reads. main is listed only on request.
. "$(dirname "$0")/_lib.sh"
cd "$work" || exit 1
check() { command=$1; }
fail() { complain "$@"; finish; }
cat >k.c <<'C'
#include <simt.h>
#include <stdio.h>
enum { N = 1024 };
SIMT_KERNEL(fill, (int *, a))
{
  SIMT_FOR (int i = (int)(blockIdx.x * blockDim.x + threadIdx.x), i < N, i += (int)(gridDim.x * blockDim.x))
    a[i] = i;
}
SIMT_KERNEL(twice, (int *, a))
{
  SIMT_FOR (int i = (int)(blockIdx.x * blockDim.x + threadIdx.x), i < N, i += (int)(gridDim.x * blockDim.x))
    a[i] += a[i];
}
int main(void)
{
  int *a = simt_alloc(N * sizeof *a);
  unsigned cycles[3];
  if (simt_launch(fill, dim3(2), dim3(64), .a = a) != SIMT_OK)
    return 1;
  cycles[0] = simt_counter(SIMT_CYCLES);
  for (int i = 0; i < 2; i++) {
    if (simt_launch(twice, dim3(2), dim3(64), .a = a) != SIMT_OK)
      return 1;
    cycles[1 + i] = simt_counter(SIMT_CYCLES);
  }
  printf("%u %u %u\n", cycles[0], cycles[1], cycles[2]);
  return a[N - 1] != 4 * (N - 1);
}
C
"$SIMTLAB" cc -o simt.elf k.c || fail "cc"
"$SIMTLAB" cc --target vortex -o vortex.elf k.c || fail "cc --target vortex"

# The "kernel cycles" of each launch in the JSON.
launches() { # machine, program, options
  m=$1 p=$2
  shift 2
  "$SIMTLAB" run -m "$m" --stats s.json "$@" "$p" >raw 2>err || fail "run $m $* ($(cat err))"
  sed 's/^#0: //' raw >out
  python3 -c "
import json
for l in json.load(open('s.json'))['launches']: print(l['function'], l['counters']['cycles']['value'])" >counted
}

check "on a machine with a host CPU, and with one core of its own, cycles are those that the program reads"
for pair in "simtight simt.elf" "vortex vortex.elf" "vortex-simx vortex.elf" "vortex-cfm-dmsl vortex.elf"; do
  set -- $pair
  launches "$1" "$2"
  [ "$(cut -d' ' -f1 counted | tr '\n' ' ')" = "fill twice twice " ] || fail "$1 launched $(cat counted)"
  [ "$(cut -d' ' -f2 counted | tr '\n' ' ')" = "$(cat out) " ] || fail "$1 counts $(cat counted), the program $(cat out)"
done

check "several cores: to within a stretch of simulation, and the same for any number of threads"
launches vortex vortex.elf -s cores=4
cp counted one
launches vortex vortex.elf -s cores=4 --threads 2
cmp -s counted one || fail "threads move the counts"
read -r a b c <out
set -- $(cut -d' ' -f2 counted)
for pair in "$a $1" "$b $2" "$c $3"; do
  set -- $pair
  [ $(($1 - $2)) -lt 1500 ] && [ $(($2 - $1)) -lt 200 ] || fail "a launch of $1 cycles is counted as $2"
done

check "without timing they have instructions, and no cycles"
"$SIMTLAB" run -m vortex --fast vortex.elf >out 2>err || fail "run --fast"
grep -q "twice" err && ! grep -q cycles err || fail "$(cat err)"

check "the whole program, when asked"
launches vortex vortex.elf --whole-program
[ "$(wc -l <counted)" = 1 ] && grep -q _start counted || fail "$(cat counted)"
whole=$(cut -d' ' -f2 counted)

check "a function, each call of it"
launches vortex vortex.elf --region simt_run
[ "$(cut -d' ' -f1 counted | tr '\n' ' ')" = "simt_run simt_run simt_run " ] || fail "$(cat counted)"
[ "$(cut -d' ' -f2 counted | awk '{ s += $1 } END { print s }')" -lt "$whole" ] || fail "three calls take longer than all"
"$SIMTLAB" run -m vortex --region nowhere vortex.elf >out 2>err && fail "a region that is not there"
grep -q "no function nowhere" err || fail "$(cat err)"
"$SIMTLAB" run -m simtight --region fill simt.elf >out 2>err && fail "a region with a host CPU"
grep -q "every launch is counted" err || fail "$(cat err)"

check "a program of others: from WSPAWN to the end of those it has spawned"
cat >other.S <<'S'
        .globl _start
_start: csrr t0, 0xfc1
        lla  t1, work
        .insn r 0x0B, 1, 0, x0, t0, t1
        li   t2, 200
1:      addi t2, t2, -1
        bnez t2, 1b
        .insn r 0x0B, 0, 0, x0, x0, x0
work:   li   t2, 50
1:      addi t2, t2, -1
        bnez t2, 1b
        .insn r 0x0B, 0, 0, x0, x0, x0
S
riscv64-unknown-elf-gcc -march=rv32i_zicsr -mabi=ilp32 -nostdlib -Ttext=0x80000000 -o other.elf other.S ||
  fail "the assembler"
launches vortex other.elf
[ "$(cut -d' ' -f1 counted)" = work ] || fail "$(cat counted)"
part=$(cut -d' ' -f2 counted)
launches vortex other.elf --whole-program
[ "$part" -lt "$(cut -d' ' -f2 counted)" ] || fail "$part cycles of $(cat counted)"

check "profiles are of the launches that are chosen, and add up"
for m in vortex vortex-simx; do
  "$SIMTLAB" profile -m $m -q --json p.json --kernel twice vortex.elf >out 2>err || fail "profile $m: $(cat err)"
  python3 -c "
import json
p = json.load(open('p.json'))
assert [l['kernel'] for l in p['launches']] == ['twice', 'twice'], p['launches']
assert p['totals']['kernel_cycles'] == sum(l['cycles'] for l in p['launches'])
assert all(i['function'] in ('twice', 'vortex_warps', 'vortex_warp', 'vx_pred') for i in p['instructions']), p['instructions']
" || fail "the profile of twice on $m"
done
"$SIMTLAB" profile -m vortex --launch 7 vortex.elf >out 2>err && fail "a launch that is not there"
grep -q "numbered 0 to 2" err || fail "$(cat err)"
"$SIMTLAB" profile -m vortex --kernel thrice vortex.elf >out 2>err && fail "a kernel that is not there"
grep -q "has launched fill, twice" err || fail "$(cat err)"

check "comparisons are of kernels"
"$SIMTLAB" compare -m vortex,vortex-simx --kernel twice --json c.json vortex.elf >out 2>err || fail "compare: $(cat err)"
python3 -c "
import json
for m in json.load(open('c.json'))['machines']:
    assert [(k['kernel'], k['launches']) for k in m['kernels']] == [('twice', 2)], m
    assert m['cycles'] == m['kernels'][0]['cycles'] and m['launches'] == 2, m
" || fail "the comparison"
finish
