#include "machine/sm7/sm7_lower.h"

#include <stdlib.h>
#include <string.h>

#include "machine/sm7/sm7_ptx.h"
#include "ptx/run/ptx_lanes.h"

/* The definitions and uses of a register in a function. */
struct usage {
  uint32_t defs, uses, def, use; /* numbers; the last places */
  uint16_t same;                 /* the register that it is kept in */
  uint16_t bank;
};

struct lowering {
  const struct sl_sm7_spec *spec;
  const struct sl_ptx_insn *in;
  struct sl_sm7_instruction *code;
  uint32_t begin, end;
  uint8_t *kind;
  struct usage of[SL_SM7_REGISTERS];
};

static void use(struct lowering *l, struct sl_ptx_reg r, uint32_t pc)
{
  if (r.id >= SL_SM7_REGISTERS) /* or none */
    return;
  struct usage *u = &l->of[r.id];
  u->uses += u->uses == 0 || u->use != pc;
  u->use = pc;
  u->bank = r.printed;
}

static void find_usage(struct lowering *l)
{
  for (unsigned i = 0; i < SL_SM7_REGISTERS; i++)
    l->of[i] = (struct usage){.same = (uint16_t)i};
  for (uint32_t pc = l->begin; pc < l->end; pc++) {
    const struct sl_ptx_insn *in = &l->in[pc];
    for (unsigned n = 0; n < in->srcs; n++)
      use(l, in->src[n], pc);
    use(l, in->address, pc);
    use(l, in->guard, pc);
    for (unsigned n = 0; n < in->dsts; n++)
      if (in->dst[n].id < SL_SM7_REGISTERS) {
        l->of[in->dst[n].id].defs++;
        l->of[in->dst[n].id].def = pc;
        l->of[in->dst[n].id].bank = in->dst[n].printed;
      }
  }
}

/* Whether the instruction always executes and defines one register; `u`: its usage. At the first instruction of a phase
 * of linear registers, which follows their declarations or the end of a phase, warps wait for what it reads. */
static bool defines(struct lowering *l, uint32_t pc, struct usage **u)
{
  const struct sl_ptx_insn *in = &l->in[pc];
  if (pc > l->begin && l->in[pc - 1].kind == SL_PTX_K_LINEAR)
    return false;
  if (in->guard.id != SL_PTX_NO_REG || in->dsts != 1 || in->dst[0].id >= SL_SM7_REGISTERS || in->more != NULL ||
      l->code[pc].free)
    return false;
  *u = &l->of[in->dst[0].id];
  return true;
}

static void make_free(struct lowering *l, uint32_t pc, enum sl_sm7_lowering kind)
{
  l->code[pc].free = true;
  if (l->kind != NULL)
    l->kind[pc] = (uint8_t)kind;
}

static bool is_parameter(const struct sl_ptx_insn *in)
{
  return in->kind == SL_PTX_K_LOAD && in->space == SL_PTX_PARAM && in->address.id == SL_PTX_NO_REG;
}

static bool is_row(const struct sl_ptx_insn *in, enum sl_ptx_row_number a, enum sl_ptx_row_number b)
{
  return in->kind == SL_PTX_K_LANES && (in->row == a || in->row == b);
}

static bool is_copy(const struct sl_ptx_insn *in)
{
  return is_row(in, SL_PTX_ROW_mov_u32, SL_PTX_ROW_mov_u64) && in->srcs == 1 && in->dst[0].words == in->src[0].words;
}

/* A copy whose source is a parameter, or ends with it, is kept in the register of the source. */
static void lower_copy(struct lowering *l, uint32_t pc, const struct usage *d)
{
  const struct sl_ptx_insn *in = &l->in[pc];
  if (in->src[0].id >= SL_SM7_REGISTERS)
    return;
  const struct usage *s = &l->of[in->src[0].id];
  const bool parameter = s->defs == 1 && is_parameter(&l->in[s->def]) && d->defs == 1;
  if (parameter && l->spec->lower[SL_SM7_LOWER_PARAMETERS]) {
    make_free(l, pc, SL_SM7_LOWER_PARAMETERS);
  } else if (s->uses == 1 && l->spec->lower[SL_SM7_LOWER_MOVES]) {
    l->of[in->dst[0].id].same = s->same;
    make_free(l, pc, SL_SM7_LOWER_MOVES);
  }
}

static void lower_alone(struct lowering *l, uint32_t pc)
{
  const struct sl_ptx_insn *in = &l->in[pc];
  struct usage *d;
  if (!defines(l, pc, &d))
    return;
  if (is_parameter(in) && l->spec->lower[SL_SM7_LOWER_PARAMETERS])
    make_free(l, pc, SL_SM7_LOWER_PARAMETERS);
  else if (is_copy(in))
    lower_copy(l, pc, d);
  else if (is_row(in, SL_PTX_ROW_mov_u32, SL_PTX_ROW_mov_u64) && in->srcs == 0 && in->a.area == SL_PTX_CONSTANTS &&
           d->defs == 1 && l->spec->lower[SL_SM7_LOWER_MOVES])
    make_free(l, pc, SL_SM7_LOWER_MOVES);
}

static bool is_add(const struct sl_ptx_insn *in)
{
  return is_row(in, SL_PTX_ROW_add_u32, SL_PTX_ROW_add_u64) || is_row(in, SL_PTX_ROW_sub_u32, SL_PTX_ROW_sub_u64);
}

static bool is_product(const struct sl_ptx_insn *in)
{
  return is_row(in, SL_PTX_ROW_mul_wide_u32, SL_PTX_ROW_mul_wide_s32) ||
         is_row(in, SL_PTX_ROW_shl_u32, SL_PTX_ROW_shl_u64) || is_row(in, SL_PTX_ROW_mul_lo_u32, SL_PTX_ROW_mul_lo_u32);
}

static bool is_widening(const struct sl_ptx_insn *in)
{
  return is_row(in, SL_PTX_ROW_cvt_u64_u32, SL_PTX_ROW_cvt_u64_s32);
}

static bool is_logic(const struct sl_ptx_insn *in)
{
  return is_row(in, SL_PTX_ROW_and_u32, SL_PTX_ROW_or_u32) || is_row(in, SL_PTX_ROW_xor_u32, SL_PTX_ROW_not_u32);
}

/* The transformation that makes one instruction of a pair; SL_SM7_LOWERINGS: none. */
static enum sl_sm7_lowering kind_of(const struct sl_ptx_insn *first, const struct sl_ptx_insn *second)
{
  if (is_widening(first))
    return is_product(second) || is_add(second) ? SL_SM7_LOWER_MOVES : SL_SM7_LOWERINGS;
  if (is_product(first) && is_add(second))
    return SL_SM7_LOWER_ADDRESSES;
  if (is_add(first) && is_add(second) && first->dst[0].words == 1)
    return SL_SM7_LOWER_ADDS;
  if ((is_logic(first) && is_logic(second)) || (first->kind == SL_PTX_K_CONDITION && second->kind == SL_PTX_K_LOGIC))
    return SL_SM7_LOWER_LOGIC;
  return SL_SM7_LOWERINGS;
}

/* Whether both are in the same straight piece of code. */
static bool is_near(const struct lowering *l, uint32_t first, uint32_t second)
{
  bool near = second > first && second < l->end;
  for (uint32_t pc = first + 1; near && pc < second; pc++)
    near = l->in[pc].kind != SL_PTX_K_BRANCH && l->in[pc].kind != SL_PTX_K_CALL && l->in[pc].kind != SL_PTX_K_BARRIER &&
           l->in[pc].kind != SL_PTX_K_LINEAR;
  return near;
}

static void take_watched(struct sl_sm7_instruction *to, uint16_t id, const struct sl_sm7_instruction *from)
{
  unsigned kept = 0;
  for (unsigned n = 0; n < to->watched; n++)
    if (to->watch[n] != id)
      to->watch[kept++] = to->watch[n];
  for (unsigned n = 0; n < from->watched && kept < SL_SM7_WATCHED; n++)
    if (from->watch[n] != id)
      to->watch[kept++] = from->watch[n];
  to->watched = (uint8_t)kept;
}

static void take_reads(struct sl_sm7_instruction *to, uint16_t bank, const struct sl_sm7_instruction *from)
{
  unsigned kept = 0;
  for (unsigned n = 0; n < to->reads; n++)
    if (to->read_bank[n] != bank)
      to->read_bank[kept++] = to->read_bank[n];
  for (unsigned n = 0; n < from->reads && kept < SL_SM7_READ; n++) {
    bool again = false;
    for (unsigned k = 0; k < kept; k++)
      again |= to->read_bank[k] == from->read_bank[n];
    if (!again)
      to->read_bank[kept++] = from->read_bank[n];
  }
  to->reads = (uint8_t)kept;
}

static void take_sources(struct sl_sm7_instruction *to, uint16_t id, const struct sl_sm7_instruction *from)
{
  const struct sl_sm7_instruction before = *to;
  to->sources = 0;
  for (unsigned n = 0; n < before.sources; n++)
    if (before.source[n].id != id)
      sl_sm7_add_source(to, before.source[n].id, before.source[n].words);
  for (unsigned n = 0; n < from->sources; n++)
    sl_sm7_add_source(to, from->source[n].id, from->source[n].words);
}

/* The second instruction reads the operands of the first one. */
static void lower_pair(struct lowering *l, uint32_t pc)
{
  struct usage *d, *second_d;
  if (!defines(l, pc, &d) || d->defs != 1 || d->uses != 1 || l->code[pc].fused || !is_near(l, pc, d->use) ||
      !defines(l, d->use, &second_d) || l->code[d->use].fused)
    return;
  const struct sl_ptx_insn *first = &l->in[pc];
  const enum sl_sm7_lowering kind = kind_of(first, &l->in[d->use]);
  if (kind == SL_SM7_LOWERINGS || !l->spec->lower[kind])
    return;
  struct sl_sm7_instruction *from = &l->code[pc], *to = &l->code[d->use];
  take_watched(to, first->dst[0].id, from);
  take_reads(to, d->bank, from);
  take_sources(to, first->dst[0].id, from);
  to->words_read = (uint8_t)(to->words_read + from->words_read - first->dst[0].words);
  to->others = (uint8_t)(to->others + from->others);
  to->fused = kind != SL_SM7_LOWER_MOVES; /* widening leaves room for another */
  if (kind == SL_SM7_LOWER_ADDRESSES && from->class == SL_SM7_C_INT_MUL)
    to->class = SL_SM7_C_INT_MAD;
  make_free(l, pc, kind);
}

static void lower_load(void *context, uint32_t pc)
{
  make_free(context, pc, SL_SM7_LOWER_VECTORS);
}

static void lower_loads(struct lowering *l, const struct sl_ptx_module *module, const struct sl_ptx_function *function)
{
  uint32_t defs[SL_SM7_REGISTERS];
  for (unsigned i = 0; i < SL_SM7_REGISTERS; i++)
    defs[i] = l->of[i].defs;
  if (l->spec->lower[SL_SM7_LOWER_VECTORS])
    sl_sm7_join_loads(module, function, l->code, defs, lower_load, l);
}

/* Whether an earlier sine or cosine in the same straight piece of code has the same argument. */
static bool is_reduced(const struct lowering *l, uint32_t pc)
{
  const uint16_t argument = l->in[pc].src[0].id;
  for (uint32_t at = pc; at > l->begin && !l->code[at].joins;) {
    const struct sl_ptx_insn *in = &l->in[--at];
    if (in->kind == SL_PTX_K_BRANCH || in->kind == SL_PTX_K_CALL)
      return false;
    for (unsigned n = 0; n < in->dsts; n++)
      if (in->dst[n].id == argument)
        return false;
    if (in->class == SL_PTX_C_SINE && in->guard.id == SL_PTX_NO_REG && in->srcs == 1 && in->src[0].id == argument)
      return true;
  }
  return false;
}

/* Volta has no instruction that reduces an argument: FMUL.RZ by 1/(2 pi) precedes MUFU.SIN and MUFU.COS. */
static void lower_sines(struct lowering *l)
{
  for (uint32_t pc = l->begin; pc < l->end; pc++)
    if (l->in[pc].kind == SL_PTX_K_BRANCH)
      l->code[l->in[pc].target].joins = true;
  for (uint32_t pc = l->begin; pc < l->end; pc++)
    l->code[pc].reduces = l->in[pc].class == SL_PTX_C_SINE && l->in[pc].srcs == 1 && !is_reduced(l, pc);
}

/* The value of an operand that is a number of 32 bits; `other` if it is none. */
static uint32_t number_of(const struct sl_ptx_module *module, struct sl_ptx_place place, uint32_t other)
{
  uint32_t value = other;
  if (place.area == SL_PTX_CONSTANTS)
    memcpy(&value, module->constants + place.offset, sizeof value);
  return value;
}

/* Volta has no BFE or BFI: a shift (SHF) precedes an extension (SGXT) or a mask (LOP3). One instruction remains of an
 * extraction of the lowest or of the uppermost bits. */
static void lower_fields(struct lowering *l, const struct sl_ptx_module *module)
{
  enum { BITS = 32, UNKNOWN = 1 };
  for (uint32_t pc = l->begin; pc < l->end; pc++) {
    const struct sl_ptx_insn *in = &l->in[pc];
    const bool extracts = is_row(in, SL_PTX_ROW_bfe_u32, SL_PTX_ROW_bfe_s32);
    const uint32_t from = number_of(module, in->b, UNKNOWN), bits = number_of(module, in->c, UNKNOWN);
    l->code[pc].shifts = !l->code[pc].free && (is_row(in, SL_PTX_ROW_bfi_u32, SL_PTX_ROW_bfi_u32) ||
                                               (extracts && from != 0 && (uint64_t)from + bits < BITS));
  }
}

/* Copies that are kept in one register have its numbers. */
static void rename(struct lowering *l)
{
  for (uint32_t pc = l->begin; pc < l->end; pc++) {
    struct sl_sm7_instruction *c = &l->code[pc];
    for (unsigned n = 0; n < c->watched; n++)
      if (c->watch[n] < SL_SM7_REGISTERS)
        c->watch[n] = l->of[c->watch[n]].same;
    for (unsigned n = 0; n < c->sources; n++)
      if (c->source[n].id < SL_SM7_REGISTERS)
        c->source[n].id = l->of[c->source[n].id].same;
    for (unsigned n = 0; n < c->writes; n++)
      if (c->write[n] < SL_SM7_REGISTERS && l->of[c->write[n]].same != c->write[n]) {
        c->write[n] = l->of[c->write[n]].same;
        c->write_bank[n] = l->of[c->write[n]].bank;
      }
  }
}

void sl_sm7_lower_text(const struct sl_sm7_spec *spec, struct sl_ptx_options *options)
{
  options->predicate = spec->lower_predicate != 0;
  options->unroll = spec->lower_unroll != 0;
  options->schedule = spec->lower_schedule ? spec->lower_registers : 0;
}

bool sl_sm7_lower(const struct sl_sm7_spec *spec, const struct sl_ptx_module *module, struct sl_sm7_instruction *code,
                  uint8_t *kind)
{
  uint32_t any = spec->lower_sines | spec->lower_fields;
  for (unsigned i = 0; i < SL_SM7_LOWERINGS; i++)
    any |= spec->lower[i];
  struct lowering l = {.spec = spec, .in = module->code, .code = code, .kind = kind};
  for (unsigned f = 0; any && f < module->function_count; f++) {
    const struct sl_ptx_function *function = &module->functions[f];
    if (!function->entry || !function->defined || function->shares)
      continue;
    l.begin = function->begin;
    l.end = function->end;
    find_usage(&l);
    for (uint32_t pc = l.begin; pc < l.end; pc++)
      lower_alone(&l, pc);
    for (uint32_t pc = l.begin; pc < l.end; pc++)
      lower_pair(&l, pc);
    lower_loads(&l, module, function);
    if (spec->lower_sines)
      lower_sines(&l);
    if (spec->lower_fields)
      lower_fields(&l, module);
    rename(&l);
  }
  return any != 0;
}

enum sl_status sl_sm7_find_free(const struct sl_sm7_spec *spec, const struct sl_ptx_module *module, bool **free_ones,
                                struct sl_error *err)
{
  struct sl_sm7_instruction *code = sl_sm7_ptx_code(module);
  bool *ones = calloc(module->code_count + (size_t)1, sizeof *ones);
  const bool enough = code != NULL && ones != NULL;
  const bool any = enough && spec->oracle == SL_PTX_NO_ORACLE && sl_sm7_lower(spec, module, code, NULL);
  for (uint32_t pc = 0; any && pc < module->code_count; pc++)
    ones[pc] = code[pc].free;
  free(code);
  if (!any)
    free(ones);
  *free_ones = any ? ones : NULL;
  return enough ? SL_OK : sl_no_memory(err, module->code_count * sizeof *code);
}
