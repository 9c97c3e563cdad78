/* Numbers by key, in a table that grows and is emptied at once: what the warps of a block have done before. */
#ifndef SL_PTX_ORACLE_PTX_ONCE_H
#define SL_PTX_ORACLE_PTX_ONCE_H

#include "base/types.h"

struct sl_ptx_once_entry {
  uint64_t key, value;
  uint64_t age; /* of the table when it was put in */
};

/* To be zero at first. */
struct sl_ptx_once {
  struct sl_ptx_once_entry *entry;
  size_t room, count; /* room: a power of two, or 0 */
  uint64_t age;
};

/* The number of a key, which is new or not; NULL: no memory. Until the next call. */
uint64_t *sl_ptx_once_put(struct sl_ptx_once *once, uint64_t key, bool *is_new);
/* NULL: there is none. */
const uint64_t *sl_ptx_once_find(const struct sl_ptx_once *once, uint64_t key);

void sl_ptx_once_clear(struct sl_ptx_once *once);
void sl_ptx_once_free(struct sl_ptx_once *once);

#endif
