#include "isa/wide.h"

#include <inttypes.h>
#include <stdio.h>

uint32_t sl_linear_word(enum sl_op op, const struct sl_linear_fields *f)
{
  const uint32_t word = sl_op_info(op)->match, index = f->dimension << 15, adds = (uint32_t)f->adds << 17;
  switch (op) {
  case SL_OP_R2_USE: return word | f->ur << 27 | f->s2 << 21 | f->s1 << 15;
  case SL_OP_R2_CR: return word | f->cr << 20;
  case SL_OP_R2_MAD_TR: return word | f->cr << 20 | adds | index | f->tr << 7;
  case SL_OP_R2_MADI_TR: return word | (uint32_t)f->number << 20 | adds | index | f->tr << 7;
  case SL_OP_R2_MAD_BR: return word | f->slice << 20 | index;
  case SL_OP_R2_FORM: return word | f->words << 20;
  default: return word;
  }
}

static const char *operand(const char *letters, uint32_t field, char text[16])
{
  if (field == 0)
    return "-";
  snprintf(text, 16, "%s%" PRIu32, letters, field - 1);
  return text;
}

int sl_linear_word_text(const struct sl_insn *in, char *text, size_t size)
{
  const struct sl_linear_fields f = sl_linear_fields_of((uint32_t)in->word);
  const char *name = sl_op_info(in->op)->name;
  char ur[16], s1[16], s2[16], more[16] = "";
  if (f.adds)
    snprintf(more, sizeof more, ",tr%" PRIu32, f.tr);
  const char index = "xyz?"[f.dimension];
  switch (in->op) {
  case SL_OP_R2_USE:
    return snprintf(text, size, "%s\t%s,%s,%s", name, operand("ur", f.ur, ur), operand("s", f.s1, s1),
                    operand("s", f.s2, s2));
  case SL_OP_R2_CR: return snprintf(text, size, "%s\tcr%" PRIu32, name, f.cr);
  case SL_OP_R2_MAD_TR:
    return snprintf(text, size, "%s\ttr%" PRIu32 ",tid.%c,cr%" PRIu32 "%s", name, f.tr, index, f.cr, more);
  case SL_OP_R2_MADI_TR:
    return snprintf(text, size, "%s\ttr%" PRIu32 ",tid.%c,%" PRId32 "%s", name, f.tr, index, f.number, more);
  case SL_OP_R2_MAD_BR: return snprintf(text, size, "%s\tctaid.%c,cr%" PRIu32, name, index, f.slice * SL_LINEAR_SLICE);
  case SL_OP_R2_FORM: return snprintf(text, size, "%s\t%" PRIu32, name, f.words);
  default: return snprintf(text, size, "%s", name);
  }
}

/* Bits lo..lo+n-1 of a word. */
static uint32_t field(uint64_t word, unsigned lo, unsigned n)
{
  return (uint32_t)(word >> lo & ((UINT64_C(1) << n) - 1));
}

static uint64_t put(uint32_t value, unsigned lo, unsigned n)
{
  return (value & ((UINT64_C(1) << n) - 1)) << lo;
}

/* imm[23:0] and its upper byte, which lies where the format has no register. */
static uint32_t immediate(uint64_t word, unsigned upper)
{
  return field(word, 36, 24) | field(word, upper, 8) << 24;
}

enum { UPPER_I = 28, UPPER_S = 9 };

uint32_t sl_wide_lookalike(uint64_t word, enum sl_format format)
{
  const uint32_t upper = format == SL_FORMAT_N || format == SL_FORMAT_FENCE
                             ? field(word, 36, 12)
                             : field(word, 52, 7) << 5 | (field(word, 28, 8) & 31);
  return (field(word, 0, 7) ^ field(word, 7, 2)) | (field(word, 9, 8) & 31) << 7 | field(word, 17, 3) << 12 |
         (field(word, 20, 8) & 31) << 15 | upper << 20;
}

/* Checks that fields which a row fixes are 0 beyond the five or twelve bits of the lookalike. */
static bool nothing_beyond(uint64_t word, const struct sl_op_info *info)
{
  if (info->format == SL_FORMAT_N)
    return info->mask != UINT32_MAX ||
           (immediate(word, UPPER_I) >> 12 == 0 && field(word, 9, 8) == 0 && field(word, 20, 8) == 0);
  return (info->mask >> 20 & 31) == 0 || field(word, 28, 8) < 32;
}

/* Finds the row of a word. In RISC-V the low bits of the opcode are always 11, so the encoding of opext there is
 * unambiguous. */
static unsigned match_op(uint64_t word, unsigned sets)
{
  if ((word & 3) != 3)
    return SL_OP_UNKNOWN;
  for (unsigned op = SL_OP_UNKNOWN + 1; op < SL_OP_COUNT; op++) {
    const struct sl_op_info *info = sl_op_info(op);
    if (((unsigned)info->set & sets) != 0 && (sl_wide_lookalike(word, info->format) & info->mask) == info->match &&
        nothing_beyond(word, info))
      return op;
  }
  return SL_OP_UNKNOWN;
}

static uint32_t immediate_of(uint64_t word, unsigned op)
{
  switch (sl_op_info(op)->format) {
  case SL_FORMAT_U: return op == SL_OP_LUI ? immediate(word, UPPER_I) << 12 : immediate(word, UPPER_I);
  case SL_FORMAT_J:
  case SL_FORMAT_I:
  case SL_FORMAT_IL:
  case SL_FORMAT_IJ: return immediate(word, UPPER_I);
  case SL_FORMAT_B:
  case SL_FORMAT_S: return immediate(word, UPPER_S);
  case SL_FORMAT_SH: return field(word, 36, 5);
  case SL_FORMAT_BARRIER:
  case SL_FORMAT_CI: return field(word, 20, 8);
  default: return 0;
  }
}

static uint8_t access_width(uint64_t word, enum sl_kind kind)
{
  switch (kind) {
  case SL_KIND_LOAD:
  case SL_KIND_STORE: return (uint8_t)(1u << field(word, 17, 2));
  case SL_KIND_AMO:
  case SL_KIND_LRSC: return 4;
  default: return 0;
  }
}

struct sl_insn sl_wide_decode(uint64_t word, unsigned sets)
{
  const unsigned op = match_op(word, sets);
  const struct sl_op_info *info = sl_op_info(op);
  struct sl_insn in = {
      .op = (uint16_t)op,
      .kind = (uint8_t)info->kind,
      .width = access_width(word, info->kind),
      .imm = immediate_of(word, op),
      .csr = info->kind == SL_KIND_CSR ? (uint16_t)field(word, 36, 12) : 0,
      .isa = SL_ISA_WIDE64,
      .word = word,
  };
  in.rd = sl_writes_rd(&in) ? (uint8_t)field(word, 9, 8) : 0;
  in.rs1 = sl_reads_rs1(&in) || info->format == SL_FORMAT_CI ? (uint8_t)field(word, 20, 8) : 0;
  in.rs2 = sl_reads_rs2(&in) ? (uint8_t)field(word, 28, 8) : 0;
  in.rs3 = sl_reads_rs3(&in) ? (uint8_t)field(word, 36, 8) : 0;
  return in;
}

unsigned sl_wide_pred(const struct sl_insn *in)
{
  return field(in->word, 60, 4);
}

/* The bits of a word that a row fixes. */
static uint64_t fixed(const struct sl_op_info *info)
{
  const uint32_t m = info->match;
  const uint64_t upper = info->format == SL_FORMAT_N ? put(m >> 20, 36, 12) : put(m >> 25, 52, 7) | put(m >> 20, 28, 5);
  return (m | 3) & 0x7f ? put(m | 3, 0, 7) | put(3 - (m & 3), 7, 2) | put(m >> 12, 17, 3) | upper : 0;
}

static uint64_t put_immediate(uint32_t imm, unsigned upper)
{
  return put(imm, 36, 24) | put(imm >> 24, upper, 8);
}

/* Encodes immediate, mode and CSR by format; the registers are already encoded. */
static uint64_t others(const struct sl_wide *wide, enum sl_format format)
{
  switch (format) {
  case SL_FORMAT_U: return put_immediate(wide->op == SL_OP_LUI ? wide->imm >> 12 : wide->imm, UPPER_I);
  case SL_FORMAT_J:
  case SL_FORMAT_I:
  case SL_FORMAT_IL:
  case SL_FORMAT_IJ: return put_immediate(wide->imm, UPPER_I);
  case SL_FORMAT_B:
  case SL_FORMAT_S: return put_immediate(wide->imm, UPPER_S);
  case SL_FORMAT_SH: return put(wide->imm, 36, 5);
  case SL_FORMAT_C: return put(wide->csr, 36, 12);
  case SL_FORMAT_CI: return put(wide->csr, 36, 12) | put(wide->imm, 20, 5);
  case SL_FORMAT_RM:
  case SL_FORMAT_R1M:
  case SL_FORMAT_R4M: return put(wide->mode, 17, 3);
  case SL_FORMAT_A:
  case SL_FORMAT_AL: return put(wide->mode, 52, 2);
  case SL_FORMAT_SPLIT: return put(wide->mode, 28, 8);
  case SL_FORMAT_PRED: return put(wide->mode, 9, 8);
  case SL_FORMAT_BARRIER: return put(wide->imm, 20, 5);
  case SL_FORMAT_FENCE: return put(wide->imm, 36, 12);
  default: return 0;
  }
}

uint64_t sl_wide_encode(const struct sl_wide *wide)
{
  const struct sl_op_info *info = sl_op_info(wide->op);
  uint64_t word = fixed(info) | put(wide->pred, 60, 4) | others(wide, info->format);
  word |= info->fields & SL_FIELD_RD ? put(wide->rd, 9, 8) : 0;
  word |= info->fields & SL_FIELD_RS1 ? put(wide->rs1, 20, 8) : 0;
  word |= info->fields & SL_FIELD_RS2 ? put(wide->rs2, 28, 8) : 0;
  word |= info->fields & SL_FIELD_RS3 ? put(wide->rs3, 36, 8) : 0;
  return word;
}

const char *sl_wide_register_name(unsigned reg)
{
#define TEN(kind, n)                                                                                                   \
  kind #n "0", kind #n "1", kind #n "2", kind #n "3", kind #n "4", kind #n "5", kind #n "6", kind #n "7", kind #n "8", \
      kind #n "9"
  static const char *const names[SL_WIDE_REGISTERS] = {
      "zero",       "ra",         "sp",         "gp",         "tp",         "t0",         "t1",         "t2",
      "s0",         "s1",         "a0",         "a1",         "a2",         "a3",         "a4",         "a5",
      "a6",         "a7",         "s2",         "s3",         "s4",         "s5",         "s6",         "s7",
      "s8",         "s9",         "s10",        "s11",        "t3",         "t4",         "t5",         "t6",
      "a8",         "a9",         "a10",        "a11",        "a12",        "a13",        "a14",        "a15",
      "a16",        "a17",        "a18",        "a19",        "a20",        "a21",        "a22",        "a23",
      "s12",        "s13",        "s14",        "s15",        "s16",        "s17",        "s18",        "s19",
      TEN("s", 2),  TEN("s", 3),  TEN("s", 4),  TEN("s", 5),  "t7",         "t8",         "t9",         TEN("t", 1),
      TEN("t", 2),  "t30",        "t31",        "t32",        "t33",        "t34",        "t35",        "t36",
      "t37",        "t38",        "x128",       "x129",       TEN("x", 13), TEN("x", 14), TEN("x", 15), TEN("x", 16),
      TEN("x", 17), TEN("x", 18), TEN("x", 19), TEN("x", 20), TEN("x", 21), TEN("x", 22), TEN("x", 23), TEN("x", 24),
      "x250",       "x251",       "x252",       "x253",       "x254",       "x255"};
#undef TEN
  return names[reg % SL_WIDE_REGISTERS];
}
