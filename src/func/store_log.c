#include "func/store_log.h"

#include "base/lanes_text.h"

#include <stdlib.h>
#include <string.h>

/* A word with stored bytes. Slots of an older round are free. */
struct overlay {
  uint32_t address, word, bytes; /* bytes: mask of the valid bytes */
  uint32_t round;
};

struct sl_store_log {
  struct sl_logged *entries;
  size_t count, capacity;
  struct overlay *table; /* open addressing, at most half full */
  size_t table_size, words;
  uint32_t round;
  bool lost; /* an entry was lost for lack of host memory */
};

enum { FIRST_TABLE = 256 };

struct sl_store_log *sl_store_log_create(void)
{
  struct sl_store_log *log = sl_lines_of(1, sizeof *log);
  if (log == NULL)
    return NULL;
  log->table = sl_lines_of(FIRST_TABLE, sizeof *log->table);
  log->table_size = FIRST_TABLE;
  log->round = 1;
  if (log->table != NULL)
    return log;
  free(log);
  return NULL;
}

void sl_store_log_free(struct sl_store_log *log)
{
  if (log == NULL)
    return;
  free(log->entries);
  free(log->table);
  free(log);
}

bool sl_store_log_empty(const struct sl_store_log *log)
{
  return log->count == 0 && !log->lost;
}

/* The slot of a word, or the free slot for it. */
static struct overlay *find(const struct sl_store_log *log, uint32_t address)
{
  const size_t last = log->table_size - 1;
  size_t i = (address >> 2) * UINT32_C(2654435761) >> 7 & last;
  while (log->table[i].round == log->round && log->table[i].address != address)
    i = (i + 1) & last;
  return &log->table[i];
}

static bool grow_table(struct sl_store_log *log)
{
  struct sl_store_log larger = *log;
  larger.table_size = 2 * log->table_size;
  larger.table = sl_lines_of(larger.table_size, sizeof *larger.table);
  if (larger.table == NULL)
    return false;
  for (size_t i = 0; i < log->table_size; i++)
    if (log->table[i].round == log->round)
      *find(&larger, log->table[i].address) = log->table[i];
  free(log->table);
  *log = larger;
  return true;
}

static bool grow_entries(struct sl_store_log *log)
{
  const size_t capacity = log->capacity ? 2 * log->capacity : FIRST_TABLE;
  struct sl_logged *larger = realloc(log->entries, capacity * sizeof *larger);
  if (larger == NULL)
    return false;
  log->entries = larger;
  log->capacity = capacity;
  return true;
}

/* Bits of the word that an access covers. */
static uint32_t covered(uint32_t address, unsigned width)
{
  return (uint32_t)(sl_low_bits(8 * width) << (8 * (address & 3)));
}

void sl_store_log_add(struct sl_store_log *log, const struct sl_logged *entry, uint32_t word)
{
  if ((log->count == log->capacity && !grow_entries(log)) ||
      (2 * (log->words + 1) > log->table_size && !grow_table(log))) {
    log->lost = true;
    return;
  }
  log->entries[log->count++] = *entry;
  const uint32_t bytes = covered(entry->address, entry->width), address = entry->address & ~UINT32_C(3);
  struct overlay *o = find(log, address);
  if (o->round != log->round) {
    *o = (struct overlay){.address = address, .round = log->round};
    log->words++;
  }
  o->word = (o->word & ~bytes) | (word & bytes);
  o->bytes |= bytes;
}

uint32_t sl_store_log_forward(const struct sl_store_log *log, uint32_t address, uint32_t word)
{
  const struct overlay *o = find(log, address);
  return o->round == log->round ? (word & ~o->bytes) | (o->word & o->bytes) : word;
}

const struct sl_logged *sl_store_log_entries(const struct sl_store_log *log, size_t *count)
{
  *count = log->count;
  return log->entries;
}

bool sl_store_log_clear(struct sl_store_log *log)
{
  const bool complete = !log->lost;
  if (log->count == 0)
    return complete;
  log->count = log->words = 0;
  if (++log->round == 0) { /* wrapped: stale slots could look valid */
    memset(log->table, 0, log->table_size * sizeof *log->table);
    log->round = 1;
  }
  return complete;
}
