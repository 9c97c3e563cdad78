/* Compiles functions whose machine IR comes with an object (machine_ir.h) for 64-bit instruction words. They replace
 * the object's own functions, which remain if they cannot be compiled. */
#ifndef SL_TOOLCHAIN_WIDE_CODE_H
#define SL_TOOLCHAIN_WIDE_CODE_H

#include "compiler/cc/tools.h"
#include "compiler/cc/wide_options.h"
#include "compiler/isa64/object64.h"
#include "compiler/isa64/rv32/rv32_archive.h"

struct sl_wide_code {
  struct sl_wide_options options;
  struct sl_log *notes; /* remaining functions with the reason; NULL: not recorded */
};

/* The C library's longjmp restores only RISC-V's registers. In a program with longjmp only these are callee-saved, so
 * that it restores all registers that a function may rely on. */
bool sl_wide_code_jumps(const struct sl_object64 *object);
bool sl_wide_code_archive_jumps(const struct sl_rv32_archive *archive);
void sl_wide_code_allow_jumps(struct sl_wide_code *code);

/* `context` is a struct sl_wide_code. Objects without machine IR are unchanged. */
enum sl_status sl_wide_code_compile(void *context, struct sl_object64 *object, struct sl_error *err);

#endif
