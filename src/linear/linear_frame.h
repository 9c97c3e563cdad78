/* What registers of a kernel in RV32 hold that its code alone tells: the address of the launch block or of the stack
 * and a number more, or a number; and with that, which words of the stack are nothing but places for registers.
 *
 * A word of the stack is a slot if it is only read and written whole by instructions of the kernel, at least once read,
 * and no address of the stack is computed, stored or passed on: then nobody else can change it. Of what the kernel
 * passes to functions on the stack it reads nothing. */
#ifndef SL_LINEAR_LINEAR_FRAME_H
#define SL_LINEAR_LINEAR_FRAME_H

#include "linear/linear_rv32.h"

enum {
  SL_LINEAR_FIRST_SLOT = 64, /* number of the register that stands for slot 0 */
  SL_LINEAR_SLOTS = 64,
  SL_LINEAR_PLACES = SL_LINEAR_FIRST_SLOT + SL_LINEAR_SLOTS
};

enum sl_linear_knowledge {
  SL_LINEAR_UNSEEN, /* no way has come here yet */
  SL_LINEAR_KNOWN_NUMBER,
  SL_LINEAR_KNOWN_LAUNCH, /* the launch block's address, and `more` */
  SL_LINEAR_KNOWN_STACK,  /* the stack pointer at the beginning, and `more` */
  SL_LINEAR_UNKNOWN
};

struct sl_linear_known {
  uint8_t what; /* enum sl_linear_knowledge */
  uint32_t more;
};

struct sl_linear_frame {
  uint32_t slot[SL_LINEAR_SLOTS]; /* bytes from the stack pointer at the beginning */
  unsigned slots;
  struct sl_linear_known (*before)[SL_LINEAR_PLACES]; /* by instruction: registers, then slots */
};

/* False: no memory. `code` has its successors. */
bool sl_linear_frame_find(struct sl_linear_frame *frame, const struct sl_linear_machine_code *machine,
                          const struct sl_linear_code *code);
void sl_linear_frame_free(struct sl_linear_frame *frame);

/* The register that stands for the word that a load or store of the stack accesses; SL_LINEAR_NO_REG: it is no slot. */
uint32_t sl_linear_frame_slot(const struct sl_linear_frame *frame, uint32_t at, const struct sl_insn *access);

#endif
