#include "base/queues.h"

#include "base/schema.h"

/* rd is one of 32 registers, and the tag contains nothing else. */
SL_CHECKED_SCHEMA(sl_response_schema, struct sl_response,
                  sl_response_warp(*self) < (uint64_t)limit[SL_LIMIT_WARPS] && self->tag >> 8 < 32,
                  SL_SET_OF(SL_LIMIT_ALL_LANES, lanes), SL_ANY(tag));

SL_SCHEMA(sl_pipeline_queue_schema, struct sl_pipeline_queue, NULL, SL_ANY(full), SL_STRUCTS(sl_response_schema, item));

SL_SCHEMA(sl_register_queue_schema, struct sl_register_queue, NULL, SL_MOST(2, count), SL_CYCLES(drained),
          SL_STRUCTS(sl_response_schema, item));
