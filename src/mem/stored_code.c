#include "mem/stored_code.h"

#include <stdlib.h>

enum { WORD = 4, ALIGNMENT = 8 /* of the longest instruction */ };

enum sl_status sl_stored_code_extend(struct sl_stored_code *code, uint32_t first, uint64_t end, struct sl_error *err)
{
  const uint64_t before = code->bytes != 0 ? (uint64_t)code->base + code->bytes : 0;
  const uint32_t aligned = first & ~(uint32_t)(ALIGNMENT - 1);
  const uint32_t base = code->bytes != 0 && code->base < aligned ? code->base : aligned;
  const uint64_t last = before > end ? before : (end + ALIGNMENT - 1) & ~(uint64_t)(ALIGNMENT - 1);
  uint32_t *writer = calloc((size_t)((last - base) / WORD) + 1, sizeof *writer);
  if (writer == NULL)
    return sl_no_memory(err, (size_t)(last - base));
  free(code->writer);
  const bool any = code->any;
  *code = (struct sl_stored_code){.base = base, .bytes = (uint32_t)(last - base), .writer = writer};
  if (any)
    sl_stored_code_note_all(code);
  return SL_OK;
}

void sl_stored_code_free(struct sl_stored_code *code)
{
  free(code->writer);
  *code = (struct sl_stored_code){0};
}

void sl_stored_code_note(struct sl_stored_code *code, uint32_t address, unsigned width, uint32_t pc)
{
  for (uint64_t at = address & ~(uint32_t)(WORD - 1); at < (uint64_t)address + width; at += WORD)
    if (at >= code->base && at - code->base < code->bytes) {
      code->writer[(at - code->base) / WORD] = pc;
      code->any = true;
    }
}

void sl_stored_code_note_all(struct sl_stored_code *code)
{
  for (uint32_t i = 0; i < code->bytes / WORD; i++)
    code->writer[i] = SL_WRITER_UNKNOWN;
  code->any = code->bytes != 0;
}
