/* Launches of a run grouped by kernel: number and cycles. */
#ifndef SL_OBSERVE_KERNEL_SUMS_H
#define SL_OBSERVE_KERNEL_SUMS_H

#include <jansson.h>

#include "observe/figures.h"

enum { SL_KERNEL_SUMS = 32, SL_KERNEL_SUM_NAME = 64 };

struct sl_kernel_sum {
  char name[SL_KERNEL_SUM_NAME]; /* truncated if longer */
  size_t launches;
  uint64_t cycles, thread_instructions;
};

/* In the order of first launches; kernels beyond the capacity are added to the last element, "others". */
struct sl_kernel_sums {
  struct sl_kernel_sum kernel[SL_KERNEL_SUMS];
  size_t count;
};

void sl_kernel_sums(struct sl_kernel_sums *sums, const struct sl_machine *machine, const struct sl_program *program,
                    const struct sl_launch *launches, size_t count);

/* Adds a launch of the kernel with that name. */
void sl_kernel_sums_add(struct sl_kernel_sums *sums, const struct sl_machine *machine, const char *kernel,
                        const struct sl_launch *launch);

/* [{kernel, launches, cycles, thread_instrs}]; without timing the cycles are null. */
json_t *sl_kernel_sums_json(const struct sl_kernel_sums *sums);

#endif
