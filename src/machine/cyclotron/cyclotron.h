/* Cyclotron: the emulator of R. R. Yan and S. Anand, "Redesigning the Vortex GPU ISA", as a machine. The paper uses it
 * to count the compiler's savings (section 4). It has 64-bit instruction words, one instruction per warp and cycle, and
 * the paper's counters.
 *
 * Timing contract: an instruction scheduled in a cycle executes in the next, once per warp and cycle. After a taken
 * branch, a jump, warp control or a barrier the warp skips one cycle. Memory has no latency. Warps start with all
 * lanes: warp 0 at the start of code memory, whatever the file's entry, and the others where WSPAWN says. A jump to
 * address 0, the return address of main and of kernels, ends the run for all warps at once, in the order of their
 * numbers within a cycle. (Published sources, commit 1884350e: scheduler, warp and top level.) The paper leaves SPLIT,
 * JOIN, PRED and BAR open; here they are those of the Vortex machine. */
#ifndef SL_MACHINE_CYCLOTRON_H
#define SL_MACHINE_CYCLOTRON_H

#include "machine/machine.h"

extern const struct sl_machine sl_cyclotron;

#endif
