/* Validates the IPDOM warps of a checkpoint (base/validate.h): masks, stacks and waiting warps. */
#ifndef SL_WARP_VALIDATE_IPDOM_VALIDATE_H
#define SL_WARP_VALIDATE_IPDOM_VALIDATE_H

#include "base/validate.h"
#include "warp/ipdom_warps.h"

/* When a warp with an empty mask is switched off: by the same instruction, or when that is in its unit. */
enum sl_ipdom_ends { SL_IPDOM_ENDS_AT_ONCE, SL_IPDOM_ENDS_LATER };

/* Returns true if a checkpoint's `state` and `warp` are valid for the machine's `w`. */
bool sl_ipdom_valid(const struct sl_ipdom_warps *w, const struct sl_ipdom_warps_state *state,
                    const struct sl_ipdom_warp *warp, enum sl_ipdom_ends ends);

#endif
