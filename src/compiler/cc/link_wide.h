/* Links programs of 64-bit instruction words, and compiles objects for them. The linker compiles functions with
 * machine IR, translates all other RV32 code in the objects word by word, and links both with the stock C library
 * (compiler/isa64/link/link64.h). */
#ifndef SL_TOOLCHAIN_LINK_WIDE_H
#define SL_TOOLCHAIN_LINK_WIDE_H

#include "compiler/cc/compile.h"
#include "compiler/cc/tools.h"

/* RV32 objects that also contain LLVM's machine IR of their functions, so that the linker can compile it for 64-bit
 * instruction words. The IR is in a section that is not loaded; other tools see ordinary objects and
 * archives. */

/* Clang flags for it; NULL-terminated. */
extern const char *const sl_machine_ir_clang_flags[];

/* Compiles bitcode to the object. Annotated bitcode is compiled as the marks tool would compile it. */
enum sl_status sl_machine_ir_object(const char *bitcode, bool marked, const char *object, struct sl_tools *tools,
                                    struct sl_error *err);

/* Flags for calling clang-19 and its linker directly, as simtlab cc would call them. Only the source's own annotations
 * apply then. */

struct sl_direct_use {
  bool cflags;  /* for compiling C, C++ and assembly */
  bool ldflags; /* for linking, after the objects */
  bool runtime; /* runtime sources that are part of every program */
};

enum sl_status sl_add_direct_use(const struct sl_compile_order *order, const struct sl_direct_use *use,
                                 struct sl_words *words, struct sl_error *err);

/* `compiled`: objects of the order's sources and of the runtime; objects and archives among its inputs follow. The log
 * lists functions with machine IR that are translated nevertheless. */
enum sl_status sl_link_wide(const struct sl_compile_order *order, char *const *compiled, size_t count,
                            struct sl_log *log, struct sl_error *err);

#endif
