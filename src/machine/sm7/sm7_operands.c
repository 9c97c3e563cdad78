#include "machine/sm7/sm7_code.h"

#include <string.h>

/* The numbers of registers by id; 0: none. */
struct numbers {
  uint16_t of[SL_SM7_REGISTERS];
  bool pair[SL_SM7_REGISTERS], defined[SL_SM7_REGISTERS];
};

static void number_registers(struct numbers *n, const struct sl_sm7_instruction *code, uint32_t count)
{
  unsigned next = SL_SM7_READ_BANKS;
  memset(n, 0, sizeof *n);
  for (uint32_t pc = 0; pc < count; pc++)
    for (const struct sl_sm7_instruction *c = &code[pc]; c != NULL; c = sl_sm7_rest(c))
      for (unsigned i = 0; i < c->sources; i++)
        if (c->source[i].id < SL_SM7_REGISTERS)
          n->pair[c->source[i].id] |= c->source[i].words > 1;
  for (uint32_t pc = 0; pc < count; pc++)
    for (const struct sl_sm7_instruction *c = &code[pc]; c != NULL && !code[pc].free; c = sl_sm7_rest(c))
      for (unsigned i = 0; i < c->writes; i++) {
        const unsigned id = c->write[i];
        if (id < SL_SM7_REGISTERS && !n->defined[id] && !n->pair[id])
          n->of[id] = (uint16_t)next++;
        if (id < SL_SM7_REGISTERS)
          n->defined[id] = true;
      }
}

static void add_operand(struct sl_sm7_operands *o, const struct numbers *n, struct sl_sm7_source s, unsigned place)
{
  const bool fixed = (s.id & SL_SM7_PLACED) != 0;
  if (!fixed && (s.id >= SL_SM7_REGISTERS || !n->defined[s.id]))
    return;
  const unsigned number = fixed ? (s.id & ~(unsigned)SL_SM7_PLACED) + SL_SM7_READ_BANKS : n->of[s.id];
  if (s.words > 1)
    for (unsigned b = 0; b < SL_SM7_READ_BANKS; b++)
      o->reads[b]++;
  else if (place < SL_SM7_PLACES)
    o->place[place] = (uint16_t)number;
  else
    o->reads[sl_sm7_read_bank(number)]++;
}

static bool writes(const struct sl_sm7_instruction *code, uint16_t id)
{
  for (const struct sl_sm7_instruction *c = code; c != NULL; c = sl_sm7_rest(c))
    for (unsigned i = 0; i < c->writes; i++)
      if (c->write[i] == id)
        return true;
  return false;
}

/* Branches, barriers and fences define nothing; nor do stores, which are followed. */
static bool ends_piece(const struct sl_sm7_instruction *code)
{
  return code->writes == 0 && code->kind != SL_SM7_STORE;
}

/* Whether the next reader of the place's bank in that place reads the same register, with the value of `pc`. */
static bool is_read_again(const struct sl_sm7_instruction *code, uint32_t count, const struct sl_sm7_operands *operands,
                          uint32_t pc, unsigned place)
{
  const unsigned number = operands[pc].place[place];
  const uint16_t id = code[pc].source[place].id;
  for (uint32_t at = pc; !ends_piece(&code[at]) && !writes(&code[at], id) && at + 1 < count; at++) {
    const unsigned other = code[at + 1].free ? 0 : operands[at + 1].place[place];
    if (other != 0 && sl_sm7_read_bank(other) == sl_sm7_read_bank(number))
      return other == number && code[at + 1].source[place].id == id;
  }
  return false;
}

void sl_sm7_find_operands(const struct sl_sm7_instruction *code, uint32_t count, struct sl_sm7_operands *operands)
{
  struct numbers numbers;
  number_registers(&numbers, code, count);
  memset(operands, 0, count * sizeof *operands);
  for (uint32_t pc = 0; pc < count; pc++) {
    unsigned place = 0;
    for (const struct sl_sm7_instruction *c = &code[pc]; c != NULL && !code[pc].free; c = sl_sm7_rest(c))
      for (unsigned i = 0; i < c->sources; i++)
        add_operand(&operands[pc], &numbers, c->source[i], place++);
  }
  for (uint32_t pc = 0; pc < count; pc++)
    for (unsigned place = 0; place < SL_SM7_PLACES; place++)
      if (operands[pc].place[place] != 0 && place < code[pc].sources && is_read_again(code, count, operands, pc, place))
        operands[pc].keeps |= (uint8_t)(1u << place);
}
