/* The instruction table as data. */
#include "isa/isa.h"

/* The meaning of the columns of the table and of formats.def here. */
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

unsigned sl_op_of(uint32_t word, unsigned sets)
{
  for (unsigned op = SL_OP_UNKNOWN + 1; op < SL_OP_COUNT; op++)
    if ((word & table[op].mask) == table[op].match && ((unsigned)table[op].set & sets) != 0)
      return op;
  return SL_OP_UNKNOWN;
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

bool sl_scalarisable(unsigned op)
{
  return sl_op_info(op)->once;
}
bool sl_is_call(const struct sl_insn *in)
{
  enum { RA = 1, ALTERNATE = 5 };
  const bool links = in->rd == RA || in->rd == ALTERNATE;
  return links && (in->kind == SL_KIND_JALR || (in->kind == SL_KIND_JAL && in->imm != sl_insn_bytes(in)));
}
