#include "backend/link/link_live.h"

#include <stdlib.h>
#include <string.h>

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
  void *grown = sl_grow64(work->item, work->count, sizeof *work->item, err);
  if (grown == NULL)
    return SL_INTERNAL;
  work->item = grown;
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

enum sl_status sl_link_live(struct sl_link *link, struct sl_error *err)
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
