/* The translation of RV32 objects and of archives' members. Input: an object or an archive. */
#include <string.h>

#include "compiler/isa64/object64.h"
#include "compiler/isa64/rv32/rv32_object.h"
#include "harness.h"

enum { MOST_MEMBERS = 8 };

static void check(enum sl_status code, struct sl_object64 *object, const struct sl_error *err)
{
  struct sl_error reason;
  if (code != SL_OK) {
    REQUIRE(code == SL_USAGE && strncmp(err->text, "fuzz", 4) == 0);
    return;
  }
  REQUIRE(sl_object64_check(object, &reason) == SL_OK);
  for (size_t i = 0; i < object->section_count; i++)
    for (size_t k = 0; k < object->sections[i].code_count; k++)
      REQUIRE(sl_wide_encode(&object->sections[i].code[k].insn) != 0);
  sl_object64_free(object);
}

static void read_archive(const uint8_t *data, size_t size)
{
  struct sl_rv32_archive archive;
  struct sl_error err = {0};
  uint8_t *copy = malloc(size + 1);
  REQUIRE(copy != NULL);
  memcpy(copy, data, size);
  if (sl_rv32_archive_parse("fuzz.a", copy, size, &archive, &err) != SL_OK) {
    REQUIRE(strncmp(err.text, "fuzz.a: ", 8) == 0);
    return;
  }
  for (size_t i = 0; i < archive.symbol_count && i < MOST_MEMBERS; i++) {
    struct sl_object64 object;
    const enum sl_status code = sl_rv32_archive_member(&archive, archive.symbols[i].member, &object, &err);
    check(code, &object, &err);
  }
  sl_rv32_archive_free(&archive);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  struct sl_object64 object;
  struct sl_error err = {0};
  const enum sl_status code = sl_rv32_object_parse("fuzz.o", data, size, &object, &err);
  check(code, &object, &err);
  if (size >= 8 && memcmp(data, "!<arch>\n", 8) == 0)
    read_archive(data, size);
  return 0;
}
