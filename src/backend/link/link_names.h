/* Numbers of names: the first name has 0, the next new one 1. */
#ifndef SL_BACKEND_LINK_NAMES_H
#define SL_BACKEND_LINK_NAMES_H

#include "base/error.h"
#include "base/types.h"

struct sl_link_names {
  const char **name; /* of the caller, who keeps them */
  size_t count;
  uint32_t *slots; /* number + 1 at the hash, or behind */
  size_t slot_count;
};

enum { SL_LINK_NO_NAME = UINT32_MAX };

/* SL_LINK_NO_NAME when it is not there. */
uint32_t sl_link_names_find(const struct sl_link_names *names, const char *name);

enum sl_status sl_link_names_add(struct sl_link_names *names, const char *name, uint32_t *number, struct sl_error *err);

void sl_link_names_free(struct sl_link_names *names);

#endif
