#include "func/jit/emit_rows.h"

void sl_emit_rows_init(struct sl_emit_rows *c, const struct sl_emit_level *level, unsigned lanes, bool some)
{
  const unsigned words = lanes < level->bits / 32 ? lanes : level->bits / 32;
  c->level = level;
  c->lanes = lanes;
  c->row_bits = sl_log2(lanes) + 2;
  c->bits = words * 32;
  c->parts = lanes / words;
  c->some = some;
  c->slots = level->vectors / c->parts;
  c->victim = 0;
  sl_emit_forget(c);
}

void sl_emit_forget(struct sl_emit_rows *c)
{
  for (unsigned i = 0; i < SL_EMIT_SLOTS; i++)
    c->held[i] = -1;
  c->locked = c->unsaved = 0;
}

struct sl_x86_vector sl_emit_loader(const struct sl_insn *in)
{
  switch (in->op) {
  case SL_OP_LB: return (struct sl_x86_vector){2, 1, 0x21};  /* vpmovsxbd */
  case SL_OP_LH: return (struct sl_x86_vector){2, 1, 0x23};  /* vpmovsxwd */
  case SL_OP_LBU: return (struct sl_x86_vector){2, 1, 0x31}; /* vpmovzxbd */
  case SL_OP_LHU: return (struct sl_x86_vector){2, 1, 0x33}; /* vpmovzxwd */
  default: return sl_x86_vector_load;
  }
}

struct sl_x86_place sl_emit_place(const struct sl_emit_rows *c, unsigned reg)
{
  return sl_x86_at(SL_EMIT_REGISTERS, (size_t)reg << c->row_bits);
}

void sl_emit_save_slots(struct sl_emit_rows *c, const int16_t *held, uint32_t slots)
{
  for (unsigned slot = 0; slot < c->slots; slot++)
    if (slots >> slot & 1)
      c->level->store(c, slot, sl_emit_place(c, (unsigned)held[slot]));
}

void sl_emit_save(struct sl_emit_rows *c)
{
  sl_emit_save_slots(c, c->held, c->unsaved);
  c->unsaved = 0;
}

void sl_emit_reload(struct sl_emit_rows *c, unsigned slot, unsigned reg)
{
  c->level->load(c, slot, sl_emit_place(c, reg));
}

static unsigned find(const struct sl_emit_rows *c, int reg)
{
  unsigned i = 0;
  while (i < c->slots && c->held[i] != reg)
    i++;
  return i;
}

void sl_emit_save_register(struct sl_emit_rows *c, unsigned reg)
{
  const unsigned slot = find(c, (int)reg);
  if (slot == c->slots)
    return;
  sl_emit_save_slots(c, c->held, c->unsaved & 1u << slot);
  c->unsaved &= ~(1u << slot);
}

/* Frees a slot for a register that has none. */
static unsigned make_room(struct sl_emit_rows *c, unsigned reg)
{
  unsigned slot = find(c, -1);
  while (slot == c->slots) {
    if (!(c->locked >> c->victim & 1))
      slot = c->victim;
    c->victim = (c->victim + 1) % c->slots;
  }
  sl_emit_save_slots(c, c->held, c->unsaved & 1u << slot);
  c->unsaved &= ~(1u << slot);
  c->held[slot] = (int16_t)reg;
  return slot;
}

unsigned sl_emit_use(struct sl_emit_rows *c, unsigned reg)
{
  unsigned slot = find(c, (int)reg);
  if (slot == c->slots) {
    slot = make_room(c, reg);
    sl_emit_reload(c, slot, reg);
  }
  c->locked |= 1u << slot;
  return slot;
}

unsigned sl_emit_define(struct sl_emit_rows *c, unsigned reg)
{
  if (c->some)
    return sl_emit_use(c, reg);
  unsigned slot = find(c, (int)reg);
  if (slot == c->slots)
    slot = make_room(c, reg);
  c->locked |= 1u << slot;
  return slot;
}
