/* The mapping of registers to the banks of a register file. Machines and the compiler's register allocator share it. */
#ifndef SL_ISA_BANKS_H
#define SL_ISA_BANKS_H

#include "base/types.h"

enum { SL_BANKS_MAX = 8 };

enum sl_bank_map {
  SL_BANK_MODULO, /* neighbours in different banks, as in the published register file */
  SL_BANK_BLOCKS, /* the first registers in bank 0, and so on */
  SL_BANK_FOLDED, /* exclusive or of the number's digits, modulo banks: it also spreads strides of the number of banks
                   */
  SL_BANK_MAPS
};

/* The bank of a register; `banks` is 1 to SL_BANKS_MAX. */
static inline unsigned sl_bank_of(enum sl_bank_map map, unsigned banks, unsigned registers, unsigned reg)
{
  switch (map) {
  case SL_BANK_BLOCKS: return reg / ((registers + banks - 1) / banks) % banks;
  case SL_BANK_FOLDED: {
    unsigned folded = 0;
    for (unsigned rest = reg; rest != 0 && banks > 1; rest /= banks)
      folded ^= rest % banks;
    return folded % banks;
  }
  case SL_BANK_MODULO:
  case SL_BANK_MAPS: break;
  }
  return reg % banks;
}

#endif
