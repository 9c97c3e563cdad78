/* Binary translation of RV32 objects to units of 64-bit words. The input is the output of stock compilers and
 * assemblers for C and assembly, for rv32im or rv32ima_zfinx with the ABI ilp32 and without compressed instructions.
 *
 * Every instruction becomes one word, so offsets in code double; data is unchanged. Instruction pairs that build a
 * PC-relative address merge into the first instruction, whose immediate holds the whole distance. Alignment fillers
 * remain. Debug information becomes a file and a line per instruction; unwind tables are dropped. */
#ifndef SL_BACKEND_RV32_OBJECT_H
#define SL_BACKEND_RV32_OBJECT_H

#include "compiler/isa64/object64.h"

/* SL_USAGE: the bytes are no such object, or use a feature that cannot be expressed; the message begins with `name`. */
enum sl_status sl_rv32_object_parse(const char *name, const uint8_t *bytes, size_t size, struct sl_object64 *object,
                                    struct sl_error *err);

/* Reads and translates a file. */
enum sl_status sl_rv32_object_read(const char *path, struct sl_object64 *object, struct sl_error *err);

/* Reader of archives of RV32 objects (`ar`, System V format with ranlib's symbol index). It translates members on
 * demand. */

struct sl_rv32_archive_symbol {
  const char *name;
  uint32_t member; /* offset of the member's header in the file */
};

struct sl_rv32_archive {
  char *name;
  uint8_t *bytes;
  size_t size;
  struct sl_rv32_archive_symbol *symbols; /* symbols that members define, in the archive's order */
  size_t symbol_count;
  const char *names; /* long names of members */
  size_t names_size;
};

/* Reads a file, or takes over `bytes` and frees them, also on failure. */
enum sl_status sl_rv32_archive_read(const char *path, struct sl_rv32_archive *archive, struct sl_error *err);
enum sl_status sl_rv32_archive_parse(const char *name, uint8_t *bytes, size_t size, struct sl_rv32_archive *archive,
                                     struct sl_error *err);

void sl_rv32_archive_free(struct sl_rv32_archive *archive);

/* Translates a member; its name is "libc.a(printf.o)". */
enum sl_status sl_rv32_archive_member(const struct sl_rv32_archive *archive, uint32_t member,
                                      struct sl_object64 *object, struct sl_error *err);

#endif
