/* Volta's register file, in place of operand collectors (registers.model=volta). Each scheduler has two banks, each
 * with a port that reads one register of 32 lanes and 32 bits per cycle, and a cache of operands.
 *
 * An instruction reads its operands in the three cycles after it has left its issue register. It leaves that in the
 * cycle after issue, in order, once the ports that it needs are free in these cycles; until then its scheduler issues
 * nothing. Three operands in one bank so delay the next instruction that needs this bank. Instructions with more
 * operands of a bank read as many cycles longer. A unit is reserved at issue for the initiation interval; branches
 * have a unit of their own. Memory
 * instructions wait behind the operands, in a queue of four per scheduler.
 *
 * A bank is 64 bits wide per lane, so it is written with up to two registers per cycle: a load of 128 bits takes one
 * cycle of both banks. Operations of a fixed latency always have their cycle.
 *
 * The cache has an entry per bank and place in the list of operands. It holds an operand that has the reuse flag, until
 * another operand of that bank is read in that place (sm7_operands.h).
 *
 * Sources: Jia et al., arXiv:1804.06826, section 3.5: Volta has two banks of 64 bits; only three operands in one bank
 * conflict, which takes a cycle more; reuse flags. Huerta et al., arXiv:2503.20481, sections 5.1 and 5.3, of later
 * GPUs: no collectors, 1024 bits per bank and cycle, three cycles of reading, a stage that reserves the ports and holds
 * those before it; section 5.4: the queue of memory instructions. Numbers of registers: ours. */
#ifndef SL_MACHINE_SM7_REGISTER_FILE_H
#define SL_MACHINE_SM7_REGISTER_FILE_H

#include "machine/sm7/core/sm7_sm.h"

/* Runs after the units and before issue, as the collectors do. */
void sl_sm7_read_operands(struct sl_sm7_sm *sm);

/* Whether an instruction is between issue and its unit's register. */
bool sl_sm7_is_any_reading(const struct sl_sm7_sm *sm);

#endif
