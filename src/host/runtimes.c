#include "host/runtimes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct sl_runtime sl_runtimes[SL_RUNTIMES] = {
#define RUNTIME(id, name_, prefix_, library_, finder_, is_path, trace_, riscv)                                         \
  [SL_RUNTIME_##id] = {.name = (name_),                                                                                \
                       .prefix = (prefix_),                                                                            \
                       .library = (library_),                                                                          \
                       .finder = (finder_),                                                                            \
                       .finder_is_path = (is_path),                                                                    \
                       .trace = (trace_),                                                                              \
                       .runs_riscv = (riscv)},
#include "host/runtimes.def"
#undef RUNTIME
};

const struct sl_runtime *sl_runtime(const char *name)
{
  for (size_t i = 0; i < SL_RUNTIMES; i++)
    if (strcmp(sl_runtimes[i].name, name) == 0)
      return &sl_runtimes[i];
  return NULL;
}

void sl_runtime_finder(const struct sl_runtime *runtime, const char *library, char *text, size_t size)
{
  const char *slash = strrchr(library, '/'), *before = getenv(runtime->finder);
  const int folder = slash != NULL ? (int)(slash - library) : 0;
  if (!runtime->finder_is_path)
    snprintf(text, size, "%s", library);
  else
    snprintf(text, size, "%.*s%s%s", folder, library, before != NULL ? ":" : "", before != NULL ? before : "");
}
