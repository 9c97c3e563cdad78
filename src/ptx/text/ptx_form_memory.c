#include "ptx/text/ptx_forms.h"

#include <string.h>

#include "ptx/run/ptx_lanes.h"

static const char *const space_names[] = {[SL_PTX_GENERIC] = "generic",
                                          [SL_PTX_GLOBAL] = "global",
                                          [SL_PTX_SHARED] = "shared",
                                          [SL_PTX_LOCAL] = "local",
                                          [SL_PTX_CONST] = "const",
                                          [SL_PTX_PARAM] = "param",
                                          NULL};

/* The base of an address as written in brackets. */
static bool address_base(struct sl_ptx_parser *p, struct sl_ptx_statement *st, const struct sl_ptx_operand *o)
{
  struct sl_ptx_insn *in = &st->in;
  if (o->item.kind == SL_PTX_I_NUMBER && !o->item.number.real) {
    in->a = sl_ptx_constant(p, o->item.number.bits, true);
    return !sl_ptx_failed(p);
  }
  if (o->item.kind != SL_PTX_I_REGISTER)
    return sl_ptx_error(p, &o->item.at, "'%.*s' is not a register or variable, which an address needs",
                        SL_PTX_SHOWN(&o->item.at));
  const struct sl_ptx_register *r = sl_ptx_register_use(p, &o->item);
  const unsigned bytes = sl_ptx_type_bytes(r->type);
  if (r->type == SL_PTX_F32 || r->type == SL_PTX_F64 || (bytes != 8 && bytes != 4) ||
      (bytes == 4 && in->space != SL_PTX_SHARED && in->space != SL_PTX_LOCAL && in->space != SL_PTX_PARAM &&
       in->space != SL_PTX_CONST))
    return sl_ptx_error(p, &o->item.at, "register %.*s is .%s where an address of 64 bits is expected",
                        SL_PTX_SHOWN(&o->item.at), sl_ptx_type_name(r->type));
  if (in->space == SL_PTX_PARAM && !p->functions.items[p->function].entry) {
    in->space = SL_PTX_LOCAL; /* where parameters of device functions are */
    in->parameter = true;
  }
  in->address32 = bytes == 4;
  in->address = sl_ptx_reg_of(r);
  in->a = (struct sl_ptx_place){.area = SL_PTX_REGISTERS, .offset = r->offset & 0x3fffffff};
  return !sl_ptx_failed(p);
}

/* Parameters of device functions are in the frame: ld.param of them is an access to local memory. */
static bool address_symbol(struct sl_ptx_parser *p, struct sl_ptx_statement *st, const struct sl_ptx_operand *o)
{
  const struct sl_ptx_symbol *s = &p->symbols.items[o->item.index];
  struct sl_ptx_insn *in = &st->in;
  const bool in_frame = in->space == SL_PTX_PARAM && s->space == SL_PTX_LOCAL && s->parameter;
  if (in_frame) {
    in->space = SL_PTX_LOCAL;
    in->parameter = true;
  } else if (in->space != SL_PTX_GENERIC && in->space != s->space)
    return sl_ptx_error(p, &o->item.at, "'%.*s' is in .%s memory, not in .%s memory", SL_PTX_SHOWN(&o->item.at),
                        s->parameter ? "param" : space_names[s->space], space_names[in->space]);
  if (in->space == SL_PTX_GENERIC && s->space == SL_PTX_PARAM)
    return sl_ptx_error(p, &o->item.at, "a kernel's parameter has no generic address: use ld.param");
  if (s->argument) {
    if (!SL_PTX_MORE(p, p->uses, 1))
      return false;
    p->uses.items[p->uses.count++] = (struct sl_ptx_argument_use){p->code.count, o->item.index};
  }
  in->a = sl_ptx_symbol_place(p, o->item.index, 0, true, in->space == SL_PTX_GENERIC);
  in->framed = s->space == SL_PTX_LOCAL ? SL_PTX_FRAMED : SL_PTX_NOT_FRAMED;
  return !sl_ptx_failed(p);
}

bool sl_ptx_take_address(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned operand)
{
  const struct sl_ptx_operand *o = &st->operands[operand];
  if (!o->address || o->has_coordinates)
    return sl_ptx_error(p, &o->at, "an address in brackets is expected here");
  st->in.immediate = o->offset;
  return o->item.kind == SL_PTX_I_SYMBOL ? address_symbol(p, st, o) : address_base(p, st, o);
}

void sl_ptx_take_space(struct sl_ptx_statement *st)
{
  static const char *const longer[] = {"shared::cta", "param::entry", "param::func", NULL};
  static const uint8_t spaces[] = {SL_PTX_SHARED, SL_PTX_PARAM, SL_PTX_PARAM};
  const unsigned number = sl_ptx_modifier_of(st, longer, UINT32_MAX);
  if (number != UINT32_MAX) {
    st->in.space = spaces[number];
    return;
  }
  st->in.space = (uint8_t)sl_ptx_modifier_of(st, space_names, SL_PTX_GENERIC);
}

/* Conversion of a type between memory and registers. */
static enum sl_ptx_moved moved(enum sl_ptx_type type)
{
  switch (type) {
  case SL_PTX_S8: return SL_PTX_M_S8;
  case SL_PTX_S16: return SL_PTX_M_S16;
  case SL_PTX_S32: return SL_PTX_M_S32;
  default: break;
  }
  switch (sl_ptx_type_bytes(type)) {
  case 1: return SL_PTX_M_U8;
  case 2: return SL_PTX_M_U16;
  case 4: return SL_PTX_M_U32;
  default: return SL_PTX_M_U64;
  }
}

/* Modifiers of caching and other modifiers without effect on the value. */
static void take_caching(struct sl_ptx_statement *st)
{
  static const char *const uncached[] = {"cg", "cv", "volatile", "relaxed", "acquire", "release", "acq_rel", NULL};
  static const uint8_t orders[] = {0,
                                   0,
                                   SL_PTX_VOLATILE,
                                   SL_PTX_STRONG,
                                   SL_PTX_STRONG | SL_PTX_ACQUIRE,
                                   SL_PTX_STRONG | SL_PTX_RELEASE,
                                   SL_PTX_STRONG | SL_PTX_ACQUIRE | SL_PTX_RELEASE};
  static const char *const others[] = {"ca",
                                       "cs",
                                       "lu",
                                       "wb",
                                       "wt",
                                       "nc",
                                       "weak",
                                       "cluster",
                                       "gpu",
                                       "sys",
                                       "L1::evict_normal",
                                       "L1::evict_unchanged",
                                       "L1::evict_first",
                                       "L1::evict_last",
                                       "L1::no_allocate",
                                       "L2::evict_normal",
                                       "L2::evict_first",
                                       "L2::evict_last",
                                       "L2::64B",
                                       "L2::128B",
                                       "L2::256B",
                                       NULL};
  for (unsigned i; (i = sl_ptx_modifier_of(st, uncached, UINT32_MAX)) != UINT32_MAX;) {
    st->in.uncached = true;
    st->in.order |= orders[i];
  }
  while (sl_ptx_modifier_of(st, others, UINT32_MAX) != UINT32_MAX)
    ;
  if (sl_ptx_modifier(st, "cta"))
    st->in.order |= SL_PTX_IN_BLOCK;
}

/* With .L2::cache_hint the last operand is a policy, which has no effect here. */
static bool take_policy(struct sl_ptx_parser *p, struct sl_ptx_statement *st)
{
  struct sl_ptx_insn unused = {0};
  struct sl_ptx_place place;
  if (!sl_ptx_modifier(st, "L2::cache_hint"))
    return true;
  if (st->operand_count < 2)
    return sl_ptx_error(p, &st->opcode, "'%.*s' with .L2::cache_hint takes a policy as its last operand",
                        SL_PTX_SHOWN(&st->opcode));
  const struct sl_ptx_operand *o = &st->operands[--st->operand_count];
  if (o->vector || o->address)
    return sl_ptx_error(p, &o->at, "the policy of .L2::cache_hint is expected here, in a register of 64 bits");
  return sl_ptx_source(p, &unused, &o->item, SL_PTX_B64, true, &place);
}

/* A register may be wider than the loaded or stored value: of bits for any value, of floating point for bits. */
static bool may_be_wider(enum sl_ptx_type has, enum sl_ptx_type type)
{
  const bool bits = has >= SL_PTX_B8 && has <= SL_PTX_B64, any = type >= SL_PTX_B8 && type <= SL_PTX_B64;
  return bits || any || (!sl_ptx_is_float(has) && !sl_ptx_is_float(type));
}

static bool element(struct sl_ptx_parser *p, struct sl_ptx_statement *st, const struct sl_ptx_item *item, unsigned i)
{
  struct sl_ptx_insn *in = &st->in;
  enum sl_ptx_type type = in->type;
  if (item->kind == SL_PTX_I_REGISTER) {
    const enum sl_ptx_type has = p->registers.items[item->index].type;
    const bool wider = sl_ptx_type_bytes(has) > in->bytes && may_be_wider(has, in->type);
    if (has != SL_PTX_PRED && (wider || sl_ptx_type_bytes(has) == in->bytes))
      type = has;
  }
  in->wide |= (uint8_t)((sl_ptx_type_bytes(type) == 8) << i);
  if (in->kind == SL_PTX_K_LOAD)
    return sl_ptx_element(p, in, item, type, true, &in->element[i]);
  return sl_ptx_source(p, in, item, type, item->kind == SL_PTX_I_REGISTER, &in->element[i]);
}

static bool take_elements(struct sl_ptx_parser *p, struct sl_ptx_statement *st, const struct sl_ptx_operand *o)
{
  struct sl_ptx_insn *in = &st->in;
  const unsigned count = o->vector ? o->count : 1; /* a vector may have one */
  if (o->address || o->second.kind != SL_PTX_I_NONE || count != in->elements)
    return sl_ptx_error(p, &o->at, "the instruction moves %u element%s, but this operand has a different number",
                        in->elements, in->elements == 1 ? "" : "s");
  if (!o->vector && o->item.kind == SL_PTX_I_SINK)
    return sl_ptx_error(p, &o->at, "'_' can only replace an element of a vector");
  if (!o->vector)
    return element(p, st, &o->item, 0);
  for (unsigned i = 0; i < o->count; i++)
    if (!element(p, st, &o->elements[i], i))
      return false;
  return true;
}

bool sl_ptx_form_access(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned store)
{
  struct sl_ptx_insn *in = &st->in;
  in->kind = store ? SL_PTX_K_STORE : SL_PTX_K_LOAD;
  in->class = SL_PTX_C_MEMORY;
  sl_ptx_take_space(st);
  take_caching(st);
  if (!take_policy(p, st))
    return false;
  in->elements = sl_ptx_modifier(st, "v2") ? 2 : sl_ptx_modifier(st, "v4") ? 4 : 1;
  in->type = (uint8_t)sl_ptx_modifier_type(st);
  in->bytes = (uint8_t)sl_ptx_type_bytes(in->type);
  in->moved = (uint8_t)moved(in->type);
  if (in->bytes == 0)
    return sl_ptx_error(p, &st->opcode, "'%.*s' needs the type of the value that it moves", SL_PTX_SHOWN(&st->opcode));
  if (in->bytes * in->elements > 16)
    return sl_ptx_error(p, &st->opcode, "an access has at most 16 bytes");
  if (!sl_ptx_operands_are(p, st, 2, 2) || !sl_ptx_modifiers_known(p, st))
    return false;
  if (store && in->space == SL_PTX_CONST)
    return sl_ptx_error(p, &st->opcode, "constant memory cannot be written");
  if (!sl_ptx_take_address(p, st, store ? 0 : 1) || !take_elements(p, st, &st->operands[store ? 1 : 0]))
    return false;
  return !store || in->space != SL_PTX_PARAM || sl_ptx_error(p, &st->opcode, "a kernel's parameters cannot be written");
}

/* The types that an atomic operation supports. */
static bool atomic_type(unsigned operation, enum sl_ptx_type t)
{
  switch (operation) {
  case SL_PTX_ATOM_ADD:
    return t == SL_PTX_U32 || t == SL_PTX_S32 || t == SL_PTX_U64 || t == SL_PTX_S64 || t == SL_PTX_F32 ||
           t == SL_PTX_F64 || sl_ptx_is_half(t);
  case SL_PTX_ATOM_MIN:
  case SL_PTX_ATOM_MAX: return t == SL_PTX_U32 || t == SL_PTX_S32 || t == SL_PTX_U64 || t == SL_PTX_S64;
  case SL_PTX_ATOM_INC:
  case SL_PTX_ATOM_DEC: return t == SL_PTX_U32;
  case SL_PTX_ATOM_CAS:
    if (t == SL_PTX_B16)
      return true;
    /* fall through */
  default: return t == SL_PTX_B32 || t == SL_PTX_B64 || t == SL_PTX_U32 || t == SL_PTX_U64;
  }
}

bool sl_ptx_form_atomic(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned red)
{
  static const char *const names[] = {"add", "min", "max", "and", "or", "xor", "exch", "cas", "inc", "dec", NULL};
  struct sl_ptx_insn *in = &st->in;
  in->kind = SL_PTX_K_ATOMIC;
  in->class = SL_PTX_C_MEMORY;
  in->elements = 1;
  in->uncached = true;
  sl_ptx_take_space(st);
  in->order = SL_PTX_STRONG;
  take_caching(st);
  (void)sl_ptx_modifier(st, "noftz");
  if (!take_policy(p, st))
    return false;
  const unsigned operation = sl_ptx_modifier_of(st, names, UINT32_MAX);
  in->type = (uint8_t)sl_ptx_modifier_type(st);
  in->bytes = (uint8_t)sl_ptx_type_bytes(in->type);
  in->mode = (uint8_t)operation;
  if (!sl_ptx_modifiers_known(p, st))
    return false;
  if (operation == UINT32_MAX || !atomic_type(operation, in->type) ||
      (red && operation >= SL_PTX_ATOM_EXCH && operation <= SL_PTX_ATOM_CAS))
    return sl_ptx_error(p, &st->opcode, "simtlab does not support '%.*s' with this operation and type",
                        SL_PTX_SHOWN(&st->opcode));
  if (in->space != SL_PTX_GENERIC && in->space != SL_PTX_GLOBAL && in->space != SL_PTX_SHARED)
    return sl_ptx_error(p, &st->opcode, "atomic operations need .global or .shared memory");
  const unsigned address = red ? 0 : 1, count = address + (operation == SL_PTX_ATOM_CAS ? 3 : 2);
  if (!sl_ptx_operands_are(p, st, count, count) || !sl_ptx_take_address(p, st, address))
    return false;
  const bool loose = in->type >= SL_PTX_B8 && in->type <= SL_PTX_B64;
  if (!sl_ptx_take_source(p, st, address + 1, in->type, loose, &in->b) ||
      (operation == SL_PTX_ATOM_CAS && !sl_ptx_take_source(p, st, address + 2, in->type, loose, &in->c)))
    return false;
  if (operation != SL_PTX_ATOM_CAS)
    in->c = in->b;
  if (red || st->operands[0].item.kind == SL_PTX_I_SINK)
    return true;
  return sl_ptx_take_destination(p, st, 0, in->type, loose, &in->d);
}

/* All policies are the same. */
bool sl_ptx_form_policy(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned unused)
{
  (void)unused;
  st->in.kind = SL_PTX_K_LANES;
  st->in.row = (uint16_t)sl_ptx_row_find("mov_u64");
  st->in.a = sl_ptx_constant(p, 0, true);
  if (sl_ptx_modifier_type(st) != SL_PTX_B64 || st->operand_count < 1)
    return sl_ptx_error(p, &st->opcode, "createpolicy needs .b64");
  return sl_ptx_take_destination(p, st, 0, SL_PTX_B64, true, &st->in.d);
}

bool sl_ptx_form_membar(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned unused)
{
  static const char *const names[] = {"cta", "gl",      "cluster", "gpu",     "sys",
                                      "sc",  "acq_rel", "acquire", "release", NULL};
  (void)unused;
  st->in.kind = SL_PTX_K_MEMBAR;
  st->in.class = SL_PTX_C_MEMORY;
  for (unsigned i; (i = sl_ptx_modifier_of(st, names, UINT32_MAX)) != UINT32_MAX;)
    st->in.order |= i == 0 ? SL_PTX_IN_BLOCK : 0;
  return sl_ptx_operands_are(p, st, 0, 0) && sl_ptx_modifiers_known(p, st);
}

/* cp.async.ca [shared], [global], bytes, read: the bytes that are read may be fewer, the others are cleared. */
static bool copy(struct sl_ptx_parser *p, struct sl_ptx_statement *st)
{
  struct sl_ptx_insn *in = &st->in;
  in->kind = SL_PTX_K_ASYNC;
  in->class = SL_PTX_C_MEMORY;
  const bool named =
      (sl_ptx_modifier(st, "shared") || sl_ptx_modifier(st, "shared::cta")) && sl_ptx_modifier(st, "global");
  in->uncached = sl_ptx_modifier(st, "cg");
  take_caching(st);
  if (!named)
    return sl_ptx_error(p, &st->opcode, "cp.async needs .shared.global");
  if (!take_policy(p, st) || !sl_ptx_operands_are(p, st, 3, 4) || !sl_ptx_modifiers_known(p, st))
    return false;
  const struct sl_ptx_item *size = &st->operands[2].item;
  const uint64_t bytes = size->kind == SL_PTX_I_NUMBER ? size->number.bits : 0;
  if (bytes != 16 && (in->uncached || (bytes != 4 && bytes != 8)))
    return sl_ptx_error(p, &st->operands[2].at, "cp.async copies %s bytes", in->uncached ? "16" : "4, 8 or 16");
  in->bytes = (uint8_t)bytes;
  in->space = SL_PTX_SHARED;
  if (!sl_ptx_take_address(p, st, 0))
    return false;
  in->b = in->a;
  in->c = sl_ptx_constant(p, (uint64_t)in->immediate, false);
  in->wide = !in->address32;
  if (in->address.id != SL_PTX_NO_REG)
    in->src[in->srcs++] = in->address;
  in->address.id = SL_PTX_NO_REG;
  in->address32 = false;
  in->space = SL_PTX_GLOBAL;
  in->e = sl_ptx_constant(p, bytes, false);
  return sl_ptx_take_address(p, st, 1) &&
         (st->operand_count == 3 || sl_ptx_take_source(p, st, 3, SL_PTX_B32, true, &in->e));
}

bool sl_ptx_form_cp(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned unused)
{
  (void)unused;
  if (!sl_ptx_modifier(st, "async"))
    return sl_ptx_error(p, &st->opcode, "cp needs .async");
  const bool group = sl_ptx_modifier(st, "wait_group"), all = sl_ptx_modifier(st, "wait_all");
  if (!group && !all && !sl_ptx_modifier(st, "commit_group"))
    return copy(p, st);
  st->in.kind = group || all ? SL_PTX_K_ASYNC_WAIT : SL_PTX_K_ASYNC_COMMIT;
  st->in.immediate = SL_PTX_ALL_GROUPS;
  if (!sl_ptx_operands_are(p, st, group, group) || !sl_ptx_modifiers_known(p, st))
    return false;
  const struct sl_ptx_item *number = &st->operands[0].item;
  if (group && (number->kind != SL_PTX_I_NUMBER || number->number.real || number->number.bits > INT32_MAX))
    return sl_ptx_error(p, &st->operands[0].at, "the number of groups that may be outstanding is expected here");
  if (group)
    st->in.immediate = (int64_t)number->number.bits;
  return true;
}

/* ---- alloca ------------------------------------------------------------------------------------------------------ */

/* Whether the word is in the function's body, which begins at the next character. */
static bool has_alloca(const struct sl_ptx_parser *p)
{
  static const char word[] = "alloca.";
  unsigned depth = 0;
  for (const char *at = p->lexer.at; at < p->lexer.end; at++) {
    depth += *at == '{';
    if (*at == '}' && depth-- == 0)
      return false;
    if (*at == 'a' && (size_t)(p->lexer.end - at) >= sizeof word && memcmp(at, word, sizeof word - 1) == 0)
      return true;
  }
  return false;
}

bool sl_ptx_stack_begin(struct sl_ptx_parser *p)
{
  p->stack = UINT32_MAX;
  if (!has_alloca(p))
    return true;
  if (!SL_PTX_MORE(p, p->code, 1))
    return false;
  p->stack = (p->frame_bytes + SL_PTX_STACK_HEAD - 1) / SL_PTX_STACK_HEAD * SL_PTX_STACK_HEAD;
  p->frame_bytes = p->stack + SL_PTX_STACK_HEAD + SL_PTX_STACK_BYTES;
  p->code.items[p->code.count++] = (struct sl_ptx_insn){.kind = SL_PTX_K_STACK,
                                                        .mode = SL_PTX_STACK_EMPTY,
                                                        .elements = 1,
                                                        .immediate = p->stack,
                                                        .target = 8,
                                                        .guard.id = SL_PTX_NO_REG,
                                                        .address.id = SL_PTX_NO_REG,
                                                        .line = p->token.line,
                                                        .column = p->token.column,
                                                        .unit = (uint8_t)sl_ptx_class_unit(0)};
  return true;
}

/* alloca.type d, size{, alignment}; stacksave.type d; stackrestore.type a. */
bool sl_ptx_form_stack(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned mode)
{
  enum { MOST_ALIGNMENT = 256 };
  struct sl_ptx_insn *in = &st->in;
  const enum sl_ptx_type type = sl_ptx_modifier_type(st);
  in->kind = SL_PTX_K_STACK;
  in->mode = (uint8_t)mode;
  in->bytes = (uint8_t)sl_ptx_type_bytes(type);
  in->immediate = p->stack;
  in->target = 8;
  if (type != SL_PTX_U64 && type != SL_PTX_U32)
    return sl_ptx_error(p, &st->opcode, "'%.*s' needs .u32 or .u64", SL_PTX_SHOWN(&st->opcode));
  if (p->stack == UINT32_MAX)
    return sl_ptx_error(p, &st->opcode, "the function has no alloca, so it has no stack");
  const unsigned most = mode == SL_PTX_STACK_ALLOCA ? 3 : 1;
  if (!sl_ptx_operands_are(p, st, mode == SL_PTX_STACK_ALLOCA ? 2 : 1, most) || !sl_ptx_modifiers_known(p, st))
    return false;
  if (mode == SL_PTX_STACK_ALLOCA && st->operand_count == 3) {
    const struct sl_ptx_item *number = &st->operands[2].item;
    if (number->kind != SL_PTX_I_NUMBER || number->number.real || number->number.bits > MOST_ALIGNMENT ||
        (number->number.bits & (number->number.bits - 1)) != 0)
      return sl_ptx_error(p, &st->operands[2].at, "an alignment is a power of two up to %d", MOST_ALIGNMENT);
    in->target = number->number.bits > in->target ? (uint32_t)number->number.bits : in->target;
  }
  if (mode != SL_PTX_STACK_RESTORE && !sl_ptx_take_destination(p, st, 0, type, true, &in->d))
    return false;
  return mode == SL_PTX_STACK_SAVE ||
         sl_ptx_take_source(p, st, mode == SL_PTX_STACK_ALLOCA ? 1 : 0, type, true, &in->a);
}
