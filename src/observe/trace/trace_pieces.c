#include "observe/trace/trace_pieces.h"

#include <inttypes.h>
#include <libdeflate.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/background.h"

bool sl_piece_room(struct sl_piece *piece, size_t more)
{
  if (piece->count + more <= piece->room)
    return true;
  size_t room = piece->room != 0 ? piece->room : 1 << 16;
  while (room < piece->count + more)
    room *= 2;
  uint8_t *bytes = realloc(piece->bytes, room);
  if (bytes == NULL) {
    piece->lost = true;
    return false;
  }
  piece->bytes = bytes;
  piece->room = room;
  return true;
}

static void put_base64(const uint8_t *bytes, size_t count, struct sl_trace_file *file)
{
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  char text[4096], pair[1 << 12][2];
  size_t n = 0, whole = count / 3 * 3;
  for (unsigned i = 0; i < sizeof pair / sizeof *pair; i++) {
    pair[i][0] = digits[i >> 6];
    pair[i][1] = digits[i & 63];
  }
  for (size_t i = 0; i < whole; i += 3) {
    const unsigned group = (unsigned)bytes[i] << 16 | (unsigned)bytes[i + 1] << 8 | bytes[i + 2];
    memcpy(text + n, pair[group >> 12], 2);
    memcpy(text + n + 2, pair[group & 0xfff], 2);
    n += 4;
    if (n == sizeof text) {
      sl_trace_file_write(file, text, n);
      n = 0;
    }
  }
  for (size_t i = whole; i < count; i += 3) { /* the last one is not full */
    const unsigned left = count - i >= 3 ? 3 : (unsigned)(count - i);
    const unsigned group = (unsigned)bytes[i] << 16 | (left > 1 ? (unsigned)bytes[i + 1] << 8 : 0) |
                           (left > 2 ? (unsigned)bytes[i + 2] : 0);
    for (unsigned k = 0; k < 4; k++)
      text[n++] = '=';
    for (unsigned k = 0; k <= left; k++)
      text[n - 4 + k] = digits[group >> (18 - 6 * k) & 63];
    if (n == sizeof text) {
      sl_trace_file_write(file, text, n);
      n = 0;
    }
  }
  sl_trace_file_write(file, text, n);
}

void sl_piece_free(struct sl_piece *piece)
{
  free(piece->bytes);
  *piece = (struct sl_piece){0};
}

/* ---- packing ----------------------------------------------------------------------------------------------------- */

enum { FASTEST = 1, SAMPLE = 1 << 15 };

struct sl_packer {
  struct sl_trace_file *file;
  struct sl_background *thread;
  struct sl_piece piece; /* the job */
  const char *kind;
  char name[32];
  struct libdeflate_compressor *deflate, *store;
  uint8_t *packed;
  size_t room;
  uint64_t written; /* bytes in the file */
  bool lost;        /* out of memory */
};

static bool make_room(struct sl_packer *p)
{
  const size_t room = libdeflate_zlib_compress_bound(NULL, p->piece.count);
  if (room <= p->room)
    return true;
  free(p->packed);
  p->packed = malloc(room);
  p->room = p->packed != NULL ? room : 0;
  return p->packed != NULL;
}

/* A piece of which a sample shrinks by less than two fifths is stored: deflate takes the most time for it, and saves
 * the least. */
static struct libdeflate_compressor *compressor_of(struct sl_packer *p)
{
  const struct sl_piece *piece = &p->piece;
  if (piece->count < 4 * SAMPLE)
    return p->deflate;
  const size_t size = libdeflate_zlib_compress(p->deflate, piece->bytes + piece->count / 2, SAMPLE, p->packed, p->room);
  return size > SAMPLE / 5 * 3 ? p->store : p->deflate;
}

static void pack(void *context)
{
  struct sl_packer *p = context;
  const struct sl_piece *piece = &p->piece;
  if (piece->lost || !make_room(p)) {
    p->lost = true;
    return;
  }
  const size_t size = libdeflate_zlib_compress(compressor_of(p), piece->bytes, piece->count, p->packed, p->room);
  sl_trace_file_print(p->file, "<script type=\"application/octet-stream\" data-kind=\"%s\" data-name=\"%s\" ", p->kind,
                      p->name);
  sl_trace_file_print(p->file, "data-rows=\"%" PRIu64 "\" data-first=\"%" PRIu64 "\" data-last=\"%" PRIu64 "\">",
                      piece->rows, piece->first, piece->last);
  put_base64(p->packed, size, p->file);
  sl_trace_file_print(p->file, "</script>\n");
  p->written += (size + 2) / 3 * 4;
}

struct sl_packer *sl_packer_create(struct sl_trace_file *file)
{
  struct sl_packer *p = calloc(1, sizeof *p);
  if (p == NULL)
    return NULL;
  p->file = file;
  p->deflate = libdeflate_alloc_compressor(FASTEST);
  p->store = libdeflate_alloc_compressor(0);
  p->thread = p->deflate != NULL && p->store != NULL ? sl_background_create(pack, p) : NULL;
  if (p->thread != NULL)
    return p;
  sl_packer_free(p);
  return NULL;
}

uint64_t sl_packer_write(struct sl_packer *p, struct sl_piece *piece, const char *kind, const char *name)
{
  sl_background_wait(p->thread);
  const struct sl_piece emptied = {.bytes = p->piece.bytes, .room = p->piece.room};
  const uint64_t written = p->written;
  p->piece = *piece;
  *piece = emptied;
  p->kind = kind;
  snprintf(p->name, sizeof p->name, "%s", name);
  sl_background_start(p->thread);
  return written;
}

bool sl_packer_wait(struct sl_packer *p)
{
  sl_background_wait(p->thread);
  return !p->lost;
}

void sl_packer_free(struct sl_packer *p)
{
  if (p == NULL)
    return;
  sl_background_free(p->thread);
  sl_piece_free(&p->piece);
  libdeflate_free_compressor(p->deflate);
  libdeflate_free_compressor(p->store);
  free(p->packed);
  free(p);
}
