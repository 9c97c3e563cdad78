# Helpers of the tests of simtlab gdb: a program scale.c, and sessions of gdb-multiarch. Skips them where that is not.
command -v gdb-multiarch >/dev/null || exit 77
cd "$work" || exit 1

cat >scale.c <<'END'
#include <simt.h>
#include <stdio.h>

enum { N = 512 };
int data[N];
int total;

__attribute__((noinline)) static int twice(int value)
{
  volatile int kept = value;
  kept = kept * 2;
  return kept;
}

SIMT_KERNEL(scale, (int, n), (int *, a))
{
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    int value = a[i];
    if (i % 2 == 0)
      value = twice(value);
    a[i] = value;
  }
}

int main(void)
{
  for (int i = 0; i < N; i++)
    data[i] = i;
  if (simt_launch(scale, dim3(1), dim3(256), .n = N, .a = data) != SIMT_OK)
    return 1;
  for (int i = 0; i < N; i++)
    total += data[i];
  printf("total %d\n", total);
  return 0;
}
END
# session PROGRAM OPTION...: gdb does what the standard input says; its output is in out.
session() {
  program=$1
  shift
  command="gdb on $program $*"
  {
    echo 'set pagination off'
    echo 'set confirm off'
    echo 'set width 0'
    echo 'set print thread-events off'
    echo "file $program"
    echo "target remote | $SIMTLAB gdb --stdio $* $program"
    cat
  } >script.gdb
  timeout 100 gdb-multiarch -nx -batch -x script.gdb >out 2>&1 </dev/null || complain "gdb fails"
  ! grep -q 'Error in sourced' out || complain "$(grep -A1 'Error in sourced' out)"
}

# hidden TEXT: the last session does not print it.
hidden() { ! grep -qF -e "$1" out || complain "prints: $1"; }
