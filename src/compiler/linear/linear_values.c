#include "compiler/linear/linear_vectors.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"

/* A change of a register's current value, for undoing on the way up the dominator tree. */
struct change {
  uint32_t reg, before;
};

struct builder {
  const struct sl_linear_code *code;
  const struct sl_linear_flow *flow;
  struct sl_linear_values *v;
  uint32_t words;    /* size of a register set */
  uint64_t *live;    /* per block, set: upward-exposed in it or live through it */
  uint64_t *defined; /* per block, set: written in it */
  uint64_t *merge;   /* per block, set: registers with a merge */
  uint32_t *now;     /* current value per register */
  struct change *change;
  size_t changes;
  uint32_t *child_first, *child; /* dominator tree */
  bool failed;
};

static bool has(const uint64_t *set, uint32_t reg)
{
  return set[reg / 64] >> (reg % 64) & 1;
}

static void put(uint64_t *set, uint32_t reg)
{
  set[reg / 64] |= UINT64_C(1) << (reg % 64);
}

static void drop(uint64_t *set, uint32_t reg)
{
  set[reg / 64] &= ~(UINT64_C(1) << (reg % 64));
}

static void through(const struct sl_linear_insn *in, uint64_t *live)
{
  for (unsigned k = 0; k < in->dsts; k++)
    drop(live, in->dst[k]);
  live[0] &= ~in->clobbers;
  for (unsigned k = 0; k < in->srcs; k++)
    if (in->src[k].reg != SL_LINEAR_NO_REG)
      put(live, in->src[k].reg);
}

/* Finds the registers live at the start of each block, by iteration to a fixed point. */
static void find_live(struct builder *b, uint64_t *set)
{
  const struct sl_dominators *d = &b->flow->dominators;
  const size_t bytes = b->words * sizeof *set;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = d->count; i-- > 0;) {
      const uint32_t block = d->order[i];
      memset(set, 0, bytes);
      for (uint32_t k = b->flow->to_first[block]; k < b->flow->to_first[block + 1]; k++)
        for (uint32_t w = 0; w < b->words; w++)
          set[w] |= b->live[(size_t)b->flow->to[k] * b->words + w];
      for (uint32_t at = b->flow->first[block + 1]; at-- > b->flow->first[block];)
        through(&b->code->insn[at], set);
      if (memcmp(set, &b->live[(size_t)block * b->words], bytes) != 0) {
        memcpy(&b->live[(size_t)block * b->words], set, bytes);
        changed = true;
      }
    }
  }
}

static void find_defined(struct builder *b)
{
  for (uint32_t block = 0; block < b->flow->blocks; block++)
    for (uint32_t at = b->flow->first[block]; at < b->flow->first[block + 1]; at++) {
      const struct sl_linear_insn *in = &b->code->insn[at];
      uint64_t *set = &b->defined[(size_t)block * b->words];
      for (unsigned k = 0; k < in->dsts; k++)
        put(set, in->dst[k]);
      set[0] |= in->clobbers;
    }
}

/* Places merges at the dominance frontier: a definition in a block, merges included, is merged at those joins where the
 * block's dominance ends. These are the joins with a path from the block up to, but excluding, the join's dominator. */
static bool merge_into(struct builder *b, uint32_t join, uint32_t from)
{
  uint64_t *merge = &b->merge[(size_t)join * b->words];
  const uint64_t *live = &b->live[(size_t)join * b->words];
  const uint32_t end = b->flow->dominators.immediate[join];
  bool changed = false;
  for (uint32_t block = from; block != end; block = b->flow->dominators.immediate[block]) {
    for (uint32_t w = 0; w < b->words; w++) {
      const size_t own = (size_t)block * b->words + w;
      const uint64_t more = (b->defined[own] | b->merge[own]) & live[w] & ~merge[w];
      merge[w] |= more;
      changed |= more != 0;
    }
  }
  return changed;
}

static void find_merges(struct builder *b)
{
  const struct sl_linear_flow *f = b->flow;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = 0; i < f->dominators.count; i++) {
      const uint32_t join = f->dominators.order[i], count = f->from_first[join + 1] - f->from_first[join];
      for (uint32_t k = f->from_first[join]; count > 1 && k < f->from_first[join + 1]; k++)
        changed |= merge_into(b, join, f->from[k]);
    }
  }
}

static uint32_t add_value(struct builder *b, struct sl_linear_value value)
{
  struct sl_linear_values *v = b->v;
  if (!SL_GROW(v->value, v->count)) {
    b->failed = true;
    return SL_LINEAR_NO_VALUE;
  }
  v->value[v->count] = value;
  return v->count++;
}

static void set_now(struct builder *b, uint32_t reg, uint32_t value)
{
  if (!SL_GROW(b->change, b->changes)) {
    b->failed = true;
    return;
  }
  b->change[b->changes++] = (struct change){.reg = reg, .before = b->now[reg]};
  b->now[reg] = value;
}

/* Creates all merges and reserves their operands, before the walk that fills them. */
static void list_merges(struct builder *b)
{
  struct sl_linear_values *v = b->v;
  const struct sl_linear_flow *f = b->flow;
  size_t merges = 0, operands = 0;
  for (uint32_t block = 0; block < f->blocks; block++)
    for (uint32_t reg = 0; reg < b->code->registers; reg++)
      if (has(&b->merge[(size_t)block * b->words], reg)) {
        merges++;
        operands += f->from_first[block + 1] - f->from_first[block];
      }
  v->merges = malloc((merges + 1) * sizeof *v->merges);
  v->merged = malloc((operands + 1) * sizeof *v->merged);
  if (v->merges == NULL || v->merged == NULL) {
    b->failed = true;
    return;
  }
  merges = operands = 0;
  for (uint32_t block = 0; block < f->blocks; block++) {
    v->merge_first[block] = (uint32_t)merges;
    for (uint32_t reg = 0; reg < b->code->registers; reg++) {
      if (!has(&b->merge[(size_t)block * b->words], reg))
        continue;
      v->merges[merges++] =
          add_value(b, (struct sl_linear_value){
                           .definition = SL_LINEAR_BY_MERGE, .reg = reg, .at = block, .operands = (uint32_t)operands});
      operands += f->from_first[block + 1] - f->from_first[block];
    }
  }
  v->merge_first[f->blocks] = (uint32_t)merges;
  for (size_t i = 0; i < operands; i++)
    v->merged[i] = SL_LINEAR_NO_VALUE;
}

static void name_insn(struct builder *b, uint32_t at)
{
  const struct sl_linear_insn *in = &b->code->insn[at];
  for (unsigned k = 0; k < in->srcs; k++)
    if (in->src[k].reg != SL_LINEAR_NO_REG)
      b->v->use[at][k] = b->now[in->src[k].reg];
  for (uint64_t rest = in->clobbers; rest != 0 && !b->failed; rest &= rest - 1)
    if (sl_lowest(rest) < b->code->registers)
      set_now(
          b, sl_lowest(rest),
          add_value(b, (struct sl_linear_value){.definition = SL_LINEAR_BY_CALL, .reg = sl_lowest(rest), .at = at}));
  for (unsigned k = 0; k < in->dsts && !b->failed; k++) {
    b->v->def[at][k] = add_value(
        b, (struct sl_linear_value){.definition = SL_LINEAR_BY_INSN, .which = (uint8_t)k, .reg = in->dst[k], .at = at});
    set_now(b, in->dst[k], b->v->def[at][k]);
  }
}

static void name_block(struct builder *b, uint32_t block)
{
  const struct sl_linear_flow *f = b->flow;
  struct sl_linear_values *v = b->v;
  for (uint32_t m = v->merge_first[block]; m < v->merge_first[block + 1] && !b->failed; m++)
    set_now(b, v->value[v->merges[m]].reg, v->merges[m]);
  for (uint32_t at = f->first[block]; at < f->first[block + 1] && !b->failed; at++)
    name_insn(b, at);
  for (uint32_t k = f->to_first[block]; k < f->to_first[block + 1]; k++) {
    const uint32_t to = f->to[k];
    uint32_t edge = 0;
    while (f->from[f->from_first[to] + edge] != block)
      edge++;
    for (uint32_t m = v->merge_first[to]; m < v->merge_first[to + 1]; m++) {
      const struct sl_linear_value *merge = &v->value[v->merges[m]];
      v->merged[merge->operands + edge] = b->now[merge->reg];
    }
  }
}

static bool find_children(struct builder *b)
{
  const struct sl_dominators *d = &b->flow->dominators;
  const size_t n = b->flow->blocks;
  b->child_first = calloc(n + 2, sizeof *b->child_first);
  b->child = malloc((n + 1) * sizeof *b->child);
  if (b->child_first == NULL || b->child == NULL)
    return false;
  uint32_t *start = b->child_first + 1;
  for (uint32_t i = 1; i < d->count; i++)
    start[d->immediate[d->order[i]] + 1]++;
  for (uint32_t i = 0; i < n; i++)
    start[i + 1] += start[i];
  for (uint32_t i = 1; i < d->count; i++)
    b->child[start[d->immediate[d->order[i]]]++] = d->order[i];
  return true;
}

/* Walks the dominator tree without recursion: the stack holds a block, the number of earlier changes, and the number of
 * visited children. */
static void walk(struct builder *b)
{
  struct step {
    uint32_t block, child;
    size_t changes;
  };
  uint32_t depth = 1;
  struct step *stack = malloc((b->flow->blocks + (size_t)1) * sizeof *stack);
  b->failed |= stack == NULL || !find_children(b);
  if (!b->failed) {
    stack[0] = (struct step){.block = 0, .child = b->child_first[0]};
    name_block(b, 0);
  }
  while (depth > 0 && !b->failed) {
    struct step *s = &stack[depth - 1];
    if (s->child < b->child_first[s->block + 1]) {
      const uint32_t block = b->child[s->child++];
      stack[depth++] = (struct step){.block = block, .child = b->child_first[block], .changes = b->changes};
      name_block(b, block);
      continue;
    }
    for (depth--; b->changes > s->changes; b->changes--)
      b->now[b->change[b->changes - 1].reg] = b->change[b->changes - 1].before;
  }
  free(stack);
}

static bool make_room(struct builder *b, uint64_t **set)
{
  const size_t sets = (size_t)b->flow->blocks * b->words + 1, n = b->code->count + (size_t)1;
  struct sl_linear_values *v = b->v;
  *set = malloc((b->words + (size_t)1) * sizeof **set);
  b->live = calloc(sets, sizeof *b->live);
  b->merge = calloc(sets, sizeof *b->merge);
  b->defined = calloc(sets, sizeof *b->defined);
  b->now = malloc((b->code->registers + (size_t)1) * sizeof *b->now);
  v->use = malloc(n * sizeof *v->use);
  v->def = malloc(n * sizeof *v->def);
  v->merge_first = malloc((b->flow->blocks + (size_t)1) * sizeof *v->merge_first);
  return *set && b->live && b->merge && b->defined && b->now && v->use && v->def && v->merge_first;
}

enum sl_status sl_linear_values_find(struct sl_linear_values *v, const struct sl_linear_code *code,
                                     const struct sl_linear_flow *flow, struct sl_error *err)
{
  uint64_t *set = NULL;
  struct builder b = {.code = code, .flow = flow, .v = v, .words = code->registers / 64 + 1};
  *v = (struct sl_linear_values){.count = 0};
  b.failed = !make_room(&b, &set);
  if (!b.failed) {
    memset(v->use, 0xff, code->count * sizeof *v->use);
    memset(v->def, 0xff, code->count * sizeof *v->def);
    find_live(&b, set);
    find_defined(&b);
    find_merges(&b);
    for (uint32_t reg = 0; reg < code->registers && !b.failed; reg++)
      b.now[reg] = add_value(&b, (struct sl_linear_value){.definition = SL_LINEAR_AT_ENTRY, .reg = reg});
    list_merges(&b);
    walk(&b);
  }
  free(set);
  free(b.live);
  free(b.merge);
  free(b.defined);
  free(b.now);
  free(b.change);
  free(b.child_first);
  free(b.child);
  return b.failed ? sl_no_memory(err, (size_t)code->count * 256) : SL_OK;
}

void sl_linear_values_free(struct sl_linear_values *v)
{
  free(v->value);
  free(v->use);
  free(v->def);
  free(v->merge_first);
  free(v->merges);
  free(v->merged);
  *v = (struct sl_linear_values){.count = 0};
}

/* ---- flow -------------------------------------------------------------------------------------------------------- */

static bool make_flow_room(struct sl_linear_flow *f, uint32_t count)
{
  const size_t n = (size_t)count + 4;
  f->first = malloc(n * sizeof *f->first);
  f->block_of = malloc(n * sizeof *f->block_of);
  f->to_first = calloc(n, sizeof *f->to_first);
  f->to = malloc(2 * n * sizeof *f->to);
  f->from_first = calloc(n + 1, sizeof *f->from_first);
  f->from = malloc(2 * n * sizeof *f->from);
  f->loop_of = malloc(n * sizeof *f->loop_of);
  return f->first && f->block_of && f->to_first && f->to && f->from_first && f->from && f->loop_of;
}

/* Blocks begin at targets of instructions that do not fall through, and after these instructions. */
static void find_blocks(struct sl_linear_flow *f, const struct sl_linear_code *code)
{
  for (uint32_t i = 0; i < code->count; i++)
    f->block_of[i] = i == 0;
  for (uint32_t i = 0; i < code->count; i++) {
    const uint32_t *next = code->insn[i].next;
    if (next[0] == i + 1 && next[1] == SL_LINEAR_NOWHERE)
      continue;
    for (unsigned k = 0; k < 2; k++)
      if (next[k] != SL_LINEAR_NOWHERE)
        f->block_of[next[k]] = 1;
    if (i + 1 < code->count)
      f->block_of[i + 1] = 1;
  }
  f->first[f->blocks++] = 0; /* the entry */
  for (uint32_t i = 0; i < code->count; i++) {
    if (f->block_of[i])
      f->first[f->blocks++] = i;
    f->block_of[i] = f->blocks - 1;
  }
  f->first[f->blocks] = code->count;
}

static void connect(struct sl_linear_flow *f, const struct sl_linear_code *code)
{
  uint32_t edges = 0;
  f->to_first[0] = 0;
  f->to[edges++] = 1;
  for (uint32_t b = 1; b < f->blocks; b++) {
    const uint32_t *next = code->insn[f->first[b + 1] - 1].next;
    f->to_first[b] = edges;
    for (unsigned k = 0; k < 2; k++)
      if (next[k] != SL_LINEAR_NOWHERE && (k == 0 || next[0] != next[1]))
        f->to[edges++] = f->block_of[next[k]];
  }
  f->to_first[f->blocks] = edges;
}

static void connect_back(struct sl_linear_flow *f)
{
  uint32_t *start = f->from_first + 1; /* holds the end of each list once all edges are in */
  for (uint32_t b = 0; b < f->blocks; b++)
    for (uint32_t k = f->to_first[b]; k < f->to_first[b + 1]; k++)
      if (f->dominators.place[b] != SL_NO_NODE)
        start[f->to[k] + 1]++;
  for (uint32_t b = 0; b < f->blocks; b++)
    start[b + 1] += start[b];
  for (uint32_t b = 0; b < f->blocks; b++)
    for (uint32_t k = f->to_first[b]; k < f->to_first[b + 1]; k++)
      if (f->dominators.place[b] != SL_NO_NODE)
        f->from[start[f->to[k]]++] = b;
}

bool sl_linear_is_back(const struct sl_linear_flow *flow, uint32_t from, uint32_t to)
{
  return sl_dominates(&flow->dominators, to, from);
}

/* Assigns the blocks that reach the back edge without passing the header to the loop, from inside to outside. A block
 * that already has a loop represents the whole loop. */
static void fill_loop(struct sl_linear_flow *f, uint32_t loop, uint32_t latch, uint32_t *stack)
{
  uint32_t depth = 0;
  stack[depth++] = latch;
  while (depth > 0) {
    uint32_t block = stack[--depth], outer = f->loop_of[block];
    while (outer != SL_LINEAR_NO_LOOP && outer != loop && f->loop[outer].parent != SL_LINEAR_NO_LOOP)
      outer = f->loop[outer].parent;
    if (outer == loop)
      continue;
    if (outer == SL_LINEAR_NO_LOOP) {
      f->loop_of[block] = loop;
    } else {
      f->loop[outer].parent = loop;
      block = f->loop[outer].header;
    }
    for (uint32_t k = f->from_first[block]; k < f->from_first[block + 1]; k++)
      if (outer == SL_LINEAR_NO_LOOP || !sl_linear_is_back(f, f->from[k], block))
        stack[depth++] = f->from[k];
  }
}

static uint32_t back_edges(const struct sl_linear_flow *f, uint32_t block)
{
  uint32_t n = 0;
  for (uint32_t k = f->from_first[block]; k < f->from_first[block + 1]; k++)
    n += sl_linear_is_back(f, f->from[k], block);
  return n;
}

/* Visits headers in postorder: inner loops come before enclosing ones. */
static void find_loops(struct sl_linear_flow *f, uint32_t *stack)
{
  const struct sl_dominators *d = &f->dominators;
  for (uint32_t b = 0; b < f->blocks; b++)
    f->loop_of[b] = SL_LINEAR_NO_LOOP;
  for (uint32_t i = d->count; i-- > 0;) {
    const uint32_t header = d->order[i];
    if (back_edges(f, header) == 0)
      continue;
    const uint32_t loop = f->loops++;
    f->loop[loop] = (struct sl_linear_loop){.header = header, .parent = SL_LINEAR_NO_LOOP};
    f->loop_of[header] = loop;
    for (uint32_t k = f->from_first[header]; k < f->from_first[header + 1]; k++)
      if (sl_linear_is_back(f, f->from[k], header) && f->from[k] != header)
        fill_loop(f, loop, f->from[k], stack);
  }
  for (uint32_t i = f->loops; i-- > 0;) /* outer loops have higher numbers */
    f->loop[i].depth = f->loop[i].parent == SL_LINEAR_NO_LOOP ? 1 : f->loop[f->loop[i].parent].depth + 1;
}

/* Immediate post-dominators: dominators of the reversed graph, whose node 0 is the end and node b + 1 is block b. */
static bool find_meetings(const struct sl_linear_flow *f, uint32_t *meeting)
{
  const size_t n = f->blocks + (size_t)1;
  struct sl_dominators back = {.order = NULL};
  uint32_t *first = malloc((n + 1) * sizeof *first), *to = malloc(2 * n * sizeof *to), edges = 0;
  bool room = first != NULL && to != NULL;
  for (uint32_t b = 0; room && b <= f->blocks; b++) {
    first[b] = edges;
    for (uint32_t k = 0; b == 0 && k < f->blocks; k++)
      if (f->to_first[k] == f->to_first[k + 1])
        to[edges++] = k + 1;
    for (uint32_t k = b == 0 ? 0 : f->from_first[b - 1]; b > 0 && k < f->from_first[b]; k++)
      to[edges++] = f->from[k] + 1;
  }
  if (room) {
    first[n] = edges;
    room = sl_dominators_find(&back, &(struct sl_graph){.nodes = (uint32_t)n, .first = first, .to = to});
  }
  for (uint32_t b = 0; room && b < f->blocks; b++) {
    const uint32_t node = back.immediate[b + 1];
    meeting[b] = node == 0 || node == SL_NO_NODE ? SL_NO_NODE : node - 1;
  }
  sl_dominators_free(&back);
  free(first);
  free(to);
  return room;
}

/* If lanes diverge to two blocks of a loop and reconverge only outside it, some execute iterations without the others.
 * Lanes that leave the loop do not count. */
static bool find_together(struct sl_linear_flow *f)
{
  uint32_t *meeting = malloc((f->blocks + (size_t)1) * sizeof *meeting);
  const bool room = meeting != NULL && find_meetings(f, meeting);
  for (uint32_t l = 0; l < f->loops; l++)
    f->loop[l].together = true;
  for (uint32_t b = 0; room && b < f->blocks; b++)
    for (uint32_t l = f->loop_of[b]; l != SL_LINEAR_NO_LOOP && f->to_first[b + 1] - f->to_first[b] > 1;
         l = f->loop[l].parent) {
      const uint32_t *to = &f->to[f->to_first[b]];
      if (sl_linear_in_loop(f, to[0], l) && sl_linear_in_loop(f, to[1], l) &&
          (meeting[b] == SL_NO_NODE || !sl_linear_in_loop(f, meeting[b], l)))
        f->loop[l].together = false;
    }
  free(meeting);
  return room;
}

/* Whether every retreating edge leads to the header of a natural loop. */
static bool is_reducible(const struct sl_linear_flow *f)
{
  const struct sl_dominators *d = &f->dominators;
  for (uint32_t i = 0; i < d->count; i++) {
    const uint32_t b = d->order[i];
    for (uint32_t k = f->to_first[b]; k < f->to_first[b + 1]; k++)
      if (d->place[f->to[k]] <= i && !sl_linear_is_back(f, b, f->to[k]))
        return false;
  }
  return true;
}

bool sl_linear_in_loop(const struct sl_linear_flow *flow, uint32_t block, uint32_t loop)
{
  for (uint32_t at = flow->loop_of[block]; at != SL_LINEAR_NO_LOOP; at = flow->loop[at].parent)
    if (at == loop)
      return true;
  return false;
}

enum sl_status sl_linear_flow_find(struct sl_linear_flow *flow, const struct sl_linear_code *code, struct sl_error *err)
{
  *flow = (struct sl_linear_flow){.blocks = 0};
  const size_t need = code->count * 64;
  if (!make_flow_room(flow, code->count))
    return sl_no_memory(err, need);
  find_blocks(flow, code);
  connect(flow, code);
  const struct sl_graph graph = {.nodes = flow->blocks, .first = flow->to_first, .to = flow->to};
  if (!sl_dominators_find(&flow->dominators, &graph))
    return sl_no_memory(err, need);
  connect_back(flow);
  if (!is_reducible(flow))
    return sl_fail(err, SL_USAGE, "it has a loop with more than one entry, whose values have no closed form");
  uint32_t *stack = malloc((2 * (size_t)flow->blocks + 2) * sizeof *stack);
  flow->loop = malloc(flow->blocks * sizeof *flow->loop);
  if (stack != NULL && flow->loop != NULL)
    find_loops(flow, stack);
  const bool room = stack != NULL && flow->loop != NULL && find_together(flow);
  free(stack);
  return room ? SL_OK : sl_no_memory(err, need);
}

void sl_linear_flow_free(struct sl_linear_flow *flow)
{
  free(flow->first);
  free(flow->block_of);
  free(flow->to_first);
  free(flow->to);
  free(flow->from_first);
  free(flow->from);
  free(flow->loop_of);
  free(flow->loop);
  sl_dominators_free(&flow->dominators);
  *flow = (struct sl_linear_flow){.blocks = 0};
}
