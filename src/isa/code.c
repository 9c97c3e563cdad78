#include "isa/code.h"

#include <stdlib.h>
#include <string.h>

#include "base/arrays.h"
#include "isa/wide.h"

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
  case SL_FORMAT_BARRIER:
  case SL_FORMAT_CI: return field(word, 15, 5);
  default: return 0;
  }
}

/* The register fields of a row that name floating-point registers if these are separate. */
struct float_fields {
  bool rd, rs1, rs2, rs3;
};

/* They depend on the opcode, and in OP-FP on the operation in bits 31..27 (section 11.2 on, and chapter 24). */
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
  case 0x1e: return (struct float_fields){.rd = true}; /* from an integer register */
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

struct sl_insn sl_decode(uint32_t word, unsigned sets)
{
  sets &= ~(unsigned)SL_ISA_WIDE;
  if (sets & (SL_ISA_SIMT_FPU | SL_ISA_ZFINX))
    sets &= ~(unsigned)SL_ISA_F;
  const unsigned op = sl_op_of(word, sets);
  const struct sl_op_info *info = sl_op_info(op);
  struct sl_insn in = {
      .op = (uint16_t)op,
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

bool sl_negates(const struct sl_insn *in)
{
  const uint32_t word =
      in->isa == SL_ISA_WIDE64 ? sl_wide_lookalike(in->word, sl_op_info(in->op)->format) : (uint32_t)in->word;
  switch (sl_op_info(in->op)->format) {
  case SL_FORMAT_SPLIT: return field(word, 20, 5) != 0;
  case SL_FORMAT_PRED: return field(word, 7, 5) != 0;
  default: return false;
  }
}

unsigned sl_rounding_field(const struct sl_insn *in)
{
  return (unsigned)(in->word >> (in->isa == SL_ISA_WIDE64 ? 17 : 12)) & 7;
}

enum { LEAST = 1024 /* words: initial size of a growing memory */ };

enum sl_status sl_code_init(struct sl_code *code, const struct sl_isa *isa, unsigned sets, uint32_t base,
                            uint32_t count, struct sl_error *err)
{
  *code = (struct sl_code){
      .isa = isa, .sets = sets, .base = base, .word_bytes = isa->word_bytes, .shift = sl_log2(isa->word_bytes)};
  return sl_code_grow(code, count) ? SL_OK : sl_no_memory(err, count * sizeof *code->insn);
}

void sl_code_free(struct sl_code *code)
{
  free(code->insn);
  *code = (struct sl_code){0};
}

/* The first allocation has exactly the required size; later ones double it. */
static bool make_room(struct sl_code *code, uint32_t count)
{
  uint32_t room = code->count == 0 ? count : code->room < LEAST ? LEAST : code->room;
  while (room < count)
    room = room > UINT32_MAX / 2 ? count : room * 2;
  struct sl_insn *insn =
      code->insn == NULL ? sl_array_of(room, sizeof *insn) : realloc(code->insn, room * sizeof *insn);
  if (insn == NULL)
    return false;
  code->insn = insn;
  code->room = room;
  return true;
}

bool sl_code_grow(struct sl_code *code, uint32_t count)
{
  static const struct sl_insn zeros;
  const struct sl_insn empty = code->isa->decode(0, code->sets);
  const bool first = code->insn == NULL;
  if (count > code->room && !make_room(code, count))
    return false;
  if (first && memcmp(&empty, &zeros, sizeof empty) == 0)
    code->count = count;
  for (; code->count < count; code->count++)
    code->insn[code->count] = empty;
  return true;
}

static bool names_more(const struct sl_insn *in, unsigned registers)
{
  return in->rd >= registers || in->rs1 >= registers || in->rs2 >= registers || in->rs3 >= registers;
}

void sl_code_write(struct sl_code *code, uint32_t index, uint64_t word)
{
  struct sl_insn in = code->isa->decode(word, code->sets);
  if (code->registers != 0 && names_more(&in, code->registers))
    in = (struct sl_insn){.op = SL_OP_UNKNOWN, .kind = SL_KIND_UNKNOWN, .isa = in.isa, .word = word};
  code->insn[index] = in;
}
