/* Checkpoints of launch descriptions: the launches that are over, which step is under way, memory, and the launch
 * itself (gpu/checkpoint_file.h). A description that goes on has all of them read and checked before its launch goes
 * on. */
#ifndef SL_GPU_GRIDS_CHECKPOINT_H
#define SL_GPU_GRIDS_CHECKPOINT_H

#include "gpu/checkpoint_file.h"
#include "gpu/grids.h"

/* Whose launch is under way, and what goes with it: a text of those who save. */
struct sl_grids_moment {
  struct sl_grids *grids;
  struct sl_ptx_play *play;
  uint64_t program; /* sl_grids_program */
  char *text;
};

/* A hash of a description and of its module, and of the registers of a thread if they have been said. */
enum sl_status sl_grids_program(const struct sl_ptx_script *script, uint32_t registers, uint64_t *program,
                                struct sl_error *err);

enum sl_status sl_grids_save(const struct sl_grids_moment *moment, const struct sl_ptx_under_way *launch,
                             const char *path, struct sl_error *err);

/* What a description goes on from, for as long as it is played. */
struct sl_grids_restored {
  struct sl_checkpoint file;
  struct sl_tape tape;
};

/* Before the first step; fills in the text, which the caller frees. What is left of the tape is the launch's. To be
 * freed also when this failed. */
enum sl_status sl_grids_restore(struct sl_grids_restored *restored, struct sl_grids_moment *moment, const char *path,
                                struct sl_error *err);
void sl_grids_restored_free(struct sl_grids_restored *restored);

#endif
