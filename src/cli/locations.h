/* The command itself, and where the programs, records and sources that come with it are, relative to it. */
#ifndef SL_CLI_LOCATIONS_H
#define SL_CLI_LOCATIONS_H

#include "base/error.h"
#include "base/types.h"

enum { SL_PATH = 4096 };

/* Finds a file or folder by its relative name ("bench/VecAdd.elf"): below $SIMTLAB_HOME when that is set, else beside
 * the command (a build folder) or in ../share/simtlab (an installation). */
enum sl_status sl_find_data(const char *relative, char path[SL_PATH], struct sl_error *err);

/* Where a program of simtlab's own is: below $SIMTLAB_HOME, beside the command or in ../libexec/simtlab. What is
 * nowhere there is said to be beside the command. */
void sl_find_helper(const char *name, char path[SL_PATH]);

/* FNV-1a, 64 bits, of the running command's own file: it tells builds apart. */
enum sl_status sl_command_hash(uint64_t *hash, struct sl_error *err);

#endif
