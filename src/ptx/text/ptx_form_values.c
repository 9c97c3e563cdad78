#include "ptx/text/ptx_forms.h"

#include <stdio.h>
#include <string.h>

#include "ptx/run/ptx_block.h"
#include "ptx/run/ptx_lanes.h"
#include "ptx/run/ptx_memory.h"

/* d|p: the second part if present. */
static bool second_part(struct sl_ptx_parser *p, struct sl_ptx_statement *st)
{
  return !st->in.has_e || sl_ptx_destination(p, &st->in, &st->operands[0].second, SL_PTX_PRED, false, &st->in.e);
}

/* The lanes that execute the instruction together. */
static bool members_are(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned source, struct sl_ptx_place *to)
{
  st->in.order |= SL_PTX_WARP_SYNC;
  return sl_ptx_take_source(p, st, source, SL_PTX_B32, true, to);
}

bool sl_ptx_form_shfl(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned unused)
{
  (void)unused;
  struct sl_ptx_insn *in = &st->in;
  const bool sync = sl_ptx_modifier(st, "sync");
  in->kind = SL_PTX_K_SHFL;
  in->class = SL_PTX_C_SHFL;
  const unsigned mode = sl_ptx_modifier_of(st, (const char *const[]){"up", "down", "bfly", "idx", NULL}, 4);
  in->mode = (uint8_t)mode;
  in->type = (uint8_t)sl_ptx_modifier_type(st);
  in->has_e = sl_ptx_two_results(st);
  if (mode == 4 || sl_ptx_type_bytes(in->type) != 4)
    return sl_ptx_error(p, &st->opcode, "shfl needs .up, .down, .bfly or .idx, and .b32");
  const unsigned count = sync ? 5 : 4;
  return sl_ptx_operands_are(p, st, count, count) && sl_ptx_modifiers_known(p, st) &&
         sl_ptx_take_destination(p, st, 0, SL_PTX_B32, true, &in->d) && second_part(p, st) &&
         sl_ptx_take_source(p, st, 1, SL_PTX_B32, true, &in->a) &&
         sl_ptx_take_source(p, st, 2, SL_PTX_B32, true, &in->b) &&
         sl_ptx_take_source(p, st, 3, SL_PTX_B32, true, &in->c) && (!sync || members_are(p, st, 4, &in->element[0]));
}

bool sl_ptx_form_vote(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned unused)
{
  (void)unused;
  struct sl_ptx_insn *in = &st->in;
  const bool sync = sl_ptx_modifier(st, "sync");
  in->kind = SL_PTX_K_VOTE;
  const unsigned mode = sl_ptx_modifier_of(st, (const char *const[]){"all", "any", "uni", "ballot", NULL}, 4);
  const enum sl_ptx_type type = mode == SL_PTX_VOTE_BALLOT ? SL_PTX_B32 : SL_PTX_PRED;
  in->mode = (uint8_t)mode;
  if (mode == 4 || sl_ptx_modifier_type(st) != type)
    return sl_ptx_error(p, &st->opcode, "vote needs .all, .any or .uni and .pred, or .ballot and .b32");
  const unsigned count = sync ? 3 : 2;
  if (!sl_ptx_operands_are(p, st, count, count) || !sl_ptx_modifiers_known(p, st) ||
      !sl_ptx_take_destination(p, st, 0, type, true, &in->d) ||
      !sl_ptx_take_source(p, st, 1, SL_PTX_PRED, false, &in->c))
    return false;
  in->negated_c = st->operands[1].item.negated;
  if (sync)
    return members_are(p, st, 2, &in->b);
  in->b = sl_ptx_constant(p, UINT32_MAX, false);
  return !sl_ptx_failed(p);
}

bool sl_ptx_form_match(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned unused)
{
  (void)unused;
  struct sl_ptx_insn *in = &st->in;
  in->kind = SL_PTX_K_MATCH;
  const unsigned mode = sl_ptx_modifier_of(st, (const char *const[]){"any", "all", NULL}, 2);
  in->mode = (uint8_t)mode;
  in->has_e = sl_ptx_two_results(st);
  const bool sync = sl_ptx_modifier(st, "sync");
  in->type = (uint8_t)sl_ptx_modifier_type(st);
  if (!sync || mode == 2 || (in->type != SL_PTX_B32 && in->type != SL_PTX_B64) ||
      (in->has_e && mode == SL_PTX_MATCH_ANY))
    return sl_ptx_error(p, &st->opcode, "match needs .any.sync or .all.sync, and .b32 or .b64");
  const bool sink = in->has_e && st->operands[0].item.kind == SL_PTX_I_SINK;
  return sl_ptx_operands_are(p, st, 3, 3) && sl_ptx_modifiers_known(p, st) &&
         (sink ? sl_ptx_element(p, in, &st->operands[0].item, SL_PTX_B32, true, &in->d)
               : sl_ptx_take_destination(p, st, 0, SL_PTX_B32, true, &in->d)) &&
         second_part(p, st) && sl_ptx_take_source(p, st, 1, in->type, true, &in->a) && members_are(p, st, 2, &in->b);
}

bool sl_ptx_form_redux(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned unused)
{
  (void)unused;
  static const char *const names[] = {"add", "min", "max", "and", "or", "xor", NULL}; /* as enum sl_ptx_atomic */
  struct sl_ptx_insn *in = &st->in;
  in->kind = SL_PTX_K_REDUX;
  in->class = SL_PTX_C_SHFL;
  const unsigned mode = sl_ptx_modifier_of(st, names, UINT32_MAX);
  const bool sync = sl_ptx_modifier(st, "sync");
  const enum sl_ptx_type type = sl_ptx_modifier_type(st);
  in->mode = (uint8_t)mode;
  in->type = (uint8_t)type;
  if (!sync || mode == UINT32_MAX ||
      !(mode < SL_PTX_ATOM_AND ? type == SL_PTX_U32 || type == SL_PTX_S32 : type == SL_PTX_B32))
    return sl_ptx_error(p, &st->opcode,
                        "redux needs .sync, and .add, .min or .max of .u32 or .s32, or .and, .or or "
                        ".xor of .b32");
  return sl_ptx_operands_are(p, st, 3, 3) && sl_ptx_modifiers_known(p, st) &&
         sl_ptx_take_destination(p, st, 0, type, false, &in->d) && sl_ptx_take_source(p, st, 1, type, false, &in->a) &&
         members_are(p, st, 2, &in->b);
}

bool sl_ptx_form_activemask(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned unused)
{
  (void)unused;
  st->in.kind = SL_PTX_K_ACTIVEMASK;
  st->in.bytes = 4;
  if (sl_ptx_modifier_type(st) != SL_PTX_B32)
    return sl_ptx_error(p, &st->opcode, "activemask needs .b32");
  return sl_ptx_operands_are(p, st, 1, 1) && sl_ptx_modifiers_known(p, st) &&
         sl_ptx_take_destination(p, st, 0, SL_PTX_B32, true, &st->in.d);
}

/* The number of a barrier, and the number of threads unless it is all. */
static bool barrier_operands(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned first, unsigned count)
{
  const struct sl_ptx_item *number = &st->operands[first].item;
  if (!sl_ptx_take_source(p, st, first, SL_PTX_U32, false, &st->in.a))
    return false;
  if (number->kind == SL_PTX_I_NUMBER && number->number.bits >= SL_PTX_BARRIERS)
    return sl_ptx_error(p, &st->operands[first].at, "the number of a barrier must be from 0 to 15");
  st->in.b = sl_ptx_constant(p, 0, false);
  return count == 1 || sl_ptx_take_source(p, st, first + 1, SL_PTX_U32, false, &st->in.b);
}

/* bar.red.popc.u32 d, a, b, c; bar.red.and.pred p, a, b, c; b may be missing. */
static bool reduction(struct sl_ptx_parser *p, struct sl_ptx_statement *st)
{
  struct sl_ptx_insn *in = &st->in;
  const unsigned mode = sl_ptx_modifier_of(st, (const char *const[]){"popc", "and", "or", NULL}, 3);
  const enum sl_ptx_type type = mode == 0 ? SL_PTX_U32 : SL_PTX_PRED;
  in->mode = (uint8_t)(SL_PTX_BAR_POPC + mode);
  if (mode == 3 || sl_ptx_modifier_type(st) != type)
    return sl_ptx_error(p, &st->opcode, "a reduction at a barrier needs .popc and .u32, or .and or .or and .pred");
  if (!sl_ptx_operands_are(p, st, 3, 4) || !sl_ptx_modifiers_known(p, st))
    return false;
  const unsigned last = st->operand_count - 1;
  in->negated_c = st->operands[last].item.negated;
  return sl_ptx_take_destination(p, st, 0, type, false, &in->d) && barrier_operands(p, st, 1, last - 1) &&
         sl_ptx_take_source(p, st, last, SL_PTX_PRED, false, &in->c);
}

/* bar.warp.sync has an effect only where lanes take turns; checkers read its members. */
static bool warp_sync(struct sl_ptx_parser *p, struct sl_ptx_statement *st)
{
  struct sl_ptx_insn *in = &st->in;
  in->kind = SL_PTX_K_NOTHING;
  (void)sl_ptx_modifier(st, "sync");
  if (!sl_ptx_operands_are(p, st, 1, 1) || !sl_ptx_modifiers_known(p, st) || !members_are(p, st, 0, &in->b))
    return false;
  in->srcs = 0; /* it does not wait for them */
  return true;
}

bool sl_ptx_form_bar(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned unused)
{
  (void)unused;
  struct sl_ptx_insn *in = &st->in;
  (void)sl_ptx_modifier(st, "cta");
  (void)sl_ptx_modifier(st, "aligned");
  if (sl_ptx_modifier(st, "warp"))
    return warp_sync(p, st);
  in->kind = SL_PTX_K_BARRIER;
  if (sl_ptx_modifier(st, "red"))
    return reduction(p, st);
  in->mode = sl_ptx_modifier(st, "arrive") ? SL_PTX_BAR_ARRIVE : SL_PTX_BAR_SYNC;
  if (in->mode == SL_PTX_BAR_SYNC && !sl_ptx_modifier(st, "sync"))
    return sl_ptx_error(p, &st->opcode, "a barrier needs .sync, .arrive or .red");
  return sl_ptx_operands_are(p, st, in->mode == SL_PTX_BAR_ARRIVE ? 2 : 1, 2) && sl_ptx_modifiers_known(p, st) &&
         barrier_operands(p, st, 0, st->operand_count);
}

bool sl_ptx_form_nothing(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned unused)
{
  (void)p, (void)unused;
  st->in.kind = SL_PTX_K_NOTHING;
  return true;
}

static void append(char *name, const char *text, size_t length)
{
  enum { ROOM = 64 };
  size_t at = strlen(name);
  if (at > 0 && at + 1 < ROOM)
    name[at++] = '_';
  for (size_t i = 0; i < length && at + 1 < ROOM; i++)
    name[at++] = text[i] >= 'A' && text[i] <= 'Z' ? (char)(text[i] - 'A' + 'a') : text[i];
  name[at] = '\0';
}

static void append_text(char *name, const char *text)
{
  append(name, text, strlen(text));
}

/* The unsigned integer of that size. */
static enum sl_ptx_type unsigned_of(enum sl_ptx_type t)
{
  switch (sl_ptx_type_bytes(t)) {
  case 1: return SL_PTX_U8;
  case 2: return SL_PTX_U16;
  case 4: return SL_PTX_U32;
  default: return SL_PTX_U64;
  }
}

/* The row of `name` with the type, or with a type of the same operation. */
static unsigned find(const char *name, enum sl_ptx_type type, enum sl_ptx_type other, unsigned types)
{
  char full[80], rest[16] = "";
  if (other != SL_PTX_NO_TYPE)
    snprintf(rest, sizeof rest, "_%s", sl_ptx_type_name(other));
  snprintf(full, sizeof full, "%.60s_%s%s", name, sl_ptx_type_name(type), rest);
  const unsigned row = sl_ptx_row_find(full);
  const bool bits = type >= SL_PTX_B8 && type <= SL_PTX_B64, sign = type >= SL_PTX_S8 && type <= SL_PTX_S64;
  const bool may = sign ? strstr(name, "_hi") == NULL && strstr(name, "sat") == NULL
                        : (bits && types & SL_PTX_BITS) || (sl_ptx_is_float(type) && types & SL_PTX_FLOATS);
  if (row < SL_PTX_ROWS || !may)
    return row;
  snprintf(full, sizeof full, "%.60s_%s%s", name, sl_ptx_type_name(unsigned_of(type)), rest);
  return sl_ptx_row_find(full);
}

static bool no_row(struct sl_ptx_parser *p, const struct sl_ptx_statement *st)
{
  const struct sl_ptx_token *last = st->modifier_count ? &st->modifiers[st->modifier_count - 1] : &st->opcode;
  return sl_ptx_error(p, &st->opcode, "simtlab does not support '%.*s': docs/how-to/ptx.md lists the supported forms",
                      (int)(last->text + last->length - st->opcode.text), st->opcode.text);
}

static void rounding(struct sl_ptx_statement *st)
{
  st->in.rounding = (uint8_t)sl_ptx_modifier_of(st, (const char *const[]){"rn", "rz", "rm", "rp", NULL}, SL_PTX_RN);
}

static bool take_row(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned number)
{
  const struct sl_ptx_row *row = sl_ptx_row(number);
  struct sl_ptx_insn *in = &st->in;
  in->kind = row->condition ? SL_PTX_K_CONDITION : SL_PTX_K_LANES;
  in->row = (uint16_t)number;
  in->class = row->class;
  in->mode = row->carries ? SL_PTX_P_CARRY : row->c == SL_PTX_PRED ? SL_PTX_P_PREDICATE : SL_PTX_P_NONE;
  in->careful = in->ftz || in->saturate || in->rounding != SL_PTX_RN;
  return sl_ptx_modifiers_known(p, st);
}

/* Destination and sources of a row in order. If the row has another type, operands are checked for `declared`. */
static bool row_operands(struct sl_ptx_parser *p, struct sl_ptx_statement *st, enum sl_ptx_type declared)
{
  const struct sl_ptx_row *row = sl_ptx_row(st->in.row);
  const uint8_t types[] = {row->a, row->b, row->c, row->e};
  struct sl_ptx_place *places[] = {&st->in.a, &st->in.b, &st->in.c, &st->in.e};
  const enum sl_ptx_type same = unsigned_of(declared);
  const bool loose = declared >= SL_PTX_B8 && declared <= SL_PTX_B64;
  unsigned count = 0;
  while (count < 4 && types[count] != SL_PTX_NO_TYPE)
    count++;
  if (!sl_ptx_operands_are(p, st, count + 1, count + 1) ||
      !sl_ptx_take_destination(p, st, 0, row->d == same ? declared : row->d, loose && row->d == same, &st->in.d))
    return false;
  for (unsigned i = 0; i < count; i++) {
    const bool as_declared = types[i] == same;
    if (!sl_ptx_take_source(p, st, i + 1, as_declared ? declared : types[i], loose && as_declared, places[i]))
      return false;
  }
  st->in.negated_c = st->operands[3].item.negated;
  return true;
}

bool sl_ptx_form_row(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned types)
{
  char name[64] = "";
  const enum sl_ptx_type type = sl_ptx_modifier_type(st), other = sl_ptx_modifier_type(st);
  const bool real = sl_ptx_is_float(type);
  append(name, st->opcode.text, st->opcode.length);
  if (real) {
    rounding(st);
    st->in.ftz = sl_ptx_modifier(st, "ftz");
    st->in.saturate = sl_ptx_modifier(st, "sat");
    (void)(sl_ptx_modifier(st, "approx") || sl_ptx_modifier(st, "full"));
    if (strcmp(name, "mad") == 0)
      memcpy(name, "fma", 4);
    if (strcmp(name, "fma") == 0 && p->module->options.unfused && !sl_ptx_is_half(type))
      append_text(name, "unfused");
    if (sl_ptx_is_half(type) && st->in.rounding != SL_PTX_RN)
      return no_row(p, st);
  }
  for (unsigned i = 0; i < st->modifier_count; i++)
    if (!st->taken[i]) {
      append(name, st->modifiers[i].text, st->modifiers[i].length);
      st->taken[i] = true;
    }
  st->in.type = (uint8_t)type;
  const unsigned row = type == SL_PTX_NO_TYPE ? SL_PTX_ROWS : find(name, type, other, types);
  if (row == SL_PTX_ROWS)
    return no_row(p, st);
  return take_row(p, st, row) && row_operands(p, st, type);
}

/* Video instructions whose operands have one type and no selectors. */
bool sl_ptx_form_video(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned unused)
{
  char name[64] = "";
  const enum sl_ptx_type d = sl_ptx_modifier_type(st), a = sl_ptx_modifier_type(st), b = sl_ptx_modifier_type(st);
  (void)unused;
  append(name, st->opcode.text, st->opcode.length);
  append_text(name, d == SL_PTX_S32 ? "s32" : "u32");
  if (sl_ptx_modifier(st, "sat"))
    append_text(name, "sat");
  if (sl_ptx_modifier(st, "add"))
    append_text(name, "add");
  const unsigned row = (d == SL_PTX_U32 || d == SL_PTX_S32) && a == d && b == d ? sl_ptx_row_find(name) : SL_PTX_ROWS;
  st->in.type = SL_PTX_U32;
  if (row == SL_PTX_ROWS)
    return no_row(p, st);
  return take_row(p, st, row) && row_operands(p, st, SL_PTX_B32);
}

bool sl_ptx_form_logic(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned types)
{
  static const char *const names[] = {
      [SL_PTX_MOV] = "mov", [SL_PTX_NOT] = "not", [SL_PTX_AND] = "and", [SL_PTX_OR] = "or", [SL_PTX_XOR] = "xor"};
  if (!sl_ptx_modifier(st, "pred"))
    return sl_ptx_form_row(p, st, types);
  st->in.kind = SL_PTX_K_LOGIC;
  st->in.type = SL_PTX_PRED;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (sl_ptx_token_is(&st->opcode, names[i]))
      st->in.mode = (uint8_t)i;
  const unsigned sources = st->in.mode <= SL_PTX_NOT ? 1 : 2;
  for (unsigned i = 1; i <= sources && i < st->operand_count; i++)
    if (st->operands[i].item.negated)
      return sl_ptx_error(p, &st->operands[i].at, "'!' is not allowed in this operand: use not.pred");
  return sl_ptx_operands_are(p, st, sources + 1, sources + 1) && sl_ptx_modifiers_known(p, st) &&
         sl_ptx_take_destination(p, st, 0, SL_PTX_PRED, false, &st->in.d) &&
         sl_ptx_take_source(p, st, 1, SL_PTX_PRED, false, &st->in.a) &&
         (sources == 1 || sl_ptx_take_source(p, st, 2, SL_PTX_PRED, false, &st->in.b));
}

/* The generic address of global memory is its address; the other spaces are in windows. */
static bool cvta(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned space, bool to)
{
  static const uint64_t windows[] = {0, SL_PTX_SHARED_WINDOW, SL_PTX_LOCAL_WINDOW, SL_PTX_CONST_WINDOW};
  const enum sl_ptx_type type = sl_ptx_modifier_type(st);
  if (type != SL_PTX_U64)
    return sl_ptx_error(p, &st->opcode, "addresses have 64 bits: cvta needs .u64");
  const unsigned row = sl_ptx_row_find(space == 0 ? "mov_u64" : to ? "sub_u64" : "add_u64");
  if (!sl_ptx_operands_are(p, st, 2, 2) || !take_row(p, st, row))
    return false;
  st->in.class = SL_PTX_C_OTHER;
  st->in.b = sl_ptx_constant(p, windows[space], true);
  return sl_ptx_take_destination(p, st, 0, SL_PTX_U64, false, &st->in.d) &&
         sl_ptx_take_source(p, st, 1, SL_PTX_U64, false, &st->in.a);
}

bool sl_ptx_form_space(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned types)
{
  static const char *const spaces[] = {"global", "shared", "local", "const", NULL};
  static const char *const tests[] = {"isspacep_global_u64", "isspacep_shared_u64", "isspacep_local_u64",
                                      "isspacep_const_u64"};
  (void)types;
  const bool to = sl_ptx_modifier(st, "to");
  const unsigned space = sl_ptx_modifier(st, "shared::cta") ? 1 : sl_ptx_modifier_of(st, spaces, 4);
  if (space == 4)
    return sl_ptx_error(p, &st->opcode, "'%.*s' needs one of .global, .shared, .local and .const",
                        SL_PTX_SHOWN(&st->opcode));
  if (sl_ptx_token_is(&st->opcode, "cvta"))
    return cvta(p, st, space, to);
  return take_row(p, st, sl_ptx_row_find(tests[space])) && row_operands(p, st, SL_PTX_U64);
}

/* Whether the operand is a 64-bit register for a narrower value: cvt.s64.s32 %rd2, %rd1. */
static bool is_wider(const struct sl_ptx_parser *p, const struct sl_ptx_operand *o, enum sl_ptx_type type)
{
  return o->item.kind == SL_PTX_I_REGISTER && sl_ptx_type_bytes(type) < 8 &&
         sl_ptx_type_bytes(p->registers.items[o->item.index].type) == 8;
}

/* Rounding to 16 bits is part of the row's name. */
static void half_rounding(struct sl_ptx_statement *st, char *name)
{
  static const char *const names[] = {[SL_PTX_RZ] = "rz", [SL_PTX_RM] = "rm", [SL_PTX_RP] = "rp"};
  if (st->in.rounding != SL_PTX_RN)
    append_text(name, names[st->in.rounding]);
  if (sl_ptx_modifier(st, "relu"))
    append_text(name, "relu");
  st->in.rounding = SL_PTX_RN;
}

bool sl_ptx_form_cvt(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned types)
{
  char name[64] = "cvt";
  (void)types;
  const enum sl_ptx_type to = sl_ptx_modifier_type(st), from = sl_ptx_modifier_type(st);
  /* rn, rz, rm, rp and rni, rzi, rmi, rpi are in the order of enum sl_ptx_rounding. */
  const unsigned whole = sl_ptx_modifier_of(st, (const char *const[]){"rni", "rzi", "rmi", "rpi", NULL}, 4);
  const bool saturate = sl_ptx_modifier(st, "sat");
  st->in.ftz = sl_ptx_modifier(st, "ftz");
  st->in.saturate = saturate && sl_ptx_is_float(to);
  rounding(st);
  if (sl_ptx_is_float(from) && (!sl_ptx_is_float(to) || whole < 4)) {
    if (whole == 4)
      return sl_ptx_error(p, &st->opcode, "a conversion to integers needs one of .rni, .rzi, .rmi and .rpi");
    append_text(name, whole == SL_PTX_RZ ? "rzi" : "int");
    st->in.rounding = whole == SL_PTX_RZ ? SL_PTX_RN : (uint8_t)whole;
  } else if (whole < 4)
    return sl_ptx_error(p, &st->opcode, "rounding to integers needs floating-point numbers");
  else if (saturate && !sl_ptx_is_float(to) && !sl_ptx_is_float(from))
    append_text(name, "sat");
  if (sl_ptx_is_half(to) && whole == 4)
    half_rounding(st, name);
  append_text(name, sl_ptx_type_name(to));
  unsigned row = to == SL_PTX_NO_TYPE ? SL_PTX_ROWS : find(name, from, SL_PTX_NO_TYPE, SL_PTX_NUMBERS);
  if (row == SL_PTX_ROWS && (to == SL_PTX_S32 || to == SL_PTX_S64) && !saturate && !sl_ptx_is_float(from)) {
    name[0] = '\0'; /* the same number of bits, whatever the sign */
    append_text(name, to == SL_PTX_S32 ? "cvt_u32" : "cvt_u64");
    row = find(name, from, SL_PTX_NO_TYPE, SL_PTX_NUMBERS);
  }
  if (row == SL_PTX_ROWS)
    return no_row(p, st);
  st->in.type = (uint8_t)to;
  p->wider = true;
  const bool taken = take_row(p, st, row) && row_operands(p, st, sl_ptx_row(row)->a);
  p->wider = false;
  if (is_wider(p, &st->operands[0], sl_ptx_row(row)->d))
    st->in.wide |= SL_PTX_WIDER_D;
  if (is_wider(p, &st->operands[1], sl_ptx_row(row)->a))
    st->in.wide |= SL_PTX_WIDER_A;
  st->in.careful |= st->in.wide != 0;
  return taken;
}

static const struct comparison {
  const char *name, *integers; /* its name for unsigned integers; NULL: not for them */
} comparisons[] = {{"eq", "eq"},  {"ne", "ne"},  {"lt", "lt"},  {"le", "le"},  {"gt", "gt"},  {"ge", "ge"},
                   {"lo", "lt"},  {"ls", "le"},  {"hi", "gt"},  {"hs", "ge"},  {"equ", NULL}, {"neu", NULL},
                   {"ltu", NULL}, {"leu", NULL}, {"gtu", NULL}, {"geu", NULL}, {"num", NULL}, {"nan", NULL}};

static const struct comparison *comparison(struct sl_ptx_statement *st)
{
  for (size_t i = 0; i < sizeof comparisons / sizeof *comparisons; i++)
    if (sl_ptx_modifier(st, comparisons[i].name))
      return &comparisons[i];
  return NULL;
}

/* The row of a comparison, and the combination of its result with another predicate. */
static bool compare(struct sl_ptx_parser *p, struct sl_ptx_statement *st, enum sl_ptx_type type)
{
  char name[64] = "setp";
  const struct comparison *c = comparison(st);
  const unsigned with = sl_ptx_modifier_of(st, (const char *const[]){"and", "or", "xor", NULL}, 3);
  const bool real = sl_ptx_is_float(type), bits = type >= SL_PTX_B8 && type <= SL_PTX_B64;
  st->in.ftz = sl_ptx_modifier(st, "ftz");
  if (c == NULL || (!real && c->integers == NULL))
    return no_row(p, st);
  append_text(name, real ? c->name : c->integers);
  const bool equality = !real && (c == &comparisons[0] || c == &comparisons[1]);
  const enum sl_ptx_type single = type == SL_PTX_F16X2 ? SL_PTX_F16 : type == SL_PTX_BF16X2 ? SL_PTX_BF16 : type;
  const unsigned row = find(name, single, SL_PTX_NO_TYPE, bits && equality ? SL_PTX_BITS : SL_PTX_NUMBERS);
  if (type == SL_PTX_NO_TYPE || row == SL_PTX_ROWS || !take_row(p, st, row))
    return no_row(p, st);
  st->in.type = (uint8_t)type;
  st->in.mode = with == 3 ? SL_PTX_ALONE : (uint8_t)(with + 1);
  const unsigned count = with == 3 ? 3 : 4;
  if (!sl_ptx_operands_are(p, st, count, count) || !sl_ptx_take_source(p, st, 1, type, bits, &st->in.a) ||
      !sl_ptx_take_source(p, st, 2, type, bits, &st->in.b))
    return false;
  st->in.negated_c = st->operands[3].item.negated;
  return with == 3 || sl_ptx_take_source(p, st, 3, SL_PTX_PRED, false, &st->in.c);
}

bool sl_ptx_form_setp(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned types)
{
  (void)types;
  const struct sl_ptx_item *second = &st->operands[0].second;
  st->in.has_e = sl_ptx_two_results(st);
  const bool first = st->operands[0].item.kind != SL_PTX_I_SINK || second->kind == SL_PTX_I_NONE;
  return compare(p, st, sl_ptx_modifier_type(st)) &&
         (first ? sl_ptx_take_destination(p, st, 0, SL_PTX_PRED, false, &st->in.d)
                : sl_ptx_element(p, &st->in, &st->operands[0].item, SL_PTX_PRED, false, &st->in.d)) &&
         (!st->in.has_e || sl_ptx_destination(p, &st->in, second, SL_PTX_PRED, false, &st->in.e));
}

/* All ones, or 1.0; of a pair, in each half. 0: the type is not supported. */
static uint32_t set_value(enum sl_ptx_type type)
{
  switch (type) {
  case SL_PTX_U16:
  case SL_PTX_S16: return UINT16_MAX;
  case SL_PTX_U32:
  case SL_PTX_S32: return UINT32_MAX;
  case SL_PTX_F32: return 0x3f800000;
  case SL_PTX_F16: return 0x3c00;
  case SL_PTX_F16X2: return 0x3c003c00;
  case SL_PTX_BF16: return 0x3f80;
  case SL_PTX_BF16X2: return 0x3f803f80;
  default: return 0;
  }
}

bool sl_ptx_form_set(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned types)
{
  (void)types;
  const enum sl_ptx_type to = sl_ptx_modifier_type(st), from = sl_ptx_modifier_type(st);
  if (set_value(to) == 0 || sl_ptx_is_pair(to) != sl_ptx_is_pair(from) ||
      (sl_ptx_type_bytes(to) == 2 && !sl_ptx_is_half(from)))
    return no_row(p, st);
  if (!compare(p, st, from) || !sl_ptx_take_destination(p, st, 0, to, false, &st->in.d))
    return false;
  st->in.kind = SL_PTX_K_SET;
  st->in.immediate = set_value(to);
  return true;
}

/* mov.b64 %rd1, {%r1, %r2} and back. */
static bool mov_vector(struct sl_ptx_parser *p, struct sl_ptx_statement *st, enum sl_ptx_type type)
{
  const bool packs = st->operands[1].vector;
  const struct sl_ptx_operand *parts = &st->operands[packs ? 1 : 0];
  const unsigned bytes = sl_ptx_type_bytes(type) / parts->count;
  const enum sl_ptx_type part = bytes == 2 ? SL_PTX_B16 : SL_PTX_B32;
  if ((type != SL_PTX_B32 && type != SL_PTX_B64) || parts->count == 3 || parts->count == 1 || bytes < 2)
    return sl_ptx_error(p, &parts->at, "a vector of %u elements does not have the size of .%s", parts->count,
                        sl_ptx_type_name(type));
  st->in.kind = packs ? SL_PTX_K_PACK : SL_PTX_K_UNPACK;
  st->in.bytes = (uint8_t)bytes;
  st->in.elements = (uint8_t)parts->count;
  if (packs && !sl_ptx_take_destination(p, st, 0, type, true, &st->in.d))
    return false;
  for (unsigned i = 0; i < parts->count; i++)
    if (!(packs ? sl_ptx_source : sl_ptx_element)(p, &st->in, &parts->elements[i], part, true, &st->in.element[i]))
      return false;
  return packs || sl_ptx_take_source(p, st, 1, type, true, &st->in.a);
}

/* mov.u64 %rd1, %gridid: it is kept in 32 bits. */
static bool wide_special(struct sl_ptx_parser *p, struct sl_ptx_statement *st)
{
  const enum sl_ptx_type type = sl_ptx_modifier_type(st);
  st->in.type = (uint8_t)type;
  return type != SL_PTX_F64 && take_row(p, st, sl_ptx_row_find("cvt_u64_u32"))
             ? sl_ptx_take_destination(p, st, 0, type, true, &st->in.d) &&
                   sl_ptx_take_source(p, st, 1, SL_PTX_U32, true, &st->in.a)
             : no_row(p, st);
}

bool sl_ptx_form_mov(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned types)
{
  if (!sl_ptx_operands_are(p, st, 2, 2))
    return false;
  const struct sl_ptx_operand *from = &st->operands[1];
  const bool gridid = from->item.kind == SL_PTX_I_SPECIAL && sl_ptx_token_is(&from->item.at, "%gridid");
  const bool clock = from->item.kind == SL_PTX_I_CLOCK, vector = from->vector || st->operands[0].vector;
  if (gridid && sl_ptx_type_bytes(sl_ptx_type_at(st)) == 8)
    return wide_special(p, st);
  if (!clock && !vector)
    return sl_ptx_form_logic(p, st, types);
  if (from->vector && st->operands[0].vector)
    return sl_ptx_error(p, &from->at, "mov takes a vector on one side only");
  const enum sl_ptx_type type = sl_ptx_modifier_type(st);
  st->in.type = (uint8_t)type;
  if (!sl_ptx_modifiers_known(p, st))
    return false;
  if (vector)
    return mov_vector(p, st, type);
  st->in.kind = SL_PTX_K_CLOCK;
  st->in.bytes = (uint8_t)sl_ptx_type_bytes(type);
  if (st->in.bytes != 8 && (st->in.bytes != 4 || !sl_ptx_token_is(&from->item.at, "%clock")))
    return sl_ptx_error(p, &from->at, "%.*s needs a mov of its own size", SL_PTX_SHOWN(&from->item.at));
  return sl_ptx_take_destination(p, st, 0, type, true, &st->in.d);
}
