/* The pipeline of a core in checkpoints. Before it validates a restored pipeline, the caller reports what caches and
 * memory hold. */
#ifndef SL_MACHINE_VORTEX_CORE_STATE_H
#define SL_MACHINE_VORTEX_CORE_STATE_H

#include "base/state_archive.h"
#include "machine/vortex/core/vortex_places.h"

void sl_vortex_core_walk(struct sl_vortex_pipeline *core, struct sl_archive *archive);

/* Validates the whole pipeline and recomputes the fields that follow from the keys and the program. */
bool sl_vortex_core_valid(struct sl_vortex_pipeline *core, struct sl_vortex_stock *stock);

/* Validates an unused pipeline: it is empty and its numbers are valid instruction numbers. */
bool sl_vortex_core_unused(const struct sl_vortex_pipeline *core);

/* Recomputes only the derived fields of a valid pipeline. */
void sl_vortex_core_derive(struct sl_vortex_pipeline *core);

#endif
