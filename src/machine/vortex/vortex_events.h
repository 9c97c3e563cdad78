/* Observer events of a Vortex GPU. In a timed run with several cores, each core buffers its events of a quantum. One
 * thread delivers them at the end of the quantum, in order of cycle and core. By then atomics have their results. */
#ifndef SL_MACHINE_VORTEX_EVENTS_H
#define SL_MACHINE_VORTEX_EVENTS_H

#include "machine/vortex/vortex_gpu.h"

/* Kernel boundaries of a program that runs on a Vortex GPU alone. The launcher is notified when a kernel begins and
 * ends, in the cycle in which the instruction responsible executes; with several cores, at the end of the quantum. */

bool sl_vortex_watch(struct sl_sm *sm, const struct sl_kernel_tracker *watch);

/* The kernel span of a core has changed. */
void sl_vortex_kernels(struct sl_vortex_gpu *sm);

void sl_vortex_events_free(struct sl_vortex_events *notes);

/* Reports an event of a core's warp, by the warp's number in the core, now or at the end of the quantum. An execution
 * event carries its instruction, values and addresses. */
void sl_vortex_report(const void *gpu, unsigned core, const struct sl_probe *probe);

/* Delivers the buffered events of all cores. False: events were lost for lack of memory. */
bool sl_vortex_tell(struct sl_vortex_gpu *sm);

#endif
