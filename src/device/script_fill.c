/* Initial contents of buffers and variables, checksums, and options of textures. */
#include <stdlib.h>
#include <string.h>

#include "base/keys.h"
#include "device/script.h"
#include "program/program.h"

static uint32_t next_random(uint64_t *x)
{
  *x = *x * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)(*x >> 33);
}

static uint32_t float_bits(float value)
{
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

static enum sl_status from_file(const char *path, uint8_t *to, uint64_t bytes, struct sl_error *err)
{
  char *content;
  size_t size;
  enum sl_status code = sl_file_bytes_read(path, &content, &size, err);
  if (code != SL_OK)
    return code;
  if (size > bytes)
    code = sl_fail(err, SL_USAGE, "%.300s has %zu bytes, more than the %llu of the buffer", path, size,
                   (unsigned long long)bytes);
  else
    memcpy(to, content, size);
  free(content);
  return code;
}

static uint32_t ramp(const struct sl_script_fill *fill, uint64_t index)
{
  const int64_t value = (int32_t)fill->value + (int64_t)index, last = (uint32_t)fill->seed;
  return (uint32_t)(value < 0 ? 0 : value > last ? last : value);
}

enum sl_status sl_script_fill(const struct sl_script_fill *fill, uint8_t *to, uint64_t bytes, struct sl_error *err)
{
  uint64_t x = fill->seed;
  uint32_t sum = 0;
  if (fill->kind == SL_SCRIPT_FILL_FILE)
    return from_file(fill->path, to, bytes, err);
  for (uint64_t i = 0; i < bytes / 4 && fill->kind != SL_SCRIPT_FILL_ZERO; i++) {
    uint32_t word = 0;
    switch (fill->kind) {
    case SL_SCRIPT_FILL_IOTA: word = (uint32_t)i; break;
    case SL_SCRIPT_FILL_RAMP: word = ramp(fill, i); break;
    case SL_SCRIPT_FILL_CONST: word = (uint32_t)fill->value; break;
    case SL_SCRIPT_FILL_RANDU: word = (uint32_t)(next_random(&x) % fill->value); break;
    case SL_SCRIPT_FILL_RANDF: word = float_bits((float)(next_random(&x) & 0xffff) / 65536.0f); break;
    default: word = sum; sum += (uint32_t)(next_random(&x) % (2 * fill->value + 1));
    }
    memcpy(to + 4 * i, &word, sizeof word);
  }
  return SL_OK;
}

uint64_t sl_script_sum(const uint8_t *bytes, uint64_t count)
{
  uint64_t sum =
      UINT64_C(1469598103934665603); /* the recorded sums use this basis, which lacks the last digit, 7, of FNV's */
  for (uint64_t i = 0; i < count; i++)
    sum = (sum ^ bytes[i]) * UINT64_C(0x100000001b3);
  return sum;
}

bool sl_script_texture_option(struct sl_ptx_texture *t, const char *word)
{
  static const char *const modes[] = {[SL_PTX_TEXTURE_CLAMP] = "clamp",
                                      [SL_PTX_TEXTURE_WRAP] = "wrap",
                                      [SL_PTX_TEXTURE_MIRROR] = "mirror",
                                      [SL_PTX_TEXTURE_BORDER] = "border"};
  enum { MOST_DEPTH = 1 << 16 };
  const char *number = strchr(word, '=');
  uint64_t value = 0;
  if (strcmp(word, "linear") == 0)
    return t->linear = true;
  if (strcmp(word, "unit") == 0)
    return t->normalised_coordinates = true;
  if (strcmp(word, "layered") == 0)
    return t->layered = true;
  if (number == NULL)
    return false;
  number++;
  if (word[0] >= 'x' && word[0] <= 'z' && word[1] == '=') {
    for (unsigned i = 0; i < sizeof modes / sizeof *modes; i++)
      if (strcmp(number, modes[i]) == 0) {
        t->mode[word[0] - 'x'] = (enum sl_ptx_texture_mode)i;
        return true;
      }
    return false;
  }
  if (!sl_take_digits(&number, &value) || *number != '\0' || value > UINT32_MAX)
    return false;
  if (strncmp(word, "pitch=", 6) == 0)
    t->pitch = value;
  else if (strncmp(word, "depth=", 6) == 0 && value <= MOST_DEPTH)
    t->depth = (uint32_t)value;
  else
    return false;
  return true;
}

uint64_t sl_script_texture_end(const struct sl_ptx_texture *t)
{
  const uint64_t row = (uint64_t)t->width * sl_ptx_type_bytes(t->type) * t->channels;
  const uint64_t rows = (t->height > 0 ? t->height : 1) * (uint64_t)(t->depth > 0 ? t->depth : 1);
  return t->address + (rows - 1) * (t->pitch > 0 ? t->pitch : row) + row;
}
