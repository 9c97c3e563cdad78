/* Records of a page (trace_html.c). Instructions that leave are painted and recorded in batches. */
#include "observe/trace/trace_page.h"

#include <stdlib.h>
#include <string.h>

enum { PIECE_ROWS = 1 << 14, PIECE_BYTES = 8 << 20, NO_CODE = SL_NO_NUMBER };
#define NO_PC UINT64_MAX /* of slots without a warp */
#define MOST_BYTES (UINT64_C(200) * 1000 * 1000)

static uint32_t add_code(struct sl_trace *trace, uint64_t pc)
{
  struct sl_page *page = trace->state;
  const uint32_t number = sl_number_of(&page->codes, pc);
  if (number == NO_CODE || number < page->code_room) {
    trace->lost = trace->lost || number == NO_CODE;
    return number;
  }
  const size_t room = page->code_room != 0 ? 2 * page->code_room : 256;
  struct sl_page_code *code = realloc(page->code, room * sizeof *code);
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
  struct sl_page *page = trace->state;
  const size_t at = (size_t)(pc >> 1 ^ pc >> 11) % SL_PAGE_CODES;
  if (page->at_hand[at].number == 0 || page->at_hand[at].pc != pc) {
    page->at_hand[at].pc = pc;
    page->at_hand[at].number = add_code(trace, pc) + 1;
  }
  return page->at_hand[at].number - 1;
}

static inline uint32_t mask_number(struct sl_page *page, sl_lanes mask)
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
  struct sl_page *page = trace->state;
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
  const struct sl_page *page = trace->state;
  return (warp < page->warps && page->core[warp] == core) || add_warp(trace, warp, core);
}

/* Writes a piece that is full. After the limit nothing is recorded any more. */
static void write_piece(struct sl_trace *trace, struct sl_piece *piece, const char *kind)
{
  struct sl_page *page = trace->state;
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

static void paint_each_stage(struct sl_page *page, const struct sl_page_row *row, unsigned stages)
{
  uint64_t at = row->began;
  for (unsigned i = 0; i < stages; i++) {
    const uint64_t end = at + row->spent[i];
    sl_picture_paint(&page->stage, row->warp, at, end, i + 1);
    sl_picture_add(&page->slot, SL_SERIES_COUNT + i, at, end, 1);
    at = end;
  }
}

/* The same for cycles in one bin, which the warp's row has. */
static inline __attribute__((always_inline)) void paint_in_bin(struct sl_page *page, unsigned warp, uint64_t bin,
                                                               const uint32_t *spent, const unsigned stages)
{
  sl_picture_bin *const place = &page->stage.rows[warp].bins[bin];
  struct sl_picture *const amounts = &page->slot;
  sl_picture_bin votes = *place;
  for (unsigned i = 0; i < stages; i++) {
    struct sl_picture_series *const series = &amounts->series[SL_SERIES_COUNT + i];
    if (spent[i] == 0)
      continue;
    votes = sl_picture_vote(votes, i + 1, spent[i]);
    if (bin < series->count)
      series->amount[bin] += spent[i];
    else
      sl_picture_add(amounts, SL_SERIES_COUNT + i, bin << amounts->shift, (bin << amounts->shift) + 1, spent[i]);
  }
  *place = votes;
}

/* Paints the cycles of an instruction's stages, and counts them in the series. Nearly always they are in one bin or in
 * two. */
static inline __attribute__((always_inline)) void paint_stages(struct sl_page *page, struct sl_page_row *row,
                                                               const unsigned stages)
{
  const unsigned shift = page->stage.shift;
  const uint64_t began = row->began, bin = began >> shift;
  uint64_t left = began;
  for (unsigned i = 0; i < stages; i++)
    left += row->spent[i];
  row->left = left;
  if (left == began)
    return;
  const uint64_t last = (left - 1) >> shift;
  if (last - bin > 1 || page->slot.shift != shift || !sl_picture_has(&page->stage, row->warp, last)) {
    paint_each_stage(page, row, stages);
  } else if (last == bin) {
    paint_in_bin(page, row->warp, bin, row->spent, stages);
  } else {
    uint32_t before[SL_TRACE_STAGES], after[SL_TRACE_STAGES], rest = (uint32_t)((last << shift) - began);
    for (unsigned i = 0; i < stages; i++) {
      before[i] = row->spent[i] < rest ? row->spent[i] : rest;
      after[i] = row->spent[i] - before[i];
      rest -= before[i];
    }
    paint_in_bin(page, row->warp, bin, before, stages);
    paint_in_bin(page, row->warp, last, after, stages);
  }
}

/* Cycles of a slot in one bin, of one category, that are not painted yet. */
struct slot_run {
  unsigned core;
  uint32_t category;
  uint64_t begin; /* of the bin */
  uint64_t cycles;
};

static void paint_run(struct sl_page *page, const struct slot_run *run)
{
  sl_picture_paint(&page->slot, run->core, run->begin, run->begin + run->cycles, run->category);
}

/* Paints the cycle of the slot that the record of its instruction tells. A machine that tells lives has one stall
 * reason for those that are RETRIED, and 0 for those that issue. */
static inline void paint_slot(struct sl_page *page, const struct sl_page_row *row, struct slot_run *run)
{
  const unsigned cause = (row->end & ~(unsigned)SL_ROW_SLOT) == SL_TRACE_RETRIED ? page->retried : 0;
  const unsigned core = page->core[row->warp], shift = page->slot.shift;
  const uint64_t time = row->began + row->spent[0], begin = time >> shift << shift;
  if (run->begin != begin || run->category != cause + 1 || run->core != core) {
    paint_run(page, run);
    *run = (struct slot_run){.core = core, .category = cause + 1, .begin = begin};
  }
  run->cycles++;
  sl_picture_dot(&page->reason, row->warp, time, cause + 1);
}

/* Records rows up to the end of a piece. Returns how many. */
static size_t record_some(struct sl_trace *trace, const struct sl_page_row *row, size_t count)
{
  struct sl_page *page = trace->state;
  const size_t left = PIECE_ROWS - page->rows.rows, some = count < left ? count : left;
  if (!sl_piece_room(&page->rows, some * SL_ROW_BYTES)) {
    trace->lost = true;
    return count;
  }
  sl_page_rows_put(&page->records, &page->rows, row, some);
  if (is_full(&page->rows))
    write_piece(trace, &page->rows, "rows");
  return some;
}

static inline __attribute__((always_inline)) void paint(struct sl_page *page, size_t count, const unsigned stages)
{
  struct slot_run run = {0};
  for (struct sl_page_row *row = page->batch; row < page->batch + count; row++) {
    paint_stages(page, row, stages);
    if ((row->end & SL_ROW_SLOT) != 0)
      paint_slot(page, row, &run);
  }
  paint_run(page, &run);
}

/* Paints and records the batch. */
static void settle(struct sl_trace *trace)
{
  struct sl_page *page = trace->state;
  const size_t count = page->batched, recorded = page->recorded;
  page->batched = page->recorded = 0;
  if (page->records.stages == SL_RECORD_STAGES)
    paint(page, count, SL_RECORD_STAGES);
  else
    paint(page, count, page->records.stages);
  for (size_t i = 0; i < recorded;)
    i += record_some(trace, &page->batch[i], recorded - i);
}

/* Takes the next place of the batch. */
static inline struct sl_page_row *take_row(struct sl_trace *trace)
{
  struct sl_page *page = trace->state;
  if (page->batched == SL_PAGE_BATCH)
    settle(trace);
  struct sl_page_row *const row = &page->batch[page->batched++];
  page->recorded = trace->details == UINT64_MAX ? page->batched : page->recorded;
  return row;
}

void sl_page_leave(struct sl_trace *trace, struct sl_trace_insn *insn, enum sl_trace_end how, uint64_t time)
{
  struct sl_page *page = trace->state;
  const uint32_t code = code_number(trace, insn->pc), mask = mask_number(page, insn->active);
  (void)time; /* is that of its last stage's end */
  if (code == NO_CODE || mask == NO_CODE || !reach_warp(trace, insn->warp, insn->core)) {
    trace->lost = true;
    return;
  }
  struct sl_page_row *const row = take_row(trace);
  row->row = insn->row;
  row->began = insn->began;
  row->warp = insn->warp;
  row->code = code;
  row->mask = mask;
  row->end = how | insn->note;
  memcpy(row->spent, insn->spent, sizeof row->spent);
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
  struct sl_page *page = trace->state;
  struct sl_page_code *code = &page->code[e->code];
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
  page->put_values(&page->values, &page->valued,
                   &(struct sl_trace_execution){.row = e->row,
                                                .active = e->active,
                                                .lanes = page->mask_lanes,
                                                .mask = e->mask,
                                                .results = e->results,
                                                .addresses = e->addresses});
  sl_piece_record(&page->values, e->time, e->time);
  if (is_full(&page->values))
    write_piece(trace, &page->values, "values");
}

static void executed(struct sl_trace *trace, const struct sl_probe *p, const struct sl_trace_insn *insn, uint64_t time)
{
  struct sl_page *page = trace->state;
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
  struct sl_page *page = trace->state;
  const uint64_t to = slot->time, from = to > slot->cycles ? to - slot->cycles : 0;
  const uint32_t category = slot->reason + 1;
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
  struct sl_page *page = trace->state;
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

static void add_conflicts(struct sl_page *page, uint64_t time, uint64_t cycles)
{
  sl_picture_add(&page->slot, SL_SERIES_BANKS, time, time + cycles, 1);
}

unsigned sl_page_lived(struct sl_trace *trace, const struct sl_probe_record *r, const struct sl_relay_life *l,
                       uint64_t number)
{
  struct sl_page *page = trace->state;
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
  }
  if (flags & SL_LIFE_EXECUTED)
    record_execution(trace, &(struct execution){.pc = r->pc,
                                                .row = number,
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
  if ((flags & SL_LIFE_GOES_ON) == 0) {
    struct sl_page_row *const row = take_row(trace);
    row->row = number;
    row->began = began;
    row->warp = r->warp;
    row->code = code;
    row->mask = mask;
    row->end = sl_trace_end_of((enum sl_probe_kind)(1u << life->end)) | note;
    memcpy(row->spent, life->spent, sizeof life->spent);
  }
  return note;
}

/* Other lanes of a warp run next. */
static void switched(struct sl_trace *trace, const struct sl_probe *p, const struct sl_trace_insn *insn, uint64_t time)
{
  struct sl_page *page = trace->state;
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
  struct sl_page *page = trace->state;
  if (p->warp >= page->warp_room || page->arrived[p->warp] == 0)
    return;
  sl_picture_paint(&page->stage, p->warp, page->arrived[p->warp] - 1, time, trace->order.machine->stages->count + 1);
  page->arrived[p->warp] = 0;
}

static void launched(struct sl_trace *trace, const struct sl_probe *p)
{
  struct sl_page *page = trace->state;
  if (json_array_append_new(page->launches, json_pack("{s:I, s:s}", "time", (json_int_t)trace->latest, "kernel",
                                                      sl_trace_kernel(trace, p))) != 0)
    trace->lost = true;
}

void sl_page_event(struct sl_trace *trace, const struct sl_probe *p, const struct sl_trace_insn *insn, uint64_t time)
{
  struct sl_page *page = trace->state;
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
  case SL_PROBE_TRANSACTED: sl_picture_add(&page->slot, SL_SERIES_TRANSACTIONS, time, time + 1, 1); break;
  case SL_PROBE_DEQUEUED:
    if ((uint64_t)p->count <= time)
      sl_picture_add(&page->slot, SL_SERIES_QUEUED, time - (uint64_t)p->count, time, 1);
    break;
  case SL_PROBE_BANKED:
    if (p->count > p->least)
      add_conflicts(page, time, (uint64_t)(p->count - p->least));
    break;
  default: break;
  }
  trace->lost = trace->lost || page->stage.lost || page->reason.lost || page->slot.lost;
}

void sl_page_write(struct sl_trace *trace, uint64_t cycles)
{
  struct sl_page *page = trace->state;
  const struct sl_machine *m = trace->order.machine;
  settle(trace);
  write_piece(trace, &page->rows, "rows");
  write_piece(trace, &page->values, "values");
  write_piece(trace, &page->slots, "slots");
  write_piece(trace, &page->switches, "switches");
  sl_picture_write(&page->stage, "stage", m->stages->count + 2, cycles, page->packer);
  sl_picture_write(&page->reason, "reason", (unsigned)m->causes->count + 1, cycles, page->packer);
  sl_picture_write(&page->slot, "slot", (unsigned)m->causes->count + 1, cycles, page->packer);
  trace->lost = !sl_packer_wait(page->packer) || trace->lost;
}

void sl_page_free(struct sl_page *page)
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
