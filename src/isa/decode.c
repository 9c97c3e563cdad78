#include "isa/isa.h"

static const struct sl_op_info table[SL_OP_COUNT] = {
    [SL_OP_UNKNOWN] = {"unknown", 0, 0, SL_FORMAT_NONE, SL_KIND_UNKNOWN, 0},
#define ROW(kind_, id, name_, match_, mask_, format_, set_, semantics)                                                 \
  [SL_OP_##id] = {name_, match_, mask_, SL_FORMAT_##format_, SL_KIND_##kind_, SL_ISA_##set_},
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
  unsigned op = match_op(word, sets);
  const struct sl_op_info *info = &table[op];
  return (struct sl_insn){
      .op = (uint8_t)op,
      .kind = (uint8_t)info->kind,
      .rd = (uint8_t)field(word, 7, 5),
      .rs1 = (uint8_t)field(word, 15, 5),
      .rs2 = (uint8_t)field(word, 20, 5),
      .width = access_width(word, info->kind),
      .csr = (uint16_t)field(word, 20, 12),
      .imm = immediate(word, info->format),
      .word = word,
  };
}

bool sl_reads_rs1(const struct sl_insn *in)
{
  switch (sl_op_info(in->op)->format) {
  case SL_FORMAT_U:
  case SL_FORMAT_J:
  case SL_FORMAT_CI:
  case SL_FORMAT_FENCE:
  case SL_FORMAT_N:
  case SL_FORMAT_NONE: return false;
  default: return true;
  }
}

bool sl_reads_rs2(const struct sl_insn *in)
{
  switch (sl_op_info(in->op)->format) {
  case SL_FORMAT_R:
  case SL_FORMAT_RM:
  case SL_FORMAT_B:
  case SL_FORMAT_S:
  case SL_FORMAT_A: return true;
  default: return false;
  }
}

bool sl_writes_rd(const struct sl_insn *in)
{
  switch (sl_op_info(in->op)->format) {
  case SL_FORMAT_B:
  case SL_FORMAT_S:
  case SL_FORMAT_R1S:
  case SL_FORMAT_FENCE:
  case SL_FORMAT_N:
  case SL_FORMAT_NONE: return false;
  default: return true;
  }
}
