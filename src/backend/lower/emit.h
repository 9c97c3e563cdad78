/* The last step: an allocated function becomes words, with the prologue, pseudo instructions as what they stand for,
 * branches with their distances, and jump tables and constants in a data section. */
#ifndef SL_BACKEND_EMIT_H
#define SL_BACKEND_EMIT_H

#include "backend/lower/inline_assembly.h"
#include "backend/lower/unit.h"

/* Adds the function's sections and symbols to the unit. On failure it may have added part of them. */
enum sl_status sl_emit(struct sl_unit *unit, const struct sl_lir *lir, const struct sl_allocation_facts *facts,
                       const struct sl_assembler *assembler, struct sl_error *err);

#endif
