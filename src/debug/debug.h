/* A debugger's stub: serves gdb's remote protocol for one program (docs/how-to/debugging.md). */
#ifndef SL_DEBUG_DEBUG_H
#define SL_DEBUG_DEBUG_H

#include "debug/control.h"
#include "debug/remote.h"

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
