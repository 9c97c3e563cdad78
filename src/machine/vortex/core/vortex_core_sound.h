/* Whether the pipeline of a core can be what a file says (base/sound.h). What is in caches and memory is told first. */
#ifndef SL_MACHINE_VORTEX_CORE_SOUND_H
#define SL_MACHINE_VORTEX_CORE_SOUND_H

#include "machine/vortex/core/vortex_places_sound.h"

/* The whole; what follows from the keys and the program is made anew. */
bool sl_vortex_core_sound(struct sl_vortex_pipeline *core, struct sl_vortex_stock *stock);

/* A pipeline that does not run: empty, and its numbers are those of instructions. */
bool sl_vortex_core_unused(const struct sl_vortex_pipeline *core);

/* Of a pipeline that is sound, only what follows. */
void sl_vortex_core_derive(struct sl_vortex_pipeline *core);

#endif
