#include "ptx/text/ptx_forms.h"

#include <string.h>

#include "ptx/run/ptx_block.h"

/* The number at the end of a name, and the length of the part before it. */
static bool numbered(const struct sl_ptx_token *t, size_t *prefix, uint32_t *number)
{
  size_t digits = 0;
  uint32_t value = 0, place = 1;
  while (digits < t->length && digits < 8 && t->text[t->length - 1 - digits] >= '0' &&
         t->text[t->length - 1 - digits] <= '9') {
    value += (uint32_t)(t->text[t->length - 1 - digits] - '0') * place;
    place *= 10;
    digits++;
  }
  *prefix = t->length - digits;
  *number = value;
  return digits > 0;
}

static bool find_register(const struct sl_ptx_parser *p, const struct sl_ptx_token *t, uint32_t *index)
{
  size_t prefix;
  uint32_t number;
  const bool has_number = numbered(t, &prefix, &number);
  for (uint32_t i = p->banks.count; i-- > 0;) {
    const struct sl_ptx_bank *b = &p->banks.items[i];
    if (b->count == 0 && sl_ptx_same(&b->name, t)) {
      *index = b->first;
      return true;
    }
    if (has_number && number < b->count && b->name.length == prefix && memcmp(b->name.text, t->text, prefix) == 0) {
      *index = b->first + number;
      return true;
    }
  }
  return false;
}

uint32_t sl_ptx_symbol_find(const struct sl_ptx_parser *p, const struct sl_ptx_token *name)
{
  for (uint32_t i = p->symbols.count; i-- > 0;)
    if (sl_ptx_same(&p->symbols.items[i].name, name))
      return i;
  return UINT32_MAX;
}

static const struct {
  const char *name;
  uint8_t special;
  bool components;
} specials[] = {
    {"%tid", SL_PTX_TID_X, true},
    {"%ntid", SL_PTX_NTID_X, true},
    {"%ctaid", SL_PTX_CTAID_X, true},
    {"%nctaid", SL_PTX_NCTAID_X, true},
    {"%laneid", SL_PTX_LANEID, false},
    {"%warpid", SL_PTX_WARPID, false},
    {"%nwarpid", SL_PTX_NWARPID, false},
    {"%smid", SL_PTX_SMID, false},
    {"%nsmid", SL_PTX_NSMID, false},
    {"%gridid", SL_PTX_GRIDID, false},
    {"%dynamic_smem_size", SL_PTX_DYNAMIC_SMEM, false},
    {"%total_smem_size", SL_PTX_TOTAL_SMEM, false},
    {"%lanemask_eq", SL_PTX_LANEMASK_EQ, false},
    {"%lanemask_le", SL_PTX_LANEMASK_LE, false},
    {"%lanemask_lt", SL_PTX_LANEMASK_LT, false},
    {"%lanemask_ge", SL_PTX_LANEMASK_GE, false},
    {"%lanemask_gt", SL_PTX_LANEMASK_GT, false},
};

static bool component(struct sl_ptx_parser *p, struct sl_ptx_item *item)
{
  for (uint32_t i = 0; i < 3; i++)
    if (sl_ptx_take(p, SL_PTX_T_DOT, (const char *[]){"x", "y", "z"}[i])) {
      item->index += i;
      return true;
    }
  return sl_ptx_error(p, &p->token, "%.*s has the parts .x, .y and .z: name one of them", SL_PTX_SHOWN(&item->at));
}

static bool special(struct sl_ptx_parser *p, struct sl_ptx_item *item)
{
  if (sl_ptx_token_is(&item->at, "%clock") || sl_ptx_token_is(&item->at, "%clock64") ||
      sl_ptx_token_is(&item->at, "%globaltimer")) {
    item->kind = SL_PTX_I_CLOCK;
    return true;
  }
  for (size_t i = 0; i < sizeof specials / sizeof *specials; i++)
    if (sl_ptx_token_is(&item->at, specials[i].name)) {
      item->kind = SL_PTX_I_SPECIAL;
      item->index = specials[i].special;
      return !specials[i].components || component(p, item);
    }
  return sl_ptx_error(p, &item->at, "register '%.*s' is not declared, and is not a supported special register",
                      SL_PTX_SHOWN(&item->at));
}

static bool named(struct sl_ptx_parser *p, struct sl_ptx_item *item)
{
  if (sl_ptx_token_is(&item->at, "_"))
    item->kind = SL_PTX_I_SINK;
  else if (sl_ptx_token_is(&item->at, "WARP_SZ")) {
    item->kind = SL_PTX_I_NUMBER;
    item->number = (struct sl_ptx_number){.ok = true, .bits = SL_PTX_LANES};
  } else if (find_register(p, &item->at, &item->index))
    item->kind = SL_PTX_I_REGISTER;
  else if ((item->index = sl_ptx_symbol_find(p, &item->at)) != UINT32_MAX) {
    item->kind = SL_PTX_I_SYMBOL;
    return sl_ptx_shared_use(p, &p->symbols.items[item->index]);
  } else if (item->at.text[0] == '%')
    return special(p, item);
  else
    item->kind = SL_PTX_I_NAME;
  return true;
}

static bool number(struct sl_ptx_parser *p, struct sl_ptx_item *item, bool minus)
{
  item->kind = SL_PTX_I_NUMBER;
  item->number = sl_ptx_token_number(&item->at);
  if (!item->number.ok)
    return sl_ptx_error(p, &item->at, "'%.*s' is not a number", SL_PTX_SHOWN(&item->at));
  if (minus && item->number.real)
    item->number.bits ^= item->number.single ? UINT64_C(1) << 31 : UINT64_C(1) << 63;
  else if (minus)
    item->number.bits = 0 - item->number.bits;
  return true;
}

static bool read_item(struct sl_ptx_parser *p, struct sl_ptx_item *item)
{
  *item = (struct sl_ptx_item){.negated = sl_ptx_take(p, SL_PTX_T_SIGN, "!")};
  const bool minus = sl_ptx_take(p, SL_PTX_T_SIGN, "-");
  item->at = p->token;
  if (item->at.kind != SL_PTX_T_WORD && item->at.kind != SL_PTX_T_NUMBER)
    return sl_ptx_error(p, &p->token, "an operand is expected here, not '%.*s'", SL_PTX_SHOWN(&p->token));
  sl_ptx_advance(p);
  if (item->at.kind == SL_PTX_T_NUMBER)
    return number(p, item, minus);
  if (minus)
    return sl_ptx_error(p, &item->at, "'-' can only precede a number");
  return named(p, item);
}

bool sl_ptx_register_read(struct sl_ptx_parser *p, struct sl_ptx_item *item)
{
  if (!read_item(p, item))
    return false;
  return item->kind == SL_PTX_I_REGISTER ||
         sl_ptx_error(p, &item->at, "a register is expected here, not '%.*s'", SL_PTX_SHOWN(&item->at));
}

/* + 8, - 8, +-8 */
bool sl_ptx_offset_read(struct sl_ptx_parser *p, int64_t *offset)
{
  *offset = 0;
  const bool plus = sl_ptx_take(p, SL_PTX_T_SIGN, "+"), minus = sl_ptx_take(p, SL_PTX_T_SIGN, "-");
  if (!plus && !minus)
    return !sl_ptx_failed(p);
  struct sl_ptx_item item = {.at = p->token};
  sl_ptx_advance(p);
  if (!number(p, &item, minus))
    return false;
  if (item.number.real)
    return sl_ptx_error(p, &item.at, "an offset must be an integer");
  *offset = (int64_t)item.number.bits;
  return true;
}

static bool read_vector(struct sl_ptx_parser *p, struct sl_ptx_operand *o)
{
  o->vector = true;
  o->further = p->further.count;
  do {
    if (o->count == SL_PTX_FRAGMENT)
      return sl_ptx_error(p, &p->token, "a vector has at most %d elements", SL_PTX_FRAGMENT);
    const bool further = o->count >= SL_PTX_ELEMENTS;
    if (further && !SL_PTX_MORE(p, p->further, 1))
      return false;
    if (!read_item(p, further ? &p->further.items[p->further.count++] : &o->elements[o->count]))
      return false;
    o->count++;
  } while (sl_ptx_take(p, SL_PTX_T_SIGN, ","));
  return sl_ptx_expect(p, "}");
}

/* Of a texture: {x, y}, or x alone. */
static bool read_coordinates(struct sl_ptx_parser *p, struct sl_ptx_operand *o)
{
  o->has_coordinates = true;
  if (!sl_ptx_take(p, SL_PTX_T_SIGN, "{"))
    return read_item(p, &o->elements[o->count++]);
  const bool read = read_vector(p, o);
  o->vector = false;
  return read;
}

static bool read_operand(struct sl_ptx_parser *p, struct sl_ptx_operand *o)
{
  *o = (struct sl_ptx_operand){.at = p->token};
  if (sl_ptx_take(p, SL_PTX_T_SIGN, "{"))
    return read_vector(p, o);
  o->address = sl_ptx_take(p, SL_PTX_T_SIGN, "[");
  if (!read_item(p, &o->item) || !sl_ptx_offset_read(p, &o->offset))
    return false;
  if (o->address && sl_ptx_take(p, SL_PTX_T_SIGN, ",") && !read_coordinates(p, o))
    return false;
  if (o->address)
    return sl_ptx_expect(p, "]");
  if (!sl_ptx_take(p, SL_PTX_T_SIGN, "|"))
    return true;
  return sl_ptx_at(p, SL_PTX_T_WORD, "_") ? read_item(p, &o->second) : sl_ptx_register_read(p, &o->second);
}

uint32_t sl_ptx_register_bytes(enum sl_ptx_type type)
{
  enum { LINE = 64 };
  const unsigned bytes = sl_ptx_type_bytes(type);
  return bytes == 0 ? LINE : bytes == 8 ? 8 * SL_PTX_LANES : 4 * SL_PTX_LANES;
}

struct sl_ptx_register *sl_ptx_register_use(struct sl_ptx_parser *p, const struct sl_ptx_item *item)
{
  enum { MOST = 60000 };
  struct sl_ptx_register *r = &p->registers.items[item->index];
  if (r->id == SL_PTX_NO_REG) {
    if (p->used == MOST)
      sl_ptx_error(p, &item->at, "the function uses more than %d registers", MOST);
    r->id = (uint16_t)p->used++;
    r->offset = p->register_bytes;
    p->register_bytes += sl_ptx_register_bytes(r->type);
  }
  return r;
}

static bool is_bits(enum sl_ptx_type t)
{
  return t >= SL_PTX_B8 && t <= SL_PTX_B64;
}

/* Registers of 16 and 32 bits are both kept in words, and one of 32 may stand for a narrower value. */
static bool fits(struct sl_ptx_parser *p, const struct sl_ptx_item *item, enum sl_ptx_type has, enum sl_ptx_type wants,
                 bool loose)
{
  const unsigned wanted = sl_ptx_type_bytes(wants), got = sl_ptx_type_bytes(has);
  const bool sizes = wanted == got || (wanted == 1 && (got == 2 || got == 4)) || (wanted == 2 && got == 4 && loose) ||
                     (p->wider && wanted < got && !sl_ptx_is_float(has));
  const bool kinds = loose || is_bits(has) || sl_ptx_is_float(has) == sl_ptx_is_float(wants);
  return (sizes && kinds) || sl_ptx_error(p, &item->at, "register %.*s is .%s where .%s is expected",
                                          SL_PTX_SHOWN(&item->at), sl_ptx_type_name(has), sl_ptx_type_name(wants));
}

static bool use(struct sl_ptx_parser *p, const struct sl_ptx_item *item, enum sl_ptx_type type, bool loose,
                struct sl_ptx_place *place, struct sl_ptx_reg *reg)
{
  const struct sl_ptx_register *r = sl_ptx_register_use(p, item);
  *place = (struct sl_ptx_place){.area = SL_PTX_REGISTERS, .offset = r->offset & 0x3fffffff};
  *reg = sl_ptx_reg_of(r);
  return !sl_ptx_failed(p) && fits(p, item, r->type, type, loose);
}

static uint64_t lanes_of(struct sl_ptx_parser *p, uint64_t bits, bool wide)
{
  const uint32_t bytes = SL_PTX_LANES * (wide ? 8 : 4), offset = p->constants.count;
  if (!SL_PTX_MORE(p, p->constants, bytes))
    return 0;
  for (unsigned l = 0; l < SL_PTX_LANES; l++)
    memcpy(p->constants.items + offset + l * (wide ? 8 : 4), &bits, wide ? 8 : 4);
  p->constants.count += bytes;
  return offset;
}

struct sl_ptx_place sl_ptx_constant(struct sl_ptx_parser *p, uint64_t bits, bool wide)
{
  struct sl_ptx_place place = {.area = SL_PTX_CONSTANTS};
  bits &= wide ? UINT64_MAX : UINT32_MAX;
  for (uint32_t i = 0; i < p->pool.count; i++)
    if (p->pool.items[i].bits == bits && p->pool.items[i].wide == wide) {
      place.offset = p->pool.items[i].offset & 0x3fffffff;
      return place;
    }
  if (!SL_PTX_MORE(p, p->pool, 1))
    return place;
  place.offset = lanes_of(p, bits, wide) & 0x3fffffff;
  p->pool.items[p->pool.count++] = (struct sl_ptx_pooled){bits, place.offset, wide};
  return place;
}

static bool number_bits(struct sl_ptx_parser *p, const struct sl_ptx_item *item, enum sl_ptx_type type, uint64_t *bits)
{
  const struct sl_ptx_number *n = &item->number;
  *bits = n->bits;
  if (type == SL_PTX_PRED) {
    *bits = n->bits != 0 ? UINT32_MAX : 0;
    return !n->real || sl_ptx_error(p, &item->at, "a predicate must be 0 or 1");
  }
  if (!n->real)
    return !sl_ptx_is_float(type) || n->bits == 0 ||
           sl_ptx_error(p, &item->at, "an integer is given where .%s is expected: write it as %s",
                        sl_ptx_type_name(type), type == SL_PTX_F64 ? "0dXXXXXXXXXXXXXXXX" : "0fXXXXXXXX");
  const bool wide = sl_ptx_type_bytes(type) == 8;
  if ((!sl_ptx_is_float(type) && !is_bits(type)) || sl_ptx_type_bytes(type) < 4)
    return sl_ptx_error(p, &item->at, "a floating-point number is given where .%s is expected", sl_ptx_type_name(type));
  if (n->single && wide) {
    float value;
    memcpy(&value, bits, sizeof value);
    const double same = (double)value;
    memcpy(bits, &same, sizeof same);
  } else if (!n->single && !wide) {
    double value;
    memcpy(&value, bits, sizeof value);
    const float near = (float)value;
    *bits = 0;
    memcpy(bits, &near, sizeof near);
  }
  return true;
}

uint64_t sl_ptx_symbol_address(const struct sl_ptx_symbol *s, bool generic)
{
  const uint64_t windows[] = {[SL_PTX_SHARED] = SL_PTX_SHARED_WINDOW,
                              [SL_PTX_LOCAL] = SL_PTX_LOCAL_WINDOW,
                              [SL_PTX_CONST] = SL_PTX_CONST_WINDOW,
                              [SL_PTX_PARAM] = 0};
  return s->address + (generic ? windows[s->space] : 0);
}

struct sl_ptx_place sl_ptx_symbol_place(struct sl_ptx_parser *p, uint32_t symbol, int64_t offset, bool wide,
                                        bool generic)
{
  const struct sl_ptx_symbol *s = &p->symbols.items[symbol];
  if (!s->dynamic)
    return sl_ptx_constant(p, sl_ptx_symbol_address(s, generic) + (uint64_t)offset, wide);
  if (offset != 0)
    sl_ptx_error(p, &p->token, "an offset to dynamic shared memory is not supported here: add it afterwards");
  /* Filled in at the end of the module, when the variables before it are known. */
  if (p->dynamic[wide] == 0)
    p->dynamic[wide] = 1 + (uint32_t)lanes_of(p, 0, wide);
  return (struct sl_ptx_place){.area = SL_PTX_CONSTANTS, .offset = (p->dynamic[wide] - 1) & 0x3fffffff};
}

/* Marks the address of a variable in the frame. */
static void note_frame(const struct sl_ptx_parser *p, struct sl_ptx_insn *in, const struct sl_ptx_item *item,
                       const struct sl_ptx_place *place)
{
  if (p->symbols.items[item->index].space == SL_PTX_LOCAL)
    in->framed = place == &in->a ? SL_PTX_FRAMED : SL_PTX_FRAMED_OTHER;
}

bool sl_ptx_function_value(const struct sl_ptx_parser *p, const struct sl_ptx_token *name, uint64_t *value)
{
  for (uint32_t i = 0; i < p->functions.count; i++) {
    struct sl_ptx_function *f = &p->functions.items[i];
    if (f->entry || !sl_ptx_token_is(name, f->name))
      continue;
    f->taken = true;
    *value = sl_ptx_function_address(p->module, i);
    return true;
  }
  return false;
}

bool sl_ptx_source(struct sl_ptx_parser *p, struct sl_ptx_insn *in, const struct sl_ptx_item *item,
                   enum sl_ptx_type type, bool loose, struct sl_ptx_place *place)
{
  uint64_t bits;
  const bool wide = sl_ptx_type_bytes(type) == 8;
  switch (item->kind) {
  case SL_PTX_I_REGISTER:
    if (in->srcs < SL_PTX_ELEMENTS)
      return use(p, item, type, loose, place, &in->src[in->srcs++]);
    return use(p, item, type, loose, place, &(struct sl_ptx_reg){0});
  case SL_PTX_I_NUMBER:
    if (!number_bits(p, item, type, &bits))
      return false;
    *place = sl_ptx_constant(p, bits, wide);
    return !sl_ptx_failed(p);
  case SL_PTX_I_SPECIAL:
    *place = (struct sl_ptx_place){.area = SL_PTX_SPECIALS, .offset = (item->index * SL_PTX_LANES * 4) & 0x3fffffff};
    return !wide || sl_ptx_error(p, &item->at, "%.*s has 32 bits where .%s is expected", SL_PTX_SHOWN(&item->at),
                                 sl_ptx_type_name(type));
  case SL_PTX_I_SYMBOL:
    *place = sl_ptx_symbol_place(p, item->index, 0, wide, false);
    note_frame(p, in, item, place);
    return sl_ptx_type_bytes(type) >= 4 ||
           sl_ptx_error(p, &item->at, "an address does not fit .%s", sl_ptx_type_name(type));
  case SL_PTX_I_CLOCK: return sl_ptx_error(p, &item->at, "%.*s can only be read by mov", SL_PTX_SHOWN(&item->at));
  case SL_PTX_I_NAME:
    if (!sl_ptx_function_value(p, &item->at, &bits))
      return sl_ptx_error(p, &item->at, "'%.*s' is not declared", SL_PTX_SHOWN(&item->at));
    *place = sl_ptx_constant(p, bits, true);
    return wide || sl_ptx_error(p, &item->at, "the address of a function does not fit .%s", sl_ptx_type_name(type));
  default: return sl_ptx_error(p, &item->at, "a readable operand is expected here");
  }
}

bool sl_ptx_destination(struct sl_ptx_parser *p, struct sl_ptx_insn *in, const struct sl_ptx_item *item,
                        enum sl_ptx_type type, bool loose, struct sl_ptx_place *place)
{
  if (item->kind != SL_PTX_I_REGISTER || item->negated)
    return sl_ptx_error(p, &item->at, "the result needs a declared register, not '%.*s'", SL_PTX_SHOWN(&item->at));
  return use(p, item, type, loose, place, &in->dst[in->dsts++]);
}

/* Discarded results share one place in a function. */
bool sl_ptx_element(struct sl_ptx_parser *p, struct sl_ptx_insn *in, const struct sl_ptx_item *item,
                    enum sl_ptx_type type, bool loose, struct sl_ptx_place *place)
{
  enum { SINK = 8 * SL_PTX_LANES };
  if (item->kind != SL_PTX_I_SINK || item->negated)
    return sl_ptx_destination(p, in, item, type, loose, place);
  if (p->sink == 0) {
    p->sink = p->register_bytes + 1;
    p->register_bytes += SINK;
  }
  *place = (struct sl_ptx_place){.area = SL_PTX_REGISTERS, .offset = (p->sink - 1) & 0x3fffffff};
  return true;
}

bool sl_ptx_opcode_read(struct sl_ptx_parser *p, struct sl_ptx_statement *st)
{
  if (p->token.kind != SL_PTX_T_WORD)
    return sl_ptx_error(p, &p->token, "an instruction is expected here, not '%.*s'", SL_PTX_SHOWN(&p->token));
  st->opcode = p->token;
  sl_ptx_advance(p);
  while (p->token.kind == SL_PTX_T_DOT) {
    if (st->modifier_count == SL_PTX_MODIFIERS)
      return sl_ptx_error(p, &p->token, "an instruction has at most %d modifiers", SL_PTX_MODIFIERS);
    st->modifiers[st->modifier_count++] = p->token;
    sl_ptx_advance(p);
  }
  return true;
}

bool sl_ptx_operands_read(struct sl_ptx_parser *p, struct sl_ptx_statement *st)
{
  p->further.count = 0;
  if (sl_ptx_take(p, SL_PTX_T_SIGN, ";"))
    return true;
  do {
    if (st->operand_count == SL_PTX_OPERANDS)
      return sl_ptx_error(p, &p->token, "an instruction has at most %d operands", SL_PTX_OPERANDS);
    if (!read_operand(p, &st->operands[st->operand_count++]))
      return false;
  } while (sl_ptx_take(p, SL_PTX_T_SIGN, ","));
  return sl_ptx_expect(p, ";");
}

bool sl_ptx_modifier(struct sl_ptx_statement *st, const char *name)
{
  for (unsigned i = 0; i < st->modifier_count; i++)
    if (!st->taken[i] && sl_ptx_token_is(&st->modifiers[i], name))
      return st->taken[i] = true;
  return false;
}

unsigned sl_ptx_modifier_of(struct sl_ptx_statement *st, const char *const *names, unsigned otherwise)
{
  for (unsigned i = 0; names[i] != NULL; i++)
    if (sl_ptx_modifier(st, names[i]))
      return i;
  return otherwise;
}

enum sl_ptx_type sl_ptx_type_at(const struct sl_ptx_statement *st)
{
  for (unsigned i = 0; i < st->modifier_count; i++)
    if (!st->taken[i] && sl_ptx_type_named(&st->modifiers[i]) != SL_PTX_NO_TYPE)
      return sl_ptx_type_named(&st->modifiers[i]);
  return SL_PTX_NO_TYPE;
}

enum sl_ptx_type sl_ptx_modifier_type(struct sl_ptx_statement *st)
{
  for (unsigned i = 0; i < st->modifier_count; i++) {
    const enum sl_ptx_type type = sl_ptx_type_named(&st->modifiers[i]);
    if (!st->taken[i] && type != SL_PTX_NO_TYPE) {
      st->taken[i] = true;
      return type;
    }
  }
  return SL_PTX_NO_TYPE;
}

bool sl_ptx_operands_are(struct sl_ptx_parser *p, const struct sl_ptx_statement *st, unsigned least, unsigned most)
{
  if (st->operand_count >= least && st->operand_count <= most)
    return true;
  if (least == most)
    return sl_ptx_error(p, &st->opcode, "'%.*s' takes %u operands here, not %u", SL_PTX_SHOWN(&st->opcode), least,
                        st->operand_count);
  return sl_ptx_error(p, &st->opcode, "'%.*s' takes %u to %u operands here, not %u", SL_PTX_SHOWN(&st->opcode), least,
                      most, st->operand_count);
}

bool sl_ptx_modifiers_known(struct sl_ptx_parser *p, const struct sl_ptx_statement *st)
{
  for (unsigned i = 0; i < st->modifier_count; i++)
    if (!st->taken[i])
      return sl_ptx_error(p, &st->modifiers[i], "simtlab does not support '%.*s' with the modifier .%.*s",
                          SL_PTX_SHOWN(&st->opcode), SL_PTX_SHOWN(&st->modifiers[i]));
  return true;
}

bool sl_ptx_two_results(struct sl_ptx_statement *st)
{
  struct sl_ptx_item *second = &st->operands[0].second;
  if (second->kind == SL_PTX_I_SINK)
    second->kind = SL_PTX_I_NONE;
  return second->kind == SL_PTX_I_REGISTER;
}

static bool plain(struct sl_ptx_parser *p, const struct sl_ptx_operand *o)
{
  if (o->vector || o->address)
    return sl_ptx_error(p, &o->at, "%s is not allowed as an operand here",
                        o->vector ? "a vector" : "an address in brackets");
  if (o->offset != 0 && o->item.kind != SL_PTX_I_SYMBOL)
    return sl_ptx_error(p, &o->at, "an offset can only be added to a variable's address");
  return true;
}

bool sl_ptx_take_source(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned operand, enum sl_ptx_type type,
                        bool loose, struct sl_ptx_place *place)
{
  const struct sl_ptx_operand *o = &st->operands[operand];
  if (!plain(p, o))
    return false;
  if (o->second.kind != SL_PTX_I_NONE || (o->item.negated && type != SL_PTX_PRED))
    return sl_ptx_error(p, &o->at, "'%s' is not allowed in this operand", o->item.negated ? "!" : "|");
  if (o->item.kind == SL_PTX_I_SYMBOL && o->offset != 0 && sl_ptx_type_bytes(type) >= 4) {
    *place = sl_ptx_symbol_place(p, o->item.index, o->offset, sl_ptx_type_bytes(type) == 8, false);
    note_frame(p, &st->in, &o->item, place);
    return !sl_ptx_failed(p);
  }
  return sl_ptx_source(p, &st->in, &o->item, type, loose, place);
}

bool sl_ptx_take_destination(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned operand,
                             enum sl_ptx_type type, bool loose, struct sl_ptx_place *place)
{
  const struct sl_ptx_operand *o = &st->operands[operand];
  if (!plain(p, o))
    return false;
  if (o->second.kind != SL_PTX_I_NONE && !st->in.has_e)
    return sl_ptx_error(p, &o->second.at, "the result must have one part here");
  return sl_ptx_destination(p, &st->in, &o->item, type, loose, place);
}
