/* Operands of instructions in Volta's register file (core/sm7_register_file.h): their banks, and their reuse.
 *
 * PTX has virtual registers, and simtlab has no allocation of real ones. The 32-bit registers that remain after
 * lowering are numbered in the order in which the code defines them first; the bank of a register is its number
 * modulo 2. A 64-bit register is a pair, which has a half in each bank. A register that no instruction defines any more
 * is a parameter or a number, which is read from the constant bank.
 *
 * An operand is kept in the reuse cache if the next instruction that reads the same bank in the same place of its list
 * of operands reads the same register, and both are in one piece of straight code. An assembler sets a flag there
 * (Jia et al., arXiv:1804.06826, section 3.5.3). */
#ifndef SL_MACHINE_SM7_SM7_OPERANDS_H
#define SL_MACHINE_SM7_SM7_OPERANDS_H

#include "machine/sm7/sm7_code.h"

enum { SL_SM7_READ_BANKS = 2, SL_SM7_PLACES = 3 };

struct sl_sm7_operands {
  uint16_t place[SL_SM7_PLACES];    /* register number + SL_SM7_READ_BANKS of a 32-bit register; 0: none */
  uint8_t reads[SL_SM7_READ_BANKS]; /* further ones of a bank: halves of pairs, and those behind the places */
  uint8_t keeps;                    /* set of places whose operand is kept */
};

static inline unsigned sl_sm7_read_bank(unsigned number)
{
  return number % SL_SM7_READ_BANKS;
}

void sl_sm7_find_operands(const struct sl_sm7_instruction *code, uint32_t count, struct sl_sm7_operands *operands);

#endif
