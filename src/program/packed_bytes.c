#include "program/packed_bytes.h"

#include <stdlib.h>
#include <string.h>
#include <zstd.h>

bool sl_is_packed(const char *bytes, size_t size)
{
  static const unsigned char begin[4] = {0x28, 0xb5, 0x2f, 0xfd};
  return size >= sizeof begin && memcmp(bytes, begin, sizeof begin) == 0;
}

/* Grows the buffer by half, or to its initial size. */
static bool grow(char **text, size_t *room)
{
  const size_t wanted = *room > 0 ? *room + *room / 2 : 1 << 20;
  char *larger = realloc(*text, wanted);
  if (larger == NULL)
    return false;
  *text = larger;
  *room = wanted;
  return true;
}

enum sl_status sl_unpack(const char *name, const char *bytes, size_t size, size_t most, char **text, size_t *text_size,
                         struct sl_error *err)
{
  ZSTD_DCtx *unpacker = ZSTD_createDCtx();
  ZSTD_inBuffer in = {bytes, size, 0};
  size_t room = 0, left = 1;
  bool stuck = false;
  enum sl_status code = unpacker != NULL ? SL_OK : sl_no_memory(err, sizeof *text);
  *text = NULL;
  *text_size = 0;
  while (code == SL_OK && !stuck && (in.pos < in.size || left > 0)) {
    if (*text_size == room && !grow(text, &room)) {
      code = sl_no_memory(err, 2 * room);
      break;
    }
    ZSTD_outBuffer out = {*text + *text_size, room - *text_size, 0};
    left = ZSTD_decompressStream(unpacker, &out, &in);
    stuck = in.pos == in.size && left > 0 && out.pos < out.size; /* the decompressor needs more input than there is */
    *text_size += out.pos;
    if (*text_size > most) {
      code = sl_fail(err, SL_USAGE, "%.200s: damaged, or too large: it holds more than %zu bytes", name, most);
      break;
    }
    if (ZSTD_isError(left))
      code = sl_fail(err, SL_USAGE, "%.200s: damaged, it cannot be decompressed (%s)", name, ZSTD_getErrorName(left));
  }
  ZSTD_freeDCtx(unpacker);
  if (code == SL_OK && stuck)
    code = sl_fail(
        err, SL_USAGE,
        "%.200s: truncated: the compressed file is incomplete, because the run that wrote it did not end or it was "
        "not copied whole",
        name);
  if (code != SL_OK) {
    free(*text);
    *text = NULL;
  }
  return code;
}
