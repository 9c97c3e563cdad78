/* Unrolls loops of a kernel that are one basic block, as an assembler for GPUs does unless a .pragma "nounroll" is at
 * their head (PTX ISA, "Pragma Strings").
 *
 * A loop with a known number of rounds disappears if its copies are short enough. Other counted loops do four rounds at
 * a time (ptx_counted.h) and the remaining ones as before. Numbers are folded (ptx_fold.h), so the counter is gone from
 * the copies. Results that only the next round reads have registers of their own, so loads of several rounds can be
 * outstanding. Instructions keep their place in the text.
 *
 * The limits of NVIDIA's assembler are not published. These are those of LLVM 19 at -O3 (LoopUnrollPass.cpp): 300
 * instructions, and up to four times as many if folding removes so many (-unroll-threshold-aggressive,
 * -unroll-max-percent-threshold-boost), which is examined for up to 10 rounds (-unroll-max-iteration-count-to-analyze).
 */
#ifndef SL_PTX_TEXT_PTX_UNROLL_H
#define SL_PTX_TEXT_PTX_UNROLL_H

#include "ptx/text/ptx_parser.h"

enum { SL_PTX_UNROLL_MOST = 300, SL_PTX_UNROLL_BOOST = 400, SL_PTX_UNROLL_EXAMINED = 10 };

/* Unrolls the loops of the kernel from `begin` to the end of the code, whose branches have their targets. False: out of
 * memory. */
bool sl_ptx_unroll(struct sl_ptx_parser *p, uint32_t begin);

#endif
