/* SHA-256 (FIPS 180-4), which names programs, builds and runs by their contents. Two different contents never get one
 * name in practice, not even if somebody tries. */
#ifndef SL_BASE_SHA256_H
#define SL_BASE_SHA256_H

#include "base/error.h"
#include "base/types.h"

enum { SL_SHA256 = 32, SL_SHA256_TEXT = 2 * SL_SHA256 + 1 };

struct sl_sha256 {
  uint32_t state[8];
  uint64_t bytes;
  uint8_t block[64];
};

void sl_sha256_begin(struct sl_sha256 *hash);
void sl_sha256_add(struct sl_sha256 *hash, const void *bytes, size_t size);

/* Adds a text with its length before it, so that the borders between texts count. */
void sl_sha256_text(struct sl_sha256 *hash, const char *text);

/* Writes the digest as hexadecimal digits. */
void sl_sha256_end(struct sl_sha256 *hash, char text[SL_SHA256_TEXT]);

/* The digest of a file. SL_USAGE: it cannot be read. */
enum sl_status sl_sha256_file(const char *path, char text[SL_SHA256_TEXT], struct sl_error *err);

#endif
