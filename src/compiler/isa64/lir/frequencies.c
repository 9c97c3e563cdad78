#include "compiler/isa64/lir/frequencies.h"

#include <string.h>

#include "compiler/isa64/grow.h"

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
