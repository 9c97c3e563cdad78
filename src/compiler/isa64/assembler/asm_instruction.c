#include "compiler/isa64/assembler/assembler64.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/isa64/rv32/rv32_object.h"

/* Reasons why a statement is no instruction. */
extern const char sl_asm_no_instruction[], sl_asm_no_register[], sl_asm_no_address[], sl_asm_wrong_count[];

enum { NAME_SIZE = 16 };

const char sl_asm_no_instruction[] = "there is no such instruction";
const char sl_asm_no_register[] = "a register is expected, from x0 to x255";
const char sl_asm_no_address[] = "a number or an address is expected";
const char sl_asm_wrong_count[] = "it has the wrong number of operands";

/* Parses a register name: x0 to x255, and the names of isa/wide.h. */
static bool sl_asm_register(const char *text, uint8_t *reg)
{
  if (text[0] == 'x' && isdigit((unsigned char)text[1]) && strlen(text) <= 4) {
    char *end;
    const unsigned long number = strtoul(text + 1, &end, 10);
    *reg = (uint8_t)number;
    return *end == '\0' && number < SL_WIDE_REGISTERS && (text[1] != '0' || number == 0);
  }
  for (unsigned i = 0; i < SL_WIDE_REGISTERS; i++)
    if (strcmp(text, sl_wide_register_name(i)) == 0) {
      *reg = (uint8_t)i;
      return true;
    }
  *reg = 8;
  return strcmp(text, "fp") == 0;
}

/* Extracts the text between the last parentheses, which end the operand, without spaces; false if there are none. */
static bool in_parentheses(const char *text, char name[NAME_SIZE])
{
  const char *open = strrchr(text, '(');
  if (open == NULL || text[strlen(text) - 1] != ')')
    return false;
  size_t length = 0;
  for (const char *at = open + 1; at[1] != '\0'; at++)
    if (!isspace((unsigned char)*at)) {
      if (length == NAME_SIZE - 1)
        return false;
      name[length++] = *at;
    }
  name[length] = '\0';
  return true;
}

/* Parses "imm(reg)", "(reg)" or "imm" (relative to x0); writes the text of the immediate to `offset`. */
static bool sl_asm_memory(const char *text, char offset[SL_ASM_TEXT_SIZE], uint8_t *base)
{
  char name[NAME_SIZE];
  const bool has_base = in_parentheses(text, name) && sl_asm_register(name, base);
  const size_t before = has_base ? (size_t)(strrchr(text, '(') - text) : strlen(text);
  if (before >= SL_ASM_TEXT_SIZE || (!has_base && before == 0))
    return false;
  memcpy(offset, text, before);
  offset[before] = '\0';
  if (offset[strspn(offset, " \t")] == '\0')
    memcpy(offset, "0", 2);
  *base = has_base ? *base : 0;
  return true;
}

/* Parses an immediate or an address. Returns NULL, or the reason why the text is neither. */
static const char *sl_asm_immediate(const char *text, struct sl_asm_insn *insn)
{
  uint8_t reg;
  if (sl_asm_register(text, &reg) || !sl_asm_value(text, &insn->address))
    return sl_asm_no_address;
  if (insn->address.symbol[0] == '\0')
    insn->wide.imm = insn->address.number;
  return NULL;
}

/* Fields of an RV32 word, from the statement. */
struct fields {
  uint32_t opcode, funct3, funct7;
  uint8_t rd, rs1, rs2, rs3;
};

static bool field(const char *text, uint32_t limit, uint32_t *value)
{
  return sl_asm_number(text, value) && *value < limit;
}

static bool opcode(const char *text, uint32_t *value)
{
  static const char *const names[] = {"CUSTOM_0", "CUSTOM_1", "CUSTOM_2", "CUSTOM_3"};
  static const uint32_t values[] = {0x0b, 0x2b, 0x5b, 0x7b};
  for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++)
    if (strcmp(text, names[i]) == 0) {
      *value = values[i];
      return true;
    }
  return field(text, 128, value);
}

/* Decodes the word. Registers above x31 are valid only in register fields, not where the encoding fixes a number. */
static const char *decode(const struct fields *f, uint32_t word, struct sl_asm_insn *insn)
{
  if (!sl_wide_of_rv32(word | (f->rd & 31u) << 7 | (f->rs1 & 31u) << 15, &insn->wide))
    return sl_asm_no_instruction;
  const unsigned has = sl_op_info(insn->wide.op)->fields;
  struct sl_wide *const w = &insn->wide;
  if ((f->rd > 31 && !(has & SL_FIELD_RD)) || (f->rs1 > 31 && !(has & SL_FIELD_RS1)) ||
      (f->rs2 > 31 && !(has & SL_FIELD_RS2)) || (f->rs3 > 31 && !(has & SL_FIELD_RS3)))
    return "this field cannot hold a register above x31";
  w->rd = has & SL_FIELD_RD ? f->rd : 0;
  w->rs1 = has & SL_FIELD_RS1 ? f->rs1 : 0;
  w->rs2 = has & SL_FIELD_RS2 ? f->rs2 : 0;
  w->rs3 = has & SL_FIELD_RS3 ? f->rs3 : 0;
  return NULL;
}

/* Parses register operands from number `first` on. */
static bool raw_registers(const struct sl_asm_statement *s, unsigned first, unsigned count, uint8_t *const *to)
{
  for (unsigned i = 0; i < count; i++)
    if (!sl_asm_register(s->operand[first + i], to[i]))
      return false;
  return true;
}

/* r opcode, funct3, funct7, rd, rs1, rs2; r4 has funct2 and, at the end, rs3. */
static const char *form_r(const struct sl_asm_statement *s, struct fields *f, struct sl_asm_insn *insn)
{
  uint8_t *const to[] = {&f->rd, &f->rs1, &f->rs2, &f->rs3};
  const bool four = s->count == 7;
  if (!field(s->operand[2], four ? 4 : 128, &f->funct7))
    return "funct3 and funct7 are expected";
  if (!raw_registers(s, 3, s->count - 3, to))
    return sl_asm_no_register;
  return decode(f, f->opcode | f->funct3 << 12 | f->funct7 << 25 | (f->rs2 & 31u) << 20 | (f->rs3 & 31u) << 27, insn);
}

/* i opcode, funct3, rd, rs1, imm or rd, imm(rs1). */
static const char *form_i(const struct sl_asm_statement *s, struct fields *f, struct sl_asm_insn *insn)
{
  char offset[SL_ASM_TEXT_SIZE];
  uint8_t *const to[] = {&f->rd, &f->rs1};
  const bool in_memory = s->count == 4;
  if (!raw_registers(s, 2, in_memory ? 1 : 2, to))
    return sl_asm_no_register;
  if (in_memory && !sl_asm_memory(s->operand[3], offset, &f->rs1))
    return sl_asm_no_address;
  struct sl_asm_insn number = {0};
  const char *reason = sl_asm_immediate(in_memory ? offset : s->operand[4], &number);
  if (reason == NULL)
    reason = decode(f, f->opcode | f->funct3 << 12 | (number.wide.imm & 0xfff) << 20, insn);
  const enum sl_format format = sl_op_info(insn->wide.op)->format;
  insn->address = number.address;
  if (format == SL_FORMAT_I || format == SL_FORMAT_IL || format == SL_FORMAT_IJ)
    insn->wide.imm = number.wide.imm;
  else if (number.address.symbol[0] != '\0')
    return sl_asm_no_address;
  return reason;
}

/* s opcode, funct3, rs2, imm(rs1). */
static const char *form_s(const struct sl_asm_statement *s, struct fields *f, struct sl_asm_insn *insn)
{
  char offset[SL_ASM_TEXT_SIZE];
  if (!sl_asm_register(s->operand[2], &f->rs2) || !sl_asm_memory(s->operand[3], offset, &f->rs1))
    return sl_asm_no_register;
  const char *reason = decode(f, f->opcode | f->funct3 << 12 | (f->rs2 & 31u) << 20, insn);
  return reason == NULL ? sl_asm_immediate(offset, insn) : reason;
}

/* b opcode, funct3, rs1, rs2, target. */
static const char *form_b(const struct sl_asm_statement *s, struct fields *f, struct sl_asm_insn *insn)
{
  uint8_t *const to[] = {&f->rs1, &f->rs2};
  if (!raw_registers(s, 2, 2, to))
    return sl_asm_no_register;
  insn->jumps = true;
  const char *reason = decode(f, f->opcode | f->funct3 << 12 | (f->rs2 & 31u) << 20, insn);
  return reason == NULL ? sl_asm_immediate(s->operand[4], insn) : reason;
}

/* u opcode, rd, imm and j opcode, rd, target. */
static const char *form_u(const struct sl_asm_statement *s, struct fields *f, bool jumps, struct sl_asm_insn *insn)
{
  if (!sl_asm_register(s->operand[1], &f->rd))
    return sl_asm_no_register;
  insn->jumps = jumps;
  const char *reason = decode(f, f->opcode, insn);
  if (reason == NULL)
    reason = sl_asm_immediate(s->operand[2], insn);
  if (insn->wide.op == SL_OP_LUI && insn->address.symbol[0] == '\0')
    insn->wide.imm <<= 12;
  return reason;
}

/* A word of RV32, optionally preceded by its length. */
static const char *form_word(const struct sl_asm_statement *s, struct sl_asm_insn *insn)
{
  uint32_t word;
  if (s->count > 1 || (s->count == 1 && strcmp(s->mnemonic, "4,") != 0))
    return "an RV32 word has 4 bytes";
  if (!sl_asm_number(s->count == 1 ? s->operand[0] : s->mnemonic, &word) || !sl_wide_of_rv32(word, &insn->wide))
    return sl_asm_no_instruction;
  return NULL;
}

const char *sl_asm_raw(const struct sl_asm_statement *s, struct sl_asm_insn *insn)
{
  static const struct {
    const char *name;
    unsigned least, most; /* number of operands */
    bool funct3;
  } forms[] = {{"r", 6, 7, true},  {"r4", 7, 7, true}, {"i", 4, 5, true},  {"s", 4, 4, true},  {"b", 5, 5, true},
               {"sb", 5, 5, true}, {"u", 3, 3, false}, {"j", 3, 3, false}, {"uj", 3, 3, false}};
  *insn = (struct sl_asm_insn){0};
  if (isdigit((unsigned char)s->mnemonic[0]))
    return form_word(s, insn);
  for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
    struct fields f = {0};
    if (strcmp(s->mnemonic, forms[i].name) != 0)
      continue;
    if (s->count < forms[i].least || s->count > forms[i].most)
      return sl_asm_wrong_count;
    if (!opcode(s->operand[0], &f.opcode) || (forms[i].funct3 && !field(s->operand[1], 8, &f.funct3)))
      return "an opcode and funct3 are expected";
    switch (forms[i].name[0]) {
    case 'r': return form_r(s, &f, insn);
    case 'i': return form_i(s, &f, insn);
    case 's': return forms[i].name[1] == 'b' ? form_b(s, &f, insn) : form_s(s, &f, insn);
    case 'b': return form_b(s, &f, insn);
    default: return form_u(s, &f, strchr(forms[i].name, 'j') != NULL, insn);
    }
  }
  return "unknown format; choose r, r4, i, s, b, u or j";
}

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

static const char *barrier(const struct sl_asm_statement *s, struct sl_wide *w)
{
  if (s->count != 1)
    return sl_asm_wrong_count;
  return sl_asm_number(s->operand[0], &w->imm) && w->imm <= 31 ? NULL : "a number from 0 to 31 is expected";
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
  case SL_FORMAT_BARRIER: return barrier(s, w);
  case SL_FORMAT_FENCE: return fence(s, w);
  case SL_FORMAT_LINEAR:
  case SL_FORMAT_R0:
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
