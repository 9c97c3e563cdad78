/* Test builds: cycle-stepped reference models of the memory path and the multiplier. They run beside the event-driven
 * models and must give the same outputs in every cycle. Call these functions only with SL_CHECKS.
 *
 * The reference models start with a kernel. A checkpoint does not include them: after a restore they start when no
 * request is in flight. */
#ifndef SL_MACHINE_SIMTIGHT_REFERENCE_H
#define SL_MACHINE_SIMTIGHT_REFERENCE_H

#include "base/queues.h"
#include "mem/request.h"

struct sl_simtight_sm;

/* Returns false if the host is out of memory. */
bool sl_simtight_reference_create(struct sl_simtight_sm *sm);
void sl_simtight_reference_free(struct sl_simtight_sm *sm);

/* start: a kernel starts. lose: a state has been restored. */
void sl_simtight_reference_start(struct sl_simtight_sm *sm);
void sl_simtight_reference_lose(struct sl_simtight_sm *sm);

/* put: a request enters the FIFO. multiply: a response enters the multiplier. answer: a result enters the register of
 * memory answers from elsewhere. */
void sl_simtight_reference_put(struct sl_simtight_sm *sm, const struct sl_request *request);
void sl_simtight_reference_answer(struct sl_simtight_sm *sm, struct sl_response response);
void sl_simtight_reference_multiply(struct sl_simtight_sm *sm, struct sl_response response);

/* cycle: call before the cycle of the event-driven units, after results have been written. compare: call after it;
 * steps the reference models and compares. */
void sl_simtight_reference_cycle(struct sl_simtight_sm *sm, int64_t now);
void sl_simtight_reference_compare(struct sl_simtight_sm *sm, int64_t now);

/* The SM skips `cycles` cycles, starting with this one. */
void sl_simtight_reference_skip(struct sl_simtight_sm *sm, int64_t cycles);

/* Conservation check at the end of a kernel: stall reasons sum to the cycles, every waiting lane was answered, and
 * requests in flight drain. Returns NULL or the broken invariant. */
const char *sl_simtight_broken(const struct sl_simtight_sm *sm);

/* The same, with SL_CHECKS: ends the run with a fault if an invariant is broken. */
void sl_simtight_conserve(struct sl_simtight_sm *sm);

#endif
