/* Pieces of data in a page: bytes that a script element holds deflated (zlib, RFC 1950) and in base64. A browser
 * unpacks a piece when it needs it, with DecompressionStream.
 *
 * Integers are variable-length: 7 bits a byte, lowest first; bit 7 marks that another byte follows. A signed integer is
 * stored as 2n, or -2n - 1 if n is negative, as in protocol buffers. */
#ifndef SL_OBSERVE_TRACE_PIECES_H
#define SL_OBSERVE_TRACE_PIECES_H

#include "base/error.h"
#include "observe/trace_file.h"

struct sl_piece {
  uint8_t *bytes;
  size_t count, room;
  uint64_t rows;        /* records in it */
  uint64_t first, last; /* range of its records' times */
  bool lost;            /* out of memory */
};

/* Make room for `more` bytes; false: out of memory. */
bool sl_piece_room(struct sl_piece *piece, size_t more);

/* Append an integer. The caller has made room: 10 bytes each. */
static inline void sl_piece_number(struct sl_piece *piece, uint64_t value)
{
  for (; value >= 0x80; value >>= 7)
    piece->bytes[piece->count++] = (uint8_t)(value | 0x80);
  piece->bytes[piece->count++] = (uint8_t)value;
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

/* Writes the piece as a script element of this kind, and empties it. `name` becomes its data-name. Returns the bytes in
 * the file. */
size_t sl_piece_write(struct sl_piece *piece, const char *kind, const char *name, struct sl_trace_file *file);

void sl_piece_free(struct sl_piece *piece);

#endif
