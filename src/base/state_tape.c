#include "base/state_tape.h"

#include <string.h>

void sl_tape_bytes(struct sl_tape *tape, void *object, size_t size)
{
  if (tape->from == NULL) {
    if (tape->to != NULL && size > 0)
      memcpy(tape->to + tape->at, object, size);
    tape->at += size;
    return;
  }
  if (size > tape->size - tape->at)
    tape->bad = true;
  if (size > 0 && tape->bad)
    memset(object, 0, size);
  else if (size > 0)
    memcpy(object, tape->from + tape->at, size);
  if (!tape->bad)
    tape->at += size;
}

void sl_tape_bool(struct sl_tape *tape, bool *value)
{
  *value = sl_tape_number(tape, *value, 1) != 0;
}

uint32_t sl_tape_number(struct sl_tape *tape, uint32_t value, uint32_t most)
{
  SL_TAPE(tape, value);
  return sl_tape_reads(tape) && !sl_tape_expect(tape, value <= most) ? 0 : value;
}

bool sl_tape_expect(struct sl_tape *tape, bool holds)
{
  if (sl_tape_reads(tape) && !holds)
    tape->bad = true;
  return !tape->bad;
}

bool sl_tape_memory(struct sl_tape *tape, const void *memory)
{
  if (memory == NULL)
    tape->bad = tape->no_memory = true;
  return !tape->bad;
}
