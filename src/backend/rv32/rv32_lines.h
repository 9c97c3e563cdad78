/* Source lines of RV32 objects, through libdw, for the instructions of the unit.
 *
 * In an object all sections begin at 0 and the debug information is not relocated yet: sections of code get addresses
 * of their own here, and the relocations of debug sections are applied in a copy of the file. */
#ifndef SL_BACKEND_RV32_LINES_H
#define SL_BACKEND_RV32_LINES_H

#include "backend/rv32/rv32_reader.h"

/* Without debug information, or with damaged one, there are no lines; only missing memory is an error. */
enum sl_status sl_rv32_lines_read(struct sl_rv32_reader *reader, struct sl_error *err);

#endif
