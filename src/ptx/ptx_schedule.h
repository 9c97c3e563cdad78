/* Orders the instructions of basic blocks as an assembler does: a list scheduler, loads first.
 *
 * An assembler moves loads up, so that several are outstanding before the first result is needed, as long as the
 * registers last. The scheduler takes, in each cycle, the ready instruction with the longest path of latencies to the
 * end of its piece of code. If the live values exceed the budget, it takes the one that frees most registers. A piece
 * ends at branches, barriers, atomics, fences, calls and exchanges between lanes; loads do not pass stores that may
 * write the same bytes. Values do not change.
 *
 * Products of matrices and loads of matrices take a unit for many cycles: an instruction of each can issue every 32
 * cycles, so loads for the next products are among those that issue now.
 *
 * Latencies: Jia et al., arXiv:1804.06826 (tables 3.1 and 4.1), of Volta; of products Raihan et al., arXiv:1811.08309.
 */
#ifndef SL_PTX_PTX_SCHEDULE_H
#define SL_PTX_PTX_SCHEDULE_H

#include "ptx/ptx.h"

/* Schedules a function, whose branches have their targets. `weight`: the size of each register number in words.
 * `slack`: words of registers that a piece of code may need beyond what it needs in program order. A piece with
 * instructions on matrices may need no more, and stays as it is without `matrices`. */
enum sl_status sl_ptx_schedule(struct sl_ptx_insn *code, uint32_t begin, uint32_t end, const uint8_t *weight,
                               unsigned registers, unsigned slack, bool matrices, struct sl_error *err);

#endif
