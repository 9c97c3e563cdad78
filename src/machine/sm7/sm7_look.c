#include "machine/sm7/sm7_gpu.h"

#include "machine/sm7/core/sm7_warps.h"

static const char *result_of(unsigned unit)
{
  static const char *const text[SL_SM7_UNITS] = {
      [SL_SM7_SP] = "waits for a result of the SP units",         [SL_SM7_DP] = "waits for a result of the DP units",
      [SL_SM7_INT] = "waits for a result of the INT units",       [SL_SM7_SFU] = "waits for a result of the SFUs",
      [SL_SM7_TENSOR] = "waits for a result of the tensor cores", [SL_SM7_MEM] = "waits for a load"};
  return unit < SL_SM7_UNITS ? text[unit] : text[SL_SM7_SP];
}

/* What the next instruction waits for, as the scoreboard will find; NULL: nothing. A scheduler looks at a warp only
 * when it picks one. */
static const char *hazard_of(const struct sl_sm7_sm *sm, unsigned warp, const struct sl_sm7_instruction *code)
{
  const struct sl_sm7_warp *w = &sm->warp[warp];
  if (code->kind == SL_SM7_ASYNC_WAIT && sl_sm7_awaits(w, code->groups))
    return "waits for its asynchronous loads";
  for (; code != NULL; code = sl_sm7_rest(code))
    for (unsigned i = 0; i < code->watched; i++) {
      const unsigned r = code->watch[i];
      if ((w->busy[r / 64] >> r % 64 & 1) != 0)
        return result_of(sm->writer[warp][r]);
    }
  return NULL;
}

const char *sl_sm7_wait_of(const struct sl_sm7_gpu *g, unsigned number)
{
  const struct sl_sm7_sm *sm = &g->sm[number / g->spec.warps];
  const unsigned warp = number % g->spec.warps;
  const uint64_t bit = UINT64_C(1) << warp;
  if ((sm->present & bit) == 0)
    return "has left the SM";
  if ((sm->live & bit) == 0)
    return sm->warp[warp].stores > 0 ? "has ended, and waits for its stores" : "has ended";
  if ((sm->barrier & bit) != 0)
    return "waits at a barrier";
  if ((sm->atomic & bit) != 0)
    return "waits for its atomic instruction";
  if ((sm->fence & bit) != 0)
    return "waits for a memory fence";
  if ((sm->buffered & bit) == 0)
    return (sm->missing & bit) != 0 ? "waits for its next instruction from memory" : "waits for its next instruction";
  const char *hazard = hazard_of(sm, warp, &g->front.code[sm->warp[warp].pc]);
  return hazard != NULL ? hazard : "can issue";
}

static unsigned held(const struct sl_sm7_ring *ring, unsigned count)
{
  unsigned all = 0;
  for (unsigned i = 0; i < count; i++)
    all += ring[i].count;
  return all;
}

unsigned sl_sm7_holdings(const struct sl_sm7_gpu *g, unsigned number, struct sl_holding holding[SL_HOLDINGS])
{
  const struct sl_sm7_sm *sm = &g->sm[number];
  unsigned n = 0, slices = 0, to_dram = 0, in_dram = 0;
  for (unsigned i = 0; i < g->slices; i++) {
    const struct sl_sm7_slice *s = &g->slice[i];
    slices += s->delay.count + s->input.count + s->output.count + s->from_dram.count;
    to_dram += s->to_dram.count;
  }
  for (unsigned i = 0; i < g->slices / SL_SM7_CHANNEL_SLICES; i++)
    in_dram += g->dram[i].in_service;
  holding[n++] = (struct sl_holding){"instructions between issue and a unit", SL_SM7_OPS - sm->free_ops, SL_SM7_OPS};
  holding[n++] = (struct sl_holding){"operand collectors in use", (unsigned)__builtin_popcountll(sm->collecting), 0};
  holding[n++] = (struct sl_holding){"operations in arithmetic units", sm->executing, 0};
  holding[n++] = (struct sl_holding){"results of shared memory", sm->shared.count, 0};
  holding[n++] = (struct sl_holding){"accesses in the pipe of L1", held(sm->pipe, SL_SM7_L1_BANKS), 0};
  holding[n++] = (struct sl_holding){"replies to the SM", sm->response.count, sm->response.size};
  holding[n++] =
      (struct sl_holding){"all SMs: requests in the crossbar",
                          held(g->requests.in, g->requests.inputs) + held(g->requests.out, g->requests.outputs), 0};
  holding[n++] =
      (struct sl_holding){"all SMs: replies in the crossbar",
                          held(g->replies.in, g->replies.inputs) + held(g->replies.out, g->replies.outputs), 0};
  holding[n++] = (struct sl_holding){"all SMs: packets in L2", slices, 0};
  holding[n++] = (struct sl_holding){"all SMs: requests from L2 to DRAM", to_dram, 0};
  holding[n++] = (struct sl_holding){"all SMs: requests that DRAM serves", in_dram, 0};
  return n;
}
