/* Functions whose machine IR comes with an object (machine_ir.h) are compiled for 64-bit instruction words and take the
 * place of the object's own, which remain where that cannot be done. */
#ifndef SL_TOOLCHAIN_WIDE_CODE_H
#define SL_TOOLCHAIN_WIDE_CODE_H

#include "backend/object64.h"
#include "backend/rv32/rv32_archive.h"
#include "toolchain/tools.h"
#include "toolchain/wide_options.h"

struct sl_wide_code {
  struct sl_wide_options options;
  struct sl_log *notes; /* functions that remain, and why; NULL: not wanted */
};

/* longjmp of the C library restores the registers of RISC-V only: in a program with it, none but those are saved ones,
 * so that it restores all that a function may rely on. */
bool sl_wide_code_jumps(const struct sl_object64 *object);
bool sl_wide_code_archive_jumps(const struct sl_rv32_archive *archive);
void sl_wide_code_allow_jumps(struct sl_wide_code *code);

/* `context` is a struct sl_wide_code. Objects without machine IR stay as they are. */
enum sl_status sl_wide_code_compile(void *context, struct sl_object64 *object, struct sl_error *err);

#endif
