/* Checks that no output file is also an input, and that all outputs are different files. */
#ifndef SL_CLI_WRITTEN_FILES_H
#define SL_CLI_WRITTEN_FILES_H

#include "cli/options.h"

/* Compares a command's outputs by device and inode, if they exist, with each other and with all files that its other
 * words and its launch scripts name. */
enum sl_status sl_check_written_files(const struct sl_option *options, const struct sl_operands *operands,
                                      struct sl_error *err);

#endif
