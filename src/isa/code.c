#include "isa/code.h"

#include <stdlib.h>
#include <string.h>

enum { LEAST = 1024 /* words: initial size of a growing memory */ };

enum sl_status sl_code_init(struct sl_code *code, const struct sl_isa *isa, unsigned sets, uint32_t base,
                            uint32_t count, struct sl_error *err)
{
  *code = (struct sl_code){
      .isa = isa, .sets = sets, .base = base, .word_bytes = isa->word_bytes, .shift = sl_log2(isa->word_bytes)};
  return sl_code_grow(code, count) ? SL_OK : sl_no_memory(err, count * sizeof *code->insn);
}

void sl_code_free(struct sl_code *code)
{
  free(code->insn);
  *code = (struct sl_code){0};
}

/* The first allocation has exactly the required size; later ones double it. */
static bool make_room(struct sl_code *code, uint32_t count)
{
  uint32_t room = code->count == 0 ? count : code->room < LEAST ? LEAST : code->room;
  while (room < count)
    room = room > UINT32_MAX / 2 ? count : room * 2;
  /* The first piece is of zeros, of which the host's kernel finds memory for those that are touched. */
  struct sl_insn *insn = code->insn == NULL ? calloc(room, sizeof *insn) : realloc(code->insn, room * sizeof *insn);
  if (insn == NULL)
    return false;
  code->insn = insn;
  code->room = room;
  return true;
}

bool sl_code_grow(struct sl_code *code, uint32_t count)
{
  static const struct sl_insn zeros;
  const struct sl_insn empty = code->isa->decode(0, code->sets);
  const bool first = code->insn == NULL;
  if (count > code->room && !make_room(code, count))
    return false;
  if (first && memcmp(&empty, &zeros, sizeof empty) == 0)
    code->count = count;
  for (; code->count < count; code->count++)
    code->insn[code->count] = empty;
  return true;
}

static bool names_more(const struct sl_insn *in, unsigned registers)
{
  return in->rd >= registers || in->rs1 >= registers || in->rs2 >= registers || in->rs3 >= registers;
}

void sl_code_write(struct sl_code *code, uint32_t index, uint64_t word)
{
  struct sl_insn in = code->isa->decode(word, code->sets);
  if (code->registers != 0 && names_more(&in, code->registers))
    in = (struct sl_insn){.op = SL_OP_UNKNOWN, .kind = SL_KIND_UNKNOWN, .isa = in.isa, .word = word};
  code->insn[index] = in;
}
