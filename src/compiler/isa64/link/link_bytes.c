#include "compiler/isa64/link/link_bytes.h"

#include <stdlib.h>
#include <string.h>

void sl_link_bytes_put(struct sl_link_bytes *to, const void *bytes, size_t size)
{
  if (to->size + size > to->capacity) {
    const size_t capacity = 2 * (to->size + size) + 64;
    uint8_t *grown = to->incomplete ? NULL : realloc(to->bytes, capacity);
    if (grown == NULL) {
      to->incomplete = true;
      return;
    }
    to->bytes = grown;
    to->capacity = capacity;
  }
  if (size > 0)
    memcpy(to->bytes + to->size, bytes, size);
  to->size += size;
}

void sl_link_bytes_number(struct sl_link_bytes *to, uint32_t number, unsigned size)
{
  for (unsigned i = 0; i < size; i++) {
    const uint8_t byte = (uint8_t)(number >> 8 * i);
    sl_link_bytes_put(to, &byte, 1);
  }
}

void sl_link_bytes_string(struct sl_link_bytes *to, const char *text)
{
  sl_link_bytes_put(to, text, strlen(text) + 1);
}

void sl_link_bytes_unsigned(struct sl_link_bytes *to, uint32_t number)
{
  for (; number >= 0x80; number >>= 7)
    sl_link_bytes_number(to, number | 0x80, 1);
  sl_link_bytes_number(to, number, 1);
}

void sl_link_bytes_signed(struct sl_link_bytes *to, int32_t number)
{
  for (; number < -64 || number > 63; number >>= 7)
    sl_link_bytes_number(to, (uint32_t)number | 0x80, 1);
  sl_link_bytes_number(to, (uint32_t)number & 0x7f, 1);
}

void sl_link_bytes_align(struct sl_link_bytes *to, size_t alignment)
{
  while (to->size % alignment != 0 && !to->incomplete)
    sl_link_bytes_number(to, 0, 1);
}

void sl_link_bytes_set(struct sl_link_bytes *to, size_t at, uint32_t number)
{
  for (unsigned i = 0; i < 4 && at + i < to->size; i++)
    to->bytes[at + i] = (uint8_t)(number >> 8 * i);
}

void sl_link_bytes_free(struct sl_link_bytes *to)
{
  free(to->bytes);
  *to = (struct sl_link_bytes){0};
}
