/* Tables of the fields of functional units, schedulers and register files (base/schema.h). */
#ifndef SL_UNIT_SCHEMA_H
#define SL_UNIT_SCHEMA_H

#include "base/schema.h"

const struct sl_schema *sl_scheduler_schema(void), *sl_suspension_schema(void), *sl_barrier_schema(void),
    *sl_multiplier_schema(void), *sl_multiplier_events_schema(void), *sl_resume_schema(void), *sl_divider_schema(void),
    *sl_fpu_schema(void), *sl_fetched_schema(void), *sl_instruction_fetch_schema(void), *sl_load_fifo_schema(void),
    *sl_register_file_schema(void), *sl_spill_schema(void), *sl_scalar_pipeline_schema(void);

#endif
