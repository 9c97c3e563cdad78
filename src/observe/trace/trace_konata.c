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
  struct sl_trace_line line; /* of the current event */
  uint64_t time;             /* of the latest command C */
  uint64_t retired;          /* instructions so far */
};

static enum sl_status begin(struct sl_trace *trace, struct sl_error *err)
{
  struct konata *k = trace->state = calloc(1, sizeof *k);
  if (k == NULL)
    return sl_no_memory(err, sizeof *k);
  sl_trace_file_print(&trace->file, "Kanata\t0004\nC=\t0\n");
  return SL_OK;
}

/* Begins the lines of an event, with the cycles since the one before. */
static struct sl_trace_line *advance(struct sl_trace *trace, uint64_t time)
{
  struct konata *k = trace->state;
  k->line.size = 0;
  if (time > k->time) {
    SL_LINE_LITERAL(&k->line, "C\t");
    sl_line_number(&k->line, time - k->time, 10);
    SL_LINE_LITERAL(&k->line, "\n");
  }
  k->time = time > k->time ? time : k->time;
  return &k->line;
}

/* Appends the beginning of a line of an instruction: a letter, its row, and what follows. */
static void begin_line(struct sl_trace_line *line, const char *letter, uint64_t row, const char *then)
{
  sl_line_text(line, letter);
  sl_line_number(line, row, 10);
  sl_line_text(line, then);
}

static void end_lines(struct sl_trace *trace)
{
  const struct konata *k = trace->state;
  sl_trace_file_write(&trace->file, k->line.text, k->line.size);
}

static const char *stage_name(const struct sl_trace *trace, unsigned stage)
{
  return trace->order.machine->stages->stage[stage].name;
}

static void enter(struct sl_trace *trace, struct sl_trace_insn *insn, bool first, unsigned stage, uint64_t time)
{
  struct sl_trace_line *line = advance(trace, time);
  if (first) {
    begin_line(line, "I\t", insn->row, "\t");
    begin_line(line, "", insn->id, "\t");
    begin_line(line, "", insn->warp, "\n");
    begin_line(line, "L\t", insn->row, "\t0\t");
    sl_line_padded(line, insn->pc, 16, 8);
    begin_line(line, "  \nL\t", insn->row, "\t1\tcore ");
    begin_line(line, "", insn->core, ", warp ");
    begin_line(line, "", insn->warp, "\\n\n");
  }
  begin_line(line, "S\t", insn->row, "\t0\t");
  sl_line_text(line, stage_name(trace, stage));
  SL_LINE_LITERAL(line, "\n");
  end_lines(trace);
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
  struct sl_trace_line *line = advance(trace, time);
  begin_line(line, "L\t", insn->row, "\t1\t");
  sl_line_text(line, how_it_ends[how]);
  begin_line(line, "\nE\t", insn->row, "\t0\t");
  sl_line_text(line, stage_name(trace, insn->stage));
  begin_line(line, "\nR\t", insn->row, "\t");
  begin_line(line, "", how == SL_TRACE_RETIRED ? k->retired++ : k->retired,
             how != SL_TRACE_RETIRED ? "\t1\n" : "\t0\n");
  end_lines(trace);
}

/* The viewer has a label for each row only, so an execution adds the instruction's text and lanes. */
static void event(struct sl_trace *trace, const struct sl_probe *probe, const struct sl_trace_insn *insn, uint64_t time)
{
  const struct sl_trace_code *code = sl_trace_code(trace, probe->pc);
  struct konata *k = trace->state;
  struct sl_trace_line *line = &k->line;
  const unsigned digits = (probe->lanes + 3) / 4;
  (void)time;
  if (insn == NULL || code == NULL)
    return;
  line->size = 0;
  if (probe->kind == SL_PROBE_SWITCHED) {
    begin_line(line, "L\t", insn->row, "\t1\tthen lanes ");
    sl_line_padded(line, probe->active, 16, digits);
    SL_LINE_LITERAL(line, " at ");
    sl_line_padded(line, probe->holder, 16, 8);
  } else {
    begin_line(line, "L\t", insn->row, "\t0\t");
    sl_line_text(line, code->text);
    begin_line(line, "\nL\t", insn->row, "\t1\tlanes ");
    sl_line_padded(line, probe->active, 16, digits);
    sl_line_text(line, code->place[0] != '\0' ? ", " : "");
    sl_line_text(line, code->place);
  }
  SL_LINE_LITERAL(line, "\\n\n");
  end_lines(trace);
}

static void end(struct sl_trace *trace, uint64_t time)
{
  advance(trace, time);
  end_lines(trace);
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
