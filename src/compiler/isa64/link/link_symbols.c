#include "compiler/isa64/link/link64.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "compiler/isa64/object64.h"

/* ---- globals ----------------------------------------------------------------------------------------------------- */

/* Returns the number of a global; a new one is undefined. */
static enum sl_status global_of(struct sl_link *link, const char *name, uint32_t *number, struct sl_error *err)
{
  const size_t known = link->names.count;
  enum sl_status code = sl_link_names_add(&link->names, name, number, err);
  if (code != SL_OK || *number < known)
    return code;
  if (!SL_GROW(link->globals, known))
    return sl_no_memory(err, 2 * known * sizeof *link->globals);
  link->globals[known] = (struct sl_link_global){.kind = SL_LINK_UNDEFINED, .unit = SL_LINK_NO_NAME};
  return SL_OK;
}

/* Parses "name=symbol" or "name=number". The strings live as long as the options. */
static enum sl_status add_defsym(struct sl_link *link, const char *text, struct sl_error *err)
{
  const char *equal = strchr(text, '=');
  const size_t length = equal != NULL ? (size_t)(equal - text) : 0;
  if (length == 0 || equal[1] == '\0')
    return sl_fail(err, SL_USAGE, "--defsym=%.200s: not of the form name=symbol or name=number", text);
  char *name = strndup(text, length);
  if (name == NULL)
    return sl_no_memory(err, length + 1);
  if (!SL_GROW(link->defsyms, link->defsym_count)) {
    free(name);
    return sl_no_memory(err, 2 * link->defsym_count * sizeof *link->defsyms);
  }
  link->defsyms[link->defsym_count++] = name;
  char *end;
  const unsigned long long number = strtoull(equal + 1, &end, 0);
  const bool is_number = equal[1] >= '0' && equal[1] <= '9' && *end == '\0' && number <= UINT32_MAX;
  uint32_t global, other = 0;
  enum sl_status code = global_of(link, name, &global, err);
  if (code == SL_OK && !is_number)
    code = global_of(link, equal + 1, &other, err);
  if (code != SL_OK)
    return code;
  link->globals[global].kind = is_number ? SL_LINK_VALUE : SL_LINK_ALIAS;
  link->globals[global].value = is_number ? (uint32_t)number : other;
  link->globals[global].fixed = true;
  if (!is_number)
    link->globals[other].wanted = true;
  return SL_OK;
}

static enum sl_status add_own_symbols(struct sl_link *link, struct sl_error *err)
{
  const char *entry = link->options->entry != NULL ? link->options->entry : "_start";
  enum sl_status code = global_of(link, entry, &link->entry, err);
  if (code == SL_OK)
    link->globals[link->entry].wanted = true;
  for (size_t i = 0; i < link->options->defsym_count && code == SL_OK; i++)
    code = add_defsym(link, link->options->defsyms[i], err);
  const char *name;
  for (size_t i = 0; (name = sl_link_map_symbol(i)) != NULL && code == SL_OK; i++) {
    uint32_t global;
    code = global_of(link, name, &global, err);
    if (code == SL_OK && link->globals[global].kind == SL_LINK_UNDEFINED)
      link->globals[global].kind = SL_LINK_MAP;
  }
  return code;
}

/* ---- definitions ------------------------------------------------------------------------------------------------- */

static enum sl_status defined_twice(const struct sl_link *link, const struct sl_link_global *global, uint32_t unit,
                                    uint32_t symbol, struct sl_error *err)
{
  char first[SL_LINK_PLACE_SIZE], second[SL_LINK_PLACE_SIZE];
  const struct sl_symbol64 *a = &link->units[global->unit].object->symbols[global->symbol];
  const struct sl_symbol64 *b = &link->units[unit].object->symbols[symbol];
  const bool placed = a->section < link->units[global->unit].object->section_count &&
                      b->section < link->units[unit].object->section_count;
  if (placed) {
    sl_link_place(link, global->unit, a->section, a->value, first);
    sl_link_place(link, unit, b->section, b->value, second);
  }
  return sl_fail(err, SL_USAGE, "%.200s is defined twice: in %s and in %s; rename one, or make it static", b->name,
                 placed ? first : link->units[global->unit].object->name,
                 placed ? second : link->units[unit].object->name);
}

static void define(struct sl_link_global *global, enum sl_link_kind kind, uint32_t unit, uint32_t index,
                   const struct sl_symbol64 *symbol)
{
  global->kind = kind;
  global->unit = unit;
  global->symbol = index;
  global->weak = symbol->weak;
  global->value = kind == SL_LINK_VALUE ? symbol->value : 0;
}

/* Keeps the largest of several common definitions. */
static void define_common(struct sl_link_global *global, uint32_t unit, uint32_t index,
                          const struct sl_symbol64 *symbol)
{
  if (global->kind != SL_LINK_COMMON) {
    define(global, SL_LINK_COMMON, unit, index, symbol);
    global->size = global->alignment = 0;
  }
  global->size = symbol->size > global->size ? symbol->size : global->size;
  global->alignment = symbol->value > global->alignment ? symbol->value : global->alignment;
}

static bool is_free(const struct sl_link_global *global)
{
  return global->kind == SL_LINK_UNDEFINED || global->kind == SL_LINK_MAP;
}

static enum sl_status add_definition(struct sl_link *link, uint32_t number, uint32_t unit, uint32_t index,
                                     struct sl_error *err)
{
  struct sl_link_global *global = &link->globals[number];
  const struct sl_symbol64 *symbol = &link->units[unit].object->symbols[index];
  const bool replaceable = is_free(global) || global->weak;
  if (global->fixed)
    return SL_OK;
  if (symbol->section == SL_COMMON64) {
    if (replaceable || global->kind == SL_LINK_COMMON)
      define_common(global, unit, index, symbol);
    return SL_OK;
  }
  if (!replaceable && global->kind != SL_LINK_COMMON)
    return symbol->weak ? SL_OK : defined_twice(link, global, unit, index, err);
  if (symbol->weak && !is_free(global))
    return SL_OK;
  define(global, symbol->section == SL_ABSOLUTE64 ? SL_LINK_VALUE : SL_LINK_DEFINED, unit, index, symbol);
  return SL_OK;
}

static enum sl_status add_symbol(struct sl_link *link, uint32_t unit, uint32_t index, struct sl_error *err)
{
  const struct sl_link_unit *u = &link->units[unit];
  const struct sl_symbol64 *symbol = &u->object->symbols[index];
  if (!symbol->global)
    return SL_OK;
  uint32_t number;
  enum sl_status code = global_of(link, symbol->name, &number, err);
  if (code != SL_OK)
    return code;
  u->global[index] = number;
  const bool dropped = symbol->section < u->object->section_count && u->sections[symbol->section].dropped;
  if (symbol->section != SL_UNDEFINED64 && !dropped)
    return add_definition(link, number, unit, index, err);
  if (link->globals[number].unit == SL_LINK_NO_NAME)
    link->globals[number].unit = unit;
  if (!symbol->weak)
    link->globals[number].wanted = true;
  return SL_OK;
}

/* ---- units ------------------------------------------------------------------------------------------------------- */

/* The first unit with a COMDAT group keeps it. */
static enum sl_status choose_groups(struct sl_link *link, uint32_t unit, struct sl_error *err)
{
  const struct sl_object64 *object = link->units[unit].object;
  for (size_t i = 0; i < object->section_count; i++) {
    if (object->sections[i].group == NULL)
      continue;
    const size_t known = link->groups.count;
    uint32_t number;
    enum sl_status code = sl_link_names_add(&link->groups, object->sections[i].group, &number, err);
    if (code != SL_OK)
      return code;
    if (number == known) {
      if (!SL_GROW(link->group_unit, known))
        return sl_no_memory(err, 2 * known * sizeof *link->group_unit);
      link->group_unit[number] = unit;
    }
    link->units[unit].sections[i].dropped = link->group_unit[number] != unit;
  }
  return SL_OK;
}

/* `own`: a unit to free with the link, also on failure. */
static enum sl_status add_unit(struct sl_link *link, const struct sl_object64 *object, struct sl_object64 *own,
                               struct sl_error *err)
{
  if (!SL_GROW(link->units, link->unit_count)) {
    if (own != NULL)
      sl_object64_free(own);
    free(own);
    return sl_no_memory(err, 2 * link->unit_count * sizeof *link->units);
  }
  const uint32_t unit = (uint32_t)link->unit_count++;
  struct sl_link_unit *u = &link->units[unit];
  *u = (struct sl_link_unit){.object = object,
                             .own = own,
                             .sections = calloc(object->section_count + 1, sizeof *u->sections),
                             .global = malloc((object->symbol_count + 1) * sizeof *u->global)};
  if (u->sections == NULL || u->global == NULL)
    return sl_no_memory(err, (object->symbol_count + 1) * sizeof *u->global);
  for (size_t i = 0; i < object->symbol_count; i++)
    u->global[i] = SL_LINK_NO_NAME;
  enum sl_status code = sl_object64_check(object, err);
  if (code == SL_OK)
    code = choose_groups(link, unit, err);
  for (uint32_t i = 0; i < object->symbol_count && code == SL_OK; i++)
    code = add_symbol(link, unit, i, err);
  return code;
}

/* ---- archives ---------------------------------------------------------------------------------------------------- */

static bool is_searched_for(const struct sl_link *link, const char *name)
{
  const uint32_t number = sl_link_names_find(&link->names, name);
  return number != SL_LINK_NO_NAME && link->globals[number].kind == SL_LINK_UNDEFINED && link->globals[number].wanted;
}

static enum sl_status add_member(struct sl_link *link, const struct sl_rv32_archive *archive, uint32_t member,
                                 struct sl_error *err)
{
  struct sl_object64 *object = calloc(1, sizeof *object);
  if (object == NULL)
    return sl_no_memory(err, sizeof *object);
  enum sl_status code = sl_rv32_archive_member(archive, member, object, err);
  if (code == SL_OK && link->options->prepare != NULL) {
    code = link->options->prepare(link->options->context, object, err);
    if (code != SL_OK)
      sl_object64_free(object);
  }
  if (code != SL_OK) {
    free(object);
    return code;
  }
  return add_unit(link, object, object, err);
}

/* `taken`: symbols whose members have been added. An archive's index may list symbols that the member lacks. */
static enum sl_status search_archive(struct sl_link *link, const struct sl_rv32_archive *archive, bool *taken,
                                     bool *found, struct sl_error *err)
{
  for (size_t i = 0; i < archive->symbol_count; i++) {
    if (taken[i] || !is_searched_for(link, archive->symbols[i].name))
      continue;
    for (size_t k = 0; k < archive->symbol_count; k++)
      taken[k] = taken[k] || archive->symbols[k].member == archive->symbols[i].member;
    const enum sl_status code = add_member(link, archive, archive->symbols[i].member, err);
    if (code != SL_OK)
      return code;
    *found = true;
  }
  return SL_OK;
}

static enum sl_status search_all(struct sl_link *link, bool *const *taken, struct sl_error *err)
{
  enum sl_status code = SL_OK;
  for (bool found = true; found && code == SL_OK;) {
    found = false;
    for (size_t i = 0; i < link->options->archive_count && code == SL_OK; i++)
      code = search_archive(link, &link->options->archives[i], taken[i], &found, err);
  }
  return code;
}

static enum sl_status search_archives(struct sl_link *link, struct sl_error *err)
{
  const size_t count = link->options->archive_count;
  bool **taken = calloc(count + 1, sizeof *taken);
  enum sl_status code = taken != NULL ? SL_OK : sl_no_memory(err, (count + 1) * sizeof *taken);
  for (size_t i = 0; i < count && code == SL_OK; i++) {
    taken[i] = calloc(link->options->archives[i].symbol_count + 1, sizeof **taken);
    if (taken[i] == NULL)
      code = sl_no_memory(err, link->options->archives[i].symbol_count + 1);
  }
  if (code == SL_OK)
    code = search_all(link, taken, err);
  for (size_t i = 0; i < count && taken != NULL; i++)
    free(taken[i]);
  free(taken);
  return code;
}

/* As in runtime/vortex.ld: what the first warp calls in a launch. */
static enum sl_status choose_calls(struct sl_link *link, struct sl_error *err)
{
  uint32_t calls, splits, target = 0;
  enum sl_status code = global_of(link, "vortex_calls", &calls, err);
  if (code == SL_OK)
    code = global_of(link, "vortex_splits", &splits, err);
  if (code == SL_OK)
    code =
        global_of(link, link->globals[splits].kind != SL_LINK_UNDEFINED ? "vortex_parts" : "vortex_call", &target, err);
  if (code != SL_OK || link->globals[calls].kind != SL_LINK_UNDEFINED)
    return code;
  link->globals[calls].kind = SL_LINK_ALIAS;
  link->globals[calls].value = target;
  return SL_OK;
}

enum sl_status sl_link_symbols(struct sl_link *link, const struct sl_object64 *objects, size_t count,
                               struct sl_error *err)
{
  enum sl_status code = add_own_symbols(link, err);
  for (size_t i = 0; i < count && code == SL_OK; i++)
    code = add_unit(link, &objects[i], NULL, err);
  if (code == SL_OK)
    code = choose_calls(link, err);
  return code == SL_OK ? search_archives(link, err) : code;
}
