/* RV32 front end of the analysis: translates a kernel's machine code to struct sl_linear_code, one instruction for each
 * machine instruction.
 *
 * Arguments are words read from the launch block; indices and sizes come from CSRs. A stack word that holds a register
 * is a register, too (linear_frame.h). Called functions preserve the registers of the calling convention (RISC-V ABIs
 * Specification, version 1.0, chapter 1). Arithmetic is modulo 2^32, as on the machine. */
#ifndef SL_LINEAR_LINEAR_RV32_H
#define SL_LINEAR_LINEAR_RV32_H

#include "compiler/linear/linear_code.h"
#include "isa/code.h"

/* State of a kernel at entry. */
struct sl_linear_abi {
  uint16_t place_csr;    /* the first of 12: x, y, z of thread, block, block size, grid size */
  uint16_t launch_csr;   /* address of the launch block, also in a0 */
  uint16_t end_csr;      /* writing 1 to bit 0 ends the thread */
  uint16_t grid_at;      /* byte offset in the launch block: three words */
  uint16_t block_at;     /* three words */
  uint16_t arguments_at; /* first argument word */
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
