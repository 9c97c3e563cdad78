/* Atomic operations without a machine instruction, as loops of lr.w and sc.w: compare and exchange, nand, and
 * operations on part of a word, which preserve the rest (The RISC-V Instruction Set Manual, Volume I, section 8.2). */
#ifndef SL_BACKEND_ATOMICS_H
#define SL_BACKEND_ATOMICS_H

#include "compiler/isa64/lir/lir.h"

enum { SL_MOST_ATOMIC_WORDS = 9 };

/* Writes the words of an instruction SL_LIR_COMPARE_EXCHANGE or SL_LIR_ATOMIC_LOOP with physical registers; returns
 * their number. */
unsigned sl_atomic_loop(const struct sl_lir *lir, const struct sl_lir_insn *insn,
                        struct sl_wide word[SL_MOST_ATOMIC_WORDS]);

#endif
