#include "machine/sm7/core/sm7_stages.h"

enum { BANKS = 32, WORD = 4 };
#define LOCAL_BASE UINT64_C(0x1f880000) /* address of local memory in the reference */

/* Number of different words in a lane's bank, among that lane and those after it. */
static unsigned words_in_bank(const struct sl_sm7_effect *e, unsigned bank)
{
  uint64_t word[SL_SM7_LANES];
  unsigned count = 0;
  for (uint32_t rest = e->active; rest; rest &= rest - 1) {
    const uint64_t w = e->address[__builtin_ctz(rest)] / WORD;
    unsigned i = 0;
    if (w % BANKS != bank)
      continue;
    while (i < count && word[i] != w)
      i++;
    if (i == count)
      word[count++] = w;
  }
  return count;
}

unsigned sl_sm7_conflicts_of_banks(const struct sl_sm7_effect *e)
{
  uint64_t first[BANKS];
  uint32_t used = 0, conflicting = 0;
  for (uint32_t rest = e->active; rest; rest &= rest - 1) {
    const uint64_t word = e->address[__builtin_ctz(rest)] / WORD;
    const unsigned bank = word % BANKS;
    if (!(used >> bank & 1))
      first[bank] = word;
    else if (first[bank] != word)
      conflicting |= 1u << bank;
    used |= 1u << bank;
  }
  unsigned most = used != 0;
  for (; conflicting; conflicting &= conflicting - 1) {
    const unsigned words = words_in_bank(e, (unsigned)__builtin_ctz(conflicting));
    most = words > most ? words : most;
  }
  return most;
}

/* Lines have up to 32 words, so that each has a bank of its own. */
unsigned sl_sm7_conflicts_of_lines(const struct sl_sm7_effect *e)
{
  uint8_t used[BANKS] = {0};
  unsigned most = 0;
  for (uint32_t lanes = e->active; lanes; lanes &= lanes - 1) {
    const uint64_t first = e->address[__builtin_ctz(lanes)] / WORD;
    for (unsigned i = 0; i < e->bytes / WORD; i++) {
      bool again = false; /* in a line before this one */
      for (uint32_t earlier = e->active & ~lanes; earlier; earlier &= earlier - 1)
        again |= first + i - e->address[__builtin_ctz(earlier)] / WORD < e->bytes / WORD;
      const unsigned bank = (first + i) % BANKS;
      used[bank] = (uint8_t)(used[bank] + !again);
      most = used[bank] > most ? used[bank] : most;
    }
  }
  return most;
}

unsigned sl_sm7_different_words(const struct sl_sm7_effect *e)
{
  uint64_t word[SL_SM7_LANES];
  unsigned count = 0;
  for (uint32_t rest = e->active; rest; rest &= rest - 1) {
    const uint64_t w = e->address[__builtin_ctz(rest)] / WORD;
    unsigned i = 0;
    while (i < count && word[i] != w)
      i++;
    if (i == count)
      word[count++] = w;
  }
  return count;
}

static uint32_t byte_mask(uint64_t address, unsigned bytes)
{
  const uint64_t mask = ((UINT64_C(1) << bytes) - 1) << address % SL_SM7_SECTOR;
  return (uint32_t)mask;
}

static void insert(struct sl_sm7_access_list *list, uint32_t at, uint64_t sector)
{
  for (uint32_t i = list->count++; i > at; i--) {
    list->address[i] = list->address[i - 1];
    list->bytes[i] = list->bytes[i - 1];
    list->lanes[i] = list->lanes[i - 1];
  }
  list->address[at] = sector;
  list->bytes[at] = 0;
  list->lanes[at] = 0;
}

static void touch(struct sl_sm7_access_list *list, uint64_t address, unsigned bytes)
{
  const uint64_t sector = address & ~(uint64_t)(SL_SM7_SECTOR - 1);
  uint32_t at = list->count;
  while (at && list->address[at - 1] > sector)
    at--;
  if (at && list->address[at - 1] == sector)
    at--;
  else
    insert(list, at, sector);
  list->bytes[at] |= byte_mask(address, bytes);
  list->lanes[at]++;
}

static void touch_line(struct sl_sm7_access_list *list, uint64_t address, unsigned bytes)
{
  while (bytes > 0) {
    const unsigned left = SL_SM7_SECTOR - address % SL_SM7_SECTOR, part = bytes < left ? bytes : left;
    touch(list, address, part);
    address += part;
    bytes -= part;
  }
}

void sl_sm7_sectors(struct sl_sm7_access_list *list, const struct sl_sm7_effect *e)
{
  list->count = 0;
  for (uint32_t rest = e->active; rest; rest &= rest - 1)
    if (e->lines)
      touch_line(list, e->address[__builtin_ctz(rest)], e->bytes);
    else
      touch(list, e->address[__builtin_ctz(rest)], e->bytes);
}

void sl_sm7_lines(struct sl_sm7_access_list *list, const struct sl_sm7_effect *e, uint32_t line)
{
  list->count = 0;
  for (uint32_t rest = e->active; rest; rest &= rest - 1) {
    const uint64_t first = e->address[__builtin_ctz(rest)] & ~(uint64_t)(line - 1);
    uint32_t at = list->count;
    while (at && list->address[at - 1] > first)
      at--;
    if (!at || list->address[at - 1] != first)
      insert(list, at, first);
  }
}

/* A lane joins the first request for its sector that has none of the lane's bytes. Requests of a sector keep the order
 * of their creation. */
void sl_sm7_atomic_sectors(struct sl_sm7_access_list *list, const struct sl_sm7_effect *e)
{
  list->count = 0;
  for (uint32_t rest = e->active; rest; rest &= rest - 1) {
    const uint64_t address = e->address[__builtin_ctz(rest)];
    const uint64_t sector = address & ~(uint64_t)(SL_SM7_SECTOR - 1);
    const uint32_t mask = byte_mask(address, e->bytes);
    uint32_t at = 0;
    while (at < list->count &&
           (list->address[at] < sector || (list->address[at] == sector && (list->bytes[at] & mask))))
      at++;
    if (at == list->count || list->address[at] != sector)
      insert(list, at, sector);
    list->bytes[at] |= mask;
    list->lanes[at]++;
  }
}

void sl_sm7_local_sectors(struct sl_sm7_access_list *list, const struct sl_sm7_effect *e,
                          const struct sl_sm7_local_map *map)
{
  list->count = 0;
  for (uint32_t rest = e->active; rest; rest &= rest - 1) {
    const unsigned lane = (unsigned)__builtin_ctz(rest);
    const uint64_t base = LOCAL_BASE + WORD * (map->first + lane);
    const uint64_t word = e->address[lane] / WORD;
    if (e->bytes < WORD)
      touch(list, base + word * map->threads * WORD + e->address[lane] % WORD, e->bytes);
    for (unsigned i = 0; i < e->bytes / WORD; i++)
      touch(list, base + (word + i) * map->threads * WORD, WORD);
  }
}
