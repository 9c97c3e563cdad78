/* The runtimes that programs of the host use, such as CUDA's. A new runtime is a row of runtimes.def, its library in
 * src/runtime and its build rules in cmake/runtimes. */
#ifndef SL_HOST_RUNTIMES_H
#define SL_HOST_RUNTIMES_H

#include <stdbool.h>
#include <stddef.h>

enum {
#define RUNTIME(id, ...) SL_RUNTIME_##id,
#include "host/runtimes.def"
#undef RUNTIME
  SL_RUNTIMES
};

struct sl_runtime {
  const char *name;    /* in studies and records of runs */
  const char *prefix;  /* of its environment variables */
  const char *library; /* its library, a path among simtlab's data */
  const char *finder;  /* the variable by which a program finds the library */
  bool finder_is_path; /* the variable has a list of folders; else the file */
  const char *trace;   /* the name of a library in the file of a program that uses the runtime */
  bool runs_riscv;     /* its kernels also run on machines without PTX */
};

extern const struct sl_runtime sl_runtimes[SL_RUNTIMES];

/* The runtime of a name, or NULL. */
const struct sl_runtime *sl_runtime(const char *name);

/* The value of the finder for a library in this process's environment; the library comes before others. Writes at most
 * `size` bytes. */
void sl_runtime_finder(const struct sl_runtime *runtime, const char *library, char *text, size_t size);

#endif
