#include "compiler/isa64/rv32/rv32_translate.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "structures are read as they are in the file");

static enum sl_status check_header(const Elf32_Ehdr *header, struct sl_error *err)
{
  if (memcmp(header->e_ident, ELFMAG, SELFMAG) != 0)
    return sl_fail(err, SL_USAGE, "not an ELF file; objects are made by clang-19 or riscv64-unknown-elf-gcc with -c");
  if (header->e_ident[EI_CLASS] != ELFCLASS32 || header->e_ident[EI_DATA] != ELFDATA2LSB ||
      header->e_machine != EM_RISCV)
    return sl_fail(err, SL_USAGE,
                   "not an object of 32-bit RISC-V; compile with -march=rv32ima_zicsr_zfinx -mabi=ilp32");
  if (header->e_type != ET_REL)
    return sl_fail(err, SL_USAGE, "not a relocatable object (ELF type %u): it is already linked; compile with -c",
                   header->e_type);
  if (header->e_shoff == 0 || header->e_shnum == 0 || header->e_shentsize != sizeof(Elf32_Shdr))
    return sl_fail(err, SL_USAGE, "has no readable section table; the file is damaged");
  return SL_OK;
}

static enum sl_status read_sections(struct sl_elf_object *elf, const Elf32_Ehdr *header, struct sl_error *err)
{
  const size_t bytes = (size_t)header->e_shnum * sizeof(Elf32_Shdr);
  if (header->e_shoff > elf->size || bytes > elf->size - header->e_shoff)
    return sl_fail(err, SL_USAGE,
                   "the table of %u sections extends beyond the end of the file at %zu; the file is truncated",
                   header->e_shnum, elf->size);
  elf->sections = malloc(bytes);
  if (elf->sections == NULL)
    return sl_no_memory(err, bytes);
  memcpy(elf->sections, elf->bytes + header->e_shoff, bytes);
  elf->section_count = header->e_shnum;
  elf->names = header->e_shstrndx;
  for (uint32_t i = 1; i < elf->section_count; i++) {
    const Elf32_Shdr *s = &elf->sections[i];
    if (s->sh_type != SHT_NOBITS && s->sh_type != SHT_NULL &&
        (s->sh_offset > elf->size || s->sh_size > elf->size - s->sh_offset))
      return sl_fail(err, SL_USAGE,
                     "section %" PRIu32 ", %" PRIu32 " bytes at offset %" PRIu32
                     ", extends beyond the end of the file at %zu; the file is damaged or truncated",
                     i, s->sh_size, s->sh_offset, elf->size);
  }
  return SL_OK;
}

static enum sl_status find_symbols(struct sl_elf_object *elf, struct sl_error *err)
{
  for (uint32_t i = 1; i < elf->section_count; i++) {
    if (elf->sections[i].sh_type != SHT_SYMTAB)
      continue;
    if (elf->symbols != 0)
      return sl_fail(err, SL_USAGE, "has two symbol tables; the file is damaged");
    elf->symbols = i;
    elf->symbol_count = elf->sections[i].sh_size / sizeof(Elf32_Sym);
  }
  return SL_OK;
}

static enum sl_status check_relocations(const struct sl_elf_object *elf, uint32_t section, struct sl_error *err)
{
  for (size_t i = 0; i < sl_elf_object_relocation_count(elf, section); i++) {
    const Elf32_Rela r = sl_elf_object_relocation(elf, section, i);
    if (ELF32_R_SYM(r.r_info) >= elf->symbol_count)
      return sl_fail(err, SL_USAGE,
                     "relocation %zu of section %" PRIu32
                     " refers to a symbol that does not exist; the file is damaged",
                     i, section);
  }
  return SL_OK;
}

enum sl_status sl_elf_object_open(struct sl_elf_object *elf, const uint8_t *bytes, size_t size, struct sl_error *err)
{
  Elf32_Ehdr header;
  *elf = (struct sl_elf_object){.bytes = bytes, .size = size};
  if (size < sizeof header)
    return sl_fail(err, SL_USAGE, "%zu bytes are too short for an object", size);
  memcpy(&header, bytes, sizeof header);
  elf->flags = header.e_flags;
  enum sl_status code = check_header(&header, err);
  if (code == SL_OK)
    code = read_sections(elf, &header, err);
  if (code == SL_OK)
    code = find_symbols(elf, err);
  for (uint32_t i = 1; i < elf->section_count && code == SL_OK; i++)
    code = check_relocations(elf, i, err);
  return code;
}

void sl_elf_object_close(struct sl_elf_object *elf)
{
  free(elf->sections);
  *elf = (struct sl_elf_object){0};
}

const char *sl_elf_object_string(const struct sl_elf_object *elf, uint32_t section, uint32_t offset)
{
  if (section >= elf->section_count || elf->sections[section].sh_type != SHT_STRTAB ||
      offset >= elf->sections[section].sh_size)
    return "";
  const char *text = (const char *)elf->bytes + elf->sections[section].sh_offset + offset;
  return memchr(text, '\0', elf->sections[section].sh_size - offset) != NULL ? text : "";
}

const char *sl_elf_object_section_name(const struct sl_elf_object *elf, uint32_t section)
{
  return section < elf->section_count ? sl_elf_object_string(elf, elf->names, elf->sections[section].sh_name) : "";
}

const uint8_t *sl_elf_object_bytes(const struct sl_elf_object *elf, uint32_t section)
{
  const Elf32_Shdr *s = &elf->sections[section];
  return s->sh_type == SHT_NOBITS || s->sh_type == SHT_NULL ? elf->bytes : elf->bytes + s->sh_offset;
}

Elf32_Sym sl_elf_object_symbol(const struct sl_elf_object *elf, size_t i)
{
  Elf32_Sym symbol;
  memcpy(&symbol, sl_elf_object_bytes(elf, elf->symbols) + i * sizeof symbol, sizeof symbol);
  return symbol;
}

size_t sl_elf_object_relocation_count(const struct sl_elf_object *elf, uint32_t section)
{
  const Elf32_Shdr *s = &elf->sections[section];
  return s->sh_type == SHT_RELA ? s->sh_size / sizeof(Elf32_Rela) : 0;
}

Elf32_Rela sl_elf_object_relocation(const struct sl_elf_object *elf, uint32_t section, size_t i)
{
  Elf32_Rela relocation;
  memcpy(&relocation, sl_elf_object_bytes(elf, section) + i * sizeof relocation, sizeof relocation);
  return relocation;
}
