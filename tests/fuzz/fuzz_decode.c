/* Decoding, disassembly and encoding of any word agree. Input: a byte that selects the extensions, then words. */
#include <string.h>

#include "encode.h"
#include "harness.h"

#define EVERY_SET (~0u)

enum { LONGEST_TEXT = 128, MOST_WORDS = 256 };

static bool same_fields(const struct sl_insn *a, const struct sl_insn *b)
{
  return a->op == b->op && a->kind == b->kind && a->width == b->width && a->imm == b->imm;
}

/* The text is terminated, truncated at the end of the buffer (exactly allocated: a sanitizer detects one byte too
 * many), and starts with the name of the row. */
static void check_text(const struct sl_insn *in, uint32_t pc, char whole[LONGEST_TEXT])
{
  const char *name = sl_op_info(in->op)->name;
  const size_t length = sl_disassemble(in, pc, whole, LONGEST_TEXT);
  REQUIRE(length > 0 && length < LONGEST_TEXT - 1 && whole[length] == '\0');
  if (in->op != SL_OP_UNKNOWN)
    REQUIRE(strncmp(whole, name, strlen(name)) == 0);
  const size_t room = 1 + in->word % LONGEST_TEXT;
  char *cut = malloc(room);
  if (cut == NULL)
    return;
  const size_t written = sl_disassemble(in, pc, cut, room);
  REQUIRE(written == (length < room ? length : room - 1));
  REQUIRE(memcmp(cut, whole, written) == 0 && cut[written] == '\0');
  free(cut);
}

/* The row matches, and encoding returns every bit that the row and its operands determine. */
static void check_known(const struct sl_insn *in, unsigned sets, uint32_t pc, const char *text)
{
  const struct sl_op_info *info = sl_op_info(in->op);
  uint32_t word, given;
  REQUIRE((in->word & info->mask) == info->match && ((unsigned)info->set & sets) != 0);
  REQUIRE(in->rd < 64 && in->rs1 < 64 && in->rs2 < 64 && in->csr < 4096);
  if (!sl_encode(in, &word, &given))
    return;
  REQUIRE(word == (in->word & given));
  const struct sl_insn again = sl_decode(word, sets);
  char text_again[LONGEST_TEXT];
  REQUIRE(same_fields(in, &again));
  sl_disassemble(&again, pc, text_again, sizeof text_again);
  REQUIRE(strcmp(text, text_again) == 0);
}

static void check_word(uint32_t word, unsigned sets)
{
  const uint32_t pc = word * 2654435761u & ~3u;
  const struct sl_insn in = sl_decode(word, sets);
  char text[LONGEST_TEXT];
  REQUIRE(in.op < SL_OP_COUNT && in.word == word && in.kind == sl_op_info(in.op)->kind);
  check_text(&in, pc, text);
  if (in.op != SL_OP_UNKNOWN)
    check_known(&in, sets, pc, text);
  sl_reads_rs1(&in);
  sl_reads_rs2(&in);
  sl_reads_rs3(&in);
  sl_writes_rd(&in);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  for (size_t i = 1; i + 4 <= size && i < MOST_WORDS * 4; i += 4) {
    uint32_t word;
    memcpy(&word, data + i, 4);
    check_word(word, EVERY_SET);
    check_word(word, data[0]);
    check_word(word, (data[0] & ~(unsigned)SL_ISA_FLOAT) | SL_ISA_F);
  }
  return 0;
}
