#include "base/sha256.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static const uint32_t first_state[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                        0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

static const uint32_t constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t rotated(uint32_t x, unsigned n)
{
  return x >> n | x << (32 - n);
}

static void mix(uint32_t state[8], const uint8_t block[64])
{
  uint32_t w[64];
  for (unsigned i = 0; i < 16; i++)
    w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 | (uint32_t)block[4 * i + 2] << 8 |
           block[4 * i + 3];
  for (unsigned i = 16; i < 64; i++)
    w[i] = w[i - 16] + (rotated(w[i - 15], 7) ^ rotated(w[i - 15], 18) ^ w[i - 15] >> 3) + w[i - 7] +
           (rotated(w[i - 2], 17) ^ rotated(w[i - 2], 19) ^ w[i - 2] >> 10);
  uint32_t a = state[0], b = state[1], c = state[2], d = state[3], e = state[4], f = state[5], g = state[6],
           h = state[7];
  for (unsigned i = 0; i < 64; i++) {
    const uint32_t t1 = h + (rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)) + ((e & f) ^ (~e & g)) + constants[i] +
                        w[i],
                   t2 = (rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    h = g, g = f, f = e, e = d + t1;
    d = c, c = b, b = a, a = t1 + t2;
  }
  const uint32_t after[8] = {a, b, c, d, e, f, g, h};
  for (unsigned i = 0; i < 8; i++)
    state[i] += after[i];
}

void sl_sha256_begin(struct sl_sha256 *hash)
{
  *hash = (struct sl_sha256){0};
  memcpy(hash->state, first_state, sizeof first_state);
}

void sl_sha256_add(struct sl_sha256 *hash, const void *bytes, size_t size)
{
  const uint8_t *from = bytes;
  while (size > 0) {
    const size_t used = hash->bytes % 64, part = size < 64 - used ? size : 64 - used;
    memcpy(hash->block + used, from, part);
    hash->bytes += part;
    from += part;
    size -= part;
    if (used + part == 64)
      mix(hash->state, hash->block);
  }
}

void sl_sha256_text(struct sl_sha256 *hash, const char *text)
{
  const uint64_t length = strlen(text);
  sl_sha256_add(hash, &length, sizeof length);
  sl_sha256_add(hash, text, length);
}

void sl_sha256_end(struct sl_sha256 *hash, char text[SL_SHA256_TEXT])
{
  static const uint8_t padding[64] = {0x80};
  const uint64_t bits = 8 * hash->bytes;
  uint8_t length[8];
  for (unsigned i = 0; i < 8; i++)
    length[i] = (uint8_t)(bits >> (56 - 8 * i));
  sl_sha256_add(hash, padding, 1 + (119 - hash->bytes % 64) % 64);
  sl_sha256_add(hash, length, sizeof length);
  for (unsigned i = 0; i < 8; i++)
    snprintf(text + 8 * i, 9, "%08x", hash->state[i]);
}

enum sl_status sl_sha256_file(const char *path, char text[SL_SHA256_TEXT], struct sl_error *err)
{
  struct sl_sha256 hash;
  uint8_t bytes[16384];
  size_t size;
  FILE *file = fopen(path, "rbe");
  if (file == NULL)
    return sl_fail(err, SL_USAGE, "%.300s: cannot be opened (%s)", path, strerror(errno));
  sl_sha256_begin(&hash);
  while ((size = fread(bytes, 1, sizeof bytes, file)) > 0)
    sl_sha256_add(&hash, bytes, size);
  const bool complete = !ferror(file);
  const int reason = errno;
  fclose(file);
  sl_sha256_end(&hash, text);
  return complete ? SL_OK : sl_fail(err, SL_USAGE, "%.300s: cannot be read (%s)", path, strerror(reason));
}
