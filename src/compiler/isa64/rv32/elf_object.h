/* Reader of relocatable ELF files of 32-bit RISC-V (System V ABI, chapter 4; RISC-V psABI). It checks every size and
 * offset against the file before use. rv32_object.h interprets the contents. */
#ifndef SL_BACKEND_ELF_OBJECT_H
#define SL_BACKEND_ELF_OBJECT_H

#include <elf.h>

#include "base/error.h"
#include "base/types.h"

struct sl_elf_object {
  const uint8_t *bytes; /* owned by the caller */
  size_t size;
  uint32_t flags; /* e_flags */
  Elf32_Shdr *sections;
  size_t section_count;
  uint32_t names;   /* section with the section names */
  uint32_t symbols; /* symbol table section, 0 if there is none */
  size_t symbol_count;
};

enum sl_status sl_elf_object_open(struct sl_elf_object *elf, const uint8_t *bytes, size_t size, struct sl_error *err);
void sl_elf_object_close(struct sl_elf_object *elf);

/* Returns "" if the string does not exist or is not terminated. */
const char *sl_elf_object_string(const struct sl_elf_object *elf, uint32_t section, uint32_t offset);
const char *sl_elf_object_section_name(const struct sl_elf_object *elf, uint32_t section);

/* Returns the bytes of a section; none for a section without bytes in the file. */
const uint8_t *sl_elf_object_bytes(const struct sl_elf_object *elf, uint32_t section);

Elf32_Sym sl_elf_object_symbol(const struct sl_elf_object *elf, size_t i);

/* Returns relocations of a section of type SHT_RELA; their symbols are checked to exist. */
size_t sl_elf_object_relocation_count(const struct sl_elf_object *elf, uint32_t section);
Elf32_Rela sl_elf_object_relocation(const struct sl_elf_object *elf, uint32_t section, size_t i);

#endif
