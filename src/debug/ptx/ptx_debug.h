/* The state of a debugger's stub for launch scripts of PTX, shared by its files. */
#ifndef SL_DEBUG_PTX_DEBUG_H
#define SL_DEBUG_PTX_DEBUG_H

#include "debug/ptx/ptx_stub.h"
#include "debug/ptx/ptx_view.h"
#include "debug/remote.h"
#include "isa/probe.h"

/* Watchpoints on global memory, on the shared memory of a block, and on the local memory of a lane.
 *
 * A watchpoint on shared or local memory belongs to the block or lane that was selected when gdb set it, by its number
 * in the grid. gdb takes all watchpoints away at a stop and sets them again when the run goes on, so a watchpoint that
 * comes back before the run has moved keeps its block and lane. */

enum { SL_PTX_WATCHES = 16, SL_PTX_WATCH_BYTES = 8 };
enum sl_ptx_watch_type { SL_PTX_WATCH_WRITE = 2, SL_PTX_WATCH_READ, SL_PTX_WATCH_ACCESS };

struct sl_ptx_watchpoint {
  enum sl_ptx_watch_type type;
  bool set; /* else gdb has taken it away since the last stop */
  uint64_t address;
  unsigned size;
  uint64_t block;      /* of shared and local memory */
  unsigned warp, lane; /* of local memory */
  bool known;          /* value: what the memory has had since the last look */
  uint8_t value[SL_PTX_WATCH_BYTES];
};

struct sl_ptx_watches {
  struct sl_ptx_watchpoint item[SL_PTX_WATCHES];
  unsigned count; /* with those that have been taken away */
  bool any;       /* is set */
};

/* Sets and takes away. Returns false if gdb has too many, or this one cannot be watched. */
bool sl_ptx_watch_set(struct sl_ptx_watches *watches, const struct sl_ptx_view *view, unsigned thread,
                      enum sl_ptx_watch_type type, uint64_t address, uint64_t size);
void sl_ptx_watch_remove(struct sl_ptx_watches *watches, enum sl_ptx_watch_type type, uint64_t address, uint64_t size);

/* The run goes on: forgets watchpoints that gdb has not set again, and all values. */
void sl_ptx_watch_go_on(struct sl_ptx_watches *watches);

/* Looks at the values that are visible in the view. */
void sl_ptx_watch_look(struct sl_ptx_watches *watches, const struct sl_ptx_view *view);

/* After an executed instruction, whose block is in the view: the first watchpoint that stops the run, and the lane that
 * made it stop. NULL: none. */
const struct sl_ptx_watchpoint *sl_ptx_watch_check(struct sl_ptx_watches *watches, const struct sl_ptx_view *view,
                                                   const struct sl_probe *executed, unsigned *lane);

enum {
  SL_PTX_BREAKPOINTS = 256,
  SL_PTX_CONDITION = 512,
  SL_PTX_KNOWN = 1 << 13,
  SL_PTX_STEPS = 1 << 14,
  SL_PTX_MISSED = 64
};
enum { SL_PTX_TRAP = 5, SL_PTX_INTERRUPT = 2, SL_PTX_ILLEGAL = 4, SL_PTX_BUS = 10, SL_PTX_SEGMENT = 11 };

struct sl_ptx_breakpoint {
  uint32_t pc; /* number over all modules */
  bool away;   /* gdb has taken it away since the run last went on */
  uint8_t condition[SL_PTX_CONDITION];
  size_t size;
};

/* Why the run has stopped, as gdb hears of it. */
struct sl_ptx_stop {
  int signal;
  char reason[40]; /* "hwbreak:;", "watch:c0000000;" or empty */
  char text[900];  /* for the user; may be empty */
};

/* What the run does up to the next stop. */
enum sl_ptx_goal {
  SL_PTX_FORWARD, /* stops where gdb wants to */
  SL_PTX_GO,      /* stops at a spot */
  SL_PTX_AGAIN,   /* goes forward from a spot on */
  SL_PTX_TRACE,   /* writes a trace of a part, then goes to a spot */
  SL_PTX_LAST_STEP,
  SL_PTX_LAST_STOP /* look for the last instruction of a thread, the last stop, before a place */
};

/* A warp that has reached a breakpoint while it was away. */
struct sl_ptx_missed {
  struct sl_ptx_spot spot;
  uint32_t pc, lanes;
};

/* What ends a trace: gdb's command, gdb itself, or the end of the script. */
enum sl_ptx_trace_end { SL_PTX_TRACE_OFF, SL_PTX_TRACE_KILLED, SL_PTX_TRACE_DETACHED, SL_PTX_TRACE_TO_END };

/* A block that runs, and the number in events of its first warp. */
struct sl_ptx_known {
  const struct sl_ptx_block *block;
  unsigned first;
};

/* The latest instructions, by place. */
struct sl_ptx_step {
  uint64_t place, block;
  unsigned launch;
  unsigned warp; /* in the block */
  uint32_t lanes;
};

struct sl_ptx_stub {
  struct sl_connection connection;
  struct sl_reply reply, threads, description;
  struct sl_reply libraries, library_list; /* modules since gdb has connected; the document that has them */
  bool news;                               /* gdb does not know all of them */
  struct sl_probes probes;
  bool fast, extended; /* extended: gdb can begin the run again */
  bool hosted;         /* a host program launches the kernels: the run goes back to the launch's beginning */
  bool faulted;        /* hosted: the run has stopped at the launch's fault, and nothing has changed since */
  bool passes;         /* hosted: from there it goes on: the launch fails */
  struct sl_ptx_breakpoint breakpoint[SL_PTX_BREAKPOINTS];
  unsigned breakpoints;
  /* gdb wants one thread at a breakpoint, which several lanes of a warp reach. If it rejects that one, because the
   * condition does not hold for it or it is another thread, it steps it over the breakpoint without reading the list of
   * threads. The next lane is then offered before the warp moves. */
  uint32_t offer; /* lanes of the selected thread's warp */
  bool prompted;  /* gdb has read the list of threads since the stop */
  /* gdb takes a breakpoint away, or has not set it yet, while it steps a thread over it. Other warps may reach it
   * meanwhile: gdb is told of them when it continues. */
  const struct sl_ptx_breakpoint *ghost; /* NULL: none; else the next one */
  struct sl_ptx_breakpoint stepped_over;
  struct sl_ptx_missed missed[SL_PTX_MISSED];
  unsigned missed_count;
  struct sl_ptx_watches watches;
  struct sl_ptx_changes changes;
  struct sl_ptx_replay replay;
  struct sl_ptx_known known[SL_PTX_KNOWN]; /* by a hash of the pointer */
  unsigned known_count;
  struct sl_ptx_step step[SL_PTX_STEPS]; /* by place, as far as it goes */
  /* Where the run has stopped: */
  struct sl_ptx_view view;
  struct sl_ptx_register_set set;
  unsigned launch;
  unsigned focus;   /* the thread that gdb has selected */
  unsigned chosen;  /* by the user, or of the last stop: the thread of reverse commands that name none */
  unsigned alive;   /* gdb has just asked for this thread; with its selection, the user has chosen it */
  unsigned resumed; /* Hc; 0: any */
  struct sl_ptx_stop last;
  enum { SL_PTX_STOP_PLAIN, SL_PTX_STOP_AFTER, SL_PTX_STOP_BACK } moved; /* as in debug/debug.h */
  /* What gdb wants: */
  bool asked; /* gdb waits for a stop reply */
  bool steps;
  struct sl_ptx_spot stepped; /* its thread */
  uint64_t from, to;          /* range of a step; equal: one instruction */
  bool stop_at_launch;
  bool launched; /* stop at the next block or instruction */
  bool served, detached, killed, leaving;
  unsigned events;
  enum sl_ptx_goal goal;
  struct sl_ptx_spot spot; /* the spot to go to, and the stop there; or the thread of LAST_STEP */
  struct sl_ptx_stop stop;
  uint64_t before;           /* LAST_STEP, LAST_STOP: the place */
  struct sl_ptx_spot wanted; /* LAST_STOP: the thread that is told, if it is one of those at a breakpoint */
  bool found;
  struct sl_debug_tracer tracer;
  struct sl_probes traced; /* of the open trace */
  bool tracing, trace_begun;
  uint64_t traced_from, trace_begin; /* places; the trace ends at `before` */
  enum sl_ptx_trace_end trace_end;
  struct sl_probe launch_event; /* that began the present launch */
  bool monitors;                /* a monitor command has left the run: its answer is due */
  struct sl_reply monitored;    /* the answer */
  struct sl_ptx_spot hit;       /* the last one found so far, and its stop */
  struct sl_ptx_stop hit_stop;
};

/* ---- ptx_view.c -------------------------------------------------------------------------------------------------- */

/* The spot of a thread of the view at the present place. */
struct sl_ptx_spot sl_ptx_spot_of(const struct sl_ptx_stub *stub, unsigned thread);

/* Whether the block of a spot is known at its place: then it is in the view. Otherwise the run begins again from an
 * earlier checkpoint. */
bool sl_ptx_find_spot(struct sl_ptx_stub *stub, const struct sl_ptx_spot *spot, struct sl_ptx_view *view);

/* Ends the run, which begins again from the latest checkpoint before a place. The second one goes to a spot and stops
 * there. */
void sl_ptx_leave(struct sl_ptx_stub *stub, enum sl_ptx_goal goal, uint64_t target);
void sl_ptx_go(struct sl_ptx_stub *stub, const struct sl_ptx_spot *spot, const struct sl_ptx_stop *stop);

/* A stop at a watchpoint. */
struct sl_ptx_stop sl_ptx_watch_stop(const struct sl_ptx_watchpoint *watchpoint);

/* Memory as the thread sees it, zeros where there is none. */
void sl_ptx_read_memory(const void *stub, unsigned thread, uint64_t address, uint8_t *bytes, size_t size);

/* The lanes of a warp whose next instruction has a breakpoint that holds for them. */
uint32_t sl_ptx_broken(const struct sl_ptx_stub *stub, const struct sl_ptx_warp *warp);

/* The same for the breakpoint that is away while gdb steps a thread over it: notes the warp. */
void sl_ptx_note_missed(struct sl_ptx_stub *stub, const struct sl_ptx_warp *warp);

/* ---- ptx_replay.c ------------------------------------------------------------------------------------------------ */

/* Commands of gdb; the run ends to be played again. */
void sl_ptx_reverse_step(struct sl_ptx_stub *stub, unsigned thread);
void sl_ptx_reverse_continue(struct sl_ptx_stub *stub);
void sl_ptx_restart(struct sl_ptx_stub *stub);

/* LAST_STEP and LAST_STOP: an event, whose block is in the view. */
void sl_ptx_search(struct sl_ptx_stub *stub, const struct sl_probe *event);

/* Leaves the run to write the open trace, and tells it an event of that run. */
void sl_ptx_trace_leave(struct sl_ptx_stub *stub, enum sl_ptx_trace_end end);
void sl_ptx_trace_tell(struct sl_ptx_stub *stub, const struct sl_probe *event);

/* Ends the trace. */
void sl_ptx_trace_close(struct sl_ptx_stub *stub, struct sl_reply *text);

/* ---- ptx_monitor.c ----------------------------------------------------------------------------------------------- */

void sl_ptx_monitor(struct sl_ptx_stub *stub, const char *command, struct sl_reply *text);

/* ---- ptx_packets.c ----------------------------------------------------------------------------------------------- */

/* Serves gdb until it lets the run go on, or ends it. */
void sl_ptx_serve(struct sl_ptx_stub *stub);

/* Tells gdb of the last stop, at the selected thread. */
void sl_ptx_answer_stop(struct sl_ptx_stub *stub, uint64_t pc);
void sl_ptx_send_text(struct sl_ptx_stub *stub, const char *text);

/* ---- ptx_run.c --------------------------------------------------------------------------------------------------- */

/* The observer of the run. */
bool sl_ptx_tell(void *stub, const struct sl_probe *probe);

#endif
