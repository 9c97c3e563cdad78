/* The SM7 GPU that runs RISC-V programs, as machine/sm7/sm7.c hosts it and checkpoints store it. */
#ifndef SL_MACHINE_SM7_DEVICE_H
#define SL_MACHINE_SM7_DEVICE_H

#include "machine/sm7/riscv/sm7_rv_warps.h"
#include "machine/sm7/sm7_gpu.h"

/* Warps of a block, without timing. */
struct sl_sm7_resident {
  uint64_t live, waiting;
};

struct sl_sm7_device {
  struct sl_sm base;
  struct sl_sm7_spec spec;
  struct sl_sm7_gpu *gpu;
  struct sl_sm7_rv rv;
  enum sl_sm_state state;
  bool begun; /* begun: the GPU has the kernel */
  bool code_lost;
  struct sl_sm7_totals before; /* the GPU's totals at the kernel's start */
  /* Without timing (sm7_turns.h): the blocks that have begun; `now` runs up to warp instruction `until`. */
  uint64_t next_block, until;
  struct sl_sm7_resident *resident; /* sms x SL_SM7_MAX_BLOCKS */
  uint32_t residents, now;
  struct sl_sm7_in_flight *arrived; /* by warp: the barrier where it has arrived, for observers */
  struct sl_sm7_totals steps;
  struct sl_sm7_device *restored; /* state of the last validated checkpoint; NULL: none */
};

static inline struct sl_sm7_device *sl_sm7_device_of(struct sl_sm *sm)
{
  return (struct sl_sm7_device *)sm;
}

static inline const struct sl_sm7_device *sl_sm7_device_of_const(const struct sl_sm *sm)
{
  return (const struct sl_sm7_device *)sm;
}

/* Checkpoints (struct sl_machine_checkpoint): sm7_state.c. */
void sl_sm7_walk(struct sl_sm *sm, struct sl_archive *archive);
enum sl_status sl_sm7_state_fits(struct sl_sm *sm, bool timing, const uint8_t *bytes, size_t size);
void sl_sm7_state_restore(struct sl_sm *sm, const uint8_t *bytes, size_t size);

#endif
