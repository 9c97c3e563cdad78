#include "func/convergence/convergence.h"

#define SCHEME(ID, object, name, warps) extern const struct sl_convergence sl_convergence_##object;
#include "func/convergence/convergence_schemes.def"
#undef SCHEME

const struct sl_convergence *const sl_convergences[SL_CONVERGENCE_SCHEMES] = {
#define SCHEME(ID, object, name, warps) [SL_CONVERGENCE_##ID] = &sl_convergence_##object,
#include "func/convergence/convergence_schemes.def"
#undef SCHEME
};
