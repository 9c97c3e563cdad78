/* A state as bytes, in one walk for both ways: what is walked through is measured, written, or read again.
 *
 * For states whose size depends on what is under way (base/state_parts.h is for those of a fixed size). What is read
 * may come from a file that anyone has written: once something is not as it can be, the tape is bad and gives zeros. */
#ifndef SL_BASE_STATE_TAPE_H
#define SL_BASE_STATE_TAPE_H

#include "base/types.h"

struct sl_tape {
  uint8_t *to;         /* written; NULL: measured, or read */
  const uint8_t *from; /* read; NULL: it is not */
  size_t at;           /* bytes so far */
  size_t size;         /* of what is read */
  bool bad;            /* what is read cannot be such a state */
  bool no_memory;      /* or there is no memory for it; then it is bad as well */
};

static inline bool sl_tape_reads(const struct sl_tape *tape)
{
  return tape->from != NULL;
}

/* The bytes of an object without pointers. */
void sl_tape_bytes(struct sl_tape *tape, void *object, size_t size);
#define SL_TAPE(tape, object) sl_tape_bytes(tape, &(object), sizeof(object))

void sl_tape_bool(struct sl_tape *tape, bool *value);

/* A number from 0 to `most`. */
uint32_t sl_tape_number(struct sl_tape *tape, uint32_t value, uint32_t most);

/* Something that must hold of what has been read. Returns whether the tape is good. */
bool sl_tape_expect(struct sl_tape *tape, bool holds);

/* There is memory, or the tape is bad. Returns whether it is good. */
bool sl_tape_memory(struct sl_tape *tape, const void *memory);

#endif
