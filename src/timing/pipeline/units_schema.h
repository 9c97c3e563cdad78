/* Tables of the fields of functional units, schedulers and register files (base/schema.h). */
#ifndef SL_UNIT_SCHEMA_H
#define SL_UNIT_SCHEMA_H

#include "base/schema.h"

const struct sl_schema *sl_scheduler_schema(void);
const struct sl_schema *sl_suspension_schema(void);
const struct sl_schema *sl_barrier_schema(void);
const struct sl_schema *sl_multiplier_schema(void);
const struct sl_schema *sl_multiplier_events_schema(void);
const struct sl_schema *sl_resume_schema(void);
const struct sl_schema *sl_divider_schema(void);
const struct sl_schema *sl_fpu_schema(void);
const struct sl_schema *sl_fetched_schema(void);
const struct sl_schema *sl_instruction_fetch_schema(void);
const struct sl_schema *sl_load_fifo_schema(void);
const struct sl_schema *sl_register_file_schema(void);
const struct sl_schema *sl_spill_schema(void);
const struct sl_schema *sl_scalar_pipeline_schema(void);

#endif
