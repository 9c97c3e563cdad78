/* Events as lines of JSON, for programs. The first line describes the trace: {"simtlab_trace": 1, "machine": ...}.
 * Then each line is an event: its kind, cycle of its launch, launch, core and warp; id, pc and stage of its
 * instruction; and what the kind adds. The last line is {"end": true, "events": N}. */
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "observe/trace/trace.h"

struct json_lines {
  uint64_t events;
  struct sl_trace_line line;
};

static void put_line(struct sl_trace *trace, json_t *object)
{
  char *text = object != NULL ? json_dumps(object, JSON_COMPACT) : NULL;
  json_decref(object);
  if (text == NULL) {
    trace->lost = true;
    return;
  }
  sl_trace_file_write(&trace->file, text, strlen(text));
  sl_trace_file_write(&trace->file, "\n", 1);
  free(text);
}

static enum sl_status begin(struct sl_trace *trace, struct sl_error *err)
{
  const struct sl_trace_order *o = &trace->order;
  json_t *stages = json_array(), *causes = json_array();
  trace->state = calloc(1, sizeof(struct json_lines));
  if (trace->state == NULL || stages == NULL || causes == NULL) {
    json_decref(stages);
    json_decref(causes);
    return sl_no_memory(err, sizeof(struct json_lines));
  }
  for (unsigned i = 0; i < o->machine->stages->count; i++)
    json_array_append_new(stages, json_string(o->machine->stages->stage[i].name));
  for (size_t i = 0; i < o->machine->causes->count; i++)
    json_array_append_new(causes, json_string(o->machine->causes->cause[i].name));
  put_line(trace, json_pack("{s:i, s:s, s:s, s:s, s:o, s:o}", "simtlab_trace", 1, "program", o->title, "machine",
                            o->machine->name, "made_by", o->origin, "stages", stages, "stall_reasons", causes));
  return SL_OK;
}

static const char *kind_name(enum sl_probe_kind kind)
{
  static const char *const names[SL_PROBE_KINDS] = {
      "launched", "executed", "accessed",  "arrived", "released",   "fetched",  "issued",
      "retried",  "aborted",  "retired",   "waited",  "transacted", "banked",   "values",
      "spilled",  "evicted",  "filled",    "ended",   "queued",     "flushed",  "staged",
      "fenced",   "begun",    "allocated", "freed",   "written",    "switched", "dequeued"};
  return names[__builtin_ctz((unsigned)kind)];
}

/* Appends a member. */
#define PUT_NUMBER(line, name, value) (SL_LINE_LITERAL(line, ",\"" name "\":"), sl_line_number(line, value, 10))
#define PUT_HEX(line, name, value)                                                                                     \
  (SL_LINE_LITERAL(line, ",\"" name "\":\""), sl_line_number(line, value, 16), SL_LINE_LITERAL(line, "\""))

/* Appends a text that needs escapes of quotes only, and its quotes. */
static void put_text(struct sl_trace_line *line, const char *text)
{
  SL_LINE_LITERAL(line, "\"");
  while (*text != '\0') {
    const size_t plain = strcspn(text, "\"\\");
    sl_line_bytes(line, text, plain);
    text += plain;
    if (*text != '\0') {
      SL_LINE_LITERAL(line, "\\");
      sl_line_bytes(line, text++, 1);
    }
  }
  SL_LINE_LITERAL(line, "\"");
}

static void put_executed(struct sl_trace *trace, const struct sl_probe *p, struct sl_trace_line *line)
{
  const struct sl_trace_code *code = sl_trace_code(trace, p->pc);
  PUT_HEX(line, "active", p->active);
  SL_LINE_LITERAL(line, ",\"instruction\":");
  put_text(line, code->text);
  if (code->place[0] == '\0')
    return;
  SL_LINE_LITERAL(line, ",\"source\":");
  put_text(line, code->place);
}

static void put_access(const struct sl_probe *p, struct sl_trace_line *line)
{
  static const char *const accesses[] = {"load", "store", "atomic"};
  SL_LINE_LITERAL(line, ",\"access\":\"");
  sl_line_text(line, accesses[p->access]);
  SL_LINE_LITERAL(line, "\"");
  PUT_NUMBER(line, "bytes", p->width);
  if (p->address == NULL)
    return;
  const char *separator = ",\"addresses\":[";
  for (sl_lanes rest = p->active; rest != 0; rest &= rest - 1) {
    sl_line_text(line, separator);
    sl_line_number(line, p->address[sl_lowest(rest)], 10);
    separator = ",";
  }
  SL_LINE_LITERAL(line, "]");
}

static void put_wait(const struct sl_trace *trace, const struct sl_probe *p, struct sl_trace_line *line)
{
  SL_LINE_LITERAL(line, ",\"reason\":\"");
  sl_line_text(line, trace->order.machine->causes->cause[p->cause].name);
  SL_LINE_LITERAL(line, "\",\"cycles\":");
  if (p->count < 0)
    SL_LINE_LITERAL(line, "-");
  sl_line_number(line, p->count < 0 ? 0 - (uint64_t)p->count : (uint64_t)p->count, 10);
}

/* Traces have millions of lines, so they are not made by jansson. */
static void event(struct sl_trace *trace, const struct sl_probe *p, const struct sl_trace_insn *insn, uint64_t time)
{
  struct json_lines *lines = trace->state;
  struct sl_trace_line *line = &lines->line;
  (void)insn, (void)time;
  lines->events++;
  line->size = 0;
  SL_LINE_LITERAL(line, "{\"event\":\"");
  sl_line_text(line, kind_name(p->kind));
  SL_LINE_LITERAL(line, "\"");
  PUT_NUMBER(line, "cycle", p->cycle);
  PUT_NUMBER(line, "launch", p->launch);
  PUT_NUMBER(line, "core", p->core);
  PUT_NUMBER(line, "warp", p->warp);
  if (p->id != 0)
    PUT_NUMBER(line, "id", p->id);
  if ((p->kind & (SL_PROBE_ALLOCATED | SL_PROBE_FREED)) != 0) {
    PUT_NUMBER(line, "address", p->buffer);
    PUT_NUMBER(line, "bytes", p->bytes);
  } else {
    PUT_NUMBER(line, "pc", p->pc);
    PUT_NUMBER(line, "stage", p->stage);
  }
  if (p->kind == SL_PROBE_EXECUTED)
    put_executed(trace, p, line);
  if (p->kind == SL_PROBE_SWITCHED) {
    PUT_HEX(line, "active", p->active);
    PUT_NUMBER(line, "next", p->holder);
  }
  if (p->kind == SL_PROBE_ACCESSED)
    put_access(p, line);
  if (p->kind == SL_PROBE_WAITED)
    put_wait(trace, p, line);
  SL_LINE_LITERAL(line, "}\n");
  sl_trace_file_write(&trace->file, line->text, line->size);
}

static void end(struct sl_trace *trace, uint64_t time)
{
  const struct json_lines *lines = trace->state;
  (void)time;
  sl_trace_file_print(&trace->file, "{\"end\":true,\"events\":%" PRIu64 "}\n", lines->events);
}

const struct sl_trace_format sl_trace_json = {
    .places = true,
    .arrays = SL_PROBE_ACCESSED,
    .wanted = SL_PROBE_LAUNCHED | SL_PROBE_EXECUTED | SL_PROBE_ACCESSED | SL_PROBE_ARRIVED | SL_PROBE_RELEASED |
              SL_PROBE_FETCHED | SL_PROBE_ISSUED | SL_PROBE_RETRIED | SL_PROBE_ABORTED | SL_PROBE_RETIRED |
              SL_PROBE_WAITED | SL_PROBE_ENDED | SL_PROBE_FLUSHED | SL_PROBE_STAGED | SL_PROBE_FENCED | SL_PROBE_BEGUN |
              SL_PROBE_ALLOCATED | SL_PROBE_FREED | SL_PROBE_SWITCHED,
    .begin = begin,
    .event = event,
    .end = end,
};
