#include "compiler/linear/linear_code.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "ptx/ptx_passes.h"
#include "ptx/run/ptx_block.h"
#include "ptx/run/ptx_lanes.h"

/* ---- symbols of a code ------------------------------------------------------------------------------------------- */

enum { MOST_SYMBOLS = 30000 };

uint16_t sl_linear_symbol(struct sl_linear_code *code, const struct sl_linear_symbol *symbol)
{
  for (uint16_t i = 1; i < code->symbols; i++)
    if (strcmp(code->symbol[i].name, symbol->name) == 0)
      return i;
  const uint16_t number = code->symbols;
  if (number > MOST_SYMBOLS)
    return 0;
  if (!SL_GROW(code->symbol, number))
    return 0;
  code->symbol[0] = (struct sl_linear_symbol){.name = "?"};
  code->symbol[number] = *symbol;
  code->symbols = (uint16_t)(number + 1);
  return number;
}

void sl_linear_code_free(struct sl_linear_code *code)
{
  free(code->insn);
  free(code->entry);
  free(code->symbol);
  *code = (struct sl_linear_code){.count = 0};
}

/* ---- translation of PTX ------------------------------------------------------------------------------------------ */

/* Meaning of a table row, and the extension of its 32-bit sources. */
struct meaning {
  enum sl_linear_kind kind;
  enum sl_linear_extension extension;
};

static struct meaning meaning_of(unsigned row)
{
  switch (row) {
  case SL_PTX_ROW_mov_u32:
  case SL_PTX_ROW_mov_u64:
  case SL_PTX_ROW_cvt_u32_u32:
  case SL_PTX_ROW_cvt_u32_s32:
  case SL_PTX_ROW_cvt_u32_u64:
  case SL_PTX_ROW_cvt_u32_s64:
  case SL_PTX_ROW_cvt_u64_u64:
  case SL_PTX_ROW_cvt_u64_s64: return (struct meaning){SL_LINEAR_MOVE, SL_LINEAR_NOT_EXTENDED};
  case SL_PTX_ROW_cvt_u64_u32: return (struct meaning){SL_LINEAR_MOVE, SL_LINEAR_BY_ZERO};
  case SL_PTX_ROW_cvt_u64_s32: return (struct meaning){SL_LINEAR_MOVE, SL_LINEAR_BY_SIGN};
  case SL_PTX_ROW_add_u32:
  case SL_PTX_ROW_add_u64: return (struct meaning){SL_LINEAR_ADD, SL_LINEAR_NOT_EXTENDED};
  case SL_PTX_ROW_sub_u32:
  case SL_PTX_ROW_sub_u64: return (struct meaning){SL_LINEAR_SUBTRACT, SL_LINEAR_NOT_EXTENDED};
  case SL_PTX_ROW_mul_lo_u32:
  case SL_PTX_ROW_mul_lo_u64: return (struct meaning){SL_LINEAR_MULTIPLY, SL_LINEAR_NOT_EXTENDED};
  case SL_PTX_ROW_mul_wide_u32: return (struct meaning){SL_LINEAR_MULTIPLY, SL_LINEAR_BY_ZERO};
  case SL_PTX_ROW_mul_wide_s32: return (struct meaning){SL_LINEAR_MULTIPLY, SL_LINEAR_BY_SIGN};
  case SL_PTX_ROW_mad_lo_u32:
  case SL_PTX_ROW_mad_lo_u64: return (struct meaning){SL_LINEAR_MULTIPLY_ADD, SL_LINEAR_NOT_EXTENDED};
  case SL_PTX_ROW_mad_wide_u32: return (struct meaning){SL_LINEAR_MULTIPLY_ADD, SL_LINEAR_BY_ZERO};
  case SL_PTX_ROW_mad_wide_s32: return (struct meaning){SL_LINEAR_MULTIPLY_ADD, SL_LINEAR_BY_SIGN};
  case SL_PTX_ROW_shl_u32:
  case SL_PTX_ROW_shl_u64: return (struct meaning){SL_LINEAR_SHIFT_LEFT, SL_LINEAR_NOT_EXTENDED};
  default: return (struct meaning){SL_LINEAR_OTHER, SL_LINEAR_NOT_EXTENDED};
  }
}

struct reader {
  struct sl_linear_code *code;
  const struct sl_ptx_module *module;
  const struct sl_ptx_function *kernel;
  bool failed;
};

static void add_source(struct sl_linear_insn *in, uint16_t id)
{
  if (id != SL_PTX_NO_REG && in->srcs < SL_LINEAR_SOURCES)
    in->src[in->srcs++] = (struct sl_linear_operand){.reg = id};
}

static int64_t constant(const struct reader *r, struct sl_ptx_place place, enum sl_ptx_type type)
{
  int64_t wide;
  int32_t narrow;
  if (sl_ptx_type_bytes(type) == 8) {
    memcpy(&wide, r->module->constants + place.offset, sizeof wide);
    return wide;
  }
  memcpy(&narrow, r->module->constants + place.offset, sizeof narrow);
  return narrow;
}

/* Indices become indices, sizes become symbols; other special registers are unknown. */
static void read_special(struct reader *r, struct sl_linear_insn *in, unsigned special)
{
  static const char *const sizes[] = {
      [SL_PTX_NTID_X] = "ntid.x",     [SL_PTX_NTID_Y] = "ntid.y",     [SL_PTX_NTID_Z] = "ntid.z",
      [SL_PTX_NCTAID_X] = "nctaid.x", [SL_PTX_NCTAID_Y] = "nctaid.y", [SL_PTX_NCTAID_Z] = "nctaid.z"};
  in->kind = SL_LINEAR_OTHER;
  if (special <= SL_PTX_TID_Z || (special >= SL_PTX_CTAID_X && special <= SL_PTX_CTAID_Z)) {
    in->kind = SL_LINEAR_INDEX;
    in->which = (uint16_t)(special <= SL_PTX_TID_Z ? special - SL_PTX_TID_X : special - SL_PTX_CTAID_X + SL_LINEAR_BX);
  } else if (special <= SL_PTX_NCTAID_Z) {
    in->kind = SL_LINEAR_SYMBOL;
    struct sl_linear_symbol size = {.origin = special <= SL_PTX_NTID_Z ? SL_LINEAR_BLOCK_SIZE : SL_LINEAR_GRID_SIZE,
                                    .at = special - (special <= SL_PTX_NTID_Z ? SL_PTX_NTID_X : SL_PTX_NCTAID_X)};
    snprintf(size.name, sizeof size.name, "%s", sizes[special]);
    in->which = sl_linear_symbol(r->code, &size);
    r->failed |= in->which == 0;
  }
}

/* Translates the operands of a row: registers are numbered in the order of `src`. */
static void read_row(struct reader *r, const struct sl_ptx_insn *from, struct sl_linear_insn *in)
{
  const struct sl_ptx_row *row = sl_ptx_row(from->row);
  const struct sl_ptx_place place[3] = {from->a, from->b, from->c};
  const enum sl_ptx_type type[3] = {row->a, row->b, row->c};
  const struct meaning meaning = meaning_of(from->row);
  unsigned named = 0;
  if (meaning.kind == SL_LINEAR_OTHER || from->careful)
    return;
  in->srcs = 0;
  for (unsigned k = 0; k < 3 && type[k] != SL_PTX_NO_TYPE; k++) {
    if (place[k].area == SL_PTX_REGISTERS)
      add_source(in, from->src[named++].id);
    else if (place[k].area == SL_PTX_CONSTANTS)
      in->src[in->srcs++] =
          (struct sl_linear_operand){.reg = SL_LINEAR_NO_REG, .number = constant(r, place[k], type[k])};
  }
  in->kind = (uint8_t)meaning.kind;
  in->extension = (uint8_t)meaning.extension;
  if (meaning.kind == SL_LINEAR_MOVE && place[0].area == SL_PTX_SPECIALS)
    read_special(r, in, place[0].offset / (SL_PTX_LANES * (unsigned)sizeof(uint32_t)));
  else if (place[0].area == SL_PTX_SPECIALS || place[1].area == SL_PTX_SPECIALS || place[2].area == SL_PTX_SPECIALS)
    in->kind = SL_LINEAR_OTHER;
}

/* A load of an integer argument is a symbol. */
static void read_argument(struct reader *r, const struct sl_ptx_insn *from, struct sl_linear_insn *in)
{
  struct sl_linear_symbol symbol = {.origin = SL_LINEAR_ARGUMENT, .bytes = from->bytes};
  const bool integer = (from->type >= SL_PTX_B32 && from->type <= SL_PTX_B64) || from->type == SL_PTX_U32 ||
                       from->type == SL_PTX_U64 || from->type == SL_PTX_S32 || from->type == SL_PTX_S64;
  if (!integer || from->elements != 1 || from->address.id != SL_PTX_NO_REG ||
      (from->bytes == 4) != (from->moved == SL_PTX_M_U32 || from->moved == SL_PTX_M_S32))
    return;
  const uint64_t at = (uint64_t)constant(r, from->a, SL_PTX_U64) + (uint64_t)from->immediate;
  for (unsigned p = 0; p < r->kernel->param_count; p++) {
    const struct sl_ptx_param *param = &r->kernel->params[p];
    if (at < param->offset || at >= (uint64_t)param->offset + param->bytes)
      continue;
    if (at == param->offset && param->bytes == from->bytes)
      snprintf(symbol.name, sizeof symbol.name, "P%u", p);
    else
      snprintf(symbol.name, sizeof symbol.name, "P%u[%u]", p, (unsigned)(at - param->offset));
    in->kind = SL_LINEAR_SYMBOL;
    in->srcs = 0;
    in->base = -1;
    symbol.at = (uint32_t)at;
    in->which = sl_linear_symbol(r->code, &symbol);
    r->failed |= in->which == 0;
  }
}

static void read_access(struct reader *r, const struct sl_ptx_insn *from, struct sl_linear_insn *in)
{
  in->role = SL_LINEAR_ACCESSES;
  in->number = from->immediate;
  if (from->address.id != SL_PTX_NO_REG && in->srcs < SL_LINEAR_SOURCES) {
    in->base = (int8_t)in->srcs;
    add_source(in, from->address.id);
  }
  if (from->kind == SL_PTX_K_LOAD && from->space == SL_PTX_PARAM)
    read_argument(r, from, in);
}

static void read_insn(struct reader *r, uint32_t at)
{
  const struct sl_ptx_insn *from = &r->module->code[r->kernel->begin + at];
  struct sl_linear_insn *in = &r->code->insn[at];
  uint32_t next[2] = {SL_PTX_NOWHERE, SL_PTX_NOWHERE};
  const unsigned count = sl_ptx_successors(r->module->code, r->kernel->begin + at, r->kernel->end, next);
  *in = (struct sl_linear_insn){.base = -1};
  for (unsigned i = 0; i < 2; i++)
    in->next[i] = i < count && next[i] != SL_PTX_NOWHERE ? next[i] - r->kernel->begin : SL_LINEAR_NOWHERE;
  if (in->next[0] == SL_LINEAR_NOWHERE) {
    in->next[0] = in->next[1];
    in->next[1] = SL_LINEAR_NOWHERE;
  }
  for (unsigned i = 0; i < from->dsts; i++)
    if (from->dst[i].id != SL_PTX_NO_REG)
      in->dst[in->dsts++] = from->dst[i].id;
  for (unsigned i = 0; i < from->srcs; i++)
    add_source(in, from->src[i].id);
  switch ((enum sl_ptx_kind)from->kind) {
  case SL_PTX_K_LANES: read_row(r, from, in); break;
  case SL_PTX_K_LOAD:
  case SL_PTX_K_STORE:
  case SL_PTX_K_ATOMIC: read_access(r, from, in); break;
  case SL_PTX_K_ASYNC:
    in->role = SL_LINEAR_CONTROLS;
    /* fall through */
  case SL_PTX_K_TEX: /* the handle is not a base address */
    if (from->address.id != SL_PTX_NO_REG)
      add_source(in, from->address.id);
    break;
  case SL_PTX_K_BRANCH:
  case SL_PTX_K_CALL:
  case SL_PTX_K_RETURN:
  case SL_PTX_K_EXIT:
  case SL_PTX_K_TRAP:
  case SL_PTX_K_BARRIER:
  case SL_PTX_K_MEMBAR: in->role = SL_LINEAR_CONTROLS; break;
  default: break;
  }
  if (from->guard.id != SL_PTX_NO_REG) {
    add_source(in, from->guard.id);
    for (unsigned i = 0; i < in->dsts; i++)
      add_source(in, (uint16_t)in->dst[i]);
    in->kept = in->dsts;
  }
}

enum sl_status sl_linear_from_ptx(struct sl_linear_code *code, const struct sl_ptx_module *module,
                                  const struct sl_ptx_function *kernel, struct sl_error *err)
{
  const uint32_t count = kernel->end - kernel->begin;
  struct reader r = {.code = code, .module = module, .kernel = kernel};
  *code = (struct sl_linear_code){.insn = NULL};
  for (uint32_t at = 0; at < count; at++)
    if (module->code[kernel->begin + at].more != NULL)
      return sl_fail(err, SL_USAGE, "%s:%u: kernels with instructions on matrices have no linear form", module->path,
                     module->code[kernel->begin + at].line);
  *code = (struct sl_linear_code){.bits = 64, .count = count, .registers = kernel->registers, .symbols = 1};
  code->insn = malloc((count + (size_t)1) * sizeof *code->insn);
  r.failed = code->insn == NULL;
  for (uint32_t at = 0; at < count && !r.failed; at++)
    read_insn(&r, at);
  if (!r.failed)
    return SL_OK;
  sl_linear_code_free(code);
  return sl_no_memory(err, count * sizeof *code->insn);
}
