/* Replaces functions of a stock object by compiled ones; data and other contents of the object remain.
 *
 * Functions match by name: a function of `compiled` replaces the object's and keeps its binding; new functions are
 * added. Other references of compiled functions resolve to the object's symbols where they exist, also to static
 * variables and labels (.L). Labels that `compiled` defines itself, such as those of its jump tables, are the
 * exception. The old code remains while data refers into it. The linker drops it when it is unreferenced, which
 * requires a section per function (-ffunction-sections). */
#ifndef SL_BACKEND_REPLACE64_H
#define SL_BACKEND_REPLACE64_H

#include "compiler/isa64/object64.h"

/* Moves everything out of `compiled`, which is empty afterwards. On failure both objects are valid only for freeing. */
enum sl_status sl_object64_replace(struct sl_object64 *object, struct sl_object64 *compiled, struct sl_error *err);

#endif
