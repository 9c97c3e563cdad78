#include "compiler/isa64/assembler/asm_raw.h"

#include <ctype.h>
#include <string.h>

#include "compiler/isa64/rv32/rv32_words.h"

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
static bool registers(const struct sl_asm_statement *s, unsigned first, unsigned count, uint8_t *const *to)
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
  if (!registers(s, 3, s->count - 3, to))
    return sl_asm_no_register;
  return decode(f, f->opcode | f->funct3 << 12 | f->funct7 << 25 | (f->rs2 & 31u) << 20 | (f->rs3 & 31u) << 27, insn);
}

/* i opcode, funct3, rd, rs1, imm or rd, imm(rs1). */
static const char *form_i(const struct sl_asm_statement *s, struct fields *f, struct sl_asm_insn *insn)
{
  char offset[SL_ASM_TEXT_SIZE];
  uint8_t *const to[] = {&f->rd, &f->rs1};
  const bool in_memory = s->count == 4;
  if (!registers(s, 2, in_memory ? 1 : 2, to))
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
  if (!registers(s, 2, 2, to))
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
