/* Hash table of numbers by key, which grows and can be cleared in constant time. It holds what the warps of a block
 * have executed before. */
#ifndef SL_PTX_ORACLE_PTX_ONCE_H
#define SL_PTX_ORACLE_PTX_ONCE_H

#include "base/types.h"

struct sl_ptx_once_entry {
  uint64_t key, value;
  uint64_t age; /* generation of the table at insertion */
};

/* Initialise with zeros. */
struct sl_ptx_once {
  struct sl_ptx_once_entry *entry;
  size_t room, count; /* room: a power of two, or 0 */
  uint64_t age;
};

/* The number of a key, inserted if new; NULL: out of memory. Valid until the next call. */
uint64_t *sl_ptx_once_put(struct sl_ptx_once *once, uint64_t key, bool *is_new);
/* NULL: not found. */
const uint64_t *sl_ptx_once_find(const struct sl_ptx_once *once, uint64_t key);

void sl_ptx_once_clear(struct sl_ptx_once *once);
void sl_ptx_once_free(struct sl_ptx_once *once);

#endif
