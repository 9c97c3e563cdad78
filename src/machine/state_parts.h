/* The state of an SM as bytes: its own struct, then the arrays it points to, in the order in which they are listed. */
#ifndef SL_MACHINE_STATE_PARTS_H
#define SL_MACHINE_STATE_PARTS_H

#include <stddef.h>
#include <stdint.h>

struct sl_state_part {
  void *bytes;
  size_t size;
};

size_t sl_state_parts_size(const struct sl_state_part *part, unsigned count);

/* Appends the parts to bytes, or takes them from there. */
void sl_state_parts_save(const struct sl_state_part *part, unsigned count, uint8_t *bytes);
void sl_state_parts_restore(const struct sl_state_part *part, unsigned count, const uint8_t *bytes);

#endif
