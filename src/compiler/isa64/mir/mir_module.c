#include <string.h>

#include "compiler/isa64/grow.h"
#include "compiler/isa64/mir/mir.h"

static void free_function(struct sl_mir_function *f)
{
  free(f->name);
  free(f->section);
  free(f->refusal);
  free(f->insn);
  free(f->operand);
  free(f->block);
  free(f->edge);
  free(f->stack);
  free(f->fixed);
  for (size_t i = 0; i < f->constant_count; i++)
    free(f->constant[i].bytes);
  free(f->constant);
  free(f->table);
  free(f->target);
}

void sl_mir_free(struct sl_mir_module *module)
{
  for (size_t i = 0; i < module->function_count; i++)
    free_function(&module->function[i]);
  for (size_t i = 0; i < module->text_count; i++)
    free(module->text[i]);
  for (size_t i = 0; i < module->file_count; i++)
    free(module->file[i]);
  free(module->function);
  free(module->text);
  free(module->text_hash);
  free(module->file);
  *module = (struct sl_mir_module){0};
}

/* FNV-1a, 32 bits. */
static size_t hash_of(const char *text, size_t length)
{
  uint32_t hash = 2166136261u;
  for (size_t i = 0; i < length; i++)
    hash = (hash ^ (uint8_t)text[i]) * 16777619u;
  return hash;
}

/* Returns the place of a text, or the free place for it. */
static uint32_t *place_of(struct sl_mir_module *m, const char *text, size_t length)
{
  for (size_t i = hash_of(text, length);; i++) {
    uint32_t *place = &m->text_hash[i & (m->text_places - 1)];
    if (*place == 0 || (strncmp(m->text[*place - 1], text, length) == 0 && m->text[*place - 1][length] == '\0'))
      return place;
  }
}

/* Keeps half of the places free, so that searches are short. */
static bool more_places(struct sl_mir_module *m)
{
  if (m->text_count * 2 < m->text_places)
    return true;
  const size_t places = m->text_places == 0 ? 64 : m->text_places * 2;
  uint32_t *hash = calloc(places, sizeof *hash);
  if (hash == NULL)
    return false;
  free(m->text_hash);
  m->text_hash = hash;
  m->text_places = places;
  for (size_t i = 0; i < m->text_count; i++)
    *place_of(m, m->text[i], strlen(m->text[i])) = (uint32_t)i + 1;
  return true;
}

uint32_t sl_mir_text(struct sl_mir_module *m, const char *text, size_t length)
{
  if (!more_places(m))
    return UINT32_MAX;
  uint32_t *place = place_of(m, text, length);
  if (*place != 0)
    return *place - 1;
  char *copy = strndup(text, length);
  if (copy == NULL || !SL_GROW(m->text, m->text_room, m->text_count)) {
    free(copy);
    return UINT32_MAX;
  }
  m->text[m->text_count] = copy;
  *place = (uint32_t)++m->text_count;
  return *place - 1;
}
