#include "observe/trace/trace_page.h"

#include <inttypes.h>
#include <libdeflate.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef SL_X86_LEVELS
#include <immintrin.h>
#endif

#include "base/thread_pool.h"
#include "isa/host_level.h"

bool sl_piece_grow(struct sl_piece *piece, size_t more)
{
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

static const char base64_digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/* Digits of whole groups of 3 bytes. */
static void put_groups(char *text, const uint8_t *bytes, size_t count)
{
  for (size_t i = 0; i < count; i += 3, text += 4) {
    const unsigned group = (unsigned)bytes[i] << 16 | (unsigned)bytes[i + 1] << 8 | bytes[i + 2];
    for (unsigned k = 0; k < 4; k++)
      text[k] = base64_digits[group >> (18 - 6 * k) & 63];
  }
}

#ifdef SL_X86_LEVELS
/* The same, 24 bytes at a time, of which 4 more can be read on either side. Source: W. Mula and D. Lemire, "Faster
 * Base64 Encoding and Decoding Using AVX2 Instructions", ACM Transactions on the Web 12(3), 2018. */
SL_HOST_VECTORS static void put_vectors(char *text, const uint8_t *bytes, size_t count)
{
  const __m256i order = _mm256_setr_epi8(5, 4, 6, 5, 8, 7, 9, 8, 11, 10, 12, 11, 14, 13, 15, 14, 1, 0, 2, 1, 4, 3, 5, 4,
                                         7, 6, 8, 7, 10, 9, 11, 10);
  const __m256i shifts = _mm256_setr_epi8('a' - 26, '0' - 52, '0' - 52, '0' - 52, '0' - 52, '0' - 52, '0' - 52,
                                          '0' - 52, '0' - 52, '0' - 52, '0' - 52, '+' - 62, '/' - 63, 'A', 0, 0,
                                          'a' - 26, '0' - 52, '0' - 52, '0' - 52, '0' - 52, '0' - 52, '0' - 52,
                                          '0' - 52, '0' - 52, '0' - 52, '0' - 52, '+' - 62, '/' - 63, 'A', 0, 0);
  for (size_t i = 0; i < count; i += 24, text += 32) {
    const __m256i in = _mm256_shuffle_epi8(_mm256_loadu_si256((const void *)(bytes + i - 4)), order);
    const __m256i high =
        _mm256_mulhi_epu16(_mm256_and_si256(in, _mm256_set1_epi32(0x0fc0fc00)), _mm256_set1_epi32(0x04000040));
    const __m256i low =
        _mm256_mullo_epi16(_mm256_and_si256(in, _mm256_set1_epi32(0x003f03f0)), _mm256_set1_epi32(0x01000010));
    const __m256i digits = _mm256_or_si256(high, low);
    const __m256i capital = _mm256_and_si256(_mm256_cmpgt_epi8(_mm256_set1_epi8(26), digits), _mm256_set1_epi8(13));
    const __m256i kind = _mm256_or_si256(_mm256_subs_epu8(digits, _mm256_set1_epi8(51)), capital);
    _mm256_storeu_si256((void *)text, _mm256_add_epi8(digits, _mm256_shuffle_epi8(shifts, kind)));
  }
}
#else
#define put_vectors put_groups
#endif

/* Few bytes at the begin and end have no 4 on both sides. */
static void put_base64(const uint8_t *bytes, size_t count, struct sl_trace_file *file)
{
  enum { STEP = 24, AHEAD = 8 * STEP * 16 };
  char text[AHEAD / 3 * 4];
  size_t at = 0;
  while (count - at >= 3) {
    const size_t left = (count - at) / 3 * 3;
    size_t some = left < AHEAD ? left : AHEAD;
    if (sl_host_has_vectors() && at >= 4 && at + 4 + STEP <= count && some > STEP) {
      some = (some < count - at - 4 ? some : count - at - 4) / STEP * STEP;
      put_vectors(text, bytes + at, some);
    } else {
      some = some < STEP || at < 4 ? (some < 6 ? some : 6) : some;
      put_groups(text, bytes + at, some);
    }
    sl_trace_file_write(file, text, some / 3 * 4);
    at += some;
  }
  if (at < count) { /* the last group is not full */
    const uint8_t last[3] = {bytes[at], count - at > 1 ? bytes[at + 1] : 0};
    put_groups(text, last, sizeof last);
    memset(text + 1 + (count - at), '=', 3 - (count - at));
    sl_trace_file_write(file, text, 4);
  }
}

void sl_piece_free(struct sl_piece *piece)
{
  free(piece->bytes);
  *piece = (struct sl_piece){0};
}

/* ---- packing ----------------------------------------------------------------------------------------------------- */

enum { FASTEST = 1, SAMPLE = 1 << 12, FOLLOWERS = 3 };

static const char *const kinds[SL_PIECE_KINDS] = {"rows", "values", "slots", "switches", "level", "series"};

/* What is done with pieces of a kind. */
struct habit {
  bool stores;
  unsigned followers; /* pieces left that are packed as the one before */
};

struct sl_packer {
  struct sl_trace_file *file;
  struct sl_background *thread;
  struct sl_piece piece; /* the job */
  enum sl_piece_kind kind;
  char name[32];
  struct habit habit[SL_PIECE_KINDS];
  struct libdeflate_compressor *deflate;
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

/* Whether a sample of the piece shrinks by less than a half. */
static bool is_dense(struct sl_packer *p)
{
  const uint8_t *const middle = p->piece.bytes + p->piece.count / 2;
  return libdeflate_zlib_compress(p->deflate, middle, SAMPLE, p->packed, p->room) > SAMPLE / 2;
}

/* Dense pieces are stored: deflate takes the most time for them, and saves the least. Of large pieces of records every
 * fourth one is sampled, since this takes time too; levels differ. */
static bool is_stored(struct sl_packer *p)
{
  struct habit *const h = &p->habit[p->kind];
  if (p->piece.count < 8 * SAMPLE)
    return false;
  if (h->followers > 0)
    h->followers--;
  else
    *h = (struct habit){.stores = is_dense(p), .followers = p->kind != SL_PIECE_LEVEL ? FOLLOWERS : 0};
  return h->stores;
}

static void put_stored(const struct sl_piece *piece, struct sl_trace_file *file)
{
  const uint8_t first[3] = {0, piece->bytes[0], piece->bytes[1]};
  put_base64(first, sizeof first, file);
  put_base64(piece->bytes + 2, piece->count - 2, file);
}

static void pack(void *context)
{
  struct sl_packer *p = context;
  const struct sl_piece *piece = &p->piece;
  if (piece->lost || !make_room(p)) {
    p->lost = true;
    return;
  }
  const bool stored = is_stored(p);
  size_t size = piece->count + 1;
  if (!stored)
    size = libdeflate_zlib_compress(p->deflate, piece->bytes, piece->count, p->packed, p->room);
  sl_trace_file_print(p->file, "<script type=\"application/octet-stream\" data-kind=\"%s\" data-name=\"%s\" ",
                      kinds[p->kind], p->name);
  sl_trace_file_print(p->file, "data-rows=\"%" PRIu64 "\" data-first=\"%" PRIu64 "\" data-last=\"%" PRIu64 "\">",
                      piece->rows, piece->first, piece->last);
  if (stored)
    put_stored(piece, p->file);
  else
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
  p->thread = p->deflate != NULL ? sl_background_create(pack, p) : NULL;
  if (p->thread != NULL)
    return p;
  sl_packer_free(p);
  return NULL;
}

uint64_t sl_packer_write(struct sl_packer *p, struct sl_piece *piece, enum sl_piece_kind kind, const char *name)
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
  free(p->packed);
  free(p);
}
