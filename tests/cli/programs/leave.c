/* Jumps out of annotated statements, in every form: counts by thread, which annotations must not change. C and C++. */
#include <stdio.h>

#include "simt.h"

SIMT_KERNEL(if_break, (int *, out))
{
  int n = 0;
  for (int i = 0; i < 10; i++) {
    SIMT_IF(i == (int)threadIdx.x % 4)
    break;
    SIMT_ENDIF
    n++;
  }
  out[threadIdx.x] = n;
}

SIMT_KERNEL(if_continue, (int *, out))
{
  int n = 0;
  for (int i = 0; i < 10; i++) {
    SIMT_IF(i % 2)
    continue;
    SIMT_ENDIF
    n++;
  }
  out[threadIdx.x] = n;
}

/* Exceeds the highest level if a jump does not pop its level. */
SIMT_KERNEL(return_early, (int *, out))
{
  out[threadIdx.x] = 1;
  for (int k = 0; k < 40; k++) {
    SIMT_DIVERGE
    if (threadIdx.x % 3 == 0)
      return;
    else
      out[threadIdx.x]++;
  }
}

SIMT_KERNEL(go_back, (int *, out))
{
  int k = 0;
again:
  k++;
  SIMT_DIVERGE
  if (k < 40 + (int)threadIdx.x)
    goto again;
  simt_barrier();
  out[threadIdx.x] = k;
}

SIMT_KERNEL(switch_inside, (int *, out))
{
  int n = 0;
  SIMT_DIVERGE
  switch (threadIdx.x % 4) {
  case 0: n = 1; break;
  case 1: n = 2; /* falls through */
  default: n += 5; break;
  }
  out[threadIdx.x] = n;
}

SIMT_KERNEL(nested, (int *, out))
{
  int n = 0;
  SIMT_DIVERGE
  for (int i = 0; i < 10; i++) {
    SIMT_DIVERGE
    if (i > 5) {
      SIMT_DIVERGE
      while (1) {
        n++;
        if (n > i)
          break;
      }
    }
    if (n > 9)
      break;
  }
  out[threadIdx.x] = n;
}

SIMT_KERNEL(own_loop, (int *, out))
{
  int n = 0, i = 0;
  SIMT_WHILE(i < 20)
  {
    i++;
    if (i % 2)
      continue;
    if (i > 10)
      break;
    n++;
  }
  out[threadIdx.x] = n;
}

#ifdef AROUND
SIMT_KERNEL(loop_around, (int *, out))
{
  int n = 0;
  for (int i = 0; i < 10; i++) {
    SIMT_DIVERGE
    if (i == 3)
      break;
    n++;
  }
  out[threadIdx.x] = n;
}

SIMT_KERNEL(turn_around, (int *, out))
{
  int n = 0;
  for (int i = 0; i < 10; i++) {
    SIMT_DIVERGE
    if (i % 3)
      continue;
    n++;
  }
  out[threadIdx.x] = n;
}

SIMT_KERNEL(switch_around, (int *, out))
{
  int n;
  switch (threadIdx.x % 2) {
  case 0:
    n = 1;
    SIMT_DIVERGE
    if (threadIdx.x > 8)
      break;
    n = 7;
    break;
  default: n = 3;
  }
  out[threadIdx.x] = n;
}
#endif

#ifdef __cplusplus
#define RUN(kernel) show(#kernel, simt_launch(kernel, dim3(1), dim3(64), out), out)
#else
#define RUN(kernel) show(#kernel, simt_launch(kernel, dim3(1), dim3(64), .out = out), out)
#endif

static void show(const char *name, int status, const int *out)
{
  printf("%s %d:", name, status);
  for (int i = 0; i < 12; i++)
    printf(" %d", out[i]);
  printf("\n");
}

int main(void)
{
  int *const out = (int *)simt_alloc(64 * sizeof(int));
  RUN(if_break);
  RUN(if_continue);
  RUN(return_early);
  RUN(go_back);
  RUN(switch_inside);
  RUN(nested);
  RUN(own_loop);
#ifdef AROUND
  RUN(loop_around);
  RUN(turn_around);
  RUN(switch_around);
#endif
  return 0;
}
