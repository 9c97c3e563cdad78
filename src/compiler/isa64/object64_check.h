/* Consistency check of a unit: symbol, section and file numbers exist, offsets lie inside their sections. */
#ifndef SL_BACKEND_OBJECT64_CHECK_H
#define SL_BACKEND_OBJECT64_CHECK_H

#include "compiler/isa64/object64.h"

/* SL_INTERNAL: the component that made the unit has a defect. */
enum sl_status sl_object64_check(const struct sl_object64 *object, struct sl_error *err);

#endif
