/* The viewer: one HTML file with the whole run, which needs no other file and no network (runtime/viewer).
 *
 * The file has the viewer's page, then pieces of data (trace_pieces.h), then a description in JSON:
 *   rows    one record per instruction that left the pipeline, and
 *   slots   one record per wait of an issue slot (trace_rows.h)
 *   values  one record per execution with data (trace_values.h)
 *   switches  one record per change of a warp's lanes: time (signed difference), warp, row + 1 of the instruction that
 *           causes it (0: none), number of the next lanes' mask, number of their code
 *   level   the picture of plane "stage" (warps), "reason" (warps) or "slot" (cores), and
 *   series  amounts per bin (trace_picture.h)
 *
 * Pieces are written as the run goes on, so memory holds a piece of each kind and the picture. When the file has 200
 * MB, it gets no more records, and the picture alone continues. */
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "observe/trace/trace_about.h"
#include "observe/trace/trace_page.h"

static const char *const viewer[] = {
#include "viewer.inc"
};

static enum sl_status begin(struct sl_trace *trace, struct sl_error *err)
{
  struct sl_page *page = trace->state = calloc(1, sizeof *page);
  if (page != NULL)
    page->records.stages = trace->order.machine->stages->count;
  if (page != NULL)
    page->mask = page->mask_at_hand;
  if (page != NULL)
    page->put_values = sl_trace_values_putter();
  if (page == NULL || (page->launches = json_array()) == NULL ||
      (page->packer = sl_packer_create(&trace->file)) == NULL || !sl_picture_open(&page->stage, 0) ||
      !sl_picture_open(&page->reason, 0) ||
      !sl_picture_open(&page->slot, SL_SERIES_COUNT + trace->order.machine->stages->count)) {
    if (page != NULL)
      sl_page_free(page);
    return sl_no_memory(err, sizeof *page);
  }
  for (size_t i = 0; i < sizeof viewer / sizeof *viewer; i++)
    sl_trace_file_write(&trace->file, viewer[i], strlen(viewer[i]));
  return SL_OK;
}

struct page_file {
  const struct sl_trace_module *module; /* that has its text */
  const char *path;
  unsigned first, last;
};

/* Appends code as [pc, text, function, file, line, executed, threads, [cycles]]. */
static void put_code(const struct sl_trace *trace, size_t number, const char *function, int file, unsigned line,
                     struct sl_piece *text)
{
  const struct sl_page *page = trace->state;
  const struct sl_page_code *code = &page->code[number];
  sl_about_bytes(text, number != 0 ? ",[" : "[");
  sl_about_number(text, (int64_t)page->codes.keys[number]);
  sl_about_bytes(text, ",");
  sl_about_string(text, code->text != NULL ? code->text : "");
  sl_about_bytes(text, ",");
  sl_about_string(text, function != NULL ? function : "");
  sl_about_next(text, file);
  sl_about_next(text, line);
  sl_about_next(text, (int64_t)code->executed);
  sl_about_next(text, (int64_t)code->threads);
  sl_about_bytes(text, ",[");
  for (size_t c = 0; c < trace->order.machine->causes->count; c++) {
    sl_about_bytes(text, c != 0 ? "," : "");
    sl_about_number(text, code->cycles[c]);
  }
  sl_about_bytes(text, "]]");
}

/* Appends the list of all code, and the files. */
static void describe_code(const struct sl_trace *trace, json_t *files, struct sl_piece *text)
{
  const struct sl_page *page = trace->state;
  enum { FILES = 64 };
  struct page_file file[FILES];
  int file_count = 0;
  sl_about_bytes(text, "[");
  for (size_t i = 0; i < page->codes.count; i++) {
    const struct sl_page_code *code = &page->code[i];
    const struct sl_trace_module *m = sl_trace_module_of(&trace->modules, page->codes.keys[i]);
    const struct sl_location place = sl_trace_locate(&trace->modules, page->codes.keys[i], code->line);
    const struct sl_trace_module *owner = sl_trace_source(m, place.file) != NULL ? m : NULL;
    int f = place.file != NULL && place.line != 0 ? 0 : -1;
    while (f >= 0 && f < file_count && (strcmp(file[f].path, place.file) != 0 || file[f].module != owner))
      f++;
    if (f == file_count && f < FILES)
      file[file_count++] = (struct page_file){owner, place.file, place.line, place.line};
    if (f >= 0 && f < file_count) {
      file[f].first = place.line < file[f].first ? place.line : file[f].first;
      file[f].last = place.line > file[f].last ? place.line : file[f].last;
    }
    put_code(trace, i, place.function, f < file_count ? f : -1, place.line, text);
  }
  sl_about_bytes(text, "]");
  for (int f = 0; f < file_count; f++)
    json_array_append_new(files, sl_about_file(file[f].module, file[f].path, file[f].first, file[f].last));
}

static void end(struct sl_trace *trace, uint64_t time)
{
  struct sl_page *page = trace->state;
  const struct sl_trace_order *o = &trace->order;
  const uint64_t cycles = time + 1;
  json_t *files = json_array(), *cores = json_array();
  sl_page_write(trace, cycles);
  for (size_t i = 0; i < page->warps; i++)
    json_array_append_new(cores, json_integer(page->core[i]));
  struct sl_piece code = {0};
  describe_code(trace, files, &code);
  json_t *description = json_pack(
      "{s:i, s:s, s:s, s:s, s:I, s:i, s:i, s:I, s:o, s:i, s:o, s:o, s:o, s:o, s:o, s:o}", "simtlab_trace_page", 4,
      "title", o->title, "machine", o->machine->name, "made_by", o->origin != NULL ? o->origin : "", "cycles",
      (json_int_t)cycles, "lanes", (int)page->lanes, "bits", o->program != NULL || o->machine_code ? 32 : 64, "details",
      (json_int_t)(trace->details == UINT64_MAX ? cycles : trace->details), "launches", json_incref(page->launches),
      "retried", (int)page->retried, "stages", sl_about_stages(trace->order.machine), "reasons",
      sl_about_reasons(trace->order.machine), "series", sl_about_series(trace->order.machine), "warps", cores, "masks",
      sl_about_masks(&page->masks), "files", files);
  trace->lost = !sl_about_write(description, &code, &trace->file) || trace->lost;
  sl_piece_free(&code);
  trace->lost = trace->lost || page->stage.lost || page->reason.lost || page->slot.lost;
  sl_page_free(page);
}

const struct sl_trace_format sl_trace_html = {
    .wanted = SL_PROBE_LAUNCHED | SL_PROBE_EXECUTED | SL_PROBE_WAITED | SL_PROBE_ARRIVED | SL_PROBE_RELEASED |
              SL_PROBE_TRANSACTED | SL_PROBE_DEQUEUED | SL_PROBE_BANKED | SL_PROBE_SWITCHED,
    .payloads = SL_PAYLOAD_RESULTS | SL_PAYLOAD_ADDRESSES,
    .arrays = SL_PROBE_EXECUTED,
    .begin = begin,
    .leave = sl_page_leave,
    .lived = sl_page_lived,
    .counted = sl_page_counted,
    .event = sl_page_event,
    .end = end,
};
