#include "machine/sm7/sm7_lower.h"

#include <string.h>

#include "ptx/run/ptx_lanes.h"

enum { ALIGNED = 31, /* of 0: log2 of the alignment, at most */ VECTOR_MOST = 4 };

struct joining {
  const struct sl_ptx_module *module;
  const struct sl_ptx_insn *in;
  struct sl_sm7_instruction *code;
  const uint32_t *defs;
  uint32_t begin, end;
  bool changed;
  uint8_t align[SL_SM7_REGISTERS]; /* log2 of what divides the register's value */
};

/* ---- alignment --------------------------------------------------------------------------------------------------- */

static unsigned of_number(uint64_t n)
{
  const unsigned bits = n != 0 ? (unsigned)__builtin_ctzll(n) : ALIGNED;
  return bits < ALIGNED ? bits : ALIGNED;
}

/* Sets the constant's value; false: the operand is none. Its lanes are alike. */
static bool number_of(const struct joining *j, struct sl_ptx_place place, unsigned type, uint64_t *value)
{
  const bool wide = type == SL_PTX_B64 || type == SL_PTX_U64 || type == SL_PTX_S64;
  *value = 0;
  if (place.area != SL_PTX_CONSTANTS)
    return false;
  memcpy(value, j->module->constants + place.offset, wide ? 8 : 4);
  return true;
}

/* Of the next operand; `*register_number` counts those in registers. */
static unsigned operand(const struct joining *j, const struct sl_ptx_insn *in, struct sl_ptx_place place, unsigned type,
                        unsigned *register_number)
{
  uint64_t value;
  if (number_of(j, place, type, &value))
    return of_number(value);
  if (place.area != SL_PTX_REGISTERS || *register_number >= in->srcs)
    return 0;
  const uint16_t id = in->src[(*register_number)++].id;
  return id < SL_SM7_REGISTERS ? j->align[id] : 0;
}

static unsigned least(unsigned a, unsigned b)
{
  return a < b ? a : b;
}

/* Of the result of a row with operands of these alignments. `shift`: the value of b, if it is a constant. */
static unsigned of_row(unsigned row, unsigned a, unsigned b, unsigned c, uint64_t shift)
{
  switch (row) {
  case SL_PTX_ROW_mov_u32:
  case SL_PTX_ROW_mov_u64:
  case SL_PTX_ROW_neg_u32:
  case SL_PTX_ROW_neg_u64:
  case SL_PTX_ROW_cvt_u32_u64:
  case SL_PTX_ROW_cvt_u64_u32:
  case SL_PTX_ROW_cvt_u64_s32: return a;
  case SL_PTX_ROW_add_u32:
  case SL_PTX_ROW_add_u64:
  case SL_PTX_ROW_sub_u32:
  case SL_PTX_ROW_sub_u64:
  case SL_PTX_ROW_or_u32:
  case SL_PTX_ROW_or_u64:
  case SL_PTX_ROW_xor_u32:
  case SL_PTX_ROW_xor_u64: return least(a, b);
  case SL_PTX_ROW_and_u32:
  case SL_PTX_ROW_and_u64: return a > b ? a : b;
  case SL_PTX_ROW_mul_lo_u32:
  case SL_PTX_ROW_mul_lo_u64:
  case SL_PTX_ROW_mul_wide_u32:
  case SL_PTX_ROW_mul_wide_s32: return least(a + b, ALIGNED);
  case SL_PTX_ROW_mad_lo_u32:
  case SL_PTX_ROW_mad_lo_u64:
  case SL_PTX_ROW_mad_wide_u32:
  case SL_PTX_ROW_mad_wide_s32: return least(a + b, c);
  case SL_PTX_ROW_shl_u32:
  case SL_PTX_ROW_shl_u64: return least(a + (unsigned)least(ALIGNED, (unsigned)shift), ALIGNED);
  default: return 0;
  }
}

static unsigned of_result(const struct joining *j, const struct sl_ptx_insn *in)
{
  if (in->kind != SL_PTX_K_LANES || in->dsts != 1)
    return 0;
  const struct sl_ptx_row *row = sl_ptx_row(in->row);
  unsigned n = 0;
  uint64_t shift = 0;
  const unsigned a = operand(j, in, in->a, row->a, &n);
  const unsigned b = row->b != SL_PTX_NO_TYPE ? operand(j, in, in->b, row->b, &n) : 0;
  const unsigned c = row->c != SL_PTX_NO_TYPE ? operand(j, in, in->c, row->c, &n) : 0;
  if (!number_of(j, in->b, row->b, &shift) || shift > ALIGNED)
    shift = 0;
  return of_row(in->row, a, b, c, shift);
}

/* The greatest solution: registers begin at the most, and each definition lowers its register. */
static void find_alignment(struct joining *j)
{
  memset(j->align, ALIGNED, sizeof j->align);
  j->changed = true;
  while (j->changed) {
    j->changed = false;
    for (uint32_t pc = j->begin; pc < j->end; pc++)
      for (unsigned n = 0; n < j->in[pc].dsts; n++) {
        const uint16_t id = j->in[pc].dst[n].id;
        const unsigned align = id < SL_SM7_REGISTERS ? of_result(j, &j->in[pc]) : ALIGNED;
        if (id < SL_SM7_REGISTERS && align < j->align[id]) {
          j->align[id] = (uint8_t)align;
          j->changed = true;
        }
      }
  }
}

/* ---- groups ------------------------------------------------------------------------------------------------------ */

/* LDS has up to 128 bits, LDC up to 64. */
static unsigned most_bytes(const struct sl_ptx_insn *in)
{
  return in->space == SL_PTX_SHARED ? 4 * VECTOR_MOST : 8;
}

/* A load of a word that may be part of a vector. */
static bool is_word(const struct joining *j, uint32_t pc)
{
  const struct sl_ptx_insn *in = &j->in[pc];
  return in->kind == SL_PTX_K_LOAD && (in->space == SL_PTX_SHARED || in->space == SL_PTX_CONST) && in->elements == 1 &&
         in->bytes == 4 && in->dsts == 1 && in->dst[0].id < SL_SM7_REGISTERS && in->dst[0].words == 1 &&
         j->defs[in->dst[0].id] == 1 && in->guard.id == SL_PTX_NO_REG && in->order == 0 && !in->uncached && !in->deep &&
         !j->code[pc].free && j->code[pc].vector == 0;
}

/* Whether two loads have the same base: a register, or a variable. */
static bool same_base(const struct sl_ptx_insn *one, const struct sl_ptx_insn *other)
{
  return one->space == other->space && one->address.id == other->address.id && one->a.area == other->a.area &&
         one->a.offset == other->a.offset;
}

static unsigned base_alignment(const struct joining *j, const struct sl_ptx_insn *in)
{
  uint64_t address;
  if (in->address.id < SL_SM7_REGISTERS)
    return j->align[in->address.id];
  return number_of(j, in->a, in->address32 ? SL_PTX_U32 : SL_PTX_U64, &address) ? of_number(address) : 0;
}

/* Whether a load may move from behind the instruction to before it. */
static bool may_pass(const struct sl_ptx_insn *in, uint16_t base)
{
  for (unsigned n = 0; n < in->dsts; n++)
    if (in->dst[n].id == base && base != SL_PTX_NO_REG)
      return false;
  switch (in->kind) {
  case SL_PTX_K_LANES:
  case SL_PTX_K_CONDITION:
  case SL_PTX_K_SET:
  case SL_PTX_K_LOGIC:
  case SL_PTX_K_PACK:
  case SL_PTX_K_UNPACK: return true;
  case SL_PTX_K_LOAD: return in->order == 0;
  case SL_PTX_K_STORE: return in->order == 0 && (in->space == SL_PTX_GLOBAL || in->space == SL_PTX_LOCAL);
  default: return false;
  }
}

/* Finds the loads of the piece of `bytes` that the one at `pc` reads, by place. False: some are missing. */
static bool find_group(const struct joining *j, uint32_t pc, unsigned bytes, uint32_t member[VECTOR_MOST])
{
  const struct sl_ptx_insn *first = &j->in[pc];
  const int64_t start = first->immediate & ~(int64_t)(bytes - 1);
  unsigned missing = bytes / 4;
  if ((1u << base_alignment(j, first)) < bytes)
    return false;
  for (unsigned n = 0; n < VECTOR_MOST; n++)
    member[n] = UINT32_MAX;
  for (uint32_t at = pc; at < j->end && missing > 0; at++) {
    const struct sl_ptx_insn *in = &j->in[at];
    const int64_t place = in->immediate - start;
    if (at != pc && j->code[at].joins)
      return false;
    if (is_word(j, at) && same_base(first, in) && place >= 0 && place < bytes && place % 4 == 0 &&
        member[place / 4] == UINT32_MAX) {
      member[place / 4] = at;
      missing--;
    }
    if (missing > 0 && !may_pass(in, first->address.id))
      return false;
  }
  return missing == 0;
}

/* The first of the group loads the registers of all. A vector's registers are consecutive and aligned to its size, as
 * the encoding of LDS.64 and LDS.128 with one destination needs, so they are spread over the banks evenly. */
static void join(struct joining *j, uint32_t pc, unsigned bytes, const uint32_t member[VECTOR_MOST],
                 void (*joined)(void *context, uint32_t pc), void *context)
{
  struct sl_sm7_instruction *to = &j->code[pc];
  to->vector = (uint8_t)bytes;
  to->before = (uint8_t)(j->in[pc].immediate & (int64_t)(bytes - 1));
  const uint16_t first = (uint16_t)(to->write_bank[0] / VECTOR_MOST * VECTOR_MOST);
  to->write_bank[0] = (uint16_t)(first + to->before / 4);
  for (unsigned n = 0; n < bytes / 4; n++) {
    const struct sl_sm7_instruction *from = &j->code[member[n]];
    if (member[n] == pc)
      continue;
    to->watch[to->watched++] = from->write[0];
    to->write[to->writes] = from->write[0];
    to->write_bank[to->writes++] = (uint16_t)(first + n);
    to->words_written = (uint8_t)(to->words_written + from->words_written);
    joined(context, member[n]);
  }
}

void sl_sm7_join_loads(const struct sl_ptx_module *module, const struct sl_ptx_function *function,
                       struct sl_sm7_instruction *code, const uint32_t defs[SL_SM7_REGISTERS],
                       void (*joined)(void *context, uint32_t pc), void *context)
{
  struct joining j = {
      .module = module, .in = module->code, .code = code, .defs = defs, .begin = function->begin, .end = function->end};
  uint32_t member[VECTOR_MOST];
  find_alignment(&j);
  for (uint32_t pc = j.begin; pc < j.end; pc++)
    if (j.in[pc].kind == SL_PTX_K_BRANCH)
      code[j.in[pc].target].joins = true;
  for (uint32_t pc = j.begin; pc < j.end; pc++)
    for (unsigned bytes = most_bytes(&j.in[pc]); bytes > 4 && is_word(&j, pc); bytes /= 2)
      if (find_group(&j, pc, bytes, member))
        join(&j, pc, bytes, member, joined, context);
}
