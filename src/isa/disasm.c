#include "isa/isa.h"
#include "isa/linear_words.h"
#include "isa/wide.h"

#include <inttypes.h>
#include <stdio.h>

/* Integer registers, then floating-point registers. */
static const char *const register_names[64] = {
    "zero", "ra",  "sp",  "gp",  "tp",  "t0",  "t1",   "t2",   "s0",  "s1",  "a0",   "a1",  "a2",
    "a3",   "a4",  "a5",  "a6",  "a7",  "s2",  "s3",   "s4",   "s5",  "s6",  "s7",   "s8",  "s9",
    "s10",  "s11", "t3",  "t4",  "t5",  "t6",  "ft0",  "ft1",  "ft2", "ft3", "ft4",  "ft5", "ft6",
    "ft7",  "fs0", "fs1", "fa0", "fa1", "fa2", "fa3",  "fa4",  "fa5", "fa6", "fa7",  "fs2", "fs3",
    "fs4",  "fs5", "fs6", "fs7", "fs8", "fs9", "fs10", "fs11", "ft8", "ft9", "ft10", "ft11"};

static const char *register_name(unsigned reg)
{
  return register_names[reg & 63];
}

static const char *rounding_mode(uint32_t word)
{
  static const char *const names[8] = {",rne", ",rtz", ",rdn", ",rup", ",rmm", ",unknown", ",unknown", ""};
  return names[(word >> 12) & 7];
}

static const char *ordering(uint32_t word)
{
  static const char *const names[4] = {"", ".rl", ".aq", ".aqrl"};
  return names[(word >> 25) & 3];
}

/* Mode, predecessor and successor sets of the fence for total store ordering (section 2.7). */
enum { FENCE_TSO = 0x833 };

/* The set of accesses that a fence orders, as "iorw" letters. */
static const char *fence_set(uint32_t bits, char text[5])
{
  unsigned n = 0;
  for (unsigned i = 0; i < 4; i++)
    if (bits & (8u >> i))
      text[n++] = "iorw"[i];
  text[n] = '\0';
  return n ? text : "unknown";
}

static size_t disassemble(const struct sl_insn *in, uint32_t pc, char *text, size_t size)
{
  const struct sl_op_info *info = sl_op_info(in->op);
  const bool wide = in->isa == SL_ISA_WIDE64;
  const char *d = sl_register_name(in, in->rd), *s = sl_register_name(in, in->rs1), *t = sl_register_name(in, in->rs2);
  const char *name = info->name;
  const uint32_t word = wide ? sl_wide_lookalike(in->word, info->format) : (uint32_t)in->word;
  const unsigned shift = wide && in->op == SL_OP_AUIPC ? 0 : 12; /* of the value that format U prints */
  int32_t imm = (int32_t)in->imm;
  char csr[SL_CSR_NAME_SIZE], pred[5], succ[5];
  int n = 0;
  switch (info->format) {
  case SL_FORMAT_NONE:
    n = wide ? snprintf(text, size, ".dword\t0x%016" PRIx64, in->word)
             : snprintf(text, size, ".word\t0x%08" PRIx32, word);
    break;
  case SL_FORMAT_N: n = snprintf(text, size, "%s", name); break;
  case SL_FORMAT_LINEAR: n = sl_linear_word_text(in, text, size); break;
  case SL_FORMAT_U: n = snprintf(text, size, "%s\t%s,0x%" PRIx32, name, d, in->imm >> shift); break;
  case SL_FORMAT_J: n = snprintf(text, size, "%s\t%s,%" PRIx32, name, d, pc + in->imm); break;
  case SL_FORMAT_B: n = snprintf(text, size, "%s\t%s,%s,%" PRIx32, name, s, t, pc + in->imm); break;
  case SL_FORMAT_IJ:
  case SL_FORMAT_IL: n = snprintf(text, size, "%s\t%s,%" PRId32 "(%s)", name, d, imm, s); break;
  case SL_FORMAT_S: n = snprintf(text, size, "%s\t%s,%" PRId32 "(%s)", name, t, imm, s); break;
  case SL_FORMAT_I: n = snprintf(text, size, "%s\t%s,%s,%" PRId32, name, d, s, imm); break;
  case SL_FORMAT_SH: n = snprintf(text, size, "%s\t%s,%s,0x%" PRIx32, name, d, s, in->imm); break;
  case SL_FORMAT_R: n = snprintf(text, size, "%s\t%s,%s,%s", name, d, s, t); break;
  case SL_FORMAT_RM: n = snprintf(text, size, "%s\t%s,%s,%s%s", name, d, s, t, rounding_mode(word)); break;
  case SL_FORMAT_R1M: n = snprintf(text, size, "%s\t%s,%s%s", name, d, s, rounding_mode(word)); break;
  case SL_FORMAT_R4M:
    n = snprintf(text, size, "%s\t%s,%s,%s,%s%s", name, d, s, t, sl_register_name(in, in->rs3), rounding_mode(word));
    break;
  case SL_FORMAT_R4: n = snprintf(text, size, "%s\t%s,%s,%s,%s", name, d, s, t, sl_register_name(in, in->rs3)); break;
  case SL_FORMAT_SPLIT: n = snprintf(text, size, "%s%s\t%s,%s", name, sl_negates(in) ? "_n" : "", d, s); break;
  case SL_FORMAT_PRED: n = snprintf(text, size, "%s%s\t%s,%s", name, sl_negates(in) ? "_n" : "", s, t); break;
  case SL_FORMAT_R2S: n = snprintf(text, size, "%s\t%s,%s", name, s, t); break;
  case SL_FORMAT_R1: n = snprintf(text, size, "%s\t%s,%s", name, d, s); break;
  case SL_FORMAT_R1S: n = snprintf(text, size, "%s\t%s", name, s); break;
  case SL_FORMAT_A: n = snprintf(text, size, "%s%s\t%s,%s,(%s)", name, ordering(word), d, t, s); break;
  case SL_FORMAT_AL: n = snprintf(text, size, "%s%s\t%s,(%s)", name, ordering(word), d, s); break;
  case SL_FORMAT_C: n = snprintf(text, size, "%s\t%s,%s,%s", name, d, sl_csr_name(in->csr, csr), s); break;
  case SL_FORMAT_CI: n = snprintf(text, size, "%s\t%s,%s,%" PRIu32, name, d, sl_csr_name(in->csr, csr), in->imm); break;
  case SL_FORMAT_FENCE:
    if (word >> 20 == FENCE_TSO) {
      n = snprintf(text, size, "%s.tso", name);
      break;
    }
    n = snprintf(text, size, "%s\t%s,%s", name, fence_set((word >> 24) & 15, pred), fence_set((word >> 20) & 15, succ));
    break;
  }
  return n < 0 || size == 0 ? 0 : (size_t)n < size ? (size_t)n : size - 1;
}

static struct sl_insn decode(uint64_t word, unsigned sets)
{
  return sl_decode((uint32_t)word, sets);
}

static const struct sl_isa isas[SL_ISA_COUNT] = {
    [SL_ISA_RV32] = {.name = "RV32",
                     .word_bytes = 4,
                     .registers = 2 * SL_FLOAT_REGISTERS,
                     .rows = SL_OP_COUNT,
                     .decode = decode,
                     .disassemble = disassemble,
                     .register_name = register_name},
    [SL_ISA_WIDE64] = {.name = "64-bit words",
                       .word_bytes = SL_WIDE_BYTES,
                       .registers = SL_WIDE_REGISTERS,
                       .rows = SL_OP_COUNT,
                       .decode = sl_wide_decode,
                       .disassemble = disassemble,
                       .register_name = sl_wide_register_name},
};

const struct sl_isa *sl_isa(unsigned number)
{
  return &isas[number < SL_ISA_COUNT ? number : 0];
}

size_t sl_disassemble(const struct sl_insn *in, uint32_t pc, char *text, size_t size)
{
  return sl_isa(in->isa)->disassemble(in, pc, text, size);
}

const char *sl_register_name(const struct sl_insn *in, unsigned reg)
{
  return sl_isa(in->isa)->register_name(reg);
}
