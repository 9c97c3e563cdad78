# Blocks of sm7 that wait for each other: a grid-wide barrier, and blocks that wait for later blocks. Results are the
# same timed and functional, in PTX and RISC-V, and after a resumed checkpoint.
. "$(dirname "$0")/_lib.sh"
cd "$work" || exit 1
cat >wait.c <<'C'
#include "simt.h"
#include <stdio.h>
#define BLOCKS 30u
static void all_blocks(volatile unsigned *count, unsigned thread, unsigned until)
{
  __syncthreads();
  if (thread == 0) {
    __atomic_fetch_add(count, 1, __ATOMIC_RELAXED);
    while (*count < until)
      ;
  }
  __syncthreads();
}
SIMT_KERNEL(grid_barrier, (unsigned *, count), (unsigned *, a), (unsigned *, b))
{
  a[blockIdx.x * blockDim.x + threadIdx.x] = blockIdx.x * 3 + threadIdx.x;
  all_blocks(count, threadIdx.x, BLOCKS);
  b[blockIdx.x * blockDim.x + threadIdx.x] = a[(BLOCKS - 1 - blockIdx.x) * blockDim.x + threadIdx.x];
  all_blocks(count, threadIdx.x, 2 * BLOCKS);
  a[blockIdx.x * blockDim.x + threadIdx.x] = b[(blockIdx.x + 7) % BLOCKS * blockDim.x + threadIdx.x];
}
SIMT_KERNEL(backwards, (volatile unsigned *, turn), (unsigned *, a))
{
  if (threadIdx.x == 0)
    while (*turn != BLOCKS - 1 - blockIdx.x)
      ;
  __syncthreads();
  a[blockIdx.x * blockDim.x + threadIdx.x] += *turn;
  __syncthreads();
  if (threadIdx.x == 0)
    *turn += 1;
}
int main(void)
{
  unsigned *a = simt_alloc(4 * 64 * BLOCKS), *b = simt_alloc(4 * 64 * BLOCKS), *count = simt_alloc(256), sum = 0;
  if (simt_launch(grid_barrier, dim3(BLOCKS), dim3(64), .count = count, .a = a, .b = b) != SIMT_OK ||
      simt_launch(backwards, dim3(BLOCKS), dim3(64), .turn = count + 8, .a = a) != SIMT_OK)
    return 1;
  for (unsigned i = 0; i < 64 * BLOCKS; i++)
    sum = sum * 31 + a[i];
  printf("sum %08x\n", sum);
  return 0;
}
C
python3 - >wanted <<'P'
n, t = 30, 64
a = [x * 3 + i for x in range(n) for i in range(t)]
b = [a[(n - 1 - x) * t + i] for x in range(n) for i in range(t)]
a = [b[(x + 7) % n * t + i] + n - 1 - x for x in range(n) for i in range(t)]
s = 0
for v in a:
  s = (s * 31 + v) & 0xffffffff
print("sum %08x" % s)
P
expect 0 "$SIMTLAB" cc --target sm7 -o wait.elf wait.c
for how in "-m sm7-4" "--fast -m sm7"; do
  # shellcheck disable=SC2086
  expect 0 timeout 60 "$SIMTLAB" run -q $how wait.elf
  cmp -s out wanted || complain "results differ"
done
expect 0 "$SIMTLAB" run -q --fast -m sm7-4 --stats whole.json wait.elf
for at in 1300000 3000000; do
  expect 0 "$SIMTLAB" run -q --fast -m sm7-4 --save-at $at half wait.elf
  expect 0 "$SIMTLAB" run -q --fast -m sm7-4 --restore half --stats rest.json wait.elf
  sed '/"host": {/,/}/d' whole.json >one
  sed '/"host": {/,/}/d' rest.json | cmp -s one - || complain "results differ"
done

cat >wait.ptx <<'P'
.version 7.0
.target sm_70
.address_size 64
.visible .entry wait(.param .u64 o)
{
  .reg .pred %p<4>; .reg .b32 %r<9>; .reg .b64 %d<5>;
  ld.param.u64 %d1, [o];
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %nctaid.x;
  mov.u32 %r3, %tid.x;
  mul.wide.u32 %d2, %r1, 4;
  add.u64 %d3, %d1, %d2;
  add.u32 %r4, %r1, 1;
  setp.ne.u32 %p1, %r3, 0;
  @%p1 bra G;
  st.global.u32 [%d3+64], %r4;
  atom.global.add.u32 %r5, [%d1], 1;
W:
  ld.volatile.global.u32 %r5, [%d1];
  setp.lt.u32 %p2, %r5, %r2;
  @%p2 bra W;
G:
  bar.sync 0;
  @%p1 ret;
  sub.u32 %r6, %r2, %r4;
  mul.wide.u32 %d2, %r6, 4;
  add.u64 %d2, %d2, %d1;
  ld.volatile.global.u32 %r7, [%d2+64];
  st.global.u32 [%d3+512], %r7;
  ret;
}
P
printf 'ptx wait.ptx\nbuffer o 1024 zero\nlaunch wait 40 1 1 64 1 1 0 buf:o\ndump o o.bin\n' >wait.launch
for how in "-m sm7-4" "--fast" "--fast -m sm7-4"; do
  rm -f o.bin
  # shellcheck disable=SC2086
  expect 0 timeout 60 "$SIMTLAB" run -q $how wait.launch
  [ "$(od -An -v -tu4 -w4 -j512 -N160 o.bin | tr -d ' ' | tr '\n' ' ')" = "$(seq 40 -1 1 | tr '\n' ' ')" ] || complain "results differ"
done
expect 0 "$SIMTLAB" run -q --fast --save-at 1200000 half wait.launch
rm o.bin
expect 0 "$SIMTLAB" run -q --fast --restore half wait.launch
[ "$(od -An -v -tu4 -w4 -j512 -N160 o.bin | tr -d ' ' | tr '\n' ' ')" = "$(seq 40 -1 1 | tr '\n' ' ')" ] || complain "results differ"
finish
