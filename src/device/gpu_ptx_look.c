/* What a debugger shows of the current launch of a GPU for PTX. */
#include "device/gpu_kind.h"
#include "machine/sm7/sm7_engine.h"
#include "machine/sm7/sm7_gpu.h"

struct sl_gpu_ptx_warp sl_gpu_ptx_warp(const struct sl_gpu *gpu, unsigned number)
{
  const struct sl_sm7_gpu *g = sl_gpu_ptx_engine(gpu)->gpu;
  struct sl_gpu_ptx_warp result = {.sm = number / g->spec.warps, .warp = number % g->spec.warps};
  const struct sl_sm7_warp *own = &g->sm[result.sm].warp[result.warp];
  result.wait = sl_sm7_wait_of(g, number);
  result.results = own->pending;
  result.stores = own->stores;
  result.atomics = own->atomics;
  return result;
}

uint64_t sl_gpu_ptx_counter(const struct sl_gpu *gpu, size_t counter)
{
  const struct sl_sm7_engine *engine = sl_gpu_ptx_engine(gpu);
  const struct sl_sm7_totals now = sl_sm7_gpu_totals(engine->gpu);
  return sl_sm7_counter(&now, engine->gpu->cycle, counter) - sl_sm7_counter(&engine->before, 0, counter);
}

unsigned sl_gpu_ptx_holdings(const struct sl_gpu *gpu, unsigned number, struct sl_holding holding[SL_HOLDINGS])
{
  const struct sl_sm7_gpu *g = sl_gpu_ptx_engine(gpu)->gpu;
  return sl_sm7_holdings(g, number / g->spec.warps, holding);
}
