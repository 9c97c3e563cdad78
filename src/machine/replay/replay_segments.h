/* Segments of a run that can be replayed (timing_replay.h): the executed instructions between two anchors, in their
 * order, with the outcome of each as far as timing depends on it, and what the counters gain.
 *
 * Outcomes: the taken lanes of a branch, the target of an indirect jump, and what the machine says of an access. Replay
 * executes the instructions and compares. It simulates nothing else, and it moves no path, since the state at the end
 * is known. */
#ifndef SL_MACHINE_REPLAY_SEGMENTS_H
#define SL_MACHINE_REPLAY_SEGMENTS_H

#include "func/path_execute.h"
#include "func/path_warps.h"

enum {
  SL_SEGMENTS = 4096,
  SL_SEGMENT_COUNTERS = 128,
  SL_SEGMENT_WORDS = 4 << 20,   /* of the store: 16 MiB */
  SL_SEGMENT_CHANGES = 1 << 14, /* of a segment */
  SL_SEGMENT_CHANGED = 1 << 20, /* bytes */
  SL_NO_SEGMENT = UINT16_MAX
};

/* Places are those of words in the store. */
struct sl_segment {
  uint32_t entries, words; /* of them */
  uint32_t gains;          /* of the counters */
  uint16_t end;            /* the node at its end */
  uint16_t alternative;    /* another segment that starts at the same node and has another outcome; or SL_NO_SEGMENT */
  int64_t cycles;
};

/* What a replayed instruction has overwritten. */
struct sl_segment_change {
  void *to;
  uint32_t bytes, before; /* place of the former bytes */
};

struct sl_segments;

/* Performs a memory access by the active lanes of ex, except for its timing, and sets *outcome: a word, or a hash of
 * several, that determines the timing. First it keeps what the access will change. refused: only the outcome of an
 * access that its unit refuses. Returns false on a fault, or if something cannot be kept. */
typedef bool sl_segment_access(void *sm, struct sl_segments *g, unsigned warp, const struct sl_execution *ex,
                               bool refused, uint64_t *outcome);

/* Host memory is used in the order of the fields, and only as far as needed. */
struct sl_segments {
  void *sm;
  struct sl_path_warps *warps;
  sl_segment_access *access;
  unsigned counters;
  uint64_t *counter[SL_SEGMENT_COUNTERS];

  unsigned count;
  uint32_t used, populated;            /* words of the store; they hold images as well */
  uint32_t entries;                    /* words of the recorded segment, behind the used ones */
  int64_t from;                        /* cycle in which it begins, */
  uint64_t start[SL_SEGMENT_COUNTERS]; /* and values then */
  uint64_t global_atomics;             /* at the start of the replayed segment */
  uint32_t changes, changed_bytes;
  uint32_t kept[SL_MAX_WARPS]; /* registers of each warp among the changes */
  struct sl_segment segment[SL_SEGMENTS];
  struct sl_segment_change change[SL_SEGMENT_CHANGES];
  _Alignas(SL_CACHE_LINE) uint8_t changed[SL_SEGMENT_CHANGED];
  _Alignas(SL_CACHE_LINE) uint32_t store[SL_SEGMENT_WORDS];
};

/* Adds counters to those that segments gain. A structure of counters is an array of uint64_t. The machine asserts that
 * all its counters have room. */
void sl_segments_count(struct sl_segments *g, void *counters, size_t bytes);

/* Whether the store has room for this many words more; they are populated. */
bool sl_segments_room(struct sl_segments *g, uint32_t words);

/* The machine is at the start of a segment, in cycle now. */
void sl_segments_begin(struct sl_segments *g, int64_t now);

/* The active lanes of ex have executed an instruction, or an access has been refused. outcome: of an access; the target
 * of an indirect jump. Returns false if no segment can have the instruction: it cannot be undone, or there is no room.
 */
bool sl_segments_record(struct sl_segments *g, unsigned warp, const struct sl_execution *ex, bool refused,
                        uint64_t outcome);

/* The machine is at the end of the segment, in cycle now. Returns it; the caller links it and counts it. NULL: there is
 * no room. */
struct sl_segment *sl_segments_end(struct sl_segments *g, int64_t now);

/* Replays a segment, or one of its alternatives. Returns it, or SL_NO_SEGMENT if none has these outcomes. Then nothing
 * has changed. */
uint16_t sl_segments_replay(struct sl_segments *g, uint16_t first);

/* For sl_segment_access: keep rd of a warp, and the words that a store or atomic of these lanes changes. The addresses
 * are valid. Return false if there are too many. */
bool sl_segments_keep_register(struct sl_segments *g, unsigned warp, unsigned rd);
bool sl_segments_keep_words(struct sl_segments *g, const struct sl_execution *ex, const uint32_t *address,
                            const struct sl_addresses *s);
bool sl_segments_keep_row(struct sl_segments *g, uint32_t address);

#endif
