/* Paths of the running command and of the programs, records and sources installed with it. */
#ifndef SL_CLI_LOCATIONS_H
#define SL_CLI_LOCATIONS_H

#include "base/error.h"
#include "base/types.h"

enum { SL_PATH = 4096 };

/* Finds a file or folder by its relative name ("bench/VecAdd.elf"): in $SIMTLAB_HOME if set, else beside the command
 * (build folder) or in ../share/simtlab (installation). */
enum sl_status sl_find_data(const char *relative, char path[SL_PATH], struct sl_error *err);

/* Path of one of simtlab's helper programs: in $SIMTLAB_HOME, beside the command, or in ../libexec/simtlab. If it is in
 * none of these, the path is beside the command. */
void sl_find_helper(const char *name, char path[SL_PATH]);

#endif
