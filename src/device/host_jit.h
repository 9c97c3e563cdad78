/* JIT compiler of the host CPU: translates its program to x86-64 once the program has run for a while.
 *
 * Contract: the state after any number of instructions is the interpreter's (device/host_cpu.c). The code stops before
 * an instruction that may have a fault, that needs the device, or that has no translation; the interpreter executes it.
 * Code is entered at leaders: targets of jumps and the instructions behind jumps and behind untranslated instructions.
 * A block is executed only if the budget has all of its instructions. The eight registers that the program names most,
 * weighted by loops, are registers of the host; the others stay in memory. */
#ifndef SL_DEVICE_HOST_JIT_H
#define SL_DEVICE_HOST_JIT_H

#include "device/host_cpu.h"

struct sl_host_jit;

/* Translates the program. Returns NULL if the host is not an x86-64, forbids generated code or is out of memory. */
struct sl_host_jit *sl_host_jit_open(const struct sl_host *host);
void sl_host_jit_close(struct sl_host_jit *jit);

/* Executes up to `most` instructions from pc on; changes x, pc and memory. Returns their number, which is 0 if pc is
 * not a leader. */
uint64_t sl_host_jit_run(const struct sl_host_jit *jit, struct sl_host *host, uint64_t most);

#endif
