/* Programs of the host, which launch their kernels through the runtimes for CUDA and OpenCL: how the commands start
 * them, and set the options of both runtimes. */
#ifndef SL_CLI_HOST_PROGRAM_H
#define SL_CLI_HOST_PROGRAM_H

#include "base/error.h"
#include "base/types.h"
#include "cli/options.h"

/* Whether the file is a program of a 64-bit host, or a script of one. */
bool sl_is_host_program(const char *path);

/* Sets an option of both runtimes, such as "MODE"; NULL: leaves it as it is. */
void sl_host_command_set(const char *option, const char *value);
void sl_host_command_number(const char *option, uint64_t value);

/* Makes the program find the runtimes and the machine (NULL: theirs). SL_USAGE: the machine does not run it. */
enum sl_status sl_host_command_prepare(const char *program, const char *machine, struct sl_error *err);

/* Runs the program. *status: its exit status, or 128 and the signal's number. quiet: without its output. */
enum sl_status sl_host_command_run(const char *program, const struct sl_operands *operands, bool quiet, int *status,
                                   struct sl_error *err);

/* Paths of the running command and of the programs, records and sources installed with it. */

enum { SL_PATH = 4096 };

/* Finds a file or folder by its relative name ("bench/VecAdd.elf"): in $SIMTLAB_HOME if set, else beside the command
 * (build folder) or in ../share/simtlab (installation). */
enum sl_status sl_find_data(const char *relative, char path[SL_PATH], struct sl_error *err);

/* Path of one of simtlab's helper programs: in $SIMTLAB_HOME, beside the command, or in ../libexec/simtlab. If it is in
 * none of these, the path is beside the command. */
void sl_find_helper(const char *name, char path[SL_PATH]);

#endif
