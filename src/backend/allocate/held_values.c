#include "backend/allocate/held_values.h"

#include <string.h>

#include "backend/grow.h"

bool sl_held_init(struct sl_held_values *h, uint32_t locations, uint32_t values)
{
  *h = (struct sl_held_values){.locations = locations, .values = values, .last_version = 1};
  h->version = sl_zeroed(values, sizeof *h->version);
  h->head = sl_zeroed(locations, sizeof *h->head);
  return h->version != NULL && h->head != NULL;
}

void sl_held_free(struct sl_held_values *h)
{
  free(h->version);
  free(h->head);
  free(h->note);
  *h = (struct sl_held_values){0};
}

void sl_held_add(struct sl_held_values *h, uint32_t location, uint32_t value)
{
  if (!SL_GROW(h->note, h->note_room, h->note_count)) {
    h->failed = true;
    return;
  }
  h->note[h->note_count++] = (struct sl_noted){value, h->version[value], h->head[location]};
  h->head[location] = (uint32_t)h->note_count;
}

void sl_held_start(struct sl_held_values *h, const struct sl_held_list *list)
{
  memset(h->head, 0, h->locations * sizeof *h->head);
  h->note_count = 0;
  for (size_t i = 0; i < list->count; i++)
    sl_held_add(h, list->at[i].location, list->at[i].value);
}

static int compare(const void *a, const void *b)
{
  const struct sl_held *x = a, *y = b;
  return x->location != y->location ? (x->location > y->location) - (x->location < y->location)
                                    : (x->value > y->value) - (x->value < y->value);
}

bool sl_held_end(struct sl_held_values *h, struct sl_held_list *list)
{
  size_t room = 0;
  *list = (struct sl_held_list){.reached = true};
  for (uint32_t location = 0; location < h->locations; location++) {
    const size_t first = list->count;
    for (uint32_t n = h->head[location]; n != 0; n = h->note[n - 1].next) {
      const struct sl_noted *note = &h->note[n - 1];
      bool known = note->version != h->version[note->value];
      for (size_t i = first; !known && i < list->count; i++)
        known = list->at[i].value == note->value;
      if (known)
        continue;
      if (!SL_GROW(list->at, room, list->count))
        return false;
      list->at[list->count++] = (struct sl_held){location, note->value};
    }
    if (list->count - first > 1)
      qsort(list->at + first, list->count - first, sizeof *list->at, compare);
  }
  return true;
}

bool sl_holds(const struct sl_held_values *h, uint32_t location, uint32_t value)
{
  for (uint32_t n = h->head[location]; n != 0; n = h->note[n - 1].next)
    if (h->note[n - 1].value == value && h->note[n - 1].version == h->version[value])
      return true;
  return false;
}

void sl_held_forget(struct sl_held_values *h, uint32_t location)
{
  h->head[location] = 0;
}

void sl_held_renew(struct sl_held_values *h, uint32_t value)
{
  h->version[value] = ++h->last_version;
}

/* Lists grow only at the front, so they can share their tails. */
void sl_held_move(struct sl_held_values *h, uint32_t to, uint32_t from)
{
  h->head[to] = h->head[from];
}

bool sl_held_meet(struct sl_held_list *list, const struct sl_held_list *other)
{
  size_t kept = 0;
  for (size_t i = 0, k = 0; i < list->count; i++) {
    while (k < other->count && compare(&other->at[k], &list->at[i]) < 0)
      k++;
    if (k < other->count && compare(&other->at[k], &list->at[i]) == 0)
      list->at[kept++] = list->at[i];
  }
  const bool less = kept < list->count;
  list->count = kept;
  return less;
}
