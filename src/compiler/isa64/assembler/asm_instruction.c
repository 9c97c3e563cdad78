#include "compiler/isa64/assembler/asm_instruction.h"

#include <string.h>

#include "compiler/isa64/rv32/rv32_words.h"

/* ---- mnemonics --------------------------------------------------------------------------------------------------- */

/* Parses the suffix of a mnemonic: the ordering of an atomic, or the negation of a predicate. */
static bool suffix_mode(const char *suffix, enum sl_format format, uint8_t *mode)
{
  static const struct {
    const char *text;
    bool atomic;
    uint8_t mode;
  } suffixes[] = {{".rl", true, 1}, {".aq", true, 2}, {".aqrl", true, 3}, {"_n", false, 1}};
  const bool atomic = format == SL_FORMAT_A || format == SL_FORMAT_AL;
  const bool split = format == SL_FORMAT_SPLIT || format == SL_FORMAT_PRED;
  *mode = 0;
  for (size_t i = 0; i < sizeof suffixes / sizeof suffixes[0]; i++)
    if ((suffixes[i].atomic ? atomic : split) && strcmp(suffix, suffixes[i].text) == 0) {
      *mode = suffixes[i].mode;
      return true;
    }
  return suffix[0] == '\0';
}

static bool find_row(const char *mnemonic, struct sl_wide *wide)
{
  for (unsigned op = SL_OP_UNKNOWN + 1; op < SL_OP_COUNT; op++) {
    const struct sl_op_info *info = sl_op_info(op);
    const size_t length = strlen(info->name);
    if (((unsigned)info->set & SL_WIDE_SETS) == 0 || strncmp(mnemonic, info->name, length) != 0 ||
        !suffix_mode(mnemonic + length, info->format, &wide->mode))
      continue;
    wide->op = (enum sl_op)op;
    return true;
  }
  return false;
}

/* ---- operands ---------------------------------------------------------------------------------------------------- */

static bool rounding_mode(const char *text, uint8_t *mode)
{
  static const char *const names[] = {"rne", "rtz", "rdn", "rup", "rmm", NULL, NULL, "dyn"};
  for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++)
    if (names[i] != NULL && strcmp(text, names[i]) == 0) {
      *mode = (uint8_t)i;
      return true;
    }
  return false;
}

static bool csr_number(const char *text, uint16_t *csr)
{
  uint32_t number;
  char name[SL_CSR_NAME_SIZE];
  if (sl_asm_number(text, &number)) {
    *csr = (uint16_t)number;
    return number < 4096;
  }
  for (unsigned i = 0; i < 4096; i++)
    if (strcmp(sl_csr_name(i, name), text) == 0) {
      *csr = (uint16_t)i;
      return true;
    }
  return false;
}

/* Parses a subset of the letters "iorw", in this order. */
static bool fence_set(const char *text, uint32_t *set)
{
  *set = 0;
  for (unsigned i = 0; i < 4; i++)
    if (*text == "iorw"[i]) {
      *set |= 8u >> i;
      text++;
    }
  return *text == '\0' && *set != 0;
}

static const char *registers(const struct sl_asm_statement *s, unsigned count, uint8_t *const *to)
{
  for (unsigned i = 0; i < count; i++)
    if (!sl_asm_register(s->operand[i], to[i]))
      return sl_asm_no_register;
  return NULL;
}

/* `count` registers and an optional rounding mode. */
static const char *with_rounding(const struct sl_asm_statement *s, struct sl_wide *w, unsigned count)
{
  uint8_t *const to[] = {&w->rd, &w->rs1, &w->rs2, &w->rs3};
  w->mode = 7;
  if (s->count != count && s->count != count + 1)
    return sl_asm_wrong_count;
  if (s->count > count && !rounding_mode(s->operand[count], &w->mode))
    return "a rounding mode is expected: rne, rtz, rdn, rup, rmm or dyn";
  return registers(s, count, to);
}

static const char *only_registers(const struct sl_asm_statement *s, unsigned count, uint8_t *const *to)
{
  return s->count == count ? registers(s, count, to) : sl_asm_wrong_count;
}

static const char *memory(const struct sl_asm_statement *s, struct sl_asm_insn *insn, uint8_t *reg)
{
  char offset[SL_ASM_TEXT_SIZE];
  if (s->count != 2)
    return sl_asm_wrong_count;
  if (!sl_asm_register(s->operand[0], reg))
    return sl_asm_no_register;
  return sl_asm_memory(s->operand[1], offset, &insn->wide.rs1) ? sl_asm_immediate(offset, insn) : sl_asm_no_address;
}

/* "rd, imm(rs1)", "rd, rs1, imm" or "rd, rs1". */
static const char *jump_to_register(const struct sl_asm_statement *s, struct sl_asm_insn *insn)
{
  uint8_t *const to[] = {&insn->wide.rd, &insn->wide.rs1};
  if (s->count == 2 && !sl_asm_register(s->operand[1], &insn->wide.rs1))
    return memory(s, insn, &insn->wide.rd);
  if (s->count != 2 && s->count != 3)
    return sl_asm_wrong_count;
  const char *reason = registers(s, 2, to);
  return reason == NULL && s->count == 3 ? sl_asm_immediate(s->operand[2], insn) : reason;
}

static const char *with_target(const struct sl_asm_statement *s, struct sl_asm_insn *insn, unsigned count,
                               uint8_t *const *to)
{
  insn->jumps = true;
  if (s->count != count + 1)
    return sl_asm_wrong_count;
  const char *reason = registers(s, count, to);
  return reason == NULL ? sl_asm_immediate(s->operand[count], insn) : reason;
}

static const char *shift(const struct sl_asm_statement *s, struct sl_wide *w)
{
  uint8_t *const to[] = {&w->rd, &w->rs1};
  if (s->count != 3)
    return sl_asm_wrong_count;
  if (!sl_asm_number(s->operand[2], &w->imm) || w->imm > 31)
    return "an amount from 0 to 31 is expected";
  return registers(s, 2, to);
}

/* "lui rd, 0x12345" has the upper 20 bits. */
static const char *upper(const struct sl_asm_statement *s, struct sl_asm_insn *insn)
{
  if (s->count != 2)
    return sl_asm_wrong_count;
  if (!sl_asm_register(s->operand[0], &insn->wide.rd))
    return sl_asm_no_register;
  const char *reason = sl_asm_immediate(s->operand[1], insn);
  if (reason != NULL || insn->wide.op != SL_OP_LUI || insn->address.symbol[0] != '\0')
    return reason;
  if (insn->address.part != SL_ASM_WHOLE)
    return NULL;
  if (insn->wide.imm > 0xfffff)
    return "a number of 20 bits is expected";
  insn->wide.imm <<= 12;
  return NULL;
}

static const char *atomic(const struct sl_asm_statement *s, struct sl_wide *w)
{
  char offset[SL_ASM_TEXT_SIZE];
  const bool load = w->op == SL_OP_LR;
  uint8_t *const to[] = {&w->rd, &w->rs2};
  if (s->count != (load ? 2 : 3))
    return sl_asm_wrong_count;
  const char *reason = registers(s, s->count - 1, to);
  const char *last = s->operand[s->count - 1];
  if (reason == NULL &&
      (!sl_asm_memory(last, offset, &w->rs1) || strcmp(offset, "0") != 0 || strchr(last, '(') == NULL))
    return "an address in a register is expected, such as (a0)";
  return reason;
}

/* A number instead of the last register selects the immediate form. */
static const char *csr(const struct sl_asm_statement *s, struct sl_wide *w)
{
  if (s->count != 3)
    return sl_asm_wrong_count;
  if (!sl_asm_register(s->operand[0], &w->rd))
    return sl_asm_no_register;
  if (!csr_number(s->operand[1], &w->csr))
    return "a CSR is expected, by name or number";
  if (sl_asm_register(s->operand[2], &w->rs1))
    return sl_op_info(w->op)->format == SL_FORMAT_C ? NULL : "a number from 0 to 31 is expected";
  if (!sl_asm_number(s->operand[2], &w->imm) || w->imm > 31)
    return "a register or a number from 0 to 31 is expected";
  w->op = w->op == SL_OP_CSRRW   ? SL_OP_CSRRWI
          : w->op == SL_OP_CSRRS ? SL_OP_CSRRSI
          : w->op == SL_OP_CSRRC ? SL_OP_CSRRCI
                                 : w->op;
  return NULL;
}

static const char *fence(const struct sl_asm_statement *s, struct sl_wide *w)
{
  uint32_t before, after;
  if (s->count != 2)
    return sl_asm_wrong_count;
  if (!fence_set(s->operand[0], &before) || !fence_set(s->operand[1], &after))
    return "sets of accesses are expected, such as rw";
  w->imm = before << 4 | after;
  return NULL;
}

static const char *operands(const struct sl_asm_statement *s, struct sl_asm_insn *insn)
{
  struct sl_wide *const w = &insn->wide;
  uint8_t *const dst[] = {&w->rd, &w->rs1, &w->rs2, &w->rs3}, *const src[] = {&w->rs1, &w->rs2};
  switch (sl_op_info(w->op)->format) {
  case SL_FORMAT_U: return upper(s, insn);
  case SL_FORMAT_J: return with_target(s, insn, 1, dst);
  case SL_FORMAT_B: return with_target(s, insn, 2, src);
  case SL_FORMAT_IJ: return jump_to_register(s, insn);
  case SL_FORMAT_IL: return memory(s, insn, &w->rd);
  case SL_FORMAT_S: return memory(s, insn, &w->rs2);
  case SL_FORMAT_I:
    if (s->count != 3)
      return sl_asm_wrong_count;
    return registers(s, 2, dst) != NULL ? sl_asm_no_register : sl_asm_immediate(s->operand[2], insn);
  case SL_FORMAT_SH: return shift(s, w);
  case SL_FORMAT_R: return only_registers(s, 3, dst);
  case SL_FORMAT_RM: return with_rounding(s, w, 3);
  case SL_FORMAT_R1M: return with_rounding(s, w, 2);
  case SL_FORMAT_R4M: return with_rounding(s, w, 4);
  case SL_FORMAT_R4: return only_registers(s, 4, dst);
  case SL_FORMAT_R1:
  case SL_FORMAT_SPLIT: return only_registers(s, 2, dst);
  case SL_FORMAT_R1S: return only_registers(s, 1, src);
  case SL_FORMAT_R2S:
  case SL_FORMAT_PRED: return only_registers(s, 2, src);
  case SL_FORMAT_A:
  case SL_FORMAT_AL: return atomic(s, w);
  case SL_FORMAT_C:
  case SL_FORMAT_CI: return csr(s, w);
  case SL_FORMAT_FENCE: return fence(s, w);
  case SL_FORMAT_LINEAR:
  case SL_FORMAT_N:
  case SL_FORMAT_NONE: break;
  }
  return s->count == 0 ? NULL : sl_asm_wrong_count;
}

const char *sl_asm_instruction(const struct sl_asm_statement *statement, struct sl_asm_insn *insn)
{
  *insn = (struct sl_asm_insn){0};
  if (strcmp(statement->mnemonic, "fence.tso") == 0) {
    insn->wide = (struct sl_wide){.op = SL_OP_FENCE, .imm = 0x833};
    return statement->count == 0 ? NULL : sl_asm_wrong_count;
  }
  if (!find_row(statement->mnemonic, &insn->wide))
    return sl_asm_no_instruction;
  return operands(statement, insn);
}
