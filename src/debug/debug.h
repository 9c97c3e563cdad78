/* A debugger's stub: serves gdb's remote protocol for one program (docs/how-to/debugging.md). */
#ifndef SL_DEBUG_DEBUG_H
#define SL_DEBUG_DEBUG_H

#include "debug/remote.h"
#include "debug/target.h"

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
