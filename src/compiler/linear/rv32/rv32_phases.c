#include "compiler/linear/rv32/rv32_write.h"

/* Registers of the coefficient phase. */
enum { SP = 2, A0 = 10, SUM = 28, PRODUCT = 29, NUMBER = 30, SYMBOL = 31, WORD = 4, SIZES = SL_LINEAR_INDICES };

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
