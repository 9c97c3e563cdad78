/* Names of the functions in the C library and in the compiler's library. */
#ifndef SL_TOOLCHAIN_LANES_LIBRARY_NAMES_H
#define SL_TOOLCHAIN_LANES_LIBRARY_NAMES_H

#include "backend/rv32/rv32_archive.h"

enum { SL_LIBRARIES = 2 };

struct sl_library_names {
  struct sl_rv32_archive archive[SL_LIBRARIES];
  size_t count;
};

/* Reads the names. A library that is not installed has none. */
enum sl_status sl_library_names_read(struct sl_library_names *names, struct sl_error *err);

void sl_library_names_free(struct sl_library_names *names);

/* Returns true if a library defines the name. */
bool sl_library_names_have(const struct sl_library_names *names, const char *name);

#endif
