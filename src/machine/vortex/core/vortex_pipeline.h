/* A Vortex core from schedule to commit: layout of its queues, and its start. */
#ifndef SL_MACHINE_VORTEX_PIPELINE_H
#define SL_MACHINE_VORTEX_PIPELINE_H

#include "machine/vortex/core/vortex_flight.h"

enum sl_status sl_vortex_pipeline_init(struct sl_vortex_pipeline *core, const struct sl_vortex_spec *spec,
                                       struct sl_ipdom_warps *warps, struct sl_error *err);
void sl_vortex_pipeline_free(struct sl_vortex_pipeline *core);

/* Assigns each queue its range of entries, which follows from the keys; returns the number of entries. */
uint32_t sl_vortex_lay_out(struct sl_vortex_pipeline *core);

/* Called after warps have been started. */
void sl_vortex_pipeline_start(struct sl_vortex_pipeline *core);

/* Checkpoints: vortex_core_state.c. */
void sl_vortex_core_walk(struct sl_vortex_pipeline *core, struct sl_archive *archive);

/* Recompute the derived fields: of an instruction, and of a valid pipeline. */
void sl_vortex_derive_op(const struct sl_vortex_pipeline *core, uint32_t op);
void sl_vortex_core_derive(struct sl_vortex_pipeline *core);

/* Evaluates all stages in the next cycle, because another component may have changed their inputs. */
void sl_vortex_look_at_all(struct sl_vortex_pipeline *core);

#endif
