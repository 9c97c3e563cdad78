#include "compiler/linear/linear_values.h"

#include <stdlib.h>
#include <string.h>

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
  size_t changes, change_room;
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
  if (v->count == v->room) {
    const uint32_t room = 2 * v->room + 64;
    struct sl_linear_value *grown = realloc(v->value, room * sizeof *grown);
    if (grown == NULL) {
      b->failed = true;
      return SL_LINEAR_NO_VALUE;
    }
    v->value = grown;
    v->room = room;
  }
  v->value[v->count] = value;
  return v->count++;
}

static void set_now(struct builder *b, uint32_t reg, uint32_t value)
{
  if (b->changes == b->change_room) {
    const size_t room = 2 * b->change_room + 256;
    struct change *grown = realloc(b->change, room * sizeof *grown);
    if (grown == NULL) {
      b->failed = true;
      return;
    }
    b->change = grown;
    b->change_room = room;
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
