/* Replay of a machine's timing where it recurs. A host-side speed-up, not hardware state.
 *
 * Blocks of threads that a kernel brings into step, by barriers or by its loop over blocks, often pass through the same
 * timing states (replay_image.h). At some cycles, the anchors, the replay takes the image of the state. When it meets
 * an image again, it records what follows until the next anchor: a segment (replay_segments.h). From the next time on
 * it replays the segment: it executes the instructions in the same order and compares their outcomes. Nothing else is
 * simulated. If all outcomes are equal, the state at the end is that of the next anchor. If one differs and no other
 * segment has it, registers and memory return to what they were, and the machine simulates.
 *
 * Anchors: the machine finds cycles in which warp 0 has gone back, by a branch or jump, at least `distance` cycles
 * after the latest one. An image is taken only if a quick hash of a part of the state, the hint, has been met before.
 * Recording must be paid by replays, and the distance doubles while nothing is replayed: programs without recurrence
 * lose less than 2 %.
 *
 * Only for runs without an observer. Source of the idea: FastSim (Schnarr and Larus, Fast Out-of-Order Processor
 * Simulation Using Memoization, ASPLOS 1998). */
#ifndef SL_MACHINE_REPLAY_TIMING_REPLAY_H
#define SL_MACHINE_REPLAY_TIMING_REPLAY_H

#include "machine/replay/replay_segments.h"

struct sl_replay;

/* The functions of a machine. `beside`: what its loop keeps beside its state, or NULL. */
struct sl_replay_machine {
  /* Writes the image to `word`, which has room for SL_IMAGE_WORDS. Returns the number of words; 0: there is no image.
   */
  unsigned (*image)(const void *sm, const void *beside, uint64_t *word);
  /* A hash of a part of the state that is quickly read: states with equal images have equal hints. */
  uint64_t (*hint)(const void *sm, const void *beside);
  /* Sets the timing state to an image's, in cycle now. */
  void (*restore)(void *sm, void *beside, const uint64_t *word, int64_t now);
  sl_segment_access *access;
};

/* What the machine's loop looks at. */
struct sl_anchors {
  bool records;   /* instructions are recorded */
  uint32_t pc;    /* where warp 0 was; the machine's */
  int64_t next;   /* the next anchor, if it is known; else -1; the machine's */
  int64_t latest; /* the latest one */
  int64_t distance;
};

/* Returns NULL without memory for it: then the machine runs without. The caller adds counters (sl_segments_count). */
struct sl_replay *sl_replay_create(const struct sl_replay_machine *machine, void *sm, struct sl_path_warps *warps);
void sl_replay_free(struct sl_replay *p);
struct sl_segments *sl_replay_segments(struct sl_replay *p);
struct sl_anchors *sl_replay_anchors(struct sl_replay *p);

/* Forgets where timing is, because something else than the machine's loop has changed the state. p: may be NULL. */
void sl_replay_lose(struct sl_replay *p);

/* Cycles that have been replayed. */
uint64_t sl_replay_cycles(const struct sl_replay *p);

/* In a run that records: as sl_segments_record. repeatable: false ends the recording. */
void sl_replay_record(struct sl_replay *p, unsigned warp, const struct sl_execution *ex, bool refused, uint64_t outcome,
                      bool repeatable);

/* The machine is at an anchor, in cycle now: replays segments that end before `end`. */
void sl_replay_anchor(struct sl_replay *p, void *beside, int64_t now, int64_t end);

#endif
