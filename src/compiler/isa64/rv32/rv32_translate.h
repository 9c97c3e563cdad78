/* Steps of the translation of an RV32 object (rv32_object.h): reading the ELF file (elf_object.c), instruction words
 * and relocations (rv32_relocations.c), source lines (rv32_lines.c). */
#ifndef SL_COMPILER_ISA64_RV32_RV32_TRANSLATE_H
#define SL_COMPILER_ISA64_RV32_RV32_TRANSLATE_H

#include <elf.h>

#include "base/error.h"
#include "base/types.h"
#include "compiler/isa64/object64.h"
#include "isa/wide.h"

/* Reader of relocatable ELF files of 32-bit RISC-V (System V ABI, chapter 4; RISC-V psABI). It checks every size and
 * offset against the file before use. */

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

/* Translates RV32 instruction words to 64-bit words: the same operation on the same registers. Offsets of branches and
 * jumps double. The extensions are those common to both formats: IMA, Zicsr, Zfinx, Zicond and Vortex 2.x. */

#define SL_RV32_SETS (SL_ISA_I | SL_ISA_M | SL_ISA_A | SL_ISA_ZICSR | SL_ISA_ZFINX | SL_ISA_ZICOND | SL_ISA_WARP2)
#define SL_WIDE_SETS (SL_RV32_SETS | SL_ISA_WIDE)

/* False: no instruction of these extensions. */
bool sl_wide_of_rv32(uint32_t word, struct sl_wide *wide);

/* State of an object's translation, shared by the files of this folder. */

enum { SL_RV32_DROPPED = UINT32_MAX };

/* Symbol i of the file is symbol i of the unit. */
struct sl_rv32_reader {
  struct sl_elf_object elf;
  struct sl_object64 *object;
  uint32_t *section; /* per section of the file its number in the unit, or SL_RV32_DROPPED */
};

/* Describes a place for messages: "main+0x1c" or ".text+0x1c", in RV32 offsets. */
enum { SL_RV32_PLACE_SIZE = 120 };
const char *sl_rv32_place(const struct sl_rv32_reader *reader, uint32_t section, uint32_t offset,
                          char text[SL_RV32_PLACE_SIZE]);

/* Translates relocations (RISC-V psABI, "Relocations") to those of a unit of 64-bit words. */

/* Processes all sections of the unit, whose sections and symbols must be complete. Also rejects instructions that lack
 * a required relocation. */
enum sl_status sl_rv32_relocate(struct sl_rv32_reader *reader, struct sl_error *err);

/* Source lines of RV32 objects, through libdw, for the instructions of the unit.
 *
 * In an object all sections begin at 0, and the debug information is not relocated. The reader therefore assigns
 * distinct addresses to code sections and applies the relocations of debug sections in a copy of the file. */

/* Missing or damaged debug information yields no lines. The only error is lack of memory. */
enum sl_status sl_rv32_lines_read(struct sl_rv32_reader *reader, struct sl_error *err);

#endif
