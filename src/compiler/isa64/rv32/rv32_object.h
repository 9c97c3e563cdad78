/* Binary translation of RV32 objects to units of 64-bit words. The input is the output of stock compilers and
 * assemblers for C and assembly, for rv32im or rv32ima_zfinx with the ABI ilp32 and without compressed instructions.
 *
 * Every instruction becomes one word, so offsets in code double; data is unchanged. Instruction pairs that build a
 * PC-relative address merge into the first instruction, whose immediate holds the whole distance. Alignment fillers
 * remain. Debug information becomes a file and a line per instruction; unwind tables are dropped. */
#ifndef SL_BACKEND_RV32_OBJECT_H
#define SL_BACKEND_RV32_OBJECT_H

#include <elf.h>

#include "base/error.h"
#include "base/types.h"
#include "compiler/isa64/object64.h"
#include "isa/wide.h"

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

/* ---- steps of the translation ------------------------------------------------------------------------------------ */

/* rv32_elf.c: reader of relocatable ELF files of 32-bit RISC-V (System V ABI, chapter 4; RISC-V psABI). It checks every
 * size and offset against the file before use. */

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

/* rv32_relocations.c: translates RV32 instruction words to 64-bit words: the same operation on the same registers.
 * Offsets of branches and jumps double. The extensions are those common to both formats: IMA, Zicsr, Zfinx, Zicond and
 * Vortex 2.x. */

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

/* rv32_elf.c: source lines of RV32 objects, through libdw, for the instructions of the unit.
 *
 * In an object all sections begin at 0, and the debug information is not relocated. The reader therefore assigns
 * distinct addresses to code sections and applies the relocations of debug sections in a copy of the file. */

/* Missing or damaged debug information yields no lines. The only error is lack of memory. */
enum sl_status sl_rv32_lines_read(struct sl_rv32_reader *reader, struct sl_error *err);

#endif
