#include "compiler/linear/linear_flow.h"

#include <stdlib.h>

static bool make_room(struct sl_linear_flow *f, uint32_t count)
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
  if (!make_room(flow, code->count))
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
