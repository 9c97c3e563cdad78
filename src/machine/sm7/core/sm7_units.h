/* Arithmetic units: one of each kind per scheduler. A unit takes an instruction when its dispatch register is free, no
 * earlier instruction completes in the same cycle, and a result bus is free then. The register is free again after the
 * initiation interval. Write-back comes latency + 2 cycles after execute. */
#ifndef SL_MACHINE_SM7_UNITS_H
#define SL_MACHINE_SM7_UNITS_H

#include "machine/sm7/core/sm7_sm.h"

/* Instructions on small matrices take a share of the time of large ones. */
static inline struct sl_sm7_timing sl_sm7_timing_of(const struct sl_sm7_sm *sm, const struct sl_sm7_instruction *code)
{
  enum { WHOLE = 64, LONGEST = 900 /* that a key allows */ };
  struct sl_sm7_timing t = sm->wire.spec->timing[code->class];
  if (code->share == 0)
    return t;
  uint32_t *const cycles[] = {&t.latency, &t.interval};
  for (unsigned i = 0; i < 2; i++) {
    const uint32_t share = (*cycles[i] * code->share + WHOLE - 1) / WHOLE;
    *cycles[i] = share < LONGEST ? share : LONGEST;
  }
  return t;
}

/* Writes back the results that complete in this cycle. */
void sl_sm7_write_results(struct sl_sm7_sm *sm, uint64_t cycle);

/* Units take the instructions that wait before them. */
void sl_sm7_execute(struct sl_sm7_sm *sm, uint64_t cycle);

/* The first cycle after `cycle` in which a result is written. */
uint64_t sl_sm7_next_result(const struct sl_sm7_sm *sm, uint64_t cycle);

#endif
