/* The shadow of memory: a cell for each word that a kernel has accessed. */
#include <stdlib.h>
#include <string.h>

#include "observe/check/check_state.h"

bool sl_check_grow(struct sl_check *check, void *items, size_t count, size_t *room, size_t size)
{
  void **array = items;
  if (count < *room)
    return true;
  const size_t more = 2 * *room + 16;
  void *grown = realloc(*array, more * size);
  check->out_of_memory |= grown == NULL;
  if (grown == NULL)
    return false;
  *array = grown;
  *room = more;
  return true;
}

static uint64_t number_of(const void *page)
{
  uint64_t number;
  memcpy(&number, page, sizeof number);
  return number;
}

static size_t slot_of(const struct sl_check_pages *p, uint64_t number)
{
  size_t i = (size_t)(number * UINT64_C(0x9e3779b97f4a7c15) >> 24) & (p->room - 1);
  while (p->slot[i] != NULL && number_of(p->slot[i]) != number)
    i = (i + 1) & (p->room - 1);
  return i;
}

static bool grow(struct sl_check *check, struct sl_check_pages *p)
{
  const struct sl_check_pages old = *p;
  const size_t room = old.room != 0 ? 2 * old.room : 256;
  p->slot = calloc(room, sizeof *p->slot);
  check->out_of_memory |= p->slot == NULL;
  if (p->slot == NULL) {
    *p = old;
    return false;
  }
  p->room = room;
  for (size_t i = 0; i < old.room; i++)
    if (old.slot[i] != NULL)
      p->slot[slot_of(p, number_of(old.slot[i]))] = old.slot[i];
  free(old.slot);
  return true;
}

void *sl_check_page_of(struct sl_check *check, struct sl_check_pages *p, uint64_t number)
{
  if (2 * p->count >= p->room && !grow(check, p))
    return NULL;
  void **slot = &p->slot[slot_of(p, number)];
  if (*slot != NULL)
    return *slot;
  *slot = calloc(1, p->bytes);
  check->out_of_memory |= *slot == NULL;
  if (*slot != NULL) {
    memcpy(*slot, &number, sizeof number);
    p->count++;
  }
  return *slot;
}

static struct sl_check_page *page_of(struct sl_check *check, uint64_t number)
{
  struct sl_check_shadow *s = &check->shadow;
  struct sl_check_page **recent = &s->recent[sl_check_recent(number)];
  if (*recent != NULL && (*recent)->number == number)
    return *recent;
  s->pages.bytes = sizeof(struct sl_check_page);
  return *recent = sl_check_page_of(check, &s->pages, number);
}

enum { LINE_BYTES = 4 * SL_CHECK_LINE };

struct sl_check_line *sl_check_line_at(struct sl_check *check, const struct sl_check_access *a, uint64_t address)
{
  if (a->shared && a->block->shared != NULL)
    return address / 4 < a->block->shared_words ? &a->block->shared[address / LINE_BYTES] : NULL;
  struct sl_check_page *page = page_of(check, (address | sl_check_space(a)) / SL_CHECK_PAGE);
  return page != NULL ? &page->line[address % SL_CHECK_PAGE / LINE_BYTES] : NULL;
}

static struct sl_check_stamp of_word(struct sl_check_stamp row, unsigned word)
{
  row.who += row.time != 0 ? word : 0;
  return row;
}

struct sl_check_cells *sl_check_spread(struct sl_check *check, struct sl_check_line *line)
{
  if (line->cells == NULL)
    line->cells = malloc(sizeof *line->cells);
  check->out_of_memory |= line->cells == NULL;
  if (line->cells == NULL)
    return NULL;
  if (line->write.time == 0 && line->read[0].time == 0) { /* nothing has accessed it */
    memset(line->cells, 0, sizeof *line->cells);
    line->spread = true;
    return line->cells;
  }
  for (unsigned i = 0; i < SL_CHECK_LINE; i++)
    line->cells->word[i] = (struct sl_check_cell){.write = of_word(line->write, i),
                                                  .read = {of_word(line->read[0], i), of_word(line->read[1], i)},
                                                  .value = line->value[i]};
  line->cells->readers.words = 0;
  line->spread = true;
  return line->cells;
}

void sl_check_lines_free(struct sl_check_line *line, size_t count)
{
  for (size_t i = 0; i < count; i++)
    free(line[i].cells);
}

struct sl_check_cell *sl_check_cell_at(struct sl_check *check, const struct sl_check_access *a, uint64_t address)
{
  struct sl_check_line *line = sl_check_line_at(check, a, address);
  return line != NULL ? sl_check_word(sl_check_cells(check, line), address) : NULL;
}

const struct sl_check_cell *sl_check_known_cell(struct sl_check *check, uint64_t address)
{
  struct sl_check_pages *p = &check->shadow.pages;
  struct sl_check_page *page = p->count > 0 ? p->slot[slot_of(p, address / SL_CHECK_PAGE)] : NULL;
  return page != NULL ? sl_check_word(sl_check_cells(check, &page->line[address % SL_CHECK_PAGE / LINE_BYTES]), address)
                      : NULL;
}

struct sl_check_cell *sl_check_bytes_of(struct sl_check *check, struct sl_check_cell *cell)
{
  struct sl_check_shadow *s = &check->shadow;
  if ((cell->write.site & SL_CHECK_SPLIT) != 0)
    return s->split[cell->value];
  if (!sl_check_grow(check, &s->split, s->splits, &s->split_room, sizeof *s->split))
    return NULL;
  for (unsigned i = 0; i < 4; i++) {
    s->split[s->splits][i] = *cell;
    s->split[s->splits][i].value >>= 8 * i;
  }
  cell->value = (uint32_t)s->splits;
  cell->write.site |= SL_CHECK_SPLIT;
  return s->split[s->splits++];
}

/* Forgets words of a line. */
static void forget_words(struct sl_check *check, struct sl_check_line *line, unsigned first, unsigned end)
{
  const bool all = first == 0 && end == SL_CHECK_LINE;
  struct sl_check_cells *cells = all ? line->cells : sl_check_cells(check, line);
  if (all)
    *line = (struct sl_check_line){.cells = cells};
  else if (cells != NULL) {
    memset(&cells->word[first], 0, (end - first) * sizeof cells->word[0]);
    cells->readers.words = 0;
  }
}

/* Buffers begin at multiples of 256 bytes, so that a word belongs to one buffer. */
void sl_check_forget(struct sl_check *check, uint64_t first, uint64_t bytes)
{
  struct sl_check_shadow *s = &check->shadow;
  const uint64_t end = first + bytes;
  for (uint64_t page = first / SL_CHECK_PAGE; s->pages.count > 0 && page * SL_CHECK_PAGE < end; page++) {
    struct sl_check_page *p = s->pages.slot[slot_of(&s->pages, page)];
    const uint64_t base = page * SL_CHECK_PAGE, from = first > base ? first - base : 0;
    const uint64_t to = end - base < SL_CHECK_PAGE ? end - base : SL_CHECK_PAGE;
    for (uint64_t at = from; p != NULL && at < to; at = (at / LINE_BYTES + 1) * LINE_BYTES) {
      const uint64_t line = at / LINE_BYTES * LINE_BYTES, count = to - line < LINE_BYTES ? to - line : LINE_BYTES;
      forget_words(check, &p->line[line / LINE_BYTES], (unsigned)(at - line) / 4, (unsigned)(count + 3) / 4);
    }
  }
}

void sl_check_forget_block(struct sl_check *check, uint64_t address, uint64_t bytes)
{
  sl_check_forget(check, address, bytes);
}

void sl_check_shadow_free(struct sl_check *check)
{
  struct sl_check_shadow *s = &check->shadow;
  for (size_t i = 0; i < s->pages.room; i++) {
    struct sl_check_page *page = s->pages.slot[i];
    if (page != NULL)
      sl_check_lines_free(page->line, sizeof page->line / sizeof page->line[0]);
    free(page);
  }
  for (size_t i = 0; i < s->own.room; i++)
    free(s->own.slot[i]);
  free(s->pages.slot);
  free(s->own.slot);
  free(s->split);
  *s = (struct sl_check_shadow){.splits = 0};
}
