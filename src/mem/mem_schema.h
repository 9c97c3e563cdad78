/* Tables of the fields of the memory path's structs (base/schema.h). */
#ifndef SL_MEM_SCHEMA_H
#define SL_MEM_SCHEMA_H

#include "base/schema.h"

const struct sl_schema *sl_request_schema(void);
const struct sl_schema *sl_coalescer_spec_schema(void);
const struct sl_schema *sl_dram_schema(void); /* all fields may be 0 before the first kernel */
const struct sl_schema *sl_stack_cache_schema(void);

#endif
