/* Disassembly of every standard row with random operands, and of every CSR, compared with GNU objdump (-M no-aliases),
 * for both register forms of floating point. The assembler's attributes tell objdump the extensions. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "isa/isa.h"
#include "random.h"

#define TOOLS "riscv64-unknown-elf-"

enum { WORDS_PER_ROW = 250, CSRS = 4096, START = 0x08000400, MOST_WORDS = SL_OP_COUNT * WORDS_PER_ROW + CSRS };

struct listing {
  unsigned sets;
  const char *march;
  unsigned count;
  uint32_t words[MOST_WORDS];
  char folder[64];
};

/* objdump requires reserved fields to be 0: the registers of fences, and all fence modes except one. */
static uint32_t without_reserved_bits(unsigned op, uint32_t word, uint64_t *seed)
{
  if (op == SL_OP_FENCE_I)
    return sl_op_info(op)->match;
  if (op == SL_OP_FENCE)
    return random_below(seed, 50) == 0 ? 0x8330000f : word & 0x0ff0707f;
  return word;
}

enum { OWN = SL_ISA_SIMT | SL_ISA_HOST | SL_ISA_WARP | SL_ISA_ZICOND | SL_ISA_WIDE | SL_ISA_LINEAR };

/* Every row of the sets except the machines' own extensions and names that GNU objdump lacks. */
static void choose_words(struct listing *l)
{
  uint64_t seed = 1;
  l->count = 0;
  for (unsigned op = SL_OP_UNKNOWN + 1; op < SL_OP_COUNT; op++) {
    const struct sl_op_info *info = sl_op_info(op);
    const bool standard = ((unsigned)info->set & OWN) == 0;
    for (unsigned i = 0; standard && ((unsigned)info->set & l->sets) && i < WORDS_PER_ROW; i++)
      l->words[l->count++] = without_reserved_bits(op, info->match | (random32(&seed) & ~info->mask), &seed);
  }
  for (uint32_t csr = 0; csr < CSRS; csr++)
    l->words[l->count++] = sl_op_info(SL_OP_CSRRS)->match | 10 << 7 | csr << 20;
}

static void assemble(const struct listing *l)
{
  char command[512], path[128];
  snprintf(path, sizeof path, "%s/a.s", l->folder);
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  for (unsigned i = 0; i < l->count; i++)
    fprintf(file, ".insn 0x%08x\n", (unsigned)l->words[i]);
  assert_int_equal(fclose(file), 0);
  snprintf(command, sizeof command, TOOLS "as -march=%s -o %s/a.o %s/a.s", l->march, l->folder, l->folder);
  if (system(command) != 0)
    fail_msg("cannot run: %s", command);
}

/* The text of an instruction line after address and word, without the symbols that objdump adds. NULL: another line. */
static char *text_of(char *line)
{
  char *tab = strchr(line, ':') != NULL ? strchr(line, '\t') : NULL;
  tab = tab != NULL ? strchr(tab + 1, '\t') : NULL;
  if (tab == NULL)
    return NULL;
  tab[1 + strcspn(tab + 1, " \n")] = '\0';
  return tab + 1;
}

static void compare(const struct listing *l)
{
  char command[512], line[512], ours[128];
  snprintf(command, sizeof command, TOOLS "objdump -d -M no-aliases --adjust-vma=0x%x %s/a.o", START, l->folder);
  FILE *pipe = popen(command, "r");
  assert_non_null(pipe);
  unsigned compared = 0, different = 0;
  while (fgets(line, sizeof line, pipe) != NULL) {
    const char *theirs = text_of(line);
    if (theirs == NULL)
      continue;
    assert_true(compared < l->count);
    const struct sl_insn in = sl_decode(l->words[compared], l->sets);
    sl_disassemble(&in, START + 4 * compared, ours, sizeof ours);
    compared++;
    if (strcmp(ours, theirs) == 0)
      continue;
    if (different++ < 20)
      print_error("0x%08x: ours '%s', objdump's '%s'\n", (unsigned)in.word, ours, theirs);
  }
  assert_int_equal(pclose(pipe), 0);
  assert_int_equal(compared, l->count);
  assert_int_equal(different, 0);
}

static void agree(struct listing *l)
{
  const char *tmp = getenv("TMPDIR");
  snprintf(l->folder, sizeof l->folder, "%s/simtlab-XXXXXX", tmp != NULL && strlen(tmp) < 40 ? tmp : "/tmp");
  assert_non_null(mkdtemp(l->folder));
  choose_words(l);
  assemble(l);
  compare(l);
  char command[128];
  snprintf(command, sizeof command, "rm -r %s", l->folder);
  assert_int_equal(system(command), 0);
}

enum { INTEGER = SL_ISA_I | SL_ISA_M | SL_ISA_A | SL_ISA_ZICSR };

static void separate_registers_read_as_in_objdump(void **state)
{
  (void)state;
  static struct listing l = {.sets = INTEGER | SL_ISA_F, .march = "rv32imaf_zicsr_zifencei"};
  agree(&l);
}

static void zfinx_reads_as_in_objdump(void **state)
{
  (void)state;
  static struct listing l = {.sets = INTEGER | SL_ISA_ZFINX, .march = "rv32ima_zicsr_zifencei_zfinx"};
  agree(&l);
}

/* The two sets above cover all standard rows. */
static void every_standard_row_is_in_one_of_the_forms(void **state)
{
  (void)state;
  for (unsigned op = SL_OP_UNKNOWN + 1; op < SL_OP_COUNT; op++) {
    const unsigned set = sl_op_info(op)->set;
    assert_true(set & (INTEGER | SL_ISA_ZFINX | SL_ISA_F | OWN));
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(separate_registers_read_as_in_objdump),
      cmocka_unit_test(zfinx_reads_as_in_objdump),
      cmocka_unit_test(every_standard_row_is_in_one_of_the_forms),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
