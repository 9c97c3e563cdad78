/* A Vortex core from schedule to commit: its queues, and its start. */
#ifndef SL_MACHINE_VORTEX_PIPELINE_H
#define SL_MACHINE_VORTEX_PIPELINE_H

#include "machine/vortex/core/vortex_flight.h"

enum sl_status sl_vortex_pipeline_init(struct sl_vortex_pipeline *core, const struct sl_vortex_spec *spec,
                                       struct sl_ipdom_warps *warps, struct sl_error *err);
void sl_vortex_pipeline_free(struct sl_vortex_pipeline *core);

/* Says of every queue where its entries are, which follows from the keys; returns how many there are. */
uint32_t sl_vortex_lay_out(struct sl_vortex_pipeline *core);

/* Warps have been started. */
void sl_vortex_pipeline_start(struct sl_vortex_pipeline *core);

/* Somebody else may have changed what stages see. */
void sl_vortex_look_at_all(struct sl_vortex_pipeline *core);

#endif
