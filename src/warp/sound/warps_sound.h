/* Whether the threads of an SM can be what a file says (base/sound.h): paths, instruction memory. */
#ifndef SL_WARP_SOUND_WARPS_SOUND_H
#define SL_WARP_SOUND_WARPS_SOUND_H

#include "base/sound.h"
#include "warp/path_warps.h"

/* Of one warp, in the scheme of the machine. */
bool sl_paths_sound(const struct sl_paths *paths, enum sl_convergence scheme, sl_lanes lanes);
bool sl_sorted_paths_sound(const struct sl_sorted_paths *paths, sl_lanes lanes);

/* Instructions are what their words are in this memory. */
bool sl_insns_sound(const struct sl_code *code, const struct sl_insn *insn);

#endif
