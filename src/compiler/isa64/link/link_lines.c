#include "compiler/isa64/link/link_lines.h"

#include <dwarf.h>
#include <stdlib.h>

#include "compiler/isa64/link/link_layout.h"

enum { DWARF_VERSION = 4, ADDRESS_SIZE = 4, OPCODE_BASE = 13, NO_FILE = 0 };

/* State machine of the line table (DWARF 4, section 6.2), and its output. */
struct table {
  struct sl_link_bytes *out;
  uint32_t address, file, line;
};

static void advance(struct table *t, uint32_t address)
{
  sl_link_bytes_number(t->out, DW_LNS_advance_pc, 1);
  sl_link_bytes_unsigned(t->out, address - t->address);
  t->address = address;
}

static void add_row(struct table *t, uint32_t address, uint32_t file, uint32_t line)
{
  if (file != t->file && file != NO_FILE) {
    sl_link_bytes_number(t->out, DW_LNS_set_file, 1);
    sl_link_bytes_unsigned(t->out, file);
    t->file = file;
  }
  sl_link_bytes_number(t->out, DW_LNS_advance_line, 1);
  sl_link_bytes_signed(t->out, (int32_t)(line - t->line));
  t->line = line;
  advance(t, address);
  sl_link_bytes_number(t->out, DW_LNS_copy, 1);
}

/* Line 0 marks the following addresses as unknown. */
static void add_section(struct table *t, const struct sl_section64 *section, uint32_t address, const uint32_t *files)
{
  for (size_t i = 0; i < section->code_count; i++) {
    const struct sl_code64 *code = &section->code[i];
    const uint32_t file = code->line != 0 ? files[code->file] : NO_FILE;
    if (i == 0 || code->line != t->line || (file != NO_FILE && file != t->file))
      add_row(t, address + (uint32_t)i * SL_WIDE_BYTES, file, code->line);
  }
}

/* Files of all units, numbered from 1. */
struct files {
  struct sl_link_names names;
  uint32_t **number; /* per unit and file */
};

static bool has_code(const struct sl_link_unit *unit)
{
  for (size_t i = 0; i < unit->object->section_count; i++)
    if (unit->sections[i].live && unit->object->sections[i].executable)
      return true;
  return false;
}

static enum sl_status number_files(const struct sl_link *link, struct files *files, struct sl_error *err)
{
  files->number = calloc(link->unit_count + 1, sizeof *files->number);
  if (files->number == NULL)
    return sl_no_memory(err, (link->unit_count + 1) * sizeof *files->number);
  for (size_t unit = 0; unit < link->unit_count; unit++) {
    const struct sl_object64 *object = link->units[unit].object;
    files->number[unit] = calloc(object->file_count + 1, sizeof **files->number);
    if (files->number[unit] == NULL)
      return sl_no_memory(err, (object->file_count + 1) * sizeof **files->number);
    for (size_t i = 0; i < object->file_count && has_code(&link->units[unit]); i++) {
      uint32_t number;
      const enum sl_status code = sl_link_names_add(&files->names, object->files[i], &number, err);
      if (code != SL_OK)
        return code;
      files->number[unit][i] = number + 1;
    }
  }
  return SL_OK;
}

static void free_files(const struct sl_link *link, struct files *files)
{
  for (size_t unit = 0; unit < link->unit_count && files->number != NULL; unit++)
    free(files->number[unit]);
  free(files->number);
  sl_link_names_free(&files->names);
}

/* Reserves a length field, which is written when the contents are complete. */
static size_t begin_length(struct sl_link_bytes *out)
{
  sl_link_bytes_number(out, 0, 4);
  return out->size;
}

static void end_length(struct sl_link_bytes *out, size_t begin)
{
  sl_link_bytes_set(out, begin - 4, (uint32_t)(out->size - begin));
}

static void add_header(struct sl_link_bytes *out, const struct files *files)
{
  static const uint8_t operands[OPCODE_BASE - 1] = {0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1};
  sl_link_bytes_number(out, DWARF_VERSION, 2);
  const size_t header = begin_length(out);
  sl_link_bytes_number(out, 1, 1); /* bytes per address unit */
  sl_link_bytes_number(out, 1, 1); /* operations per instruction */
  sl_link_bytes_number(out, 1, 1); /* rows begin statements by default */
  sl_link_bytes_number(out, 0, 1); /* special opcodes, which are unused */
  sl_link_bytes_number(out, 1, 1);
  sl_link_bytes_number(out, OPCODE_BASE, 1);
  sl_link_bytes_put(out, operands, sizeof operands);
  sl_link_bytes_number(out, 0, 1); /* no folders: file names are complete */
  for (size_t i = 0; i < files->names.count; i++) {
    sl_link_bytes_string(out, files->names.name[i]);
    sl_link_bytes_put(out, "\0\0\0", 3); /* folder, time, length */
  }
  sl_link_bytes_number(out, 0, 1);
  end_length(out, header);
}

static void add_table(const struct sl_link *link, const struct files *files, struct sl_link_bytes *out)
{
  const struct sl_link_span *text = &link->spans[SL_LINK_TEXT];
  struct table t = {.out = out, .address = text->address, .file = 1, .line = 1};
  const size_t begin = begin_length(out);
  add_header(out, files);
  sl_link_bytes_number(out, 0, 1);
  sl_link_bytes_unsigned(out, 1 + ADDRESS_SIZE);
  sl_link_bytes_number(out, DW_LNE_set_address, 1);
  sl_link_bytes_number(out, text->address, ADDRESS_SIZE);
  for (size_t i = 0; i < text->count; i++) {
    const struct sl_link_piece *piece = &link->pieces[text->first + i];
    const struct sl_link_unit *unit = &link->units[piece->unit];
    add_section(&t, &unit->object->sections[piece->section], unit->sections[piece->section].address,
                files->number[piece->unit]);
  }
  advance(&t, text->address + text->size);
  sl_link_bytes_put(out, (const uint8_t[]){0, 1, DW_LNE_end_sequence}, 3);
  end_length(out, begin);
}

/* Writes an empty compilation unit: its code range and its line table. */
static void add_unit(const struct sl_link *link, struct sl_link_debug *debug)
{
  static const uint8_t abbrev[] = {1,
                                   DW_TAG_compile_unit,
                                   DW_CHILDREN_no,
                                   DW_AT_stmt_list,
                                   DW_FORM_sec_offset,
                                   DW_AT_low_pc,
                                   DW_FORM_addr,
                                   DW_AT_high_pc,
                                   DW_FORM_data4,
                                   0,
                                   0,
                                   0};
  const struct sl_link_span *text = &link->spans[SL_LINK_TEXT];
  sl_link_bytes_put(&debug->abbrev, abbrev, sizeof abbrev);
  const size_t begin = begin_length(&debug->info);
  sl_link_bytes_number(&debug->info, DWARF_VERSION, 2);
  sl_link_bytes_number(&debug->info, 0, 4); /* offset of its abbreviations */
  sl_link_bytes_number(&debug->info, ADDRESS_SIZE, 1);
  sl_link_bytes_unsigned(&debug->info, 1);
  sl_link_bytes_number(&debug->info, 0, 4);
  sl_link_bytes_number(&debug->info, text->address, ADDRESS_SIZE);
  sl_link_bytes_number(&debug->info, text->size, 4);
  end_length(&debug->info, begin);
}

enum sl_status sl_link_lines(const struct sl_link *link, struct sl_link_debug *debug, struct sl_error *err)
{
  struct files files = {0};
  enum sl_status code = number_files(link, &files, err);
  if (code == SL_OK && files.names.count > 0) {
    add_table(link, &files, &debug->line);
    add_unit(link, debug);
    if (debug->line.incomplete || debug->info.incomplete || debug->abbrev.incomplete)
      code = sl_no_memory(err, debug->line.size);
  }
  free_files(link, &files);
  return code;
}

void sl_link_lines_free(struct sl_link_debug *debug)
{
  sl_link_bytes_free(&debug->line);
  sl_link_bytes_free(&debug->info);
  sl_link_bytes_free(&debug->abbrev);
}
