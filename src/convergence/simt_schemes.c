/* The schemes of the SIMT stack: `stack`, `its` and `hanoi` of sm7 (simt_stack.h). */
#include "convergence/simt_stack.h"

const struct sl_convergence sl_convergence_simt_stack = {.name = "stack", .places = sl_simt_stack_places};

static unsigned first(const void *warp)
{
  const struct sl_simt_stack *s = warp;
  return sl_simt_groups_first(s, ~s->turn.parked);
}

static enum sl_turn count_its(void *warp, bool back)
{
  const struct sl_simt_stack *s = warp;
  (void)back;
  if (s->turn.turns < s->turn.period)
    return SL_TURN_GOES_ON;
  return s->turn.favoured ? SL_TURN_ENDS : SL_TURN_NEXT;
}

const struct sl_convergence sl_convergence_simt_its = {
    .name = "its",
    .select = first,
    .settle = sl_simt_groups_arrange,
    .count = count_its,
    .counts_ahead = true,
    .places = sl_simt_stack_places,
};

/* A group yields at a backward branch. */
static enum sl_turn count_hanoi(void *warp, bool back)
{
  const struct sl_simt_stack *s = warp;
  return back && s->turn.turns >= s->turn.period ? SL_TURN_YIELDS : SL_TURN_GOES_ON;
}

const struct sl_convergence sl_convergence_simt_hanoi = {
    .name = "hanoi",
    .select = first,
    .count = count_hanoi,
    .places = sl_simt_stack_places,
};
