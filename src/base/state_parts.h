/* A state as bytes: plain structs and arrays of them, in the order in which they are listed.
 *
 * A large struct is in two: wiring (pointers, what follows from the keys) and a `struct sl_..._state` of plain data.
 * Only the latter is listed, so that nothing has to be mended after restoring; the test source_states looks for
 * pointers in them. */
#ifndef SL_BASE_STATE_PARTS_H
#define SL_BASE_STATE_PARTS_H

#include <stddef.h>
#include <stdint.h>

struct sl_state_part {
  void *bytes;
  size_t size;
};

/* A struct of plain data, and an array of them. */
#define SL_STATE_OF(object) ((struct sl_state_part){(void *)&(object), sizeof(object)})

static inline struct sl_state_part sl_state_array(const void *first, size_t count, size_t size)
{
  return (struct sl_state_part){(void *)(uintptr_t)first, count * size};
}

/* Each part begins at a multiple of SL_CACHE_LINE. */
size_t sl_state_parts_size(const struct sl_state_part *part, unsigned count);

/* Appends the parts to bytes, or takes them from there. */
void sl_state_parts_save(const struct sl_state_part *part, unsigned count, uint8_t *bytes);
void sl_state_parts_restore(const struct sl_state_part *part, unsigned count, const uint8_t *bytes);

/* The parts are where they are in bytes, which begin at such a multiple: to look at before they are taken. */
void sl_state_parts_look(struct sl_state_part *part, unsigned count, const uint8_t *bytes);

/* The same of many lists, one after the other: what is walked through is measured, and appended to `save` or taken from
 * `restore` unless that is NULL. */
struct sl_state_walk {
  uint8_t *save;
  const uint8_t *restore;
  size_t size; /* so far */
};

void sl_state_walk(struct sl_state_walk *walk, const struct sl_state_part *part, unsigned count);

#endif
