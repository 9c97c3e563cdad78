/* What a command is asked to write is nothing that it is asked to read, and no two outputs are one file. */
#ifndef SL_CLI_WRITTEN_FILES_H
#define SL_CLI_WRITTEN_FILES_H

#include "cli/options.h"

/* Compares the outputs among a command's options, by device and inode where they are there already, with each other and
 * with every file that its other words name, or a launch description among them. */
enum sl_status sl_check_written_files(const struct sl_option *options, const struct sl_operands *operands,
                                      struct sl_error *err);

#endif
