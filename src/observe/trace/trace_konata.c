/* Kanata 0004, the text format of the pipeline viewer Konata.
 * Source: https://github.com/shioyadan/Konata, docs/kanata-log-format.md.
 *
 * Each attempt of a warp's instruction is a row: command I with its warp as thread. Lane 0 has the stages of the
 * machine. The viewer draws time from 0, so the first label of a launch names its cycle. Fields are separated by tabs;
 * the newline of a text is "\n". */
#include <inttypes.h>
#include <stdlib.h>

#include "observe/trace/trace.h"

struct konata {
  uint64_t time;    /* of the latest command C */
  uint64_t retired; /* instructions so far */
};

static enum sl_status begin(struct sl_trace *trace, struct sl_error *err)
{
  struct konata *k = trace->state = calloc(1, sizeof *k);
  if (k == NULL)
    return sl_no_memory(err, sizeof *k);
  sl_trace_file_print(&trace->file, "Kanata\t0004\nC=\t0\n");
  return SL_OK;
}

static void advance(struct sl_trace *trace, uint64_t time)
{
  struct konata *k = trace->state;
  if (time > k->time)
    sl_trace_file_print(&trace->file, "C\t%" PRIu64 "\n", time - k->time);
  k->time = time > k->time ? time : k->time;
}

static const char *stage_name(const struct sl_trace *trace, unsigned stage)
{
  return trace->order.machine->stages->stage[stage].name;
}

static void enter(struct sl_trace *trace, struct sl_trace_insn *insn, bool first, unsigned stage, uint64_t time)
{
  advance(trace, time);
  if (first) {
    sl_trace_file_print(&trace->file, "I\t%" PRIu64 "\t%" PRIu64 "\t%u\n", insn->row, insn->id, insn->warp);
    sl_trace_file_print(&trace->file, "L\t%" PRIu64 "\t0\t%08" PRIx64 "  \n", insn->row, insn->pc);
    sl_trace_file_print(&trace->file, "L\t%" PRIu64 "\t1\tcore %u, warp %u\\n\n", insn->row, insn->core, insn->warp);
  }
  sl_trace_file_print(&trace->file, "S\t%" PRIu64 "\t0\t%s\n", insn->row, stage_name(trace, stage));
}

static void leave(struct sl_trace *trace, struct sl_trace_insn *insn, enum sl_trace_end how, uint64_t time)
{
  static const char *const how_it_ends[] = {
      [SL_TRACE_RETIRED] = "retired",
      [SL_TRACE_RETRIED] = "retried, with a later row",
      [SL_TRACE_FLUSHED] = "flushed",
      [SL_TRACE_ABORTED] = "moved to the vector pipeline",
      [SL_TRACE_CUT] = "in the pipeline at the end",
  };
  struct konata *k = trace->state;
  advance(trace, time);
  sl_trace_file_print(&trace->file, "L\t%" PRIu64 "\t1\t%s\n", insn->row, how_it_ends[how]);
  sl_trace_file_print(&trace->file, "E\t%" PRIu64 "\t0\t%s\n", insn->row, stage_name(trace, insn->stage));
  sl_trace_file_print(&trace->file, "R\t%" PRIu64 "\t%" PRIu64 "\t%d\n", insn->row,
                      how == SL_TRACE_RETIRED ? k->retired++ : k->retired, how != SL_TRACE_RETIRED);
}

/* The viewer has a label for each row only, so an execution adds the instruction's text and lanes. */
static void event(struct sl_trace *trace, const struct sl_probe *probe, const struct sl_trace_insn *insn, uint64_t time)
{
  const struct sl_trace_code *code = sl_trace_code(trace, probe->pc);
  (void)time;
  if (insn == NULL || code == NULL)
    return;
  if (probe->kind == SL_PROBE_SWITCHED) {
    sl_trace_file_print(&trace->file, "L\t%" PRIu64 "\t1\tthen lanes %0*" PRIx64 " at %08" PRIx64 "\\n\n", insn->row,
                        (int)(probe->lanes + 3) / 4, (uint64_t)probe->active, probe->holder);
    return;
  }
  sl_trace_file_print(&trace->file, "L\t%" PRIu64 "\t0\t%s\n", insn->row, code->text);
  sl_trace_file_print(&trace->file, "L\t%" PRIu64 "\t1\tlanes %0*" PRIx64 "%s%s\\n\n", insn->row,
                      (int)(probe->lanes + 3) / 4, (uint64_t)probe->active, code->place[0] != '\0' ? ", " : "",
                      code->place);
}

static void end(struct sl_trace *trace, uint64_t time)
{
  advance(trace, time);
}

const struct sl_trace_format sl_trace_konata = {
    .places = true,
    .wanted = SL_PROBE_EXECUTED | SL_PROBE_SWITCHED,
    .begin = begin,
    .enter = enter,
    .leave = leave,
    .event = event,
    .end = end,
};
