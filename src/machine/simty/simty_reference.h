/* Test builds: cycle-stepped reference models of the multiplier and the scratchpad. They run beside the event-driven
 * models and must give the same outputs in every cycle. Call these functions only with SL_CHECKS.
 *
 * The reference models start with a kernel. A checkpoint does not include them: after a restore they start when no
 * request is in flight. */
#ifndef SL_MACHINE_SIMTY_REFERENCE_H
#define SL_MACHINE_SIMTY_REFERENCE_H

#include "timing/memory/scratchpad.h"

struct sl_simty_core;

/* Returns false if the host is out of memory. */
bool sl_simty_reference_create(struct sl_simty_core *sm);
void sl_simty_reference_free(struct sl_simty_core *sm);

/* start: a kernel starts. lose: a state has been restored. */
void sl_simty_reference_start(struct sl_simty_core *sm);
void sl_simty_reference_lose(struct sl_simty_core *sm);

/* Requests that enter the scratchpad and the multiplier in this cycle. */
void sl_simty_reference_put(struct sl_simty_core *sm, const struct sl_scratchpad_request *request);
void sl_simty_reference_multiply(struct sl_simty_core *sm, struct sl_response response);

/* cycle: takes the outputs of the reference models and steps them; call before the event-driven units deliver theirs in
 * cycle `now`. compare: call after it. */
void sl_simty_reference_cycle(struct sl_simty_core *sm, int64_t now);
void sl_simty_reference_compare(struct sl_simty_core *sm, int64_t now);

#endif
