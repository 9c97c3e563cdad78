/* Runs a program on a machine; shared by run and profile. The console uses standard input and output; a terminal gets a
 * progress line. */
#ifndef SL_CLI_SESSION_H
#define SL_CLI_SESSION_H

#include "base/error.h"
#include "base/types.h"
#include "cli/jobs.h"
#include "cli/options.h"
#include "config/config.h"
#include "device/device.h"
#include "device/script.h"
#include "observe/check/check.h"
#include "observe/grid_report.h"
#include "observe/output.h"
#include "observe/terminal.h"
#include "program/program.h"

struct sl_session {
  struct sl_config config;
  struct sl_program *program;
  struct sl_gpu *gpu;
  struct sl_device *device; /* of the GPU */
  bool console_aside;       /* the console is standard error, because a file goes to standard output */
  struct sl_output console;
  struct sl_progress progress;
  double started;
  struct sl_interruption interruption; /* error that ends the run */
  char input[4096];                    /* standard input that the program has not read yet */
  size_t input_at, input_size;
};

/* Opens the machine and reads the program. Close the session also after an error. */
enum sl_status sl_session_open(struct sl_session *session, const struct sl_machine_choice *choice, const char *program,
                               bool quiet, struct sl_error *err);

/* Creates the device with the session's console and progress, and loads the program, operands->items[0]. */
enum sl_status sl_session_load(struct sl_session *session, struct sl_device_options options,
                               const struct sl_operands *operands, struct sl_error *err);

/* The same for kernel launches, without the host program. */
enum sl_status sl_session_add(struct sl_session *session, struct sl_device_options options, struct sl_error *err);

/* After sl_session_add: plays a launch script of machine code, of which the session has the program. Checksums go to
 * the console. */
enum sl_status sl_session_play(struct sl_session *session, const struct sl_script *script, struct sl_error *err);

/* Runs to the end and closes the console. *outcome is the device's result. The returned code, with err, also covers a
 * failed check of the program, a console write error, and signals. */
enum sl_status sl_session_run(struct sl_session *session, struct sl_error *outcome, struct sl_error *err);

/* Second half of the above, for callers that run the device themselves: *outcome is the device's result. */
enum sl_status sl_session_end(struct sl_session *session, struct sl_error *outcome, struct sl_error *err);

void sl_session_close(struct sl_session *session);

/* The command returns its first error; later errors go to standard error immediately. */
enum sl_status sl_add_outcome(enum sl_status first, enum sl_status second, const struct sl_error *second_error,
                              struct sl_error *err);

/* Closes an output if it is open and merges the result. After a signal, the previous file stays. */
enum sl_status sl_finish_output(struct sl_output *output, enum sl_status code, struct sl_error *err);

/* Runs a launch script on a machine; shared by run and profile. It prints checksums to standard output and shuts down
 * cleanly on signals. */

struct sl_script_session {
  const char *path;
  struct sl_config config;
  struct sl_script script;
  struct sl_gpu_options options;
  struct sl_gpu *gpu;
  struct sl_output console;
  struct sl_interruption interruption;
  json_t *sums;
  /* Called before the first step, to resume from a checkpoint; NULL: none. */
  enum sl_status (*begun)(void *keeper, struct sl_script_player *player, struct sl_error *err);
  bool (*prints)(void *keeper); /* asked once per checksum, whether it is printed; NULL: it is */
  void *keeper;
  double seconds;          /* host time in total */
  struct sl_error outcome; /* of the script */
};

/* Opens machine and script. Close the session also after an error. The GPU is opened when the script is played.
 * Checksums go to standard output or, if `aside`, to standard error. */
enum sl_status sl_script_open(struct sl_script_session *session, const char *path,
                              const struct sl_machine_choice *choice, struct sl_gpu_options options, bool aside,
                              struct sl_error *err);

/* Plays the script. The session keeps `outcome` too. */
enum sl_status sl_script_play(struct sl_script_session *session, struct sl_error *err);

/* The results; valid while the session is open. */
struct sl_grid_report sl_script_report(const struct sl_script_session *session);

void sl_script_close(struct sl_script_session *session);

/* Program files: ELF files run unchanged; sources are compiled for the pipeline. */

/* The target of a compiled program. All machines run the same file if the program is not a source. */
struct sl_compare_made {
  const char *target; /* target name of simtlab cc */
  bool fp;
  unsigned registers; /* 64-bit instruction words */
  struct sl_program *program;
};

struct sl_compare_program {
  const char *file;
  struct sl_compare_made *made;
  size_t count;
};

/* Whether the file is compiled: its name has a C, C++ or assembly suffix. */
bool sl_is_source(const char *file);

/* Reads or compiles the program for a machine, each only once, at its first use. Compiler messages go to standard
 * error. SL_USAGE also if simtlab cc has no target for the machine. */
enum sl_status sl_compare_program(struct sl_compare_program *program, const struct sl_config *machine,
                                  const struct sl_program **result, struct sl_error *err);
void sl_compare_program_free(struct sl_compare_program *program);

/* Whether a file name has the suffix of a PTX module. */
bool sl_is_ptx(const char *path);

/* What a checked run means: findings on standard error, and the exit status. */

/* A run has ended with this code; of SL_FAULT, `fault` or else `err` is a finding. Prints new findings; returns the
 * code. */
enum sl_status sl_check_run_ended(struct sl_check *check, const struct sl_gpu_fault *fault, enum sl_status code,
                                  const struct sl_error *err);

/* The same after a run of machine code. */
enum sl_status sl_check_device_ended(struct sl_check *check, const struct sl_device *device, enum sl_status code,
                                     const struct sl_error *err);

/* The status of all runs, of which the last one ended with this code: SL_CHECK_FAILED if there are findings. */
enum sl_status sl_check_result(const struct sl_check *check, const char *program, bool quiet, enum sl_status code,
                               struct sl_error *err);

/* Programs of the host, which launch their kernels through the runtimes for CUDA and OpenCL: how the commands start
 * them, and set the options of both runtimes. */

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
