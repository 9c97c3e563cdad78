/* Cyclotron, the emulator with which R. R. Yan and S. Anand, "Redesigning the Vortex GPU ISA", count what their
 * compiler saves (section 4), as a machine: 64-bit instruction words, an instruction per warp and cycle, and the
 * paper's counters.
 *
 * Timing contract: what is scheduled in a cycle executes in the next, once per warp and cycle; behind a taken branch, a
 * jump, warp control and a barrier a warp misses one cycle. Memory answers at once. Warps begin with all lanes; warp 0
 * at the start of code memory, whatever the file's entry is, the others where WSPAWN says. A jump to address 0, which
 * is where main and kernels return to, ends the run for all warps at once, in the order of their numbers within a
 * cycle. (Published sources, commit 1884350e: scheduler, warp and top level.) What the paper leaves to do, SPLIT, JOIN,
 * PRED and BAR, is that of the Vortex machine. */
#ifndef SL_MACHINE_CYCLOTRON_H
#define SL_MACHINE_CYCLOTRON_H

#include "machine/machine.h"

extern const struct sl_machine sl_cyclotron;

#endif
