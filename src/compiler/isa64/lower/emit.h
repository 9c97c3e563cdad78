/* Code emission: turns an allocated function into words. It adds the prologue, expands pseudo instructions, computes
 * branch distances, and puts jump tables and constants in a data section. */
#ifndef SL_BACKEND_EMIT_H
#define SL_BACKEND_EMIT_H

#include "compiler/isa64/lir/lir.h"
#include "compiler/isa64/lower/inline_assembly.h"
#include "compiler/isa64/lower/unit.h"

/* Adds the function's sections and symbols to the unit. On failure a part of them may have been added. */
enum sl_status sl_emit(struct sl_unit *unit, const struct sl_lir *lir, const struct sl_allocation_facts *facts,
                       const struct sl_assembler *assembler, struct sl_error *err);

#endif
