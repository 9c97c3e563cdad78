#include "base/queues.h"

#include "base/schema.h"

/* rd is one of 32 registers, and the tag contains nothing else. */
static bool response_valid(const void *object, const struct sl_limits *limits)
{
  const struct sl_response *r = object;
  return sl_response_warp(*r) < (uint64_t)limits->value[SL_LIMIT_WARPS] && r->tag >> 8 < 32;
}

SL_SCHEMA(sl_response_schema, struct sl_response, response_valid, SL_SET_OF(SL_LIMIT_ALL_LANES, lanes), SL_ANY(tag));

SL_SCHEMA(sl_pipeline_queue_schema, struct sl_pipeline_queue, NULL, SL_ANY(full), SL_STRUCTS(sl_response_schema, item));

SL_SCHEMA(sl_register_queue_schema, struct sl_register_queue, NULL, SL_MOST(2, count), SL_CYCLES(drained),
          SL_STRUCTS(sl_response_schema, item));
