/* Objects of RV32 that have LLVM's machine IR of their functions beside the code, for who links them to compile it for
 * 64-bit instruction words (wide_code.h): in a section that is not loaded, so that objects and archives are what they
 * always were to everyone else. */
#ifndef SL_TOOLCHAIN_MACHINE_IR_H
#define SL_TOOLCHAIN_MACHINE_IR_H

#include "toolchain/tools.h"

#define SL_MACHINE_IR_SECTION ".simt.mir"

/* What Clang needs for it; NULL-terminated. */
extern const char *const sl_machine_ir_clang_flags[];

/* From the bitcode to the object. Bitcode with marks is compiled as the marks tool would have done it. */
enum sl_status sl_machine_ir_object(const char *bitcode, bool marked, const char *object, struct sl_tools *tools,
                                    struct sl_error *err);

#endif
