/* Hashes that name what a run depends on, and the run itself.
 *
 * A run is described by a JSON object: {machine, set [KEY=VALUE], kind "elf"|"launch"|"command"|"cuda"|"opencl", name,
 * path, folder (of the study, where commands and host programs run), library (of a host program), files [], arguments
 * [], size, seed, mode "cycle"|"fast", max-cycles, hash, task}. Its hash covers the simulator's build, the pipeline and
 * all keys of the machine in their order, the bytes of the program and its inputs, arguments, size, seed, mode and
 * cycle limit. Host, time and number of threads do not matter. Its task is the same hash with the version of the timing
 * models instead of the build. */
#ifndef SL_LAB_RUN_HASH_H
#define SL_LAB_RUN_HASH_H

#include <jansson.h>

#include "base/sha256.h"
#include "config/config.h"

/* Version of the timing models. Another number means that some program may take other cycles or count other events. */
#define SL_TIMING_VERSION "timing 1"

/* Pipeline and all keys. */
void sl_config_digest(const struct sl_config *config, bool named, char digest[SL_SHA256_TEXT]);

/* The program of a run with its inputs: the file; of a launch script also its module and the contents of its buffers;
 * of a command its text and its files. */
enum sl_status sl_program_digest(const json_t *run, char digest[SL_SHA256_TEXT], struct sl_error *err);

/* The run, from the two digests and the build's, or the task, from the two digests and SL_TIMING_VERSION. */
void sl_run_hash(const json_t *run, const char *config, const char *program, const char *build,
                 char hash[SL_SHA256_TEXT]);

/* A text of an object; "" if it has none. */
const char *sl_run_text(const json_t *object, const char *name);

#endif
