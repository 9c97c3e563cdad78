/* What a tool writes has its name when the tool has succeeded. Until then it is beside it, and an error leaves the file
 * that was there before (base/whole_file.h). */
#ifndef SL_TOOLCHAIN_STAGED_OUTPUT_H
#define SL_TOOLCHAIN_STAGED_OUTPUT_H

#include "base/whole_file.h"
#include "toolchain/tools.h"

struct sl_staged_output {
  struct sl_whole_file whole;
  const char *path; /* what the tool is told */
};

/* NULL and "-" are nobody's name, and devices and pipes are written directly. SL_USAGE: it cannot be written. */
enum sl_status sl_staged_output_begin(struct sl_staged_output *output, const struct sl_tools *tools, const char *path,
                                      struct sl_error *err);

/* With what the tool came to, which is returned unless the file cannot be given its name. */
enum sl_status sl_staged_output_end(struct sl_staged_output *output, enum sl_status code, struct sl_error *err);

#endif
