/* Atomic output of a tool: the tool writes a temporary file, which is renamed when the tool has succeeded. After an
 * error the previous file remains (base/whole_file.h). */
#ifndef SL_TOOLCHAIN_STAGED_OUTPUT_H
#define SL_TOOLCHAIN_STAGED_OUTPUT_H

#include "base/whole_file.h"
#include "compiler/cc/tools.h"

struct sl_staged_output {
  struct sl_whole_file whole;
  const char *path; /* path to pass to the tool */
};

/* Creates the temporary file, except for NULL, "-", devices and pipes. SL_USAGE: the path cannot be written. */
enum sl_status sl_staged_output_begin(struct sl_staged_output *output, const struct sl_tools *tools, const char *path,
                                      struct sl_error *err);

/* Renames the temporary file if `code`, the tool's status, is SL_OK; else deletes it. Returns `code` unless the rename
 * fails. */
enum sl_status sl_staged_output_end(struct sl_staged_output *output, enum sl_status code, struct sl_error *err);

#endif
