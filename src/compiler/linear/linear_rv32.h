/* RV32 front end of the analysis: translates a kernel's machine code to struct sl_linear_code, one instruction for each
 * machine instruction.
 *
 * Arguments are words read from the launch block; indices and sizes come from CSRs. A stack word that holds a register
 * is a register, too (linear_frame.c). Called functions preserve the registers of the calling convention (RISC-V ABIs
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

/* Constant propagation for the registers of an RV32 kernel: finds registers that hold the launch block's address, the
 * stack pointer (each plus a constant), or a constant. From these it finds the stack words that are register slots.
 *
 * A stack word is a slot under three conditions. The kernel's instructions access it only as a whole word. They read it
 * at least once. They compute, store or pass no address of the stack. Then no other code can change the word. The
 * kernel does not read back words that it passes to functions on the stack. */

enum {
  SL_LINEAR_FIRST_SLOT = 64, /* number of the register that represents slot 0 */
  SL_LINEAR_SLOTS = 64,
  SL_LINEAR_PLACES = SL_LINEAR_FIRST_SLOT + SL_LINEAR_SLOTS
};

enum sl_linear_knowledge {
  SL_LINEAR_UNSEEN, /* no path has reached this point yet */
  SL_LINEAR_KNOWN_NUMBER,
  SL_LINEAR_KNOWN_LAUNCH, /* the launch block's address plus `more` */
  SL_LINEAR_KNOWN_STACK,  /* the stack pointer at entry plus `more` */
  SL_LINEAR_UNKNOWN
};

struct sl_linear_known {
  uint8_t what; /* enum sl_linear_knowledge */
  uint32_t more;
};

struct sl_linear_frame {
  uint32_t slot[SL_LINEAR_SLOTS]; /* bytes from the stack pointer at entry */
  unsigned slots;
  struct sl_linear_known (*before)[SL_LINEAR_PLACES]; /* per instruction: registers, then slots */
};

/* False: out of memory. `code` must have its successors. */
bool sl_linear_frame_find(struct sl_linear_frame *frame, const struct sl_linear_machine_code *machine,
                          const struct sl_linear_code *code);
void sl_linear_frame_free(struct sl_linear_frame *frame);

/* Returns the register that represents the word of a stack load or store; SL_LINEAR_NO_REG: the word is no slot. */
uint32_t sl_linear_frame_slot(const struct sl_linear_frame *frame, uint32_t at, const struct sl_insn *access);

#endif
