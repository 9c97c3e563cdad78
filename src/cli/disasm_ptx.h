/* simtlab disasm X.ptx: a module's functions as simtlab has resolved them. */
#ifndef SL_CLI_DISASM_PTX_H
#define SL_CLI_DISASM_PTX_H

#include "base/error.h"
#include "base/types.h"

/* Whether the name of a file is that of a PTX module. */
bool sl_is_ptx(const char *path);

/* Prints each function with its numbers, each instruction with its PC, unit, and where a branch goes and reconverges.
 */
enum sl_status sl_disasm_ptx(const char *path, struct sl_error *err);

#endif
