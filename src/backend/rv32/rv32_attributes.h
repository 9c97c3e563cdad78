/* For what an RV32 object has been compiled: its ELF header's flags, and the extensions that its section
 * .riscv.attributes names (RISC-V psABI, "Attributes"; an object need not have one). */
#ifndef SL_BACKEND_RV32_ATTRIBUTES_H
#define SL_BACKEND_RV32_ATTRIBUTES_H

#include "backend/rv32/elf_object.h"

/* A sentence for what 64-bit words cannot express: compressed instructions, registers for floating point, 16 registers,
 * arguments in floating-point registers. */
enum sl_status sl_rv32_attributes_check(const struct sl_elf_object *elf, struct sl_error *err);

#endif
