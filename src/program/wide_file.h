/* ELF identification of programs with 64-bit instruction words (isa/wide.h). They have a machine number that no other
 * processor uses, so that RISC-V tools and machines reject them. e_machine is the bytes "V6" in the file. e_flags holds
 * the version of this convention, the number of register banks for which the code was compiled, and the maximum number
 * of registers that it uses. */
#ifndef SL_PROGRAM_WIDE_FILE_H
#define SL_PROGRAM_WIDE_FILE_H

#include "base/types.h"

enum { SL_WIDE_FILE_MACHINE = 0x3656, SL_WIDE_FILE_VERSION = 1, SL_WIDE_FILE_BANKS = 64 };

/* Bits 8:0: registers, 23:16: banks, 31:24: version. */
static inline uint32_t sl_wide_file_flags(unsigned registers, unsigned banks)
{
  return (uint32_t)SL_WIDE_FILE_VERSION << 24 | (banks & 0xff) << 16 | (registers & 0x1ff);
}

static inline unsigned sl_wide_file_version(uint32_t flags)
{
  return flags >> 24;
}

static inline unsigned sl_wide_file_banks(uint32_t flags)
{
  return flags >> 16 & 0xff;
}

static inline unsigned sl_wide_file_registers(uint32_t flags)
{
  return flags & 0x1ff;
}

#endif
