#include "warp/validate/ipdom_validate.h"

enum { FCSR = 0xff /* flags and rounding mode */ };

static bool stack_valid(const struct sl_ipdom_warps *w, const struct sl_ipdom_warp *warp)
{
  return warp->depth <= w->spec.ipdom_entries && w->convergence->valid(warp, w->all);
}

/* Checks that each waiting warp is at one barrier. */
static bool barriers_valid(const struct sl_core_sync *g)
{
  sl_warps local = 0, global = 0, twice = 0;
  for (unsigned i = 0; i < SL_CORE_SYNC_BARRIERS; i++) {
    twice |= (local | global) & (g->local[i] | g->global[i]);
    twice |= g->local[i] & g->global[i];
    local |= g->local[i];
    global |= g->global[i];
  }
  return twice == 0 && (local | global) == g->at_barrier && global == g->at_global;
}

/* Checks that the number of barriers is the key's, or 0 before the program begins. */
static bool core_sync_valid(const struct sl_ipdom_warps *w, const struct sl_core_sync *g)
{
  const struct sl_shape shape = {w->spec.warps, w->all};
  return sl_warps_valid(g->active | g->started | g->at_barrier | g->asking, shape) && barriers_valid(g) &&
         ((g->at_barrier | g->asking) & ~g->active) == 0 && sl_bool_valid(&g->spawning) && g->spawner < shape.warps &&
         g->spawn_count <= shape.warps && (g->barriers == w->spec.barriers || (g->barriers == 0 && g->active == 0));
}

bool sl_ipdom_valid(const struct sl_ipdom_warps *w, const struct sl_ipdom_warps_state *state,
                    const struct sl_ipdom_warp *warp, enum sl_ipdom_ends ends)
{
  const struct sl_shape shape = {w->spec.warps, w->all};
  if (!core_sync_valid(w, &state->sync) || !sl_warps_valid(state->span.inside, shape))
    return false;
  for (unsigned i = 0; i < shape.warps; i++) {
    const bool runs = ends == SL_IPDOM_ENDS_AT_ONCE && (state->sync.active >> i & 1);
    if ((warp[i].mask & ~w->all) != 0 || (runs && warp[i].mask == 0) || warp[i].fcsr > FCSR ||
        !stack_valid(w, &warp[i]))
      return false;
  }
  return true;
}
