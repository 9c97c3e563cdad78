/* Which of a run's launches are counted: all, those of a kernel, one. */
#ifndef SL_OBSERVE_LAUNCH_CHOICE_H
#define SL_OBSERVE_LAUNCH_CHOICE_H

#include "gpu/device.h"

#define SL_EVERY_LAUNCH UINT64_MAX

struct sl_launch_choice {
  const char *kernel; /* NULL: of any */
  uint64_t number;    /* SL_EVERY_LAUNCH, or of one, from 0 */
};

/* The kernel at an address, "0x80000000" where no function is known; in text, or of the program. */
enum { SL_KERNEL_TEXT = 16 };
const char *sl_kernel_name(const struct sl_program *program, uint32_t entry, char text[SL_KERNEL_TEXT]);

/* Whether a launch is counted. */
bool sl_launch_chosen(const struct sl_launch_choice *choice, const struct sl_program *program, uint64_t number,
                      uint32_t entry);

/* Those of a result that are, in order, to be freed; NULL: no memory. */
struct sl_launch *sl_choose_launches(const struct sl_launch_choice *choice, const struct sl_program *program,
                                     const struct sl_result *result, size_t *count);

/* SL_USAGE, with the kernels there are: a result has launches, and none of them is chosen. */
enum sl_status sl_launch_choice_check(const struct sl_launch_choice *choice, const struct sl_program *program,
                                      const struct sl_result *result, size_t chosen, struct sl_error *err);

#endif
