#include "observe/trace/trace_pieces.h"

#include <inttypes.h>
#include <stdlib.h>
#include <zlib.h>

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
  char text[4096];
  size_t n = 0;
  for (size_t i = 0; i < count; i += 3) {
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

size_t sl_piece_write(struct sl_piece *piece, const char *kind, const char *name, struct sl_trace_file *file)
{
  uLong size = compressBound(piece->count);
  uint8_t *packed = piece->lost ? NULL : malloc(size);
  /* Level 1: traces are long, and higher levels save 15 % of the bytes for three times the time. */
  if (packed == NULL || compress2(packed, &size, piece->bytes, piece->count, 1) != Z_OK) {
    piece->lost = true;
    size = 0;
  } else {
    sl_trace_file_print(file, "<script type=\"application/octet-stream\" data-kind=\"%s\" data-name=\"%s\" ", kind,
                        name);
    sl_trace_file_print(file, "data-rows=\"%" PRIu64 "\" data-first=\"%" PRIu64 "\" data-last=\"%" PRIu64 "\">",
                        piece->rows, piece->first, piece->last);
    put_base64(packed, size, file);
    sl_trace_file_print(file, "</script>\n");
  }
  free(packed);
  piece->count = 0;
  piece->rows = piece->first = piece->last = 0;
  return (size + 2) / 3 * 4;
}

void sl_piece_free(struct sl_piece *piece)
{
  free(piece->bytes);
  *piece = (struct sl_piece){0};
}
