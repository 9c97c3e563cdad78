#include "observe/trace/trace.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"

enum sl_status sl_trace_modules_add(struct sl_trace_modules *modules, const struct sl_trace_module *module,
                                    struct sl_error *err)
{
  if (!SL_GROW(modules->module, modules->count))
    return sl_no_memory(err, sizeof *module);
  modules->module[modules->count++] = *module;
  return SL_OK;
}

void sl_trace_module_free(struct sl_trace_module *module)
{
  sl_source_free(&module->text);
  sl_source_free(&module->source);
  free(module->path);
  free(module->source_name);
  *module = (struct sl_trace_module){0};
}

void sl_trace_modules_free(struct sl_trace_modules *modules)
{
  for (size_t i = 0; i < modules->count; i++)
    sl_trace_module_free(&modules->module[i]);
  free(modules->module);
  *modules = (struct sl_trace_modules){0};
}

const struct sl_trace_module *sl_trace_module_of(const struct sl_trace_modules *modules, uint64_t pc)
{
  const uint64_t number = pc >> SL_TRACE_MODULE_SHIFT;
  return number < modules->count ? &modules->module[number] : NULL;
}

/* The function of a pc of PTX; NULL: none. */
static const char *function_of(const struct sl_ptx_module *m, uint32_t pc)
{
  for (unsigned i = 0; i < m->function_count; i++)
    if (m->functions[i].begin <= pc && pc < m->functions[i].end)
      return m->functions[i].name;
  return NULL;
}

struct sl_location sl_trace_locate(const struct sl_trace_modules *modules, uint64_t pc, uint32_t line)
{
  const struct sl_trace_module *m = sl_trace_module_of(modules, pc);
  const uint32_t index = (uint32_t)pc;
  if (m == NULL)
    return (struct sl_location){0};
  if (m->program != NULL)
    return sl_program_locate(m->program, index);
  struct sl_location place = {.file = m->path, .line = line};
  if (m->ptx == NULL || index >= m->ptx->code_count)
    return place;
  const struct sl_ptx_source *source = sl_ptx_source_of(m->ptx, index);
  place.function = function_of(m->ptx, index);
  if (source == NULL)
    return place;
  place.file = m->ptx->files[source->file];
  place.line = source->line;
  return place;
}

const struct sl_source *sl_trace_source(const struct sl_trace_module *module, const char *name)
{
  if (module == NULL || name == NULL)
    return NULL;
  if (module->source_name != NULL && strcmp(name, module->source_name) == 0)
    return &module->source;
  return module->path != NULL && strcmp(name, module->path) == 0 ? &module->text : NULL;
}
