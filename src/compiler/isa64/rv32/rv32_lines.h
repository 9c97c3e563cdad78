/* Source lines of RV32 objects, through libdw, for the instructions of the unit.
 *
 * In an object all sections begin at 0, and the debug information is not relocated. The reader therefore assigns
 * distinct addresses to code sections and applies the relocations of debug sections in a copy of the file. */
#ifndef SL_BACKEND_RV32_LINES_H
#define SL_BACKEND_RV32_LINES_H

#include "compiler/isa64/rv32/rv32_relocations.h"

/* Missing or damaged debug information yields no lines. The only error is lack of memory. */
enum sl_status sl_rv32_lines_read(struct sl_rv32_reader *reader, struct sl_error *err);

#endif
