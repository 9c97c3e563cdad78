#include "ptx/text/ptx_transform.h"

#include <string.h>

#include "ptx/run/ptx_lanes.h"
#include "ptx/text/ptx_forms.h"

enum { UNIT = 64 /* bytes; all places are multiples */ };

/* ---- operands ---------------------------------------------------------------------------------------------------- */

static void reads(struct sl_ptx_roles *r, struct sl_ptx_place *place)
{
  r->read[r->reads++] = place;
}

static void writes(struct sl_ptx_roles *r, struct sl_ptx_place *place)
{
  r->written[r->writes++] = place;
}

static void of_row(struct sl_ptx_roles *r, struct sl_ptx_insn *in)
{
  const struct sl_ptx_row *row = sl_ptx_row(in->row);
  struct sl_ptx_place *place[] = {&in->a, &in->b, &in->c, &in->e};
  const uint8_t type[] = {row->a, row->b, row->c, row->e};
  for (unsigned i = 0; i < 4; i++)
    if (type[i] != SL_PTX_NO_TYPE)
      reads(r, place[i]);
  if (in->kind != SL_PTX_K_LANES && in->mode != SL_PTX_ALONE)
    reads(r, &in->c);
}

static void of_elements(struct sl_ptx_roles *r, struct sl_ptx_insn *in, bool written)
{
  for (unsigned i = 0; i < in->elements; i++)
    (written ? writes : reads)(r, &in->element[i]);
}

static void of_exchange(struct sl_ptx_roles *r, struct sl_ptx_insn *in)
{
  reads(r, &in->a);
  reads(r, &in->b);
  reads(r, &in->c);
  if (in->order & SL_PTX_WARP_SYNC)
    reads(r, &in->element[0]);
}

bool sl_ptx_roles_find(struct sl_ptx_roles *r, struct sl_ptx_insn *in)
{
  *r = (struct sl_ptx_roles){.reads = 0};
  if (in->more != NULL || in->deep || in->framed == SL_PTX_FRAMED_OTHER)
    return false;
  const bool stores = in->kind == SL_PTX_K_STORE;
  switch (in->kind) {
  case SL_PTX_K_LANES:
  case SL_PTX_K_CONDITION:
  case SL_PTX_K_SET: of_row(r, in); break;
  case SL_PTX_K_LOGIC:
    reads(r, &in->a);
    if (in->mode >= SL_PTX_AND)
      reads(r, &in->b);
    break;
  case SL_PTX_K_UNPACK: reads(r, &in->a); return of_elements(r, in, true), true;
  case SL_PTX_K_PACK: of_elements(r, in, false); break;
  case SL_PTX_K_LOAD:
  case SL_PTX_K_STORE: return of_elements(r, in, !stores), true;
  case SL_PTX_K_ATOMIC:
    reads(r, &in->b);
    if (in->mode == SL_PTX_ATOM_CAS)
      reads(r, &in->c);
    break;
  case SL_PTX_K_SHFL: of_exchange(r, in); break;
  case SL_PTX_K_BARRIER:
    reads(r, &in->a);
    reads(r, &in->b);
    return in->mode <= SL_PTX_BAR_ARRIVE;
  case SL_PTX_K_MEMBAR: return true;
  default: return false;
  }
  if (in->dsts > 0)
    writes(r, &in->d);
  if (in->has_e)
    writes(r, &in->e);
  return true;
}

/* ---- registers --------------------------------------------------------------------------------------------------- */

static void know(struct sl_ptx_editor *e, uint32_t index)
{
  const struct sl_ptx_register *r = &e->p->registers.items[index];
  e->index[r->id] = index;
  e->id_at[r->offset / UNIT] = r->id;
}

bool sl_ptx_edit_begin(struct sl_ptx_editor *e, struct sl_ptx_parser *p, uint32_t begin)
{
  e->p = p;
  e->begin = begin;
  if (p->used > SL_PTX_TOLD_APART)
    return false;
  memset(e->id_at, UINT8_MAX, sizeof e->id_at);
  for (uint32_t i = 0; i < p->registers.count; i++)
    if (p->registers.items[i].id != SL_PTX_NO_REG)
      know(e, i);
  return true;
}

uint16_t sl_ptx_edit_id(const struct sl_ptx_editor *e, struct sl_ptx_place place)
{
  return place.area == SL_PTX_REGISTERS ? e->id_at[place.offset / UNIT] : SL_PTX_NO_REG;
}

static const struct sl_ptx_register *register_of(const struct sl_ptx_editor *e, uint16_t id)
{
  return &e->p->registers.items[e->index[id]];
}

struct sl_ptx_place sl_ptx_edit_place(const struct sl_ptx_editor *e, uint16_t id)
{
  return (struct sl_ptx_place){.area = SL_PTX_REGISTERS, .offset = register_of(e, id)->offset & 0x3fffffff};
}

struct sl_ptx_reg sl_ptx_edit_reg(const struct sl_ptx_editor *e, uint16_t id)
{
  return sl_ptx_reg_of(register_of(e, id));
}

enum sl_ptx_type sl_ptx_edit_type(const struct sl_ptx_editor *e, uint16_t id)
{
  return register_of(e, id)->type;
}

uint16_t sl_ptx_edit_new(struct sl_ptx_editor *e, enum sl_ptx_type type)
{
  struct sl_ptx_parser *p = e->p;
  if (p->used >= SL_PTX_TOLD_APART || !SL_PTX_MORE(p, p->registers, 1))
    return SL_PTX_NO_REG;
  const uint16_t id = (uint16_t)p->used++;
  p->registers.items[p->registers.count] =
      (struct sl_ptx_register){.type = type, .id = id, .printed = id, .offset = p->register_bytes};
  p->register_bytes += sl_ptx_register_bytes(type);
  know(e, p->registers.count++);
  return id;
}

void sl_ptx_edit_drop(struct sl_ptx_editor *e, uint16_t used)
{
  struct sl_ptx_parser *p = e->p;
  for (; p->used > used; p->used--) {
    const struct sl_ptx_register *last = &p->registers.items[--p->registers.count];
    e->id_at[last->offset / UNIT] = SL_PTX_NO_REG;
    p->register_bytes = last->offset;
  }
}

static void rename_place(const struct sl_ptx_editor *e, struct sl_ptx_place *place, const uint16_t *to)
{
  const uint16_t id = sl_ptx_edit_id(e, *place);
  if (id != SL_PTX_NO_REG)
    *place = sl_ptx_edit_place(e, to[id]);
}

static void rename_register(const struct sl_ptx_editor *e, struct sl_ptx_reg *reg, const uint16_t *to)
{
  if (reg->id != SL_PTX_NO_REG)
    *reg = sl_ptx_edit_reg(e, to[reg->id]);
}

void sl_ptx_edit_rename(const struct sl_ptx_editor *e, struct sl_ptx_insn *in, const uint16_t *from, const uint16_t *to)
{
  struct sl_ptx_roles r;
  if (!sl_ptx_roles_find(&r, in))
    return;
  for (unsigned i = 0; i < r.reads; i++)
    rename_place(e, r.read[i], from);
  for (unsigned i = 0; i < r.writes; i++)
    rename_place(e, r.written[i], to);
  for (unsigned i = 0; i < in->srcs; i++)
    rename_register(e, &in->src[i], from);
  for (unsigned i = 0; i < in->dsts; i++)
    rename_register(e, &in->dst[i], to);
  if (in->kind == SL_PTX_K_ATOMIC && in->mode != SL_PTX_ATOM_CAS)
    in->c = in->b;
  if (in->address.id != SL_PTX_NO_REG)
    in->a = sl_ptx_edit_place(e, from[in->address.id]);
  rename_register(e, &in->address, from);
  if (in->guard.id != SL_PTX_NO_REG)
    in->guard_offset = sl_ptx_edit_place(e, from[in->guard.id]).offset;
  rename_register(e, &in->guard, from);
}

void sl_ptx_edit_registers(const struct sl_ptx_editor *e, struct sl_ptx_insn *in)
{
  struct sl_ptx_roles r;
  if (!sl_ptx_roles_find(&r, in))
    return;
  in->srcs = in->dsts = 0;
  for (unsigned i = 0; i < r.reads && in->srcs < SL_PTX_ELEMENTS; i++)
    if (sl_ptx_edit_id(e, *r.read[i]) != SL_PTX_NO_REG)
      in->src[in->srcs++] = sl_ptx_edit_reg(e, sl_ptx_edit_id(e, *r.read[i]));
  for (unsigned i = 0; i < r.writes; i++)
    if (sl_ptx_edit_id(e, *r.written[i]) != SL_PTX_NO_REG)
      in->dst[in->dsts++] = sl_ptx_edit_reg(e, sl_ptx_edit_id(e, *r.written[i]));
}

/* ---- code -------------------------------------------------------------------------------------------------------- */

/* Addresses of dynamic shared memory are filled in at the end of the module. */
bool sl_ptx_edit_number(const struct sl_ptx_editor *e, struct sl_ptx_place place, bool wide, uint64_t *bits)
{
  const struct sl_ptx_parser *p = e->p;
  const uint32_t offset = place.offset;
  *bits = 0;
  if (place.area != SL_PTX_CONSTANTS || offset + 1 == p->dynamic[0] || offset + 1 == p->dynamic[1])
    return false;
  memcpy(bits, p->constants.items + offset, wide ? 8 : 4);
  return true;
}

struct sl_ptx_insn sl_ptx_edit_row(const struct sl_ptx_editor *e, const struct sl_ptx_insn *like, unsigned row,
                                   struct sl_ptx_place d, struct sl_ptx_place a, struct sl_ptx_place b)
{
  const struct sl_ptx_row *r = sl_ptx_row(row);
  struct sl_ptx_insn in = {.kind = r->condition ? SL_PTX_K_CONDITION : SL_PTX_K_LANES,
                           .class = r->class,
                           .unit = (uint8_t)sl_ptx_class_unit(r->class),
                           .type = r->a,
                           .row = (uint16_t)row,
                           .dsts = 1,
                           .elements = 1,
                           .guard.id = SL_PTX_NO_REG,
                           .address.id = SL_PTX_NO_REG,
                           .d = d,
                           .a = a,
                           .b = b,
                           .line = like->line,
                           .column = like->column,
                           .source = like->source};
  sl_ptx_edit_registers(e, &in);
  return in;
}

uint32_t sl_ptx_edit_moved(uint32_t pc, uint32_t at, uint32_t removed, uint32_t count)
{
  return pc <= at || pc < at + removed ? pc : pc - removed + count;
}

bool sl_ptx_edit_replace(struct sl_ptx_editor *e, uint32_t at, uint32_t removed, const struct sl_ptx_insn *code,
                         uint32_t count)
{
  struct sl_ptx_parser *p = e->p;
  if (count > removed && !SL_PTX_MORE(p, p->code, count - removed))
    return false;
  struct sl_ptx_insn *to = p->code.items;
  memmove(to + at + count, to + at + removed, (p->code.count - at - removed) * sizeof *to);
  if (count > 0)
    memcpy(to + at, code, count * sizeof *to);
  p->code.count = p->code.count - removed + count;
  for (uint32_t pc = e->begin; pc < p->code.count; pc++)
    if (to[pc].kind == SL_PTX_K_BRANCH && (pc < at || pc >= at + count))
      to[pc].target = sl_ptx_edit_moved(to[pc].target, at, removed, count);
  for (uint32_t i = 0; i < p->rolled.count; i++)
    p->rolled.items[i] = sl_ptx_edit_moved(p->rolled.items[i], at, removed, count);
  return true;
}

/* ---- folding of numbers ------------------------------------------------------------------------------------------ */

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
