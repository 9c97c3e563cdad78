/* The assembler of inline assembly. Input: a text. */
#include <string.h>

#include "compiler/isa64/assembler/assembler64.h"
#include "harness.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  struct sl_object64 object = {0};
  struct sl_assembly64 assembly;
  struct sl_error err = {0};
  char *text = malloc(size + 1);
  REQUIRE(text != NULL);
  memcpy(text, data, size);
  text[size] = '\0';
  const enum sl_status code = sl_assemble64(text, &object, &assembly, &err);
  REQUIRE(code == SL_OK || (code == SL_USAGE && strncmp(err.text, "inline assembly: ", 17) == 0));
  for (size_t i = 0; code == SL_OK && i < assembly.count; i++) {
    REQUIRE(assembly.code[i].fix == SL_FIX_NONE || assembly.code[i].symbol < object.symbol_count);
    REQUIRE(sl_wide_encode(&assembly.code[i].insn) != 0);
  }
  if (code == SL_OK)
    sl_assembly64_free(&assembly);
  sl_object64_free(&object);
  free(text);
  return 0;
}
