/* Store log of a core: the stores and atomics of one quantum, in order of execution (struct sl_store_log in
 * ipdom_warps.h). Cores simulate a quantum in parallel.
 *
 * A core sees memory through its log. The log gives the bytes that the core has stored itself. For an atomic it gives
 * the word as if no other core had accessed it. The actual result and the value of rd are known when the log is
 * applied. */
#ifndef SL_WARP_STORE_LOG_H
#define SL_WARP_STORE_LOG_H

#include "base/types.h"

struct sl_store_log;

/* A store, atomic or SC of one lane. */
struct sl_logged {
  uint32_t address, value; /* value: stored value, or operand of an atomic */
  uint32_t expected;       /* SC: the value that LR read */
  uint32_t pc;
  uint16_t op; /* enum sl_op */
  uint8_t width;
  uint8_t warp, lane;
  uint8_t rd;        /* 0: none */
  bool has_expected; /* SC: there was a reservation */
};

/* Returns NULL if the host is out of memory. */
struct sl_store_log *sl_store_log_create(void);
void sl_store_log_free(struct sl_store_log *log);

bool sl_store_log_empty(const struct sl_store_log *log);

/* Appends an entry. `word` is the core's new view of the word at this address; the bytes of the entry's width are
 * valid. If the host is out of memory the entry is lost, and sl_store_log_clear returns false. */
void sl_store_log_add(struct sl_store_log *log, const struct sl_logged *entry, uint32_t word);

/* Returns the core's view of the word at an address (a multiple of 4), given the word in memory. */
uint32_t sl_store_log_forward(const struct sl_store_log *log, uint32_t address, uint32_t word);

/* Returns all entries in order, and sets *count. */
const struct sl_logged *sl_store_log_entries(const struct sl_store_log *log, size_t *count);

/* Empties the log after sl_ipdom_perform_log. Returns false if entries were lost. */
bool sl_store_log_clear(struct sl_store_log *log);

#endif
