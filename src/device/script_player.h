/* Performs the statements of a launch script on a GPU: loads the module, creates and fills buffers, launches kernels,
 * and reports or compares checksums. */
#ifndef SL_DEVICE_SCRIPT_PLAYER_H
#define SL_DEVICE_SCRIPT_PLAYER_H

#include "base/schema.h"
#include "device/checkpoint.h"
#include "device/gpu.h"
#include "device/script.h"

struct sl_script_player;

/* Observer of a script's execution. Functions may be NULL. */
struct sl_script_observer {
  /* Called before the first step; its argument stays valid until the script ends. Not SL_OK: the script ends. */
  enum sl_status (*begun)(void *context, struct sl_script_player *player, struct sl_error *err);
  void (*summed)(void *context, const char *buffer, uint64_t sum);
  void *context;
};

/* Performs the steps in order. `module`: the script's, if it is loaded already; NULL: load it. SL_CHECK_FAILED: a
 * checksum differs from the expected one. Errors of a step begin with path:line. */
enum sl_status sl_script_perform(const struct sl_script *script, struct sl_gpu *gpu, struct sl_gpu_module *module,
                                 const struct sl_script_observer *observer, struct sl_error *err);

/* Loads a script of PTX and performs it on the machine sm7 with another engine, without timing. */
enum sl_status sl_script_analyse(const char *path, const struct sl_ptx_engine *engine, struct sl_error *err);

/* Checkpoints of scripts of PTX: the finished launches, the current step, memory, and the current launch
 * (device/checkpoint.h). All are read and validated before the launch resumes. */

/* The state of a script during a launch; `text` is stored for the caller. */
struct sl_script_moment {
  struct sl_gpu *gpu;
  struct sl_script_player *player;
  uint64_t program; /* sl_script_hash */
  char *text;
};

/* Hashes a script, its module, and a given number of registers per thread. */
enum sl_status sl_script_hash(const struct sl_script *script, uint32_t registers, uint64_t *program,
                              struct sl_error *err);

enum sl_status sl_script_save(const struct sl_script_moment *moment, const struct sl_ptx_under_way *launch,
                              const char *path, struct sl_error *err);

/* The same to memory; the caller frees *bytes. */
enum sl_status sl_script_save_bytes(const struct sl_script_moment *moment, const struct sl_ptx_under_way *launch,
                                    void **bytes, size_t *size, struct sl_error *err);

/* The restored state from which a script resumes; it must live as long as the script runs. */
struct sl_script_restored {
  struct sl_checkpoint file;
  struct sl_archive archive;
};

/* Restores before the first step. It fills in the text, which the caller frees; the rest of the archive belongs to the
 * launch. Call sl_script_restored_free in any case. */
enum sl_status sl_script_restore(struct sl_script_restored *restored, struct sl_script_moment *moment, const char *path,
                                 struct sl_error *err);
/* The same from memory that sl_script_save_bytes has filled, for the same script and configuration; the bytes must live
 * as long as the launch. */
enum sl_status sl_script_restore_bytes(struct sl_script_restored *restored, struct sl_script_moment *moment,
                                       const void *bytes, size_t size, struct sl_error *err);
void sl_script_restored_free(struct sl_script_restored *restored);

#endif
