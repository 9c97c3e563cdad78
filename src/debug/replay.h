/* The run under the debugger: a device that moves in ticks, forwards and backwards.
 *
 * A tick is one unit of sl_device_elapsed: a cycle, or without timing an instruction. The run is deterministic, so each
 * earlier state follows from a checkpoint in memory and the console input since then. Checkpoints are `spacing` ticks
 * apart; the spacing doubles when there are too many. */
#ifndef SL_DEBUG_REPLAY_H
#define SL_DEBUG_REPLAY_H

#include "device/device.h"

enum { SL_REPLAY_POINTS = 48, SL_TICK_EVENTS = 1024, SL_REPLAY_WATCHES = 16, SL_REPLAY_MOST_WARPS = 65536 };

struct sl_replay_point {
  uint64_t tick;
  void *bytes; /* NULL: the start of the program, or of a launch without checkpoints */
  size_t size, input, output;
  bool written; /* the user has changed the state here: a replay takes it up */
};

/* A warp that has executed an instruction in a tick. */
struct sl_tick_event {
  unsigned warp;
  uint32_t pc;
  sl_lanes active;
};

/* A range of memory whose accesses are recorded. */
struct sl_replay_watch {
  uint32_t address, size;
  bool reads, writes;
};

struct sl_tick_access {
  unsigned watch, warp, lane;
  uint32_t address;
};

struct sl_replay_order {
  const struct sl_config *config;
  const struct sl_program *program;
  struct sl_device_options options; /* without console and probes */
  int argc;
  const char *const *argv;
  int (*get)(void *context); /* the console's input */
  void (*put)(void *context, uint8_t byte);
  void *context;
  struct sl_device
      *device; /* a started launch of this device instead of a program; its observer calls sl_replay_hear */
};

struct sl_replay {
  struct sl_replay_order order;
  struct sl_device *device;
  const struct sl_machine *machine;
  const struct sl_soc *soc;
  uint64_t begin;    /* elapsed at tick 0 */
  uint64_t furthest; /* greatest tick so far */
  uint64_t spacing;
  struct sl_replay_point point[SL_REPLAY_POINTS];
  size_t points;
  uint8_t *input; /* what the program has read so far */
  size_t input_size, input_at;
  bool input_ended;
  size_t printed, output_at; /* bytes printed; bytes that the program has printed at this place of the replay */
  enum sl_status over;       /* SL_PAUSED while the program runs */
  struct sl_error error;     /* why it is over */
  struct sl_fault fault;
  /* Of the latest tick: */
  unsigned executed;
  struct sl_tick_event event[SL_TICK_EVENTS];
  bool host_executed, launched, ended;
  struct sl_tick_access access; /* the first one of a watched range */
  bool accessed;
  struct sl_replay_watch watch[SL_REPLAY_WATCHES];
  unsigned watches;
  /* sl_replay_scan: addresses of instructions, and whether a warp has executed one or has accessed a watched range. */
  const uint32_t *scanned;
  unsigned scanned_count;
  bool scans, scan_found;
  /* Warps that have executed an instruction and not arrived at the next one: */
  unsigned pending_count;
  unsigned *pending;      /* warps */
  uint32_t *pending_from; /* per warp: pc of that instruction; 1: its launch or block begins */
  bool *is_pending;       /* per warp */
  unsigned warps;         /* over all cores */
  /* On machines that fetch ahead: */
  bool peeks;      /* the run looks ahead, and comes back */
  uint64_t peeked; /* tick of which `next_pc` is known; UINT64_MAX: none */
  unsigned seen;
  uint32_t *next_pc;          /* per warp: the instruction that it executes next; 0: none soon */
  struct sl_probes *observer; /* of sl_replay_observe */
};

enum sl_status sl_replay_open(struct sl_replay *replay, const struct sl_replay_order *order, struct sl_error *err);
void sl_replay_close(struct sl_replay *replay);

uint64_t sl_replay_now(const struct sl_replay *replay);

/* The events that a launch's device must tell, and how. */
unsigned sl_replay_wanted(void);
bool sl_replay_hear(struct sl_replay *replay, const struct sl_probe *probe);

/* Moves one tick forward and records its events. Returns SL_PAUSED, or how the run ended. */
enum sl_status sl_replay_tick(struct sl_replay *replay);

/* Runs forward without events, at most this many ticks. */
enum sl_status sl_replay_run(struct sl_replay *replay, uint64_t ticks);

/* Runs forward in one go, at most this many ticks. Stores whether a warp executes one of `count` instructions, or
 * accesses a watched range. The events of the ticks are lost. */
enum sl_status sl_replay_scan(struct sl_replay *replay, uint64_t ticks, const uint32_t *instructions, unsigned count,
                              bool *found);

/* Goes to a tick between 0 and `furthest`. */
enum sl_status sl_replay_go(struct sl_replay *replay, uint64_t tick);

/* The greatest tick of a checkpoint below `tick`; 0 is one. */
uint64_t sl_replay_point_below(const struct sl_replay *replay, uint64_t tick);

/* The user has changed the state: what comes later no longer counts. */
void sl_replay_written(struct sl_replay *replay);

/* Whether the machine's pc is ahead of execution. */
bool sl_replay_fetches_ahead(const struct sl_replay *replay);

/* There, the instruction that a warp executes next; 0: none soon. Looks ahead and comes back. */
uint32_t sl_replay_next_pc(struct sl_replay *replay, unsigned warp);

/* Executes again what is between a tick and this place, with an observer of its own, and comes back. */
enum sl_status sl_replay_observe(struct sl_replay *replay, uint64_t tick, struct sl_probes *observer);

/* Whether a kernel runs on the SM. */
bool sl_replay_kernel_runs(const struct sl_replay *replay);

#endif
