/* Relocations of RV32 objects (RISC-V psABI, "Relocations") as those of a unit of 64-bit words. */
#ifndef SL_BACKEND_RV32_RELOCATIONS_H
#define SL_BACKEND_RV32_RELOCATIONS_H

#include "backend/rv32/rv32_reader.h"

/* For all sections of the unit, when they and the symbols are there; and what has no relocation but should. */
enum sl_status sl_rv32_relocate(struct sl_rv32_reader *reader, struct sl_error *err);

#endif
