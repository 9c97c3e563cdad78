/* What observers of a Vortex GPU are told. With several cores in time, what cores execute in a stretch of cycles is
 * noted per core and told at its end, by one thread, in order of cycle and core; by then atomics have their results. */
#ifndef SL_MACHINE_VORTEX_NOTES_H
#define SL_MACHINE_VORTEX_NOTES_H

#include "machine/vortex/vortex_gpu.h"

void sl_vortex_notes_free(struct sl_vortex_notes *notes);

/* Tells observers of an instruction that has been executed, now or at the end of the stretch. */
void sl_vortex_report(const struct sl_vortex_gpu *sm, unsigned core, unsigned warp, const struct sl_ipdom_execution *ex,
                      uint64_t cycle);

/* Tells them what all cores have noted. False: there was no memory for some of it. */
bool sl_vortex_tell(struct sl_vortex_gpu *sm);

#endif
