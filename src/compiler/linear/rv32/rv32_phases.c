#include "compiler/linear/rv32/rv32_write.h"

#include <stdlib.h>

#include "base/grow.h"

/* ---- lists of instructions --------------------------------------------------------------------------------------- */

enum { WORD = 4, BRANCH_REACH = 4096, JUMP_REACH = 1 << 20 };

void sl_rv32_items_free(struct sl_rv32_items *items)
{
  free(items->item);
  *items = (struct sl_rv32_items){.count = 0};
}

void sl_rv32_add(struct sl_rv32_items *items, struct sl_rv32_item item)
{
  items->failed = items->failed || !SL_GROW(items->item, items->count);
  if (!items->failed)
    items->item[items->count++] = item;
}

uint32_t sl_rv32_word(enum sl_op op, struct sl_rv32_operands o)
{
  const uint32_t imm = (uint32_t)o.imm, word = sl_op_info(op)->match | o.rs1 << 15;
  switch (sl_op_info(op)->format) {
  case SL_FORMAT_U: return sl_op_info(op)->match | (imm & 0xfffff000) | o.rd << 7;
  case SL_FORMAT_S: return word | (imm >> 5 & 0x7f) << 25 | o.rs2 << 20 | (imm & 31) << 7;
  case SL_FORMAT_SH: return word | (imm & 31) << 20 | o.rd << 7;
  case SL_FORMAT_R: return word | o.rs2 << 20 | o.rd << 7;
  default: return word | imm << 20 | o.rd << 7;
  }
}

void sl_rv32_add_number(struct sl_rv32_items *items, uint32_t rd, uint32_t number)
{
  const int32_t low = (int32_t)(number << 20) >> 20;
  const uint32_t high = number - (uint32_t)low;
  if (high != 0)
    sl_rv32_add_word(items, 0, sl_rv32_word(SL_OP_LUI, (struct sl_rv32_operands){.rd = rd, .imm = (int32_t)high}));
  if (low != 0 || high == 0)
    sl_rv32_add_word(
        items, 0, sl_rv32_word(SL_OP_ADDI, (struct sl_rv32_operands){.rd = rd, .rs1 = high != 0 ? rd : 0, .imm = low}));
}

static void place_all(const struct sl_rv32_items *items, uint32_t *place)
{
  place[0] = 0;
  for (uint32_t i = 0; i < items->count; i++)
    place[i + 1] = place[i] + 1 + (items->item[i].prefix != 0) + 2u * items->item[i].far;
}

/* Returns the bytes from the word of item i to another item, or to an address. */
static int32_t distance(const struct sl_rv32_items *items, const uint32_t *place, uint32_t i, uint32_t to)
{
  return (int32_t)((to - place[i] - (items->item[i].prefix != 0)) * WORD);
}

void sl_rv32_places(struct sl_rv32_items *items, const uint32_t *label, uint32_t *place)
{
  for (bool changed = true; changed;) {
    changed = false;
    place_all(items, place);
    for (uint32_t i = 0; i < items->count; i++) {
      struct sl_rv32_item *item = &items->item[i];
      if (item->kind != SL_RV32_BRANCH || item->far)
        continue;
      const int32_t bytes = distance(items, place, i, place[label[item->target]]);
      item->far = bytes < -BRANCH_REACH || bytes >= BRANCH_REACH;
      changed |= item->far;
    }
  }
}

static uint32_t branch_bits(int32_t bytes)
{
  const uint32_t b = (uint32_t)bytes;
  return (b >> 12 & 1) << 31 | (b >> 5 & 63) << 25 | (b >> 1 & 15) << 8 | (b >> 11 & 1) << 7;
}

static uint32_t jump_bits(int32_t bytes)
{
  const uint32_t b = (uint32_t)bytes;
  return (b >> 20 & 1) << 31 | (b >> 1 & 1023) << 21 | (b >> 11 & 1) << 20 | (b >> 12 & 255) << 12;
}

/* False: the target is out of range. */
static bool jump(uint32_t *word, uint32_t link, int32_t bytes)
{
  *word = sl_op_info(SL_OP_JAL)->match | link | jump_bits(bytes);
  return bytes >= -JUMP_REACH && bytes < JUMP_REACH;
}

enum sl_status sl_rv32_items_write(const struct sl_rv32_items *items, const uint32_t *label, const uint32_t *place,
                                   uint32_t address, uint32_t *word, struct sl_error *err)
{
  enum { LINK = 31 << 7 };
  bool reached = true;
  for (uint32_t i = 0; i < items->count; i++) {
    const struct sl_rv32_item *item = &items->item[i];
    uint32_t at = place[i], *w = &word[at];
    if (item->prefix != 0)
      *w++ = item->prefix;
    *w = item->word;
    if (item->kind == SL_RV32_BRANCH && !item->far) {
      *w |= branch_bits(distance(items, place, i, place[label[item->target]]));
    } else if (item->kind == SL_RV32_BRANCH) {
      /* Not inverted, because the branch's outcome decides which lanes run first. */
      *w |= branch_bits(2 * WORD);
      reached &= jump(w + 1, 0, 2 * WORD);
      reached &= jump(w + 2, 0, distance(items, place, i, place[label[item->target]]) - 2 * WORD);
    } else if (item->kind == SL_RV32_JUMP) {
      reached &= jump(w, item->word & LINK, distance(items, place, i, place[label[item->target]]));
    } else if (item->kind == SL_RV32_CALL) {
      reached &= jump(w, item->word & LINK, distance(items, place, i, (item->target - address) / WORD));
    }
  }
  return reached ? SL_OK : sl_fail(err, SL_USAGE, "it jumps farther than 1 MiB");
}

/* ---- phases ------------------------------------------------------------------------------------------------------ */

/* Registers of the coefficient phase. */
enum { SP = 2, A0 = 10, SUM = 28, PRODUCT = 29, NUMBER = 30, SYMBOL = 31, SIZES = SL_LINEAR_INDICES };

static const uint8_t symbol_registers[] = {5,  6,  7,  8,  9,  11, 12, 13, 14, 15, 16,
                                           17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27};
enum { SYMBOL_REGISTERS = sizeof symbol_registers };

struct writer {
  struct sl_rv32_items *items;
  const struct sl_linear_plan *plan;
  const struct sl_linear_coefficients *c;
  const struct sl_linear_abi *abi;
  uint16_t held[SYMBOL_REGISTERS]; /* symbols in registers, in order of loading */
  unsigned holds;
};

static void emit(struct writer *w, enum sl_op op, struct sl_rv32_operands operands)
{
  sl_rv32_add_word(w->items, 0, sl_rv32_word(op, operands));
}

static uint32_t load_to(struct writer *w, uint16_t number, uint32_t rd)
{
  enum { CSRRS_SHIFT = 20 };
  const struct sl_linear_symbol *s = &w->plan->analysis->code->symbol[number];
  const uint32_t size = w->abi->place_csr + (uint32_t)SIZES + s->at;
  switch ((enum sl_linear_origin)s->origin) {
  case SL_LINEAR_ARGUMENT:
    emit(w, SL_OP_LW, (struct sl_rv32_operands){.rd = rd, .rs1 = A0, .imm = (int32_t)s->at});
    return rd;
  case SL_LINEAR_BLOCK_SIZE:
    sl_rv32_add_word(w->items, 0, sl_op_info(SL_OP_CSRRS)->match | size << CSRRS_SHIFT | rd << 7);
    return rd;
  case SL_LINEAR_GRID_SIZE:
    sl_rv32_add_word(w->items, 0, sl_op_info(SL_OP_CSRRS)->match | (size + 3) << CSRRS_SHIFT | rd << 7);
    return rd;
  case SL_LINEAR_REGISTER: break;
  }
  return s->at; /* a0 or sp, which the phase does not write */
}

/* Returns the register with a symbol's value; loads it if necessary. */
static uint32_t value_of(struct writer *w, uint16_t number)
{
  for (unsigned i = 0; i < w->holds; i++)
    if (w->held[i] == number)
      return symbol_registers[i];
  if (w->plan->analysis->code->symbol[number].origin == SL_LINEAR_REGISTER || w->holds == SYMBOL_REGISTERS)
    return load_to(w, number, SYMBOL);
  w->held[w->holds] = number;
  return load_to(w, number, symbol_registers[w->holds++]);
}

/* Returns the register with a term's value. */
static uint32_t term_value(struct writer *w, const struct sl_poly_term *t)
{
  const uint32_t number = (uint32_t)t->coefficient;
  if (t->symbol[0] == 0) {
    sl_rv32_add_number(w->items, NUMBER, number);
    return NUMBER;
  }
  uint32_t reg = value_of(w, t->symbol[0]);
  for (unsigned k = 1; k < SL_POLY_DEGREE && t->symbol[k] != 0; k++) {
    if (reg == SYMBOL) { /* the next value may use the register, too */
      emit(w, SL_OP_ADDI, (struct sl_rv32_operands){.rd = PRODUCT, .rs1 = SYMBOL});
      reg = PRODUCT;
    }
    emit(w, SL_OP_MUL, (struct sl_rv32_operands){.rd = PRODUCT, .rs1 = reg, .rs2 = value_of(w, t->symbol[k])});
    reg = PRODUCT;
  }
  if (number == 1)
    return reg;
  if ((number & (number - 1)) == 0) {
    emit(w, SL_OP_SLLI, (struct sl_rv32_operands){.rd = PRODUCT, .rs1 = reg, .imm = __builtin_ctz(number)});
    return PRODUCT;
  }
  sl_rv32_add_number(w->items, NUMBER, number);
  emit(w, SL_OP_MUL, (struct sl_rv32_operands){.rd = PRODUCT, .rs1 = reg, .rs2 = NUMBER});
  return PRODUCT;
}

/* The last instruction also writes the coefficient if it computed it; otherwise a move does. */
static uint32_t put(struct writer *w, unsigned cr, uint32_t reg, bool computed)
{
  const uint32_t prefix = sl_linear_word(SL_OP_R2_CR, &(struct sl_linear_fields){.cr = cr});
  if (computed && !w->items->failed)
    w->items->item[w->items->count - 1].prefix = prefix;
  else
    sl_rv32_add_word(w->items, prefix, sl_rv32_word(SL_OP_ADDI, (struct sl_rv32_operands){.rd = SUM, .rs1 = reg}));
  return computed ? reg : SUM;
}

/* Returns the register with the coefficient. */
static uint32_t compute(struct writer *w, unsigned cr)
{
  const struct sl_poly_term *term;
  const unsigned terms = sl_poly_terms(w->plan->analysis->polys, w->c->cr[cr], &term);
  uint32_t sum = 0;
  const unsigned held = w->holds;
  const uint32_t before = w->items->count;
  for (unsigned t = 0; t < terms; t++) {
    const int64_t number = (int32_t)term[t].coefficient;
    if (t > 0 && term[t].symbol[0] == 0 && sl_rv32_is_short(number)) {
      emit(w, SL_OP_ADDI, (struct sl_rv32_operands){.rd = SUM, .rs1 = sum, .imm = (int32_t)number});
      sum = SUM;
      continue;
    }
    if (t > 0 && (sum == PRODUCT || sum == NUMBER || sum == SYMBOL)) { /* the next term may overwrite the register */
      emit(w, SL_OP_ADDI, (struct sl_rv32_operands){.rd = SUM, .rs1 = sum});
      sum = SUM;
    }
    const uint32_t value = term_value(w, &term[t]);
    if (t > 0)
      emit(w, SL_OP_ADD, (struct sl_rv32_operands){.rd = SUM, .rs1 = sum, .rs2 = value});
    sum = t > 0 ? (uint32_t)SUM : value;
  }
  /* A value from a load alone remains in the symbol's register. */
  const bool computed = w->items->count > before && (sum == SUM || sum == PRODUCT || sum == NUMBER) &&
                        !(held != w->holds && sum == symbol_registers[w->holds - 1]);
  return put(w, cr, sum, computed);
}

static void add_coefficients(struct writer *w)
{
  for (unsigned i = 0; i < w->c->crs; i++) {
    if (!w->c->used[i] || sl_linear_coefficient(w->c, w->c->cr[i], 0) != (int)i)
      continue;
    const uint32_t reg = compute(w, i);
    for (unsigned k = i + 1; k < w->c->crs; k++)
      if (w->c->used[k] && w->c->cr[k] == w->c->cr[i])
        put(w, k, reg, false);
  }
}

static void add_thread_part(struct writer *w)
{
  for (uint32_t t = 0; t < w->plan->trs; t++) {
    struct sl_linear_fields f = {.tr = t};
    for (unsigned d = 0; d < SL_LINEAR_BX; d++) {
      const sl_poly factor = w->plan->tr[t].index[d];
      int64_t number = 0;
      if (factor == SL_POLY_ZERO)
        continue;
      const bool immediate = sl_linear_is_immediate(w->plan, factor, SL_RV32_FACTOR_BITS, &number);
      f.dimension = d;
      f.number = (int32_t)number;
      f.cr = immediate ? 0 : (uint32_t)sl_linear_coefficient(w->c, factor, w->c->offsets);
      sl_rv32_add_word(w->items, 0, sl_linear_word(immediate ? SL_OP_R2_MADI_TR : SL_OP_R2_MAD_TR, &f));
      f.adds = true;
    }
  }
}

static void add_block_part(struct writer *w)
{
  if (w->c->slices > 0)
    sl_rv32_add_word(w->items, 0, sl_linear_word(SL_OP_R2_MOV_BR, &(struct sl_linear_fields){0}));
  for (unsigned s = 1; s < w->c->slices; s++)
    sl_rv32_add_word(
        w->items, 0,
        sl_linear_word(SL_OP_R2_MAD_BR, &(struct sl_linear_fields){.slice = s, .dimension = w->c->dimension[s]}));
}

void sl_rv32_phases_add(struct sl_rv32_items *items, const struct sl_linear_plan *plan,
                        const struct sl_linear_coefficients *coefficients, const struct sl_linear_abi *abi,
                        uint32_t begins[3])
{
  struct writer w = {.items = items, .plan = plan, .c = coefficients, .abi = abi};
  static void (*const add[])(struct writer *) = {add_coefficients, add_thread_part, add_block_part};
  for (unsigned p = 0; p < 3; p++) {
    begins[p] = items->count;
    add[p](&w);
    sl_rv32_add_word(items, 0, sl_linear_word(SL_OP_R2_END, &(struct sl_linear_fields){0}));
  }
}
