/* ptx/ptx_ranges: kernels with more names than the scoreboard holds. Random programs with branches, loops and guards
 * run on the GPU and, thread by thread, in an interpreter here. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "ptx/ptx.h"
#include "ptx_kernel.h"

enum { NAMES = 1400, LIVE = 150, LENGTH = 2600, THREADS = 64, ROOM = 1 << 18 };

enum kind { OP, GUARDED, SKIP, LOOP };

struct insn {
  enum kind kind;
  unsigned d, a, b, target; /* SKIP: forward if a is odd; LOOP: back to target, three times in all */
  uint32_t constant;
};

static uint32_t below(uint64_t *x, uint32_t n)
{
  *x = *x * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)(*x >> 33) % n;
}

/* Each value has a name of its own, or takes the name of an earlier one. LIVE of them are operands at a time. */
static unsigned invent(struct insn *code, unsigned *live, uint64_t *x)
{
  unsigned names = LIVE;
  for (unsigned i = 0; i < LIVE; i++)
    live[i] = i;
  for (unsigned pc = 0; pc < LENGTH; pc++) {
    struct insn *in = &code[pc];
    const unsigned place = below(x, LIVE);
    *in = (struct insn){.kind = below(x, 8) == 0 ? GUARDED : OP,
                        .a = live[below(x, LIVE)],
                        .b = live[below(x, LIVE)],
                        .constant = below(x, 1u << 30)};
    if (pc % 40 == 39) {
      in->kind = pc % 400 == 399 ? LOOP : SKIP;
      in->target = in->kind == LOOP ? pc - 25 : pc + 1 + below(x, 30);
      continue;
    }
    const bool fresh = in->kind == OP && names < NAMES && below(x, 3) != 0;
    in->d = fresh ? names++ : live[place];
    /* A new name is an operand only where every path has written it. */
    if (fresh && pc % 40 > 29)
      live[place] = in->d;
  }
  return names;
}

static void write_text(const struct insn *code, const unsigned *live, char *text)
{
  size_t n = 0;
#define PUT(...) n += (size_t)snprintf(text + n, ROOM - n, __VA_ARGS__)
  PUT("%s%s.reg .b32 %%v<%d>; .reg .b32 %%c<%d>; ld.global.u32 %%v0, [%%i];\n", PTX_HEAD, PTX_ENTRY(4), NAMES, LENGTH);
  for (unsigned i = 1; i < NAMES; i++)
    if (i < LIVE)
      PUT("mad.lo.u32 %%v%u, %%v%u, 69069, %u;\n", i, i - 1, i);
  for (unsigned pc = 0; pc < LENGTH; pc++)
    if (code[pc].kind == LOOP)
      PUT("mov.u32 %%c%u, 0;\n", pc);
  for (unsigned pc = 0; pc < LENGTH; pc++) {
    const struct insn *in = &code[pc];
    PUT("$L%u:\n", pc);
    switch (in->kind) {
    case GUARDED:
      PUT("setp.lt.u32 %%p1, %%v%u, 0x80000000;\n@%%p1 ", in->a);
      /* fall through */
    case OP: PUT("mad.lo.u32 %%v%u, %%v%u, %u, %%v%u;\n", in->d, in->a, in->constant | 1, in->b); break;
    case SKIP: PUT("and.b32 %%r1, %%v%u, 1;\nsetp.ne.u32 %%p1, %%r1, 0;\n@%%p1 bra $L%u;\n", in->a, in->target); break;
    case LOOP:
      PUT("add.u32 %%c%u, %%c%u, 1;\nsetp.lt.u32 %%p1, %%c%u, 3;\n@%%p1 bra $L%u;\n", pc, pc, pc, in->target);
      break;
    }
  }
  for (unsigned i = LENGTH; i < LENGTH + 31; i++)
    PUT("$L%u:\n", i);
  PUT("mov.u32 %%r1, 0;\n");
  for (unsigned i = 0; i < LIVE; i++)
    PUT("mad.lo.u32 %%r1, %%r1, 31, %%v%u;\n", live[i]);
  PUT("st.global.u32 [%%o], %%r1;\nret;\n}\n");
  assert_true(n < ROOM - 1);
}

static uint32_t interpret(const struct insn *code, const unsigned *live, uint32_t first)
{
  static uint32_t v[NAMES], count[LENGTH];
  memset(count, 0, sizeof count);
  v[0] = first;
  for (unsigned i = 1; i < LIVE; i++)
    v[i] = v[i - 1] * 69069 + i;
  for (unsigned pc = 0; pc < LENGTH;) {
    const struct insn *in = &code[pc++];
    if (in->kind == OP || (in->kind == GUARDED && v[in->a] < 0x80000000))
      v[in->d] = v[in->a] * (in->constant | 1) + v[in->b];
    else if ((in->kind == SKIP && v[in->a] % 2 != 0) || (in->kind == LOOP && ++count[pc - 1] < 3))
      pc = in->target;
  }
  uint32_t sum = 0;
  for (unsigned i = 0; i < LIVE; i++)
    sum = sum * 31 + v[live[i]];
  return sum;
}

static void registers_fit(const char *text)
{
  struct sl_error err = {0};
  struct sl_ptx_module *m;
  assert_int_equal(sl_ptx_parse(&m, text, strlen(text), "ranges", NULL, &err), SL_OK);
  const struct sl_ptx_function *k = sl_ptx_entry(m, "k");
  assert_true(k->shares);
  assert_true(k->registers >= LIVE && k->registers < SL_PTX_TOLD_APART / 2);
  assert_true(k->register_bytes < k->registers * 256);
  sl_ptx_free(m);
}

static void kernels_with_many_names_compute_the_same(void **state)
{
  enum { PROGRAMS = 12 };
  static struct insn code[LENGTH];
  static char text[ROOM];
  unsigned live[LIVE];
  uint32_t in[THREADS], out[THREADS];
  (void)state;
  for (uint64_t seed = 1; seed <= PROGRAMS; seed++) {
    uint64_t x = seed * UINT64_C(0x9e3779b97f4a7c15);
    assert_int_equal(invent(code, live, &x), NAMES);
    write_text(code, live, text);
    registers_fit(text);
    for (unsigned i = 0; i < THREADS; i++)
      in[i] = below(&x, UINT32_MAX);
    ptx_kernel_run(&(struct ptx_kernel){
        .text = text, .threads = THREADS, .in = in, .in_bytes = sizeof in, .out = out, .out_bytes = sizeof out});
    for (unsigned i = 0; i < THREADS; i++)
      assert_int_equal(out[i], interpret(code, live, in[i]));
  }
}

/* All values are needed at the end: nothing can share. */
static void more_values_than_the_machine_holds_are_refused_with_timing(void **state)
{
  static char text[ROOM];
  uint32_t in[32] = {0}, out[32];
  struct sl_error err = {0};
  size_t n = 0;
  (void)state;
  PUT("%s%s.reg .b32 %%v<1200>;\nld.global.u32 %%v0, [%%i];\n", PTX_HEAD, PTX_ENTRY(4));
  for (unsigned i = 1; i < 1200; i++)
    PUT("add.u32 %%v%u, %%v0, %u;\n", i, i);
  for (unsigned i = 1; i < 1200; i++)
    PUT("add.u32 %%v0, %%v0, %%v%u;\n", i);
  PUT("st.global.u32 [%%o], %%v0;\nret;\n}\n");
  const struct ptx_kernel k = {.text = text, .in = in, .in_bytes = sizeof in, .out = out, .out_bytes = sizeof out};
  assert_int_equal(ptx_kernel_try(&k, 0, out, &err), SL_OK);
  assert_int_equal(out[5], 1199 * 1200 / 2);
  assert_int_equal(ptx_kernel_try(&k, 1, out, &err), SL_FAULT);
  assert_non_null(strstr(err.text, "registers at once, more than the 1024 that the machine can distinguish"));
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(kernels_with_many_names_compute_the_same),
                                     cmocka_unit_test(more_values_than_the_machine_holds_are_refused_with_timing)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
