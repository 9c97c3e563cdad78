#include "compiler/isa64/rv32/rv32_words.h"

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
