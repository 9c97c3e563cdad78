/* Target of an RV32 object: the ELF header's flags, and the extensions in section .riscv.attributes (RISC-V psABI,
 * "Attributes"; the section is optional). */
#ifndef SL_BACKEND_RV32_ATTRIBUTES_H
#define SL_BACKEND_RV32_ATTRIBUTES_H

#include "compiler/isa64/rv32/elf_object.h"

/* Rejects features that 64-bit words cannot express: compressed instructions, floating-point registers, 16 registers,
 * arguments in floating-point registers. */
enum sl_status sl_rv32_attributes_check(const struct sl_elf_object *elf, struct sl_error *err);

#endif
