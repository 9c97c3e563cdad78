/* The cycle loop of a Simty core as one compilation unit, so that GCC inlines its stages into the loop. The functions
 * declared here have no other callers. As static functions they are inlined at their only call. Compiled separately, a
 * cycle takes 6 % more host instructions. */
#include <stdbool.h>

struct sl_simty_core;
struct sl_simty_effect;
struct sl_execution;
static bool sl_simty_access(struct sl_simty_core *sm, unsigned warp, struct sl_execution *ex, bool all,
                            struct sl_simty_effect *effect);
static void sl_simty_units(struct sl_simty_core *sm);
__attribute__((flatten)) static void sl_simty_dram_cycle(struct sl_simty_core *sm);

/* The order of the sources matters: static names of one hide names of the next. */
/* clang-format off */
#include "machine/simty/simty_cycle.c"
#include "machine/simty/simty_memory.c"
#include "machine/simty/simty_execute.c"
#include "machine/simty/simty_units.c"
#include "timing/memory/dram.c"
#include "convergence/sorted_paths.c"
/* clang-format on */
