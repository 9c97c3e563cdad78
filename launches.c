#include <simt.h>
static int calls = FIRST;
SIMT_KERNEL(scale, (int, n), (int, by), (const int *, from), (int *, to))
{
  SIMT_FOR (int i = (int)(blockIdx.x * blockDim.x + threadIdx.x), i < n,
            i += (int)(gridDim.x * blockDim.x))
    to[i] = by * from[i];
}
SIMT_KERNEL(count, (int *, to))
{
  SIMT_IF (blockIdx.x == 0 && threadIdx.x == 0)
    *to = ++calls;
  SIMT_ENDIF
}
SIMT_KERNEL(wild, (int *, p)) { p[threadIdx.x] = 1; }
SIMT_KERNEL(gives_up) { simt_fail(); }
SIMT_KERNEL(endless, (int *, p))
{
  while (*(volatile int *)p == 0)
    p[1]++;
}
int main(void) { return 0; }
