#include "program/program.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

bool sl_is_packed(const char *bytes, size_t size)
{
  static const unsigned char begin[4] = {0x28, 0xb5, 0x2f, 0xfd};
  return size >= sizeof begin && memcmp(bytes, begin, sizeof begin) == 0;
}

/* Grows the buffer by half, or to its initial size. */
static bool grow(char **text, size_t *room)
{
  const size_t wanted = *room > 0 ? *room + *room / 2 : 1 << 20;
  char *larger = realloc(*text, wanted);
  if (larger == NULL)
    return false;
  *text = larger;
  *room = wanted;
  return true;
}

enum sl_status sl_unpack(const char *name, const char *bytes, size_t size, size_t most, char **text, size_t *text_size,
                         struct sl_error *err)
{
  ZSTD_DCtx *unpacker = ZSTD_createDCtx();
  ZSTD_inBuffer in = {bytes, size, 0};
  size_t room = 0, left = 1;
  bool stuck = false;
  enum sl_status code = unpacker != NULL ? SL_OK : sl_no_memory(err, sizeof *text);
  *text = NULL;
  *text_size = 0;
  while (code == SL_OK && !stuck && (in.pos < in.size || left > 0)) {
    if (*text_size == room && !grow(text, &room)) {
      code = sl_no_memory(err, 2 * room);
      break;
    }
    ZSTD_outBuffer out = {*text + *text_size, room - *text_size, 0};
    left = ZSTD_decompressStream(unpacker, &out, &in);
    stuck = in.pos == in.size && left > 0 && out.pos < out.size; /* the decompressor needs more input than there is */
    *text_size += out.pos;
    if (*text_size > most) {
      code = sl_fail(err, SL_USAGE, "%.200s: damaged, or too large: it holds more than %zu bytes", name, most);
      break;
    }
    if (ZSTD_isError(left))
      code = sl_fail(err, SL_USAGE, "%.200s: damaged, it cannot be decompressed (%s)", name, ZSTD_getErrorName(left));
  }
  ZSTD_freeDCtx(unpacker);
  if (code == SL_OK && stuck)
    code = sl_fail(
        err, SL_USAGE,
        "%.200s: truncated: the compressed file is incomplete, because the run that wrote it did not end or it was "
        "not copied whole",
        name);
  if (code != SL_OK) {
    free(*text);
    *text = NULL;
  }
  return code;
}

/* A growing file, and its future tables. */
struct editor {
  const char *old;
  size_t old_size;
  FILE *out;
  size_t at; /* bytes written */
  const struct sl_appended_code *code;
  Elf32_Ehdr header;
  Elf32_Phdr *segment;
  Elf32_Shdr *section;
};

static bool within(const struct editor *e, uint64_t at, uint64_t bytes)
{
  return at <= e->old_size && bytes <= e->old_size - at;
}

static enum sl_status refuse(struct sl_error *err, const char *why)
{
  return sl_fail(err, SL_USAGE, "the file cannot be extended: %s", why);
}

static enum sl_status read_tables(struct editor *e, struct sl_error *err)
{
  if (!within(e, 0, sizeof e->header))
    return refuse(err, "it ends within the ELF header");
  memcpy(&e->header, e->old, sizeof e->header);
  const Elf32_Ehdr *h = &e->header;
  if (h->e_phentsize != sizeof *e->segment || h->e_phnum == 0 || h->e_phnum >= PN_XNUM - 1 ||
      !within(e, h->e_phoff, h->e_phnum * sizeof *e->segment))
    return refuse(err, "its program headers are damaged");
  if (h->e_shentsize != sizeof *e->section || h->e_shnum == 0 || h->e_shnum >= SHN_LORESERVE - 1 ||
      h->e_shstrndx >= h->e_shnum || !within(e, h->e_shoff, h->e_shnum * sizeof *e->section))
    return refuse(err, "it has no sections, or their headers are damaged");
  e->segment = malloc((h->e_phnum + 1u) * sizeof *e->segment);
  e->section = malloc((h->e_shnum + 1u) * sizeof *e->section);
  if (e->segment == NULL || e->section == NULL)
    return sl_no_memory(err, h->e_shnum * sizeof *e->section);
  memcpy(e->segment, e->old + h->e_phoff, h->e_phnum * sizeof *e->segment);
  memcpy(e->section, e->old + h->e_shoff, h->e_shnum * sizeof *e->section);
  for (unsigned i = 0; i < h->e_shnum; i++)
    if (e->section[i].sh_type != SHT_NOBITS && e->section[i].sh_type != SHT_NULL &&
        !within(e, e->section[i].sh_offset, e->section[i].sh_size))
      return refuse(err, "a section goes beyond its end");
  if (e->section[h->e_shstrndx].sh_type != SHT_STRTAB)
    return refuse(err, "its sections have no names");
  return SL_OK;
}

static void put(struct editor *e, const void *bytes, size_t size)
{
  if (size > 0)
    fwrite(bytes, 1, size, e->out);
  e->at += size;
}

static uint32_t align(struct editor *e)
{
  static const char zeros[16];
  put(e, zeros, -e->at % sizeof zeros);
  return (uint32_t)e->at;
}

/* Copies a table behind the file, with room for more entries. */
static void move(struct editor *e, Elf32_Shdr *table)
{
  const uint32_t at = align(e);
  put(e, e->old + table->sh_offset, table->sh_size);
  table->sh_offset = at;
}

static void add_to(struct editor *e, Elf32_Shdr *table, const void *bytes, size_t size)
{
  put(e, bytes, size);
  table->sh_size += (uint32_t)size;
}

static Elf32_Shdr *symbols_of(struct editor *e)
{
  for (unsigned i = 0; i < e->header.e_shnum; i++)
    if (e->section[i].sh_type == SHT_SYMTAB && e->section[i].sh_link < e->header.e_shnum &&
        e->section[i].sh_entsize == sizeof(Elf32_Sym) && e->section[i].sh_link != e->header.e_shstrndx &&
        e->section[e->section[i].sh_link].sh_type == SHT_STRTAB)
      return &e->section[i];
  return NULL;
}

static void add_symbols(struct editor *e, uint16_t section)
{
  Elf32_Shdr *symbols = symbols_of(e);
  if (symbols == NULL)
    return;
  Elf32_Shdr *names = &e->section[symbols->sh_link];
  uint32_t name = names->sh_size;
  move(e, symbols);
  for (size_t i = 0; i < e->code->functions; i++) {
    const struct sl_appended_function *f = &e->code->function[i];
    const Elf32_Sym symbol = {.st_name = name,
                              .st_value = f->address,
                              .st_size = f->bytes,
                              .st_info = ELF32_ST_INFO(STB_GLOBAL, STT_FUNC),
                              .st_shndx = section};
    add_to(e, symbols, &symbol, sizeof symbol);
    name += (uint32_t)strlen(f->name) + 1;
  }
  move(e, names);
  for (size_t i = 0; i < e->code->functions; i++)
    add_to(e, names, e->code->function[i].name, strlen(e->code->function[i].name) + 1);
}

/* Inserts a segment in the order of addresses. */
static void add_segment(struct editor *e, const Elf32_Phdr *segment)
{
  unsigned at = e->header.e_phnum;
  while (at > 0 && (e->segment[at - 1].p_type != PT_LOAD || e->segment[at - 1].p_vaddr > segment->p_vaddr))
    at--;
  memmove(&e->segment[at + 1], &e->segment[at], (e->header.e_phnum - at) * sizeof *e->segment);
  e->segment[at] = *segment;
  e->header.e_phnum++;
}

static bool has_section(const struct editor *e, const Elf32_Shdr *names)
{
  const size_t length = strlen(e->code->section) + 1;
  for (unsigned i = 0; i < e->header.e_shnum; i++) {
    const uint32_t name = e->section[i].sh_name;
    if (name < names->sh_size && length <= names->sh_size - name &&
        memcmp(e->old + names->sh_offset + name, e->code->section, length) == 0)
      return true;
  }
  return false;
}

static void write_all(struct editor *e)
{
  const struct sl_appended_code *code = e->code;
  const uint16_t number = e->header.e_shnum;
  Elf32_Shdr *names = &e->section[e->header.e_shstrndx];
  const uint32_t name = names->sh_size, bytes = code->words * (uint32_t)sizeof *code->word;
  put(e, e->old, e->old_size);
  const uint32_t at = align(e);
  put(e, code->word, bytes);
  add_symbols(e, number);
  move(e, names);
  add_to(e, names, code->section, strlen(code->section) + 1);
  e->section[e->header.e_shnum++] = (Elf32_Shdr){.sh_name = name,
                                                 .sh_type = SHT_PROGBITS,
                                                 .sh_flags = SHF_ALLOC | SHF_EXECINSTR,
                                                 .sh_addr = code->address,
                                                 .sh_offset = at,
                                                 .sh_size = bytes,
                                                 .sh_addralign = sizeof *code->word};
  add_segment(e, &(Elf32_Phdr){.p_type = PT_LOAD,
                               .p_offset = at,
                               .p_vaddr = code->address,
                               .p_paddr = code->address,
                               .p_filesz = bytes,
                               .p_memsz = bytes,
                               .p_flags = PF_R | PF_X,
                               .p_align = sizeof *code->word});
  e->header.e_phoff = align(e);
  put(e, e->segment, e->header.e_phnum * sizeof *e->segment);
  e->header.e_shoff = align(e);
  put(e, e->section, e->header.e_shnum * sizeof *e->section);
}

enum sl_status sl_elf_append(char **result, size_t *result_size, const char *bytes, size_t size,
                             const struct sl_appended_code *code, struct sl_error *err)
{
  struct editor e = {.old = bytes, .old_size = size, .code = code};
  *result = NULL;
  enum sl_status status = read_tables(&e, err);
  if (status == SL_OK && has_section(&e, &e.section[e.header.e_shstrndx]))
    status = sl_fail(err, SL_USAGE, "it already has a section %s; start from the original program", code->section);
  if (status == SL_OK) {
    e.out = open_memstream(result, result_size);
    if (e.out == NULL)
      status = sl_no_memory(err, size);
  }
  if (e.out != NULL) {
    write_all(&e);
    if (fclose(e.out) != 0 || *result == NULL)
      status = sl_no_memory(err, size);
    else
      memcpy(*result, &e.header, sizeof e.header);
  }
  free(e.segment);
  free(e.section);
  return status;
}
