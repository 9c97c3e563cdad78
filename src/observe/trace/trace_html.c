/* The viewer: one HTML file with the whole run, which needs no other file and no network (runtime/viewer).
 *
 * The file has the viewer's page, then pieces of data (trace_page.h), then a description in JSON:
 *   rows    one record per instruction that left the pipeline, and
 *   slots   one record per wait of an issue slot (trace_page.h)
 *   values  one record per execution with data (trace_page.h)
 *   switches  one record per change of a warp's lanes: time (signed difference), warp, row + 1 of the instruction that
 *           causes it (0: none), number of the next lanes' mask, number of their code
 *   level   the picture of plane "stage" (warps), "reason" (warps) or "slot" (cores), and
 *   series  amounts per bin (trace_page.h)
 *
 * Pieces are written as the run goes on, so memory holds a piece of each kind and the picture. When the file has 200
 * MB, it gets no more records, and the picture alone continues. */
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "observe/html.h"
#include "observe/trace/trace_page.h"

/* ---- descriptions ------------------------------------------------------------------------------------------------ */

static json_t *about_series(const struct sl_machine *machine)
{
  json_t *series = json_pack("[{s:s},{s:s},{s:s}]", "name", "memory transactions", "name", "accesses that queue",
                             "name", "scratchpad bank conflicts");
  for (unsigned i = 0; i < machine->stages->count; i++) {
    char name[64];
    snprintf(name, sizeof name, "instructions in %s", machine->stages->stage[i].name);
    json_array_append_new(series, json_pack("{s:s}", "name", name));
  }
  return series;
}

static json_t *about_reasons(const struct sl_machine *machine)
{
  const struct sl_stall_reasons *causes = machine->causes;
  json_t *reasons = json_array();
  for (size_t i = 0; i < causes->count; i++) {
    const struct sl_colour colour = sl_palette_reason(causes->cause[i].kind);
    json_array_append_new(reasons, json_pack("{s:s, s:s, s:s, s:s, s:b}", "name", causes->cause[i].name, "meaning",
                                             causes->cause[i].meaning, "light", colour.light, "dark", colour.dark,
                                             "striped", (int)colour.striped));
  }
  return reasons;
}

static json_t *about_stages(const struct sl_machine *machine)
{
  const struct sl_stages *stages = machine->stages;
  json_t *names = json_array();
  for (unsigned i = 0; i < stages->count; i++)
    json_array_append_new(names,
                          json_pack("{s:s, s:s}", "name", stages->stage[i].name, "meaning", stages->stage[i].meaning));
  return names;
}

/* A source file, with the lines from the first to the last that executed, and some around. */
static json_t *about_file(const struct sl_trace_module *module, const char *path, unsigned first, unsigned last)
{
  enum { AROUND = 4 };
  const struct sl_source *kept = sl_trace_source(module, path);
  struct sl_source own = {0}, source;
  json_t *lines = json_array();
  if (kept == NULL)
    sl_source_read(&own, path, NULL);
  source = kept != NULL ? *kept : own;
  first = first > AROUND ? first - AROUND : 1;
  for (unsigned line = first; line <= last + AROUND; line++) {
    const char *text = sl_source_line(&source, line);
    json_t *string = text != NULL ? json_string(text) : NULL;
    if (text == NULL && line > source.count)
      break;
    json_array_append_new(lines, string != NULL ? string : json_string(""));
  }
  sl_source_free(&own);
  return json_pack("{s:s, s:i, s:o}", "name", path, "first", (int)first, "lines", lines);
}

static void append(struct sl_piece *text, const char *bytes, size_t size)
{
  if (!sl_piece_room(text, size))
    return;
  memcpy(text->bytes + text->count, bytes, size);
  text->count += size;
}

/* Append to a text of JSON. A page has thousands of numbers: a tree of JSON values takes several times as long. What
 * could end a script element is escaped. */
/* Append to a text of JSON. A page has thousands of numbers: a tree of JSON values takes several times as long. What
 * could end a script element is escaped. */
static void about_bytes(struct sl_piece *text, const char *bytes)
{
  append(text, bytes, strlen(bytes));
}

static void about_string(struct sl_piece *text, const char *string)
{
  append(text, "\"", 1);
  while (*string != '\0') {
    size_t plain = 0;
    while ((unsigned char)string[plain] >= 0x20 && string[plain] != '"' && string[plain] != '\\' &&
           string[plain] != '<')
      plain++;
    append(text, string, plain);
    string += plain;
    if (*string != '\0') {
      char escape[8];
      snprintf(escape, sizeof escape, "\\u%04x", (unsigned)(unsigned char)*string++);
      append(text, escape, 6);
    }
  }
  append(text, "\"", 1);
}

static void about_number(struct sl_piece *text, int64_t number)
{
  char digits[24];
  size_t at = sizeof digits;
  uint64_t rest = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
  do
    digits[--at] = (char)('0' + rest % 10);
  while ((rest /= 10) != 0);
  if (number < 0)
    digits[--at] = '-';
  append(text, digits + at, sizeof digits - at);
}

/* A comma and a number. */
static void about_next(struct sl_piece *text, int64_t number)
{
  about_bytes(text, ",");
  about_number(text, number);
}

/* All masks, in one string: programs may have thousands. */
static json_t *about_masks(const struct sl_numbers *numbers)
{
  enum { DIGITS = 17 }; /* and a blank */
  char *const text = malloc((numbers->count + 1) * DIGITS + 1);
  size_t n = 0;
  if (text == NULL)
    return NULL;
  text[0] = '\0';
  for (size_t i = 0; i < numbers->count; i++)
    n += (size_t)snprintf(text + n, DIGITS + 1, i == 0 ? "%" PRIx64 : " %" PRIx64, numbers->keys[i]);
  json_t *const masks = json_stringn_nocheck(text, n);
  free(text);
  return masks;
}

/* Writes the description, which it takes over, and the list of its code. No text in it ends the script element. Returns
 * false if memory was lacking. */
static bool about_write(json_t *description, const struct sl_piece *code, struct sl_trace_file *file)
{
  char *text = description != NULL ? json_dumps(description, JSON_COMPACT) : NULL;
  const bool whole = text != NULL && !code->lost;
  if (text != NULL)
    text[strlen(text) - 1] = '\0'; /* the bracket at its end */
  sl_trace_file_print(file, "<script type=\"application/json\" id=\"description\">");
  for (const char *rest = text; rest != NULL && *rest != '\0';) {
    const size_t plain = strcspn(rest, "<");
    sl_trace_file_write(file, rest, plain);
    rest += plain;
    if (*rest == '<') {
      sl_trace_file_write(file, "\\u003c", 6);
      rest++;
    }
  }
  sl_trace_file_print(file, ",\"code\":");
  sl_trace_file_write(file, code->bytes, code->count);
  sl_trace_file_print(file, "}</script>\n</body>\n</html>\n");
  free(text);
  json_decref(description);
  return whole;
}

/* ---- the page ---------------------------------------------------------------------------------------------------- */

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
  about_bytes(text, number != 0 ? ",[" : "[");
  about_number(text, (int64_t)page->codes.keys[number]);
  about_bytes(text, ",");
  about_string(text, code->text != NULL ? code->text : "");
  about_bytes(text, ",");
  about_string(text, function != NULL ? function : "");
  about_next(text, file);
  about_next(text, line);
  about_next(text, (int64_t)code->executed);
  about_next(text, (int64_t)code->threads);
  about_bytes(text, ",[");
  for (size_t c = 0; c < trace->order.machine->causes->count; c++) {
    about_bytes(text, c != 0 ? "," : "");
    about_number(text, code->cycles[c]);
  }
  about_bytes(text, "]]");
}

/* Appends the list of all code, and the files. */
static void describe_code(const struct sl_trace *trace, json_t *files, struct sl_piece *text)
{
  const struct sl_page *page = trace->state;
  enum { FILES = 64 };
  struct page_file file[FILES];
  int file_count = 0;
  about_bytes(text, "[");
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
  about_bytes(text, "]");
  for (int f = 0; f < file_count; f++)
    json_array_append_new(files, about_file(file[f].module, file[f].path, file[f].first, file[f].last));
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
      "retried", (int)page->retried, "stages", about_stages(trace->order.machine), "reasons",
      about_reasons(trace->order.machine), "series", about_series(trace->order.machine), "warps", cores, "masks",
      about_masks(&page->masks), "files", files);
  trace->lost = !about_write(description, &code, &trace->file) || trace->lost;
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
