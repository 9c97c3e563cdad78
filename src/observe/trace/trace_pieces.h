/* Pieces of data in a page: bytes that a script element holds in base64, deflated (zlib, RFC 1950), or as they are
 * behind a byte 0, with which no deflated ones begin. A browser unpacks a piece when it needs it, with
 * DecompressionStream.
 *
 * Integers are variable-length: 7 bits a byte, lowest first; bit 7 marks that another byte follows. A signed integer is
 * stored as 2n, or -2n - 1 if n is negative, as in protocol buffers. */
#ifndef SL_OBSERVE_TRACE_PIECES_H
#define SL_OBSERVE_TRACE_PIECES_H

#include <string.h>

#include "base/error.h"
#include "observe/output.h"

struct sl_piece {
  uint8_t *bytes;
  size_t count, room;
  uint64_t rows;        /* records in it */
  uint64_t first, last; /* range of its records' times */
  bool lost;            /* out of memory */
};

bool sl_piece_grow(struct sl_piece *piece, size_t more);

/* Makes room for `more` bytes; false: out of memory. */
static inline bool sl_piece_room(struct sl_piece *piece, size_t more)
{
  return piece->count + more <= piece->room || sl_piece_grow(piece, more);
}

/* Append an integer. The caller has made room: 10 bytes each. Up to 35 bits, its groups of 7 bits are spread at once.
 */
static inline void sl_piece_number(struct sl_piece *piece, uint64_t value)
{
  if (value >= 0x80 && value >> 35 == 0) {
    const unsigned bytes = (70 - (unsigned)__builtin_clzll(value)) / 7;
    const uint64_t spread = (value & 0x7f) | (value & 0x3f80) << 1 | (value & 0x1fc000) << 2 |
                            (value & 0xfe00000) << 3 | (value & UINT64_C(0x7f0000000)) << 4;
    const uint64_t word = spread | (UINT64_C(0x8080808080) & ((UINT64_C(1) << 8 * (bytes - 1)) - 1));
    memcpy(piece->bytes + piece->count, &word, sizeof word);
    piece->count += bytes;
    return;
  }
  for (; value >= 0x80; value >>= 7)
    piece->bytes[piece->count++] = (uint8_t)(value | 0x80);
  piece->bytes[piece->count++] = (uint8_t)value;
}

/* The same at a place that is not the piece's, for as many integers as a function writes. Returns the place behind it.
 */
static inline uint8_t *sl_piece_put(uint8_t *at, uint64_t value)
{
  for (; value >= 0x80; value >>= 7)
    *at++ = (uint8_t)(value | 0x80);
  *at++ = (uint8_t)value;
  return at;
}

static inline void sl_piece_signed(struct sl_piece *piece, uint64_t value)
{
  sl_piece_number(piece, value << 1 ^ (0 - (value >> 63)));
}

/* Counts a record that covers times FROM to TO. */
static inline void sl_piece_record(struct sl_piece *piece, uint64_t from, uint64_t to)
{
  if (piece->rows++ == 0 || from < piece->first)
    piece->first = from;
  if (piece->rows == 1 || to > piece->last)
    piece->last = to;
}

void sl_piece_free(struct sl_piece *piece);

/* Writes pieces as script elements into a file. A thread of its own packs and writes a piece while the run fills the
 * next: packing takes as long as all the rest of a trace. */
struct sl_packer;

/* The kinds of pieces. */
enum sl_piece_kind {
  SL_PIECE_ROWS,
  SL_PIECE_VALUES,
  SL_PIECE_SLOTS,
  SL_PIECE_SWITCHES,
  SL_PIECE_LEVEL,
  SL_PIECE_SERIES,
  SL_PIECE_KINDS
};

/* Returns NULL if out of memory. Until sl_packer_wait only the packer writes into the file. */
struct sl_packer *sl_packer_create(struct sl_trace_file *file);

/* Takes the contents of a piece and empties it. Its kind and `name` become data-kind and data-name. Returns the bytes
 * in the file of the pieces before it, which does not depend on the thread's speed. */
uint64_t sl_packer_write(struct sl_packer *packer, struct sl_piece *piece, enum sl_piece_kind kind, const char *name);

/* Waits until all is written. Returns false if memory was lacking. */
bool sl_packer_wait(struct sl_packer *packer);

void sl_packer_free(struct sl_packer *packer);

#endif
