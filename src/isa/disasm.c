#include "isa/isa.h"

#include <inttypes.h>
#include <stdio.h>

static const char *const register_names[32] = {"zero", "ra", "sp", "gp", "tp",  "t0",  "t1", "t2", "s0", "s1", "a0",
                                               "a1",   "a2", "a3", "a4", "a5",  "a6",  "a7", "s2", "s3", "s4", "s5",
                                               "s6",   "s7", "s8", "s9", "s10", "s11", "t3", "t4", "t5", "t6"};

const char *sl_register_name(unsigned reg)
{
  return register_names[reg & 31];
}

/* Names of the CSRs the machines define; others print as numbers. */
static const char *csr_name(unsigned csr, char number[16])
{
  switch (csr) {
  case 0xc00: return "cycle";
  case 0xc80: return "cycleh";
  case 0xf14: return "mhartid";
  default: snprintf(number, 16, "0x%x", csr); return number;
  }
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

/* The set of accesses a fence orders, as "iorw" letters. */
static const char *fence_set(uint32_t bits, char text[5])
{
  unsigned n = 0;
  for (unsigned i = 0; i < 4; i++)
    if (bits & (8u >> i))
      text[n++] = "iorw"[i];
  text[n] = '\0';
  return n ? text : "unknown";
}

size_t sl_disassemble(const struct sl_insn *in, uint32_t pc, char *text, size_t size)
{
  const struct sl_op_info *info = sl_op_info(in->op);
  const char *d = register_names[in->rd & 31], *s = register_names[in->rs1 & 31], *t = register_names[in->rs2 & 31];
  const char *name = info->name;
  int32_t imm = (int32_t)in->imm;
  char csr[16], pred[5], succ[5];
  int n = 0;
  switch (info->format) {
  case SL_FORMAT_NONE: n = snprintf(text, size, ".word\t0x%08" PRIx32, in->word); break;
  case SL_FORMAT_N: n = snprintf(text, size, "%s", name); break;
  case SL_FORMAT_U: n = snprintf(text, size, "%s\t%s,0x%" PRIx32, name, d, in->imm >> 12); break;
  case SL_FORMAT_J: n = snprintf(text, size, "%s\t%s,%" PRIx32, name, d, pc + in->imm); break;
  case SL_FORMAT_B: n = snprintf(text, size, "%s\t%s,%s,%" PRIx32, name, s, t, pc + in->imm); break;
  case SL_FORMAT_IJ:
  case SL_FORMAT_IL: n = snprintf(text, size, "%s\t%s,%" PRId32 "(%s)", name, d, imm, s); break;
  case SL_FORMAT_S: n = snprintf(text, size, "%s\t%s,%" PRId32 "(%s)", name, t, imm, s); break;
  case SL_FORMAT_I: n = snprintf(text, size, "%s\t%s,%s,%" PRId32, name, d, s, imm); break;
  case SL_FORMAT_SH: n = snprintf(text, size, "%s\t%s,%s,0x%" PRIx32, name, d, s, in->imm); break;
  case SL_FORMAT_R: n = snprintf(text, size, "%s\t%s,%s,%s", name, d, s, t); break;
  case SL_FORMAT_RM: n = snprintf(text, size, "%s\t%s,%s,%s%s", name, d, s, t, rounding_mode(in->word)); break;
  case SL_FORMAT_R1M: n = snprintf(text, size, "%s\t%s,%s%s", name, d, s, rounding_mode(in->word)); break;
  case SL_FORMAT_R1S: n = snprintf(text, size, "%s\t%s", name, s); break;
  case SL_FORMAT_A: n = snprintf(text, size, "%s%s\t%s,%s,(%s)", name, ordering(in->word), d, t, s); break;
  case SL_FORMAT_AL: n = snprintf(text, size, "%s%s\t%s,(%s)", name, ordering(in->word), d, s); break;
  case SL_FORMAT_C: n = snprintf(text, size, "%s\t%s,%s,%s", name, d, csr_name(in->csr, csr), s); break;
  case SL_FORMAT_CI: n = snprintf(text, size, "%s\t%s,%s,%" PRIu32, name, d, csr_name(in->csr, csr), in->imm); break;
  case SL_FORMAT_FENCE:
    n = snprintf(text, size, "%s\t%s,%s", name, fence_set((in->word >> 24) & 15, pred),
                 fence_set((in->word >> 20) & 15, succ));
    break;
  }
  return n < 0 ? 0 : (size_t)n < size ? (size_t)n : size - 1;
}
