#include "ptx/ptx_pressure.h"

#include <stdlib.h>
#include <string.h>

#include "ptx/ptx_flow.h"

struct liveness {
  const struct sl_ptx_insn *code;
  uint32_t begin, end, words;
  uint64_t *before; /* live registers in front of each instruction */
  uint64_t *now;
};

static void set(uint64_t *bits, uint16_t id, bool on)
{
  if (id == SL_PTX_NO_REG)
    return;
  if (on)
    bits[id / 64] |= sl_bit(id % 64);
  else
    bits[id / 64] &= ~sl_bit(id % 64);
}

/* What is live behind an instruction, then in front of it. A guarded instruction leaves the old value of some lanes. */
static bool step(struct liveness *l, uint32_t pc)
{
  const struct sl_ptx_insn *in = &l->code[pc];
  uint32_t next[2];
  const unsigned count = sl_ptx_successors(l->code, pc, l->end, next);
  memset(l->now, 0, l->words * sizeof *l->now);
  for (unsigned i = 0; i < count; i++)
    for (uint32_t w = 0; next[i] != SL_PTX_NOWHERE && w < l->words; w++)
      l->now[w] |= l->before[(size_t)(next[i] - l->begin) * l->words + w];
  for (unsigned i = 0; i < in->dsts && in->guard.id == SL_PTX_NO_REG; i++)
    set(l->now, in->dst[i].id, false);
  for (unsigned i = 0; i < in->srcs; i++)
    set(l->now, in->src[i].id, true);
  set(l->now, in->guard.id, true);
  set(l->now, in->address.id, true);
  uint64_t *was = l->before + (size_t)(pc - l->begin) * l->words;
  if (memcmp(was, l->now, l->words * sizeof *was) == 0)
    return false;
  memcpy(was, l->now, l->words * sizeof *was);
  return true;
}

static unsigned weigh(const struct liveness *l, uint32_t at, const uint8_t *weight)
{
  unsigned sum = 0;
  for (uint32_t w = 0; w < l->words; w++)
    for (uint64_t bits = l->before[(size_t)at * l->words + w]; bits != 0; bits &= bits - 1)
      sum += weight[w * 64 + sl_lowest(bits)];
  return sum;
}

unsigned sl_ptx_pressure(const struct sl_ptx_insn *code, uint32_t begin, uint32_t end, const uint8_t *weight,
                         unsigned registers)
{
  struct liveness l = {.code = code, .begin = begin, .end = end, .words = registers / 64 + 1};
  unsigned most = 0;
  l.before = calloc((size_t)(end - begin) * l.words + 1, sizeof *l.before);
  l.now = calloc(l.words, sizeof *l.now);
  bool changed = l.before != NULL && l.now != NULL;
  while (changed) {
    changed = false;
    for (uint32_t pc = end; pc-- > begin;)
      changed |= step(&l, pc);
  }
  for (uint32_t i = 0; l.before != NULL && l.now != NULL && i < end - begin; i++) {
    const unsigned sum = weigh(&l, i, weight);
    most = sum > most ? sum : most;
  }
  free(l.before);
  free(l.now);
  return most;
}

unsigned sl_ptx_registers_estimated(unsigned pressure)
{
  enum { LEAST = 10, MORE = 3 };
  return pressure + MORE > LEAST ? pressure + MORE : LEAST;
}
