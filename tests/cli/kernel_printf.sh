# printf in kernels: lines of different lanes do not mix, timed and functional. Text beyond the buffer is counted as
# lost. A program without printf in kernels has none of its code. simtlab cc explains CUDA names that differ.
. "$(dirname "$0")/_lib.sh"
cd "$work" || exit 1
cat >print.c <<'C'
#include "simt.h"
#include <stdio.h>
static inline void from_helper(unsigned i)
{
  simt_printf("helper %u\n", i);
}
SIMT_KERNEL(print, (int *, o))
{
  SIMT_SHARED(char, word, 8);
  const unsigned i = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * blockIdx.x);
  SIMT_IF (threadIdx.x == 0 && threadIdx.y == 0)
    for (int k = 0; k < 8; k++)
      word[k] = "shared"[k % 7];
  SIMT_ENDIF
  word[7] = 0;
  __syncthreads();
  SIMT_IF (i % 3 == 1)
    printf("thread %u of %s: %5x|%-4d|%c%%\n", i, word, 3 * i, -(int)i, 'a' + (int)i % 26);
  SIMT_ENDIF
  __syncthreads();
  SIMT_IF (threadIdx.x == 5)
    printf("two\nlines of %u\n", i);
  SIMT_ENDIF
  SIMT_IF (i % 32 == 9)
    from_helper(i);
  SIMT_ENDIF
  o[i] = (int)i;
}
SIMT_KERNEL(floods, (int, n))
{
  for (int k = 0; k < n; k++)
    printf("a line of forty bytes with its last one\n");
}
int main(void)
{
  int *o = simt_alloc(4 * 128), sum = 0;
  printf("before\n");
  for (int k = 0; k < 2; k++)
    if (simt_launch(print, dim3(2), dim3(32, 2), .o = o) != SIMT_OK)
      return 1;
  for (int i = 0; i < 128; i++)
    sum += o[i];
  printf("after %d\n", sum);
  return simt_launch(floods, dim3(1), dim3(32), .n = LINES) != SIMT_OK;
}
C
python3 - >wanted <<'P'
lines = []
for i in range(128):
  if i % 3 == 1:
    lines.append("thread %u of shared: %5x|%-4d|%c%%" % (i, 3 * i, -i, ord("a") + i % 26))
  if i % 32 == 5:
    lines.append("two|lines of %u" % i)
  if i % 32 == 9:
    lines.append("helper %u" % i)
print("\n".join(sorted(2 * lines + ["before", "after %d" % sum(range(128))])))
P
for pair in simt:simtight simt:simtight-rfc-pp simt:simty-plus "simt --marks=auto:simtight" "simt --no-marks:simty-plus" sm7:sm7-4; do
  # shellcheck disable=SC2086
  expect 0 "$SIMTLAB" cc --target ${pair%%:*} -Wshadow -DLINES=0 -o print.elf print.c
  silent
  for how in "" --fast; do
    # shellcheck disable=SC2086
    expect 0 "$SIMTLAB" run -q $how -m "${pair##*:}" print.elf
    sed '/^two$/{N;s/\n/|/;}' out | LC_ALL=C sort >is
    LC_ALL=C sort wanted | cmp -s - is || complain "the lines differ"
    [ "$(head -1 out)" = before ] && [ "$(tail -1 out)" = "after 8128" ] || complain "the order of kernel and host output differs"
  done
done

# 1,012 bytes per thread hold 25 lines; on sm7 a block has 4 MiB.
expect 0 "$SIMTLAB" cc -DLINES=25 -o print.elf print.c
expect 0 "$SIMTLAB" run -q --fast print.elf
[ "$(grep -c 'a line of forty' out)" -eq $((32 * 25)) ] || complain "the number of kept lines differs"
expect 0 "$SIMTLAB" cc -DLINES=26 -o print.elf print.c
expect 0 "$SIMTLAB" run -q --fast print.elf
prints "simt: kernel floods: the printf buffer was full, the text of 32 calls is lost"
[ "$(grep -c 'a line of forty' out)" -eq $((32 * 25)) ] || complain "the number of kept lines differs"
expect 0 "$SIMTLAB" cc --target sm7 -DLINES=3000 -o print.elf print.c
expect 0 "$SIMTLAB" run -q --fast -m sm7-1 print.elf
[ "$(grep -c 'a line of forty' out)" -eq 87381 ] || complain "keeps $(grep -c 'a line of forty' out) lines"
prints "simt: kernel floods: the printf buffer was full, the text of $((96000 - 87381)) calls"

# A kernel in an archive prints too.
cat >main.c <<'C'
int run_it(void);
int main(void) { return run_it(); }
C
cat >kernel.c <<'C'
#include <simt.h>
SIMT_KERNEL(k, (int *, o)) { printf("thread %u\n", threadIdx.x); o[threadIdx.x] = 1; }
int run_it(void);
int run_it(void) { return simt_launch(k, dim3(1), dim3(32), simt_alloc(128)); }
C
for target in simt sm7; do
  expect 0 "$SIMTLAB" cc --target $target -c kernel.c
  expect 0 "$SIMTLAB" cc --target $target -c main.c
  rm -f kernel.a
  expect 0 riscv64-unknown-elf-ar rc kernel.a main.o kernel.o
  expect 0 "$SIMTLAB" cc --target $target -o archive.elf kernel.a
  expect 0 "$SIMTLAB" run -q -m "$([ $target = sm7 ] && echo sm7-1 || echo simtight)" archive.elf
  [ "$(grep -c '^thread' out)" -eq 32 ] || complain "does not print"
done

# A program whose kernels do not print contains none of its code.
cat >quiet.c <<'C'
#include <simt.h>
#include <stdio.h>
SIMT_KERNEL(k, (int *, o)) { o[threadIdx.x] = 1; }
int main(void) { printf("host\n"); return simt_launch(k, dim3(1), dim3(32), simt_alloc(128)); }
C
for target in simt sm7; do
  expect 0 "$SIMTLAB" cc --target $target -o quiet.elf quiet.c
  grep -q 'the printf buffer was full' quiet.elf && complain "contains the runtime for printf in kernels"
done

# A helper of kernels must call simt_printf instead of printf; otherwise an error says so.
cat >helper.c <<'C'
#include <simt.h>
#include <stdio.h>
static __attribute__((noinline)) void helper(void) { printf("%d\n", 3); }
SIMT_KERNEL(k, (int *, o)) { helper(); o[0] = 1; }
int main(void) { return simt_launch(k, dim3(1), dim3(32), simt_alloc(128)); }
C
expect 0 "$SIMTLAB" cc -o helper.elf helper.c
expect 3 "$SIMTLAB" run -q helper.elf
says "kernels have no console. Print with printf in kernels, and with simt_printf in functions that they call"
echo '#include <simt.h>
SIMT_KERNEL(k, (int *, o)) { __shared__ int s[32]; s[threadIdx.x] = 1; o[threadIdx.x] = s[0]; }' >shared.c
echo '#include <simt.h>
__global__ void k(int *o) { o[0] = 1; }' >global.c
for target in simt vortex sm7; do
  expect 1 "$SIMTLAB" cc --target $target -c -o x.o shared.c
  says "error: write SIMT_SHARED(int, s, 256) instead of __shared__ int s[256]"
  [ "$(grep -c 'error:' err)" -eq 1 ] || complain "says more than the expected message"
  expect 1 "$SIMTLAB" cc --target $target -c -o x.o global.c
  says "error: write SIMT_KERNEL(k, (int, n), (int *, a)) instead of __global__ void k(int n, int *a)"
done
finish
