#include "ptx/text/ptx_transform.h"

#include <string.h>

#include "ptx/run/ptx_lanes.h"
#include "ptx/text/ptx_operand.h"

void sl_ptx_fold_begin(struct sl_ptx_fold *f, struct sl_ptx_editor *e, bool dry)
{
  f->e = e;
  f->dry = dry;
  for (unsigned id = 0; id < SL_PTX_TOLD_APART; id++) {
    f->version[id] = 0;
    f->value[id] = (struct sl_ptx_known){.base = (uint16_t)id};
  }
}

void sl_ptx_fold_number(struct sl_ptx_fold *f, uint16_t id, uint64_t number)
{
  f->value[id] = (struct sl_ptx_known){.base = SL_PTX_NO_REG, .number = number};
}

/* A value whose base has been written since is known as its own register only. */
struct sl_ptx_known sl_ptx_fold_of(const struct sl_ptx_fold *f, uint16_t id)
{
  const struct sl_ptx_known v = f->value[id];
  if (f->dry || v.base == SL_PTX_NO_REG || f->version[v.base] == v.version)
    return v;
  return (struct sl_ptx_known){.base = id, .version = f->version[id]};
}

bool sl_ptx_fold_operand(const struct sl_ptx_fold *f, struct sl_ptx_place place, bool wide, struct sl_ptx_known *known)
{
  const uint16_t id = sl_ptx_edit_id(f->e, place);
  *known = (struct sl_ptx_known){.base = SL_PTX_NO_REG};
  if (id == SL_PTX_NO_REG)
    return sl_ptx_edit_number(f->e, place, wide, &known->number);
  *known = sl_ptx_fold_of(f, id);
  return true;
}

/* ---- evaluation -------------------------------------------------------------------------------------------------- */

static bool is_whole(uint8_t type)
{
  return !sl_ptx_is_float(type) && sl_ptx_type_bytes(type) >= 4;
}

unsigned sl_ptx_fold_operands(const struct sl_ptx_insn *in, bool wide[3])
{
  const struct sl_ptx_row *row = sl_ptx_row(in->row);
  const uint8_t type[] = {row->a, row->b, row->c};
  unsigned count = 0;
  for (; count < 3 && type[count] != SL_PTX_NO_TYPE; count++)
    wide[count] = sl_ptx_type_bytes(type[count]) == 8;
  return count;
}

static bool is_foldable(const struct sl_ptx_insn *in)
{
  if ((in->kind != SL_PTX_K_LANES && in->kind != SL_PTX_K_CONDITION) || in->mode != 0 || in->careful || in->wide ||
      in->dsts != 1 || in->has_e || in->framed != SL_PTX_NOT_FRAMED)
    return false;
  const struct sl_ptx_row *row = sl_ptx_row(in->row);
  const uint8_t type[] = {row->a, row->b, row->c};
  for (unsigned i = 0; i < 3; i++)
    if (type[i] != SL_PTX_NO_TYPE && !is_whole(type[i]))
      return false;
  return row->e == SL_PTX_NO_TYPE && !row->carries && (in->kind == SL_PTX_K_CONDITION || is_whole(row->d));
}

bool sl_ptx_fold_evaluate(const struct sl_ptx_insn *in, const uint64_t operand[3], uint64_t *result)
{
  uint64_t value[4][SL_PTX_LANES] = {{0}}; /* a lane is enough */
  bool wide[3];
  if (!is_foldable(in))
    return false;
  const unsigned count = sl_ptx_fold_operands(in, wide);
  for (unsigned i = 0; i < count; i++)
    memcpy(value[i], &operand[i], wide[i] ? 8 : 4);
  const struct sl_ptx_lane_operands o = {.d = value[3], .a = value[0], .b = value[1], .c = value[2], .e = value[2]};
  const uint32_t holds = sl_ptx_lane_ops_portable()->execute[in->row](&o, 1);
  *result = 0;
  if (in->kind == SL_PTX_K_CONDITION)
    *result = holds & 1;
  else
    memcpy(result, value[3], sl_ptx_type_bytes(sl_ptx_row(in->row)->d));
  return true;
}

/* ---- what an instruction computes -------------------------------------------------------------------------------- */

static bool is_move(const struct sl_ptx_insn *in)
{
  return in->row == SL_PTX_ROW_mov_u32 || in->row == SL_PTX_ROW_mov_u64;
}

/* Whether the instruction is an addition of a number. `sign`: -1 for a difference. */
static bool is_sum(const struct sl_ptx_insn *in, bool *minus, bool *wide)
{
  *minus = in->row == SL_PTX_ROW_sub_u32 || in->row == SL_PTX_ROW_sub_u64;
  *wide = in->row == SL_PTX_ROW_add_u64 || in->row == SL_PTX_ROW_sub_u64;
  return *minus || *wide || in->row == SL_PTX_ROW_add_u32;
}

static bool sum_of(const struct sl_ptx_fold *f, const struct sl_ptx_insn *in, struct sl_ptx_known *v)
{
  struct sl_ptx_known a, b;
  bool minus, wide;
  if (!is_sum(in, &minus, &wide) || !sl_ptx_fold_operand(f, in->a, wide, &a) ||
      !sl_ptx_fold_operand(f, in->b, wide, &b))
    return false;
  if (a.base == SL_PTX_NO_REG && !minus) {
    const struct sl_ptx_known number = a;
    a = b;
    b = number;
  }
  if (b.base != SL_PTX_NO_REG)
    return false;
  *v = a;
  v->number += minus ? 0 - b.number : b.number;
  v->number &= wide ? UINT64_MAX : UINT32_MAX;
  return true;
}

static bool value_of(const struct sl_ptx_fold *f, const struct sl_ptx_insn *in, struct sl_ptx_known *v)
{
  bool wide[3];
  uint64_t operand[3] = {0}, result;
  if (!is_foldable(in) || in->guard.id != SL_PTX_NO_REG)
    return false;
  bool numbers = true;
  const unsigned count = sl_ptx_fold_operands(in, wide);
  for (unsigned i = 0; i < count && numbers; i++) {
    struct sl_ptx_known known;
    numbers = sl_ptx_fold_operand(f, (const struct sl_ptx_place[]){in->a, in->b, in->c}[i], wide[i], &known) &&
              known.base == SL_PTX_NO_REG;
    operand[i] = known.number;
  }
  if (numbers && sl_ptx_fold_evaluate(in, operand, &result)) {
    *v = (struct sl_ptx_known){.base = SL_PTX_NO_REG, .number = result};
    return true;
  }
  if (is_move(in) && in->kind == SL_PTX_K_LANES && in->srcs == 1 && in->src[0].words == in->dst[0].words)
    return sl_ptx_fold_operand(f, in->a, wide[0], v);
  return in->kind == SL_PTX_K_LANES && sum_of(f, in, v);
}

/* ---- simpler instructions ---------------------------------------------------------------------------------------- */

/* Reads numbers and copies at their source. */
static void simplify_operands(struct sl_ptx_fold *f, struct sl_ptx_insn *in)
{
  struct sl_ptx_roles r;
  bool wide[3] = {false};
  if (!sl_ptx_roles_find(&r, in))
    return;
  const bool row = in->kind == SL_PTX_K_LANES || in->kind == SL_PTX_K_CONDITION || in->kind == SL_PTX_K_SET;
  const unsigned typed = row && !in->wide ? sl_ptx_fold_operands(in, wide) : 0;
  bool changed = false;
  for (unsigned i = 0; i < r.reads; i++) {
    const uint16_t id = sl_ptx_edit_id(f->e, *r.read[i]);
    const struct sl_ptx_known v = id != SL_PTX_NO_REG ? sl_ptx_fold_of(f, id) : (struct sl_ptx_known){0};
    if (id == SL_PTX_NO_REG || sl_ptx_edit_reg(f->e, id).words == 0)
      continue;
    if (v.base == SL_PTX_NO_REG && i < typed && sl_ptx_edit_reg(f->e, id).words == 1u + wide[i])
      *r.read[i] = sl_ptx_constant(f->e->p, v.number, wide[i]);
    else if (v.base != SL_PTX_NO_REG && v.base != id && v.number == 0)
      *r.read[i] = sl_ptx_edit_place(f->e, v.base);
    else
      continue;
    changed = true;
  }
  if (changed && in->kind == SL_PTX_K_ATOMIC && in->mode != SL_PTX_ATOM_CAS)
    in->c = in->b;
  if (changed)
    sl_ptx_edit_registers(f->e, in);
}

/* The sum of 32 bits may wrap before the offset is added, so addresses of 32 bits stay. */
static void simplify_address(struct sl_ptx_fold *f, struct sl_ptx_insn *in)
{
  if (in->address.id == SL_PTX_NO_REG || in->address32)
    return;
  const struct sl_ptx_known v = sl_ptx_fold_of(f, in->address.id);
  if (v.base == SL_PTX_NO_REG) {
    in->a = sl_ptx_constant(f->e->p, v.number, true);
    in->address = (struct sl_ptx_reg){.id = SL_PTX_NO_REG};
  } else if (v.base != in->address.id) {
    in->a = sl_ptx_edit_place(f->e, v.base);
    in->address = sl_ptx_edit_reg(f->e, v.base);
    in->immediate = (int64_t)((uint64_t)in->immediate + v.number);
  }
}

static void become(struct sl_ptx_fold *f, struct sl_ptx_insn *in, unsigned row, struct sl_ptx_place a,
                   struct sl_ptx_place b)
{
  *in = sl_ptx_edit_row(f->e, in, row, in->d, a, b);
}

static void simplify_result(struct sl_ptx_fold *f, struct sl_ptx_insn *in, const struct sl_ptx_known *v)
{
  const bool wide = in->kind == SL_PTX_K_LANES && in->dst[0].words == 2;
  bool minus, sum_wide;
  if (in->kind != SL_PTX_K_LANES)
    return;
  if (v->base == SL_PTX_NO_REG)
    become(f, in, wide ? SL_PTX_ROW_mov_u64 : SL_PTX_ROW_mov_u32, sl_ptx_constant(f->e->p, v->number, wide),
           (struct sl_ptx_place){0});
  else if (is_sum(in, &minus, &sum_wide) && in->srcs == 1 && v->base != in->src[0].id && v->number != 0)
    become(f, in, wide ? SL_PTX_ROW_add_u64 : SL_PTX_ROW_add_u32, sl_ptx_edit_place(f->e, v->base),
           sl_ptx_constant(f->e->p, v->number, wide));
}

bool sl_ptx_fold(struct sl_ptx_fold *f, struct sl_ptx_insn *in)
{
  struct sl_ptx_known v = {0};
  if (in->guard.id != SL_PTX_NO_REG) {
    const struct sl_ptx_known guard = sl_ptx_fold_of(f, in->guard.id);
    if (guard.base == SL_PTX_NO_REG && (guard.number != 0) == in->negated)
      return false;
    if (guard.base == SL_PTX_NO_REG) {
      in->guard = (struct sl_ptx_reg){.id = SL_PTX_NO_REG};
      in->negated = false;
    }
  }
  if (!f->dry) {
    simplify_operands(f, in);
    simplify_address(f, in);
  }
  const bool known = value_of(f, in, &v);
  if (known && !f->dry)
    simplify_result(f, in, &v);
  for (unsigned i = 0; i < in->dsts; i++) {
    const uint16_t id = in->dst[i].id;
    f->value[id] = (struct sl_ptx_known){.base = id, .version = ++f->version[id]};
  }
  if (known)
    f->value[in->dst[0].id] = v;
  return true;
}
