/* gdb's `monitor` commands: what the machine knows and gdb has no word for. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "debug/debug.h"
#include "machine/machine_state.h"

static const char *const wait_name[] = {[SL_WARP_RUNS] = "runs",
                                        [SL_WARP_WAITS_FOR_UNIT] = "waits for a unit",
                                        [SL_WARP_WAITS_FOR_MEMORY] = "waits for memory",
                                        [SL_WARP_OFF] = "never started",
                                        [SL_WARP_AT_BARRIER] = "waits at the barrier",
                                        [SL_WARP_WAITS_FOR_WARPS] = "waits for other warps",
                                        [SL_WARP_ENDED] = "has ended"};

static const char no_kernel[] = "no kernel runs\n";

static void print_warp(const struct sl_debug *d, unsigned warp, struct sl_reply *text)
{
  const struct sl_warp_status status = sl_target_warp(&d->target, warp);
  char place[300];
  sl_location_format(d->target.program, status.pc, place, sizeof place);
  sl_reply_print(text, "warp %u %s, lanes %016" PRIx64 ", pc 0x%08" PRIx32 " in %s\n", warp, wait_name[status.wait],
                 (uint64_t)status.active, status.pc, place);
}

static void warps(struct sl_debug *d, const char *argument, struct sl_reply *text)
{
  unsigned live = 0;
  (void)argument;
  for (unsigned w = 0; w < d->target.warps; w++)
    if (sl_warp_lives(&d->target, w)) {
      print_warp(d, w, text);
      live++;
    }
  if (live == 0)
    sl_reply_print(text, no_kernel);
}

/* Why the selected thread's warp does not go on: its wait, and the paths that its lanes are on. */
static void why(struct sl_debug *d, const char *argument, struct sl_reply *text)
{
  struct sl_warp_path path[SL_MAX_LANES];
  (void)argument;
  if (d->focus == SL_THREAD_HOST) {
    sl_reply_print(text, sl_replay_kernel_runs(&d->replay) ? "the host waits for the kernel\n" : "the host runs\n");
    return;
  }
  const unsigned warp = sl_warp_of(&d->target, d->focus), lane = sl_lane_of(&d->target, d->focus);
  if (!sl_warp_lives(&d->target, warp)) {
    sl_reply_print(text, no_kernel);
    return;
  }
  print_warp(d, warp, text);
  if (!(sl_target_warp(&d->target, warp).active >> lane & 1))
    sl_reply_print(text, "lane %u is masked: the warp executes another path first\n", lane);
  if (d->replay.machine->view.warp_paths == NULL)
    return;
  const unsigned count = d->replay.machine->view.warp_paths(sl_device_sm(d->replay.device), warp, path);
  for (unsigned i = 0; i < count && count > 1; i++)
    sl_reply_print(text, "path %u: lanes %016" PRIx64 " at 0x%08" PRIx32 "\n", i, (uint64_t)path[i].lanes, path[i].pc);
}

/* Counters of the current or last launch that are not 0. `role` -1: all. */
static void print_counters(const struct sl_debug *d, int role, struct sl_reply *text)
{
  const struct sl_counters *list = d->replay.machine->counters;
  for (size_t i = 0; i < list->count; i++) {
    const uint64_t value = d->replay.machine->view.counter(sl_device_sm(d->replay.device), i);
    if (value != 0 && (role < 0 || list->counter[i].role == (enum sl_counter_role)role))
      sl_reply_print(text, "%-32s %12" PRIu64 " %s\n", list->counter[i].name, value, list->counter[i].unit);
  }
  if (text->size == 0)
    sl_reply_print(text, "all counters are 0\n");
}

static void counters(struct sl_debug *d, const char *argument, struct sl_reply *text)
{
  (void)argument;
  print_counters(d, -1, text);
}

static void units(struct sl_debug *d, const char *argument, struct sl_reply *text)
{
  unsigned count[sizeof wait_name / sizeof *wait_name] = {0};
  (void)argument;
  for (unsigned w = 0; w < d->target.warps && sl_replay_kernel_runs(&d->replay); w++)
    count[sl_target_warp(&d->target, w).wait]++;
  for (unsigned i = 0; i < sizeof count / sizeof *count; i++)
    if (count[i] > 0)
      sl_reply_print(text, "%4u warps: %s\n", count[i], wait_name[i]);
  print_counters(d, SL_COUNTER_STALL_REASON, text);
}

/* Values of the machine's state, by their paths. */
struct state_list {
  const char *wanted; /* part of the paths; "": only the names of the parts */
  struct sl_reply *text;
  char part[64]; /* the last part */
  unsigned printed, left;
};

static void print_value(void *context, const struct sl_value *value)
{
  enum { MOST = 256 };
  struct state_list *list = context;
  char text[64];
  if (list->wanted[0] == '\0') {
    const size_t size = strcspn(value->path, ".[");
    if (size < sizeof list->part && (strncmp(list->part, value->path, size) != 0 || list->part[size] != '\0')) {
      snprintf(list->part, sizeof list->part, "%.*s", (int)size, value->path);
      sl_reply_print(list->text, "%s\n", list->part);
    }
    return;
  }
  if (value->bits == 0 || strstr(value->path, list->wanted) == NULL)
    return;
  if (list->printed == MOST) {
    list->left++;
    return;
  }
  list->printed++;
  sl_value_text(value, text, sizeof text);
  sl_reply_print(list->text, "%-40s %s\n", value->path, text);
}

static void state(struct sl_debug *d, const char *argument, struct sl_reply *text)
{
  struct state_list list = {.wanted = argument, .text = text};
  sl_device_state_each(d->replay.device, print_value, &list);
  if (argument[0] == '\0')
    sl_reply_print(text, "monitor state TEXT shows the values whose names have TEXT and that are not 0\n");
  else if (list.printed == 0)
    sl_reply_print(text, "no value other than 0 has a name with '%.80s'\n", argument);
  if (list.left > 0)
    sl_reply_print(text, "and %u more\n", list.left);
}

static void cycle(struct sl_debug *d, const char *argument, struct sl_reply *text)
{
  const struct sl_result *result = sl_device_result(d->replay.device);
  (void)argument;
  sl_reply_print(text, "tick %" PRIu64 " of %" PRIu64 ", launch %zu, %zu checkpoints\n", sl_replay_now(&d->replay),
                 d->replay.furthest, result->launch_count, d->replay.points);
}

static void threads(struct sl_debug *d, const char *argument, struct sl_reply *text)
{
  static const char *const name[] = {"auto", "all", "warps", "active"};
  for (unsigned i = 0; i < sizeof name / sizeof *name; i++)
    if (strcmp(argument, name[i]) == 0) {
      d->target.shown = (enum sl_threads_shown)i;
      sl_reply_print(text, "gdb lists %s\n", i == 0 ? "all lanes up to 4096, else a lane per warp" : name[i]);
      return;
    }
  sl_reply_print(text, "monitor threads takes auto, all, warps or active\n");
}

static void stop_at_launch(struct sl_debug *d, const char *argument, struct sl_reply *text)
{
  const bool on = strcmp(argument, "on") == 0;
  if (!on && strcmp(argument, "off") != 0) {
    sl_reply_print(text, "monitor stop-at-launch takes on or off\n");
    return;
  }
  d->stops_at_launches = on && d->launches;
  d->control.stop_at_launch = on && !d->launches;
  sl_reply_print(text, "the run %s when a kernel begins or ends\n", on ? "stops" : "does not stop");
}

void sl_monitor_end_trace(struct sl_debug *d, struct sl_reply *text)
{
  uint64_t instructions = 0;
  struct sl_error err = {.code = SL_OK};
  const uint64_t from = d->traced_from, now = sl_replay_now(&d->replay);
  d->tracing = false;
  sl_replay_observe(&d->replay, from, &d->traced);
  if (d->tracer.close(d->tracer.context, &instructions, &err) != SL_OK)
    sl_reply_print(text, "no trace: %s\n", err.text);
  else
    sl_reply_print(text, "trace of %" PRIu64 " instructions, ticks %" PRIu64 " to %" PRIu64 "\n", instructions,
                   from < now ? from : now, from < now ? now : from);
}

/* The trace is of the run between the two commands, which may be a way back. It is written by executing that again. */
static void trace(struct sl_debug *d, const char *argument, struct sl_reply *text)
{
  struct sl_error err = {.code = SL_OK};
  if (strcmp(argument, "off") == 0) {
    if (d->tracing)
      sl_monitor_end_trace(d, text);
    else
      sl_reply_print(text, "no trace is on\n");
  } else if (strncmp(argument, "on ", 3) != 0)
    sl_reply_print(text,
                   "monitor trace takes on FILE or off; the ending of FILE is that of a format, as in run.html\n");
  else if (d->tracing)
    sl_reply_print(text, "a trace is on since tick %" PRIu64 "; monitor trace off ends it\n", d->traced_from);
  else if (d->replay.order.options.fast)
    sl_reply_print(text, "a trace needs timing: start simtlab gdb without --fast\n");
  else if (d->tracer.open(d->tracer.context, argument + 3, &d->traced, &err) != SL_OK)
    sl_reply_print(text, "no trace: %s\n", err.text);
  else {
    d->tracing = true;
    d->traced_from = sl_replay_now(&d->replay);
    sl_reply_print(text, "trace from tick %" PRIu64 " on; monitor trace off or the end of gdb writes it\n",
                   d->traced_from);
  }
}

static void help(struct sl_debug *d, const char *argument, struct sl_reply *text);

static const struct command {
  const char *name;
  void (*run)(struct sl_debug *d, const char *argument, struct sl_reply *text);
  const char *meaning;
} commands[] = {
    {"warps", warps, "what each warp does, and where"},
    {"why", why, "why the selected lane's warp waits; its paths"},
    {"counters", counters, "the launch's counters that are not 0"},
    {"units", units, "warps by what they wait for; stall reasons"},
    {"state", state, "[TEXT]: the machine's state, values whose names have TEXT"},
    {"cycle", cycle, "the place in the run"},
    {"threads", threads, "auto|all|warps|active: the lanes that gdb lists"},
    {"stop-at-launch", stop_at_launch, "on|off: stop when a kernel begins or ends"},
    {"trace", trace, "on FILE|off: write a trace of the cycles between, as simtlab trace does"},
    {"help", help, "this list"},
};

static void help(struct sl_debug *d, const char *argument, struct sl_reply *text)
{
  (void)d;
  (void)argument;
  for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
    sl_reply_print(text, "monitor %-15s %s\n", commands[i].name, commands[i].meaning);
}

void sl_monitor(struct sl_debug *debug, const char *command, struct sl_reply *text)
{
  const size_t size = strcspn(command, " ");
  const char *argument = command + size + strspn(command + size, " ");
  for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
    if (strlen(commands[i].name) == size && strncmp(commands[i].name, command, size) == 0) {
      commands[i].run(debug, argument, text);
      return;
    }
  sl_reply_print(text, "unknown command '%.80s'; monitor help lists them\n", command);
}
