#include "compiler/isa64/lir/block_order.h"

#include "compiler/isa64/grow.h"

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
