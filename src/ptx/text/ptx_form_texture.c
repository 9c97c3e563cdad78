#include "ptx/text/ptx_form_texture.h"

/* A .texref variable, or a register with its handle. */
static bool take_texture(struct sl_ptx_parser *p, struct sl_ptx_statement *st, const struct sl_ptx_operand *o)
{
  struct sl_ptx_insn *in = &st->in;
  if (!o->address || !o->has_coordinates || o->offset != 0)
    return sl_ptx_error(p, &o->at, "a texture and its coordinates are expected here: [texture, {x, y}]");
  if (o->item.kind == SL_PTX_I_SYMBOL && p->symbols.items[o->item.index].texture) {
    in->mode |= SL_PTX_TEX_VARIABLE;
    in->a = sl_ptx_symbol_place(p, o->item.index, 0, true, false);
    return !sl_ptx_failed(p);
  }
  if (o->item.kind != SL_PTX_I_REGISTER)
    return sl_ptx_error(p, &o->item.at, "'%.*s' is neither a .texref variable nor a register",
                        SL_PTX_SHOWN(&o->item.at));
  const struct sl_ptx_register *r = sl_ptx_register_use(p, &o->item);
  if (sl_ptx_type_bytes(r->type) != 8 || r->type == SL_PTX_F64)
    return sl_ptx_error(p, &o->item.at, "register %.*s is .%s, but the handle of a texture has 64 bits",
                        SL_PTX_SHOWN(&o->item.at), sl_ptx_type_name(r->type));
  in->address = sl_ptx_reg_of(r);
  in->a = (struct sl_ptx_place){.area = SL_PTX_REGISTERS, .offset = r->offset & 0x3fffffff};
  return !sl_ptx_failed(p);
}

/* The coordinate of .1d may be a vector of one element. */
static bool take_coordinates(struct sl_ptx_parser *p, struct sl_ptx_statement *st, enum sl_ptx_type type)
{
  const struct sl_ptx_operand *o = &st->operands[1];
  const unsigned count = st->in.mode & SL_PTX_TEX_2D ? 2 : 1;
  if (o->count != count)
    return sl_ptx_error(p, &o->at, "the texture has %u coordinate%s, not %u", count, count > 1 ? "s" : "", o->count);
  return sl_ptx_source(p, &st->in, &o->elements[0], type, true, &st->in.b) &&
         (count == 1 || sl_ptx_source(p, &st->in, &o->elements[1], type, true, &st->in.c));
}

bool sl_ptx_form_tex(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned unused)
{
  (void)unused;
  struct sl_ptx_insn *in = &st->in;
  in->kind = SL_PTX_K_TEX;
  in->class = SL_PTX_C_MEMORY;
  in->space = SL_PTX_GLOBAL;
  in->elements = SL_PTX_ELEMENTS;
  in->bytes = 4;
  const unsigned dimensions = sl_ptx_modifier_of(st, (const char *const[]){"1d", "2d", NULL}, 2);
  const bool four = sl_ptx_modifier(st, "v4");
  const enum sl_ptx_type type = sl_ptx_modifier_type(st), coordinate = sl_ptx_modifier_type(st);
  in->type = (uint8_t)type;
  in->mode = dimensions == 1 ? SL_PTX_TEX_2D : 0;
  in->mode |= coordinate == SL_PTX_F32 ? SL_PTX_TEX_REAL : 0;
  if (dimensions == 2 || !four || (type != SL_PTX_F32 && type != SL_PTX_S32 && type != SL_PTX_U32) ||
      (coordinate != SL_PTX_F32 && coordinate != SL_PTX_S32))
    return sl_ptx_error(
        p, &st->opcode,
        "simtlab supports tex.1d.v4 and tex.2d.v4 of .f32, .s32 and .u32, with coordinates of .s32 and .f32");
  if (!sl_ptx_operands_are(p, st, 2, 2) || !sl_ptx_modifiers_known(p, st))
    return false;
  const struct sl_ptx_operand *d = &st->operands[0];
  if (!d->vector || d->count != SL_PTX_ELEMENTS)
    return sl_ptx_error(p, &d->at, "the result of a texture fetch must be a vector of four registers");
  if (!take_texture(p, st, &st->operands[1]) || !take_coordinates(p, st, coordinate))
    return false;
  for (unsigned i = 0; i < SL_PTX_ELEMENTS; i++)
    if (!sl_ptx_element(p, in, &d->elements[i], type, true, &in->element[i]))
      return false;
  return true;
}
