/* Name table: assigns consecutive numbers to names, from 0. */
#ifndef SL_BACKEND_LINK_NAMES_H
#define SL_BACKEND_LINK_NAMES_H

#include "base/error.h"
#include "base/types.h"

struct sl_link_names {
  const char **name; /* owned by the caller */
  size_t count;
  uint32_t *slots; /* number + 1 at the hash, or after it (linear probing) */
  size_t slot_count;
};

enum { SL_LINK_NO_NAME = UINT32_MAX };

/* Returns SL_LINK_NO_NAME if the name is not in the table. */
uint32_t sl_link_names_find(const struct sl_link_names *names, const char *name);

enum sl_status sl_link_names_add(struct sl_link_names *names, const char *name, uint32_t *number, struct sl_error *err);

void sl_link_names_free(struct sl_link_names *names);

#endif
