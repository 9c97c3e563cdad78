#include "toolchain/lanes/library_names.h"

#include <glob.h>
#include <stdlib.h>
#include <string.h>

#include "toolchain/compile_order.h"

/* Reads the RV32IM variants; those of other instruction sets define the same names. The pattern matches the installed
 * version of GCC. */
enum sl_status sl_library_names_read(struct sl_library_names *names, struct sl_error *err)
{
  static const char *const patterns[SL_LIBRARIES] = {SL_PICOLIBC "/lib/rv32im/ilp32/libc.a",
                                                     "/usr/lib/gcc/riscv64-unknown-elf/*/rv32im/ilp32/libgcc.a"};
  enum sl_status status = SL_OK;
  *names = (struct sl_library_names){0};
  for (size_t i = 0; i < SL_LIBRARIES && status == SL_OK; i++) {
    glob_t found;
    if (glob(patterns[i], 0, NULL, &found) != 0)
      continue;
    status = sl_rv32_archive_read(found.gl_pathv[0], &names->archive[names->count], err);
    names->count += status == SL_OK;
    globfree(&found);
  }
  return status;
}

void sl_library_names_free(struct sl_library_names *names)
{
  for (size_t i = 0; i < names->count; i++)
    sl_rv32_archive_free(&names->archive[i]);
  names->count = 0;
}

bool sl_library_names_have(const struct sl_library_names *names, const char *name)
{
  for (size_t i = 0; i < names->count; i++)
    for (size_t k = 0; k < names->archive[i].symbol_count; k++)
      if (strcmp(names->archive[i].symbols[k].name, name) == 0)
        return true;
  return false;
}
