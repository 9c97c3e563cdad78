/* What the cores have stored in a stretch of cycles that they simulate at the same time: see struct sl_store_log in
 * ipdom_warps.h. The order within a log is that of execution. A core sees memory through its log: the bytes it has
 * stored itself, and what its atomics would leave if no other core had been at the word; what they do leave is known
 * when the log is performed, and so is the value of rd. */
#ifndef SL_WARP_STORE_LOG_H
#define SL_WARP_STORE_LOG_H

#include "base/types.h"

struct sl_store_log;

/* A store, atomic or SC of one lane. */
struct sl_logged {
  uint32_t address, value; /* value: what is stored, or the operand of an atomic */
  uint32_t expected;       /* of SC: what LR has read */
  uint32_t pc;
  uint16_t op; /* enum sl_op */
  uint8_t width;
  uint8_t warp, lane;
  uint8_t rd;        /* 0: none */
  bool has_expected; /* SC: there was a reservation */
};

/* NULL when there is no memory. */
struct sl_store_log *sl_store_log_create(void);
void sl_store_log_free(struct sl_store_log *log);

bool sl_store_log_empty(const struct sl_store_log *log);

/* Appends an entry; `word` is what the word at its address then looks like to the core, of which the bytes in the
 * entry's width count. Without memory for it the entry is lost, and clearing the log says so. */
void sl_store_log_add(struct sl_store_log *log, const struct sl_logged *entry, uint32_t word);

/* The word at an address (a multiple of 4) as the core sees it, from the word in memory. */
uint32_t sl_store_log_forward(const struct sl_store_log *log, uint32_t address, uint32_t word);

/* All entries, in order, and how many. */
const struct sl_logged *sl_store_log_entries(const struct sl_store_log *log, size_t *count);

/* They have been performed (sl_ipdom_perform_log). False: some were lost. */
bool sl_store_log_clear(struct sl_store_log *log);

#endif
