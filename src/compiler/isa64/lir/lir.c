#include "compiler/isa64/lir/lir.h"

#include <string.h>

#include "compiler/isa64/compile_mir.h"

/* Translates operands of machine IR to LIR. */

uint32_t sl_lir_register(const struct sl_lir *lir, const struct sl_mir_operand *operand)
{
  if (operand->kind == SL_MIR_STACK)
    return lir->dynamic ? SL_FP : SL_SP;
  if (operand->kind == SL_MIR_FIXED)
    return lir->frame_pointer ? SL_FP : SL_SP;
  if ((operand->flags & SL_MIR_UNDEF) != 0 && (operand->flags & SL_MIR_DEF) == 0)
    return SL_ZERO;
  if (operand->kind == SL_MIR_VIRTUAL)
    return SL_LIR_VIRTUAL + operand->number;
  return operand->kind == SL_MIR_PHYSICAL ? operand->number : SL_LIR_NONE;
}

bool sl_lir_place_of(const struct sl_mir_operand *operand, uint8_t *place, uint32_t *target)
{
  static const struct {
    enum sl_mir_kind kind;
    enum sl_lir_place place;
  } places[] = {{SL_MIR_SYMBOL, SL_LIR_SYMBOL},     {SL_MIR_STACK, SL_LIR_OBJECT},     {SL_MIR_FIXED, SL_LIR_FIXED},
                {SL_MIR_CONSTANT, SL_LIR_CONSTANT}, {SL_MIR_JUMP_TABLE, SL_LIR_TABLE}, {SL_MIR_BLOCK, SL_LIR_BLOCK}};
  for (size_t i = 0; i < sizeof places / sizeof places[0]; i++)
    if (places[i].kind == operand->kind) {
      *place = (uint8_t)places[i].place;
      *target = operand->number;
      return true;
    }
  return false;
}

struct joint {
  double weight;
  uint32_t from, to;
};

/* Descending weight; edges of equal weight in source order. */
static int compare(const void *a, const void *b)
{
  const struct joint *x = a, *y = b;
  if (x->weight != y->weight)
    return x->weight < y->weight ? 1 : -1;
  const bool kept_x = x->to == x->from + 1, kept_y = y->to == y->from + 1;
  if (kept_x != kept_y)
    return kept_x ? -1 : 1;
  return x->from != y->from ? (x->from > y->from) - (x->from < y->from) : (x->to > y->to) - (x->to < y->to);
}

/* Chains are linked lists; chain[b] is the first block of b's chain, last[] the last block of the chain that begins
 * there. */
struct chains {
  uint32_t *next, *chain, *last;
};

static uint32_t head_of(struct chains *c, uint32_t b)
{
  while (c->chain[b] != b)
    b = c->chain[b] = c->chain[c->chain[b]];
  return b;
}

static void join(struct chains *c, const struct joint *j)
{
  const uint32_t front = head_of(c, j->from), back = head_of(c, j->to);
  if (j->to == 0 || front == back || back != j->to || c->last[front] != j->from)
    return;
  c->next[j->from] = j->to;
  c->chain[back] = front;
  c->last[front] = c->last[back];
}

bool sl_block_order(const struct sl_mir_function *f, const double *frequency, uint32_t *order)
{
  const uint32_t blocks = (uint32_t)f->block_count;
  struct joint *joint = sl_zeroed(f->edge_count, sizeof *joint);
  uint32_t *memory = sl_zeroed((size_t)blocks * 3, sizeof *memory);
  const bool room = joint != NULL && memory != NULL;
  if (room) {
    struct chains c = {.next = memory, .chain = memory + blocks, .last = memory + 2 * (size_t)blocks};
    size_t joints = 0;
    for (uint32_t b = 0; b < blocks; b++) {
      c.next[b] = UINT32_MAX;
      c.chain[b] = c.last[b] = b;
      for (uint32_t e = 0; e < f->block[b].edge_count; e++) {
        const struct sl_mir_edge *edge = &f->edge[f->block[b].edge + e];
        joint[joints++] = (struct joint){frequency[b] * edge->probability, b, edge->block};
      }
    }
    qsort(joint, joints, sizeof *joint, compare);
    for (size_t i = 0; i < joints; i++)
      join(&c, &joint[i]);
    uint32_t n = 0;
    for (uint32_t b = 0; b < blocks; b++)
      if (head_of(&c, b) == b)
        for (uint32_t at = b; at != UINT32_MAX; at = c.next[at])
          order[n++] = at;
  }
  free(joint);
  free(memory);
  return room;
}

/* Upper limit of a back edge's probability; with probability 1 a loop would never exit. */
static const double MOST_PROBABLE = 1 - 1.0 / 65536;

struct work {
  const struct sl_mir_function *f;
  uint32_t *order, *place; /* blocks in reverse postorder, and the position of each; UINT32_MAX: unreachable */
  uint32_t *stack, *next;  /* stacks of the depth-first search and of the search for a loop's blocks */
  uint32_t *pred, *pred_first;
  double *again;    /* per loop header: probability of the back edge */
  uint32_t *marked; /* by loop header + 1: the block belongs to the loop */
  uint32_t count;   /* number of reachable blocks */
};

static void depth_first(struct work *w)
{
  const struct sl_mir_function *f = w->f;
  const uint32_t blocks = (uint32_t)f->block_count;
  uint32_t depth = 1, at = blocks;
  memset(w->place, 0xff, blocks * sizeof *w->place);
  w->stack[0] = 0;
  w->place[0] = 0;
  while (depth > 0) {
    const uint32_t b = w->stack[depth - 1];
    if (w->next[b] == f->block[b].edge_count) {
      w->order[--at] = b;
      depth--;
      continue;
    }
    const uint32_t to = f->edge[f->block[b].edge + w->next[b]++].block;
    if (w->place[to] == UINT32_MAX) {
      w->place[to] = 0;
      w->stack[depth++] = to;
    }
  }
  w->count = blocks - at;
  memmove(w->order, w->order + at, w->count * sizeof *w->order);
  for (uint32_t i = 0; i < w->count; i++)
    w->place[w->order[i]] = i;
}

static void predecessors(struct work *w)
{
  const struct sl_mir_function *f = w->f;
  for (uint32_t b = 0; b < f->block_count; b++)
    for (uint32_t e = 0; e < f->block[b].edge_count; e++)
      w->pred_first[f->edge[f->block[b].edge + e].block + 1]++;
  for (uint32_t b = 0; b < f->block_count; b++)
    w->pred_first[b + 1] += w->pred_first[b];
  memcpy(w->next, w->pred_first, f->block_count * sizeof *w->next);
  for (uint32_t b = 0; b < f->block_count; b++)
    for (uint32_t e = 0; e < f->block[b].edge_count; e++)
      w->pred[w->next[f->edge[f->block[b].edge + e].block]++] = b;
}

/* Marks the blocks from which the header's back edges come, without passing the header. Returns their number. */
static uint32_t mark_loop(struct work *w, uint32_t head)
{
  uint32_t depth = 0;
  const uint32_t mark = head + 1, at = w->place[head];
  for (uint32_t p = w->pred_first[head]; p < w->pred_first[head + 1]; p++) {
    const uint32_t from = w->pred[p];
    if (w->place[from] != UINT32_MAX && w->place[from] >= at && w->marked[from] != mark) {
      w->marked[from] = mark;
      w->stack[depth++] = from;
    }
  }
  uint32_t count = depth;
  bool own = false; /* the header is its own predecessor and has been counted */
  while (depth > 0) {
    const uint32_t b = w->stack[--depth];
    own = own || b == head;
    if (b == head)
      continue;
    for (uint32_t p = w->pred_first[b]; p < w->pred_first[b + 1]; p++) {
      const uint32_t from = w->pred[p];
      if (w->place[from] != UINT32_MAX && w->place[from] >= at && w->marked[from] != mark) {
        w->marked[from] = mark;
        w->stack[depth++] = from;
        count++;
      }
    }
  }
  w->marked[head] = mark;
  return count + (count > 0 && !own);
}

/* Computes frequencies of the `left` blocks with this mark (0: all) for one execution of the header; returns the
 * probability that the header is reached again. */
static double propagate(struct work *w, uint32_t head, uint32_t mark, uint32_t left, double *frequency)
{
  const struct sl_mir_function *f = w->f;
  double again = 0;
  for (uint32_t i = w->place[head]; left > 0 && i < w->count; i++) {
    const uint32_t b = w->order[i];
    if (mark != 0 && w->marked[b] != mark)
      continue;
    left--;
    double sum = b == head ? 1 : 0;
    for (uint32_t p = w->pred_first[b]; b != head && p < w->pred_first[b + 1]; p++) {
      const uint32_t from = w->pred[p];
      if (w->place[from] >= i || (mark != 0 && w->marked[from] != mark))
        continue;
      for (uint32_t e = 0; e < f->block[from].edge_count; e++)
        if (f->edge[f->block[from].edge + e].block == b) {
          sum += frequency[from] * f->edge[f->block[from].edge + e].probability;
          if (p + 1 < w->pred_first[b + 1] && w->pred[p + 1] == from)
            p++; /* counts a predecessor with two edges to the block once */
        }
    }
    frequency[b] = b == head && mark != 0 ? 1 : sum / (1 - w->again[b]);
    for (uint32_t e = 0; e < f->block[b].edge_count; e++)
      again +=
          f->edge[f->block[b].edge + e].block == head ? frequency[b] * f->edge[f->block[b].edge + e].probability : 0;
  }
  return again < MOST_PROBABLE ? again : MOST_PROBABLE;
}

static bool allocate(struct work *w)
{
  const size_t blocks = w->f->block_count;
  w->order = sl_zeroed(blocks, sizeof *w->order);
  w->place = sl_zeroed(blocks, sizeof *w->place);
  w->stack = sl_zeroed(blocks, sizeof *w->stack);
  w->next = sl_zeroed(blocks, sizeof *w->next);
  w->marked = sl_zeroed(blocks, sizeof *w->marked);
  w->again = sl_zeroed(blocks, sizeof *w->again);
  w->pred_first = sl_zeroed(blocks + 1, sizeof *w->pred_first);
  w->pred = sl_zeroed(w->f->edge_count, sizeof *w->pred);
  return w->order != NULL && w->place != NULL && w->stack != NULL && w->next != NULL && w->marked != NULL &&
         w->again != NULL && w->pred_first != NULL && w->pred != NULL;
}

bool sl_frequencies(const struct sl_mir_function *f, double *frequency)
{
  struct work w = {.f = f};
  const bool room = allocate(&w);
  if (room) {
    depth_first(&w);
    predecessors(&w);
    memset(frequency, 0, f->block_count * sizeof *frequency);
    for (uint32_t i = w.count; i-- > 0;) {
      const uint32_t blocks = mark_loop(&w, w.order[i]);
      if (blocks > 0)
        w.again[w.order[i]] = propagate(&w, w.order[i], w.order[i] + 1, blocks, frequency);
    }
    memset(frequency, 0, f->block_count * sizeof *frequency);
    propagate(&w, 0, 0, w.count, frequency);
  }
  free(w.order);
  free(w.place);
  free(w.stack);
  free(w.next);
  free(w.marked);
  free(w.again);
  free(w.pred_first);
  free(w.pred);
  return room;
}

void sl_lir_free(struct sl_lir *lir)
{
  free(lir->block);
  free(lir->edge);
  free(lir->placed);
  free(lir->insn);
  free(lir->operand);
  free(lir->piece);
  free(lir->kind);
  *lir = (struct sl_lir){0};
}

static void *copy_of(const void *array, size_t count, size_t size)
{
  void *copy = sl_zeroed(count, size);
  if (copy != NULL && count > 0)
    memcpy(copy, array, count * size);
  return copy;
}

bool sl_lir_like(const struct sl_lir *lir, struct sl_lir *empty)
{
  *empty = *lir;
  empty->insn = NULL;
  empty->operand = NULL;
  empty->piece = NULL;
  empty->insn_count = empty->operand_count = empty->piece_count = 0;
  empty->block = copy_of(lir->block, lir->block_count, sizeof *lir->block);
  empty->edge = copy_of(lir->edge, lir->source->edge_count, sizeof *lir->edge);
  empty->placed = copy_of(lir->placed, lir->block_count, sizeof *lir->placed);
  empty->kind = copy_of(lir->kind, lir->kind_count, sizeof *lir->kind);
  if (empty->block == NULL || empty->edge == NULL || empty->placed == NULL || empty->kind == NULL)
    return false;
  for (size_t i = 0; i < empty->block_count; i++)
    empty->block[i].insn = empty->block[i].insn_count = 0;
  return true;
}

bool sl_lir_add(struct sl_lir *lir, const struct sl_lir_insn *insn)
{
  if (!SL_GROW(lir->insn, lir->insn_count))
    return false;
  struct sl_lir_insn *added = &lir->insn[lir->insn_count++];
  *added = *insn;
  added->operand = (uint32_t)lir->operand_count;
  added->operand_count = 0;
  return true;
}

bool sl_lir_add_operand(struct sl_lir *lir, uint32_t reg, enum sl_lir_role role, enum sl_lir_field field)
{
  if (!SL_GROW(lir->operand, lir->operand_count))
    return false;
  lir->operand[lir->operand_count++] =
      (struct sl_lir_operand){.reg = reg, .role = (uint8_t)role, .field = (uint8_t)field};
  lir->insn[lir->insn_count - 1].operand_count++;
  return true;
}

bool sl_lir_add_copy(struct sl_lir *lir, const struct sl_lir *from, const struct sl_lir_insn *insn)
{
  if (!sl_lir_add(lir, insn))
    return false;
  lir->insn[lir->insn_count - 1].piece = (uint32_t)lir->piece_count;
  for (uint32_t i = 0; i < insn->piece_count; i++) {
    if (!SL_GROW(lir->piece, lir->piece_count))
      return false;
    lir->piece[lir->piece_count++] = from->piece[insn->piece + i];
  }
  const struct sl_lir_operand *operand = sl_lir_operands(from, insn);
  for (uint32_t i = 0; i < insn->operand_count; i++)
    if (!sl_lir_add_operand(lir, operand[i].reg, (enum sl_lir_role)operand[i].role,
                            (enum sl_lir_field)operand[i].field))
      return false;
  return true;
}

uint32_t sl_lir_new(struct sl_lir *lir, enum sl_lir_kind kind)
{
  if (!SL_GROW(lir->kind, lir->kind_count))
    return SL_LIR_NONE;
  lir->kind[lir->kind_count] = (uint8_t)kind;
  return SL_LIR_VIRTUAL + (uint32_t)lir->kind_count++;
}

uint32_t sl_lir_field(const struct sl_lir *lir, const struct sl_lir_insn *insn, enum sl_lir_field field)
{
  const struct sl_lir_operand *operand = sl_lir_operands(lir, insn);
  for (uint32_t i = 0; i < insn->operand_count; i++)
    if (operand[i].field == field)
      return operand[i].reg;
  return SL_LIR_NONE;
}

bool sl_lir_is_constant(const struct sl_lir *lir, const struct sl_lir_insn *insn)
{
  if (insn->op == SL_OP_LUI)
    return true;
  const uint32_t base = insn->op == SL_OP_ADDI ? sl_lir_field(lir, insn, SL_LIR_RS1) : SL_LIR_NONE;
  return base == 0 || ((insn->place == SL_LIR_OBJECT || insn->place == SL_LIR_FIXED) && insn->op == SL_OP_ADDI);
}

bool sl_lir_same_constant(const struct sl_lir_insn *a, const struct sl_lir_insn *b)
{
  return a->op == b->op && a->place == b->place && a->fix == b->fix && a->imm == b->imm &&
         (a->place == SL_LIR_NUMBER || a->target == b->target);
}
