/* Places in the run of a launch script of PTX, or of a launch of a host program, and how the debugger goes back to
 * them.
 *
 * A place is the number of events so far: a block that begins, or an instruction of a warp. A script counts them over
 * all launches, a host program in each. A GPU for PTX cannot go back itself. So the run ends, and is executed again,
 * from its beginning or from a checkpoint in memory, up to the wanted place. The run is deterministic. What the user
 * has changed is repeated.
 *
 * Checkpoints are `spacing` places apart; the spacing doubles when there are too many. A few more are near the place
 * that the run goes back to, since the user often goes back by small steps. */
#ifndef SL_DEBUG_PTX_REPLAY_H
#define SL_DEBUG_PTX_REPLAY_H

#include "base/schema.h"
#include "debug/ptx/ptx_view.h"
#include "device/gpu.h"
#include "device/script.h"

/* Checkpoints of one launch of a host program: the GPU's memory, and the launch. The host program waits inside the call
 * that launches, so nothing else changes meanwhile, except for what `beside` archives. */

struct sl_ptx_rewind {
  struct sl_gpu *gpu; /* NULL: a launch script */
  /* What kernels change outside of the GPU's memory; its size does not depend on who asks. */
  void (*beside)(void *context, struct sl_archive *archive);
  void *context;
  bool kept;                 /* launches of this GPU can be archived */
  uint64_t cycles;           /* of the engine, before the launch */
  struct sl_archive archive; /* of the latest restore */
};

enum { SL_PTX_POINTS = 48, SL_PTX_NEAR_POINTS = 8, SL_PTX_NEVER = 0 };

struct sl_ptx_point {
  uint64_t place;
  void *bytes; /* NULL: the script's beginning */
  size_t size, sums;
};

/* A place, and a thread there. */
struct sl_ptx_spot {
  uint64_t place;
  unsigned launch;
  uint64_t block; /* number in the grid */
  unsigned warp, lane;
  bool any; /* the thread is that of the event */
};

struct sl_ptx_replay {
  struct sl_script_moment moment; /* of the present run */
  struct sl_script_restored restored;
  struct sl_ptx_rewind rewind; /* of a host program */
  uint64_t place, furthest, spacing;
  uint64_t target; /* the place that the run goes to; SL_PTX_NEVER: none */
  uint64_t from;   /* the present run began at this checkpoint */
  uint64_t ask;    /* the next run begins at a checkpoint before this place */
  struct sl_ptx_point point[SL_PTX_POINTS], near[SL_PTX_NEAR_POINTS];
  unsigned points, nears, next_near;
  char no_text[1];      /* of checkpoints */
  size_t sums, printed; /* checksums at this place, and those that the user has seen */
};

void sl_ptx_replay_open(struct sl_ptx_replay *replay);
void sl_ptx_replay_close(struct sl_ptx_replay *replay);

/* Before the script's first step, or the launch begins again: restores the latest checkpoint before the place `ask`. */
enum sl_status sl_ptx_replay_begin(struct sl_ptx_replay *replay, struct sl_gpu *gpu, struct sl_script_player *player,
                                   struct sl_error *err);

/* A launch of a host program begins: forgets all, and saves its beginning, without timing. */
void sl_ptx_replay_launch(struct sl_ptx_replay *replay);

/* Whether there is a beginning to go back to. */
bool sl_ptx_replay_goes_back(const struct sl_ptx_replay *replay);

/* The bounds' `reached`: saves a checkpoint if one is due. Sets the time of the next call. */
void sl_ptx_replay_reached(struct sl_ptx_replay *replay, const struct sl_ptx_under_way *launch, uint64_t now,
                           uint64_t *next);

/* A checksum: whether the user has not seen it yet. */
bool sl_ptx_replay_prints(struct sl_ptx_replay *replay);

/* The user has changed the state here: what comes later no longer counts. */
void sl_ptx_replay_written(struct sl_ptx_replay *replay);

/* Forgets all; the run begins again. */
void sl_ptx_replay_restart(struct sl_ptx_replay *replay);

/* What the user has changed in the run of a launch script: a run that is played again repeats it at the same place. */

struct sl_ptx_change {
  struct sl_ptx_spot spot;
  bool is_register;
  uint64_t at; /* number of the register, or address */
  size_t size;
  uint8_t *bytes;
};

struct sl_ptx_changes {
  struct sl_ptx_change *change; /* by place */
  size_t count;
};

/* Notes a change at a spot, which replaces all later ones. False: out of memory. */
bool sl_ptx_changes_add(struct sl_ptx_changes *changes, const struct sl_ptx_spot *spot, bool is_register, uint64_t at,
                        const void *bytes, size_t size);

/* Performs a change in the view, in which its block is. */
void sl_ptx_change_repeat(const struct sl_ptx_change *change, const struct sl_ptx_view *view);

void sl_ptx_changes_clear(struct sl_ptx_changes *changes);

#endif
