/* Linking of programs of 64-bit instruction words: functions whose machine IR is there are compiled, all else in the
 * objects, which are RV32's, is translated word by word, and both are linked with the stock C library
 * (backend/link/link64.h). */
#ifndef SL_TOOLCHAIN_LINK_WIDE_H
#define SL_TOOLCHAIN_LINK_WIDE_H

#include "toolchain/compile_order.h"
#include "toolchain/tools.h"

/* `compiled` are the objects of the order's sources and of the runtime; objects and archives among its inputs follow.
 * What remains to be translated of functions with machine IR is noted in the log. */
enum sl_status sl_link_wide(const struct sl_compile_order *order, char *const *compiled, size_t count,
                            struct sl_log *log, struct sl_error *err);

#endif
