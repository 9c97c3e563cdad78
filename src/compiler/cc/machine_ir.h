/* RV32 objects that also contain LLVM's machine IR of their functions, so that the linker can compile it for 64-bit
 * instruction words (link_wide.c). The IR is in a section that is not loaded; other tools see ordinary objects and
 * archives. */
#ifndef SL_TOOLCHAIN_MACHINE_IR_H
#define SL_TOOLCHAIN_MACHINE_IR_H

#include "compiler/cc/tools.h"

#define SL_MACHINE_IR_SECTION ".simt.mir"

/* Clang flags for it; NULL-terminated. */
extern const char *const sl_machine_ir_clang_flags[];

/* Compiles bitcode to the object. Annotated bitcode is compiled as the marks tool would compile it. */
enum sl_status sl_machine_ir_object(const char *bitcode, bool marked, const char *object, struct sl_tools *tools,
                                    struct sl_error *err);

#endif
