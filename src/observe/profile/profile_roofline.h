/* Where kernels are below the roofs of their machine: instructions of threads per cycle, against those per byte of DRAM
 * and of scratchpad. The peaks are the machine's (machine/peaks.h), the counts those of the launches. */
#ifndef SL_OBSERVE_PROFILE_ROOFLINE_H
#define SL_OBSERVE_PROFILE_ROOFLINE_H

#include "observe/launch_choice.h"
#include "observe/profile/profile.h"

/* A launch, or all of a kernel. */
struct sl_roof_point {
  const char *kernel;
  char text[SL_KERNEL_TEXT]; /* where no function is known */
  size_t number;             /* of the launch */
  size_t launches;
  uint64_t cycles, operations, dram_bytes, scratchpad_bytes;
};

struct sl_roofline {
  struct sl_peaks peaks;
  /* Kernels in the order of their first launches. */
  struct sl_roof_point *kernel, *launch;
  size_t kernels, launches;
};

enum sl_status sl_roofline_create(struct sl_roofline *roofline, const struct sl_profile_report *report,
                                  struct sl_error *err);
void sl_roofline_free(struct sl_roofline *roofline);

/* The most operations per cycle that a point could have at its operations per byte, and what bounds it: "lanes", "dram"
 * or "scratchpad". */
struct sl_roof {
  double operations;
  const char *bound;
};
struct sl_roof sl_roof_of(const struct sl_peaks *peaks, const struct sl_roof_point *point);

/* operations / bytes; below 0 without bytes. */
double sl_roof_intensity(const struct sl_roof_point *point, uint64_t bytes);

/* A table of the kernels, and of launches where there are more of them; 80 columns. */
enum sl_status sl_roofline_print(const struct sl_profile_report *report, FILE *file, struct sl_error *err);

/* Chart and table of the page. */
enum sl_status sl_roofline_html(const struct sl_profile_report *report, FILE *file, struct sl_error *err);

/* {peaks {..}, kernels [..], launches [..]}; NULL without memory. */
json_t *sl_roofline_json(const struct sl_profile_report *report);

#endif
