#include "machine/sm7/sm7_code.h"

#include <string.h>

#include "machine/sm7/sm7_ptx.h"

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

/* ---- fragments of matrices ------------------------------------------------------------------------------------- */

enum {
  SIDE = 16,
  GROUP = 4 /* lanes */,
  BANKS = 32,
  WORD = 4,
  PASS_BYTES = 128,
  MOST = SL_SM7_LANES /* words of a bank */
};

/* The first row of a thread group in A and in the sums, and its first column in B. */
static const uint8_t first_line[] = {0, 8, 0, 8, 4, 12, 4, 12}, first_of_b[] = {0, 0, 8, 8, 4, 4, 12, 12};

enum layout { NONE, FACTOR_ALONG, FACTOR_ACROSS, SINGLES_ALONG, SINGLES_ACROSS, HALVES_ALONG, HALVES_ACROSS };

static const struct {
  uint8_t accesses, bytes; /* of a lane */
} shape[] = {[NONE] = {0, 0},           [FACTOR_ALONG] = {2, 16}, [FACTOR_ACROSS] = {4, 8}, [SINGLES_ALONG] = {4, 8},
             [SINGLES_ACROSS] = {8, 4}, [HALVES_ALONG] = {1, 16}, [HALVES_ACROSS] = {8, 2}};

static enum layout layout_of(const struct sl_ptx_insn *in)
{
  const struct sl_ptx_more *more = in->more;
  const unsigned matrix = more->matrix, format = more->format[matrix];
  const bool column = more->column[matrix];
  if (in->mode != SL_PTX_TILE_MATRIX || more->m != SIDE || more->n != SIDE || more->k != SIDE)
    return NONE;
  if (matrix == SL_PTX_A || matrix == SL_PTX_B)
    return format != SL_PTX_M_F16 ? NONE : column == (matrix == SL_PTX_B) ? FACTOR_ALONG : FACTOR_ACROSS;
  if (format == SL_PTX_M_F32)
    return column ? SINGLES_ACROSS : SINGLES_ALONG;
  return format != SL_PTX_M_F16 ? NONE : column ? HALVES_ACROSS : HALVES_ALONG;
}

/* One of the accesses. */
struct access {
  enum layout layout;
  bool of_b;
  unsigned number;
};

/* A lane's place in an access: a line, and the bytes before it. */
struct place {
  unsigned line, byte;
};

static struct place place_of(const struct access *a, unsigned lane)
{
  const unsigned group = lane / GROUP, t = lane % GROUP, i = a->number, half = group / 2 % 2 * 8;
  const unsigned first = a->of_b ? first_of_b[group] : first_line[group];
  const unsigned pair_row = first + (t & 1), pair_column = half + (t & 2);
  switch (a->layout) {
  case FACTOR_ALONG: return (struct place){first + t, 16 * i};
  case FACTOR_ACROSS: return (struct place){t + GROUP * i, 2 * first};
  case SINGLES_ALONG: return (struct place){pair_row + (i & 1) * 2, 4 * (pair_column + (i & 2) * 2)};
  case SINGLES_ACROSS: return (struct place){pair_column + (i & 1) + (i & 4), 4 * (pair_row + (i & 2))};
  case HALVES_ALONG: return (struct place){first + t, 2 * half};
  case HALVES_ACROSS: return (struct place){half + i, 2 * (first + t)};
  case NONE: break;
  }
  return (struct place){0, 0};
}

/* The most different words in a bank, for some of the lanes. */
static unsigned cycles_of_pass(const struct access *a, unsigned from, unsigned lanes, const uint64_t *line)
{
  uint64_t seen[BANKS][MOST];
  uint8_t count[BANKS] = {0};
  unsigned most = 0;
  const unsigned words = shape[a->layout].bytes > WORD ? shape[a->layout].bytes / WORD : 1;
  for (unsigned lane = from; lane < from + lanes; lane++) {
    const struct place p = place_of(a, lane);
    const uint64_t first = (line[p.line] + p.byte) / WORD;
    for (uint64_t word = first; word < first + words; word++) {
      const unsigned bank = word % BANKS;
      unsigned k = 0;
      while (k < count[bank] && seen[bank][k] != word)
        k++;
      if (k == count[bank])
        seen[bank][count[bank]++] = word;
      most = count[bank] > most ? count[bank] : most;
    }
  }
  return most;
}

struct sl_sm7_fragment_cost sl_sm7_fragment_cost(const struct sl_ptx_insn *in, const uint64_t *line)
{
  struct access a = {.layout = layout_of(in), .of_b = in->more->matrix == SL_PTX_B};
  const unsigned bytes = shape[a.layout].bytes, lanes = bytes > WORD ? PASS_BYTES / bytes : SL_SM7_LANES;
  struct sl_sm7_fragment_cost cost = {.accesses = shape[a.layout].accesses};
  for (; a.number < cost.accesses; a.number++)
    for (unsigned from = 0; from < SL_SM7_LANES; from += lanes)
      cost.cycles += cycles_of_pass(&a, from, lanes, line);
  return cost;
}
