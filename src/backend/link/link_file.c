#include "backend/link/link_file.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/link/link_image.h"
#include "backend/link/link_layout.h"
#include "backend/link/link_symtab.h"
#include "base/whole_file.h"
#include "program/wide_file.h"

enum { MOST_SEGMENTS = 3, MOST_SECTIONS = SL_LINK_OUTPUTS + 8, FILE_ALIGNMENT = 64 };

struct writer {
  const struct sl_link *link;
  struct sl_link_bytes *file;
  struct sl_link_bytes names;
  Elf32_Phdr segments[MOST_SEGMENTS];
  unsigned segment_count;
  Elf32_Shdr sections[MOST_SECTIONS];
  uint16_t section_count;
  uint16_t number[SL_LINK_OUTPUTS]; /* section number per output; SHN_ABS: none */
};

static uint16_t add_section(struct writer *w, const char *name, Elf32_Shdr header)
{
  header.sh_name = (Elf32_Word)w->names.size;
  sl_link_bytes_string(&w->names, name);
  w->sections[w->section_count] = header;
  return w->section_count++;
}

/* Appends bytes that are not loaded to the file. */
static uint16_t add_bytes(struct writer *w, const char *name, uint32_t type, const void *bytes, size_t size,
                          uint32_t alignment)
{
  sl_link_bytes_align(w->file, alignment);
  const Elf32_Shdr header = {
      .sh_type = type, .sh_offset = (Elf32_Off)w->file->size, .sh_size = (Elf32_Word)size, .sh_addralign = alignment};
  sl_link_bytes_put(w->file, bytes, size);
  return add_section(w, name, header);
}

/* ---- loaded parts ------------------------------------------------------------------------------------------------ */

static uint32_t flags_of(enum sl_link_output output)
{
  switch (output) {
  case SL_LINK_TEXT: return SHF_ALLOC | SHF_EXECINSTR;
  case SL_LINK_RODATA: return SHF_ALLOC;
  case SL_LINK_TDATA:
  case SL_LINK_TBSS: return SHF_ALLOC | SHF_WRITE | SHF_TLS;
  default: return SHF_ALLOC | SHF_WRITE;
  }
}

/* File offsets are congruent to addresses. */
static void add_output(struct writer *w, enum sl_link_output output, uint32_t address, size_t offset)
{
  const struct sl_link_span *span = &w->link->spans[output];
  w->number[output] = SHN_ABS;
  if (span->size == 0)
    return;
  const size_t at = offset + (span->address - address);
  while (span->bytes != NULL && w->file->size < at && !w->file->incomplete)
    sl_link_bytes_number(w->file, 0, 1);
  if (span->bytes != NULL)
    sl_link_bytes_put(w->file, span->bytes, span->size);
  w->number[output] = add_section(w, sl_link_output_name(output),
                                  (Elf32_Shdr){.sh_type = span->bytes != NULL ? SHT_PROGBITS : SHT_NOBITS,
                                               .sh_flags = flags_of(output),
                                               .sh_addr = span->address,
                                               .sh_offset = (Elf32_Off)at,
                                               .sh_size = span->size,
                                               .sh_addralign = span->alignment});
}

static uint32_t end_of(const struct sl_link_span *span)
{
  return span->address + span->size;
}

static void add_segment(struct writer *w, Elf32_Phdr segment)
{
  segment.p_paddr = segment.p_vaddr;
  if (segment.p_memsz > 0)
    w->segments[w->segment_count++] = segment;
}

/* Segments: code, data from the constants on, and within the data the initial image of thread-local storage. */
static void add_loaded(struct writer *w)
{
  const struct sl_link_span *spans = w->link->spans, *text = &spans[SL_LINK_TEXT], *data = &spans[SL_LINK_RODATA];
  sl_link_bytes_align(w->file, FILE_ALIGNMENT);
  const size_t code = w->file->size + text->address % FILE_ALIGNMENT;
  add_output(w, SL_LINK_TEXT, text->address, code);
  add_segment(w, (Elf32_Phdr){.p_type = PT_LOAD,
                              .p_offset = (Elf32_Off)code,
                              .p_vaddr = text->address,
                              .p_filesz = text->size,
                              .p_memsz = text->size,
                              .p_flags = PF_R | PF_X,
                              .p_align = FILE_ALIGNMENT});
  sl_link_bytes_align(w->file, FILE_ALIGNMENT);
  const size_t offset = w->file->size;
  for (unsigned i = SL_LINK_RODATA; i <= SL_LINK_BSS; i++)
    add_output(w, (enum sl_link_output)i, data->address, offset);
  const size_t in_file = w->file->size > offset ? w->file->size - offset : 0;
  add_segment(w, (Elf32_Phdr){.p_type = PT_LOAD,
                              .p_offset = (Elf32_Off)offset,
                              .p_vaddr = data->address,
                              .p_filesz = (Elf32_Word)in_file,
                              .p_memsz = end_of(&spans[SL_LINK_BSS]) - data->address,
                              .p_flags = PF_R | PF_W,
                              .p_align = FILE_ALIGNMENT});
  add_segment(w, (Elf32_Phdr){.p_type = PT_TLS,
                              .p_offset = (Elf32_Off)(offset + (spans[SL_LINK_TDATA].address - data->address)),
                              .p_vaddr = spans[SL_LINK_TDATA].address,
                              .p_filesz = spans[SL_LINK_TDATA].size,
                              .p_memsz = end_of(&spans[SL_LINK_TBSS]) - spans[SL_LINK_TDATA].address,
                              .p_flags = PF_R,
                              .p_align = spans[SL_LINK_TDATA].alignment});
}

/* ---- parts that are not loaded
 * ------------------------------------------------------------------------------------ */

static void add_symbols(struct writer *w)
{
  struct sl_link_symtab table = {0};
  sl_link_symtab_make(w->link, w->number, &table);
  w->file->incomplete = w->file->incomplete || table.symbols.incomplete || table.strings.incomplete;
  const uint16_t symbols = add_bytes(w, ".symtab", SHT_SYMTAB, table.symbols.bytes, table.symbols.size, 4);
  const uint16_t strings = add_bytes(w, ".strtab", SHT_STRTAB, table.strings.bytes, table.strings.size, 1);
  w->sections[symbols].sh_link = strings;
  w->sections[symbols].sh_info = table.locals;
  w->sections[symbols].sh_entsize = sizeof(Elf32_Sym);
  sl_link_bytes_free(&table.symbols);
  sl_link_bytes_free(&table.strings);
}

static void add_rest(struct writer *w, const struct sl_link_debug *debug)
{
  const struct sl_link_span *kernels = &w->link->spans[SL_LINK_KERNELS];
  w->number[SL_LINK_KERNELS] = SHN_ABS;
  if (kernels->size > 0)
    w->number[SL_LINK_KERNELS] = add_bytes(w, sl_link_output_name(SL_LINK_KERNELS), SHT_PROGBITS, kernels->bytes,
                                           kernels->size, kernels->alignment);
  if (debug->line.size > 0) {
    add_bytes(w, ".debug_info", SHT_PROGBITS, debug->info.bytes, debug->info.size, 1);
    add_bytes(w, ".debug_abbrev", SHT_PROGBITS, debug->abbrev.bytes, debug->abbrev.size, 1);
    add_bytes(w, ".debug_line", SHT_PROGBITS, debug->line.bytes, debug->line.size, 1);
  }
  add_symbols(w);
}

static Elf32_Ehdr make_header(const struct writer *w, uint32_t entry, uint16_t names)
{
  Elf32_Ehdr header = {
      .e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS32, ELFDATA2LSB, EV_CURRENT},
      .e_type = ET_EXEC,
      .e_machine = SL_WIDE_FILE_MACHINE,
      .e_version = EV_CURRENT,
      .e_entry = entry,
      .e_phoff = sizeof header,
      .e_shoff = (Elf32_Off)w->file->size,
      .e_flags = sl_wide_file_flags(w->link->options->registers, w->link->options->banks),
      .e_ehsize = sizeof header,
      .e_phentsize = sizeof(Elf32_Phdr),
      .e_phnum = (Elf32_Half)w->segment_count,
      .e_shentsize = sizeof(Elf32_Shdr),
      .e_shnum = w->section_count,
      .e_shstrndx = names,
  };
  return header;
}

/* ELF header and program headers come first but are written last, when their values are known. */
enum sl_status sl_link_file(const struct sl_link *link, const struct sl_link_debug *debug, struct sl_link_bytes *file,
                            struct sl_error *err)
{
  struct writer w = {.link = link, .file = file};
  static const uint8_t nothing[sizeof(Elf32_Ehdr) + MOST_SEGMENTS * sizeof(Elf32_Phdr)];
  sl_link_bytes_put(file, nothing, sizeof nothing);
  add_section(&w, "", (Elf32_Shdr){0});
  add_loaded(&w);
  add_rest(&w, debug);
  const uint32_t own_name = (uint32_t)w.names.size;
  sl_link_bytes_string(&w.names, ".shstrtab");
  const uint16_t names = add_bytes(&w, "", SHT_STRTAB, w.names.bytes, w.names.size, 1);
  w.sections[names].sh_name = own_name;
  sl_link_bytes_align(file, 4);
  const struct sl_link_ref entry = sl_link_resolve_global(link, link->entry);
  const Elf32_Ehdr header = make_header(&w, sl_link_address(link, &entry), names);
  sl_link_bytes_put(file, w.sections, w.section_count * sizeof w.sections[0]);
  const bool incomplete = file->incomplete || w.names.incomplete;
  sl_link_bytes_free(&w.names);
  if (incomplete)
    return sl_no_memory(err, file->size);
  memcpy(file->bytes, &header, sizeof header);
  memcpy(file->bytes + sizeof header, w.segments, w.segment_count * sizeof w.segments[0]);
  return SL_OK;
}

enum sl_status sl_link_file_write(const struct sl_link_bytes *bytes, const char *path, struct sl_error *err)
{
  struct sl_whole_file whole;
  if (sl_whole_file_open(&whole, path, err) != SL_OK)
    return err->code;
  fwrite(bytes->bytes, 1, bytes->size, whole.file); /* closing reports a failure */
  return sl_whole_file_close(&whole, false, err);
}
