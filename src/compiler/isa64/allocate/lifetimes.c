#include "compiler/isa64/allocate/allocate.h"

#include <string.h>

#include "compiler/isa64/compile_mir.h"
#include "compiler/isa64/lir/lir.h"

/* ---- lifetimes --------------------------------------------------------------------------------------------------- */

struct meeting {
  uint32_t a, b;
  double weight;
};

struct meetings {
  struct meeting *at;
  size_t count, room;
};

unsigned sl_lir_sources(const struct sl_lir *lir, const struct sl_lir_insn *insn, uint32_t source[3])
{
  unsigned count = 0;
  const struct sl_lir_operand *operand = sl_lir_operands(lir, insn);
  if (insn->op >= SL_OP_COUNT && insn->op != SL_LIR_SPILL)
    return 0;
  for (uint32_t k = 0; k < insn->operand_count; k++)
    if (operand[k].role == SL_LIR_USE && operand[k].field >= SL_LIR_RS1 && operand[k].field <= SL_LIR_RS3)
      source[count++] = operand[k].reg;
  if (insn->op == SL_LIR_SPILL)
    source[count++] = lir->frame_pointer ? SL_FP : SL_SP;
  return count;
}

static bool meet(struct meetings *m, uint32_t a, uint32_t b, double weight)
{
  if (a == b)
    return true;
  if (!sl_make_room((void **)&m->at, &m->room, m->count + 2, sizeof *m->at))
    return false;
  m->at[m->count++] = (struct meeting){a, b, weight};
  m->at[m->count++] = (struct meeting){b, a, weight};
  return true;
}

static int compare(const void *a, const void *b)
{
  const struct sl_neighbour *x = a, *y = b;
  return (x->reg > y->reg) - (x->reg < y->reg);
}

/* Sorts by register and merges equal neighbours, summing their weights. */
static bool finish(struct sl_weighted_graph *graph, struct meetings *m, const struct sl_lir *lir)
{
  const size_t registers = SL_LIR_VIRTUAL + lir->kind_count;
  graph->neighbour = sl_zeroed(m->count, sizeof *graph->neighbour);
  graph->first = sl_zeroed(registers + 1, sizeof *graph->first);
  uint32_t *next = sl_zeroed(registers, sizeof *next);
  const bool room = graph->neighbour != NULL && graph->first != NULL && next != NULL;
  if (room) {
    for (size_t i = 0; i < m->count; i++)
      graph->first[m->at[i].a + 1]++;
    for (size_t r = 0; r < registers; r++)
      graph->first[r + 1] += graph->first[r];
    memcpy(next, graph->first, registers * sizeof *next);
    for (size_t i = 0; i < m->count; i++)
      graph->neighbour[next[m->at[i].a]++] = (struct sl_neighbour){m->at[i].b, m->at[i].weight};
    uint32_t n = 0;
    for (size_t r = 0; r < registers; r++) {
      const uint32_t from = graph->first[r], to = graph->first[r + 1];
      qsort(graph->neighbour + from, to - from, sizeof *graph->neighbour, compare);
      graph->first[r] = n;
      for (uint32_t i = from; i < to; i++)
        if (n > graph->first[r] && graph->neighbour[n - 1].reg == graph->neighbour[i].reg)
          graph->neighbour[n - 1].weight += graph->neighbour[i].weight;
        else
          graph->neighbour[n++] = graph->neighbour[i];
    }
    graph->first[registers] = n;
  }
  free(next);
  free(m->at);
  return room;
}

bool sl_conflict_graph(struct sl_weighted_graph *graph, const struct sl_lir *lir)
{
  struct meetings m = {0};
  *graph = (struct sl_weighted_graph){0};
  bool room = true;
  for (size_t b = 0; room && b < lir->block_count; b++)
    for (uint32_t i = 0; room && i < lir->block[b].insn_count; i++) {
      uint32_t source[3];
      const unsigned count = sl_lir_sources(lir, &lir->insn[lir->block[b].insn + i], source);
      for (unsigned x = 0; x < count; x++)
        for (unsigned y = x + 1; room && y < count; y++)
          room = meet(&m, source[x], source[y], lir->block[b].frequency);
    }
  return finish(graph, &m, lir) && room;
}

bool sl_copy_graph(struct sl_weighted_graph *graph, const struct sl_lir *lir)
{
  struct meetings m = {0};
  *graph = (struct sl_weighted_graph){0};
  bool room = true;
  for (size_t b = 0; room && b < lir->block_count; b++)
    for (uint32_t i = 0; room && i < lir->block[b].insn_count; i++) {
      const struct sl_lir_insn *insn = &lir->insn[lir->block[b].insn + i];
      if (insn->op == SL_LIR_COPY)
        room =
            meet(&m, sl_lir_field(lir, insn, SL_LIR_RD), sl_lir_field(lir, insn, SL_LIR_RS1), lir->block[b].frequency);
    }
  return finish(graph, &m, lir) && room;
}

void sl_weighted_graph_free(struct sl_weighted_graph *graph)
{
  free(graph->neighbour);
  free(graph->first);
  *graph = (struct sl_weighted_graph){0};
}

struct pair {
  uint32_t reg, block;
};

struct pairs {
  struct pair *at;
  size_t count, room;
};

struct link {
  struct sl_live_segment segment;
  uint32_t next; /* 1 + number of the next entry of the same register; 0: none */
};

struct work {
  const struct sl_lir *lir;
  size_t registers;
  struct pairs exposed, defined, in, out;
  uint32_t *pred, *pred_first, *stack;
  uint32_t *mark_in, *mark_out, *mark_defined; /* per block: 1 + the register that it is marked for */
  uint32_t *until;                             /* per register: end of the open segment, 0: none */
  struct link *link;
  size_t link_count;
  uint32_t *first_link;
};

static bool note(struct pairs *pairs, uint32_t reg, uint32_t block)
{
  if (!SL_GROW(pairs->at, pairs->count))
    return false;
  pairs->at[pairs->count++] = (struct pair){reg, block};
  return true;
}

/* Finds the registers that each block reads before it writes them, and those that it writes; until[] serves as the
 * block's mark here. */
static bool scan_block(struct work *w, uint32_t b, uint32_t *read)
{
  const struct sl_lir_block *block = &w->lir->block[b];
  for (uint32_t i = block->insn; i < block->insn + block->insn_count; i++) {
    const struct sl_lir_insn *insn = &w->lir->insn[i];
    const struct sl_lir_operand *operand = sl_lir_operands(w->lir, insn);
    for (unsigned pass = 0; pass < 2; pass++)
      for (uint32_t k = 0; k < insn->operand_count; k++) {
        const uint32_t reg = operand[k].reg;
        const bool use = operand[k].role == SL_LIR_USE;
        if (use != (pass == 0))
          continue;
        uint32_t *mark = use ? &read[reg] : &w->until[reg];
        if (*mark == b + 1 || (use && w->until[reg] == b + 1))
          continue;
        *mark = b + 1;
        if (!note(use ? &w->exposed : &w->defined, reg, b))
          return false;
      }
  }
  return true;
}

/* Sorts pairs by register, stable; first[] gets the start of each register's pairs. */
static bool by_register(struct pairs *pairs, size_t registers, uint32_t *first)
{
  struct pair *sorted = sl_zeroed(pairs->count, sizeof *sorted);
  if (sorted == NULL)
    return false;
  memset(first, 0, (registers + 1) * sizeof *first);
  for (size_t i = 0; i < pairs->count; i++)
    first[pairs->at[i].reg + 1]++;
  for (size_t r = 0; r < registers; r++)
    first[r + 1] += first[r];
  for (size_t i = 0; i < pairs->count; i++)
    sorted[first[pairs->at[i].reg]++] = pairs->at[i];
  for (size_t r = registers; r > 0; r--)
    first[r] = first[r - 1];
  first[0] = 0;
  free(pairs->at);
  pairs->at = sorted;
  pairs->room = pairs->count + 1;
  return true;
}

static void predecessors(struct work *w)
{
  const struct sl_lir *lir = w->lir;
  for (size_t b = 0; b < lir->block_count; b++)
    for (uint32_t e = 0; e < lir->block[b].edge_count; e++)
      w->pred_first[lir->edge[lir->block[b].edge + e] + 1]++;
  for (size_t b = 0; b < lir->block_count; b++)
    w->pred_first[b + 1] += w->pred_first[b];
  memcpy(w->stack, w->pred_first, lir->block_count * sizeof *w->stack);
  for (uint32_t b = 0; b < lir->block_count; b++)
    for (uint32_t e = 0; e < lir->block[b].edge_count; e++)
      w->pred[w->stack[lir->edge[lir->block[b].edge + e]]++] = b;
}

static bool enter(struct work *w, uint32_t reg, uint32_t block, uint32_t *depth)
{
  if (w->mark_in[block] == reg + 1)
    return true;
  w->mark_in[block] = reg + 1;
  w->stack[(*depth)++] = block;
  return note(&w->in, reg, block);
}

/* Walks upwards from the blocks with an upward-exposed read to the blocks that write the register. */
static bool follow(struct work *w, uint32_t reg, const struct pair *exposed, uint32_t count)
{
  uint32_t depth = 0;
  for (uint32_t i = 0; i < count; i++)
    if (!enter(w, reg, exposed[i].block, &depth))
      return false;
  while (depth > 0) {
    const uint32_t b = w->stack[--depth];
    for (uint32_t p = w->pred_first[b]; p < w->pred_first[b + 1]; p++) {
      const uint32_t from = w->pred[p];
      if (w->mark_out[from] != reg + 1) {
        w->mark_out[from] = reg + 1;
        if (!note(&w->out, reg, from))
          return false;
      }
      if (w->mark_defined[from] != reg + 1 && !enter(w, reg, from, &depth))
        return false;
    }
  }
  return true;
}

static bool follow_all(struct work *w)
{
  uint32_t *exposed = sl_zeroed(w->registers + 1, sizeof *exposed);
  uint32_t *defined = sl_zeroed(w->registers + 1, sizeof *defined);
  bool room = exposed != NULL && defined != NULL && by_register(&w->exposed, w->registers, exposed) &&
              by_register(&w->defined, w->registers, defined);
  for (uint32_t reg = 0; room && reg < w->registers; reg++) {
    if (exposed[reg] == exposed[reg + 1])
      continue;
    for (uint32_t i = defined[reg]; i < defined[reg + 1]; i++)
      w->mark_defined[w->defined.at[i].block] = reg + 1;
    room = follow(w, reg, w->exposed.at + exposed[reg], exposed[reg + 1] - exposed[reg]);
  }
  free(exposed);
  free(defined);
  return room;
}

/* Segments of a register are added in descending order of start. */
static bool add_segment(struct work *w, uint32_t reg, uint32_t start)
{
  const uint32_t end = w->until[reg], next = w->first_link[reg];
  w->until[reg] = 0;
  if (next != 0 && w->link[next - 1].segment.start == end) {
    w->link[next - 1].segment.start = start;
    return true;
  }
  if (!SL_GROW(w->link, w->link_count))
    return false;
  w->link[w->link_count++] = (struct link){{start, end}, next};
  w->first_link[reg] = (uint32_t)w->link_count;
  return true;
}

static bool block_segments(struct work *w, const struct sl_lir_block *block)
{
  for (uint32_t i = block->insn + block->insn_count; i-- > block->insn;) {
    const struct sl_lir_insn *insn = &w->lir->insn[i];
    const struct sl_lir_operand *operand = sl_lir_operands(w->lir, insn);
    for (uint32_t k = 0; k < insn->operand_count; k++)
      if (operand[k].role != SL_LIR_USE) {
        if (w->until[operand[k].reg] == 0)
          w->until[operand[k].reg] = 2 * i + 2;
        if (!add_segment(w, operand[k].reg, 2 * i + (operand[k].role == SL_LIR_DEF)))
          return false;
      }
    for (uint32_t k = 0; k < insn->operand_count; k++)
      if (operand[k].role == SL_LIR_USE && w->until[operand[k].reg] == 0)
        w->until[operand[k].reg] = 2 * i + 1;
  }
  return true;
}

/* Sorts pairs by block: swap, sort, swap back. */
static bool by_block(struct pairs *pairs, size_t blocks, uint32_t *first)
{
  for (size_t i = 0; i < pairs->count; i++)
    pairs->at[i] = (struct pair){pairs->at[i].block, pairs->at[i].reg};
  const bool room = by_register(pairs, blocks, first);
  for (size_t i = 0; i < pairs->count; i++)
    pairs->at[i] = (struct pair){pairs->at[i].block, pairs->at[i].reg};
  return room;
}

static bool make_segments(struct work *w)
{
  const struct sl_lir *lir = w->lir;
  uint32_t *in = sl_zeroed(lir->block_count + 1, sizeof *in), *out = sl_zeroed(lir->block_count + 1, sizeof *out);
  bool room =
      in != NULL && out != NULL && by_block(&w->in, lir->block_count, in) && by_block(&w->out, lir->block_count, out);
  memset(w->until, 0, w->registers * sizeof *w->until);
  for (size_t b = lir->block_count; room && b-- > 0;) {
    const struct sl_lir_block *block = &lir->block[b];
    for (uint32_t i = out[b]; i < out[b + 1]; i++)
      w->until[w->out.at[i].reg] = 2 * (block->insn + block->insn_count);
    room = block_segments(w, block);
    for (uint32_t i = in[b]; room && i < in[b + 1]; i++)
      room = add_segment(w, w->in.at[i].reg, 2 * block->insn);
  }
  free(in);
  free(out);
  return room;
}

static bool flatten(const struct work *w, struct sl_lifetimes *l)
{
  l->segment = sl_zeroed(w->link_count, sizeof *l->segment);
  l->first = sl_zeroed(w->registers + 1, sizeof *l->first);
  if (l->segment == NULL || l->first == NULL)
    return false;
  for (size_t reg = 0; reg < w->registers; reg++) {
    l->first[reg] = (uint32_t)l->segment_count;
    for (uint32_t at = w->first_link[reg]; at != 0; at = w->link[at - 1].next)
      l->segment[l->segment_count++] = w->link[at - 1].segment;
  }
  l->first[w->registers] = (uint32_t)l->segment_count;
  for (uint32_t i = 0; i < w->lir->insn_count; i++)
    if (sl_lir_is_call(&w->lir->insn[i])) {
      if (!SL_GROW(l->call, l->call_count))
        return false;
      l->call[l->call_count++] = i;
    }
  return true;
}

static bool allocate(struct work *w)
{
  const size_t blocks = w->lir->block_count, edges = w->lir->source->edge_count;
  w->pred = sl_zeroed(edges, sizeof *w->pred);
  w->pred_first = sl_zeroed(blocks + 1, sizeof *w->pred_first);
  w->stack = sl_zeroed(blocks, sizeof *w->stack);
  w->mark_in = sl_zeroed(blocks, sizeof *w->mark_in);
  w->mark_out = sl_zeroed(blocks, sizeof *w->mark_out);
  w->mark_defined = sl_zeroed(blocks, sizeof *w->mark_defined);
  w->until = sl_zeroed(w->registers, sizeof *w->until);
  w->first_link = sl_zeroed(w->registers, sizeof *w->first_link);
  return w->pred != NULL && w->pred_first != NULL && w->stack != NULL && w->mark_in != NULL && w->mark_out != NULL &&
         w->mark_defined != NULL && w->until != NULL && w->first_link != NULL;
}

bool sl_lifetimes_init(struct sl_lifetimes *l, const struct sl_lir *lir)
{
  struct work w = {.lir = lir, .registers = SL_LIR_VIRTUAL + lir->kind_count};
  *l = (struct sl_lifetimes){0};
  uint32_t *read = sl_zeroed(w.registers, sizeof *read);
  bool room = read != NULL && allocate(&w);
  for (uint32_t b = 0; room && b < lir->block_count; b++)
    room = scan_block(&w, b, read);
  if (room) {
    predecessors(&w);
    room = follow_all(&w) && make_segments(&w) && flatten(&w, l);
  }
  void *const memory[] = {read,    w.exposed.at, w.defined.at, w.in.at, w.out.at,     w.pred, w.pred_first,
                          w.stack, w.mark_in,    w.mark_out,   w.until, w.first_link, w.link, w.mark_defined};
  for (size_t i = 0; i < sizeof memory / sizeof memory[0]; i++)
    free(memory[i]);
  if (!room)
    sl_lifetimes_free(l);
  return room;
}

void sl_lifetimes_free(struct sl_lifetimes *l)
{
  free(l->segment);
  free(l->first);
  free(l->call);
  *l = (struct sl_lifetimes){0};
}

bool sl_alive(const struct sl_lifetimes *l, uint32_t reg, uint32_t point)
{
  uint32_t low = l->first[reg], high = l->first[reg + 1];
  while (low < high) {
    const uint32_t middle = (low + high) / 2;
    if (l->segment[middle].end <= point)
      low = middle + 1;
    else
      high = middle;
  }
  return low < l->first[reg + 1] && l->segment[low].start <= point;
}

/* A call writes at 2 i + 1; a register live there keeps its value. */
bool sl_alive_over_call(const struct sl_lifetimes *l, uint32_t reg)
{
  for (uint32_t s = l->first[reg]; s < l->first[reg + 1]; s++) {
    size_t low = 0, high = l->call_count;
    while (low < high) {
      const size_t middle = (low + high) / 2;
      if (2 * l->call[middle] + 1 < l->segment[s].start)
        low = middle + 1;
      else
        high = middle;
    }
    if (low < l->call_count && 2 * l->call[low] + 1 < l->segment[s].end)
      return true;
  }
  return false;
}

/* ---- segments of the physical registers -------------------------------------------------------------------------- */

static bool saved_by_default(unsigned reg)
{
  return reg == 8 || reg == 9 || (reg >= 18 && reg <= 27) || (reg >= 48 && reg <= 95);
}

/* Arguments first: they are free most often, and incoming arguments can stay in place. */
static void make_order(struct sl_registers *r)
{
  r->order_count = 0;
  for (unsigned reg = 10; reg < 18 && reg < r->count; reg++)
    if (!r->saved[reg])
      r->order[r->order_count++] = (uint8_t)reg;
  for (unsigned reg = 5; reg < r->count; reg++)
    if (!r->saved[reg] && !r->reserved[reg] && (reg < 10 || reg > 17))
      r->order[r->order_count++] = (uint8_t)reg;
  for (unsigned reg = 5; reg < r->count; reg++)
    if (r->saved[reg] && !r->reserved[reg])
      r->order[r->order_count++] = (uint8_t)reg;
  r->order[r->order_count++] = 1;
}

enum sl_status sl_registers_init(struct sl_registers *r, unsigned count, unsigned banks, const uint8_t *bank,
                                 const bool *saved, struct sl_error *err)
{
  *r = (struct sl_registers){.count = count, .banks = banks};
  if (count < SL_LEAST_REGISTERS || count > SL_REGISTERS)
    return sl_fail(err, SL_USAGE, "%u registers cannot be allocated; choose %u to %u", count, SL_LEAST_REGISTERS,
                   SL_REGISTERS);
  if (banks < 1 || banks > SL_MOST_BANKS)
    return sl_fail(err, SL_USAGE, "%u banks of registers are not possible; choose 1 to %u", banks, SL_MOST_BANKS);
  for (unsigned reg = 0; reg < SL_REGISTERS; reg++) {
    r->bank[reg] = (uint8_t)(bank != NULL ? bank[reg] : reg % banks);
    if (r->bank[reg] >= banks)
      return sl_fail(err, SL_USAGE, "register %u is in bank %u, but there are %u banks, from 0 on", reg, r->bank[reg],
                     banks);
    r->saved[reg] = saved != NULL ? saved[reg] : saved_by_default(reg);
    r->reserved[reg] = reg == 0 || (reg >= 2 && reg <= 4) || reg >= count;
  }
  if (r->saved[1])
    return sl_fail(err, SL_USAGE, "ra cannot be a saved register: calls write it");
  make_order(r);
  return SL_OK;
}

void sl_registers_reserve_frame_pointer(struct sl_registers *r)
{
  r->reserved[8] = true;
  make_order(r);
}

void sl_occupancy_free(struct sl_assigned_segments *o)
{
  for (unsigned r = 0; r < SL_REGISTERS; r++)
    free(o->at[r]);
  *o = (struct sl_assigned_segments){0};
}

/* Returns the first segment from `low` on that ends after a point. */
static size_t behind(const struct sl_assigned_segments *o, unsigned physical, size_t low, uint32_t point)
{
  size_t high = o->count[physical];
  while (low < high) {
    const size_t middle = (low + high) / 2;
    if (o->at[physical][middle].end <= point)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* Reserves room for all segments at once, then fills it from the end. Most registers have a single segment. */
bool sl_occupy(struct sl_assigned_segments *o, unsigned physical, const struct sl_lifetimes *l, uint32_t reg)
{
  const uint32_t added = sl_segment_count(l, reg);
  if (added == 0)
    return true;
  if (!sl_make_room((void **)&o->at[physical], &o->room[physical], o->count[physical] + added, sizeof *o->at[physical]))
    return false;
  struct sl_occupied *at = o->at[physical];
  size_t from = o->count[physical], to = from + added;
  if (added == 1) {
    const struct sl_live_segment only = l->segment[l->first[reg]];
    const size_t place = behind(o, physical, 0, only.start);
    o->count[physical] = to;
    memmove(at + place + 1, at + place, (from - place) * sizeof *at);
    at[place] = (struct sl_occupied){only.start, only.end, reg};
    return true;
  }
  o->count[physical] = to;
  for (uint32_t s = l->first[reg + 1]; s-- > l->first[reg];) {
    while (from > 0 && at[from - 1].start > l->segment[s].start)
      at[--to] = at[--from];
    at[--to] = (struct sl_occupied){l->segment[s].start, l->segment[s].end, reg};
  }
  return true;
}

void sl_vacate(struct sl_assigned_segments *o, unsigned physical, const struct sl_lifetimes *l, uint32_t reg)
{
  if (sl_segment_count(l, reg) == 0)
    return;
  struct sl_occupied *at = o->at[physical];
  size_t to = behind(o, physical, 0, l->segment[l->first[reg]].start);
  if (sl_segment_count(l, reg) == 1) {
    memmove(at + to, at + to + 1, (--o->count[physical] - to) * sizeof *at);
    return;
  }
  for (size_t from = to; from < o->count[physical]; from++)
    if (at[from].reg != reg)
      at[to++] = at[from];
  o->count[physical] = to;
}

bool sl_occupancy_each(const struct sl_assigned_segments *o, unsigned physical, const struct sl_lifetimes *l,
                       uint32_t reg, sl_occupancy_found *found, void *context)
{
  size_t at = 0;
  for (uint32_t s = l->first[reg]; s < l->first[reg + 1]; s++) {
    at = behind(o, physical, at, l->segment[s].start);
    for (size_t k = at; k < o->count[physical] && o->at[physical][k].start < l->segment[s].end; k++)
      if (!found(context, o->at[physical][k].reg))
        return false;
  }
  return true;
}

static bool nothing(void *context, uint32_t other)
{
  (void)context;
  (void)other;
  return false;
}

bool sl_is_free(const struct sl_assigned_segments *o, unsigned physical, const struct sl_lifetimes *l, uint32_t reg)
{
  return sl_occupancy_each(o, physical, l, reg, nothing, NULL);
}
