#include <inttypes.h>
#include <stdio.h>

#include "isa/isa.h"
#include "isa/wide.h"

/* Names of CSRs (The RISC-V Instruction Set Manual, Volume II, version 1.12, chapter 2, and the extensions that add
 * some). Machines number their own CSRs differently; those print as numbers. */

/* CSRs with consecutive numbers. In the name of an array, '#' stands for the index, which starts at `from`. */
struct csr_range {
  uint16_t first, count;
  const char *name;
  unsigned from;
};

#define ONE(number, name_)                                                                                             \
  {                                                                                                                    \
    number, 1, name_, 0                                                                                                \
  }

/* clang-format off */
static const struct csr_range ranges[] = {
    ONE(0x001, "fflags"), ONE(0x002, "frm"), ONE(0x003, "fcsr"), ONE(0x008, "vstart"), ONE(0x009, "vxsat"),
    ONE(0x00a, "vxrm"), ONE(0x00f, "vcsr"), ONE(0x015, "seed"),

    ONE(0x100, "sstatus"), ONE(0x104, "sie"), ONE(0x105, "stvec"), ONE(0x106, "scounteren"), ONE(0x10a, "senvcfg"),
    {0x10c, 4, "sstateen#", 0}, ONE(0x114, "sieh"), ONE(0x140, "sscratch"), ONE(0x141, "sepc"), ONE(0x142, "scause"),
    ONE(0x143, "stval"), ONE(0x144, "sip"), ONE(0x14d, "stimecmp"), ONE(0x150, "siselect"), ONE(0x151, "sireg"),
    ONE(0x154, "siph"), ONE(0x15c, "stopei"), ONE(0x15d, "stimecmph"), ONE(0x180, "satp"), ONE(0x5a8, "scontext"),
    ONE(0xda0, "scountovf"), ONE(0xdb0, "stopi"),

    ONE(0x200, "vsstatus"), ONE(0x204, "vsie"), ONE(0x205, "vstvec"), ONE(0x214, "vsieh"), ONE(0x240, "vsscratch"),
    ONE(0x241, "vsepc"), ONE(0x242, "vscause"), ONE(0x243, "vstval"), ONE(0x244, "vsip"), ONE(0x24d, "vstimecmp"),
    ONE(0x250, "vsiselect"), ONE(0x251, "vsireg"), ONE(0x254, "vsiph"), ONE(0x25c, "vstopei"),
    ONE(0x25d, "vstimecmph"), ONE(0x280, "vsatp"), ONE(0xeb0, "vstopi"),

    ONE(0x600, "hstatus"), ONE(0x602, "hedeleg"), ONE(0x603, "hideleg"), ONE(0x604, "hie"), ONE(0x605, "htimedelta"),
    ONE(0x606, "hcounteren"), ONE(0x607, "hgeie"), ONE(0x608, "hvien"), ONE(0x609, "hvictl"), ONE(0x60a, "henvcfg"),
    {0x60c, 4, "hstateen#", 0}, ONE(0x613, "hidelegh"), ONE(0x615, "htimedeltah"), ONE(0x618, "hvienh"),
    ONE(0x61a, "henvcfgh"), {0x61c, 4, "hstateen#h", 0}, ONE(0x643, "htval"), ONE(0x644, "hip"), ONE(0x645, "hvip"),
    {0x646, 2, "hviprio#", 1}, ONE(0x64a, "htinst"), ONE(0x655, "hviph"), {0x656, 2, "hviprio#h", 1},
    ONE(0x680, "hgatp"), ONE(0x6a8, "hcontext"), ONE(0xe12, "hgeip"),

    ONE(0x300, "mstatus"), ONE(0x301, "misa"), ONE(0x302, "medeleg"), ONE(0x303, "mideleg"), ONE(0x304, "mie"),
    ONE(0x305, "mtvec"), ONE(0x306, "mcounteren"), ONE(0x308, "mvien"), ONE(0x309, "mvip"), ONE(0x30a, "menvcfg"),
    {0x30c, 4, "mstateen#", 0}, ONE(0x310, "mstatush"), ONE(0x313, "midelegh"), ONE(0x314, "mieh"),
    ONE(0x318, "mvienh"), ONE(0x319, "mviph"), ONE(0x31a, "menvcfgh"), {0x31c, 4, "mstateen#h", 0},
    ONE(0x320, "mcountinhibit"), {0x323, 29, "mhpmevent#", 3}, ONE(0x340, "mscratch"), ONE(0x341, "mepc"),
    ONE(0x342, "mcause"), ONE(0x343, "mtval"), ONE(0x344, "mip"), ONE(0x34a, "mtinst"), ONE(0x34b, "mtval2"),
    ONE(0x350, "miselect"), ONE(0x351, "mireg"), ONE(0x354, "miph"), ONE(0x35c, "mtopei"), {0x3a0, 16, "pmpcfg#", 0},
    {0x3b0, 64, "pmpaddr#", 0}, {0x723, 29, "mhpmevent#h", 3}, ONE(0x747, "mseccfg"), ONE(0x757, "mseccfgh"),
    ONE(0x7a0, "tselect"), {0x7a1, 3, "tdata#", 1}, ONE(0x7a4, "tinfo"), ONE(0x7a5, "tcontrol"),
    ONE(0x7a8, "mcontext"), ONE(0x7aa, "mscontext"), ONE(0x7b0, "dcsr"), ONE(0x7b1, "dpc"),
    {0x7b2, 2, "dscratch#", 0}, ONE(0xb00, "mcycle"), ONE(0xb02, "minstret"), {0xb03, 29, "mhpmcounter#", 3},
    ONE(0xb80, "mcycleh"), ONE(0xb82, "minstreth"), {0xb83, 29, "mhpmcounter#h", 3}, ONE(0xf11, "mvendorid"),
    ONE(0xf12, "marchid"), ONE(0xf13, "mimpid"), ONE(0xf14, "mhartid"), ONE(0xf15, "mconfigptr"),
    ONE(0xfb0, "mtopi"),

    ONE(0xc00, "cycle"), ONE(0xc01, "time"), ONE(0xc02, "instret"), {0xc03, 29, "hpmcounter#", 3}, ONE(0xc20, "vl"),
    ONE(0xc21, "vtype"), ONE(0xc22, "vlenb"), ONE(0xc80, "cycleh"), ONE(0xc81, "timeh"), ONE(0xc82, "instreth"),
    {0xc83, 29, "hpmcounter#h", 3},
};
/* clang-format on */

/* The name with its index in place of '#'. */
static void write_name(const struct csr_range *range, unsigned csr, char text[SL_CSR_NAME_SIZE])
{
  size_t n = 0;
  for (const char *c = range->name; *c != '\0' && n + 1 < SL_CSR_NAME_SIZE; c++) {
    if (*c != '#') {
      text[n++] = *c;
      continue;
    }
    const unsigned index = csr - range->first + range->from;
    if (index >= 10)
      text[n++] = (char)('0' + index / 10);
    text[n++] = (char)('0' + index % 10);
  }
  text[n] = '\0';
}

const char *sl_csr_name(unsigned csr, char text[SL_CSR_NAME_SIZE])
{
  snprintf(text, SL_CSR_NAME_SIZE, "0x%x", csr);
  for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++)
    if (csr - ranges[i].first < ranges[i].count)
      write_name(&ranges[i], csr, text);
  return text;
}

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
  case SL_FORMAT_R0:
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
  case SL_FORMAT_BARRIER: n = snprintf(text, size, "%s\t%" PRIu32, name, in->imm); break;
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
