#include "machine/sm7/riscv/sm7_rv_access.h"

#include <stdlib.h>

#include "func/rv_access.h"

enum { FIRST_WORDS = 64, WORD = 4 };

/* Host location of an access, and its address in the timing model. */
struct spot {
  uint8_t *bytes; /* NULL: there are none; see `fault` */
  enum sl_fault_kind fault;
  uint8_t space;
  uint64_t address;
};

static bool reach(struct sl_sm7_rv_warp *w, uint32_t word)
{
  uint32_t room = w->local_words ? w->local_words : FIRST_WORDS;
  if (word < w->local_words)
    return true;
  while (room <= word)
    room *= 2;
  uint32_t *grown = realloc(w->local, (size_t)room * SL_SM7_LANES * sizeof *grown);
  if (grown == NULL)
    return false;
  memset(grown + (size_t)w->local_words * SL_SM7_LANES, 0,
         (size_t)(room - w->local_words) * SL_SM7_LANES * sizeof *grown);
  w->local = grown;
  w->local_words = room;
  return true;
}

/* Words count down from the top of the stack, so that those in use are contiguous. */
static struct spot local(struct sl_sm7_rv_warp *w, unsigned lane, uint32_t address)
{
  const uint32_t word = ~address / WORD, byte = address % WORD;
  if (!reach(w, word))
    return (struct spot){.fault = SL_FAULT_INTERNAL};
  return (struct spot){.bytes = (uint8_t *)&w->local[(size_t)word * SL_SM7_LANES + lane] + byte,
                       .space = SL_SM7_LOCAL,
                       .address = (uint64_t)word * WORD + byte};
}

static struct spot find(struct sl_sm7_rv *rv, struct sl_sm7_rv_warp *w, const struct sl_sm7_rv_block *block,
                        unsigned lane, uint32_t address)
{
  if (__builtin_expect(address < SL_SM7_RV_SHARED, 1))
    return address >= rv->environment.memory->low
               ? (struct spot){.bytes = sl_memory_at(rv->environment.memory, address),
                               .space = SL_SM7_GLOBAL,
                               .address = address}
               : (struct spot){.fault = SL_FAULT_ADDRESS};
  if (address >= SL_SM7_RV_LOCAL)
    return local(w, lane, address);
  const uint32_t offset = address - SL_SM7_RV_SHARED;
  if (offset < rv->launch.shared_bytes)
    return (struct spot){.bytes = block->shared + offset, .space = SL_SM7_SHARED, .address = offset};
  return (struct spot){.fault = offset < SL_SM7_RV_LOCAL_BYTES ? SL_FAULT_OUTSIDE : SL_FAULT_STACK};
}

uint8_t *sl_sm7_rv_shared_or_global(struct sl_sm7_rv *rv, const struct sl_sm7_rv_place *at, uint32_t address)
{
  const struct sl_sm7_rv_block *block = &rv->block[at->sm * SL_SM7_MAX_BLOCKS + at->slot];
  return address < SL_SM7_RV_LOCAL ? find(rv, NULL, block, 0, address).bytes : NULL;
}

static void perform(const struct sl_insn *in, uint32_t *x, unsigned lane, uint8_t *bytes)
{
  uint32_t *d = x + (size_t)in->rd * SL_SM7_LANES + lane;
  const uint32_t operand = x[(size_t)in->rs2 * SL_SM7_LANES + lane];
  uint32_t value = 0;
  if (in->kind == SL_KIND_STORE)
    sl_memory_put(bytes, in->width, operand);
  else if (in->kind == SL_KIND_AMO)
    value = sl_rv_atomic(in->op, bytes, operand);
  else
    value = sl_unit_extend(in->op, sl_memory_unit(bytes, in->width));
  if (in->kind != SL_KIND_STORE && in->rd != 0)
    *d = value;
}

/* Only loads from the launch block count as parameter loads. */
static bool is_parameter(const struct sl_sm7_rv *rv, const struct sl_insn *in, const struct sl_sm7_effect *e)
{
  if (in->kind != SL_KIND_LOAD || e->space != SL_SM7_GLOBAL)
    return false;
  for (uint32_t rest = e->active; rest; rest &= rest - 1)
    if (e->address[__builtin_ctz(rest)] - rv->closure >= rv->launch.bytes)
      return false;
  return true;
}

bool sl_sm7_rv_access(struct sl_sm7_rv *rv, const struct sl_sm7_rv_place *at, const struct sl_insn *in, uint32_t active,
                      struct sl_sm7_effect *effect)
{
  struct sl_sm7_rv_warp *w = &rv->warp[sl_sm7_rv_number(rv, at->sm, at->slot, at->warp)];
  const struct sl_sm7_rv_block *block = &rv->block[at->sm * SL_SM7_MAX_BLOCKS + at->slot];
  const uint32_t *base = w->x + (size_t)in->rs1 * SL_SM7_LANES, offset = in->kind == SL_KIND_AMO ? 0 : in->imm;
  uint32_t address[SL_SM7_LANES];
  struct spot spot[SL_SM7_LANES];
  effect->space = SL_SM7_NO_SPACE;
  effect->bytes = in->width;
  for (uint32_t rest = active; rest; rest &= rest - 1) {
    const unsigned lane = (unsigned)__builtin_ctz(rest);
    address[lane] = base[lane] + offset;
    if (address[lane] & (in->width - 1u))
      return sl_sm7_rv_fault(rv, at, SL_FAULT_MISALIGNED, 1u << lane, address[lane]);
    spot[lane] = find(rv, w, block, lane, address[lane]);
    if (spot[lane].bytes == NULL)
      return sl_sm7_rv_fault(rv, at, spot[lane].fault, 1u << lane, address[lane]);
    effect->address[lane] = spot[lane].address;
    effect->space = effect->space == SL_SM7_NO_SPACE ? spot[lane].space : effect->space;
  }
  for (uint32_t rest = active; rest; rest &= rest - 1) {
    const unsigned lane = (unsigned)__builtin_ctz(rest);
    if (spot[lane].space == SL_SM7_LOCAL) /* a later lane may have moved the storage */
      spot[lane] = local(w, lane, address[lane]);
    perform(in, w->x, lane, spot[lane].bytes);
  }
  if (is_parameter(rv, in, effect))
    effect->space = SL_SM7_CONST;
  return true;
}
