#include "warp/sound/ipdom_sound.h"

enum { FCSR = 0xff /* flags and rounding mode */ };

static bool stack_sound(const struct sl_ipdom_warps *w, const struct sl_ipdom_warp *warp)
{
  if (warp->depth > w->spec.ipdom_entries || warp->depth > SL_IPDOM_MAX)
    return false;
  for (unsigned i = 0; i < warp->depth; i++)
    if (warp->ipdom[i].restore == 0 || ((warp->ipdom[i].restore | warp->ipdom[i].other) & ~w->all) != 0)
      return false;
  return true;
}

/* Barriers are as many as keys say, or none before the program begins. */
static bool gang_sound(const struct sl_ipdom_warps *w, const struct sl_gang *g)
{
  const struct sl_shape shape = {w->spec.warps, w->all};
  sl_warps warps = g->active | g->started | g->at_barrier | g->at_global | g->asking;
  for (unsigned i = 0; i < SL_GANG_BARRIERS; i++)
    warps |= g->local[i] | g->global[i];
  return sl_warps_sound(warps, shape) && sl_bool_sound(&g->spawning) && g->spawner < shape.warps &&
         (g->barriers == w->spec.barriers || (g->barriers == 0 && g->active == 0));
}

bool sl_ipdom_sound(const struct sl_ipdom_warps *w, const struct sl_ipdom_warps_state *state,
                    const struct sl_ipdom_warp *warp)
{
  const struct sl_shape shape = {w->spec.warps, w->all};
  if (!gang_sound(w, &state->gang) || !sl_warps_sound(state->span.inside, shape))
    return false;
  for (unsigned i = 0; i < shape.warps; i++) {
    const bool runs = state->gang.active >> i & 1;
    if ((warp[i].mask & ~w->all) != 0 || (runs && warp[i].mask == 0) || warp[i].fcsr > FCSR ||
        !stack_sound(w, &warp[i]))
      return false;
  }
  return true;
}
