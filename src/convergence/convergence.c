#include "convergence/convergence.h"

#define SCHEME(ID, object, name, warps) extern const struct sl_convergence sl_convergence_##object;
#include "convergence/convergence_schemes.def"
#undef SCHEME

const struct sl_convergence *const sl_convergences[SL_CONVERGENCE_SCHEMES] = {
#define SCHEME(ID, object, name, warps) [SL_CONVERGENCE_##ID] = &sl_convergence_##object,
#include "convergence/convergence_schemes.def"
#undef SCHEME
};

bool sl_lanes_wait(enum sl_scheme scheme, const void *warp, sl_lanes lanes)
{
  struct sl_warp_path path[SL_MAX_LANES];
  sl_lanes others = 0;
  for (unsigned i = sl_convergences[scheme]->places(warp, path); i-- > 0;)
    others |= path[i].lanes & ~lanes;
  return others != 0;
}
