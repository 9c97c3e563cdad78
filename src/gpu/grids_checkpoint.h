/* Checkpoints of launch scripts: the finished launches, the current step, memory, and the current launch
 * (gpu/checkpoint_file.h). All are read and validated before the launch resumes. */
#ifndef SL_GPU_GRIDS_CHECKPOINT_H
#define SL_GPU_GRIDS_CHECKPOINT_H

#include "gpu/checkpoint_file.h"
#include "gpu/grids.h"

/* The state of a script during a launch; `text` is stored for the caller. */
struct sl_grids_moment {
  struct sl_grids *grids;
  struct sl_ptx_play *play;
  uint64_t program; /* sl_grids_program */
  char *text;
};

/* Hashes a script, its module, and a given number of registers per thread. */
enum sl_status sl_grids_program(const struct sl_ptx_script *script, uint32_t registers, uint64_t *program,
                                struct sl_error *err);

enum sl_status sl_grids_save(const struct sl_grids_moment *moment, const struct sl_ptx_under_way *launch,
                             const char *path, struct sl_error *err);

/* The restored state from which a script resumes; it must live as long as the script runs. */
struct sl_grids_restored {
  struct sl_checkpoint file;
  struct sl_archive archive;
};

/* Restores before the first step. It fills in the text, which the caller frees; the rest of the archive belongs to the
 * launch. Call sl_grids_restored_free in any case. */
enum sl_status sl_grids_restore(struct sl_grids_restored *restored, struct sl_grids_moment *moment, const char *path,
                                struct sl_error *err);
void sl_grids_restored_free(struct sl_grids_restored *restored);

#endif
