/* Whether a core's warps with IPDOM stacks can be what a file says (base/sound.h): masks, stacks, and who waits. */
#ifndef SL_WARP_SOUND_IPDOM_SOUND_H
#define SL_WARP_SOUND_IPDOM_SOUND_H

#include "base/sound.h"
#include "warp/ipdom_warps.h"

/* Whether a warp whose mask has become empty is switched off by the same instruction, or when that is in its unit. */
enum sl_ipdom_ends { SL_IPDOM_ENDS_AT_ONCE, SL_IPDOM_ENDS_LATER };

/* state and warp from a file, w of the machine. */
bool sl_ipdom_sound(const struct sl_ipdom_warps *w, const struct sl_ipdom_warps_state *state,
                    const struct sl_ipdom_warp *warp, enum sl_ipdom_ends ends);

#endif
