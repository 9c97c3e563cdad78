# RISC-V programs on sm7: kernels of simt.h whose blocks the machine distributes, timed and functional; PTX's latencies;
# reconvergence; faults with their place; launches without a host program; invalid combinations.
. "$(dirname "$0")/_lib.sh"
cp "$SOURCE/tests/cli/programs/grid_kernels.c" "$work" && cd "$work" || exit 1

expect 0 "$SIMTLAB" cc --target sm7 -o grid.elf grid_kernels.c
for way in "-m sm7-4" "--fast -m sm7"; do
  # shellcheck disable=SC2086
  expect 0 "$SIMTLAB" run -q $way grid.elf
  prints "kernel reverse needs at least 384 bytes of shared memory per block, it has 128"
  prints "a block of 2049 x 1 x 1 threads exceeds the multiprocessor's 2048"
done

# Blocks of any size, even one thread, have their own shared memory: resident blocks share that of an SM, and a block
# occupies whole warps. Even with very little shared memory in the machine a block gets some.
cat >small.c <<'C'
#include "simt.h"
#include <stdio.h>
SIMT_KERNEL(next, (int *, out))
{
  SIMT_SHARED(int, s, 32);
  s[threadIdx.x % 32] = (int)threadIdx.x + 5;
  __syncthreads();
  out[threadIdx.x] = s[(threadIdx.x + 1) % blockDim.x % 32];
}
int main(void)
{
  int *out = simt_alloc(4 * 1024), sum = 0;
  for (unsigned n = 1; n <= 33; n += n < 4 ? 1 : 7) {
    if (simt_launch(next, dim3(3), dim3(n), .out = out) != SIMT_OK)
      return 1;
    for (unsigned i = 0; i < n; i++)
      sum += out[i];
  }
  printf("sum %d\n", sum);
  return 0;
}
C
expect 0 "$SIMTLAB" cc --target sm7 -o small.elf small.c
for way in "-m sm7-1" "--fast -m sm7" "-m sm7-1 --set shared.bytes=4096"; do
  # shellcheck disable=SC2086
  expect 0 "$SIMTLAB" run -q $way small.elf
  grep -o 'sum [1-9][0-9]*' out >>sums || complain "$way: no sum"
done
[ "$(sort -u sums | wc -l)" -eq 1 ] || complain "small blocks leave different sums"
for threads in 1 2; do
  expect 0 "$SIMTLAB" run -q -m sm7-1 --launch "kernel=next,grid=1,block=$threads,args=a=zero(16)" small.elf
done

# An instruction that needs another's result starts the latency of that class plus five cycles later.
cat >chain.c <<'C'
#include "simt.h"
SIMT_KERNEL(chain, (int *, out))
{
  int v = 3;
  __asm__ volatile(".rept " COUNT "\n\t" INSN "\n\t.endr" : "+r"(v) : : "memory");
  out[0] = v;
}
int main(void)
{
  int *out = simt_alloc(4);
  return simt_launch(chain, dim3(1), dim3(32), .out = out) != SIMT_OK;
}
C
cycles_of() { # INSTRUCTION COUNT
  "$SIMTLAB" cc --target sm7 --fp "-DINSN=\"$1\"" "-DCOUNT=\"$2\"" -o chain.elf chain.c &&
    "$SIMTLAB" run -m sm7-1 chain.elf 2>&1 | awk '$1 == "total" { gsub(",", "", $2); print $2 }'
}
while read -r cycles instruction; do
  command="a chain of $instruction"
  [ $(($(cycles_of "$instruction" 30) - $(cycles_of "$instruction" 10))) -eq $((20 * cycles)) ] ||
    complain "is not $cycles cycles each"
done <<'ROWS'
9 add %0,%0,%0
6 xor %0,%0,%0
9 mul %0,%0,%0
150 div %0,%0,%0
10 fmadd.s %0,%0,%0,%0
44 fdiv.s %0,%0,%0
ROWS

# Diverged lanes reconverge after the statement: each warp executes the following code once, not once per side.
cat >meet.c <<'C'
#include "simt.h"
SIMT_KERNEL(meet, (int *, out))
{
  int v = (int)threadIdx.x;
  if (v % 2)
    __asm__ volatile("addi %0, %0, 1" : "+r"(v));
  else
    __asm__ volatile("addi %0, %0, 2" : "+r"(v));
  __asm__ volatile(".rept 1000\n\txori %0, %0, 1\n\t.endr" : "+r"(v));
  out[threadIdx.x] = v;
}
int main(void)
{
  int *out = simt_alloc(128);
  return simt_launch(meet, dim3(1), dim3(32), .out = out) != SIMT_OK;
}
C
expect 0 "$SIMTLAB" cc --target sm7 -o meet.elf meet.c
expect 0 "$SIMTLAB" run --fast -m sm7 meet.elf
instructions=$(awk '$1 == "total" { gsub(",", "", $2); print $2 }' err)
[ "$instructions" -lt 1050 ] || complain "$instructions warp instructions: the lanes did not reconverge"

# A fault has machine, SM, warp, lane, block, thread, place and source line.
cat >wild.c <<'C'
#include "simt.h"
SIMT_KERNEL(wild, (int *, p))
{
  if (blockIdx.y == 2 && threadIdx.x == 33)
    *p = 1;
}
SIMT_KERNEL(scale, (int, n), (int, factor), (int *, a))
{
  int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n)
    a[i] *= factor;
}
int main(int argc, char **argv)
{
  (void)argv;
  return simt_launch(wild, dim3(1, 3), dim3(48), .p = (int *)(argc == 1 ? 0 : 3)) != SIMT_OK;
}
C
expect 0 "$SIMTLAB" cc --target sm7 -g -o wild.elf wild.c
expect 3 "$SIMTLAB" run -q -m sm7 wild.elf
says "sm7 SM 4, warp 1, lane 1, block (0,2,0), thread (33,0,0), pc 0x"
says "in wild+0x"
says "(wild.c:5), \`sw "
says "address 0x00000000 is outside data memory"
expect 3 "$SIMTLAB" run -q --fast -m sm7 wild.elf 2
says "block (0,2,0), thread (33,0,0)"
says "is not a multiple of the access's 4 bytes"

# Without a host program, with blocks of any size.
expect 0 "$SIMTLAB" run -q -m sm7-4 --launch "kernel=scale,grid=4,block=30,args=100:3:a=iota(100)" --dump a=a.bin wild.elf
[ "$(od -An -tu4 -j396 -N4 a.bin | tr -d ' ')" = 297 ] || complain "a[99] is not 3 * 99"

# compare with other machines, and by source line.
cat >sum.c <<'C'
#include "simt.h"
SIMT_KERNEL(sum, (const int *, x), (int *, y))
{
  y[threadIdx.x] += x[threadIdx.x];
}
int main(void)
{
  int *x = simt_alloc(512), *y = simt_alloc(512);
  return simt_launch(sum, dim3(1), dim3(128), .x = x, .y = y) != SIMT_OK;
}
C
expect 0 "$SIMTLAB" compare -q -m simtight,vortex,sm7 sum.c
grep -q '^sm7  *passed' out || complain "sm7 is not compared"
expect 0 "$SIMTLAB" cc --target sm7 -g -o sum.elf sum.c
expect 0 "$SIMTLAB" profile -m sm7-1 sum.elf
prints "sum.c:4"

# Programs can test for the machine that they were compiled for.
expect 0 "$SIMTLAB" cc -o simt.elf sum.c
expect 2 "$SIMTLAB" run -m sm7 simt.elf
says "compile it with simtlab cc --target sm7"
expect 2 "$SIMTLAB" run sum.elf
says "compiled for sm7, not for simtight"
expect 2 "$SIMTLAB" cc --target sm7 --rv32e -o x.elf sum.c
says "--rv32e is not for --target sm7"
expect 2 "$SIMTLAB" bench -q -m sm7 --rv32e --only VecAdd
says "not compiled for 16 registers of sm7"

# The benchmarks.
if brief; then
  expect 0 "$SIMTLAB" bench -q --fast -m sm7 --only VecAdd,Scan,MatMul_Float,saxpy-plain
  [ "$(grep -c ' ok ' out)" -eq 4 ] || complain "not all four pass"
else
  expect 0 "$SIMTLAB" bench -q --fast -m sm7
  [ "$(grep -c ' ok ' out)" -eq 23 ] || complain "not all twenty-three pass in fast mode"
  expect 0 "$SIMTLAB" bench -q -m sm7
  [ "$(grep -c ' ok ' out)" -eq 23 ] || complain "not all twenty-three pass"
fi
finish
