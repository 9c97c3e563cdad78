/* Checkpoints of scripts of PTX: the finished launches, the current step, memory, and the current launch
 * (gpu/checkpoint_file.h). All are read and validated before the launch resumes. */
#ifndef SL_DEVICE_SCRIPT_CHECKPOINT_H
#define SL_DEVICE_SCRIPT_CHECKPOINT_H

#include "device/script_player.h"
#include "gpu/checkpoint_file.h"

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

/* The restored state from which a script resumes; it must live as long as the script runs. */
struct sl_script_restored {
  struct sl_checkpoint file;
  struct sl_archive archive;
};

/* Restores before the first step. It fills in the text, which the caller frees; the rest of the archive belongs to the
 * launch. Call sl_script_restored_free in any case. */
enum sl_status sl_script_restore(struct sl_script_restored *restored, struct sl_script_moment *moment, const char *path,
                                 struct sl_error *err);
void sl_script_restored_free(struct sl_script_restored *restored);

#endif
