/* A Vortex GPU in time: sockets of cores, the memory behind them, and the stretches of cycles in which the sockets do
 * not depend on each other, so that host threads can simulate them side by side.
 *
 * When all sockets have come to cycle s, memory can be simulated up to m = s + sl_vortex_lookahead(), since what
 * sockets ask for from s on is due later; then each socket, on its own, up to m + sl_vortex_return_delay(), since what
 * memory answers after m comes later. The two delays are a stretch. What cores exchange otherwise happens between
 * stretches, by one thread: global barriers open, and stores reach memory.
 *
 * With several cores each keeps a log of its stores and atomics (warp/store_log.h); the logs are performed at the end
 * of the stretch in order of the cores. A load sees what all cores had stored before the stretch and its own core in
 * it. An atomic's rd is written when its log is, so the stretch must be over before an instruction that depends on it
 * executes: sl_vortex_stretch() is no longer than the shortest way of the pipeline from an atomic to that.
 *
 * Stretches begin at the same cycles however the run is cut: what a run comes to depends neither on that nor on the
 * number of threads. With one core a run can pause within a stretch, with several only at its end. */
#ifndef SL_MACHINE_VORTEX_TIMED_H
#define SL_MACHINE_VORTEX_TIMED_H

#include "machine/vortex/vortex_gpu.h"

enum sl_status sl_vortex_timed_init(struct sl_vortex_gpu *sm, struct sl_error *err);
void sl_vortex_timed_free(struct sl_vortex_gpu *sm);
void sl_vortex_timed_start(struct sl_vortex_gpu *sm);

enum sl_sm_state sl_vortex_run_timed(struct sl_vortex_gpu *sm, uint64_t cycles);

/* A whole stretch by this thread, at the beginning of one. */
void sl_vortex_pass_stretch(struct sl_vortex_gpu *sm);

/* Cycles of a stretch. */
unsigned sl_vortex_stretch(const struct sl_vortex_spec *spec);

#endif
