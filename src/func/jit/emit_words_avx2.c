#include "func/jit/emit_words.h"

static const struct sl_x86_vector minimum = {2, 1, 0x3b}; /* vpminud */
static const struct sl_x86_vector equal = {1, 1, 0x76};   /* vpcmpeqd */
static const struct sl_x86_vector any = {2, 1, 0x17};     /* vptest */

enum { PLACE = 12, OFF, MASK, BAD };

static void vector(struct sl_emit_rows *c, struct sl_x86_vector op, unsigned d, unsigned a, unsigned b)
{
  sl_x86_vex(&c->x, op, c->bits, d, a, b);
}

static void word(struct sl_emit_rows *c, unsigned d, struct sl_x86_place from)
{
  sl_x86_vex_place(&c->x, sl_x86_vector_broadcast, c->bits, d, 0, from, 0);
}

/* PLACE = the addresses of a part. */
static void place_of(struct sl_emit_rows *c, const struct sl_insn *in, unsigned slot, unsigned p)
{
  word(c, PLACE, sl_x86_constant(in->imm));
  vector(c, sl_x86_vector_add, PLACE, PLACE, sl_emit_vector(c, slot, p));
}

/* BAD |= OFF in the active lanes. */
static void bring(struct sl_emit_rows *c, unsigned p)
{
  if (c->some)
    sl_x86_vex_place(&c->x, sl_x86_vector_and, c->bits, OFF, OFF, sl_emit_part(c, SL_EMIT_FIELD(mask), p), 0);
  vector(c, sl_x86_vector_or, BAD, BAD, OFF);
}

/* For an address beyond the last word of data, the minimum of the two differs from it. */
static void add_bad(struct sl_emit_rows *c, unsigned p)
{
  word(c, MASK, sl_x86_constant(3));
  vector(c, sl_x86_vector_and, OFF, MASK, PLACE);
  bring(c, p);
  word(c, MASK, SL_EMIT_FIELD(low));
  vector(c, sl_x86_vector_subtract, PLACE, PLACE, MASK);
  word(c, MASK, SL_EMIT_FIELD(single));
  vector(c, minimum, OFF, PLACE, MASK);
  vector(c, sl_x86_vector_xor, OFF, OFF, PLACE);
  bring(c, p);
}

static void gather_words(struct sl_emitter *e, const struct sl_insn *in, struct sl_emit_access *a)
{
  struct sl_emit_rows *c = &e->c;
  struct sl_x86 *x = &c->x;
  vector(c, sl_x86_vector_xor, BAD, BAD, BAD);
  for (unsigned p = 0; p < c->parts; p++) {
    place_of(c, in, a->slot, p);
    add_bad(c, p);
  }
  vector(c, any, BAD, 0, BAD);
  sl_emit_ask(e, a, SL_X86_UNEQUAL);
  sl_emit_base_of_signed(x);
  word(c, OFF, sl_x86_constant(SL_EMIT_SIGN));
  for (unsigned p = 0; p < c->parts; p++) {
    place_of(c, in, a->slot, p);
    vector(c, sl_x86_vector_xor, PLACE, PLACE, OFF);
    if (c->some)
      sl_x86_vex_place(x, sl_x86_vector_load, c->bits, MASK, 0, sl_emit_part(c, SL_EMIT_FIELD(mask), p), 0);
    else
      vector(c, equal, MASK, MASK, MASK);
    sl_x86_vex_gather(x, c->bits, sl_emit_vector(c, a->other, p), SL_RDX, PLACE, MASK);
  }
}

void sl_emit_words_avx2(struct sl_emitter *e, const struct sl_insn *in, struct sl_emit_access *a)
{
  if (in->kind == SL_KIND_LOAD && !e->filled)
    gather_words(e, in, a);
  else
    sl_emit_ask(e, a, SL_X86_ALWAYS);
}
