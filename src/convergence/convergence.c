#include "convergence/convergence.h"

#define SCHEME(ID, object, name, warps) extern const struct sl_convergence sl_convergence_##object;
#include "convergence/convergence_schemes.def"
#undef SCHEME

const struct sl_convergence *const sl_convergences[SL_CONVERGENCE_SCHEMES] = {
#define SCHEME(ID, object, name, warps) [SL_CONVERGENCE_##ID] = &sl_convergence_##object,
#include "convergence/convergence_schemes.def"
#undef SCHEME
};

const enum sl_scheme_warps sl_scheme_warps[SL_CONVERGENCE_SCHEMES] = {
#define SCHEME(ID, object, name, warps) [SL_CONVERGENCE_##ID] = SL_SCHEME_##warps,
#include "convergence/convergence_schemes.def"
#undef SCHEME
};

/* The name, if the scheme is for those warps. */
#define OF_PATHS_PATHS(name) name,
#define OF_PATHS_VORTEX(name)
#define OF_PATHS_MASK(name)
#define OF_PATHS_OPTION(name)
#define OF_VORTEX_PATHS(name)
#define OF_VORTEX_VORTEX(name) name,
#define OF_VORTEX_MASK(name)
#define OF_VORTEX_OPTION(name)
#define OF_MASKS_PATHS(name)
#define OF_MASKS_VORTEX(name)
#define OF_MASKS_MASK(name) name,
#define OF_MASKS_OPTION(name)

const char *const sl_schemes_of_paths[SL_PATHS_SCHEMES + 1] = {
#define SCHEME(ID, object, name, warps) OF_PATHS_##warps(name)
#include "convergence/convergence_schemes.def"
#undef SCHEME
    NULL};

const char *const sl_schemes_of_vortex[SL_VORTEX_SCHEMES + 1] = {
#define SCHEME(ID, object, name, warps) OF_VORTEX_##warps(name)
#include "convergence/convergence_schemes.def"
#undef SCHEME
    NULL};

const char *const sl_schemes_of_masks[SL_MASK_SCHEMES + 1] = {
#define SCHEME(ID, object, name, warps) OF_MASKS_##warps(name)
#include "convergence/convergence_schemes.def"
#undef SCHEME
    NULL};

enum sl_scheme sl_scheme_of(enum sl_scheme_warps warps, unsigned choice)
{
  unsigned scheme = 0;
  while (scheme < SL_CONVERGENCE_SCHEMES - 1 && (sl_scheme_warps[scheme] != warps || choice-- > 0))
    scheme++;
  return (enum sl_scheme)scheme;
}

struct sl_warp_path sl_lanes_at(enum sl_scheme scheme, const void *warp, sl_lanes lanes)
{
  struct sl_warp_path path[SL_MAX_LANES];
  return sl_lanes_among(path, sl_convergences[scheme]->places(warp, path), lanes);
}

unsigned sl_lanes_longest_wait(uint32_t *waited, sl_lanes waits, unsigned more, unsigned lanes)
{
  uint32_t longest = 0;
  for (unsigned lane = 0; lane < lanes; lane++) {
    waited[lane] = waits >> lane & 1 ? waited[lane] + more : 0;
    longest = waited[lane] > longest ? waited[lane] : longest;
  }
  return longest;
}
