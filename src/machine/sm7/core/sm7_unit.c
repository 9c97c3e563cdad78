/* The cycle loop of an SM as one compilation unit, so that GCC inlines its stages into the loop. The functions declared
 * here have no other callers; being static, they are inlined if they are called once. */
#include <stdint.h>

struct sl_sm7_sm;
static void sl_sm7_lsu_cycle(struct sl_sm7_sm *sm, uint64_t cycle, uint64_t now);
static void sl_sm7_issue(struct sl_sm7_sm *sm, uint64_t cycle);
static void sl_sm7_collect(struct sl_sm7_sm *sm);
static void sl_sm7_read_operands(struct sl_sm7_sm *sm);
static void sl_sm7_fetch(struct sl_sm7_sm *sm, uint64_t now);
static void sl_sm7_write_results(struct sl_sm7_sm *sm, uint64_t cycle);
static void sl_sm7_execute(struct sl_sm7_sm *sm, uint64_t cycle);

#include "machine/sm7/core/sm7_coalesce.c"
#include "machine/sm7/core/sm7_collectors.c"
#include "machine/sm7/core/sm7_fetch.c"
#include "machine/sm7/core/sm7_issue.c"
#include "machine/sm7/core/sm7_lsu.c"
#include "machine/sm7/core/sm7_phases.c"
#include "machine/sm7/core/sm7_register_file.c"
#include "machine/sm7/core/sm7_sm.c"
#include "machine/sm7/core/sm7_units.c"
#include "machine/sm7/core/sm7_waits.c"
