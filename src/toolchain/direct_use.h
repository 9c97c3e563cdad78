/* What one needs to know to call clang-19 and its linker without simtlab cc in between: the words that it would give
 * them. Marks are then those of the source. */
#ifndef SL_TOOLCHAIN_DIRECT_USE_H
#define SL_TOOLCHAIN_DIRECT_USE_H

#include "toolchain/compile_order.h"
#include "toolchain/tools.h"

struct sl_direct_use {
  bool cflags;  /* for compiling C, C++ and assembly */
  bool ldflags; /* for linking, behind the objects */
  bool runtime; /* sources of the runtime, which are part of every program */
};

enum sl_status sl_add_direct_use(const struct sl_compile_order *order, const struct sl_direct_use *use,
                                 struct sl_words *words, struct sl_error *err);

#endif
