/* What the options of a host program ask for beside its launches, a file each: statistics, samples, profiles, recorded
 * launches, a trace, the checker and gdb. host_device.c tells each of them what happens; they are without effect on a
 * device without their option. */
#ifndef SL_HOST_HOST_OBSERVERS_H
#define SL_HOST_HOST_OBSERVERS_H

#include "host/host_device.h"
#include "isa/probe.h"

/* ---- statistics -------------------------------------------------------------------------------------------------- */

/* A line of JSON for each launch, then one with the totals
 * (docs/schemas/host-launch.json, host-totals.json). Each line is written at once, so the file of a program that is
 * killed has whole lines. */
enum sl_status sl_host_stats_open(struct sl_host_device *device, struct sl_error *err);

/* The launch that has just ended with this error, in a queue. `estimated`: its cycles by sampling; below 0: none. */
void sl_host_stats_launch(struct sl_host_device *device, const struct sl_gpu_launch *launch,
                          const struct sl_queue *queue, bool timed, double estimated, const struct sl_error *outcome);

/* The totals; closes the file. */
void sl_host_stats_close(struct sl_host_device *device);

/* ---- sampled launches -------------------------------------------------------------------------------------------- */

/* Sampled launches of a host program (option SAMPLE=K[,SEED] or auto[,SEED]; device/engine/launch_sampling.h): K
 * launches of a cluster are timed at first. The automatic plan also times samples of long grids of PTX
 * (device/engine/block_sampling.h). */

/* Takes the option, before the GPU is opened. SL_USAGE: it is wrong, or excludes another option. */
enum sl_status sl_host_sample_open(struct sl_host_device *device, struct sl_error *err);

/* Whether launches are sampled. */
bool sl_host_samples(const struct sl_host_device *device);

/* ---- profiles ---------------------------------------------------------------------------------------------------- */

/* Profiles of a host program's timed launches: for each module a text, a page and a JSON file, as `simtlab profile
 * X.launch` writes them. */

/* All without effect on a device without the option PROFILE. */
enum sl_status sl_host_profile_open(struct sl_host_device *device, struct sl_error *err);
struct sl_probes *sl_host_profile_probes(struct sl_host_profile *profile);

/* A module has been loaded. */
void sl_host_profile_module(struct sl_host_device *device, const struct sl_gpu_module *module,
                            const struct sl_host_code *code);

/* A launch of a module begins; it has ended. */
void sl_host_profile_begin(struct sl_host_device *device, const struct sl_gpu_module *module, bool timed);
void sl_host_profile_end(struct sl_host_device *device, const struct sl_gpu_launch *launch, enum sl_status code);

/* Writes the files. */
void sl_host_profile_close(struct sl_host_device *device);

/* ---- recorded launches ------------------------------------------------------------------------------------------- */

/* Recorded launches: a folder with a launch script for each launch, which `simtlab run` repeats.
 *
 * The folder has module-N.ptx, each module once; data/HASH.bin, contents of buffers and variables, each once; and
 * launch-N.launch. A script allocates all buffers that were live, at their addresses, with their contents before the
 * launch, and expects the sums of those that the launch has changed. */

/* All without effect on a device without the option RECORD. A recording that fails warns and is incomplete; the program
 * goes on. */
enum sl_status sl_host_recorder_open(struct sl_host_device *device, struct sl_error *err);
void sl_host_recorder_close(struct sl_host_device *device);
void sl_host_record_module(struct sl_host_device *device, const struct sl_host_code *code);

/* Begin writes the contents, and the script without sums, so it is there if the launch never ends. */
void sl_host_record_begin(struct sl_host_device *device, const struct sl_gpu_launch *launch, bool timed);
void sl_host_record_end(struct sl_host_device *device, enum sl_status code);

/* ---- the trace --------------------------------------------------------------------------------------------------- */

/* The trace of a host program's timed launches: option TRACE (observe/trace/trace.h). The file is opened when the first
 * of them begins, so a device that launches nothing leaves none. */

/* Creates device->trace if the options ask for it. SL_USAGE: a wrong part or format, or another option that excludes a
 * trace. */
enum sl_status sl_host_trace_open(struct sl_host_device *device, struct sl_error *err);

/* The observer; NULL: no trace is wanted. */
struct sl_probes *sl_host_trace_probes(struct sl_host_device *device);

/* A module has been loaded. */
void sl_host_trace_module(struct sl_host_device *device, const struct sl_gpu_module *module,
                          const struct sl_host_code *code);

/* A launch of a module begins. */
void sl_host_trace_begin(struct sl_host_device *device, const struct sl_gpu_module *module, bool timed);

/* Ends the trace. */
void sl_host_trace_close(struct sl_host_device *device);

/* ---- the checker ------------------------------------------------------------------------------------------------- */

/* The checker of a host program (observe/check/check.h): option CHECK. */

/* Creates device->check if the options ask for it. */
enum sl_status sl_host_check_open(struct sl_host_device *device, struct sl_error *err);

/* The observer of the checker, or of it and of the profile. NULL: none is wanted. */
struct sl_probes *sl_host_check_probes(struct sl_host_device *device);

/* Functions of the host that kernels call. */
const struct sl_ptx_services *sl_host_check_services(struct sl_host_device *device);

/* A launch of a module begins. It has ended: passes its findings to options.say. */
void sl_host_check_begin(struct sl_host_device *device, const struct sl_gpu_module *module);
void sl_host_check_end(struct sl_host_device *device, enum sl_status code);

/* A module cannot be loaded, so its launches fail: a finding, which is passed on. Returns false without a checker. */
bool sl_host_check_refused(struct sl_host_device *device, const char *what);

/* From now on, commands of queues that nothing orders must not access the same memory. */
void sl_host_check_order(struct sl_host_device *device);

/* Reports the last findings, and writes the file. */
void sl_host_check_close(struct sl_host_device *device);

/* ---- gdb --------------------------------------------------------------------------------------------------------- */

/* gdb on the kernels of a host program: option GDB, a folder for the symbols that gdb needs. At the first launch the
 * program waits for gdb. The host program itself cannot go back: the history of a launch begins with it.
 *
 * Kernels of PTX have the stub of debug/ptx/, which executes parts of a launch again; gdb has the symbols of all
 * modules. Those of machine code have the stub of debug/debug.h, which goes through a launch before the GPU does; gdb
 * has the symbols of the first launch's module. */

/* All without effect on a device without the option. SL_USAGE: another option needs the observer, or the folder cannot
 * be made. */
enum sl_status sl_host_gdb_open(struct sl_host_device *device, struct sl_error *err);

/* What the GPU's options need: the observer, checkpoints, and who has launches executed again; without effect if gdb is
 * not wanted. */
void sl_host_gdb_options(struct sl_host_device *device, struct sl_gpu_options *options);

/* Writes a module's text, before it is loaded. Returns the name to load it by: its file. */
const char *sl_host_gdb_name(struct sl_host_device *device, const char *name, const struct sl_host_code *code);

/* A launch begins: at the first one, waits for gdb. It has ended: tells gdb of a fault, or ends the program if gdb has
 * killed it. */
void sl_host_gdb_begin(struct sl_host_device *device, const struct sl_gpu_module *module);
void sl_host_gdb_end(struct sl_host_device *device, const struct sl_error *outcome);

/* Tells gdb that the program has ended. */
void sl_host_gdb_close(struct sl_host_device *device);

/* ---- files of modules (host_module.c) ---------------------------------------------------------------------------- */

/* Modules of a host program as files, in the folders of profiles and records: module-N.ptx or module-N.elf, and
 * module-N.cl if the runtime has compiled it from source. */

enum { SL_HOST_PATH = 2 * SL_HOST_TEXT };

/* The name that the source has in code: compiled as if from this file. */
#define SL_HOST_SOURCE "./<kernel>"

/* Makes the folder, if it is not there. SL_USAGE: it cannot be made; the message names `what` it is for. */
enum sl_status sl_host_make_folder(const char *path, const char *what, struct sl_error *err);

/* Writes a module's code, and its source if there is one. In PTX, the written source takes the place of
 * SL_HOST_SOURCE. `path` receives the name of the code's file, `source` that of the source's; empty: none. */
enum sl_status sl_host_module_write(const struct sl_host_device *device, const char *folder,
                                    const struct sl_host_code *code, char path[SL_HOST_PATH], char source[SL_HOST_PATH],
                                    struct sl_error *err);

/* The program's name as it was started. */
void sl_host_program_name(char *name, size_t size);

enum sl_status sl_host_write_file(const char *path, const void *bytes, size_t size, struct sl_error *err);

#endif
