/* What gdb sees of the machine: threads, registers and memory. Thread 1 is the host CPU; lane l of warp w is thread
 * 2 + w * lanes + l. */
#ifndef SL_DEBUG_TARGET_H
#define SL_DEBUG_TARGET_H

#include "debug/remote.h"
#include "device/gpu.h"

/* The run under the debugger: a device that moves in ticks, forwards and backwards.
 *
 * A tick is one unit of sl_device_elapsed: a cycle, or without timing an instruction. The run is deterministic, so each
 * earlier state follows from a checkpoint in memory and the console input since then. Checkpoints are `spacing` ticks
 * apart; the spacing doubles when there are too many. */

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
  struct sl_gpu *gpu; /* that runs a program; NULL: a launch */
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

enum { SL_THREAD_HOST = 1, SL_THREAD_LANES = 2, SL_THREADS_LISTED = 4096 };

/* Register numbers of the target description. The machine's own are above gdb's numbers of CSRs. */
enum {
  SL_REG_PC = 32,
  SL_REG_OWN = 4200,
  SL_REG_WARP = SL_REG_OWN,
  SL_REG_LANE,
  SL_REG_BLOCK,
  SL_REG_MASK,
  SL_REG_PATHS,
  SL_REG_STATE,
  SL_REG_CYCLE,
  SL_REG_OWN_END,
  SL_REG_MORE = 4300 /* registers 32 and above of 64-bit instruction words */
};

enum sl_threads_shown { SL_THREADS_AUTO, SL_THREADS_ALL, SL_THREADS_WARPS, SL_THREADS_ACTIVE };

struct sl_target {
  struct sl_replay *replay;
  const struct sl_program *program;
  unsigned lanes, warps;
  bool has_host;
  enum sl_threads_shown shown;
};

struct sl_target sl_target_of(struct sl_replay *replay, const struct sl_program *program);

bool sl_is_lane(const struct sl_target *t, uint64_t thread);
unsigned sl_warp_of(const struct sl_target *t, unsigned thread);
unsigned sl_lane_of(const struct sl_target *t, unsigned thread);
unsigned sl_thread_of(const struct sl_target *t, unsigned warp, unsigned lane);

/* A thread that exists now: the host, or a lane of a warp that has not ended. */
bool sl_thread_lives(const struct sl_target *t, uint64_t thread);
/* A warp that a kernel uses now. */
bool sl_warp_lives(const struct sl_target *t, unsigned warp);
struct sl_warp_status sl_target_warp(const struct sl_target *t, unsigned warp);
/* The lowest active lane of the first such warp, or else the host or the first lane. */
unsigned sl_thread_default(const struct sl_target *t);

uint32_t sl_target_pc(const struct sl_target *t, unsigned thread);

/* Reads a register by its number. Returns its bytes, 0: there is none. */
unsigned sl_target_register(const struct sl_target *t, unsigned thread, uint64_t number, uint64_t *value);
bool sl_target_set_register(struct sl_target *t, unsigned thread, uint64_t number, uint64_t value);

/* Memory as the thread sees it. */
void sl_target_load(const struct sl_target *t, unsigned thread, uint32_t address, uint8_t *bytes, size_t size);
bool sl_target_store(struct sl_target *t, unsigned thread, uint32_t address, const uint8_t *bytes, size_t size);

/* The documents of qXfer:features and qXfer:threads. `focus` is the warp of which all lanes are listed. */
void sl_target_description(const struct sl_target *t, struct sl_reply *xml);
void sl_target_threads(const struct sl_target *t, unsigned focus, struct sl_reply *xml);

#endif
