/* Where the programs, records and sources that come with simtlab are, relative to the command itself. */
#ifndef SL_CLI_PATHS_H
#define SL_CLI_PATHS_H

#include "base/error.h"

enum { SL_PATH = 4096 };

/* Finds a file or folder by its relative name ("bench/VecAdd.elf"): below $SIMTLAB_HOME when that is set, else beside
 * the command (a build folder) or in ../share/simtlab (an installation). */
enum sl_code sl_find_data(const char *relative, char path[SL_PATH], struct sl_error *err);

#endif
