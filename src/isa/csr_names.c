/* Names of CSRs (The RISC-V Instruction Set Manual, Volume II, version 1.12, chapter 2, and the extensions that add
 * some). Machines number their own CSRs differently; those print as numbers. */
#include <stdio.h>

#include "isa/isa.h"

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
