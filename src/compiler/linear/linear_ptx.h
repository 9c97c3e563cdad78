/* PTX front end of the analysis: translates a kernel of a module to struct sl_linear_code, one instruction for each PTX
 * instruction. */
#ifndef SL_LINEAR_LINEAR_PTX_H
#define SL_LINEAR_LINEAR_PTX_H

#include "compiler/linear/linear_code.h"
#include "ptx/ptx.h"

/* Instruction i is code[kernel->begin + i] of the module. Parameters are symbols P0, P1, ... in order. */
enum sl_status sl_linear_from_ptx(struct sl_linear_code *code, const struct sl_ptx_module *module,
                                  const struct sl_ptx_function *kernel, struct sl_error *err);

#endif
