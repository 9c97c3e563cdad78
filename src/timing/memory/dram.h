/* SIMTight's DRAM behind the coalescing unit: bus, wrapper with a limit on outstanding beats, and fixed-latency memory.
 *
 * Timing: a transaction put in cycle c is on the bus in c+1 and at the wrapper in c+2. The wrapper consumes one per
 * cycle, if the memory does not stall it and if outstanding load beats + its burst do not exceed the limit. The memory
 * sees it in the next cycle r. Beat k of a read is valid in r + latency + k, and the coalescing unit can use it two
 * cycles later. A burst of n reads occupies the memory's request port n cycles; a write beat occupies it one cycle, and
 * writes never wait. The bus also serves the host CPU; the model omits this port, since the host CPU is idle while a
 * kernel runs. The model keeps only occupancy: instructions read and write values when they execute.
 *
 * Source: SIMTight, DRAM wrapper and simulation memory (paper, section III-A, coalescing unit). */
#ifndef SL_MEM_DRAM_H
#define SL_MEM_DRAM_H

#include "base/types.h"

enum { SL_DRAM_MAX_OUTSTANDING = 256 };

/* A read of some beats, or one beat of a store of some beats; packed in one word for speed, as a response is. */
struct sl_dram_transaction {
  uint32_t word; /* number of beats; bit 31: store */
};

static inline struct sl_dram_transaction sl_dram_transaction(bool store, unsigned beats)
{
  return (struct sl_dram_transaction){beats | (uint32_t)store << 31};
}

static inline bool sl_dram_is_store(struct sl_dram_transaction t)
{
  return t.word >> 31;
}

static inline unsigned sl_dram_beats(struct sl_dram_transaction t)
{
  return t.word & INT32_MAX;
}

struct sl_dram {
  unsigned latency;
  unsigned limit; /* on outstanding load beats */

  bool active; /* there is work other than waiting for read data */
  bool request_full;
  struct sl_dram_transaction request; /* one-entry pipeline queue from the coalescing unit */

  uint8_t bus_count;
  int64_t bus_drained;
  struct sl_dram_transaction bus[2];

  bool reading;       /* the memory's request line holds a read */
  unsigned burst;     /* beats of that read */
  unsigned read_beat; /* beats of it that the line has held, from 1 */
  unsigned outstanding;

  unsigned in_flight; /* read beats in flight; a ring holds their valid times */
  unsigned next;
  int64_t valid[SL_DRAM_MAX_OUTSTANDING];

  unsigned waiting; /* beats in the response FIFO */
  bool beat_ready;  /* its output register */

  uint64_t beats; /* counter: beats read and written */
};

void sl_dram_init(struct sl_dram *dram, unsigned latency, unsigned limit);

static inline bool sl_dram_can_put(const struct sl_dram *dram)
{
  return !dram->request_full;
}

static inline void sl_dram_put(struct sl_dram *dram, struct sl_dram_transaction transaction)
{
  dram->request = transaction;
  dram->request_full = true;
  dram->active = true;
}

/* Performs one cycle, after the coalescing unit has taken a beat from beat_ready (`taken`) and before it may put. */
void sl_dram_cycle(struct sl_dram *dram, int64_t now, bool taken);

/* The next cycle with work, or INT64_MAX if nothing is in flight. Call it only if not active. */
static inline int64_t sl_dram_next_event(const struct sl_dram *dram)
{
  return dram->in_flight > 0 ? dram->valid[dram->next] : INT64_MAX;
}

const struct sl_schema *sl_dram_schema(void); /* all fields may be 0 before the first kernel */

#endif
