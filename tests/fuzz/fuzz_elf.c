/* The program loader, with symbol and source-line look-ups. Input: a file. */
#include <string.h>

#include "harness.h"
#include "program/program.h"

enum { LOOK_UPS = 64 };

static volatile unsigned sink;

static void check_location(const struct sl_program *program, uint32_t address)
{
  struct sl_location at = sl_program_locate(program, address);
  char text[300], cut[16];
  if (at.function != NULL)
    REQUIRE(strlen(at.function) > 0);
  if (at.file != NULL)
    sink += (unsigned)strlen(at.file) + at.line;
  sl_location_format(program, address, text, sizeof text);
  sl_location_format(program, address, cut, sizeof cut);
  REQUIRE(text[0] != '\0' && strncmp(text, cut, strlen(cut)) == 0);
}

/* Every byte is readable, and segments are in order without overlaps. */
static void check_segment(const struct sl_program *program, size_t i)
{
  const struct sl_segment *segment = sl_program_segment(program, i);
  REQUIRE(segment->size > 0 && segment->file_size <= segment->size);
  REQUIRE((uint64_t)segment->address + segment->size <= UINT64_C(1) << 32);
  for (uint32_t b = 0; b < segment->file_size; b++)
    sink += segment->bytes[b];
  if (i > 0) {
    const struct sl_segment *lower = sl_program_segment(program, i - 1);
    REQUIRE(lower->address + lower->size <= segment->address);
  }
  for (uint32_t n = 0; n < LOOK_UPS; n++)
    check_location(program, segment->address + n * (segment->size / LOOK_UPS + 1));
  check_location(program, segment->address - 1);
  check_location(program, segment->address + segment->size);
}

static void check_program(const struct sl_program *program)
{
  uint32_t address;
  REQUIRE(sl_program_segment_count(program) > 0);
  for (size_t i = 0; i < sl_program_segment_count(program); i++)
    check_segment(program, i);
  check_location(program, sl_program_entry(program));
  const char *function = sl_program_locate(program, sl_program_entry(program)).function;
  if (function != NULL)
    REQUIRE(sl_program_symbol(program, function, &address));
  sl_program_symbol(program, "main", &address);
  sl_program_symbol(program, "", &address);
  sink += sl_program_end(program) + (uint32_t)sl_program_hash(program);
}

/* The start of a file determines its type, then its name. */
static void read_as(const char *name, const uint8_t *data, size_t size)
{
  struct sl_program *program = NULL;
  struct sl_error err = {0};
  enum sl_status code = sl_program_parse(name, data, size, &program, &err);
  if (code == SL_OK) {
    check_program(program);
    sl_program_free(program);
    return;
  }
  REQUIRE(code == SL_USAGE && strncmp(err.text, name, strlen(name)) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  read_as("fuzz.elf", data, size);
  read_as("fuzz.vxbin", data, size);
  return 0;
}
