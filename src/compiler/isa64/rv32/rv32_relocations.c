#include "compiler/isa64/rv32/rv32_object.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static unsigned field(uint32_t word, unsigned lo, unsigned n)
{
  return word >> lo & ((1u << n) - 1);
}

static unsigned mode_of(uint32_t word, enum sl_format format)
{
  switch (format) {
  case SL_FORMAT_RM:
  case SL_FORMAT_R1M:
  case SL_FORMAT_R4M: return field(word, 12, 3);
  case SL_FORMAT_A:
  case SL_FORMAT_AL: return field(word, 25, 2);
  case SL_FORMAT_SPLIT: return field(word, 20, 5) != 0;
  case SL_FORMAT_PRED: return field(word, 7, 5) != 0;
  default: return 0;
  }
}

bool sl_wide_of_rv32(uint32_t word, struct sl_wide *wide)
{
  const struct sl_insn in = sl_decode(word, SL_RV32_SETS);
  const enum sl_format format = sl_op_info(in.op)->format;
  *wide = (struct sl_wide){
      .op = (enum sl_op)in.op,
      .rd = in.rd,
      .rs1 = format == SL_FORMAT_CI ? 0 : in.rs1,
      .rs2 = in.rs2,
      .rs3 = in.rs3,
      .mode = (uint8_t)mode_of(word, format),
      .csr = in.kind == SL_KIND_CSR ? in.csr : 0,
      .imm = in.imm,
  };
  if (format == SL_FORMAT_FENCE)
    wide->imm = field(word, 20, 12);
  if (in.kind == SL_KIND_BRANCH || in.kind == SL_KIND_JAL)
    wide->imm *= 2;
  return in.op != SL_OP_UNKNOWN;
}

const char *sl_rv32_place(const struct sl_rv32_reader *reader, uint32_t section, uint32_t offset,
                          char text[SL_RV32_PLACE_SIZE])
{
  const struct sl_elf_object *elf = &reader->elf;
  const char *name = sl_elf_object_section_name(elf, section);
  uint32_t from = 0;
  for (size_t i = 0; i < elf->symbol_count; i++) {
    const Elf32_Sym symbol = sl_elf_object_symbol(elf, i);
    if (ELF32_ST_TYPE(symbol.st_info) != STT_FUNC || symbol.st_shndx != section || symbol.st_value > offset ||
        symbol.st_value < from)
      continue;
    name = sl_elf_object_string(elf, elf->sections[elf->symbols].sh_link, symbol.st_name);
    from = symbol.st_value;
  }
  snprintf(text, SL_RV32_PLACE_SIZE, "%.80s+0x%" PRIx32, name, offset - from);
  return text;
}

enum { WORD = 4 };

/* Translation of an instruction's relocation, and the instruction formats it applies to. */
struct rule {
  enum sl_fix64 fix; /* SL_FIX_NONE: the immediate is 0 */
  unsigned formats;  /* set of formats */
};

#define OF(format) (1u << SL_FORMAT_##format)
enum { UPPER = OF(U), LOWER = OF(I) | OF(IL) | OF(IJ), LOWER_STORE = OF(S) };

/* Without formats: not for instructions. */
static struct rule rule_of(unsigned type)
{
  switch (type) {
  case R_RISCV_HI20: return (struct rule){SL_FIX_HIGH, UPPER};
  case R_RISCV_LO12_I: return (struct rule){SL_FIX_LOW, LOWER};
  case R_RISCV_LO12_S: return (struct rule){SL_FIX_LOW, LOWER_STORE};
  case R_RISCV_PCREL_HI20:
  case R_RISCV_CALL:
  case R_RISCV_CALL_PLT: return (struct rule){SL_FIX_PC, UPPER};
  case R_RISCV_PCREL_LO12_I: return (struct rule){SL_FIX_NONE, LOWER};
  case R_RISCV_PCREL_LO12_S: return (struct rule){SL_FIX_NONE, LOWER_STORE};
  case R_RISCV_JAL: return (struct rule){SL_FIX_PC, OF(J)};
  case R_RISCV_BRANCH: return (struct rule){SL_FIX_PC, OF(B)};
  case R_RISCV_GOT_HI20: return (struct rule){SL_FIX_VALUE, UPPER};
  case R_RISCV_TLS_GOT_HI20: return (struct rule){SL_FIX_TP, UPPER};
  case R_RISCV_TPREL_HI20: return (struct rule){SL_FIX_TP_HIGH, UPPER};
  case R_RISCV_TPREL_LO12_I: return (struct rule){SL_FIX_TP_LOW, LOWER};
  case R_RISCV_TPREL_LO12_S: return (struct rule){SL_FIX_TP_LOW, LOWER_STORE};
  default: return (struct rule){SL_FIX_NONE, 0};
  }
}

/* Relaxation hints, which this linker ignores. */
static bool says_nothing(unsigned type)
{
  return type == R_RISCV_NONE || type == R_RISCV_RELAX || type == R_RISCV_ALIGN || type == R_RISCV_TPREL_ADD;
}

static enum sl_status not_understood(const struct sl_rv32_reader *r, uint32_t section, const Elf32_Rela *rela,
                                     struct sl_error *err)
{
  char place[SL_RV32_PLACE_SIZE];
  const unsigned type = ELF32_R_TYPE(rela->r_info);
  sl_rv32_place(r, section, rela->r_offset, place);
  if (type == R_RISCV_TLS_GD_HI20)
    return sl_fail(err, SL_USAGE,
                   "%s needs a dynamic linker to find thread-local storage; compile with -fno-pic "
                   "-ftls-model=local-exec",
                   place);
  return sl_fail(err, SL_USAGE, "relocation of type %u at %s has no equivalent in 64-bit words", type, place);
}

/* Scales an offset into code of this unit; a symbol of its code is in the unit, too. */
static enum sl_status scale_addend(const struct sl_rv32_reader *r, uint32_t symbol, int32_t *addend,
                                   struct sl_error *err)
{
  const struct sl_symbol64 *s = &r->object->symbols[symbol];
  if (s->section >= r->object->section_count || !r->object->sections[s->section].executable)
    return SL_OK;
  if (*addend % WORD != 0 || *addend > INT32_MAX / 2 || *addend < INT32_MIN / 2)
    return sl_fail(err, SL_USAGE, "%.100s%+" PRId32 " is between two instructions", s->name, *addend);
  *addend *= 2;
  return SL_OK;
}

/* ---- code -------------------------------------------------------------------------------------------------------- */

static struct sl_section64 *unit_section(const struct sl_rv32_reader *r, uint32_t section)
{
  return &r->object->sections[r->section[section]];
}

/* Processes the jump after an AUIPC, whose address is already complete. */
static enum sl_status end_call(const struct sl_rv32_reader *r, uint32_t section, uint32_t at, bool *done,
                               struct sl_error *err)
{
  struct sl_section64 *code = unit_section(r, section);
  char place[SL_RV32_PLACE_SIZE];
  if (at + 1 >= code->code_count || code->code[at + 1].insn.op != SL_OP_JALR)
    return sl_fail(err, SL_USAGE, "the call at %s has no jump", sl_rv32_place(r, section, at * WORD, place));
  code->code[at + 1].insn.imm = 0;
  done[at + 1] = true;
  return SL_OK;
}

/* Programs have no global offset table: replaces the load from the table by the address itself. */
static void take_from_table(struct sl_wide *auipc)
{
  *auipc = (struct sl_wide){.op = SL_OP_ADDI, .rd = auipc->rd};
}

static bool is_from_table(const struct sl_code64 *code)
{
  return code->insn.op == SL_OP_ADDI && (code->fix == SL_FIX_VALUE || code->fix == SL_FIX_TP);
}

static enum sl_status relocate_instruction(const struct sl_rv32_reader *r, uint32_t section, const Elf32_Rela *rela,
                                           bool *done, struct sl_error *err)
{
  struct sl_section64 *code = unit_section(r, section);
  const unsigned type = ELF32_R_TYPE(rela->r_info);
  const struct rule rule = rule_of(type);
  const uint32_t at = rela->r_offset / WORD;
  if (says_nothing(type))
    return SL_OK;
  if (rule.formats == 0)
    return not_understood(r, section, rela, err);
  char place[SL_RV32_PLACE_SIZE];
  if (rela->r_offset % WORD != 0 || at >= code->code_count || done[at] ||
      !(rule.formats & 1u << sl_op_info(code->code[at].insn.op)->format))
    return sl_fail(err, SL_USAGE, "relocation of type %u at %s does not fit the instruction there", type,
                   sl_rv32_place(r, section, rela->r_offset, place));
  struct sl_code64 *insn = &code->code[at];
  done[at] = true;
  insn->insn.imm = 0;
  if (rule.fix == SL_FIX_VALUE || rule.fix == SL_FIX_TP)
    take_from_table(&insn->insn);
  insn->fix = rule.fix;
  insn->symbol = rule.fix == SL_FIX_NONE ? 0 : ELF32_R_SYM(rela->r_info);
  insn->addend = rule.fix == SL_FIX_NONE ? 0 : rela->r_addend;
  enum sl_status status = SL_OK;
  if (rule.fix != SL_FIX_NONE)
    status = scale_addend(r, insn->symbol, &insn->addend, err);
  if (status == SL_OK && (type == R_RISCV_CALL || type == R_RISCV_CALL_PLT))
    status = end_call(r, section, at, done, err);
  return status;
}

/* The relocation of a lower part names the instruction with the upper part, which must be a merged pair. */
static enum sl_status check_lower(const struct sl_rv32_reader *r, uint32_t section, const Elf32_Rela *rela,
                                  struct sl_error *err)
{
  const struct sl_symbol64 *label = &r->object->symbols[ELF32_R_SYM(rela->r_info)];
  const struct sl_section64 *in =
      label->section < r->object->section_count ? &r->object->sections[label->section] : NULL;
  struct sl_wide *lower = &unit_section(r, section)->code[rela->r_offset / WORD].insn;
  const size_t at = label->value / SL_WIDE_BYTES;
  const struct sl_code64 *upper = in != NULL && in->executable && at < in->code_count ? &in->code[at] : NULL;
  if (rela->r_addend == 0 && upper != NULL && upper->insn.op == SL_OP_AUIPC && upper->fix == SL_FIX_PC)
    return SL_OK;
  if (rela->r_addend == 0 && upper != NULL && is_from_table(upper) && lower->op == SL_OP_LW) {
    lower->op = SL_OP_ADDI;
    return SL_OK;
  }
  char place[SL_RV32_PLACE_SIZE];
  return sl_fail(err, SL_USAGE, "the lower part of an address at %s has no upper part",
                 sl_rv32_place(r, section, rela->r_offset, place));
}

static enum sl_status relocate_code(const struct sl_rv32_reader *r, uint32_t section, uint32_t table, bool *done,
                                    struct sl_error *err)
{
  const size_t count = sl_elf_object_relocation_count(&r->elf, table);
  enum sl_status code = SL_OK;
  for (size_t i = 0; i < count && code == SL_OK; i++) {
    const Elf32_Rela rela = sl_elf_object_relocation(&r->elf, table, i);
    code = relocate_instruction(r, section, &rela, done, err);
  }
  return code;
}

static enum sl_status check_lowers(const struct sl_rv32_reader *r, uint32_t section, uint32_t table,
                                   struct sl_error *err)
{
  const size_t count = sl_elf_object_relocation_count(&r->elf, table);
  enum sl_status code = SL_OK;
  for (size_t i = 0; i < count && code == SL_OK; i++) {
    const Elf32_Rela rela = sl_elf_object_relocation(&r->elf, table, i);
    const unsigned type = ELF32_R_TYPE(rela.r_info);
    if (type == R_RISCV_PCREL_LO12_I || type == R_RISCV_PCREL_LO12_S)
      code = check_lower(r, section, &rela, err);
  }
  return code;
}

/* Checks PC-relative instructions without a relocation. Branches and jumps within a section keep their targets. Others
 * are rejected, because their meaning is unknown. */
static enum sl_status check_rest(const struct sl_rv32_reader *r, uint32_t section, const bool *done,
                                 struct sl_error *err)
{
  const struct sl_section64 *code = unit_section(r, section);
  char place[SL_RV32_PLACE_SIZE];
  for (uint32_t i = 0; i < code->code_count; i++) {
    const struct sl_wide *insn = &code->code[i].insn;
    const enum sl_format format = sl_op_info(insn->op)->format;
    const int64_t target = (int64_t)i * SL_WIDE_BYTES + (int32_t)insn->imm;
    if (done[i])
      continue;
    if ((format == SL_FORMAT_B || format == SL_FORMAT_J) &&
        (target < 0 || target >= code->size || target % SL_WIDE_BYTES != 0))
      return sl_fail(err, SL_USAGE, "the target of the jump at %s is not an instruction of its section",
                     sl_rv32_place(r, section, i * WORD, place));
    if (insn->op == SL_OP_AUIPC || (insn->op == SL_OP_JALR && insn->imm != 0))
      return sl_fail(err, SL_USAGE,
                     "%s at %s has a fixed offset in code, which translation changes; use a label instead",
                     sl_op_info(insn->op)->name, sl_rv32_place(r, section, i * WORD, place));
  }
  return SL_OK;
}

/* ---- data -------------------------------------------------------------------------------------------------------- */

static enum sl_fix64 data_fix(unsigned type)
{
  switch (type) {
  case R_RISCV_32: return SL_FIX_WORD;
  case R_RISCV_ADD32: return SL_FIX_ADD;
  case R_RISCV_SUB32: return SL_FIX_SUB;
  default: return SL_FIX_NONE;
  }
}

static enum sl_status relocate_data(const struct sl_rv32_reader *r, uint32_t section, uint32_t table,
                                    struct sl_error *err)
{
  struct sl_section64 *data = unit_section(r, section);
  const size_t count = sl_elf_object_relocation_count(&r->elf, table);
  struct sl_data_fix64 *fixes = realloc(data->fixes, (data->fix_count + count + 1) * sizeof *fixes);
  if (fixes == NULL)
    return sl_no_memory(err, count * sizeof *fixes);
  data->fixes = fixes;
  for (size_t i = 0; i < count; i++) {
    const Elf32_Rela rela = sl_elf_object_relocation(&r->elf, table, i);
    struct sl_data_fix64 fix = {data_fix(ELF32_R_TYPE(rela.r_info)), rela.r_offset, ELF32_R_SYM(rela.r_info),
                                rela.r_addend};
    if (ELF32_R_TYPE(rela.r_info) == R_RISCV_NONE)
      continue;
    if (fix.fix == SL_FIX_NONE)
      return not_understood(r, section, &rela, err);
    if (data->bytes == NULL || data->size < WORD || fix.offset > data->size - WORD)
      return sl_fail(err, SL_USAGE, "a relocation of %.60s is past its end; the file is damaged", data->name);
    if (scale_addend(r, fix.symbol, &fix.addend, err) != SL_OK)
      return SL_USAGE;
    fixes[data->fix_count++] = fix;
  }
  return SL_OK;
}

/* ---- entry points ------------------------------------------------------------------------------------------------ */

/* Calls the function for every relocation table of a section. */
static enum sl_status relocate_section(const struct sl_rv32_reader *r, uint32_t section, bool *done,
                                       struct sl_error *err)
{
  const bool is_code = unit_section(r, section)->executable;
  enum sl_status code = SL_OK;
  for (uint32_t t = 1; t < r->elf.section_count && code == SL_OK; t++)
    if (r->elf.sections[t].sh_info == section)
      code = is_code ? relocate_code(r, section, t, done, err) : relocate_data(r, section, t, err);
  for (uint32_t t = 1; t < r->elf.section_count && code == SL_OK && is_code; t++)
    if (r->elf.sections[t].sh_info == section)
      code = check_lowers(r, section, t, err);
  return code == SL_OK && is_code ? check_rest(r, section, done, err) : code;
}

enum sl_status sl_rv32_relocate(struct sl_rv32_reader *r, struct sl_error *err)
{
  enum sl_status code = SL_OK;
  for (uint32_t i = 1; i < r->elf.section_count && code == SL_OK; i++) {
    if (r->section[i] == SL_RV32_DROPPED)
      continue;
    bool *done = calloc(unit_section(r, i)->code_count + 1, sizeof *done);
    code = done != NULL ? relocate_section(r, i, done, err) : sl_no_memory(err, unit_section(r, i)->code_count + 1);
    free(done);
  }
  return code;
}
