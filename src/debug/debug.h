/* A debugger's stub: serves gdb's remote protocol for one program (docs/how-to/debugging.md). */
#ifndef SL_DEBUG_DEBUG_H
#define SL_DEBUG_DEBUG_H

#include "debug/remote.h"
#include "device/gpu.h"

/* What gdb sees of the machine: threads, registers and memory. Thread 1 is the host CPU; lane l of warp w is thread
 * 2 + w * lanes + l. */

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

/* Execution under the debugger: continue, step and their reverse, up to a breakpoint, a watchpoint or an end.
 *
 * A warp reaches a breakpoint with several lanes, but gdb wants one thread. A stop names one lane; the others wait in
 * `offer`. If gdb rejects the lane, because the breakpoint is for another thread, it steps the lane over the breakpoint
 * without reading the list of threads. The next lane is then offered before the warp moves. */

enum { SL_BREAKPOINTS_MOST = 256, SL_CONDITION_MOST = 1024, SL_ARRIVALS_MOST = 1024 };

enum {
  SL_SIGNAL_NONE = 0,
  SL_SIGNAL_INT = 2,
  SL_SIGNAL_ILL = 4,
  SL_SIGNAL_TRAP = 5,
  SL_SIGNAL_BUS = 10,
  SL_SIGNAL_SEGV = 11
};

struct sl_breakpoint {
  uint32_t address;
  unsigned owner; /* gdb's own while it steps this thread; 0: the user's */
  uint8_t *condition;
  size_t condition_size;
};

struct sl_watchpoint {
  unsigned type; /* 2: write, 3: read, 4: access */
  unsigned thread;
  uint32_t address, size;
  uint8_t value[8];
};

struct sl_stop {
  int signal;
  unsigned thread;
  char reason[40]; /* "hwbreak:;", "watch:1234;" or empty */
  bool exited;
  bool faults; /* at an instruction that ends the run */
  int status;
  char text[1100]; /* for the user; may be empty */
  bool has_pc;     /* the thread's pc is said to be `pc` */
  uint32_t pc;
};

/* A warp that is about to execute the instruction at a breakpoint. */
struct sl_arrival {
  unsigned warp; /* UINT32_MAX: the host */
  uint32_t pc;
};

struct sl_control {
  struct sl_replay *replay;
  struct sl_target *target;
  struct sl_connection *connection;
  struct sl_breakpoint breakpoint[SL_BREAKPOINTS_MOST];
  unsigned breakpoints;
  struct sl_watchpoint watchpoint[SL_REPLAY_WATCHES];
  unsigned watchpoints;
  struct sl_arrival arrival[SL_ARRIVALS_MOST];
  unsigned arrivals;
  unsigned offer_warp; /* the lanes of this warp that gdb has not seen at its breakpoint */
  sl_lanes offer;
  unsigned selected;                   /* the thread that gdb selected last, for registers */
  unsigned stepped;                    /* the thread of the latest step */
  bool prompted;                       /* gdb has read the list of threads since the last stop */
  uint32_t left;                       /* where the user's latest step or continue began */
  uint32_t known[SL_BREAKPOINTS_MOST]; /* addresses of breakpoints that gdb has set for the user */
  unsigned known_count, known_next;
  /* gdb expects a stop at a watchpoint before the instruction, and steps the thread over it. The stub has moved
   * already; it answers that step, forward or reverse, at once. */
  /* gdb takes a breakpoint away while it steps a thread over it. Another warp that reaches it meanwhile is missed; the
   * run goes back there when gdb continues. */
  uint32_t ghost;     /* address of the breakpoint; 0: none */
  uint64_t missed_at; /* the first tick with such warps */
  struct sl_arrival missed[SL_ARRIVALS_MOST];
  unsigned missed_count;
  uint64_t passed; /* the tick whose breakpoints have been looked at, on machines that fetch ahead */
  enum { SL_NOT_MOVED, SL_MOVED, SL_MOVED_BACK } moved;
  bool stop_at_launch;
};

bool sl_control_insert(struct sl_control *c, uint32_t address, const uint8_t *condition, size_t size);
bool sl_control_watch(struct sl_control *c, unsigned type, uint32_t address, uint32_t size);
void sl_control_remove(struct sl_control *c, unsigned type, uint32_t address, uint32_t size);
void sl_control_close(struct sl_control *c);

struct sl_stop sl_control_continue(struct sl_control *c);

/* Steps a thread by an instruction, or while its pc is from `from` to before `to`. `alone`: the packet names no other
 * thread. */
struct sl_stop sl_control_step(struct sl_control *c, unsigned thread, uint32_t from, uint32_t to, bool alone);

struct sl_stop sl_control_reverse_step(struct sl_control *c, unsigned thread);
struct sl_stop sl_control_reverse_continue(struct sl_control *c);

/* Stops at the current place. */
struct sl_stop sl_control_here(const struct sl_control *c, int signal);

/* ---- reasons to stop --------------------------------------------------------------------------------------------- */

/* A stop at a thread, if it lives, else at another one. */
struct sl_stop sl_stop_at(const struct sl_control *c, unsigned thread, int signal);

/* After a tick: the warps that are about to execute an instruction with a breakpoint. On machines that fetch ahead, the
 * warps that have executed one. */
void sl_collect_arrivals(struct sl_control *c);

/* Takes the next arrival that gdb is to see. Returns false if there is none. */
bool sl_take_arrival(struct sl_control *c, struct sl_stop *stop);

/* Whether the byte is on the lane's stack or in its block's shared memory, on machines that have these elsewhere. The
 * addresses of accesses do not tell about it. */
bool sl_is_elsewhere(const struct sl_control *c, unsigned thread, uint32_t address);

/* Watchpoints: their values before a run, a change of one, whether the host's next instruction reads one, and the stop
 * of the latest tick. */
void sl_arm_watches(struct sl_control *c);
bool sl_value_changed(struct sl_control *c, struct sl_watchpoint *watchpoint);
bool sl_any_host_read(const struct sl_control *c);
bool sl_check_watches(struct sl_control *c, bool host_read, struct sl_stop *stop);

/* Whether the thread's warp, or the host, has executed an instruction in the latest tick; `active`: with its lane. */
bool sl_has_executed(const struct sl_control *c, unsigned thread, bool active);

/* ---- the stub ---------------------------------------------------------------------------------------------------- */

struct sl_debug {
  struct sl_connection connection;
  struct sl_replay replay;
  struct sl_target target;
  struct sl_control control;
  struct sl_reply reply;
  struct sl_reply threads, description; /* as gdb reads them, in pieces */
  unsigned focus;                       /* thread of the last stop or selection */
  unsigned chosen;                      /* of the last stop, or by the user: the thread of reverse commands */
  unsigned alive;                       /* gdb has just asked whether this thread lives; 0: none */
  unsigned resumed;                     /* Hc: the thread of reverse commands; 0: any, so the chosen one */
  struct sl_stop stop;                  /* the last one */
  const char *path;                     /* of the program */
  struct sl_reply console;              /* output of the program that gdb has not got */
  struct sl_debug_tracer tracer;
  struct sl_probes traced; /* of the open trace */
  bool tracing;
  uint64_t traced_from; /* tick */
  bool extended;        /* gdb can run the program again */
  bool done;
  /* Launches of a host program, one after the other: */
  bool launches;
  bool killed;
  bool stops_at_launches;
  bool left;                                                /* the launch goes on without gdb, to its end */
  enum { SL_NO_ANSWER, SL_RUN_ANSWER, SL_STEP_ANSWER } due; /* what gdb waits for since then */
};

struct sl_debug_order {
  struct sl_replay_order run;
  const char *path; /* of the program, absolute */
  int in, out;
  struct sl_debug_tracer tracer;
};

/* Serves until gdb detaches, kills the program or closes the connection. Returns the error of the start only. */
enum sl_status sl_debug_serve(const struct sl_debug_order *order, struct sl_error *err);

/* The same for a host program: serves during each launch, and keeps the connection and the breakpoints between them. */
enum sl_status sl_debug_open(struct sl_debug **debug, const struct sl_debug_order *order, struct sl_error *err);

/* Serves in a launch (struct sl_replay_order), which is started already, until it goes on without gdb: at its end, at
 * a fault that the host program is to see, or after gdb has left. `path`: of its program. */
enum sl_status sl_debug_launch(struct sl_debug *debug, const struct sl_replay_order *run, const char *path,
                               struct sl_error *err);

/* An event of the launch that is served; none is. */
bool sl_debug_hear(struct sl_debug *debug, const struct sl_probe *probe);

/* The host program ends. */
void sl_debug_close(struct sl_debug *debug, int status);

/* Writes the open trace, if there is one; says so in the text. */
void sl_monitor_end_trace(struct sl_debug *debug, struct sl_reply *text);

/* A command of gdb's `monitor`; answers with text. */
void sl_monitor(struct sl_debug *debug, const char *command, struct sl_reply *text);

#endif
