#include "compiler/isa64/allocate/weighted_graph.h"

#include <string.h>

#include "compiler/isa64/grow.h"
#include "compiler/isa64/lir/lir_select.h"

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
  if (!sl_grow((void **)&m->at, &m->room, m->count + 2, sizeof *m->at))
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
