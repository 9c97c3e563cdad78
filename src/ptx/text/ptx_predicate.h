/* Turns short branches of a kernel into predicates: the instructions that a branch goes around, or those of both sides,
 * execute under its condition.
 *
 * NVIDIA's compiler does so if a condition controls up to 7 instructions, or up to 4 if it is not likely to differ in a
 * warp (CUDA C Programming Guide 4.2, section 5.4.2). Here a condition is likely to differ if it depends on the
 * thread's index or on loaded data. Loads, stores and instructions without side effects are predicated. */
#ifndef SL_PTX_TEXT_PTX_PREDICATE_H
#define SL_PTX_TEXT_PTX_PREDICATE_H

#include "ptx/text/ptx_parser.h"

enum { SL_PTX_PREDICATE_VARYING = 7, SL_PTX_PREDICATE_UNIFORM = 4 };

/* Predicates the branches of the kernel from `begin` to the end of the code, whose branches have their targets. Returns
 * the number of branches that are gone. */
uint32_t sl_ptx_predicate(struct sl_ptx_parser *p, uint32_t begin);

#endif
