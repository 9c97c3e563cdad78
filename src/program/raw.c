/* Raw images of Vortex's tools: a .bin is memory from 0x80000000 on; a .vxbin begins with its address range. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "program/image.h"

/* A .vxbin begins with the lowest address and the end address, uninitialised data included. */
enum { VXBIN_HEADER = 16 };

#define BIN_ADDRESS UINT32_C(0x80000000)

static bool ends_with(const char *text, const char *end)
{
  const size_t length = strlen(text), tail = strlen(end);
  return length >= tail && strcmp(text + length - tail, end) == 0;
}

bool sl_image_is_raw(const char *name)
{
  return ends_with(name, ".bin") || ends_with(name, ".vxbin");
}

static uint64_t number(const char *bytes)
{
  uint64_t value = 0;
  for (unsigned i = 0; i < 8; i++)
    value |= (uint64_t)(unsigned char)bytes[i] << (8 * i);
  return value;
}

static enum sl_status check_range(uint64_t low, uint64_t high, uint64_t bytes, struct sl_error *err)
{
  if (high > UINT32_MAX || low >= high)
    return sl_fail(err, SL_USAGE,
                   "its header says 0x%" PRIx64 " to 0x%" PRIx64 ", which is not a range of 32-bit addresses; a .vxbin "
                   "begins with two 64-bit addresses",
                   low, high);
  if (low % 4 != 0)
    return sl_fail(err, SL_USAGE, "its lowest address 0x%" PRIx64 " is not a multiple of 4", low);
  if (bytes > high - low)
    return sl_fail(err, SL_USAGE,
                   "its image of %" PRIu64 " bytes is larger than the %" PRIu64
                   " bytes that its header names; the file "
                   "is damaged",
                   bytes, high - low);
  return SL_OK;
}

enum sl_status sl_image_read_raw(struct sl_program *program, struct sl_error *err)
{
  const bool headed = ends_with(program->name, ".vxbin");
  const size_t skipped = headed ? VXBIN_HEADER : 0;
  if (program->size <= skipped)
    return sl_fail(err, SL_USAGE, "the file ends after %zu bytes, before any instruction", program->size);
  const uint64_t bytes = program->size - skipped;
  const uint64_t low = headed ? number(program->bytes) : BIN_ADDRESS;
  const uint64_t high = headed ? number(program->bytes + 8) : BIN_ADDRESS + bytes;
  const enum sl_status code = check_range(low, high, bytes, err);
  if (code != SL_OK)
    return code;
  program->segments = calloc(1, sizeof *program->segments);
  if (program->segments == NULL)
    return sl_no_memory(err, sizeof *program->segments);
  program->segments[0] = (struct sl_segment){.address = (uint32_t)low,
                                             .size = (uint32_t)(high - low),
                                             .file_size = (uint32_t)bytes,
                                             .executable = true,
                                             .writable = true,
                                             .bytes = (const uint8_t *)program->bytes + skipped};
  program->segment_count = 1;
  program->entry = (uint32_t)low;
  return sl_lines_create(NULL, 0, &program->lines, err);
}
