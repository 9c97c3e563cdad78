/* Checks that a machine has the instructions and registers that -march and -mabi name. */
#ifndef SL_TOOLCHAIN_MARCH_H
#define SL_TOOLCHAIN_MARCH_H

#include "base/error.h"
#include "base/types.h"

struct sl_march_target {
  bool vortex, fp, rv32e;
};

/* `march`: the text after the equals sign, such as `rv32ima_zicsr`. */
enum sl_status sl_march_check(const struct sl_march_target *target, const char *march, struct sl_error *err);
enum sl_status sl_mabi_check(const struct sl_march_target *target, const char *abi, struct sl_error *err);

/* Whether the text names Zicsr: every machine has it and the headers use it, but compilers require the name. */
bool sl_march_names_zicsr(const char *march);

#endif
