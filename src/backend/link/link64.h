/* Links units of 64-bit instruction words and archives of RV32 objects to a Vortex program, an ELF file that tells by
 * its header what it is (program/wide_file.h), with symbols and source lines.
 *
 * Symbols are resolved as GNU ld does: archives are searched for what is undefined until nothing more is found, of
 * COMDAT groups the first stays, strong definitions replace weak and common ones. Sections that nobody refers to are
 * left out. The memory map, and the symbols that tell of it, are those of runtime/vortex.ld. */
#ifndef SL_BACKEND_LINK64_H
#define SL_BACKEND_LINK64_H

#include "backend/object64.h"
#include "backend/rv32/rv32_archive.h"

struct sl_link64_options {
  const char *entry;          /* NULL: _start */
  uint32_t start;             /* address of the first instruction; 0: 0x80000000 */
  unsigned registers, banks;  /* that the code is for, at most */
  const char *const *defsyms; /* "name=symbol" or "name=number"; such a name replaces what units define */
  size_t defsym_count;
  const struct sl_rv32_archive *archives;
  size_t archive_count;
  const char *map; /* file to write a map to, or NULL */
  /* What is done to a member before it joins the program; NULL: nothing. */
  enum sl_status (*prepare)(void *context, struct sl_object64 *member, struct sl_error *err);
  void *context;
};

/* The file is complete when it has its name: it is written beside. SL_USAGE: a symbol is undefined, or defined twice;
 * the program does not fit; the file cannot be written. */
enum sl_status sl_link64(const struct sl_link64_options *options, const struct sl_object64 *objects, size_t count,
                         const char *output, struct sl_error *err);

#endif
