/* Linker: links units of 64-bit instruction words and archives of RV32 objects to a Vortex program. The program is an
 * ELF file whose header identifies the instruction format (program/program.h), with symbols and source lines.
 *
 * Symbol resolution follows GNU ld: the linker searches archives repeatedly for undefined symbols, keeps the first
 * group of each COMDAT name, and lets strong definitions replace weak and common ones. It drops unreferenced sections.
 * The memory map and its symbols are those of runtime/vortex.ld. */
#ifndef SL_BACKEND_LINK64_H
#define SL_BACKEND_LINK64_H

#include "compiler/isa64/object64.h"
#include "compiler/isa64/rv32/rv32_object.h"

struct sl_link64_options {
  const char *entry;          /* NULL: _start */
  uint32_t start;             /* address of the first instruction; 0: 0x80000000 */
  unsigned registers, banks;  /* upper limits of the code's register file */
  const char *const *defsyms; /* "name=symbol" or "name=number"; overrides definitions of the units */
  size_t defsym_count;
  const struct sl_rv32_archive *archives;
  size_t archive_count;
  const char *map; /* path of a map file, or NULL */
  /* Transforms an archive member before it is linked; NULL: no transformation. */
  enum sl_status (*prepare)(void *context, struct sl_object64 *member, struct sl_error *err);
  void *context;
};

/* Writes the program atomically (temporary file, then rename). SL_USAGE: a symbol is undefined or defined twice, the
 * program does not fit, or the file cannot be written. */
enum sl_status sl_link64(const struct sl_link64_options *options, const struct sl_object64 *objects, size_t count,
                         const char *output, struct sl_error *err);

#endif
