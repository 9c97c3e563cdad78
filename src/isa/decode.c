#include "isa/isa.h"

/* What the columns of the table and of formats.def mean here. */
enum {
  D = SL_FIELD_RD,
  S1 = SL_FIELD_RS1,
  S2 = SL_FIELD_RS2,
  S3 = SL_FIELD_RS3,
  LANES = false,
  ONCE = true,
#define FORMAT(name, fields, operands) FIELDS_##name = fields,
#include "isa/formats.def"
#undef FORMAT
};

static const struct sl_op_info table[SL_OP_COUNT] = {
    [SL_OP_UNKNOWN] = {.name = "unknown", .format = SL_FORMAT_NONE, .kind = SL_KIND_UNKNOWN},
#define ROW(kind_, id, name_, match_, mask_, format_, set_, class_, once_, semantics)                                  \
  [SL_OP_##id] = {.name = name_,                                                                                       \
                  .match = match_,                                                                                     \
                  .mask = mask_,                                                                                       \
                  .format = SL_FORMAT_##format_,                                                                       \
                  .kind = SL_KIND_##kind_,                                                                             \
                  .set = SL_ISA_##set_,                                                                                \
                  .class = SL_CLASS_##class_,                                                                          \
                  .fields = FIELDS_##format_,                                                                          \
                  .once = once_},
#include "isa/rv32.def"
#undef ROW
};

const struct sl_op_info *sl_op_info(unsigned op)
{
  return &table[op < SL_OP_COUNT ? op : SL_OP_UNKNOWN];
}

/* Bits lo..lo+n-1 of the word. */
static uint32_t field(uint32_t word, unsigned lo, unsigned n)
{
  return (word >> lo) & ((UINT32_C(1) << n) - 1);
}

static uint32_t sign_extend(uint32_t value, unsigned bits)
{
  uint32_t sign = UINT32_C(1) << (bits - 1);
  return (value ^ sign) - sign;
}

static uint32_t immediate(uint32_t word, enum sl_format format)
{
  switch (format) {
  case SL_FORMAT_U: return word & 0xfffff000u;
  case SL_FORMAT_J:
    return sign_extend(
        field(word, 31, 1) << 20 | field(word, 12, 8) << 12 | field(word, 20, 1) << 11 | field(word, 21, 10) << 1, 21);
  case SL_FORMAT_B:
    return sign_extend(
        field(word, 31, 1) << 12 | field(word, 7, 1) << 11 | field(word, 25, 6) << 5 | field(word, 8, 4) << 1, 13);
  case SL_FORMAT_S: return sign_extend(field(word, 25, 7) << 5 | field(word, 7, 5), 12);
  case SL_FORMAT_I:
  case SL_FORMAT_IL:
  case SL_FORMAT_IJ: return sign_extend(field(word, 20, 12), 12);
  case SL_FORMAT_SH: return field(word, 20, 5);
  case SL_FORMAT_CI: return field(word, 15, 5);
  default: return 0;
  }
}

/* Which register fields of a row name floating-point registers when these are separate. */
struct float_fields {
  bool rd, rs1, rs2, rs3;
};

/* The opcode tells, and in OP-FP the operation in bits 31..27 (section 11.2 on, and chapter 24). */
static struct float_fields float_fields(uint32_t word)
{
  switch (field(word, 0, 7)) {
  case 0x07: return (struct float_fields){.rd = true};  /* LOAD-FP */
  case 0x27: return (struct float_fields){.rs2 = true}; /* STORE-FP */
  case 0x43:
  case 0x47:
  case 0x4b:
  case 0x4f: return (struct float_fields){true, true, true, true};
  case 0x53: break;
  default: return (struct float_fields){0};
  }
  switch (field(word, 27, 5)) {
  case 0x14: return (struct float_fields){.rs1 = true, .rs2 = true}; /* comparisons */
  case 0x18:
  case 0x1c: return (struct float_fields){.rs1 = true}; /* to an integer register */
  case 0x1a:
  case 0x1e: return (struct float_fields){.rd = true}; /* from one */
  default: return (struct float_fields){.rd = true, .rs1 = true, .rs2 = true};
  }
}

static void name_float_registers(struct sl_insn *in)
{
  const struct float_fields f = float_fields((uint32_t)in->word);
  in->rd = (uint8_t)(in->rd + (f.rd ? SL_FLOAT_REGISTERS : 0));
  in->rs1 = (uint8_t)(in->rs1 + (f.rs1 ? SL_FLOAT_REGISTERS : 0));
  in->rs2 = (uint8_t)(in->rs2 + (f.rs2 ? SL_FLOAT_REGISTERS : 0));
  in->rs3 = (uint8_t)(in->rs3 + (f.rs3 ? SL_FLOAT_REGISTERS : 0));
}

/* Bytes of a memory access, from funct3. */
static uint8_t access_width(uint32_t word, enum sl_kind kind)
{
  switch (kind) {
  case SL_KIND_LOAD:
  case SL_KIND_STORE: return (uint8_t)(1u << field(word, 12, 2));
  case SL_KIND_AMO:
  case SL_KIND_LRSC: return 4;
  default: return 0;
  }
}

static unsigned match_op(uint32_t word, unsigned sets)
{
  for (unsigned op = SL_OP_UNKNOWN + 1; op < SL_OP_COUNT; op++)
    if ((word & table[op].mask) == table[op].match && ((unsigned)table[op].set & sets) != 0)
      return op;
  return SL_OP_UNKNOWN;
}

struct sl_insn sl_decode(uint32_t word, unsigned sets)
{
  if (sets & (SL_ISA_SIMT_FPU | SL_ISA_ZFINX))
    sets &= ~(unsigned)SL_ISA_F;
  unsigned op = match_op(word, sets);
  const struct sl_op_info *info = &table[op];
  struct sl_insn in = {
      .op = (uint16_t)op,
      .bytes = 4,
      .isa = SL_ISA_RV32,
      .kind = (uint8_t)info->kind,
      .rd = (uint8_t)field(word, 7, 5),
      .rs1 = (uint8_t)field(word, 15, 5),
      .rs2 = (uint8_t)field(word, 20, 5),
      .rs3 = (uint8_t)field(word, 27, 5),
      .width = access_width(word, info->kind),
      .csr = (uint16_t)field(word, 20, 12),
      .imm = immediate(word, info->format),
      .word = word,
  };
  in.rd = sl_writes_rd(&in) ? in.rd : 0;
  in.rs1 = sl_reads_rs1(&in) || info->format == SL_FORMAT_CI ? in.rs1 : 0;
  in.rs2 = sl_reads_rs2(&in) ? in.rs2 : 0;
  in.rs3 = sl_reads_rs3(&in) ? in.rs3 : 0;
  if ((sets & SL_ISA_F) && ((unsigned)info->set & SL_ISA_F))
    name_float_registers(&in);
  return in;
}

bool sl_reads_rs1(const struct sl_insn *in)
{
  return sl_op_info(in->op)->fields & SL_FIELD_RS1;
}

bool sl_reads_rs2(const struct sl_insn *in)
{
  return sl_op_info(in->op)->fields & SL_FIELD_RS2;
}

bool sl_reads_rs3(const struct sl_insn *in)
{
  return sl_op_info(in->op)->fields & SL_FIELD_RS3;
}

bool sl_writes_rd(const struct sl_insn *in)
{
  return sl_op_info(in->op)->fields & SL_FIELD_RD;
}

bool sl_negates(const struct sl_insn *in)
{
  switch (sl_op_info(in->op)->format) {
  case SL_FORMAT_SPLIT: return field((uint32_t)in->word, 20, 5) != 0;
  case SL_FORMAT_PRED: return field((uint32_t)in->word, 7, 5) != 0;
  default: return false;
  }
}

bool sl_scalarisable(unsigned op)
{
  return sl_op_info(op)->once;
}
