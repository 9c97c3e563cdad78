/* simtlab disasm X.ptx: lists a module's functions after resolution. */
#ifndef SL_CLI_DISASM_PTX_H
#define SL_CLI_DISASM_PTX_H

#include "base/error.h"
#include "base/types.h"

/* Whether a file name has the suffix of a PTX module. */
bool sl_is_ptx(const char *path);

/* Prints each function with its register and parameter counts, and each instruction with its PC and unit. A branch also
 * shows its target and reconvergence point. */
enum sl_status sl_disasm_ptx(const char *path, struct sl_error *err);

#endif
