/* Whether the state of a Vortex GPU can be what a file says (base/sound.h): cores, and what is under way between them,
 * caches and DRAM, of which every part must be known where it comes from and where it goes. */
#ifndef SL_MACHINE_VORTEX_SOUND_H
#define SL_MACHINE_VORTEX_SOUND_H

#include "machine/vortex/vortex_gpu.h"

/* Looks at what has just been restored, in a GPU that was made like it and has the program. SL_USAGE: it is no such
 * state to go on with, with or without timing; SL_INTERNAL: no memory to find out. */
enum sl_status sl_vortex_sound(struct sl_vortex_gpu *sm, bool timing);

/* Of a state that is sound, makes anew what follows from it, the keys and the program. */
void sl_vortex_derive(struct sl_vortex_gpu *sm);

#endif
