/* Validation of the checkpoint state of functional units, schedulers and register files (base/validate.h). */
#ifndef SL_UNIT_UNITS_VALIDATE_H
#define SL_UNIT_UNITS_VALIDATE_H

#include "base/validate.h"
#include "unit/barrier.h"
#include "unit/divider.h"
#include "unit/fpu.h"
#include "unit/instruction_fetch.h"
#include "unit/load_fifo.h"
#include "unit/multiplier_events.h"
#include "unit/register_file.h"
#include "unit/resume.h"
#include "unit/scalar_pipeline.h"
#include "unit/spill.h"
#include "unit/suspension.h"

bool sl_suspension_valid(const struct sl_suspension *s, struct sl_shape shape);
bool sl_barrier_valid(const struct sl_barrier *b, struct sl_shape shape);
bool sl_multiplier_valid(const struct sl_multiplier *m, struct sl_shape shape);
bool sl_multiplier_events_valid(const struct sl_multiplier_events *m, int64_t now, struct sl_shape shape);
bool sl_resume_valid(const struct sl_resume *r, struct sl_shape shape);

/* Validates the state in cycle now. */
bool sl_divider_valid(const struct sl_divider *d, int64_t now, struct sl_shape shape);
bool sl_fpu_valid(const struct sl_fpu *f, struct sl_shape shape);
bool sl_fetch_valid(const struct sl_instruction_fetch *f, unsigned word_bytes, struct sl_shape shape);

/* Memory's answers come at most `latency` cycles after now. */
bool sl_load_fifo_valid(const struct sl_load_fifo *f, int64_t now, int64_t latency, struct sl_shape shape);

/* live: the machine's own unit, which has the values of the keys. */
bool sl_register_file_valid(const struct sl_register_file *f, const struct sl_register_file *live, int64_t now);
bool sl_spill_valid(const struct sl_spill *s, const struct sl_spill *live, struct sl_shape shape);
bool sl_scalar_valid(const struct sl_scalar_pipeline *p, int64_t now, struct sl_shape shape);

#endif
