/* gdb's `monitor` commands for launch scripts of PTX: what the machine knows and gdb has no word for. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "debug/ptx/ptx_debug.h"
#include "device/gpu_kind.h"
#include "machine/machine.h"

static const char no_thread[] = "no thread runs\n", no_timing[] = "without timing, there are none; start simtlab gdb "
                                                                  "without --fast\n";

/* The selected thread's warp; NULL: no thread runs, as the text says. */
static const struct sl_ptx_warp *warp_of(const struct sl_ptx_stub *s, struct sl_reply *to)
{
  const struct sl_ptx_warp *w = s->view.registers != NULL ? sl_ptx_view_warp(&s->view, s->focus) : NULL;
  if (w == NULL || sl_ptx_view_entry(w, sl_ptx_view_lane(s->focus)) == NULL)
    w = NULL;
  if (w == NULL)
    sl_reply_print(to, "%s", no_thread);
  return w;
}

static uint32_t pc_of(const struct sl_ptx_stub *s, const struct sl_ptx_warp *w)
{
  return sl_ptx_view_entry(w, sl_ptx_view_lane(s->focus))->pc;
}

/* The GPU with timing; NULL: none, or no thread runs. */
static const struct sl_gpu *timed(const struct sl_ptx_stub *s)
{
  const struct sl_gpu *gpu = s->replay.moment.gpu;
  return s->view.block != NULL && !sl_gpu_fast(gpu) ? gpu : NULL;
}

/* ---- code and values --------------------------------------------------------------------------------------------- */

static void registers(struct sl_ptx_stub *s, const char *argument, struct sl_reply *to)
{
  const struct sl_ptx_warp *w = warp_of(s, to);
  if (w != NULL)
    sl_ptx_registers_print(s->view.registers, w, sl_ptx_view_lane(s->focus), pc_of(s, w), argument, to);
}

static void code(struct sl_ptx_stub *s, const char *argument, struct sl_reply *to)
{
  enum { AROUND = 3 };
  const struct sl_ptx_warp *w = warp_of(s, to);
  char text[300];
  (void)argument;
  if (w == NULL)
    return;
  const struct sl_ptx_module *m = w->block->launch->module;
  const uint32_t pc = pc_of(s, w);
  for (uint32_t at = pc > AROUND ? pc - AROUND : 0; at <= pc + AROUND && at < m->code_count; at++) {
    sl_ptx_text(m, &s->view.registers->source, at, text, sizeof text);
    sl_reply_print(to, "%s %s:%u: %s\n", at == pc ? "=>" : "  ", m->path, m->code[at].line, text);
  }
}

static void shared(struct sl_ptx_stub *s, const char *argument, struct sl_reply *to)
{
  const struct sl_ptx_block *b = s->view.block;
  char *end;
  const unsigned long first = strtoul(argument, &end, 0), count = strtoul(end, NULL, 0);
  if (warp_of(s, to) == NULL)
    return;
  for (unsigned long at = first / 4 * 4, n = 0; n <= count && at < b->shared_bytes && b->shared_bytes - at >= 4;
       at += 4, n++) {
    uint32_t word;
    memcpy(&word, b->shared + at, sizeof word);
    sl_reply_print(to, "shared 0x%lx: 0x%08" PRIx32 " %" PRId32 "\n", at, word, (int32_t)word);
  }
  if (to->size == 0)
    sl_reply_print(to, "the block has %u bytes of shared memory\n", b->shared_bytes);
}

/* ---- warps ------------------------------------------------------------------------------------------------------- */

/* Why a warp does not execute. The machine has not yet handled the instruction that the stop follows. */
static const char *wait_of(const struct sl_ptx_stub *s, const struct sl_ptx_warp *w)
{
  const struct sl_gpu *gpu = timed(s);
  const struct sl_ptx_step *latest = &s->step[s->replay.place % SL_PTX_STEPS];
  if (w->stack.depth == 0)
    return "has ended";
  if (latest->place == s->replay.place && latest->lanes != 0 && latest->warp == w->index &&
      latest->block == sl_ptx_view_number(w->block))
    return "has just executed an instruction";
  if (gpu != NULL)
    return sl_gpu_ptx_warp(gpu, s->view.first + w->index).wait;
  const struct sl_ptx_grid *grid = sl_gpu_ptx_grid(s->replay.moment.gpu);
  return grid != NULL && sl_ptx_grid_waits(grid, w->block, w->index) ? "waits at a barrier" : "can execute";
}

static void print_paths(const struct sl_ptx_warp *w, struct sl_reply *to)
{
  const struct sl_ptx_module *m = w->block->launch->module;
  for (uint32_t k = w->stack.depth; k-- > 0;) {
    const struct sl_simt_stack_entry *entry = &w->stack.entries[k];
    if (entry->mask != 0)
      sl_reply_print(to, "warp %u lanes %08" PRIx32 " at %s:%u\n", w->index, entry->mask, m->path,
                     entry->pc < m->code_count ? m->code[entry->pc].line : 0);
  }
}

static void warps(struct sl_ptx_stub *s, const char *argument, struct sl_reply *to)
{
  (void)argument;
  if (s->view.block == NULL)
    sl_reply_print(to, "%s", no_thread);
  for (unsigned i = 0; s->view.block != NULL && i < s->view.block->warp_count; i++) {
    const struct sl_ptx_warp *w = &s->view.block->warps[i];
    sl_reply_print(to, "warp %u %s\n", i, wait_of(s, w));
    print_paths(w, to);
  }
}

static void why(struct sl_ptx_stub *s, const char *argument, struct sl_reply *to)
{
  const struct sl_ptx_warp *w = warp_of(s, to);
  const unsigned lane = sl_ptx_view_lane(s->focus);
  const struct sl_gpu *gpu = timed(s);
  char text[300];
  (void)argument;
  if (w == NULL)
    return;
  sl_ptx_text(w->block->launch->module, &s->view.registers->source, sl_simt_stack_pc(&w->stack), text, sizeof text);
  sl_reply_print(to, "warp %u %s; next: %s\n", w->index, wait_of(s, w), text);
  if ((sl_simt_stack_mask(&w->stack) >> lane & 1) == 0)
    sl_reply_print(to, "lane %u is masked: the warp executes another path first\n", lane);
  print_paths(w, to);
  if (gpu == NULL)
    return;
  const struct sl_gpu_ptx_warp own = sl_gpu_ptx_warp(gpu, s->view.first + w->index);
  sl_reply_print(to, "SM %u, warp %u of it: %u results, %u stores and %u atomics are outstanding\n", own.sm, own.warp,
                 own.results, own.stores, own.atomics);
}

/* ---- the machine ------------------------------------------------------------------------------------------------- */

/* Counters of the launch so far that are not 0. `role` -1: all. */
static void print_counters(const struct sl_gpu *gpu, int role, struct sl_reply *to)
{
  const struct sl_counters *counters = sl_gpu_config(gpu)->machine->counters;
  for (size_t i = 0; i < counters->count; i++) {
    const struct sl_counter *counter = &counters->counter[i];
    const uint64_t value = sl_gpu_ptx_counter(gpu, i);
    if (value != 0 && (role < 0 || counter->role == (enum sl_counter_role)role))
      sl_reply_print(to, "%-32s %12" PRIu64 " %s\n", counter->name, value, counter->unit);
  }
  if (to->size == 0)
    sl_reply_print(to, "all counters are 0\n");
}

static void counters(struct sl_ptx_stub *s, const char *argument, struct sl_reply *to)
{
  const struct sl_gpu *gpu = timed(s);
  (void)argument;
  if (gpu == NULL)
    sl_reply_print(to, "%s", s->fast ? no_timing : no_thread);
  else
    print_counters(gpu, -1, to);
}

static void units(struct sl_ptx_stub *s, const char *argument, struct sl_reply *to)
{
  const struct sl_gpu *gpu = timed(s);
  struct sl_holding holding[SL_HOLDINGS];
  (void)argument;
  if (gpu == NULL) {
    sl_reply_print(to, "%s", s->fast ? no_timing : no_thread);
    return;
  }
  const unsigned count = sl_gpu_ptx_holdings(gpu, s->view.first, holding);
  for (unsigned i = 0; i < count; i++) {
    sl_reply_print(to, "%6u %s", holding[i].count, holding[i].name);
    if (holding[i].room > 0)
      sl_reply_print(to, ", of %u", holding[i].room);
    sl_reply_print(to, "\n");
  }
  print_counters(gpu, SL_COUNTER_STALL_REASON, to);
}

static void cycle(struct sl_ptx_stub *s, const char *argument, struct sl_reply *to)
{
  (void)argument;
  sl_reply_print(to, "place %" PRIu64 " of %" PRIu64 ", launch %u, %s %" PRIu64 ", %u checkpoints\n", s->replay.place,
                 s->replay.furthest, s->launch + 1, s->fast ? "instruction" : "cycle", s->view.cycle,
                 s->replay.points + s->replay.nears - 1);
}

/* ---- traces ------------------------------------------------------------------------------------------------------ */

/* Traces of a part of the run of a launch script, or of a launch of a host program. The trace is written by playing
 * that part again: it may be a way back, and a timed GPU reports what a trace needs only from its creation on. */

void sl_ptx_trace_leave(struct sl_ptx_stub *s, enum sl_ptx_trace_end end)
{
  const uint64_t from = s->traced_from, now = s->replay.place;
  s->trace_end = end;
  s->trace_begin = from < now ? from : now;
  s->before = end == SL_PTX_TRACE_TO_END ? UINT64_MAX : from < now ? now : from;
  s->spot = sl_ptx_spot_of(s, s->focus);
  s->trace_begun = false;
  sl_ptx_leave(s, SL_PTX_TRACE, s->trace_begin);
  s->replay.ask = s->changes.count > 0 ? 1 : s->trace_begin + 1; /* all blocks are known, so changes are repeated */
}

void sl_ptx_trace_tell(struct sl_ptx_stub *s, const struct sl_probe *p)
{
  if (p->kind == SL_PROBE_LAUNCHED)
    s->launch_event = *p;
  if (s->replay.place < s->trace_begin || s->replay.place >= s->before)
    return;
  if (!s->trace_begun && p->kind != SL_PROBE_LAUNCHED) { /* the kernel has begun before the trace */
    s->launch_event.cycle = 0;
    sl_tell(&s->traced, &s->launch_event);
  }
  s->trace_begun = true;
  sl_tell(&s->traced, p);
}

void sl_ptx_trace_close(struct sl_ptx_stub *s, struct sl_reply *text)
{
  uint64_t instructions = 0;
  struct sl_error err = {.code = SL_OK};
  s->tracing = false;
  if (s->tracer.close(s->tracer.context, &instructions, &err) != SL_OK)
    sl_reply_print(text, "no trace: %s\n", err.text);
  else
    sl_reply_print(text, "trace of %" PRIu64 " instructions, places %" PRIu64 " to %" PRIu64 "\n", instructions,
                   s->trace_begin, s->replay.place);
}

/* Opens a trace from this place on; says so in the text. */
static void open_trace(struct sl_ptx_stub *s, const char *path, struct sl_reply *text)
{
  struct sl_error err = {.code = SL_OK};
  if (s->tracing)
    sl_reply_print(text, "a trace is on since place %" PRIu64 "; monitor trace off ends it\n", s->traced_from);
  else if (s->fast)
    sl_reply_print(text, "a trace needs timing: start simtlab gdb without --fast\n");
  else if (s->view.block == NULL)
    sl_reply_print(text, "no thread runs\n");
  else if (!sl_ptx_replay_goes_back(&s->replay))
    sl_reply_print(text, "a trace executes the part again, but the launch's beginning was not kept\n");
  else if (s->tracer.open(s->tracer.context, path, &s->traced, &err) != SL_OK)
    sl_reply_print(text, "no trace: %s\n", err.text);
  else {
    s->tracing = true;
    s->traced_from = s->replay.place;
    sl_reply_print(text, "trace from place %" PRIu64 " on; monitor trace off or the end of %s writes it\n",
                   s->traced_from, s->hosted ? "the launch" : "gdb");
  }
}

/* ---- the run ----------------------------------------------------------------------------------------------------- */

static void stop_at_launch(struct sl_ptx_stub *s, const char *argument, struct sl_reply *to)
{
  const bool on = strcmp(argument, "on") == 0;
  if (!on && strcmp(argument, "off") != 0) {
    sl_reply_print(to, "monitor stop-at-launch takes on or off\n");
    return;
  }
  s->stop_at_launch = on;
  sl_reply_print(to, "the run %s when a kernel begins\n", on ? "stops" : "does not stop");
}

static void trace(struct sl_ptx_stub *s, const char *argument, struct sl_reply *to)
{
  if (strncmp(argument, "on ", 3) == 0)
    open_trace(s, argument + 3, to);
  else if (strcmp(argument, "off") != 0)
    sl_reply_print(to, "monitor trace takes on FILE or off; the ending of FILE is that of a format, as in run.html\n");
  else if (!s->tracing)
    sl_reply_print(to, "no trace is on\n");
  else
    sl_ptx_trace_leave(s, SL_PTX_TRACE_OFF);
}

static void help(struct sl_ptx_stub *s, const char *argument, struct sl_reply *to);

static const struct command {
  const char *name, *operands;
  void (*run)(struct sl_ptx_stub *s, const char *argument, struct sl_reply *to);
  const char *meaning;
} commands[] = {
    {"registers", " [NAME]", registers, "the lane's registers of the function"},
    {"code", "", code, "the instructions of PTX here"},
    {"shared", " ADDRESS [MORE]", shared, "words of the block's shared memory"},
    {"warps", "", warps, "what the block's warps do, and their paths"},
    {"why", "", why, "why the selected lane's warp waits; its paths"},
    {"units", "", units, "what queues and units hold; stall reasons"},
    {"counters", "", counters, "the launch's counters that are not 0"},
    {"cycle", "", cycle, "the place in the run"},
    {"stop-at-launch", " on|off", stop_at_launch, "stop when a kernel begins"},
    {"trace", " on FILE|off", trace, "write a trace of the cycles between"},
    {"help", "", help, "this list"},
};

static void help(struct sl_ptx_stub *s, const char *argument, struct sl_reply *to)
{
  (void)s;
  (void)argument;
  for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
    const int width = 24 - (int)strlen(commands[i].name);
    sl_reply_print(to, "monitor %s%-*s%s\n", commands[i].name, width, commands[i].operands, commands[i].meaning);
  }
}

void sl_ptx_monitor(struct sl_ptx_stub *s, const char *command, struct sl_reply *to)
{
  const size_t size = strcspn(command, " ");
  const char *argument = command + size + strspn(command + size, " ");
  for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
    if (strlen(commands[i].name) == size && strncmp(commands[i].name, command, size) == 0) {
      commands[i].run(s, argument, to);
      return;
    }
  sl_reply_print(to, "unknown command '%.80s'; monitor help lists them\n", command);
}
