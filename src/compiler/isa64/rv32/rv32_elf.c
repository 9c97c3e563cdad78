#include "compiler/isa64/rv32/rv32_object.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"

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

/* ---- source lines ------------------------------------------------------------------------------------------------ */

enum { WORD = 4, FIRST_ADDRESS = 0x1000 };

/* A row of the line table, valid from this address on. Sections are not adjacent, so no row extends into the next
 * one. */
struct row {
  uint32_t address;
  uint32_t file, line, column;
  size_t order; /* position in the table: of several rows at one address the last one counts */
};

struct lines {
  struct sl_rv32_reader *reader;
  uint32_t *address; /* address per section of the file: 0, or the assigned address of its code */
  uint8_t *copy;     /* copy of the file, with relocated debug information */
  struct row *rows;
  size_t count;
};

static bool is_debug(const struct sl_elf_object *elf, uint32_t section)
{
  return section < elf->section_count && strncmp(sl_elf_object_section_name(elf, section), ".debug_", 7) == 0;
}

/* ---- relocation -------------------------------------------------------------------------------------------------- */

static void place_code(struct lines *l)
{
  const struct sl_rv32_reader *r = l->reader;
  uint32_t next = FIRST_ADDRESS;
  for (size_t i = 1; i < r->elf.section_count; i++) {
    if (r->section[i] == SL_RV32_DROPPED || !r->object->sections[r->section[i]].executable)
      continue;
    l->address[i] = next;
    next += r->elf.sections[i].sh_size + FIRST_ADDRESS;
  }
}

/* The bytes that a relocation changes, the number of bits, and the operation. */
struct change {
  unsigned bytes, bits;
  enum { NOTHING, SET, ADD, SUBTRACT } how;
};

static struct change change_of(unsigned type)
{
  switch (type) {
  case R_RISCV_32:
  case R_RISCV_SET32: return (struct change){4, 32, SET};
  case R_RISCV_SET16: return (struct change){2, 16, SET};
  case R_RISCV_SET8: return (struct change){1, 8, SET};
  case R_RISCV_SET6: return (struct change){1, 6, SET};
  case R_RISCV_ADD32: return (struct change){4, 32, ADD};
  case R_RISCV_ADD16: return (struct change){2, 16, ADD};
  case R_RISCV_ADD8: return (struct change){1, 8, ADD};
  case R_RISCV_SUB32: return (struct change){4, 32, SUBTRACT};
  case R_RISCV_SUB16: return (struct change){2, 16, SUBTRACT};
  case R_RISCV_SUB8: return (struct change){1, 8, SUBTRACT};
  case R_RISCV_SUB6: return (struct change){1, 6, SUBTRACT};
  default: return (struct change){0};
  }
}

static void apply(struct lines *l, const Elf32_Shdr *section, const Elf32_Rela *rela)
{
  const struct sl_elf_object *elf = &l->reader->elf;
  const struct change change = change_of(ELF32_R_TYPE(rela->r_info));
  if (change.how == NOTHING || section->sh_size < change.bytes || rela->r_offset > section->sh_size - change.bytes)
    return;
  const Elf32_Sym symbol = sl_elf_object_symbol(elf, ELF32_R_SYM(rela->r_info));
  const uint32_t base = symbol.st_shndx < elf->section_count ? l->address[symbol.st_shndx] : 0;
  const uint32_t value = base + symbol.st_value + (uint32_t)rela->r_addend;
  uint8_t *at = l->copy + section->sh_offset + rela->r_offset;
  uint32_t old = 0;
  memcpy(&old, at, change.bytes);
  const uint32_t mask = change.bits < 32 ? (1u << change.bits) - 1 : UINT32_MAX;
  const uint32_t all = change.how == SET ? value : change.how == ADD ? old + value : old - value;
  const uint32_t new = (old & ~mask) | (all & mask);
  memcpy(at, &new, change.bytes);
}

static void relocate(struct lines *l)
{
  const struct sl_elf_object *elf = &l->reader->elf;
  for (uint32_t t = 1; t < elf->section_count; t++) {
    const uint32_t of = elf->sections[t].sh_info;
    if (sl_elf_object_relocation_count(elf, t) == 0 || !is_debug(elf, of) || elf->sections[of].sh_type != SHT_PROGBITS)
      continue;
    for (size_t i = 0; i < sl_elf_object_relocation_count(elf, t); i++) {
      const Elf32_Rela rela = sl_elf_object_relocation(elf, t, i);
      apply(l, &elf->sections[of], &rela);
    }
  }
}

/* ---- line table -------------------------------------------------------------------------------------------------- */

static enum sl_status add_row(struct lines *l, Dwarf_Line *line, struct sl_error *err)
{
  Dwarf_Addr address;
  int number = 0, column = 0;
  bool end = false;
  if (dwarf_lineaddr(line, &address) != 0 || dwarf_lineno(line, &number) != 0 ||
      dwarf_lineendsequence(line, &end) != 0 || dwarf_linecol(line, &column) != 0)
    return SL_OK;
  if (!SL_GROW(l->rows, l->count))
    return sl_no_memory(err, 2 * l->count * sizeof *l->rows);
  const char *name = end || number <= 0 ? NULL : dwarf_linesrc(line, NULL, NULL);
  struct row row = {.address = (uint32_t)address, .order = l->count};
  enum sl_status code = SL_OK;
  if (name != NULL) {
    row.line = (uint32_t)number;
    row.column = (uint32_t)column;
    code = sl_object64_file(l->reader->object, name, &row.file, err);
  }
  l->rows[l->count++] = row;
  return code;
}

static enum sl_status read_units(struct lines *l, Dwarf *dwarf, struct sl_error *err)
{
  Dwarf_CU *unit = NULL;
  Dwarf_Die die;
  enum sl_status code = SL_OK;
  while (code == SL_OK && dwarf_get_units(dwarf, unit, &unit, NULL, NULL, &die, NULL) == 0) {
    Dwarf_Lines *table;
    size_t count;
    if (dwarf_getsrclines(&die, &table, &count) != 0)
      continue;
    /* A row takes at least one byte of the file. The limit protects against damaged files whose units share a table. */
    for (size_t i = 0; i < count && code == SL_OK && l->count < l->reader->elf.size; i++)
      code = add_row(l, dwarf_onesrcline(table, i), err);
  }
  return code;
}

static int compare_rows(const void *a, const void *b)
{
  const struct row *x = a, *y = b;
  if (x->address != y->address)
    return x->address < y->address ? -1 : 1;
  return x->order < y->order ? -1 : x->order > y->order;
}

/* Merges rows and instructions in address order. */
static void give_lines(const struct lines *l, uint32_t begin, struct sl_section64 *section)
{
  size_t row = 0;
  while (row < l->count && l->rows[row].address < begin)
    row++;
  for (size_t i = 0; i < section->code_count; i++) {
    const uint32_t address = begin + (uint32_t)i * WORD;
    while (row < l->count && l->rows[row].address <= address)
      row++;
    if (row > 0 && l->rows[row - 1].address >= begin) {
      section->code[i].file = l->rows[row - 1].file;
      section->code[i].line = l->rows[row - 1].line;
      section->code[i].column = l->rows[row - 1].column;
    }
  }
}

static enum sl_status read_table(struct lines *l, struct sl_error *err)
{
  Elf *elf = elf_memory((char *)l->copy, l->reader->elf.size);
  Dwarf *dwarf = elf != NULL ? dwarf_begin_elf(elf, DWARF_C_READ, NULL) : NULL;
  const enum sl_status code = dwarf != NULL ? read_units(l, dwarf, err) : SL_OK;
  dwarf_end(dwarf);
  elf_end(elf);
  if (code != SL_OK || l->count == 0)
    return code;
  qsort(l->rows, l->count, sizeof *l->rows, compare_rows);
  for (size_t i = 1; i < l->reader->elf.section_count; i++)
    if (l->address[i] != 0)
      give_lines(l, l->address[i], &l->reader->object->sections[l->reader->section[i]]);
  return SL_OK;
}

static bool has_lines(const struct sl_elf_object *elf)
{
  for (uint32_t i = 1; i < elf->section_count; i++)
    if (strcmp(sl_elf_object_section_name(elf, i), ".debug_line") == 0)
      return true;
  return false;
}

enum sl_status sl_rv32_lines_read(struct sl_rv32_reader *reader, struct sl_error *err)
{
  if (!has_lines(&reader->elf) || elf_version(EV_CURRENT) == EV_NONE)
    return SL_OK;
  struct lines l = {.reader = reader,
                    .address = calloc(reader->elf.section_count, sizeof *l.address),
                    .copy = malloc(reader->elf.size)};
  enum sl_status code = SL_OK;
  if (l.address == NULL || l.copy == NULL)
    code = sl_no_memory(err, reader->elf.size);
  else {
    memcpy(l.copy, reader->elf.bytes, reader->elf.size);
    place_code(&l);
    relocate(&l);
    code = read_table(&l, err);
  }
  free(l.rows);
  free(l.copy);
  free(l.address);
  return code;
}
