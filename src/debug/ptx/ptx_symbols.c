#include "debug/ptx/ptx_stub.h"

#include <dwarf.h>
#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "debug/remote.h"

enum section { NONE, TEXT, ABBREV, INFO, LINE, FRAME, SYMBOLS, STRINGS, NAMES, SECTIONS };

static const char *const section_name[SECTIONS] = {
    "", ".text", ".debug_abbrev", ".debug_info", ".debug_line", ".debug_frame", ".symtab", ".strtab", ".shstrtab"};

struct image {
  uint64_t begin, bytes; /* of the modules */
  struct sl_reply of[SECTIONS];
};

/* ---- DWARF's numbers --------------------------------------------------------------------------------------------- */

static void put(struct sl_reply *to, uint64_t value, unsigned bytes)
{
  sl_reply_bytes(to, &value, bytes); /* little-endian, like the host */
}

static void put_text(struct sl_reply *to, const char *text)
{
  sl_reply_bytes(to, text, strlen(text) + 1);
}

static void put_unsigned(struct sl_reply *to, uint64_t value)
{
  for (; value >= 0x80; value >>= 7)
    put(to, (value & 0x7f) | 0x80, 1);
  put(to, value, 1);
}

static void put_signed(struct sl_reply *to, int64_t value)
{
  for (; value < -0x40 || value >= 0x40; value = (value - (value & 0x7f)) / 0x80)
    put(to, ((uint64_t)value & 0x7f) | 0x80, 1);
  put(to, (uint64_t)value & 0x7f, 1);
}

/* A length of 4 bytes that stands at `at` and counts what follows it. */
static void set_length(struct sl_reply *of, size_t at)
{
  const uint32_t length = (uint32_t)(of->size - at - 4);
  if (!of->failed)
    memcpy(of->text + at, &length, sizeof length);
}

/* ---- sections ---------------------------------------------------------------------------------------------------- */

static void put_attributes(struct sl_reply *to, unsigned code, unsigned tag, bool children, const uint8_t (*form)[2],
                           size_t count)
{
  put_unsigned(to, code);
  put_unsigned(to, tag);
  put(to, children, 1);
  for (size_t i = 0; i < count; i++)
    put(to, form[i][0] | (uint64_t)form[i][1] << 8, 2);
  put(to, 0, 2);
}

static void make_abbreviations(struct sl_reply *to)
{
  static const uint8_t unit[][2] = {{DW_AT_name, DW_FORM_string},    {DW_AT_comp_dir, DW_FORM_string},
                                    {DW_AT_language, DW_FORM_data1}, {DW_AT_stmt_list, DW_FORM_sec_offset},
                                    {DW_AT_low_pc, DW_FORM_addr},    {DW_AT_high_pc, DW_FORM_data4}};
  static const uint8_t function[][2] = {{DW_AT_name, DW_FORM_string},
                                        {DW_AT_external, DW_FORM_data1},
                                        {DW_AT_low_pc, DW_FORM_addr},
                                        {DW_AT_high_pc, DW_FORM_data4}};
  put_attributes(to, 1, DW_TAG_compile_unit, true, unit, sizeof unit / sizeof *unit);
  put_attributes(to, 2, DW_TAG_subprogram, false, function, sizeof function / sizeof *function);
  put(to, 0, 1);
}

/* `lines`: where the module's lines begin. */
static void make_information(const struct sl_ptx_module *m, size_t lines, struct sl_reply *to)
{
  char folder[4096];
  const size_t at = to->size;
  put(to, 0, 4);
  put(to, 4, 2); /* version */
  put(to, 0, 4); /* of the abbreviations */
  put(to, 8, 1); /* bytes of an address */
  put_unsigned(to, 1);
  put_text(to, m->path);
  put_text(to, getcwd(folder, sizeof folder) != NULL ? folder : ".");
  put(to, DW_LANG_C99, 1);
  put(to, lines, 4);
  put(to, sl_ptx_code_address(m, 0), 8);
  put(to, SL_PTX_CODE_STEP * (uint64_t)m->code_count, 4);
  for (unsigned i = 0; i < m->function_count; i++) {
    const struct sl_ptx_function *f = &m->functions[i];
    if (f->begin == f->end)
      continue;
    put_unsigned(to, 2);
    put_text(to, f->name);
    put(to, f->entry, 1);
    put(to, sl_ptx_code_address(m, f->begin), 8);
    put(to, SL_PTX_CODE_STEP * (uint64_t)(f->end - f->begin), 4);
  }
  put(to, 0, 1);
  set_length(to, at);
}

/* An instruction's file, by its number in the table of lines, and line: of .loc, or else of the PTX. */
static void place_of(const struct sl_ptx_module *m, uint32_t pc, unsigned *file, uint32_t *line)
{
  const uint32_t number = m->code[pc].source;
  const struct sl_ptx_source *s = number > 0 ? &m->sources[number - 1] : NULL;
  const bool known = s != NULL && s->line != 0 && s->file < m->file_count && m->files[s->file][0] != '\0';
  *file = known ? s->file + 2 : 1;
  *line = known ? s->line : m->code[pc].line;
}

static void put_extended(struct sl_reply *to, unsigned op, uint64_t address)
{
  put(to, 0, 1);
  put_unsigned(to, op == DW_LNE_set_address ? 9 : 1);
  put(to, op, 1);
  if (op == DW_LNE_set_address)
    put(to, address, 8);
}

static void put_lines(const struct sl_ptx_module *m, const struct sl_ptx_function *f, struct sl_reply *to)
{
  unsigned file = 1, its;
  uint32_t line = 1, its_line;
  put_extended(to, DW_LNE_set_address, sl_ptx_code_address(m, f->begin));
  for (uint32_t pc = f->begin; pc < f->end; pc++) {
    place_of(m, pc, &its, &its_line);
    if (its != file) {
      put(to, DW_LNS_set_file, 1);
      put_unsigned(to, its);
    }
    if (its_line != line) {
      put(to, DW_LNS_advance_line, 1);
      put_signed(to, (int64_t)its_line - line);
    }
    if (pc == f->begin || its != file || its_line != line)
      put(to, DW_LNS_copy, 1);
    put(to, DW_LNS_advance_pc, 1);
    put_unsigned(to, SL_PTX_CODE_STEP);
    file = its;
    line = its_line;
  }
  put_extended(to, DW_LNE_end_sequence, 0);
}

static void make_lines(const struct sl_ptx_symbols *of, struct sl_reply *to)
{
  const struct sl_ptx_module *m = of->module;
  static const uint8_t operands[] = {0, 1, 1, 1, 1, 0, 0, 0, 1}; /* of the standard opcodes 1 to 9 */
  const size_t at = to->size;
  put(to, 0, 4);
  put(to, 4, 2); /* version */
  const size_t header = to->size;
  put(to, 0, 4);
  put(to, 1 | 1 << 8 | 1 << 16, 3); /* least instruction, operations of one, rows are statements */
  put(to, 0 | 1 << 8, 2);           /* special opcodes, which are not used: base and range of lines */
  put(to, sizeof operands + 1, 1);
  sl_reply_bytes(to, operands, sizeof operands);
  put(to, 0, 1); /* folders */
  for (unsigned i = 0; i <= m->file_count; i++) {
    const char *name = i == 0 ? m->path : m->files[i - 1];
    if (of->name != NULL && strcmp(name, of->name) == 0)
      name = of->file;
    put_text(to, name[0] != '\0' ? name : "?");
    put(to, 0, 3);
  }
  put(to, 0, 1);
  set_length(to, header);
  for (unsigned i = 0; i < m->function_count; i++)
    if (m->functions[i].begin < m->functions[i].end)
      put_lines(m, &m->functions[i], to);
  set_length(to, at);
}

/* The common part of frames: the canonical frame address is `above` bytes above the stack pointer. A function has its
 * return address below it; a kernel has none. Returns where the part begins. */
static size_t put_common(struct sl_reply *to, unsigned above)
{
  enum { RETURN = 1, STACK = 2 }; /* registers ra and sp */
  const size_t at = to->size;
  const uint8_t kernel[] = {DW_CFA_def_cfa, STACK, 0, DW_CFA_undefined, RETURN, DW_CFA_nop, DW_CFA_nop};
  const uint8_t function[] = {DW_CFA_def_cfa, STACK, (uint8_t)above, DW_CFA_offset | RETURN, 2, DW_CFA_nop, DW_CFA_nop};
  put(to, 0, 4);
  put(to, UINT32_MAX, 4);
  put(to, 1, 1); /* version */
  put(to, 0, 1); /* augmentation */
  put_unsigned(to, 1);
  put_signed(to, -4); /* unit of offsets */
  put(to, RETURN, 1);
  sl_reply_bytes(to, above > 0 ? function : kernel, sizeof kernel);
  set_length(to, at);
  return at;
}

/* The frames that sl_ptx_view_register and sl_ptx_view_stack show. */
static void make_frames(const struct sl_ptx_module *m, struct sl_reply *to)
{
  const size_t kernels = put_common(to, 0), functions = put_common(to, SL_PTX_FRAME);
  for (unsigned i = 0; i < m->function_count; i++) {
    const struct sl_ptx_function *f = &m->functions[i];
    const size_t at = to->size;
    if (f->begin == f->end)
      continue;
    put(to, 0, 4);
    put(to, f->entry ? kernels : functions, 4);
    put(to, sl_ptx_code_address(m, f->begin), 8);
    put(to, SL_PTX_CODE_STEP * (uint64_t)(f->end - f->begin), 8);
    set_length(to, at);
  }
}

static void make_symbols(const struct sl_ptx_module *m, struct sl_reply *to, struct sl_reply *strings)
{
  Elf64_Sym symbol;
  for (unsigned i = 0; i < m->function_count; i++) {
    const struct sl_ptx_function *f = &m->functions[i];
    symbol = (Elf64_Sym){.st_name = (uint32_t)strings->size,
                         .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC),
                         .st_shndx = TEXT,
                         .st_value = sl_ptx_code_address(m, f->begin),
                         .st_size = SL_PTX_CODE_STEP * (uint64_t)(f->end - f->begin)};
    put_text(strings, f->name);
    if (f->begin < f->end)
      sl_reply_bytes(to, &symbol, sizeof symbol);
  }
}

/* ---- the file ---------------------------------------------------------------------------------------------------- */

static Elf64_Shdr header_of(const struct image *image, enum section s, uint64_t *offset, size_t *name)
{
  Elf64_Shdr h = {.sh_name = (uint32_t)*name, .sh_type = SHT_PROGBITS, .sh_addralign = 1, .sh_offset = *offset};
  *name += strlen(section_name[s]) + 1;
  if (s == NONE)
    return (Elf64_Shdr){0};
  h.sh_size = image->of[s].size;
  *offset += image->of[s].size;
  if (s == TEXT) {
    h.sh_type = SHT_NOBITS;
    h.sh_flags = SHF_ALLOC | SHF_EXECINSTR;
    h.sh_addr = image->begin;
    h.sh_size = image->bytes;
    h.sh_addralign = SL_PTX_CODE_STEP;
  } else if (s == SYMBOLS) {
    h.sh_type = SHT_SYMTAB;
    h.sh_link = STRINGS;
    h.sh_info = 1; /* the first global symbol */
    h.sh_entsize = sizeof(Elf64_Sym);
    h.sh_addralign = 8;
  } else if (s == STRINGS || s == NAMES)
    h.sh_type = SHT_STRTAB;
  return h;
}

static bool write_file(const struct image *image, FILE *file)
{
  uint64_t offset = sizeof(Elf64_Ehdr) + SECTIONS * sizeof(Elf64_Shdr);
  size_t name = 0;
  const Elf64_Ehdr header = {.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB, EV_CURRENT},
                             .e_type = ET_EXEC,
                             .e_machine = EM_RISCV,
                             .e_version = EV_CURRENT,
                             .e_shoff = sizeof header,
                             .e_ehsize = sizeof header,
                             .e_shentsize = sizeof(Elf64_Shdr),
                             .e_shnum = SECTIONS,
                             .e_shstrndx = NAMES};
  bool done = fwrite(&header, sizeof header, 1, file) == 1;
  for (enum section s = NONE; s < SECTIONS; s++) {
    const Elf64_Shdr h = header_of(image, s, &offset, &name);
    done = done && fwrite(&h, sizeof h, 1, file) == 1;
  }
  for (enum section s = NONE; s < SECTIONS; s++)
    done = done && (image->of[s].size == 0 || fwrite(image->of[s].text, image->of[s].size, 1, file) == 1);
  return done;
}

static void make_sections(struct image *image, const struct sl_ptx_symbols *of, size_t count)
{
  const struct sl_ptx_module *last = of[count - 1].module;
  const Elf64_Sym none = {0};
  image->begin = sl_ptx_code_address(of[0].module, 0);
  image->bytes = sl_ptx_code_address(last, last->code_count) - image->begin;
  make_abbreviations(&image->of[ABBREV]);
  sl_reply_bytes(&image->of[SYMBOLS], &none, sizeof none);
  put(&image->of[STRINGS], 0, 1);
  for (size_t i = 0; i < count; i++) {
    make_information(of[i].module, image->of[LINE].size, &image->of[INFO]);
    make_lines(&of[i], &image->of[LINE]);
    make_frames(of[i].module, &image->of[FRAME]);
    make_symbols(of[i].module, &image->of[SYMBOLS], &image->of[STRINGS]);
  }
}

enum sl_status sl_ptx_symbols_write(const struct sl_ptx_symbols *of, size_t count, const char *path,
                                    struct sl_error *err)
{
  struct image image = {.begin = 0};
  bool failed = false;
  make_sections(&image, of, count);
  for (enum section s = NONE; s < SECTIONS; s++)
    put_text(&image.of[NAMES], section_name[s]);
  for (enum section s = NONE; s < SECTIONS; s++)
    failed |= image.of[s].failed;
  FILE *file = failed ? NULL : fopen(path, "wb");
  enum sl_status code = SL_OK;
  if (failed)
    code = sl_no_memory(err, image.of[LINE].size);
  else if (file == NULL || !write_file(&image, file) || fflush(file) != 0)
    code = sl_fail(err, SL_USAGE, "%.300s: cannot be written: %s", path, strerror(errno));
  if (file != NULL && fclose(file) != 0 && code == SL_OK)
    code = sl_fail(err, SL_USAGE, "%.300s: cannot be written: %s", path, strerror(errno));
  for (enum section s = NONE; s < SECTIONS; s++)
    sl_reply_clear(&image.of[s]);
  return code;
}
