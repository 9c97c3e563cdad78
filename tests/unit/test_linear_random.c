/* Random kernels with loops, branches and ways out of loops: what each linear instruction computes is what its vector
 * says, at every thread, block and iteration; and what operands are to read instead is the same polynomial. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "linear/linear_check.h"
#include "linear/linear_ptx.h"
#include "linear_plans.h"
#include "ptx/text/ptx_module.h"

enum { PROGRAMS = 300, REGISTERS = 10, WIDES = 5, DEPTH = 4 };

struct writer {
  char text[32768];
  size_t length;
  uint64_t x;
  unsigned labels, loops;
  unsigned leave[DEPTH + 1]; /* labels behind the loops around what is written */
};

static unsigned below(struct writer *w, unsigned n)
{
  w->x ^= w->x << 13, w->x ^= w->x >> 7, w->x ^= w->x << 17;
  return (unsigned)(w->x * UINT64_C(0x2545f4914f6cdd1d) >> 33) % n;
}

static void put(struct writer *w, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  const int n = vsnprintf(w->text + w->length, sizeof w->text - w->length, format, arguments);
  va_end(arguments);
  assert_true(n >= 0 && w->length + (size_t)n < sizeof w->text);
  w->length += (size_t)n;
}

/* A number, mostly small, of either sign. */
static int number(struct writer *w)
{
  return below(w, 8) == 0 ? (int)below(w, 1u << 30) - (1 << 29) : (int)below(w, 33) - 16;
}

static void operand(struct writer *w)
{
  if (below(w, 3) == 0)
    put(w, ", %d", number(w));
  else
    put(w, ", %%r%u", below(w, REGISTERS));
}

/* Words wrap around as vectors do; of 64 bits there is arithmetic that never was of 32. */
static void compute(struct writer *w)
{
  static const char *const two[] = {"add.s32", "sub.s32", "mul.lo.s32", "add.u32", "and.b32", "max.s32"};
  const unsigned to = below(w, REGISTERS), wide = below(w, WIDES);
  switch (below(w, 10)) {
  case 0: put(w, "mov.u32 %%r%u, %%r%u;\n", to, below(w, REGISTERS)); return;
  case 1: put(w, "shl.b32 %%r%u, %%r%u, %u;\n", to, below(w, REGISTERS), below(w, 5)); return;
  case 2:
    put(w, "mad.lo.s32 %%r%u, %%r%u", to, below(w, REGISTERS));
    operand(w);
    operand(w);
    break;
  case 3: put(w, "add.s32 %%r%u, %%r%u, %d", to, to, number(w)); break; /* what steps in loops */
  case 4: put(w, "add.s64 %%rd%u, %%rd%u, %d", wide, wide, number(w)); break;
  case 5: put(w, "mad.lo.s64 %%rd%u, %%rd%u, %d, %%rd%u", wide, below(w, WIDES), number(w), below(w, WIDES)); break;
  case 6: put(w, "mov.u32 %%r%u, %%%s.%c", to, below(w, 2) ? "tid" : "ctaid", "xyz"[below(w, 3)]); break;
  case 7: put(w, "ld.param.u32 %%r%u, [n%u]", to, below(w, 2)); break;
  default: put(w, "%s %%r%u, %%r%u", two[below(w, sizeof two / sizeof *two)], to, below(w, REGISTERS)); operand(w);
  }
  put(w, ";\n");
}

/* A condition that may differ by lane. */
static void test(struct writer *w)
{
  put(w, "setp.lt.s32 %%p0, %%r%u, %d;\n", below(w, REGISTERS), number(w));
}

static void statements(struct writer *w, unsigned depth);

static void branch(struct writer *w, unsigned depth)
{
  const unsigned label = w->labels++;
  test(w);
  put(w, "@%%p0 bra E%u;\n", label);
  statements(w, depth + 1);
  if (below(w, 2)) {
    put(w, "bra F%u;\nE%u:\n", label, label);
    statements(w, depth + 1);
    put(w, "F%u:\n", label);
  } else {
    put(w, "E%u:\n", label);
  }
}

/* It counts in a register that nothing else writes, to a number, an argument or something of each lane's own. */
static void loop(struct writer *w, unsigned depth)
{
  const unsigned label = w->labels++, counter = w->loops++;
  w->leave[depth] = label;
  put(w, "mov.u32 %%c%u, 0;\nL%u:\n", counter, label);
  statements(w, depth + 1);
  put(w, "add.s32 %%c%u, %%c%u, 1;\n", counter, counter);
  if (below(w, 3) == 0)
    put(w, "and.b32 %%t0, %%r%u, 3;\nsetp.lt.s32 %%p1, %%c%u, %%t0;\n", below(w, REGISTERS), counter);
  else
    put(w, "setp.lt.s32 %%p1, %%c%u, %u;\n", counter, 1 + below(w, 4));
  put(w, "@%%p1 bra L%u;\nX%u:\n", label, label);
  w->leave[depth] = UINT32_MAX;
}

static void leave(struct writer *w, unsigned depth)
{
  for (unsigned d = depth; d-- > 0;)
    if (w->leave[d] != UINT32_MAX) {
      test(w);
      put(w, "@%%p0 bra X%u;\n", w->leave[d]);
      return;
    }
}

static void statements(struct writer *w, unsigned depth)
{
  for (unsigned n = 1 + below(w, depth == 0 ? 12 : 5); n > 0; n--) {
    const unsigned what = below(w, 12);
    if (what == 0 && depth < DEPTH)
      branch(w, depth);
    else if (what <= 2 && depth < DEPTH)
      loop(w, depth);
    else if (what == 3)
      leave(w, depth);
    else if (what == 4)
      put(w, "st.shared.u32 [%%r%u+4], 0;\n", below(w, 1) + REGISTERS); /* a register that is always 0 */
    else
      compute(w);
  }
}

static void write_kernel(struct writer *w)
{
  static char body[sizeof w->text];
  w->length = 0;
  w->labels = w->loops = 0;
  memset(w->leave, 0xff, sizeof w->leave);
  for (unsigned i = 0; i < REGISTERS; i++)
    put(w,
        i % 3 == 0   ? "mov.u32 %%r%u, %%tid.x;\n"
        : i % 3 == 1 ? "mov.u32 %%r%u, %%ctaid.y;\n"
                     : "mov.u32 %%r%u, 5;\n",
        i);
  put(w, "mov.u32 %%r%u, 0;\n", REGISTERS);
  for (unsigned i = 0; i < WIDES; i++)
    put(w, i % 2 ? "ld.param.u64 %%rd%u, [a];\n" : "cvt.u64.u32 %%rd%u, %%r0;\n", i);
  statements(w, 0);
  for (unsigned i = 0; i < REGISTERS; i++)
    put(w, "st.shared.u32 [%%r%u+8], %%r%u;\n", REGISTERS, i);
  for (unsigned i = 0; i < WIDES; i++)
    put(w, "st.shared.u64 [%%r%u+16], %%rd%u;\n", REGISTERS, i);
  memcpy(body, w->text, w->length + 1);
  const unsigned counters = w->loops + 1;
  w->length = 0;
  put(w,
      ".version 6.4\n.target sm_70\n.address_size 64\n"
      ".visible .entry k(.param .u64 a, .param .u32 n0, .param .u32 n1)\n{\n.shared .align 8 .b8 space[64];\n"
      ".reg .pred %%p<2>;\n.reg .b32 %%r<%u>;\n.reg .b32 %%t<1>;\n.reg .b32 %%c<%u>;\n.reg .b64 %%rd<%u>;\n%sret;\n}\n",
      REGISTERS + 1, counters, WIDES, body);
}

static void plan_of(const struct sl_ptx_module *module, const char *text)
{
  struct sl_error err;
  struct sl_linear_code code;
  struct sl_linear_analysis a;
  assert_int_equal(sl_linear_from_ptx(&code, module, sl_ptx_entry(module, "k"), &err), SL_OK);
  assert_int_equal(sl_linear_analyse(&a, &code, NULL, &err), SL_OK);
  plan_is_right(&a, text);
  sl_linear_analysis_free(&a);
  sl_linear_code_free(&code);
}

static void run(const char *text, size_t length, struct sl_linear_tally *sum)
{
  struct sl_error err = {0};
  struct sl_ptx_module *m;
  struct sl_ptx_memory memory;
  struct sl_ptx_counts counts = {0};
  struct sl_linear_check check = {.subjects = NULL};
  const struct sl_ptx_engine engine = sl_linear_check_engine(&check);
  uint8_t params[16] = {0x00, 0x10, 0, 0, 1, 0, 0, 0, 7, 0, 0, 0, 0xfd, 0xff, 0xff, 0xff}; /* 2^32 + 4096, 7, -3 */
  if (sl_ptx_parse(&m, text, length, "random", NULL, &err) != SL_OK)
    fail_msg("%s\n%s", err.text, text);
  plan_of(m, text);
  assert_int_equal(sl_ptx_memory_init(&memory, m, &err), SL_OK);
  const struct sl_ptx_launch launch = {.module = m,
                                       .kernel = sl_ptx_entry(m, "k"),
                                       .grid = {2, 2, 1},
                                       .block = {9, 2, 3}, /* the second warp has 22 threads */
                                       .params = params,
                                       .memory = &memory};
  if (engine.run(engine.context, &launch, &counts, &err) != SL_OK)
    fail_msg("%s\n%s", err.text, text);
  if (check.tally.wrong > 0)
    fail_msg("%s\n%s", check.tally.first, text);
  assert_int_equal(check.tally.refused, 0);
  sum->compared += check.tally.compared;
  sum->iterated += check.tally.iterated;
  sl_linear_check_free(&check);
  sl_ptx_memory_free(&memory);
  sl_ptx_free(m);
}

static void values_are_those_of_their_vectors(void **state)
{
  (void)state;
  static struct writer w;
  struct sl_linear_tally sum = {.compared = 0};
  const char *programs = getenv("PROGRAMS");
  const unsigned count = programs != NULL ? (unsigned)strtoul(programs, NULL, 10) : PROGRAMS;
  for (unsigned seed = 1; seed <= count; seed++) {
    w.x = seed * UINT64_C(0x9e3779b97f4a7c15);
    write_kernel(&w);
    run(w.text, w.length, &sum);
  }
  /* So that it is no test of nothing. */
  assert_true(sum.compared > 1000u * count);
  assert_true(sum.iterated > 100u * count);
  print_message("%u kernels: %llu values compared, %llu of them in loops\n", count, (unsigned long long)sum.compared,
                (unsigned long long)sum.iterated);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(values_are_those_of_their_vectors)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
