# Advice in profiles: each rule fires for a kernel that has the problem and names its line, and does not fire for one
# without.
. "$(dirname "$0")/_lib.sh"
cd "$work" || exit 1
cat >k.c <<'C'
#include <simt.h>
#include <stdlib.h>
enum { N = 1 << 14, LINE = 32 };
SIMT_KERNEL(good, (const int *, a), (const int *, b), (int *, out))
{
  for (int i = (int)(blockIdx.x * blockDim.x + threadIdx.x); i < N; i += (int)(gridDim.x * blockDim.x))
    out[i] = (a[i] * 3 + b[i]) ^ (a[i] - b[i] * 5);
}
SIMT_KERNEL(strided, (const int *, a), (int *, out))
{
  for (int i = (int)(blockIdx.x * blockDim.x + threadIdx.x); i < N / 8; i += (int)(gridDim.x * blockDim.x))
    out[i] = a[i % 256 * LINE]; /* strided */
}
SIMT_KERNEL(banks, (int *, out))
{
  SIMT_SHARED(int, s, 1024);
  int sum = 0;
  for (int k = 0; k < 64; k++) {
    ((volatile int *)s)[threadIdx.x % 64 * 16] = k; /* banks */
    sum += k;
  }
  out[threadIdx.x] = sum;
}
SIMT_KERNEL(branches, (int *, out))
{
  int x = (int)threadIdx.x;
  SIMT_DIVERGE if (threadIdx.x % 16 == 3) {
    for (int k = 0; k < 200; k++)
      x = x * 5 + (x >> 3); /* branches */
  }
  out[threadIdx.x] = x;
}
SIMT_KERNEL(waits, (int *, out))
{
  int x = (int)threadIdx.x;
  for (int k = 0; k < 20; k++) {
    for (int i = 0; threadIdx.x < 32 && i < 100; i++)
      x = x * 5 + 1; /* waits */
    __syncthreads();
  }
  out[threadIdx.x] = x;
}
SIMT_KERNEL(uneven, (int *, out))
{
  int x = (int)threadIdx.x;
  for (int i = 0; i < (blockIdx.x == 0 ? 4000 : 10); i++)
    x = x * 5 + 1;
  out[blockIdx.x * blockDim.x + threadIdx.x] = x;
}
SIMT_KERNEL(chain, (const int *, next), (int *, out))
{
  int at = (int)threadIdx.x;
  for (int k = 0; k < 100; k++)
    at = next[at]; /* chain */
  out[threadIdx.x] = at;
}
int main(int argc, char **argv)
{
  int *a = simt_alloc(N * sizeof *a), *b = simt_alloc(N * sizeof *b), *out = simt_alloc(N * sizeof *out);
  for (int i = 0; i < N; i++)
    a[i] = (i + 64) % N;
  switch (argc > 1 ? argv[1][0] : 'g') {
  case 'g': return simt_launch(good, dim3(16), dim3(128), .a = a, .b = b, .out = out);
  case 's': return simt_launch(strided, dim3(16), dim3(128), .a = a, .out = out);
  case 'b': return simt_launch(banks, dim3(16), dim3(128), .out = out);
  case 'd': return simt_launch(branches, dim3(16), dim3(128), .out = out);
  case 'w': return simt_launch(waits, dim3(2), dim3(1024), .out = out);
  case 'u': return simt_launch(uneven, dim3(16), dim3(128), .out = out);
  case 'c': return simt_launch(chain, dim3(1), dim3(64), .next = a, .out = out);
  default: return 1;
  }
}
C
expect 0 "$SIMTLAB" cc -o k.elf k.c
expect 0 "$SIMTLAB" cc --target vortex --marks=user -o v.elf k.c
line() { grep -n "/\* $1 \*/" k.c | cut -d: -f1; }

# advised LETTER RULE [LINE]: the profile lists RULE for LINE. Writes all rules of the profile to $work/rules.
advised() {
  expect 0 "$SIMTLAB" profile -q --json p.json $options "$program" "$1"
  python3 -c "
import json
for a in json.load(open('p.json'))['advice']: print(a['rule'], '|', a['text'])" >rules
  [ "$2" = none ] || grep -q "^$2 |" rules || complain "$1 $options has no advice on $2: $(cat rules)"
  [ -z "${3:-}" ] || grep -q "^$2 | k.c:$(line "$3"):" rules || complain "$1: wrong line, expected $(line "$3"): $(cat rules)"
}

program=k.elf
options=
advised s uncoalesced strided
grep -q "occupies the memory path for" rules || complain "does not say who held the memory path"
advised b "bank conflicts" banks
advised d divergence branches
advised w barrier waits
advised u imbalance
advised c latency chain
options="-s warps=4"
advised g occupancy
program=v.elf options="-m vortex"
advised s uncoalesced strided
advised b "bank conflicts" banks
program=$BUILD/bench/VecAdd.elf options=
advised paper bandwidth
advised small scalar
options="-m simtight-rfc-pp"
advised small none
grep -q '^scalar' rules && complain "does not advise a scalar pipeline: $(cat rules)"
program=$BUILD/bench/MatMul-variant.elf options="-m simtight-rfc -s registers.slots=256"
advised small spilling

program=k.elf
# A kernel without problems in accesses, branches and blocks: the advice only names what the machine could change.
options="-m simtight-rfc-pp"
advised g none
[ ! -s rules ] || complain "the good kernel: $(cat rules)"
options=
advised g none
[ ! -s rules ] || complain "the good kernel: $(cat rules)"
command="text and page"
"$SIMTLAB" profile -n 1 --html p.html k.elf s >out 2>err
grep -q "^advice:" out || complain "the text has no advice"
grep -q "<h2>Advice</h2>" p.html || complain "the page has no advice"
finish
