/* Code that is added to a program: a section and a segment of its own behind what the file has, with a symbol for each
 * function. The file's bytes stay where they are; its tables are written anew behind them (System V ABI, chapters 4 and
 * 5). */
#ifndef SL_PROGRAM_ELF_APPEND_H
#define SL_PROGRAM_ELF_APPEND_H

#include "base/error.h"
#include "base/types.h"

struct sl_appended_function {
  const char *name;
  uint32_t address, bytes;
};

struct sl_appended_code {
  const char *section; /* its name */
  uint32_t address;
  const uint32_t *word;
  uint32_t words;
  const struct sl_appended_function *function;
  size_t functions;
};

/* A copy of a 32-bit little-endian file with the code; to be freed. SL_USAGE: the file's tables are not such that
 * something can be added, or it has a section of that name. */
enum sl_status sl_elf_append(char **result, size_t *result_size, const char *bytes, size_t size,
                             const struct sl_appended_code *code, struct sl_error *err);

#endif
