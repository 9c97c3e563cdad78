/* Flags for calling clang-19 and its linker directly, as simtlab cc would call them. Only the source's own annotations
 * apply then. */
#ifndef SL_TOOLCHAIN_DIRECT_USE_H
#define SL_TOOLCHAIN_DIRECT_USE_H

#include "compiler/cc/compile_order.h"
#include "compiler/cc/tools.h"

struct sl_direct_use {
  bool cflags;  /* for compiling C, C++ and assembly */
  bool ldflags; /* for linking, after the objects */
  bool runtime; /* runtime sources that are part of every program */
};

enum sl_status sl_add_direct_use(const struct sl_compile_order *order, const struct sl_direct_use *use,
                                 struct sl_words *words, struct sl_error *err);

#endif
