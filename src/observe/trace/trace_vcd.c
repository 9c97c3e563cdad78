/* Value change dump, for waveform viewers. Source: IEEE 1364-2005, 18.
 *
 * A warp of a core is a scope with four signals: `pc` and `active` of the instruction that has executed last,
 * `executed`, which is 1 in the cycles in which one executes, and `waits` at a barrier. If the machine tells changes of
 * a warp's lanes, `switched` is 1 in the cycles of such a change. A cycle is a nanosecond. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "observe/trace/trace.h"

enum signal { PC, ACTIVE, EXECUTED, WAITS, SWITCHED, SIGNALS };

struct pulse {
  uint32_t warp;
  enum signal signal; /* EXECUTED or SWITCHED */
};

struct vcd {
  unsigned signals; /* of a warp */
  uint64_t time;
  struct pulse pulsed[2 * SL_COMMIT_WARPS]; /* signals that are 1 in this cycle only */
  size_t pulses;
  uint8_t high[SL_COMMIT_WARPS][SIGNALS]; /* whether they are 1 */
};

/* The identifier of a signal: printable characters, shortest first. */
static void put_code(const struct vcd *v, unsigned warp, enum signal signal, char code[8])
{
  uint64_t n = (uint64_t)warp * v->signals + signal;
  do
    *code++ = (char)('!' + n % 94);
  while ((n /= 94) != 0);
  *code = '\0';
}

static void declare(struct sl_trace *trace, unsigned warp)
{
  const struct sl_soc *soc = &trace->order.soc;
  const struct vcd *v = trace->state;
  const unsigned widths[SIGNALS] = {64, soc->lanes, 1, 1, 1};
  static const char *const names[SIGNALS] = {"pc", "active", "executed", "waits", "switched"};
  char code[8];
  sl_trace_file_print(&trace->file, "$scope module warp%u $end\n", warp);
  for (unsigned s = 0; s < v->signals; s++) {
    put_code(v, warp, s, code);
    sl_trace_file_print(&trace->file, "$var wire %u %s %s $end\n", widths[s], code, names[s]);
  }
  sl_trace_file_print(&trace->file, "$upscope $end\n");
}

static bool shown(const struct sl_trace *trace, unsigned warp)
{
  return warp < SL_COMMIT_WARPS && (trace->order.choice.warp[warp / 64] >> (warp % 64) & 1) != 0;
}

static void set(struct sl_trace *trace, unsigned warp, enum signal signal, uint64_t value)
{
  char code[8], bits[65];
  unsigned n = 0;
  put_code(trace->state, warp, signal, code);
  if (signal != PC && signal != ACTIVE) {
    sl_trace_file_print(&trace->file, "%u%s\n", value != 0, code);
    return;
  }
  for (unsigned width = value != 0 ? 64 - (unsigned)__builtin_clzll(value) : 1; width-- > 0;)
    bits[n++] = (char)('0' + (value >> width & 1));
  bits[n] = '\0';
  sl_trace_file_print(&trace->file, "b%s %s\n", bits, code);
}

static enum sl_status begin(struct sl_trace *trace, struct sl_error *err)
{
  const struct sl_soc *soc = &trace->order.soc;
  const unsigned cores = soc->cores > 0 ? soc->cores : 1;
  struct vcd *v = trace->state = calloc(1, sizeof *v);
  if (v == NULL)
    return sl_no_memory(err, sizeof *v);
  v->signals = soc->lanes_switch ? SIGNALS : SWITCHED;
  sl_trace_file_print(&trace->file, "$version simtlab $end\n$timescale 1 ns $end\n");
  for (unsigned core = 0; core < cores; core++) {
    sl_trace_file_print(&trace->file, "$scope module core%u $end\n", core);
    for (unsigned w = core * soc->warps; w < (core + 1) * soc->warps; w++)
      if (shown(trace, w))
        declare(trace, w);
    sl_trace_file_print(&trace->file, "$upscope $end\n");
  }
  sl_trace_file_print(&trace->file, "$enddefinitions $end\n#0\n$dumpvars\n");
  for (unsigned w = 0; w < cores * soc->warps; w++)
    for (unsigned s = 0; shown(trace, w) && s < v->signals; s++)
      set(trace, w, s, 0);
  sl_trace_file_print(&trace->file, "$end\n");
  return SL_OK;
}

/* Ends the pulses of earlier cycles. */
static void advance(struct sl_trace *trace, uint64_t time)
{
  struct vcd *v = trace->state;
  if (time <= v->time)
    return;
  if (v->pulses > 0)
    sl_trace_file_print(&trace->file, "#%" PRIu64 "\n", v->time + 1);
  for (size_t i = 0; i < v->pulses; i++) {
    set(trace, v->pulsed[i].warp, v->pulsed[i].signal, 0);
    v->high[v->pulsed[i].warp][v->pulsed[i].signal] = 0;
  }
  if (v->pulses == 0 || time > v->time + 1)
    sl_trace_file_print(&trace->file, "#%" PRIu64 "\n", time);
  v->pulses = 0;
  v->time = time;
}

/* Sets a signal to 1 for this cycle. */
static void pulse(struct sl_trace *trace, uint32_t warp, enum signal signal)
{
  struct vcd *v = trace->state;
  if (v->high[warp][signal])
    return;
  set(trace, warp, signal, 1);
  v->high[warp][signal] = 1;
  v->pulsed[v->pulses++] = (struct pulse){warp, signal};
}

static void event(struct sl_trace *trace, const struct sl_probe *p, const struct sl_trace_insn *insn, uint64_t time)
{
  (void)insn, (void)time;
  if (!shown(trace, p->warp))
    return;
  advance(trace, trace->latest);
  if (p->kind == SL_PROBE_SWITCHED) {
    pulse(trace, p->warp, SWITCHED);
    return;
  }
  if (p->kind != SL_PROBE_EXECUTED) {
    set(trace, p->warp, WAITS, p->kind == SL_PROBE_ARRIVED);
    return;
  }
  set(trace, p->warp, PC, p->pc);
  set(trace, p->warp, ACTIVE, (uint64_t)p->active);
  pulse(trace, p->warp, EXECUTED);
}

static void end(struct sl_trace *trace, uint64_t time)
{
  advance(trace, time + 1);
}

const struct sl_trace_format sl_trace_vcd = {
    .wanted = SL_PROBE_EXECUTED | SL_PROBE_ARRIVED | SL_PROBE_RELEASED | SL_PROBE_SWITCHED,
    .begin = begin,
    .event = event,
    .end = end,
};
