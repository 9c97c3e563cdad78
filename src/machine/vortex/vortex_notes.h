/* What observers of a Vortex GPU are told. With several cores in time, what cores execute in a stretch of cycles is
 * noted per core and told at its end, by one thread, in order of cycle and core; by then atomics have their results. */
#ifndef SL_MACHINE_VORTEX_NOTES_H
#define SL_MACHINE_VORTEX_NOTES_H

#include "machine/vortex/vortex_gpu.h"

void sl_vortex_notes_free(struct sl_vortex_notes *notes);

/* Tells observers of something that a core's warp does, by the warp's number in the core, now or at the end of the
 * stretch. An execution brings its instruction, values and addresses. */
void sl_vortex_report(const void *gpu, unsigned core, const struct sl_probe *probe);

/* Tells them what all cores have noted. False: there was no memory for some of it. */
bool sl_vortex_tell(struct sl_vortex_gpu *sm);

#endif
