/* RV32 machine code for the analysis: a kernel as struct sl_linear_code, an instruction for each of its own.
 *
 * Arguments are words that are read from the launch block, indices and sizes come from CSRs. A word of the stack in
 * which a register is kept is a register too (linear_frame.h). Functions that the kernel calls leave the registers that
 * the calling convention says (RISC-V ABIs Specification, version 1.0, chapter 1). Arithmetic is modulo 2^32, as the
 * machine's. */
#ifndef SL_LINEAR_LINEAR_RV32_H
#define SL_LINEAR_LINEAR_RV32_H

#include "isa/code.h"
#include "linear/linear_code.h"

/* What a kernel finds at its beginning. */
struct sl_linear_abi {
  uint16_t place_csr;    /* the first of 12: x, y, z of thread, block, size of a block, size of the grid */
  uint16_t launch_csr;   /* the launch block's address, which is in a0 too */
  uint16_t end_csr;      /* a thread ends that writes 1 in bit 0 */
  uint16_t grid_at;      /* bytes in the launch block: three words */
  uint16_t block_at;     /* three words */
  uint16_t arguments_at; /* words from here on */
};

struct sl_linear_machine_code {
  const struct sl_code *code;
  const struct sl_linear_abi *abi;
  uint32_t first, end; /* words of the kernel */
};

/* Instruction i is word machine->first + i. Arguments are symbols P0, P1, ... by word. */
enum sl_status sl_linear_from_rv32(struct sl_linear_code *code, const struct sl_linear_machine_code *machine,
                                   struct sl_error *err);

#endif
