/* Serialization of fixed-size state: a list of plain structs and arrays, copied in order.
 *
 * A large struct has two parts: wiring (pointers and values derived from the keys), and a `struct sl_..._state` of
 * plain data. Only the latter is listed, so that a restore needs no fix-ups. The test source_states checks that these
 * structs contain no pointers. */
#ifndef SL_BASE_STATE_PARTS_H
#define SL_BASE_STATE_PARTS_H

#include <stddef.h>
#include <stdint.h>

struct sl_state_part {
  void *bytes;
  size_t size;
};

/* A part for a struct of plain data, and for an array of structs. */
#define SL_STATE_OF(object) ((struct sl_state_part){(void *)&(object), sizeof(object)})

static inline struct sl_state_part sl_state_array(const void *first, size_t count, size_t size)
{
  return (struct sl_state_part){(void *)(uintptr_t)first, count * size};
}

/* Total size. Each part begins at a multiple of SL_CACHE_LINE. */
size_t sl_state_parts_size(const struct sl_state_part *part, unsigned count);

/* Copy the parts to bytes, or from bytes. */
void sl_state_parts_save(const struct sl_state_part *part, unsigned count, uint8_t *bytes);
void sl_state_parts_restore(const struct sl_state_part *part, unsigned count, const uint8_t *bytes);

/* Sets the parts to their positions in bytes, for validation before a restore. bytes must be aligned to
 * SL_CACHE_LINE. */
void sl_state_parts_look(struct sl_state_part *part, unsigned count, const uint8_t *bytes);

/* Serialises several lists one after the other. sl_state_walk adds the size of a list, and copies it to `save` or from
 * `restore` if that is not NULL. */
struct sl_state_walk {
  uint8_t *save;
  const uint8_t *restore;
  size_t size; /* size so far */
};

void sl_state_walk(struct sl_state_walk *walk, const struct sl_state_part *part, unsigned count);

#endif
