/* Livelock detection: proves that a warp is in a loop that nothing can end.
 *
 * A trial executes a warp from its present state, one instruction after another, and restores the state afterwards. The
 * warp spins if its state repeats before it changes memory that others access, prints, reads a clock, faults, arrives
 * at a barrier or ends. A word of memory that one warp alone accesses in all trials belongs to that warp's state, for
 * example a register that the compiler has spilled. If every warp that is neither at a barrier nor finished spins, the
 * other words never change and all warps repeat in any order of picks. This is a proof, not a heuristic.
 *
 * A warp that polls a word which another warp will write is not a livelock, because the other warp does not repeat its
 * state. A loop that counts its iterations is not found, because its state does not repeat.
 *
 * The module knows neither the instructions nor the layout of the state: each executor describes its state as areas of
 * host memory and executes a step. Livelock detection has no timing and no counterpart in hardware. Brent's method
 * finds the repeated state ("An improved Monte Carlo factorization algorithm", 1980). */
#ifndef SL_BASE_LIVELOCK_H
#define SL_BASE_LIVELOCK_H

#include <stddef.h>

#include "base/types.h"

enum {
  SL_LIVELOCK_INSTRUCTIONS = 4096, /* length of a trial */
  SL_LIVELOCK_PERIOD = 1 << 19,    /* least cycles, or warp instructions without timing, between two checks */
  SL_TRIAL_AREAS = 24,
  SL_TRIAL_WORDS = 1 << 20 /* most words of memory that the trials of a check access */
};

/* The time of the first check after `now`, both in cycles or in warp instructions of a run. A check takes as long as
 * thousands of cycles, so in a long run the distance grows: it is at most an eighth of the time that has passed. */
static inline uint64_t sl_livelock_next(uint64_t now)
{
  const uint64_t eighth = now < 8 * (uint64_t)SL_LIVELOCK_PERIOD ? SL_LIVELOCK_PERIOD : sl_bit(sl_highest(now) - 3);
  return (now / eighth + 1) * eighth;
}

/* The loop of a warp that spins. */
struct sl_spin {
  sl_lanes lanes; /* lanes that executed an instruction */
  uint32_t pc;    /* of the latest backward jump */
  bool jumps;     /* there was one */
  /* Lanes that an instruction of the loop will switch on again when it ends, and the pc of that instruction. The state
   * of the warp does not contain them. */
  sl_lanes held;
  uint32_t held_pc;
};

/* The words of memory that the trials of a check have accessed. NULL, if there is no host memory for it, accepts
 * nothing, so the check has no verdict. */
struct sl_trial_memory;
struct sl_trial_memory *sl_trial_memory_create(void);
void sl_trial_memory_free(struct sl_trial_memory *memory);

/* An instruction of a trial is about to access memory that others may access, too: `bytes` at `at`. Returns false if
 * the trial must end, because another warp has changed a word of them, or the words are too many. */
bool sl_trial_access(struct sl_trial_memory *memory, uint8_t *at, unsigned bytes, bool writes);

/* An executed instruction of a trial. */
struct sl_trial_step {
  struct sl_trial_memory *memory; /* set before the step: for sl_trial_access */
  sl_lanes lanes;
  uint32_t pc;
  bool back; /* it has jumped to its own pc or to a lower one */
  sl_lanes held;
};

/* A part of a warp's state in host memory. */
struct sl_trial_area {
  void *at;
  size_t bytes;
  bool decides; /* it determines what the warp does next. Else it is only restored. */
};

struct sl_trial {
  struct sl_trial_area area[SL_TRIAL_AREAS];
  unsigned areas;
  struct sl_trial_memory *memory; /* of all trials of the check */
  void *context;
  /* Executes the next instruction of the warp. False: the instruction ends the trial. Before it reads or writes memory
   * that is in no area it calls sl_trial_access. */
  bool (*step)(void *context, struct sl_trial_step *step);
};

/* Adds an area to the state that determines the warp's future, or to the state that is only restored. */
void sl_trial_add(struct sl_trial *trial, void *at, size_t bytes);
void sl_trial_keep(struct sl_trial *trial, void *at, size_t bytes);

/* Returns true if the warp spins as long as memory stays as it is. Restores all areas and memory. */
bool sl_trial_spins(const struct sl_trial *trial, struct sl_spin *spin);

#endif
