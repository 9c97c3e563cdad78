#include "compiler/isa64/link/link64.h"

#include <elf.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/whole_file.h"
#include "program/program.h"

/* Symbol table of a program: the named symbols in it. Local labels of the assembler (.L) are omitted. */

struct sl_link_symtab {
  struct sl_link_bytes symbols, strings;
  uint32_t locals; /* number of local symbols, which come first */
};

struct maker {
  const struct sl_link *link;
  const uint16_t *sections;
  struct sl_link_symtab *table;
};

static void put(struct maker *m, const char *name, Elf32_Sym symbol)
{
  symbol.st_name = (Elf32_Word)m->table->strings.size;
  sl_link_bytes_string(&m->table->strings, name);
  sl_link_bytes_put(&m->table->symbols, &symbol, sizeof symbol);
}

static unsigned type_of(const struct sl_symbol64 *symbol, const struct sl_section64 *section)
{
  if (section->thread_local_data)
    return STT_TLS;
  return symbol->function ? STT_FUNC : symbol->object ? STT_OBJECT : STT_NOTYPE;
}

/* The value of a thread-local symbol is its offset in the storage. */
static void put_defined(struct maker *m, const char *name, uint32_t unit, const struct sl_symbol64 *symbol,
                        unsigned bind)
{
  const struct sl_section64 *section = &m->link->units[unit].object->sections[symbol->section];
  const struct sl_link_section *in = &m->link->units[unit].sections[symbol->section];
  const uint32_t base = section->thread_local_data ? m->link->spans[SL_LINK_TDATA].address : 0;
  put(m, name,
      (Elf32_Sym){.st_value = in->address + symbol->value - base,
                  .st_size = symbol->size,
                  .st_info = (unsigned char)ELF32_ST_INFO(bind, type_of(symbol, section)),
                  .st_shndx = m->sections[in->output]});
}

static void put_locals(struct maker *m)
{
  for (uint32_t unit = 0; unit < m->link->unit_count; unit++) {
    const struct sl_link_unit *u = &m->link->units[unit];
    for (size_t i = 0; i < u->object->symbol_count; i++) {
      const struct sl_symbol64 *symbol = &u->object->symbols[i];
      if (!symbol->global && symbol->name[0] != '\0' && strncmp(symbol->name, ".L", 2) != 0 &&
          symbol->section < u->object->section_count && u->sections[symbol->section].live)
        put_defined(m, symbol->name, unit, symbol, STB_LOCAL);
    }
  }
}

static void put_global(struct maker *m, uint32_t number)
{
  const struct sl_link *link = m->link;
  const struct sl_link_global *global = &link->globals[number];
  const char *name = link->names.name[number];
  const struct sl_link_ref ref = sl_link_resolve_global(link, number);
  const unsigned bind = global->kind == SL_LINK_DEFINED && global->weak ? STB_WEAK : STB_GLOBAL;
  Elf32_Sym plain = {
      .st_value = ref.value, .st_info = (unsigned char)ELF32_ST_INFO(bind, STT_NOTYPE), .st_shndx = SHN_ABS};
  switch (ref.kind) {
  case SL_LINK_DEFINED: {
    const struct sl_link_global *target = &link->globals[ref.global];
    if (link->units[ref.unit].sections[ref.section].live)
      put_defined(m, name, ref.unit, &link->units[target->unit].object->symbols[target->symbol], bind);
    break;
  }
  case SL_LINK_COMMON:
    plain.st_size = global->size;
    plain.st_info = ELF32_ST_INFO(STB_GLOBAL, STT_OBJECT);
    plain.st_shndx = m->sections[SL_LINK_BSS];
    if (global->live)
      put(m, name, plain);
    break;
  case SL_LINK_MAP:
    if (global->live || strncmp(name, "__", 2) == 0)
      put(m, name, plain);
    break;
  case SL_LINK_VALUE: put(m, name, plain); break;
  default: break;
  }
}

/* `sections`: the section number of each output section in the file. */
static void sl_link_symtab_make(const struct sl_link *link, const uint16_t sections[SL_LINK_OUTPUTS],
                                struct sl_link_symtab *table)
{
  struct maker m = {link, sections, table};
  put(&m, "", (Elf32_Sym){0});
  put_locals(&m);
  table->locals = (uint32_t)(table->symbols.size / sizeof(Elf32_Sym));
  for (uint32_t i = 0; i < link->names.count; i++)
    put_global(&m, i);
}

/* Map of a program as readable text: every output section with its pieces in address order, then every global symbol.
 * docs/explanation/backend.md has an example. */

static void __attribute__((format(printf, 2, 3))) add(struct sl_link_bytes *text, const char *format, ...)
{
  char line[512];
  va_list args;
  va_start(args, format);
  const int n = vsnprintf(line, sizeof line, format, args);
  va_end(args);
  if (n > 0)
    sl_link_bytes_put(text, line, (size_t)n < sizeof line ? (size_t)n : sizeof line - 1);
}

static void add_part(const struct sl_link *link, enum sl_link_output output, struct sl_link_bytes *text)
{
  const struct sl_link_span *span = &link->spans[output];
  if (span->size == 0)
    return;
  add(text, "%08" PRIx32 " %8" PRIx32 " %s\n", span->address, span->size, sl_link_output_name(output));
  for (size_t i = 0; i < span->count; i++) {
    const struct sl_link_piece *piece = &link->pieces[span->first + i];
    const struct sl_object64 *object = link->units[piece->unit].object;
    add(text, "%08" PRIx32 " %8" PRIx32 "   %.150s  %.200s\n",
        link->units[piece->unit].sections[piece->section].address, object->sections[piece->section].size,
        object->sections[piece->section].name, object->name);
  }
}

static void sl_link_map(const struct sl_link *link, struct sl_link_bytes *text)
{
  add(text, "address  bytes    part, or section and file (hexadecimal)\n");
  for (unsigned i = 0; i < SL_LINK_OUTPUTS; i++)
    add_part(link, (enum sl_link_output)i, text);
  add(text, "\naddress  symbol\n");
  for (uint32_t i = 0; i < link->names.count; i++) {
    const struct sl_link_ref ref = sl_link_resolve_global(link, i);
    const bool there = ref.kind == SL_LINK_DEFINED ? link->units[ref.unit].sections[ref.section].live
                                                   : ref.kind != SL_LINK_UNDEFINED && link->globals[i].live;
    if (there)
      add(text, "%08" PRIx32 " %.400s\n", sl_link_address(link, &ref), link->names.name[i]);
  }
}

/* Section garbage collection: finds the sections reachable from the entry and from retained sections. */

/* Worklist: live sections whose references have not been followed yet. */
struct work {
  struct {
    uint32_t unit, section;
  } * item;
  size_t count;
};

static enum sl_status mark(struct sl_link *link, struct work *work, uint32_t unit, uint32_t section,
                           struct sl_error *err)
{
  struct sl_link_section *s = &link->units[unit].sections[section];
  if (s->live || s->dropped)
    return SL_OK;
  if (!SL_GROW(work->item, work->count))
    return sl_no_memory(err, 2 * work->count * sizeof *work->item);
  work->item[work->count].unit = unit;
  work->item[work->count++].section = section;
  s->live = true;
  return SL_OK;
}

static enum sl_status mark_ref(struct sl_link *link, struct work *work, const struct sl_link_ref *ref,
                               struct sl_error *err)
{
  if (ref->global != SL_LINK_NO_NAME)
    link->globals[ref->global].live = true;
  return ref->kind == SL_LINK_DEFINED ? mark(link, work, ref->unit, ref->section, err) : SL_OK;
}

static enum sl_status undefined(const struct sl_link *link, uint32_t unit, uint32_t section, uint32_t offset,
                                uint32_t symbol, struct sl_error *err)
{
  char place[SL_LINK_PLACE_SIZE];
  const char *name = link->units[unit].object->symbols[symbol].name;
  sl_link_place(link, unit, section, offset, place);
  if (name[0] == '\0' || link->units[unit].global[symbol] == SL_LINK_NO_NAME)
    return sl_fail(err, SL_USAGE, "%s refers to a section that is not loaded, such as debug information", place);
  return sl_fail(err, SL_USAGE, "%.200s is not defined, which %s refers to; add the file or the library that has it",
                 name, place);
}

static enum sl_status follow(struct sl_link *link, struct work *work, uint32_t unit, uint32_t section, uint32_t offset,
                             uint32_t symbol, struct sl_error *err)
{
  const struct sl_link_ref ref = sl_link_resolve(link, unit, symbol);
  if (ref.kind == SL_LINK_UNDEFINED && !ref.weak)
    return undefined(link, unit, section, offset, symbol, err);
  return mark_ref(link, work, &ref, err);
}

static enum sl_status follow_section(struct sl_link *link, struct work *work, uint32_t unit, uint32_t section,
                                     struct sl_error *err)
{
  const struct sl_section64 *s = &link->units[unit].object->sections[section];
  enum sl_status code = SL_OK;
  for (uint32_t i = 0; i < s->code_count && code == SL_OK; i++)
    if (s->code[i].fix != SL_FIX_NONE)
      code = follow(link, work, unit, section, i * SL_WIDE_BYTES, s->code[i].symbol, err);
  for (size_t i = 0; i < s->fix_count && code == SL_OK; i++)
    code = follow(link, work, unit, section, s->fixes[i].offset, s->fixes[i].symbol, err);
  return code;
}

/* Sections that the C library or the runtime uses without naming a symbol. */
static bool is_kept(const struct sl_section64 *section)
{
  return section->keep || strcmp(section->name, ".text.start") == 0 || strcmp(section->name, ".init") == 0 ||
         strcmp(section->name, ".fini") == 0;
}

static bool is_instruction(const struct sl_link *link, const struct sl_link_ref *ref)
{
  if (ref->kind != SL_LINK_DEFINED)
    return false;
  const struct sl_section64 *section = &link->units[ref->unit].object->sections[ref->section];
  return section->executable && ref->value < section->size && ref->value % SL_WIDE_BYTES == 0;
}

static enum sl_status mark_roots(struct sl_link *link, struct work *work, struct sl_error *err)
{
  const struct sl_link_ref entry = sl_link_resolve_global(link, link->entry);
  if (!is_instruction(link, &entry))
    return sl_fail(err, SL_USAGE, "the entry %.200s is not defined as code; is the start code missing?",
                   link->names.name[link->entry]);
  enum sl_status code = mark_ref(link, work, &entry, err);
  for (uint32_t unit = 0; unit < link->unit_count; unit++)
    for (uint32_t i = 0; i < link->units[unit].object->section_count && code == SL_OK; i++)
      if (is_kept(&link->units[unit].object->sections[i]))
        code = mark(link, work, unit, i, err);
  return code;
}

/* SL_USAGE: a live section refers to an undefined symbol. */
static enum sl_status sl_link_live(struct sl_link *link, struct sl_error *err)
{
  struct work work = {0};
  enum sl_status code = mark_roots(link, &work, err);
  while (work.count > 0 && code == SL_OK) {
    work.count--;
    code = follow_section(link, &work, work.item[work.count].unit, work.item[work.count].section, err);
  }
  free(work.item);
  return code;
}

/* ELF file of a program (System V ABI): segments of code and data, sections named as in runtime/vortex.ld, symbols and
 * debug information. */

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
static enum sl_status sl_link_file(const struct sl_link *link, const struct sl_link_debug *debug,
                                   struct sl_link_bytes *file, struct sl_error *err)
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

/* Writes the bytes to a temporary file, then renames it to `path`. */
static enum sl_status sl_link_file_write(const struct sl_link_bytes *bytes, const char *path, struct sl_error *err)
{
  struct sl_whole_file whole;
  if (sl_whole_file_open(&whole, path, err) != SL_OK)
    return err->code;
  fwrite(bytes->bytes, 1, bytes->size, whole.file); /* closing reports a failure */
  return sl_whole_file_close(&whole, false, err);
}

static enum sl_status check_options(const struct sl_link64_options *options, struct sl_error *err)
{
  if (options->registers < 32 || options->registers > SL_WIDE_REGISTERS)
    return sl_fail(err, SL_USAGE, "a program of 64-bit words has 32 to %d registers, not %u", SL_WIDE_REGISTERS,
                   options->registers);
  if (options->banks < 1 || options->banks > SL_WIDE_FILE_BANKS)
    return sl_fail(err, SL_USAGE, "registers are in 1 to %d banks, not %u", SL_WIDE_FILE_BANKS, options->banks);
  return SL_OK;
}

static enum sl_status write_map(const struct sl_link *link, const char *path, struct sl_error *err)
{
  struct sl_link_bytes text = {0};
  sl_link_map(link, &text);
  const enum sl_status code = text.incomplete ? sl_no_memory(err, text.size) : sl_link_file_write(&text, path, err);
  sl_link_bytes_free(&text);
  return code;
}

static enum sl_status write_program(const struct sl_link *link, const char *path, struct sl_error *err)
{
  struct sl_link_debug debug = {0};
  struct sl_link_bytes file = {0};
  enum sl_status code = sl_link_lines(link, &debug, err);
  if (code == SL_OK)
    code = sl_link_file(link, &debug, &file, err);
  if (code == SL_OK)
    code = sl_link_file_write(&file, path, err);
  sl_link_lines_free(&debug);
  sl_link_bytes_free(&file);
  return code;
}

enum sl_status sl_link64(const struct sl_link64_options *options, const struct sl_object64 *objects, size_t count,
                         const char *output, struct sl_error *err)
{
  struct sl_link link = {.options = options};
  enum sl_status code = check_options(options, err);
  if (code == SL_OK)
    code = sl_link_symbols(&link, objects, count, err);
  if (code == SL_OK)
    code = sl_link_live(&link, err);
  if (code == SL_OK)
    code = sl_link_layout(&link, err);
  if (code == SL_OK)
    code = sl_link_image(&link, err);
  if (code == SL_OK && options->map != NULL)
    code = write_map(&link, options->map, err);
  if (code == SL_OK)
    code = write_program(&link, output, err);
  sl_link_free(&link);
  return code;
}
