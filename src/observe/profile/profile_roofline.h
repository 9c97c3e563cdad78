/* Roofline model of a run's kernels: thread instructions per cycle against thread instructions per byte of DRAM and of
 * scratchpad. The peaks are the machine's (machine/machine.h), the counts those of the launches. */
#ifndef SL_OBSERVE_PROFILE_PROFILE_ROOFLINE_H
#define SL_OBSERVE_PROFILE_PROFILE_ROOFLINE_H

#include "observe/figures.h"
#include "observe/profile/profile.h"

/* Prints a table of the kernels, and of the launches if there are more of these; 80 columns. */
enum sl_status sl_roofline_print(const struct sl_profile_report *report, FILE *file, struct sl_error *err);

/* Writes chart and table of the page. */
enum sl_status sl_roofline_html(const struct sl_profile_report *report, FILE *file, struct sl_error *err);

/* {peaks {..}, kernels [..], launches [..]}; NULL: out of memory. */
json_t *sl_roofline_json(const struct sl_profile_report *report);

#endif
