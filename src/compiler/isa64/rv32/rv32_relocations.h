/* Translates relocations of RV32 objects (RISC-V psABI, "Relocations") to those of a unit of 64-bit words. */
#ifndef SL_BACKEND_RV32_RELOCATIONS_H
#define SL_BACKEND_RV32_RELOCATIONS_H

#include "compiler/isa64/rv32/rv32_reader.h"

/* Processes all sections of the unit, whose sections and symbols must be complete. Also rejects instructions that lack
 * a required relocation. */
enum sl_status sl_rv32_relocate(struct sl_rv32_reader *reader, struct sl_error *err);

#endif
