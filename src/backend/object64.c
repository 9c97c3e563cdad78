#include "backend/object64.h"

#include <stdlib.h>

void sl_object64_free(struct sl_object64 *object)
{
  for (size_t i = 0; i < object->section_count; i++) {
    struct sl_section64 *section = &object->sections[i];
    free(section->name);
    free(section->code);
    free(section->bytes);
    free(section->fixes);
  }
  for (size_t i = 0; i < object->symbol_count; i++)
    free(object->symbols[i].name);
  for (size_t i = 0; i < object->file_count; i++)
    free(object->files[i]);
  free(object->sections);
  free(object->symbols);
  free(object->files);
  free(object->name);
  *object = (struct sl_object64){0};
}
