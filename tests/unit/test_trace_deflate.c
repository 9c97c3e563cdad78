/* zlib unpacks what the traces' deflate has packed: of each kind of bytes, and of each length around the limits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include <cmocka.h>

#include "observe/trace/trace_deflate.h"

enum { MOST = 300000 };

static uint64_t next(uint64_t *state)
{
  *state ^= *state << 13;
  *state ^= *state >> 7;
  return *state ^= *state << 17;
}

/* Kinds: one byte, all different, text with repeats near and far, records with few changes. */
static void fill(uint8_t *bytes, size_t count, unsigned kind, uint64_t *state)
{
  for (size_t i = 0; i < count; i++)
    switch (kind) {
    case 0: bytes[i] = 200; break;
    case 1: bytes[i] = (uint8_t)next(state); break;
    case 2: bytes[i] = i > 40000 && i % 5000 < 3000 ? bytes[i - 32768 - i % 3] : (uint8_t)(next(state) % 7); break;
    default: bytes[i] = i < 12 || next(state) % 9 == 0 ? (uint8_t)next(state) : bytes[i - 12]; break;
    }
}

static void round_trip(struct sl_deflate *d, const uint8_t *bytes, size_t count)
{
  uint8_t *packed = malloc(sl_deflate_bound(count)), *unpacked = malloc(count + 1);
  uLongf size = count + 1;
  const size_t packed_size = sl_deflate(d, bytes, count, packed);
  assert_true(packed_size <= sl_deflate_bound(count));
  assert_int_equal(uncompress(unpacked, &size, packed, packed_size), Z_OK);
  assert_int_equal(size, count);
  assert_memory_equal(unpacked, bytes, count);
  free(packed);
  free(unpacked);
}

static void zlib_unpacks_what_is_packed(void **unused)
{
  (void)unused;
  struct sl_deflate *d = malloc(sizeof *d);
  uint8_t *bytes = malloc(MOST);
  uint64_t state = 1;
  sl_deflate_open(d);
  for (unsigned kind = 0; kind < 4; kind++) {
    fill(bytes, MOST, kind, &state);
    for (size_t count = 0; count < 600; count++)
      round_trip(d, bytes, count);
    round_trip(d, bytes, MOST);
  }
  free(bytes);
  free(d);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(zlib_unpacks_what_is_packed)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
