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
      "launched", "executed", "accessed",   "arrived", "released", "fetched",   "issued",  "retried", "aborted",
      "retired",  "waited",   "transacted", "banked",  "values",   "spilled",   "evicted", "filled",  "ended",
      "queued",   "flushed",  "staged",     "fenced",  "begun",    "allocated", "freed",   "written", "switched"};
  return names[__builtin_ctz((unsigned)kind)];
}

/* Writes a member whose text needs escapes of quotes only. */
static void put_text(struct sl_trace *trace, const char *name, const char *text)
{
  char escaped[256];
  size_t n = 0;
  for (; *text != '\0' && n < sizeof escaped - 2; text++) {
    if (*text == '"' || *text == '\\')
      escaped[n++] = '\\';
    escaped[n++] = *text;
  }
  sl_trace_file_print(&trace->file, ",\"%s\":\"", name);
  sl_trace_file_write(&trace->file, escaped, n);
  sl_trace_file_write(&trace->file, "\"", 1);
}

static void put_executed(struct sl_trace *trace, const struct sl_probe *p)
{
  const struct sl_trace_code *code = sl_trace_code(trace, p->pc);
  sl_trace_file_print(&trace->file, ",\"active\":\"%" PRIx64 "\"", (uint64_t)p->active);
  put_text(trace, "instruction", code->text);
  if (code->place[0] != '\0')
    put_text(trace, "source", code->place);
}

static void put_access(struct sl_trace *trace, const struct sl_probe *p)
{
  static const char *const accesses[] = {"load", "store", "atomic"};
  sl_trace_file_print(&trace->file, ",\"access\":\"%s\",\"bytes\":%u", accesses[p->access], p->width);
  if (p->address == NULL)
    return;
  const char *separator = ",\"addresses\":[";
  for (sl_lanes rest = p->active; rest != 0; rest &= rest - 1) {
    sl_trace_file_print(&trace->file, "%s%" PRIu32, separator, p->address[sl_lowest(rest)]);
    separator = ",";
  }
  sl_trace_file_print(&trace->file, "]");
}

/* Traces have millions of lines, so they are not made by jansson. */
static void event(struct sl_trace *trace, const struct sl_probe *p, const struct sl_trace_insn *insn, uint64_t time)
{
  struct json_lines *lines = trace->state;
  (void)insn, (void)time;
  lines->events++;
  sl_trace_file_print(&trace->file, "{\"event\":\"%s\",\"cycle\":%" PRIu64 ",\"launch\":%u,\"core\":%u,\"warp\":%u",
                      kind_name(p->kind), p->cycle, p->launch, p->core, p->warp);
  if (p->id != 0)
    sl_trace_file_print(&trace->file, ",\"id\":%" PRIu64, p->id);
  if ((p->kind & (SL_PROBE_ALLOCATED | SL_PROBE_FREED)) != 0)
    sl_trace_file_print(&trace->file, ",\"address\":%" PRIu64 ",\"bytes\":%" PRIu64, p->buffer, p->bytes);
  else
    sl_trace_file_print(&trace->file, ",\"pc\":%" PRIu64 ",\"stage\":%u", p->pc, p->stage);
  if (p->kind == SL_PROBE_EXECUTED)
    put_executed(trace, p);
  if (p->kind == SL_PROBE_SWITCHED)
    sl_trace_file_print(&trace->file, ",\"active\":\"%" PRIx64 "\",\"next\":%" PRIu64, (uint64_t)p->active, p->holder);
  if (p->kind == SL_PROBE_ACCESSED)
    put_access(trace, p);
  if (p->kind == SL_PROBE_WAITED)
    sl_trace_file_print(&trace->file, ",\"reason\":\"%s\",\"cycles\":%" PRId64,
                        trace->order.machine->causes->cause[p->cause].name, p->count);
  sl_trace_file_print(&trace->file, "}\n");
}

static void end(struct sl_trace *trace, uint64_t time)
{
  const struct json_lines *lines = trace->state;
  (void)time;
  sl_trace_file_print(&trace->file, "{\"end\":true,\"events\":%" PRIu64 "}\n", lines->events);
}

const struct sl_trace_format sl_trace_json = {
    .places = true,
    .wanted = SL_PROBE_LAUNCHED | SL_PROBE_EXECUTED | SL_PROBE_ACCESSED | SL_PROBE_ARRIVED | SL_PROBE_RELEASED |
              SL_PROBE_FETCHED | SL_PROBE_ISSUED | SL_PROBE_RETRIED | SL_PROBE_ABORTED | SL_PROBE_RETIRED |
              SL_PROBE_WAITED | SL_PROBE_ENDED | SL_PROBE_FLUSHED | SL_PROBE_STAGED | SL_PROBE_FENCED | SL_PROBE_BEGUN |
              SL_PROBE_ALLOCATED | SL_PROBE_FREED | SL_PROBE_SWITCHED,
    .begin = begin,
    .event = event,
    .end = end,
};
