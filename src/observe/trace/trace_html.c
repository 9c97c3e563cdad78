/* The viewer: one HTML file with the whole run, which needs no other file and no network (runtime/viewer).
 *
 * The file has the viewer's page, then pieces of data (trace_pieces.h), then a description in JSON:
 *   rows    one record per instruction that left the pipeline, and
 *   slots   one record per wait of an issue slot (trace_rows.h)
 *   values  one record per execution with data (trace_values.h)
 *   switches  one record per change of a warp's lanes: time (signed difference), warp, row + 1 of the instruction that
 *           causes it (0: none), number of the next lanes' mask, number of their code
 *   level   the picture of plane "stage" (warps), "reason" (warps) or "slot" (cores): a byte per row and bin
 *   series  amounts per bin
 *
 * Pieces are written as the run goes on, so memory holds a piece of each kind and the picture. When the file has 200
 * MB, it gets no more records, and the picture alone continues. */
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "observe/trace/trace.h"
#include "observe/trace/trace_about.h"
#include "observe/trace/trace_numbers.h"
#include "observe/trace/trace_picture.h"
#include "observe/trace/trace_pieces.h"
#include "observe/trace/trace_relay.h"
#include "observe/trace/trace_rows.h"
#include "observe/trace/trace_values.h"

enum { PIECE_ROWS = 1 << 14, PIECE_BYTES = 8 << 20, NO_CODE = SL_NO_NUMBER };
#define NO_PC UINT64_MAX /* of slots without a warp */
#define MOST_BYTES (UINT64_C(200) * 1000 * 1000)

/* Series after those of the stages' occupancy. */
enum { SERIES_TRANSACTIONS, SERIES_QUEUED, SERIES_BANKS, SERIES_COUNT };

/* An instruction of the program, and its totals. */
struct page_code {
  uint64_t pc;
  char *text; /* NULL: it has not executed */
  uint32_t line;
  uint64_t executed, threads;
  int64_t cycles[SL_MAX_STALL_REASONS];
};

enum { CODES_AT_HAND = 1 << 10 };

struct page {
  struct sl_numbers codes, masks;
  struct page_code *code;
  size_t code_room;
  struct {
    uint64_t pc;
    uint32_t number;        /* + 1; 0: none */
  } at_hand[CODES_AT_HAND]; /* codes by a hash of their pc */
  uint64_t mask_at_hand;
  uint32_t mask_number; /* of the mask at hand, + 1; 0: none */
  unsigned mask_lanes;  /* in it */
  uint32_t no_lanes;    /* number of the mask without lanes, + 1; 0: none */
  struct sl_piece rows, values, slots, switches;
  struct sl_page_rows records;
  struct sl_trace_valued valued;
  sl_trace_values_put *put_values;
  uint64_t last_switch;
  struct sl_picture stage, reason, slot;
  uint64_t *arrived; /* per warp, time of its arrival at a barrier + 1; 0: it does not wait */
  uint32_t *core;
  size_t warps, warp_room;
  struct sl_packer *packer;
  unsigned lanes;
  unsigned retried; /* stall reason of instructions that are RETRIED */
  json_t *launches;
};

static const char *const viewer[] = {
#include "viewer.inc"
};

static uint32_t add_code(struct sl_trace *trace, uint64_t pc)
{
  struct page *page = trace->state;
  const uint32_t number = sl_number_of(&page->codes, pc);
  if (number == NO_CODE || number < page->code_room) {
    trace->lost = trace->lost || number == NO_CODE;
    return number;
  }
  const size_t room = page->code_room != 0 ? 2 * page->code_room : 256;
  struct page_code *code = realloc(page->code, room * sizeof *code);
  page->code = code != NULL ? code : page->code;
  if (code == NULL || !sl_page_rows_reach_code(&page->records, room)) {
    trace->lost = true;
    return NO_CODE;
  }
  memset(code + page->code_room, 0, (room - page->code_room) * sizeof *code);
  page->code_room = room;
  return number;
}

/* The number of the instruction at a pc; NO_CODE: out of memory. */
static inline uint32_t code_number(struct sl_trace *trace, uint64_t pc)
{
  struct page *page = trace->state;
  const size_t at = (size_t)(pc >> 1 ^ pc >> 11) % CODES_AT_HAND;
  if (page->at_hand[at].number == 0 || page->at_hand[at].pc != pc) {
    page->at_hand[at].pc = pc;
    page->at_hand[at].number = add_code(trace, pc) + 1;
  }
  return page->at_hand[at].number - 1;
}

static inline uint32_t mask_number(struct page *page, sl_lanes mask)
{
  if (mask == 0) {
    page->no_lanes = page->no_lanes != 0 ? page->no_lanes : sl_number_of(&page->masks, 0) + 1;
    return page->no_lanes - 1;
  }
  if (page->mask_number == 0 || page->mask_at_hand != mask) {
    page->mask_at_hand = mask;
    page->mask_number = sl_number_of(&page->masks, mask) + 1;
    page->mask_lanes = (unsigned)__builtin_popcountll(mask);
  }
  return page->mask_number - 1;
}

static bool add_warp(struct sl_trace *trace, unsigned warp, unsigned core)
{
  struct page *page = trace->state;
  if (warp >= page->warp_room) {
    size_t room = page->warp_room != 0 ? page->warp_room : 64;
    while (room <= warp)
      room *= 2;
    uint64_t *arrived = realloc(page->arrived, room * sizeof *arrived);
    page->arrived = arrived != NULL ? arrived : page->arrived;
    uint32_t *cores = realloc(page->core, room * sizeof *cores);
    page->core = cores != NULL ? cores : page->core;
    if (arrived == NULL || cores == NULL || !sl_page_rows_reach_warp(&page->records, room)) {
      trace->lost = true;
      return false;
    }
    memset(arrived + page->warp_room, 0, (room - page->warp_room) * sizeof *arrived);
    memset(cores + page->warp_room, 0, (room - page->warp_room) * sizeof *cores);
    page->warp_room = room;
  }
  page->core[warp] = core;
  page->warps = warp + 1 > page->warps ? warp + 1 : page->warps;
  return true;
}

static inline bool reach_warp(struct sl_trace *trace, unsigned warp, unsigned core)
{
  const struct page *page = trace->state;
  return (warp < page->warps && page->core[warp] == core) || add_warp(trace, warp, core);
}

/* Writes a piece that is full. After the limit nothing is recorded any more. */
static void write_piece(struct sl_trace *trace, struct sl_piece *piece, const char *kind)
{
  struct page *page = trace->state;
  if (piece->rows == 0)
    return;
  const uint64_t bytes = sl_packer_write(page->packer, piece, kind, "");
  if (bytes > MOST_BYTES && trace->details == UINT64_MAX)
    trace->details = trace->latest;
}

static bool is_full(const struct sl_piece *piece)
{
  return piece->rows >= PIECE_ROWS || piece->count >= PIECE_BYTES;
}

static bool begin_record(struct sl_trace *trace, struct sl_piece *piece, size_t room)
{
  if (trace->details != UINT64_MAX)
    return false;
  if (sl_piece_room(piece, room))
    return true;
  trace->lost = true;
  return false;
}

/* Paints an instruction that leaves, and records it. */
static inline __attribute__((always_inline)) void record_row(struct sl_trace *trace, const struct sl_page_row *row)
{
  struct page *page = trace->state;
  uint64_t at = row->began;
  for (unsigned i = 0; i < row->stages; i++) {
    const uint64_t end = at + row->spent[i];
    if (end == at)
      continue;
    if (end == at + 1)
      sl_picture_dot(&page->stage, row->warp, at, (uint8_t)(i + 1));
    else
      sl_picture_paint(&page->stage, row->warp, at, end, (uint8_t)(i + 1));
    sl_picture_add(&page->slot, SERIES_COUNT + i, at, end, 1);
    at = end;
  }
  if (!begin_record(trace, &page->rows, SL_ROW_BYTES))
    return;
  sl_page_rows_put(&page->records, &page->rows, row);
  sl_piece_record(&page->rows, row->began, at);
  if (is_full(&page->rows))
    write_piece(trace, &page->rows, "rows");
}

static void leave(struct sl_trace *trace, struct sl_trace_insn *insn, enum sl_trace_end how, uint64_t time)
{
  struct page *page = trace->state;
  const uint32_t code = code_number(trace, insn->pc), mask = mask_number(page, insn->active);
  (void)time; /* is that of its last stage's end */
  if (code == NO_CODE || mask == NO_CODE || !reach_warp(trace, insn->warp, insn->core)) {
    trace->lost = true;
    return;
  }
  record_row(trace, &(struct sl_page_row){.row = insn->row,
                                          .began = insn->began,
                                          .warp = insn->warp,
                                          .code = code,
                                          .mask = mask,
                                          .end = how | insn->note,
                                          .spent = insn->spent,
                                          .stages = page->records.stages});
}

/* An execution of an instruction of the program, with its lanes' data. */
struct execution {
  uint64_t pc, row, time;
  uint32_t code, mask, line;
  sl_lanes active;
  unsigned lanes; /* 0: unknown */
  bool known;     /* the instruction's row */
  struct sl_trace_values results, addresses;
};

static inline __attribute__((always_inline)) void record_execution(struct sl_trace *trace, const struct execution *e)
{
  struct page *page = trace->state;
  struct page_code *code = &page->code[e->code];
  const struct sl_trace_code *known = code->text == NULL ? sl_trace_code(trace, e->pc) : NULL;
  if (known != NULL) {
    code->text = strdup(known->text);
    code->line = e->line;
  }
  page->lanes = e->lanes > page->lanes ? e->lanes : page->lanes;
  code->executed++;
  code->threads += e->active != 0 ? page->mask_lanes : 0;
  const bool any =
      e->results.narrow != NULL || e->results.wide != NULL || e->addresses.narrow != NULL || e->addresses.wide != NULL;
  if (!e->known || e->active == 0 || !any || !begin_record(trace, &page->values, SL_VALUES_BYTES))
    return;
  page->put_values(
      &page->values, &page->valued,
      &(struct sl_trace_execution){
          .row = e->row, .active = e->active, .mask = e->mask, .results = e->results, .addresses = e->addresses});
  sl_piece_record(&page->values, e->time, e->time);
  if (is_full(&page->values))
    write_piece(trace, &page->values, "values");
}

static void executed(struct sl_trace *trace, const struct sl_probe *p, const struct sl_trace_insn *insn, uint64_t time)
{
  struct page *page = trace->state;
  const uint32_t number = code_number(trace, p->pc), mask = mask_number(page, p->active);
  if (number == NO_CODE || mask == NO_CODE) {
    trace->lost = true;
    return;
  }
  record_execution(trace, &(struct execution){.pc = p->pc,
                                              .row = insn != NULL ? insn->row : 0,
                                              .time = time,
                                              .code = number,
                                              .mask = mask,
                                              .line = p->line,
                                              .active = p->active,
                                              .lanes = p->lanes,
                                              .known = insn != NULL,
                                              .results = {p->values, p->wide_values},
                                              .addresses = {p->address, p->wide_address}});
}

/* Paints and records cycles of a slot up to `to`. warp: + 1; 0: none. */
static void record_slot(struct sl_trace *trace, const struct sl_page_rows_slot *slot)
{
  struct page *page = trace->state;
  const uint64_t to = slot->time, from = to > slot->cycles ? to - slot->cycles : 0;
  const uint8_t category = (uint8_t)(slot->reason + 1);
  sl_picture_paint(&page->slot, slot->core, from, to, category);
  if (slot->warp != 0)
    sl_picture_paint(&page->reason, slot->warp - 1, from, to, category);
  if (slot->warp + 1 > page->records.warps && !sl_page_rows_reach_warp(&page->records, slot->warp + 1)) {
    trace->lost = true;
    return;
  }
  if (!begin_record(trace, &page->slots, SL_SLOT_BYTES))
    return;
  sl_page_rows_put_slot(&page->records, &page->slots, slot);
  sl_piece_record(&page->slots, from, to);
  if (is_full(&page->slots))
    write_piece(trace, &page->slots, "slots");
}

/* A slot reports the end of a wait. Cycles taken back stay in the picture; the totals are right. */
static void waited(struct sl_trace *trace, const struct sl_probe *p, uint64_t time)
{
  struct page *page = trace->state;
  const uint32_t number = code_number(trace, p->idle == SL_PROBE_BUSY ? p->pc : NO_PC);
  if (number == NO_CODE)
    return;
  page->code[number].cycles[p->cause] += p->count;
  if (p->count > 0)
    record_slot(trace, &(struct sl_page_rows_slot){.time = time + 1,
                                                   .core = p->core,
                                                   .warp = p->idle == SL_PROBE_BUSY && !p->any_warp ? p->warp + 1 : 0,
                                                   .code = number,
                                                   .reason = p->cause,
                                                   .cycles = (uint64_t)p->count});
}

static void add_conflicts(struct page *page, uint64_t time, uint64_t cycles)
{
  sl_picture_add(&page->slot, SERIES_BANKS, time, time + cycles, 1);
}

/* A cycle of a slot that the record of its instruction tells. */
static inline void paint_slot(struct page *page, const struct sl_probe_record *r, uint64_t time, unsigned cause)
{
  sl_picture_dot(&page->slot, r->core, time, (uint8_t)(cause + 1));
  sl_picture_dot(&page->reason, r->warp, time, (uint8_t)(cause + 1));
}

/* The life of an instruction. A machine that tells lives has one stall reason for those that are RETRIED. */
static unsigned lived(struct sl_trace *trace, const struct sl_probe_record *r, const struct sl_relay_life *l,
                      uint64_t row)
{
  struct page *page = trace->state;
  const struct sl_record_life *life = l->life;
  const unsigned flags = r->stage;
  const sl_lanes active = (flags & SL_LIFE_EXECUTED) != 0 ? r->more : 0;
  const uint64_t began = trace->base + r->cycle, time = began + life->executed;
  const uint32_t code = code_number(trace, r->pc), mask = mask_number(page, active);
  if (code == NO_CODE || mask == NO_CODE || !reach_warp(trace, r->warp, r->core)) {
    trace->lost = true;
    return 0;
  }
  if (flags & SL_LIFE_WAITED) {
    page->code[code].cycles[life->cause]++;
    page->retried = (flags & SL_LIFE_EXECUTED) == 0 ? life->cause : page->retried;
    paint_slot(page, r, time, life->cause);
  }
  if (flags & SL_LIFE_EXECUTED)
    record_execution(trace, &(struct execution){.pc = r->pc,
                                                .row = row,
                                                .time = time,
                                                .code = code,
                                                .mask = mask,
                                                .line = life->line,
                                                .active = active,
                                                .lanes = life->lanes,
                                                .known = true,
                                                .results = {l->values, l->wide_values},
                                                .addresses = {l->address, l->wide_address}});
  if (life->banked != 0)
    add_conflicts(page, time, life->banked);
  const unsigned note = (flags & SL_LIFE_WAITED) != 0 ? SL_ROW_SLOT : 0;
  if ((flags & SL_LIFE_GOES_ON) == 0)
    record_row(trace, &(struct sl_page_row){.row = row,
                                            .began = began,
                                            .warp = r->warp,
                                            .code = code,
                                            .mask = mask,
                                            .end = sl_trace_end_of((enum sl_probe_kind)(1u << life->end)) | note,
                                            .spent = life->spent,
                                            .stages = SL_RECORD_STAGES});
  return note;
}

/* Other lanes of a warp run next. */
static void switched(struct sl_trace *trace, const struct sl_probe *p, const struct sl_trace_insn *insn, uint64_t time)
{
  struct page *page = trace->state;
  const uint32_t code = code_number(trace, p->holder), mask = mask_number(page, p->active);
  if (code == NO_CODE || mask == NO_CODE || !reach_warp(trace, p->warp, p->core)) {
    trace->lost = true;
    return;
  }
  if (!begin_record(trace, &page->switches, 50))
    return;
  if (page->switches.rows == 0) /* each piece can be read by itself */
    page->last_switch = 0;
  sl_piece_record(&page->switches, time, time);
  sl_piece_signed(&page->switches, time - page->last_switch);
  page->last_switch = time;
  sl_piece_number(&page->switches, p->warp);
  sl_piece_number(&page->switches, insn != NULL ? insn->row + 1 : 0);
  sl_piece_number(&page->switches, mask);
  sl_piece_number(&page->switches, code);
  if (is_full(&page->switches))
    write_piece(trace, &page->switches, "switches");
}

static void released(struct sl_trace *trace, const struct sl_probe *p, uint64_t time)
{
  struct page *page = trace->state;
  if (p->warp >= page->warp_room || page->arrived[p->warp] == 0)
    return;
  sl_picture_paint(&page->stage, p->warp, page->arrived[p->warp] - 1, time,
                   (uint8_t)(trace->order.machine->stages->count + 1));
  page->arrived[p->warp] = 0;
}

static void launched(struct sl_trace *trace, const struct sl_probe *p)
{
  struct page *page = trace->state;
  if (json_array_append_new(page->launches, json_pack("{s:I, s:s}", "time", (json_int_t)trace->latest, "kernel",
                                                      sl_trace_kernel(trace, p))) != 0)
    trace->lost = true;
}

static void event(struct sl_trace *trace, const struct sl_probe *p, const struct sl_trace_insn *insn, uint64_t time)
{
  struct page *page = trace->state;
  switch (p->kind) {
  case SL_PROBE_EXECUTED: executed(trace, p, insn, time); break;
  case SL_PROBE_WAITED: waited(trace, p, time); break;
  case SL_PROBE_SWITCHED: switched(trace, p, insn, time); break;
  case SL_PROBE_LAUNCHED: launched(trace, p); break;
  case SL_PROBE_ARRIVED:
    if (reach_warp(trace, p->warp, p->core))
      page->arrived[p->warp] = time + 1;
    break;
  case SL_PROBE_RELEASED: released(trace, p, time); break;
  case SL_PROBE_TRANSACTED: sl_picture_add(&page->slot, SERIES_TRANSACTIONS, time, time + 1, 1); break;
  case SL_PROBE_DEQUEUED:
    if ((uint64_t)p->count <= time)
      sl_picture_add(&page->slot, SERIES_QUEUED, time - (uint64_t)p->count, time, 1);
    break;
  case SL_PROBE_BANKED:
    if (p->count > p->least)
      add_conflicts(page, time, (uint64_t)(p->count - p->least));
    break;
  default: break;
  }
  trace->lost = trace->lost || page->stage.lost || page->reason.lost || page->slot.lost;
}

static void free_page(struct page *page)
{
  sl_packer_free(page->packer);
  for (size_t i = 0; i < page->code_room; i++)
    free(page->code[i].text);
  free(page->code);
  sl_numbers_free(&page->codes);
  sl_numbers_free(&page->masks);
  sl_piece_free(&page->rows);
  sl_piece_free(&page->values);
  sl_piece_free(&page->slots);
  sl_piece_free(&page->switches);
  sl_page_rows_free(&page->records);
  sl_picture_free(&page->stage);
  sl_picture_free(&page->reason);
  sl_picture_free(&page->slot);
  free(page->arrived);
  free(page->core);
  json_decref(page->launches);
}

static enum sl_status begin(struct sl_trace *trace, struct sl_error *err)
{
  struct page *page = trace->state = calloc(1, sizeof *page);
  if (page != NULL)
    page->records.stages = trace->order.machine->stages->count;
  if (page != NULL)
    page->put_values = sl_trace_values_putter();
  if (page == NULL || (page->launches = json_array()) == NULL ||
      (page->packer = sl_packer_create(&trace->file)) == NULL || !sl_picture_open(&page->stage, 0) ||
      !sl_picture_open(&page->reason, 0) ||
      !sl_picture_open(&page->slot, SERIES_COUNT + trace->order.machine->stages->count)) {
    if (page != NULL)
      free_page(page);
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
  const struct page *page = trace->state;
  const struct page_code *code = &page->code[number];
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
  const struct page *page = trace->state;
  enum { FILES = 64 };
  struct page_file file[FILES];
  int file_count = 0;
  sl_about_bytes(text, "[");
  for (size_t i = 0; i < page->codes.count; i++) {
    const struct page_code *code = &page->code[i];
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
  struct page *page = trace->state;
  const struct sl_trace_order *o = &trace->order;
  const uint64_t cycles = time + 1;
  json_t *files = json_array(), *cores = json_array();
  write_piece(trace, &page->rows, "rows");
  write_piece(trace, &page->values, "values");
  write_piece(trace, &page->slots, "slots");
  write_piece(trace, &page->switches, "switches");
  sl_picture_write(&page->stage, "stage", cycles, page->packer);
  sl_picture_write(&page->reason, "reason", cycles, page->packer);
  sl_picture_write(&page->slot, "slot", cycles, page->packer);
  trace->lost = !sl_packer_wait(page->packer) || trace->lost;
  for (size_t i = 0; i < page->warps; i++)
    json_array_append_new(cores, json_integer(page->core[i]));
  struct sl_piece code = {0};
  describe_code(trace, files, &code);
  json_t *description = json_pack(
      "{s:i, s:s, s:s, s:s, s:I, s:i, s:i, s:I, s:o, s:i, s:o, s:o, s:o, s:o, s:o, s:o}", "simtlab_trace_page", 3,
      "title", o->title, "machine", o->machine->name, "made_by", o->origin != NULL ? o->origin : "", "cycles",
      (json_int_t)cycles, "lanes", (int)page->lanes, "bits", o->program != NULL || o->machine_code ? 32 : 64, "details",
      (json_int_t)(trace->details == UINT64_MAX ? cycles : trace->details), "launches", json_incref(page->launches),
      "retried", (int)page->retried, "stages", sl_about_stages(trace->order.machine), "reasons",
      sl_about_reasons(trace->order.machine), "series", sl_about_series(trace->order.machine), "warps", cores, "masks",
      sl_about_masks(&page->masks), "files", files);
  trace->lost = !sl_about_write(description, &code, &trace->file) || trace->lost;
  sl_piece_free(&code);
  trace->lost = trace->lost || page->stage.lost || page->reason.lost || page->slot.lost;
  free_page(page);
}

const struct sl_trace_format sl_trace_html = {
    .wanted = SL_PROBE_LAUNCHED | SL_PROBE_EXECUTED | SL_PROBE_WAITED | SL_PROBE_ARRIVED | SL_PROBE_RELEASED |
              SL_PROBE_TRANSACTED | SL_PROBE_DEQUEUED | SL_PROBE_BANKED | SL_PROBE_SWITCHED,
    .payloads = SL_PAYLOAD_RESULTS | SL_PAYLOAD_ADDRESSES,
    .arrays = SL_PROBE_EXECUTED,
    .begin = begin,
    .leave = leave,
    .lived = lived,
    .event = event,
    .end = end,
};
