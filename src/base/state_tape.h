/* A bidirectional serializer (archive) for checkpoint state: one visitor function measures, saves or restores.
 *
 * It is for state whose size depends on the operations in flight; base/state_parts.h is for fixed-size state. Restored
 * bytes may come from an untrusted file. After the first invalid value the archive is bad and returns zeros. */
#ifndef SL_BASE_STATE_TAPE_H
#define SL_BASE_STATE_TAPE_H

#include "base/types.h"

struct sl_tape {
  uint8_t *to;         /* destination of a save; NULL: measuring or restoring */
  const uint8_t *from; /* source of a restore; NULL: not restoring */
  size_t at;           /* current position in bytes */
  size_t size;         /* size of the source */
  bool bad;            /* the restored bytes are not a valid state */
  bool no_memory;      /* an allocation failed; `bad` is set, too */
};

static inline bool sl_tape_reads(const struct sl_tape *tape)
{
  return tape->from != NULL;
}

/* Visits the bytes of an object without pointers. */
void sl_tape_bytes(struct sl_tape *tape, void *object, size_t size);
#define SL_TAPE(tape, object) sl_tape_bytes(tape, &(object), sizeof(object))

void sl_tape_bool(struct sl_tape *tape, bool *value);

/* Visits a number from 0 to `most`. */
uint32_t sl_tape_number(struct sl_tape *tape, uint32_t value, uint32_t most);

/* Marks the archive as bad unless the condition holds. Returns whether it is good. */
bool sl_tape_expect(struct sl_tape *tape, bool holds);

/* Marks the archive as bad if an allocation returned NULL. Returns whether it is good. */
bool sl_tape_memory(struct sl_tape *tape, const void *memory);

#endif
