#include "encode.h"

/* Operand fields, as sets of bits of the word. */
#define RD UINT32_C(0x00000f80)
#define RS1 UINT32_C(0x000f8000)
#define RS2 UINT32_C(0x01f00000)
#define HIGH12 UINT32_C(0xfff00000)
#define HIGH20 UINT32_C(0xfffff000)
#define SPLIT UINT32_C(0xfe000f80) /* immediates of stores and branches */
#define ROUNDING UINT32_C(0x00007000)
#define ORDERING UINT32_C(0x06000000)
#define FENCE_MODE UINT32_C(0xfff00000) /* and sets */
#define RS3 UINT32_C(0xf8000000)

/* The operand fields of a format. */
struct layout {
  bool known;
  uint32_t registers; /* of RD, RS1, RS2 */
  uint32_t immediate; /* also a CSR's number, and rs3 */
  uint32_t kept;      /* fields that decoding leaves in the word */
};

static struct layout layout_of(enum sl_format format)
{
  switch (format) {
  case SL_FORMAT_U:
  case SL_FORMAT_J: return (struct layout){true, RD, HIGH20, 0};
  case SL_FORMAT_IJ:
  case SL_FORMAT_IL:
  case SL_FORMAT_I:
  case SL_FORMAT_C: return (struct layout){true, RD | RS1, HIGH12, 0};
  case SL_FORMAT_CI: return (struct layout){true, RD, HIGH12 | RS1, 0};
  case SL_FORMAT_B:
  case SL_FORMAT_S: return (struct layout){true, RS1 | RS2, SPLIT, 0};
  case SL_FORMAT_SH: return (struct layout){true, RD | RS1, RS2, 0};
  case SL_FORMAT_R: return (struct layout){true, RD | RS1 | RS2, 0, 0};
  case SL_FORMAT_RM: return (struct layout){true, RD | RS1 | RS2, 0, ROUNDING};
  case SL_FORMAT_R1M: return (struct layout){true, RD | RS1, 0, ROUNDING};
  case SL_FORMAT_R4M: return (struct layout){true, RD | RS1 | RS2, RS3, ROUNDING};
  case SL_FORMAT_R4: return (struct layout){true, RD | RS1 | RS2, RS3, 0};
  case SL_FORMAT_SPLIT: return (struct layout){true, RD | RS1, 0, RS2};
  case SL_FORMAT_PRED: return (struct layout){true, RS1 | RS2, 0, RD};
  case SL_FORMAT_R2S: return (struct layout){true, RS1 | RS2, 0, 0};
  case SL_FORMAT_R1: return (struct layout){true, RD | RS1, 0, 0};
  case SL_FORMAT_R1S: return (struct layout){true, RS1, 0, 0};
  case SL_FORMAT_A: return (struct layout){true, RD | RS1 | RS2, 0, ORDERING};
  case SL_FORMAT_AL: return (struct layout){true, RD | RS1, 0, ORDERING};
  case SL_FORMAT_FENCE: return (struct layout){true, 0, 0, FENCE_MODE};
  case SL_FORMAT_N: return (struct layout){true, 0, 0, 0};
  default: return (struct layout){0};
  }
}

/* Places n bits of the value from bit `from` at bit `to` of the word. */
static uint32_t place(uint32_t value, unsigned from, unsigned n, unsigned to)
{
  return ((value >> from) & ((UINT32_C(1) << n) - 1)) << to;
}

static uint32_t immediate_bits(const struct sl_insn *in, enum sl_format format)
{
  const uint32_t imm = in->imm;
  switch (format) {
  case SL_FORMAT_U: return imm & HIGH20;
  case SL_FORMAT_J:
    return place(imm, 20, 1, 31) | place(imm, 1, 10, 21) | place(imm, 11, 1, 20) | place(imm, 12, 8, 12);
  case SL_FORMAT_B: return place(imm, 12, 1, 31) | place(imm, 5, 6, 25) | place(imm, 1, 4, 8) | place(imm, 11, 1, 7);
  case SL_FORMAT_S: return place(imm, 5, 7, 25) | place(imm, 0, 5, 7);
  case SL_FORMAT_I:
  case SL_FORMAT_IL:
  case SL_FORMAT_IJ: return place(imm, 0, 12, 20);
  case SL_FORMAT_R4:
  case SL_FORMAT_R4M: return place(in->rs3, 0, 5, 27);
  case SL_FORMAT_SH: return place(imm, 0, 5, 20);
  case SL_FORMAT_C: return place(in->csr, 0, 12, 20);
  case SL_FORMAT_CI: return place(in->csr, 0, 12, 20) | place(imm, 0, 5, 15);
  default: return 0;
  }
}

bool sl_encode(const struct sl_insn *in, uint32_t *word, uint32_t *given)
{
  const struct sl_op_info *info = sl_op_info(in->op);
  const struct layout layout = layout_of(info->format);
  if (!layout.known)
    return false;
  const uint32_t registers = place(in->rd, 0, 5, 7) | place(in->rs1, 0, 5, 15) | place(in->rs2, 0, 5, 20);
  *word = info->match | (registers & layout.registers) | immediate_bits(in, info->format) |
          ((uint32_t)in->word & layout.kept);
  *given = info->mask | layout.registers | layout.immediate | layout.kept;
  return true;
}
