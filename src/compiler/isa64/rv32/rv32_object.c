#include "compiler/isa64/rv32/rv32_object.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "program/program.h"

/* Target of an RV32 object: the ELF header's flags, and the extensions in section .riscv.attributes (RISC-V psABI,
 * "Attributes"; the section is optional). */

#define REMEDY "compile with -march=rv32ima_zicsr_zfinx -mabi=ilp32"

enum { ATTRIBUTES = 0x70000003, TAG_FILE = 1, TAG_ARCH = 5 };

struct cursor {
  const uint8_t *at, *end;
};

static uint32_t take_number(struct cursor *c)
{
  uint32_t value = 0;
  for (unsigned shift = 0; c->at < c->end; shift += 7) {
    const uint8_t byte = *c->at++;
    value |= shift < 32 ? (uint32_t)(byte & 0x7f) << shift : 0;
    if (byte < 0x80)
      break;
  }
  return value;
}

/* Returns a part that begins with its length, which counts itself and `before` bytes before it; empty if invalid. */
static struct cursor take_part(struct cursor *c, size_t before)
{
  uint32_t length = 0;
  const uint8_t *const begin = c->at;
  if (c->end - c->at >= 4)
    memcpy(&length, c->at, sizeof length);
  struct cursor part = {c->end, c->end};
  if (length >= before + 4 && length - before <= (size_t)(c->end - begin)) {
    part = (struct cursor){begin + 4, begin + (length - before)};
    c->at = part.end;
  } else
    c->at = c->end;
  return part;
}

static const char *take_string(struct cursor *c)
{
  const uint8_t *const begin = c->at, *const end = memchr(begin, 0, (size_t)(c->end - begin));
  c->at = end != NULL ? end + 1 : c->end;
  return end != NULL ? (const char *)begin : NULL;
}

static const char *arch_of_file(struct cursor attributes)
{
  while (attributes.at < attributes.end) {
    const uint32_t tag = take_number(&attributes);
    if (tag % 2 == 0)
      take_number(&attributes);
    else {
      const char *text = take_string(&attributes);
      if (tag == TAG_ARCH)
        return text;
    }
  }
  return NULL;
}

/* NULL: the object does not have it. */
static const char *find_arch(struct cursor c)
{
  if (c.at == c.end || *c.at++ != 'A')
    return NULL;
  while (c.at < c.end) {
    struct cursor vendor = take_part(&c, 0);
    const char *name = vendor.at < vendor.end ? take_string(&vendor) : NULL;
    while (name != NULL && strcmp(name, "riscv") == 0 && vendor.at < vendor.end) {
      const bool file = *vendor.at++ == TAG_FILE;
      const struct cursor part = take_part(&vendor, 1);
      const char *arch = file ? arch_of_file(part) : NULL;
      if (arch != NULL)
        return arch;
    }
  }
  return NULL;
}

static enum sl_status check_extension(const char *name, struct sl_error *err)
{
  if (strncmp(name, "zc", 2) == 0 || (name[0] == 'c' && isdigit((unsigned char)name[1])))
    return sl_fail(err, SL_USAGE, "is compiled with compressed instructions; " REMEDY);
  if (strchr("fdq", name[0]) != NULL && isdigit((unsigned char)name[1]))
    return sl_fail(err, SL_USAGE,
                   "is compiled for floating-point registers, which programs of 64-bit words do not have; " REMEDY);
  if (name[0] == 'v' && isdigit((unsigned char)name[1]))
    return sl_fail(err, SL_USAGE, "is compiled with vector instructions; " REMEDY);
  return SL_OK;
}

/* Underscores separate extensions with their versions: rv32i2p1_m2p0_zfinx1p0. */
static enum sl_status check_arch(const char *arch, struct sl_error *err)
{
  if (strncmp(arch, "rv32i", 5) != 0)
    return sl_fail(err, SL_USAGE, "is compiled for %.60s; " REMEDY, arch);
  for (const char *name = strchr(arch, '_'); name != NULL; name = strchr(name + 1, '_'))
    if (name[1] != '\0' && check_extension(name + 1, err) != SL_OK)
      return SL_USAGE;
  return SL_OK;
}

/* Rejects features that 64-bit words cannot express: compressed instructions, floating-point registers, 16 registers,
 * arguments in floating-point registers. */
static enum sl_status sl_rv32_attributes_check(const struct sl_elf_object *elf, struct sl_error *err)
{
  if (elf->flags & EF_RISCV_RVC)
    return sl_fail(err, SL_USAGE, "is compiled with compressed instructions; " REMEDY);
  if (elf->flags & EF_RISCV_RVE)
    return sl_fail(err, SL_USAGE, "is compiled for 16 registers (RV32E); " REMEDY);
  if ((elf->flags & EF_RISCV_FLOAT_ABI) != EF_RISCV_FLOAT_ABI_SOFT)
    return sl_fail(err, SL_USAGE, "passes arguments in floating-point registers; " REMEDY);
  for (uint32_t i = 1; i < elf->section_count; i++) {
    const uint8_t *bytes = sl_elf_object_bytes(elf, i);
    const char *arch = elf->sections[i].sh_type == ATTRIBUTES
                           ? find_arch((struct cursor){bytes, bytes + elf->sections[i].sh_size})
                           : NULL;
    if (arch != NULL)
      return check_arch(arch, err);
  }
  return SL_OK;
}

enum { WORD = 4, MOST_ALIGNMENT = 1 << 16, CODE_ALIGNMENT = SL_WIDE_BYTES };

/* ---- sections ---------------------------------------------------------------------------------------------------- */

static bool begins(const char *name, const char *with)
{
  return strncmp(name, with, strlen(with)) == 0;
}

/* Whether a program needs the section: loaded sections except unwind tables and notes; and sections for simtlab. */
static bool is_wanted(const struct sl_elf_object *elf, uint32_t i)
{
  const Elf32_Shdr *s = &elf->sections[i];
  const char *name = sl_elf_object_section_name(elf, i);
  const bool content = s->sh_type == SHT_PROGBITS || s->sh_type == SHT_NOBITS || s->sh_type == SHT_INIT_ARRAY ||
                       s->sh_type == SHT_FINI_ARRAY || s->sh_type == SHT_PREINIT_ARRAY;
  if (!content || (s->sh_flags & SHF_EXCLUDE) || begins(name, ".eh_frame") || begins(name, ".note"))
    return false;
  return (s->sh_flags & SHF_ALLOC) || begins(name, ".simt.");
}

static bool is_kept(const Elf32_Shdr *s, const char *name)
{
  return (s->sh_flags & SHF_GNU_RETAIN) || s->sh_type == SHT_INIT_ARRAY || s->sh_type == SHT_FINI_ARRAY ||
         s->sh_type == SHT_PREINIT_ARRAY || begins(name, ".simt.");
}

/* Returns the size without the zeros that an assembler appends for alignment. */
static uint32_t code_size(const struct sl_rv32_reader *r, uint32_t i)
{
  static const uint8_t zero[WORD];
  const Elf32_Shdr *s = &r->elf.sections[i];
  uint32_t size = s->sh_size;
  while (size >= WORD && s->sh_size - size + WORD < s->sh_addralign &&
         memcmp(sl_elf_object_bytes(&r->elf, i) + size - WORD, zero, WORD) == 0)
    size -= WORD;
  return size;
}

static enum sl_status read_code(struct sl_rv32_reader *r, uint32_t i, struct sl_section64 *section,
                                struct sl_error *err)
{
  const uint8_t *bytes = sl_elf_object_bytes(&r->elf, i);
  const char *name = sl_elf_object_section_name(&r->elf, i);
  if (r->elf.sections[i].sh_size % WORD != 0 || r->elf.sections[i].sh_type == SHT_NOBITS)
    return sl_fail(err, SL_USAGE, "code of %" PRIu32 " bytes in %.60s is not a whole number of 32-bit instructions",
                   r->elf.sections[i].sh_size, name);
  const uint32_t size = code_size(r, i);
  section->code_count = size / WORD;
  section->code = calloc(section->code_count + 1, sizeof *section->code);
  if (section->code == NULL)
    return sl_no_memory(err, (section->code_count + 1) * sizeof *section->code);
  section->size = (uint32_t)(section->code_count * SL_WIDE_BYTES);
  for (size_t k = 0; k < section->code_count; k++) {
    uint32_t word;
    char place[SL_RV32_PLACE_SIZE];
    memcpy(&word, bytes + k * WORD, sizeof word);
    if (!sl_wide_of_rv32(word, &section->code[k].insn))
      return sl_fail(err, SL_USAGE,
                     "0x%08" PRIx32
                     " at %s has no equivalent 64-bit instruction; put data into .rodata, and compile code with "
                     "-march=rv32ima_zicsr_zfinx",
                     word, sl_rv32_place(r, i, (uint32_t)k * WORD, place));
  }
  return SL_OK;
}

static enum sl_status read_data(const struct sl_rv32_reader *r, uint32_t i, struct sl_section64 *section,
                                struct sl_error *err)
{
  section->size = r->elf.sections[i].sh_size;
  if (r->elf.sections[i].sh_type == SHT_NOBITS)
    return SL_OK;
  section->bytes = malloc(section->size + 1);
  if (section->bytes == NULL)
    return sl_no_memory(err, section->size);
  memcpy(section->bytes, sl_elf_object_bytes(&r->elf, i), section->size);
  return SL_OK;
}

/* On failure the partial contents belong to the unit, too. */
static enum sl_status read_section(struct sl_rv32_reader *r, uint32_t i, struct sl_error *err)
{
  const Elf32_Shdr *s = &r->elf.sections[i];
  const char *name = sl_elf_object_section_name(&r->elf, i);
  const uint32_t alignment = s->sh_addralign > 1 ? s->sh_addralign : 1;
  if (alignment > MOST_ALIGNMENT || (alignment & (alignment - 1)) != 0)
    return sl_fail(err, SL_USAGE, "section %.60s has the alignment %" PRIu32 ", which is not a power of two up to %d",
                   name, alignment, MOST_ALIGNMENT);
  struct sl_section64 section = {
      .name = strdup(name),
      .executable = (s->sh_flags & SHF_EXECINSTR) != 0,
      .writable = (s->sh_flags & SHF_WRITE) != 0,
      .thread_local_data = (s->sh_flags & SHF_TLS) != 0,
      .keep = is_kept(s, name),
      .not_loaded = !(s->sh_flags & SHF_ALLOC),
      .alignment = (s->sh_flags & SHF_EXECINSTR) && alignment < CODE_ALIGNMENT ? CODE_ALIGNMENT : alignment,
  };
  if (section.name == NULL)
    return sl_no_memory(err, strlen(name) + 1);
  enum sl_status code = sl_object64_add_section(r->object, &section, &r->section[i], err);
  if (code != SL_OK) {
    free(section.name);
    return code;
  }
  struct sl_section64 *added = &r->object->sections[r->section[i]];
  return section.executable ? read_code(r, i, added, err) : read_data(r, i, added, err);
}

static enum sl_status read_sections(struct sl_rv32_reader *r, struct sl_error *err)
{
  r->section = malloc(r->elf.section_count * sizeof *r->section);
  if (r->section == NULL)
    return sl_no_memory(err, r->elf.section_count * sizeof *r->section);
  for (size_t i = 0; i < r->elf.section_count; i++)
    r->section[i] = SL_RV32_DROPPED;
  enum sl_status code = SL_OK;
  for (uint32_t i = 1; i < r->elf.section_count && code == SL_OK; i++)
    if (is_wanted(&r->elf, i))
      code = read_section(r, i, err);
  return code;
}

/* ---- groups ------------------------------------------------------------------------------------------------------ */

static const char *group_name(const struct sl_rv32_reader *r, const Elf32_Shdr *group)
{
  if (group->sh_info >= r->elf.symbol_count)
    return "";
  const Elf32_Sym symbol = sl_elf_object_symbol(&r->elf, group->sh_info);
  return ELF32_ST_TYPE(symbol.st_info) == STT_SECTION
             ? sl_elf_object_section_name(&r->elf, symbol.st_shndx)
             : sl_elf_object_string(&r->elf, r->elf.sections[r->elf.symbols].sh_link, symbol.st_name);
}

/* The first word has flags, the others are the numbers of the sections in the group. */
static enum sl_status read_group(struct sl_rv32_reader *r, uint32_t i, struct sl_error *err)
{
  const Elf32_Shdr *group = &r->elf.sections[i];
  const char *name = group_name(r, group);
  for (uint32_t at = 0; at + WORD <= group->sh_size && name[0] != '\0'; at += WORD) {
    uint32_t word;
    memcpy(&word, sl_elf_object_bytes(&r->elf, i) + at, sizeof word);
    if (at == 0 && !(word & GRP_COMDAT))
      break;
    if (at == 0 || word >= r->elf.section_count || r->section[word] == SL_RV32_DROPPED)
      continue;
    struct sl_section64 *section = &r->object->sections[r->section[word]];
    free(section->group);
    section->group = strdup(name);
    if (section->group == NULL)
      return sl_no_memory(err, strlen(name) + 1);
  }
  return SL_OK;
}

static enum sl_status read_groups(struct sl_rv32_reader *r, struct sl_error *err)
{
  enum sl_status code = SL_OK;
  for (uint32_t i = 1; i < r->elf.section_count && code == SL_OK; i++)
    if (r->elf.sections[i].sh_type == SHT_GROUP)
      code = read_group(r, i, err);
  return code;
}

/* ---- symbols ----------------------------------------------------------------------------------------------------- */

/* Mapping symbols ($x, $d) and source file names are never referenced. */
static bool has_name(const Elf32_Sym *symbol, const char *name)
{
  const bool local = ELF32_ST_BIND(symbol->st_info) == STB_LOCAL;
  return !local || (ELF32_ST_TYPE(symbol->st_info) != STT_FILE && ELF32_ST_TYPE(symbol->st_info) != STT_SECTION &&
                    name[0] != '$');
}

static enum sl_status place_symbol(const struct sl_rv32_reader *r, const Elf32_Sym *from, const char *name,
                                   struct sl_symbol64 *to, struct sl_error *err)
{
  const uint32_t section = from->st_shndx < r->elf.section_count ? r->section[from->st_shndx] : SL_RV32_DROPPED;
  if (section == SL_RV32_DROPPED) { /* in debug information, for example */
    to->section = SL_UNDEFINED64;
    to->global = false;
    return SL_OK;
  }
  const struct sl_section64 *in = &r->object->sections[section];
  const uint32_t scale = in->executable ? SL_WIDE_BYTES / WORD : 1;
  if (from->st_value > in->size / scale || (in->executable && from->st_value % WORD != 0))
    return sl_fail(err, SL_USAGE, "symbol %.100s is at offset 0x%" PRIx32 " of %.60s, where it has no instruction",
                   name, from->st_value, in->name);
  if (in->executable && begins(name, "$d") && from->st_value < in->size / scale)
    return sl_fail(err, SL_USAGE, "has data between the instructions of %.60s, at 0x%" PRIx32 "; put it into .rodata",
                   in->name, from->st_value);
  to->section = section;
  to->value = from->st_value * scale;
  to->size = from->st_size * scale;
  return SL_OK;
}

static enum sl_status read_symbol(struct sl_rv32_reader *r, size_t i, struct sl_error *err)
{
  const Elf32_Sym from = sl_elf_object_symbol(&r->elf, i);
  const char *name = sl_elf_object_string(&r->elf, r->elf.sections[r->elf.symbols].sh_link, from.st_name);
  const unsigned bind = ELF32_ST_BIND(from.st_info), type = ELF32_ST_TYPE(from.st_info);
  struct sl_symbol64 to = {
      .value = from.st_value,
      .size = from.st_size,
      .global = bind != STB_LOCAL,
      .weak = bind == STB_WEAK,
      .function = type == STT_FUNC,
      .object = type == STT_OBJECT,
  };
  enum sl_status code = SL_OK;
  switch (from.st_shndx) {
  case SHN_UNDEF: to.section = SL_UNDEFINED64; break;
  case SHN_ABS: to.section = SL_ABSOLUTE64; break;
  case SHN_COMMON: to.section = SL_COMMON64; break;
  default: code = place_symbol(r, &from, name, &to, err);
  }
  if (code != SL_OK)
    return code;
  if (to.section == SL_COMMON64 && (!to.global || (to.value & (to.value - 1)) != 0 || to.value > MOST_ALIGNMENT))
    return sl_fail(err, SL_USAGE, "common symbol %.100s is local, or aligned to %" PRIu32 "; the file is damaged", name,
                   to.value);
  if (to.global && name[0] == '\0')
    return sl_fail(err, SL_USAGE, "symbol %zu has no name; the file is damaged", i);
  to.name = strdup(has_name(&from, name) ? name : "");
  if (to.name == NULL)
    return sl_no_memory(err, strlen(name) + 1);
  uint32_t index;
  code = sl_object64_add_symbol(r->object, &to, &index, err);
  if (code != SL_OK)
    free(to.name);
  return code;
}

static enum sl_status read_symbols(struct sl_rv32_reader *r, struct sl_error *err)
{
  enum sl_status code = SL_OK;
  for (size_t i = 0; i < r->elf.symbol_count && code == SL_OK; i++)
    code = read_symbol(r, i, err);
  return code;
}

/* ---- object ------------------------------------------------------------------------------------------------------ */

static enum sl_status translate(struct sl_rv32_reader *r, struct sl_error *err)
{
  enum sl_status code = sl_rv32_attributes_check(&r->elf, err);
  if (code == SL_OK)
    code = read_sections(r, err);
  if (code == SL_OK)
    code = read_groups(r, err);
  if (code == SL_OK)
    code = read_symbols(r, err);
  if (code == SL_OK)
    code = sl_rv32_relocate(r, err);
  if (code == SL_OK)
    code = sl_rv32_lines_read(r, err);
  return code;
}

enum sl_status sl_rv32_object_parse(const char *name, const uint8_t *bytes, size_t size, struct sl_object64 *object,
                                    struct sl_error *err)
{
  *object = (struct sl_object64){.name = strdup(name), .translated = true};
  struct sl_rv32_reader r = {.object = object};
  enum sl_status code =
      object->name != NULL ? sl_elf_object_open(&r.elf, bytes, size, err) : sl_no_memory(err, strlen(name) + 1);
  if (code == SL_OK)
    code = translate(&r, err);
  free(r.section);
  sl_elf_object_close(&r.elf);
  if (code != SL_OK) {
    sl_error_prefix(err, "%.200s: ", name);
    sl_object64_free(object);
  }
  return code;
}

enum sl_status sl_rv32_object_read(const char *path, struct sl_object64 *object, struct sl_error *err)
{
  char *bytes;
  size_t size;
  enum sl_status code = sl_file_bytes_read(path, &bytes, &size, err);
  if (code != SL_OK)
    return code;
  code = sl_rv32_object_parse(path, (const uint8_t *)bytes, size, object, err);
  free(bytes);
  return code;
}
