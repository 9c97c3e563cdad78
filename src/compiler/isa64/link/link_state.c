#include "compiler/isa64/link/link64.h"

#include <dwarf.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "compiler/isa64/object64.h"

void sl_link_bytes_put(struct sl_link_bytes *to, const void *bytes, size_t size)
{
  if (to->size + size > to->capacity) {
    const size_t capacity = 2 * (to->size + size) + 64;
    uint8_t *grown = to->incomplete ? NULL : realloc(to->bytes, capacity);
    if (grown == NULL) {
      to->incomplete = true;
      return;
    }
    to->bytes = grown;
    to->capacity = capacity;
  }
  if (size > 0)
    memcpy(to->bytes + to->size, bytes, size);
  to->size += size;
}

void sl_link_bytes_number(struct sl_link_bytes *to, uint32_t number, unsigned size)
{
  for (unsigned i = 0; i < size; i++) {
    const uint8_t byte = (uint8_t)(number >> 8 * i);
    sl_link_bytes_put(to, &byte, 1);
  }
}

void sl_link_bytes_string(struct sl_link_bytes *to, const char *text)
{
  sl_link_bytes_put(to, text, strlen(text) + 1);
}

/* Appends a number in DWARF's LEB128. */
static void sl_link_bytes_unsigned(struct sl_link_bytes *to, uint32_t number)
{
  for (; number >= 0x80; number >>= 7)
    sl_link_bytes_number(to, number | 0x80, 1);
  sl_link_bytes_number(to, number, 1);
}

static void sl_link_bytes_signed(struct sl_link_bytes *to, int32_t number)
{
  for (; number < -64 || number > 63; number >>= 7)
    sl_link_bytes_number(to, (uint32_t)number | 0x80, 1);
  sl_link_bytes_number(to, (uint32_t)number & 0x7f, 1);
}

void sl_link_bytes_align(struct sl_link_bytes *to, size_t alignment)
{
  while (to->size % alignment != 0 && !to->incomplete)
    sl_link_bytes_number(to, 0, 1);
}

/* Replaces four bytes. */
static void sl_link_bytes_set(struct sl_link_bytes *to, size_t at, uint32_t number)
{
  for (unsigned i = 0; i < 4 && at + i < to->size; i++)
    to->bytes[at + i] = (uint8_t)(number >> 8 * i);
}

void sl_link_bytes_free(struct sl_link_bytes *to)
{
  free(to->bytes);
  *to = (struct sl_link_bytes){0};
}

static size_t hash_of(const char *name)
{
  uint64_t hash = UINT64_C(0xcbf29ce484222325);
  for (; *name != '\0'; name++)
    hash = (hash ^ (unsigned char)*name) * UINT64_C(0x100000001b3);
  return (size_t)(hash ^ hash >> 32);
}

/* Returns the slot of the name, or the free slot for it. */
static size_t slot_of(const struct sl_link_names *names, const char *name)
{
  size_t slot = hash_of(name) & (names->slot_count - 1);
  while (names->slots[slot] != 0 && strcmp(names->name[names->slots[slot] - 1], name) != 0)
    slot = (slot + 1) & (names->slot_count - 1);
  return slot;
}

uint32_t sl_link_names_find(const struct sl_link_names *names, const char *name)
{
  const uint32_t entry = names->slot_count > 0 ? names->slots[slot_of(names, name)] : 0;
  return entry != 0 ? entry - 1 : SL_LINK_NO_NAME;
}

/* Keeps half of the slots free. */
static enum sl_status make_room(struct sl_link_names *names, struct sl_error *err)
{
  if (!SL_GROW(names->name, names->count))
    return sl_no_memory(err, 2 * names->count * sizeof *names->name);
  if (2 * (names->count + 1) <= names->slot_count)
    return SL_OK;
  const size_t slot_count = names->slot_count > 0 ? 2 * names->slot_count : 256;
  uint32_t *slots = calloc(slot_count, sizeof *slots);
  if (slots == NULL)
    return sl_no_memory(err, slot_count * sizeof *slots);
  free(names->slots);
  names->slots = slots;
  names->slot_count = slot_count;
  for (size_t i = 0; i < names->count; i++)
    slots[slot_of(names, names->name[i])] = (uint32_t)i + 1;
  return SL_OK;
}

enum sl_status sl_link_names_add(struct sl_link_names *names, const char *name, uint32_t *number, struct sl_error *err)
{
  *number = sl_link_names_find(names, name);
  if (*number != SL_LINK_NO_NAME)
    return SL_OK;
  const enum sl_status code = make_room(names, err);
  if (code != SL_OK)
    return code;
  *number = (uint32_t)names->count;
  names->name[names->count++] = name;
  names->slots[slot_of(names, name)] = *number + 1;
  return SL_OK;
}

static void sl_link_names_free(struct sl_link_names *names)
{
  free(names->name);
  free(names->slots);
  *names = (struct sl_link_names){0};
}

enum { MOST_ALIASES = 16 };

struct sl_link_ref sl_link_resolve_global(const struct sl_link *link, uint32_t global)
{
  for (unsigned i = 0; link->globals[global].kind == SL_LINK_ALIAS && i < MOST_ALIASES; i++)
    global = link->globals[global].value;
  const struct sl_link_global *g = &link->globals[global];
  struct sl_link_ref ref = {.kind = g->kind, .value = g->value, .global = global, .weak = !g->wanted};
  if (g->kind == SL_LINK_ALIAS)
    ref.kind = SL_LINK_UNDEFINED;
  if (g->kind == SL_LINK_DEFINED) {
    const struct sl_symbol64 *symbol = &link->units[g->unit].object->symbols[g->symbol];
    ref.unit = g->unit;
    ref.section = symbol->section;
    ref.value = symbol->value;
  }
  return ref;
}

struct sl_link_ref sl_link_resolve(const struct sl_link *link, uint32_t unit, uint32_t symbol)
{
  const struct sl_link_unit *u = &link->units[unit];
  const struct sl_symbol64 *s = &u->object->symbols[symbol];
  if (u->global[symbol] != SL_LINK_NO_NAME) {
    struct sl_link_ref ref = sl_link_resolve_global(link, u->global[symbol]);
    ref.weak = s->weak;
    return ref;
  }
  struct sl_link_ref ref = {.unit = unit, .section = s->section, .value = s->value, .global = SL_LINK_NO_NAME};
  if (s->section == SL_ABSOLUTE64)
    ref.kind = SL_LINK_VALUE;
  else if (s->section < u->object->section_count && !u->sections[s->section].dropped)
    ref.kind = SL_LINK_DEFINED;
  else
    ref.kind = SL_LINK_UNDEFINED;
  return ref;
}

/* Returns the function at an offset of a section, else the section's name. */
static const char *function_at(const struct sl_object64 *object, uint32_t section, uint32_t offset)
{
  const struct sl_symbol64 *found = NULL;
  for (size_t i = 0; i < object->symbol_count; i++) {
    const struct sl_symbol64 *s = &object->symbols[i];
    if (s->section == section && !s->object && s->name[0] != '\0' && strncmp(s->name, ".L", 2) != 0 &&
        s->value <= offset && (found == NULL || s->value > found->value))
      found = s;
  }
  return found != NULL ? found->name : object->sections[section].name;
}

const char *sl_link_place(const struct sl_link *link, uint32_t unit, uint32_t section, uint32_t offset,
                          char text[SL_LINK_PLACE_SIZE])
{
  const struct sl_object64 *object = link->units[unit].object;
  const struct sl_section64 *in = &object->sections[section];
  const char *function = function_at(object, section, offset);
  const size_t at = offset / SL_WIDE_BYTES;
  if (at < in->code_count && in->code[at].line != 0 && in->code[at].file < object->file_count) {
    const char *path = object->files[in->code[at].file], *slash = strrchr(path, '/');
    snprintf(text, SL_LINK_PLACE_SIZE, "%.100s (%.80s:%" PRIu32 ") of %.100s", function,
             slash != NULL ? slash + 1 : path, in->code[at].line, object->name);
  } else
    snprintf(text, SL_LINK_PLACE_SIZE, "%.100s of %.100s", function, object->name);
  return text;
}

void sl_link_free(struct sl_link *link)
{
  for (size_t i = 0; i < link->unit_count; i++) {
    free(link->units[i].sections);
    free(link->units[i].global);
    if (link->units[i].own != NULL)
      sl_object64_free(link->units[i].own);
    free(link->units[i].own);
  }
  for (unsigned i = 0; i < SL_LINK_OUTPUTS; i++)
    free(link->spans[i].bytes);
  for (size_t i = 0; i < link->defsym_count; i++)
    free(link->defsyms[i]);
  free(link->defsyms);
  sl_link_names_free(&link->names);
  sl_link_names_free(&link->groups);
  free(link->group_unit);
  free(link->globals);
  free(link->units);
  free(link->pieces);
}

enum { DWARF_VERSION = 4, ADDRESS_SIZE = 4, OPCODE_BASE = 13, NO_FILE = 0 };

/* State machine of the line table (DWARF 4, section 6.2), and its output. */
struct table {
  struct sl_link_bytes *out;
  uint32_t address, file, line, column;
};

static void advance(struct table *t, uint32_t address)
{
  sl_link_bytes_number(t->out, DW_LNS_advance_pc, 1);
  sl_link_bytes_unsigned(t->out, address - t->address);
  t->address = address;
}

static void add_row(struct table *t, uint32_t address, uint32_t file, uint32_t line, uint32_t column)
{
  if (file != t->file && file != NO_FILE) {
    sl_link_bytes_number(t->out, DW_LNS_set_file, 1);
    sl_link_bytes_unsigned(t->out, file);
    t->file = file;
  }
  if (column != t->column) {
    sl_link_bytes_number(t->out, DW_LNS_set_column, 1);
    sl_link_bytes_unsigned(t->out, column);
    t->column = column;
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
    if (i == 0 || code->line != t->line || code->column != t->column || (file != NO_FILE && file != t->file))
      add_row(t, address + (uint32_t)i * SL_WIDE_BYTES, file, code->line, code->column);
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
