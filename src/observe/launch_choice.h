/* Filter for the launches of a run that are counted: all, those of one kernel, or one launch. */
#ifndef SL_OBSERVE_LAUNCH_CHOICE_H
#define SL_OBSERVE_LAUNCH_CHOICE_H

#include "gpu/device.h"

#define SL_EVERY_LAUNCH UINT64_MAX

struct sl_launch_choice {
  const char *kernel; /* NULL: any kernel */
  uint64_t number;    /* SL_EVERY_LAUNCH, or the number of a launch, from 0 */
};

/* Returns the kernel's name at an address, or "0x80000000" if no function is known; the result is in text, or belongs
 * to the program. */
enum { SL_KERNEL_TEXT = 16 };
const char *sl_kernel_name(const struct sl_program *program, uint32_t entry, char text[SL_KERNEL_TEXT]);

/* Whether a launch is counted. */
bool sl_launch_chosen(const struct sl_launch_choice *choice, const struct sl_program *program, uint64_t number,
                      uint32_t entry);

/* Returns the counted launches of a result in order; the caller frees them. NULL: out of memory. */
struct sl_launch *sl_choose_launches(const struct sl_launch_choice *choice, const struct sl_program *program,
                                     const struct sl_result *result, size_t *count);

/* SL_USAGE, with a list of the kernels: the result has launches, but none is selected. */
enum sl_status sl_launch_choice_check(const struct sl_launch_choice *choice, const struct sl_program *program,
                                      const struct sl_result *result, size_t chosen, struct sl_error *err);

#endif
