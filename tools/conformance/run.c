/* Runs a test of a suite in one of the forms that threads can have, and prints which thread has found a mistake, or, if
 * all went well and it is asked for, the test's signature. Usage: run.elf FORM [signature]. */
#include "simt.h"
#include <stdio.h>
#include <string.h>

enum form { HOST, ONE_LANE, ALL_LANES, ALL_WARPS, LANES_APART, FORMS };
static const char *const forms[] = {"host", "one-lane", "all-lanes", "all-warps", "lanes-apart"};

enum { NOT_RUN = -2, GROUPS = 4 };

int conformance_call(void);
extern const unsigned begin_signature[] __attribute__((weak)), end_signature[] __attribute__((weak));

/* Lanes apart: a group of them comes after the other, and in it each at its own time where the machine lets it. */
SIMT_KERNEL(run, (int, form), (int, lanes), (int *, result))
{
  const int me = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & (lanes - 1);
  int found = NOT_RUN;
  if (form == ALL_WARPS)
    found = conformance_call();
  if (form == ALL_LANES && me < lanes)
    found = conformance_call();
  SIMT_DIVERGE
  if (form == ONE_LANE && me == 0)
    found = conformance_call();
  for (int group = 0; group < GROUPS && form == LANES_APART; group++) {
    SIMT_DIVERGE
    if ((lane & (GROUPS - 1)) == group && me < lanes) {
      for (volatile int wait = 0; wait < lanes - lane; wait++)
        ;
      found = conformance_call();
    }
  }
  result[me] = found;
}

int main(int argc, char **argv)
{
  const struct simt_shape shape = simt_shape();
  int form = 0, threads = (int)(shape.lanes * shape.warps), ran = 0;
  int *result = simt_alloc((unsigned)threads * sizeof *result);
  while (form < FORMS && (argc < 2 || strcmp(argv[1], forms[form]) != 0))
    form++;
  if (form == FORMS)
    return 2;
  for (int i = 0; i < threads; i++)
    result[i] = NOT_RUN;
  if (form == HOST)
    result[0] = conformance_call();
  else if (simt_launch(run, dim3(1), dim3((unsigned)threads), .form = form, .lanes = (int)shape.lanes,
                       .result = result) != SIMT_OK)
    return 3;
  for (int i = 0; i < threads; i++) {
    ran += result[i] != NOT_RUN;
    if (result[i] != NOT_RUN && result[i] != 0) {
      printf("thread %d: case %d failed\n", i, result[i]);
      return 1;
    }
  }
  const int wanted = form == ALL_WARPS ? threads : form == ALL_LANES || form == LANES_APART ? (int)shape.lanes : 1;
  if (ran != wanted) {
    printf("%d threads ran instead of %d\n", ran, wanted);
    return 1;
  }
  for (const unsigned *word = begin_signature; argc > 2 && word != end_signature; word++)
    printf("%08x\n", *word);
  return 0;
}
