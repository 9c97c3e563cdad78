/* Appends code to an ELF program: a section and a segment behind the file's contents, with a symbol for each function.
 * The file's bytes keep their offsets; new tables follow them. Source: System V ABI, chapters 4 and 5. */
#ifndef SL_PROGRAM_ELF_APPEND_H
#define SL_PROGRAM_ELF_APPEND_H

#include "base/error.h"
#include "base/types.h"

/* Decompression of Zstandard data. */

/* Whether bytes begin with the signature of compressed data. */
bool sl_is_packed(const char *bytes, size_t size);

/* Decompresses bytes; the caller frees the result. Messages use `name` as the file name. SL_USAGE: the data are
 * truncated, damaged, or longer than `most`. The allocated memory is at most 1.5 times the result's size. */
enum sl_status sl_unpack(const char *name, const char *bytes, size_t size, size_t most, char **text, size_t *text_size,
                         struct sl_error *err);

struct sl_appended_function {
  const char *name;
  uint32_t address, bytes;
};

struct sl_appended_code {
  const char *section; /* name of the section */
  uint32_t address;
  const uint32_t *word;
  uint32_t words;
  const struct sl_appended_function *function;
  size_t functions;
};

/* Returns a copy of a 32-bit little-endian file with the code; the caller frees it. SL_USAGE: the file's tables do not
 * allow an addition, or it has a section of that name. */
enum sl_status sl_elf_append(char **result, size_t *result_size, const char *bytes, size_t size,
                             const struct sl_appended_code *code, struct sl_error *err);

#endif
