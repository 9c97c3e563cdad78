/* The golden files of this folder. */
#ifndef BACKEND_GOLDEN_H
#define BACKEND_GOLDEN_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/isa64/mir/mir.h"

/* Returns the text of NAME.mir; the caller frees it. */
static inline char *golden_text(const char *name, size_t *size)
{
  char path[512];
  snprintf(path, sizeof path, "%s/%s.mir", GOLDEN_FOLDER, name);
  FILE *file = fopen(path, "rb");
  assert_non_null(file);
  fseek(file, 0, SEEK_END);
  *size = (size_t)ftell(file);
  rewind(file);
  char *text = malloc(*size + 1);
  assert_non_null(text);
  assert_int_equal(fread(text, 1, *size, file), *size);
  fclose(file);
  return text;
}

static inline struct sl_mir_module golden(const char *name)
{
  size_t size;
  char *text = golden_text(name, &size);
  struct sl_mir_module module = {0};
  struct sl_error err = {0};
  if (sl_mir_read(name, text, size, &module, &err) != SL_OK)
    fail_msg("%s", err.text);
  free(text);
  return module;
}

static inline struct sl_mir_function *function_of(struct sl_mir_module *module, const char *name)
{
  for (size_t i = 0; i < module->function_count; i++)
    if (strcmp(module->function[i].name, name) == 0)
      return &module->function[i];
  fail_msg("there is no function %s", name);
  return NULL;
}

#endif
