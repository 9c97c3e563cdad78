/* Records of a page (trace_html.c). Instructions that leave are painted and recorded in batches. */
#include "observe/trace/trace_page.h"

#include <stdlib.h>
#include <string.h>

/* ---- numbers of keys --------------------------------------------------------------------------------------------- */

static size_t place_of(const struct sl_numbers *n, uint64_t key)
{
  size_t at = (size_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 24) & (n->room - 1);
  while (n->table[at] != 0 && n->keys[n->table[at] - 1] != key)
    at = (at + 1) & (n->room - 1);
  return at;
}

static bool grow(struct sl_numbers *n)
{
  const size_t room = n->room != 0 ? 2 * n->room : 256;
  uint64_t *keys = realloc(n->keys, room * sizeof *keys);
  if (keys != NULL)
    n->keys = keys;
  uint32_t *table = calloc(room, sizeof *table);
  if (keys == NULL || table == NULL) {
    free(table);
    return false;
  }
  free(n->table);
  n->table = table;
  n->room = room;
  for (size_t i = 0; i < n->count; i++)
    n->table[place_of(n, n->keys[i])] = (uint32_t)i + 1;
  return true;
}

/* The number of a key; SL_NO_NUMBER: out of memory. */
static uint32_t sl_number_of(struct sl_numbers *n, uint64_t key)
{
  if (2 * (n->count + 1) > n->room && !grow(n))
    return SL_NO_NUMBER;
  const size_t at = place_of(n, key);
  if (n->table[at] == 0) {
    n->keys[n->count++] = key;
    n->table[at] = (uint32_t)n->count;
  }
  return n->table[at] - 1;
}

static void sl_numbers_free(struct sl_numbers *n)
{
  free(n->keys);
  free(n->table);
}

/* ---- records ----------------------------------------------------------------------------------------------------- */

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

static inline size_t place_at_hand(uint64_t pc)
{
  return (size_t)(pc >> 1 ^ pc >> 11) % SL_PAGE_CODES;
}

/* The number of the instruction at a pc; NO_CODE: out of memory. */
static inline uint32_t code_number(struct sl_trace *trace, struct sl_page *page, uint64_t pc)
{
  const size_t at = place_at_hand(pc);
  if (page->at_hand[at].number == 0 || page->at_hand[at].pc != pc) {
    page->at_hand[at].pc = pc;
    page->at_hand[at].number = add_code(trace, pc) + 1;
  }
  return page->at_hand[at].number - 1;
}

static const struct sl_trace_mask *find_mask(struct sl_page *page, sl_lanes mask)
{
  struct sl_trace_mask *const found =
      &page->mask_at_hand[mask * UINT64_C(0x9e3779b97f4a7c15) >> 32 & (SL_PAGE_MASKS - 1)];
  if (found->active != mask)
    *found = (struct sl_trace_mask){
        .active = mask, .number = sl_number_of(&page->masks, mask), .lanes = (unsigned)__builtin_popcountll(mask)};
  return found;
}

/* The number of lanes. If there are any, they become the latest ones. */
static inline uint32_t mask_number(struct sl_page *page, sl_lanes mask)
{
  if (mask == 0) {
    page->no_lanes = page->no_lanes != 0 ? page->no_lanes : sl_number_of(&page->masks, 0) + 1;
    return page->no_lanes - 1;
  }
  if (page->mask->active != mask)
    page->mask = find_mask(page, mask);
  return page->mask->number;
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

static inline bool has_warp(const struct sl_page *page, unsigned warp, unsigned core)
{
  return warp < page->warps && page->core[warp] == core;
}

static inline bool reach_warp(struct sl_trace *trace, const struct sl_page *page, unsigned warp, unsigned core)
{
  return has_warp(page, warp, core) || add_warp(trace, warp, core);
}

/* Writes a piece that is full. After the limit nothing is recorded any more. */
static void write_piece(struct sl_trace *trace, struct sl_piece *piece, enum sl_piece_kind kind)
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

/* Paints the cycles of an instruction's stages, and counts them in the series. Then all series have the last bin, or if
 * memory lacks the last series has not. */
static void paint_each_stage(struct sl_page *page, const struct sl_page_row *row, unsigned stages)
{
  uint64_t at = row->began;
  for (unsigned i = 0; i < stages; i++) {
    const uint64_t end = at + row->spent[i];
    sl_picture_paint(&page->stage, row->warp, at, end, i + 1);
    sl_picture_add(&page->slot, SL_SERIES_COUNT + i, at, end, 1);
    at = end;
  }
  for (unsigned i = 0; i < stages; i++)
    sl_picture_add(&page->slot, SL_SERIES_COUNT + i, at - 1, at, 0);
}

/* The same for few cycles in one bin of the warp's row, and in one of the series. */
static inline __attribute__((always_inline)) void paint_in_bin(struct sl_page *page, unsigned warp, uint64_t bin,
                                                               uint64_t amounts, const uint32_t *spent,
                                                               const unsigned stages)
{
  sl_picture_bin *const place = &page->stage.rows[warp].bins[bin];
  const struct sl_picture_series *const series = page->slot.series + SL_SERIES_COUNT;
  sl_picture_bin votes = *place;
  for (unsigned i = 0; i < stages; i++) {
    if (spent[i] == 0)
      continue;
    votes = sl_picture_vote_few(votes, i + 1, spent[i]);
    series[i].amount[amounts] += spent[i];
  }
  *place = votes;
}

/* The same for cycles that begin in one bin and end in the next one, of the row or the series or both. Where both have
 * a second bin, that of the longer ones begins where one of the shorter ones begins. */
static inline void paint_in_two(struct sl_page *page, const struct sl_page_row *row, unsigned stages)
{
  const unsigned shift = page->stage.shift, series_shift = page->slot.shift;
  const uint64_t began = row->began, end = row->left - 1, second = end >> shift, second_amounts = end >> series_shift;
  const uint64_t border = second_amounts != began >> series_shift ? second_amounts << series_shift : second << shift;
  uint32_t before[SL_TRACE_STAGES], after[SL_TRACE_STAGES], rest = (uint32_t)(border - began);
  for (unsigned i = 0; i < stages; i++) {
    before[i] = row->spent[i] < rest ? row->spent[i] : rest;
    after[i] = row->spent[i] - before[i];
    rest -= before[i];
  }
  paint_in_bin(page, row->warp, began >> shift, began >> series_shift, before, stages);
  paint_in_bin(page, row->warp, second, second_amounts, after, stages);
}

/* The same for any cycles. */
static __attribute__((noinline)) void paint_anywhere(struct sl_page *page, const struct sl_page_row *row,
                                                     unsigned stages)
{
  const unsigned shift = page->stage.shift, series_shift = page->slot.shift;
  const uint64_t end = row->left - 1;
  if ((end >> shift) - (row->began >> shift) > 1 || (end >> series_shift) - (row->began >> series_shift) > 1 ||
      shift >= SL_PICTURE_LEAD || !sl_picture_has(&page->stage, row->warp, end >> shift) ||
      end >> series_shift >= page->slot.series[SL_SERIES_COUNT + stages - 1].count)
    paint_each_stage(page, row, stages);
  else if (stages == SL_RECORD_STAGES)
    paint_in_two(page, row, SL_RECORD_STAGES);
  else
    paint_in_two(page, row, stages);
}

/* The same. Nearly always they are in one bin. */
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
  if ((left - 1) >> shift == bin && shift < SL_PICTURE_LEAD && page->slot.shift == shift &&
      sl_picture_has(&page->stage, row->warp, bin) && bin < page->slot.series[SL_SERIES_COUNT + stages - 1].count)
    paint_in_bin(page, row->warp, bin, bin, row->spent, stages);
  else
    paint_anywhere(page, row, stages);
}

/* Paints the cycle of the slot that the record of its instruction tells. A machine that tells lives has one stall
 * reason for those that are RETRIED, and 0 for those that issue. */
static inline void paint_slot(struct sl_page *page, const struct sl_page_row *row)
{
  const unsigned category = (row->end == (SL_TRACE_RETRIED | SL_ROW_SLOT) ? page->retried : 0) + 1;
  const uint64_t time = row->began + row->spent[0];
  sl_picture_dot(&page->slot, page->core[row->warp], time, category);
  sl_picture_dot(&page->reason, row->warp, time, category);
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
    write_piece(trace, &page->rows, SL_PIECE_ROWS);
  return some;
}

static inline __attribute__((always_inline)) void paint(struct sl_page *page, size_t count, const unsigned stages)
{
  for (struct sl_page_row *row = page->batch; row < page->batch + count; row++) {
    paint_stages(page, row, stages);
    if ((row->end & SL_ROW_SLOT) != 0)
      paint_slot(page, row);
  }
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
static inline struct sl_page_row *take_row(struct sl_trace *trace, struct sl_page *page)
{
  if (page->batched == SL_PAGE_BATCH)
    settle(trace);
  struct sl_page_row *const row = &page->batch[page->batched++];
  page->recorded = trace->details == UINT64_MAX ? page->batched : page->recorded;
  return row;
}

/* Numbers of an instruction that did not have a life. */
static bool number_insn(struct sl_trace *trace, struct sl_page *page, struct sl_trace_insn *insn)
{
  const uint32_t code = code_number(trace, page, insn->pc), mask = mask_number(page, insn->active);
  insn->note = (struct sl_trace_note){.known = true, .end = insn->note.end, .code = code, .mask = mask};
  return code != NO_CODE && mask != NO_CODE && reach_warp(trace, page, insn->warp, insn->core);
}

void sl_page_leave(struct sl_trace *trace, struct sl_trace_insn *insn, enum sl_trace_end how, uint64_t time)
{
  struct sl_page *const page = trace->state;
  (void)time; /* is that of its last stage's end */
  if (!insn->note.known && !number_insn(trace, page, insn)) {
    trace->lost = true;
    return;
  }
  struct sl_page_row *const row = take_row(trace, page);
  row->row = insn->row;
  row->began = insn->began;
  row->warp = insn->warp;
  row->code = insn->note.code;
  row->mask = insn->note.mask;
  row->end = how | insn->note.end;
  memcpy(row->spent, insn->spent, sizeof row->spent);
}

/* Counts an execution, whose lanes are the latest ones, or none. */
static inline void count_execution(struct sl_trace *trace, struct sl_page *page, struct sl_page_code *code, uint64_t pc,
                                   uint32_t line, unsigned lanes, bool is_active)
{
  if (__builtin_expect(code->text == NULL, 0)) {
    const struct sl_trace_code *known = sl_trace_code(trace, pc);
    code->text = known != NULL ? strdup(known->text) : NULL;
    code->line = line;
    page->lanes = lanes > page->lanes ? lanes : page->lanes;
  }
  code->executed++;
  code->threads += is_active ? page->mask->lanes : 0;
}

/* Records the data of an execution of the latest lanes. */
static inline __attribute__((always_inline)) void
record_data(struct sl_trace *trace, struct sl_page *page, uint64_t row, uint64_t time, const struct sl_trace_data *data)
{
  struct sl_piece *const piece = &page->values;
  if (!begin_record(trace, piece, SL_VALUES_BYTES))
    return;
  page->put_values(piece, &page->valued, row, page->mask, data);
  sl_piece_record(piece, time, time);
  if (is_full(piece))
    write_piece(trace, piece, SL_PIECE_VALUES);
}

static void executed(struct sl_trace *trace, const struct sl_probe *p, const struct sl_trace_insn *insn, uint64_t time)
{
  struct sl_page *page = trace->state;
  const uint32_t number = code_number(trace, page, p->pc), mask = mask_number(page, p->active);
  if (number == NO_CODE || mask == NO_CODE) {
    trace->lost = true;
    return;
  }
  const struct sl_trace_data data = {{p->values, p->wide_values}, {p->address, p->wide_address}};
  const bool any = p->values != NULL || p->wide_values != NULL || p->address != NULL || p->wide_address != NULL;
  count_execution(trace, page, &page->code[number], p->pc, p->line, p->lanes, p->active != 0);
  if (insn != NULL && p->active != 0 && any)
    record_data(trace, page, insn->row, time, &data);
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
    write_piece(trace, &page->slots, SL_PIECE_SLOTS);
}

/* A slot reports the end of a wait. Cycles taken back stay in the picture; the totals are right. */
static void waited(struct sl_trace *trace, const struct sl_probe *p, uint64_t time)
{
  struct sl_page *page = trace->state;
  const uint32_t number = code_number(trace, page, p->idle == SL_PROBE_BUSY ? p->pc : NO_PC);
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

static __attribute__((noinline)) bool number_slowly(struct sl_trace *trace, struct sl_page *page,
                                                    const struct sl_probe_record *r, uint32_t *code)
{
  *code = code_number(trace, page, r->pc);
  const bool any =
      *code != NO_CODE && mask_number(page, r->more) != NO_CODE && reach_warp(trace, page, r->warp, r->core);
  trace->lost = trace->lost || !any;
  return any;
}

/* The numbers of a life, which are nearly always at hand. False: out of memory. */
static inline bool number_life(struct sl_trace *trace, struct sl_page *page, const struct sl_probe_record *r,
                               uint32_t *code, uint32_t *mask)
{
  const size_t at = place_at_hand(r->pc);
  *code = page->at_hand[at].number - 1;
  *mask = mask_number(page, r->more);
  return (page->at_hand[at].pc == r->pc && *code != NO_CODE && *mask != NO_CODE && has_warp(page, r->warp, r->core)) ||
         number_slowly(trace, page, r, code);
}

void sl_page_lived(struct sl_trace *trace, const struct sl_probe_record *r, const struct sl_relay_life *l,
                   uint64_t number, struct sl_trace_note *goes_on)
{
  struct sl_page *page = trace->state;
  const struct sl_record_life *life = l->life;
  const unsigned flags = r->stage;
  const uint64_t began = trace->base + r->cycle, time = began + life->executed;
  uint32_t code, mask;
  if (!number_life(trace, page, r, &code, &mask))
    return;
  const unsigned note = (flags & SL_LIFE_WAITED) != 0 ? SL_ROW_SLOT : 0;
  if (note != 0)
    page->code[code].cycles[life->cause]++;
  if (flags & SL_LIFE_EXECUTED) {
    count_execution(trace, page, &page->code[code], r->pc, life->line, life->lanes, r->more != 0);
    if ((life->parts & ~(unsigned)SL_RECORD_CODE) != 0 && r->more != 0)
      record_data(trace, page, number, time, &l->data);
  } else if (note != 0) {
    page->retried = life->cause;
  }
  if (life->banked != 0)
    add_conflicts(page, time, life->banked);
  if (flags & SL_LIFE_GOES_ON) {
    *goes_on = (struct sl_trace_note){.known = true, .end = (uint8_t)note, .code = code, .mask = mask};
    return;
  }
  struct sl_page_row *const row = take_row(trace, page);
  row->row = number;
  row->began = began;
  row->warp = r->warp;
  row->code = code;
  row->mask = mask;
  row->end = sl_trace_end_of((enum sl_probe_kind)(1u << life->end)) | note;
  memcpy(row->spent, life->spent, sizeof life->spent);
}

/* Other lanes of a warp run next. */
static void switched(struct sl_trace *trace, const struct sl_probe *p, const struct sl_trace_insn *insn, uint64_t time)
{
  struct sl_page *page = trace->state;
  const uint32_t code = code_number(trace, page, p->holder), mask = mask_number(page, p->active);
  if (code == NO_CODE || mask == NO_CODE || !reach_warp(trace, page, p->warp, p->core)) {
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
    write_piece(trace, &page->switches, SL_PIECE_SWITCHES);
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

void sl_page_counted(struct sl_trace *trace, enum sl_probe_kind kind, uint64_t count, uint64_t time)
{
  struct sl_page *page = trace->state;
  if (kind == SL_PROBE_TRANSACTED)
    sl_picture_add(&page->slot, SL_SERIES_TRANSACTIONS, time, time + 1, 1);
  else if (count <= time)
    sl_picture_add(&page->slot, SL_SERIES_QUEUED, time - count, time, 1);
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
    if (reach_warp(trace, page, p->warp, p->core))
      page->arrived[p->warp] = time + 1;
    break;
  case SL_PROBE_RELEASED: released(trace, p, time); break;
  case SL_PROBE_TRANSACTED:
  case SL_PROBE_DEQUEUED: sl_page_counted(trace, p->kind, (uint64_t)p->count, time); break;
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
  write_piece(trace, &page->rows, SL_PIECE_ROWS);
  write_piece(trace, &page->values, SL_PIECE_VALUES);
  write_piece(trace, &page->slots, SL_PIECE_SLOTS);
  write_piece(trace, &page->switches, SL_PIECE_SWITCHES);
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
