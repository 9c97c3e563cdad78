/* Timed simulation of a Vortex GPU: sockets of cores and the memory behind them. Within a quantum of cycles the sockets
 * do not depend on each other, so host threads can simulate them in parallel.
 *
 * When all sockets have reached cycle s, memory can be simulated up to m = s + sl_vortex_lookahead(), because requests
 * made from s on are due later. Each socket can then be simulated alone up to m + sl_vortex_return_delay(), because
 * answers after m arrive later. A quantum is the sum of the two delays. One thread performs all other exchanges of the
 * cores between quanta: it opens global barriers and performs stores.
 *
 * With several cores each core keeps a log of its stores and atomics (func/ipdom_execute.h). The logs are performed at
 * the end of the quantum in core order. A load sees the stores of all cores before the quantum, and those of its own
 * core in it. An atomic's rd is written when its log is performed. The quantum must therefore end before a dependent
 * instruction executes: sl_vortex_quantum() is at most the shortest pipeline delay from an atomic to a dependent
 * instruction.
 *
 * Quanta begin at the same cycles however a run is divided. The results depend neither on that nor on the number of
 * threads. With one core a run can pause within a quantum, with several cores only at its end. */
#ifndef SL_MACHINE_VORTEX_TIMED_H
#define SL_MACHINE_VORTEX_TIMED_H

#include "machine/vortex/vortex_gpu.h"

/* Cache warming of a Vortex GPU during functional execution. Instructions update the caches with the lines that they
 * fetch and access, in the order of execution, as if each request were answered before the next. A request that would
 * have merged with an outstanding line hits that line. */

/* A core has executed an instruction. */
void sl_vortex_warm(struct sl_vortex_gpu *sm, unsigned core, const struct sl_ipdom_execution *ex);

/* Sampled timing of a Vortex GPU: only parts of a run are timed. An instruction executes when it is scheduled or
 * issued. Once no core has an instruction in flight, the state is therefore only warps, registers and memory. Requests
 * to caches and DRAM whose instructions have ended stay in place until timing resumes, and so do the cached lines:
 * functional execution does not move them. */

/* Switches timing on or off for a GPU without instructions in flight. Repeating the same switch has no effect. */
void sl_vortex_switch(struct sl_vortex_gpu *sm, bool timing);

/* Of struct sl_machine_sampling. */
const char *sl_vortex_refuses_sampling(const void *spec);
bool sl_vortex_drain(struct sl_sm *sm, uint64_t cycles);
void sl_vortex_warm_caches(struct sl_sm *sm, bool warm_up_follows);
unsigned sl_vortex_population(const struct sl_sm *sm);
uint64_t sl_vortex_issued(const struct sl_sm *sm, unsigned warp);

enum sl_status sl_vortex_timed_init(struct sl_vortex_gpu *sm, struct sl_error *err);
void sl_vortex_timed_free(struct sl_vortex_gpu *sm);
void sl_vortex_timed_start(struct sl_vortex_gpu *sm);

enum sl_sm_state sl_vortex_run_timed(struct sl_vortex_gpu *sm, uint64_t cycles);

/* Simulates a whole quantum with this thread, from its beginning. */
void sl_vortex_pass_quantum(struct sl_vortex_gpu *sm);

#endif
