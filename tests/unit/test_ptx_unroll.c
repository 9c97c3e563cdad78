/* Unrolled and predicated kernels leave the memory that they leave as written: each kernel runs in both shapes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "ptx/ptx.h"
#include "ptx/run/ptx_grid.h"

enum { THREADS = 64, WORDS = 128 /* of a thread */ };

struct memory {
  uint32_t word[THREADS][WORDS];
};

struct shape {
  int32_t unrolled;
  uint32_t predicated, count, branches_back;
};

static struct shape run(const char *text, const struct sl_ptx_options *options, struct memory *data)
{
  struct sl_error err = {0};
  struct sl_ptx_module *m;
  struct sl_ptx_memory memory;
  struct sl_ptx_counts counts = {0};
  uint64_t address;
  uint8_t params[8];
  if (sl_ptx_parse(&m, text, strlen(text), "k.ptx", options, &err) != SL_OK)
    fail_msg("%s", err.text);
  assert_int_equal(sl_ptx_memory_init(&memory, m, &err), SL_OK);
  assert_int_equal(sl_ptx_memory_allocate(&memory, sizeof *data, &address, &err), SL_OK);
  memcpy(sl_ptx_memory_at(&memory, address, sizeof *data), data, sizeof *data);
  memcpy(params, &address, sizeof params);
  const struct sl_ptx_function *k = sl_ptx_entry(m, "k");
  const struct sl_ptx_launch launch = {
      .module = m, .kernel = k, .grid = {1, 1, 1}, .block = {THREADS, 1, 1}, .params = params, .memory = &memory};
  if (sl_ptx_grid_run(&launch, &(struct sl_ptx_bounds){0}, &counts, &err) != SL_OK)
    fail_msg("%s", err.text);
  memcpy(data, sl_ptx_memory_at(&memory, address, sizeof *data), sizeof *data);
  struct shape shape = {.unrolled = k->unrolled, .predicated = k->predicated, .count = k->end - k->begin};
  for (uint32_t pc = k->begin; pc < k->end; pc++)
    shape.branches_back += m->code[pc].kind == SL_PTX_K_BRANCH && m->code[pc].target <= pc;
  sl_ptx_memory_free(&memory);
  sl_ptx_free(m);
  return shape;
}

/* Runs the text in both shapes; returns that with the options. */
static struct shape both(const char *text, const struct sl_ptx_options *options, const struct memory *before)
{
  static struct memory plain, changed;
  plain = changed = *before;
  (void)run(text, NULL, &plain);
  const struct shape shape = run(text, options, &changed);
  if (memcmp(&plain, &changed, sizeof plain) != 0)
    fail_msg("other memory:\n%s", text);
  return shape;
}

static const char head[] = ".version 6.4\n.target sm_70\n.address_size 64\n.visible .entry k(.param .u64 data)\n{\n"
                           ".reg .pred %p<9>;\n.reg .b32 %r<20>;\n.reg .b64 %rd<9>;\n"
                           "mov.u32 %r0, %tid.x;\nld.param.u64 %rd0, [data];\nmul.wide.u32 %rd1, %r0, 512;\n"
                           "add.s64 %rd0, %rd0, %rd1;\nmov.b32 %r2, 0;\nld.global.u32 %r3, [%rd0];\n";
static const char tail[] = "st.global.u32 [%rd0+4], %r1;\nst.global.u32 [%rd0+8], %r2;\nret;\n}\n";

static const struct sl_ptx_options unroll = {.unroll = true}, predicate = {.predicate = true};

/* A body between the head, where the thread's first word is in %r3, and the tail, which stores %r1 and %r2. */
static struct shape shape_of(const char *body, const struct sl_ptx_options *options)
{
  static char text[20480];
  static struct memory data;
  for (unsigned t = 0; t < THREADS; t++)
    for (unsigned i = 0; i < WORDS; i++)
      data.word[t][i] = i == 0 ? t % 23 : 1000 * t + i;
  snprintf(text, sizeof text, "%s%s%s", head, body, tail);
  return both(text, options, &data);
}

/* Rounds of a loop of `size` instructions, of which two are the comparison and the branch. */
static struct shape loop_of(unsigned rounds, unsigned size)
{
  static char body[16384];
  int n = snprintf(body, sizeof body, "mov.b32 %%r1, 0;\nL:\n");
  for (unsigned i = 3; i < size; i++)
    n += snprintf(body + n, sizeof body - (size_t)n, "xor.b32 %%r2, %%r2, %%r3;\n");
  snprintf(body + n, sizeof body - (size_t)n, "add.s32 %%r1, %%r1, 1;\nsetp.ne.s32 %%p1, %%r1, %u;\n@%%p1 bra L;\n",
           rounds);
  return shape_of(body, &unroll);
}

static void loops_with_few_rounds_disappear(void **state)
{
  (void)state;
  assert_int_equal(loop_of(1, 6).branches_back, 0);
  assert_int_equal(loop_of(2, 6).branches_back, 0);
  assert_int_equal(loop_of(20, 6).branches_back, 0);
}

/* (12 - 2) * 29 + 2 is below 300 instructions; a round more is not, and folding saves too little there. */
static void the_limit_is_300_instructions(void **state)
{
  (void)state;
  assert_int_equal(loop_of(29, 12).branches_back, 0);
  assert_int_equal(loop_of(30, 12).branches_back, 2);
  assert_int_equal(loop_of(32, 12).branches_back, 1); /* a multiple of four rounds: no others are left */
  assert_int_equal(loop_of(30, 78).branches_back, 1); /* four rounds have too many instructions */
}

static const char entered[] = "setp.lt.s32 %p0, %r3, 1;\nmov.b32 %r1, 0;\n@%p0 bra OUT;\n";

/* The bound is another one in each thread, from 0 to 22; with 0 the loop is not entered. */
static void loops_with_a_variable_bound_do_four_rounds_at_a_time(void **state)
{
  static const char *const ends[] = {
      "setp.lt.s32 %p1, %r1, %r3;\n@%p1 bra L;\n",           "setp.ne.s32 %p1, %r1, %r3;\n@%p1 bra L;\n",
      "setp.gt.u32 %p1, %r3, %r1;\n@%p1 bra L;\n",           "setp.ge.s32 %p1, %r1, %r3;\n@!%p1 bra L;\n",
      "setp.eq.s32 %p1, %r1, %r3;\n@%p1 bra OUT;\nbra L;\n", "setp.le.s32 %p1, %r1, %r3;\n@%p1 bra L;\n",
  };
  char body[1024];
  (void)state;
  for (unsigned i = 0; i < sizeof ends / sizeof *ends; i++) {
    snprintf(body, sizeof body, "%sL:\nmad.lo.s32 %%r2, %%r2, 7, %%r1;\nadd.s32 %%r1, %%r1, 1;\n%sOUT:\n", entered,
             ends[i]);
    const struct shape s = shape_of(body, &unroll);
    assert_int_equal(s.branches_back, 2);
    assert_int_equal(s.unrolled, 5 + 4 * 2 + 4); /* before, products and counters, behind */
  }
}

static void counters_fall_and_skip(void **state)
{
  char body[1024];
  (void)state;
  snprintf(body, sizeof body,
           "%smov.b32 %%r1, 64;\nL:\nmad.lo.s32 %%r2, %%r2, 7, %%r1;\nadd.s32 %%r1, %%r1, -3;\n"
           "setp.gt.s32 %%p1, %%r1, %%r3;\n@%%p1 bra L;\nOUT:\n",
           entered);
  assert_int_equal(shape_of(body, &unroll).branches_back, 2);
  snprintf(body, sizeof body,
           "%sshl.b32 %%r3, %%r3, 2;\nL:\nmad.lo.s32 %%r2, %%r2, 7, %%r3;\nadd.s32 %%r3, %%r3, -4;\n"
           "setp.ne.s32 %%p1, %%r3, 0;\n@%%p1 bra L;\nOUT:\n",
           entered);
  assert_int_equal(shape_of(body, &unroll).branches_back, 2);
  snprintf(body, sizeof body,
           "%scvt.u64.u32 %%rd3, %%r3;\nmov.u64 %%rd2, 0;\nL:\nmad.lo.s32 %%r2, %%r2, 7, %%r3;\n"
           "add.s64 %%rd2, %%rd2, 5;\nsetp.lt.u64 %%p1, %%rd2, %%rd3;\n@%%p1 bra L;\nOUT:\n",
           entered);
  assert_int_equal(shape_of(body, &unroll).branches_back, 2);
}

/* The bound is the largest number: a limit four rounds before it exists, but not one behind it. */
static void bounds_at_the_ends_of_the_numbers_hold(void **state)
{
  char body[1024];
  (void)state;
  snprintf(body, sizeof body,
           "%sadd.s32 %%r4, %%r3, 2147483624;\nsub.s32 %%r1, %%r4, %%r3;\nL:\n"
           "mad.lo.s32 %%r2, %%r2, 7, %%r1;\nadd.s32 %%r1, %%r1, 1;\nsetp.lt.s32 %%p1, %%r1, %%r4;\n"
           "@%%p1 bra L;\nOUT:\n",
           entered);
  assert_int_equal(shape_of(body, &unroll).branches_back, 2);
  snprintf(body, sizeof body,
           "%sneg.s32 %%r1, %%r3;\nL:\nmad.lo.s32 %%r2, %%r2, 7, %%r1;\nadd.s32 %%r1, %%r1, 1;\n"
           "setp.ne.s32 %%p1, %%r1, 3;\n@%%p1 bra L;\nOUT:\n",
           entered);
  assert_int_equal(shape_of(body, &unroll).branches_back, 2); /* through zero */
}

/* Such a loop does one round: the distance to the bound is negative, not large. */
static void counters_that_begin_behind_their_bound_do_one_round(void **state)
{
  static const char *const ends[] = {"setp.lt.s32 %p1, %r1, %r3;", "setp.le.u32 %p1, %r1, %r3;"};
  char body[1024];
  (void)state;
  for (unsigned i = 0; i < 2; i++) {
    snprintf(body, sizeof body,
             "mov.b32 %%r1, %%r3;\nadd.s32 %%r1, %%r1, 9;\nL:\nmad.lo.s32 %%r2, %%r2, 7, %%r1;\n"
             "add.s32 %%r1, %%r1, 1;\n%s\n@%%p1 bra L;\n",
             ends[i]);
    assert_int_equal(shape_of(body, &unroll).branches_back, 2);
  }
}

static void addresses_fold_into_offsets(void **state)
{
  static const char body[] = "mov.u64 %rd2, 0;\nL:\nadd.s64 %rd3, %rd0, %rd2;\nld.global.u32 %r4, [%rd3+16];\n"
                             "mad.lo.s32 %r2, %r2, 3, %r4;\nadd.s64 %rd2, %rd2, 4;\nsetp.ne.s64 %p1, %rd2, 32;\n"
                             "@%p1 bra L;\nmov.b32 %r1, 5;\n";
  (void)state;
  const struct shape s = shape_of(body, &unroll);
  assert_int_equal(s.branches_back, 0);
  /* 7 of the head, 8 loads, 8 products, the move of %r1, 3 of the tail, and the first %rd2. */
  assert_int_equal(s.count, 7 + 8 + 8 + 1 + 3 + 1 - 1);
}

static void nested_loops_disappear_from_the_inside(void **state)
{
  static const char body[] = "mov.b32 %r1, 0;\nA:\nmov.b32 %r5, 0;\nB:\nmad.lo.s32 %r2, %r2, 3, %r5;\n"
                             "xor.b32 %r2, %r2, %r1;\nadd.s32 %r5, %r5, 2;\nsetp.lt.s32 %p2, %r5, 7;\n@%p2 bra B;\n"
                             "add.s32 %r1, %r1, 1;\nsetp.ne.s32 %p1, %r1, 5;\n@%p1 bra A;\n";
  (void)state;
  assert_int_equal(shape_of(body, &unroll).branches_back, 0);
}

static void loops_that_break_or_must_not_stay(void **state)
{
  static const char *const bodies[] = {
      /* a way out in the middle */
      "mov.b32 %r1, 0;\nL:\nadd.s32 %r1, %r1, 1;\nsetp.gt.s32 %p2, %r1, %r3;\n@%p2 bra OUT;\nadd.s32 %r2, %r2, %r1;\n"
      "setp.ne.s32 %p1, %r1, 8;\n@%p1 bra L;\nOUT:\n",
      /* a return in the middle */
      "mov.b32 %r1, 0;\nL:\nadd.s32 %r1, %r1, 1;\nsetp.gt.s32 %p2, %r1, %r3;\n@%p2 ret;\nadd.s32 %r2, %r2, %r1;\n"
      "setp.ne.s32 %p1, %r1, 8;\n@%p1 bra L;\n",
      "mov.b32 %r1, 0;\nL:\n.pragma \"nounroll\";\nadd.s32 %r1, %r1, 1;\nadd.s32 %r2, %r2, %r1;\n"
      "setp.ne.s32 %p1, %r1, 8;\n@%p1 bra L;\n",
      /* a condition on loaded data */
      "mov.b32 %r1, 0;\nmov.u64 %rd2, %rd0;\nL:\nadd.s32 %r1, %r1, 1;\nld.global.u32 %r4, [%rd2];\nadd.s64 %rd2, %rd2, "
      "4;\n"
      "add.s32 %r2, %r2, %r4;\nsetp.lt.u32 %p1, %r2, 900;\n@%p1 bra L;\n",
  };
  (void)state;
  for (unsigned i = 0; i < sizeof bodies / sizeof *bodies; i++) {
    const struct shape s = shape_of(bodies[i], &unroll);
    assert_int_equal(s.unrolled, 0);
    assert_int_equal(s.branches_back, 1);
  }
}

/* What is guarded keeps the values of the other threads over all rounds. */
static void predicated_loops_unroll(void **state)
{
  static const char known[] =
      "mov.b32 %r1, 0;\nL:\nsetp.eq.s32 %p2, %r1, 3;\n@%p2 add.s32 %r2, %r2, %r3;\n"
      "@!%p2 xor.b32 %r2, %r2, %r1;\nadd.s32 %r1, %r1, 1;\nsetp.ne.s32 %p1, %r1, 8;\n@%p1 bra L;\n";
  static const char data[] = "mov.b32 %r1, 0;\nL:\nsetp.gt.s32 %p2, %r1, %r3;\n@%p2 mad.lo.s32 %r2, %r2, 5, %r1;\n"
                             "add.s32 %r1, %r1, 1;\nsetp.ne.s32 %p1, %r1, 8;\n@%p1 bra L;\n";
  (void)state;
  assert_int_equal(shape_of(known, &unroll).branches_back, 0);
  assert_int_equal(shape_of(data, &unroll).branches_back, 0);
}

static void short_branches_become_predicates(void **state)
{
  static const char one[] = "mov.b32 %r1, 9;\nsetp.gt.s32 %p1, %r3, 7;\n@%p1 bra OUT;\nadd.s32 %r1, %r1, %r3;\n"
                            "st.global.u32 [%rd0+12], %r1;\nld.global.u32 %r2, [%rd0+16];\nOUT:\n";
  static const char two[] =
      "setp.gt.s32 %p1, %r3, 7;\n@%p1 bra ELSE;\nmov.b32 %r1, 5;\nadd.s32 %r2, %r3, 1;\nbra OUT;\n"
      "ELSE:\nmov.b32 %r1, 6;\nOUT:\n";
  static const char inside[] =
      "mov.b32 %r1, 0;\nL:\nand.b32 %r4, %r1, %r3;\nsetp.eq.s32 %p2, %r4, 0;\n@%p2 bra E;\n"
      "add.s32 %r2, %r2, %r1;\nE:\nadd.s32 %r1, %r1, 1;\nsetp.ne.s32 %p1, %r1, 8;\n@%p1 bra L;\n";
  (void)state;
  assert_int_equal(shape_of(one, &predicate).predicated, 1);
  assert_int_equal(shape_of(two, &predicate).predicated, 2);
  const struct sl_ptx_options all = {.predicate = true, .unroll = true};
  const struct shape s = shape_of(inside, &all);
  assert_int_equal(s.predicated, 1);
  assert_int_equal(s.branches_back, 0);
}

/* A branch around `count` instructions, on the thread's data or on the number of the block's threads. */
static uint32_t branch_around(unsigned count, bool varying)
{
  char body[1024];
  int n = snprintf(body, sizeof body,
                   "mov.u32 %%r5, %%ntid.x;\nmov.b32 %%r1, 0;\nsetp.gt.s32 %%p1, %s, 7;\n@%%p1 bra OUT;\n",
                   varying ? "%r3" : "%r5");
  for (unsigned i = 0; i < count; i++)
    n += snprintf(body + n, sizeof body - (size_t)n, "mad.lo.s32 %%r1, %%r1, 3, %%r3;\n");
  snprintf(body + n, sizeof body - (size_t)n, "OUT:\n");
  return shape_of(body, &predicate).predicated;
}

/* CUDA C Programming Guide 4.2, section 5.4.2: 7 instructions, or 4 if the condition is alike in a warp. */
static void longer_branches_stay(void **state)
{
  (void)state;
  assert_int_equal(branch_around(7, true), 1);
  assert_int_equal(branch_around(8, true), 0);
  assert_int_equal(branch_around(4, false), 1);
  assert_int_equal(branch_around(5, false), 0);
}

static void branches_around_effects_stay(void **state)
{
  static const char *const bodies[] = {
      "mov.b32 %r1, 9;\nsetp.gt.s32 %p1, %r3, 7;\n@%p1 bra OUT;\natom.global.add.u32 %r1, [%rd0+12], 1;\nOUT:\n",
      "mov.b32 %r1, 9;\nsetp.gt.s32 %p1, %r3, 7;\n@%p1 bra OUT;\nsetp.gt.s32 %p1, %r3, 3;\n@%p1 mov.b32 %r1, "
      "1;\nOUT:\n",
      "mov.b32 %r1, 9;\nsetp.gt.s32 %p1, %r3, 7;\n@%p1 bra OUT;\nmov.b32 %r1, 1;\nIN:\nadd.s32 %r1, %r1, 1;\nOUT:\n"
      "setp.lt.s32 %p2, %r1, 3;\n@%p2 bra IN;\n",
  };
  (void)state;
  for (unsigned i = 0; i < sizeof bodies / sizeof *bodies; i++)
    assert_int_equal(shape_of(bodies[i], &predicate).predicated, 0);
}

/* Copies keep their line, and a profile adds up over them. */
static void copies_keep_their_place_in_the_text(void **state)
{
  static char text[4096];
  struct sl_ptx_module *m;
  struct sl_error err = {0};
  unsigned copies = 0;
  (void)state;
  snprintf(text, sizeof text,
           "%s.loc 1 77 3\nmov.b32 %%r1, 0;\nL:\n.loc 1 78 3\nmad.lo.s32 %%r2, %%r2, %%r3, %%r1;\n"
           ".loc 1 79 3\nadd.s32 %%r1, %%r1, 1;\nsetp.ne.s32 %%p1, %%r1, 6;\n@%%p1 bra L;\n%s",
           head, tail);
  assert_int_equal(sl_ptx_parse(&m, text, strlen(text), "k.ptx", &unroll, &err), SL_OK);
  for (uint32_t pc = 0; pc < m->code_count; pc++)
    if (m->code[pc].source > 0 && m->sources[m->code[pc].source - 1].line == 78) {
      assert_int_equal(m->code[pc].line, 19);
      copies++;
    }
  assert_int_equal(copies, 6);
  sl_ptx_free(m);
}

/* ---- random kernels ---------------------------------------------------------------------------------------------- */

static uint64_t next(uint64_t *x)
{
  *x ^= *x << 13, *x ^= *x >> 7, *x ^= *x << 17;
  return *x * UINT64_C(0x2545f4914f6cdd1d);
}

static unsigned below(uint64_t *x, unsigned n)
{
  return (unsigned)(next(x) >> 33) % n;
}

struct writer {
  char text[32768];
  size_t n;
  uint64_t x;
  unsigned labels;
};

#define PUT(...) w->n += (size_t)snprintf(w->text + w->n, sizeof w->text - w->n, __VA_ARGS__)

/* %r4 to %r9 are values, %r10 and %rd4 the counters of the outer loop, %r11 and %rd5 those of the inner one. */
static void put_statement(struct writer *w, unsigned depth)
{
  static const char *const ops[] = {"add.s32", "sub.s32", "mul.lo.s32", "xor.b32", "and.b32", "max.s32", "or.b32"};
  const unsigned d = 4 + below(&w->x, 6), a = 4 + below(&w->x, 6), b = 4 + below(&w->x, 6), q = 3 + below(&w->x, 3);
  if (below(&w->x, 5) == 0)
    PUT("@%s%%p%u ", below(&w->x, 2) ? "!" : "", q);
  switch (below(&w->x, 10)) {
  case 0: PUT("setp.lt.s32 %%p%u, %%r%u, %%r%u;\n", q, a, b); break;
  case 1: PUT("ld.global.u32 %%r%u, [%%rd%u+%u];\n", d, 3 + depth, 4 * below(&w->x, 16)); break;
  case 2: PUT("st.global.u32 [%%rd%u+%u], %%r%u;\n", 3 + depth, 4 * below(&w->x, 16), a); break;
  case 3: PUT("mov.b32 %%r%u, %%r%u;\n", d, a); break;
  case 4: PUT("mov.b32 %%r%u, %u;\n", d, below(&w->x, 9)); break;
  case 5: PUT("add.s32 %%r%u, %%r%u, %d;\n", d, a, (int)below(&w->x, 9) - 4); break;
  case 6: PUT("mad.lo.s32 %%r%u, %%r%u, 3, %%r%u;\n", d, a, 9 + (depth ? depth : 1)); break;
  case 7: PUT("selp.b32 %%r%u, %%r%u, %%r%u, %%p%u;\n", d, a, b, q); break;
  default: PUT("%s %%r%u, %%r%u, %%r%u;\n", ops[below(&w->x, 7)], d, a, b); break;
  }
}

static void put_hammock(struct writer *w, unsigned depth)
{
  const unsigned label = w->labels++, q = 3 + below(&w->x, 3);
  PUT("@%s%%p%u bra E%u;\n", below(&w->x, 2) ? "!" : "", q, label);
  for (unsigned i = below(&w->x, 5) + 1; i > 0; i--)
    put_statement(w, depth);
  if (below(&w->x, 2)) {
    PUT("bra F%u;\nE%u:\n", label, label);
    put_statement(w, depth);
    PUT("F%u:\n", label);
  } else
    PUT("E%u:\n", label);
}

/* A counter that grows or falls by a step until a bound, a number or another in each thread; a pointer goes along. */
static void put_loop(struct writer *w, unsigned depth)
{
  static const char *const up[] = {"lt.s32", "le.s32", "lt.u32", "ne.s32"}, *const down[] = {"gt.s32", "ge.s32",
                                                                                             "gt.s32", "ne.s32"};
  static const char *const not_up[] = {"ge.s32", "gt.s32", "ge.u32", "eq.s32"};
  const unsigned label = w->labels++, i = 9 + depth, relation = below(&w->x, 4), grows = below(&w->x, 3),
                 step = 1 + below(&w->x, 4);
  const unsigned rounds = 1 + below(&w->x, 11), form = below(&w->x, 3), p = depth;
  const bool number = below(&w->x, 2);
  const unsigned first = grows ? below(&w->x, 4) : 100;
  PUT("mov.b32 %%r%u, %u;\nand.b32 %%r%u, %%r3, 7;\nadd.s32 %%r%u, %%r%u, %u;\nmov.u64 %%rd%u, %%rd0;\n", i, first,
      12 + depth, 12 + depth, 12 + depth, 1 + below(&w->x, 5), 3 + depth);
  PUT("mul.lo.s32 %%r%u, %%r%u, %d;\nadd.s32 %%r%u, %%r%u, %u;\n", 12 + depth, 12 + depth,
      grows ? (int)step : -(int)step, 12 + depth, 12 + depth, first);
  PUT("L%u:\n", label);
  for (unsigned n = below(&w->x, 6) + 1; n > 0; n--)
    if (depth == 1 && below(&w->x, 8) == 0)
      put_loop(w, 2);
    else if (below(&w->x, 5) == 0)
      put_hammock(w, depth);
    else
      put_statement(w, depth);
  PUT("add.s64 %%rd%u, %%rd%u, 4;\nadd.s32 %%r%u, %%r%u, %d;\n", 3 + depth, 3 + depth, i, i,
      grows ? (int)step : -(int)step);
  PUT("setp.%s %%p%u, %%r%u, ", grows && form == 2 ? not_up[relation] : grows ? up[relation] : down[relation], p, i);
  if (number)
    PUT("%d;\n", (int)first + (grows ? (int)(step * rounds) : -(int)(step * rounds)));
  else
    PUT("%%r%u;\n", 12 + depth);
  if (!grows || form == 0)
    PUT("@%%p%u bra L%u;\n", p, label);
  else if (form == 1)
    PUT("@!%%p%u bra O%u;\nbra L%u;\n", p, label, label);
  else
    PUT("@!%%p%u bra L%u;\n", p, label);
  PUT("O%u:\n", label);
}

static void random_kernels_leave_the_same_memory(void **state)
{
  enum { KERNELS = 400 };
  static const struct sl_ptx_options options[] = {{.unroll = true},
                                                  {.predicate = true},
                                                  {.unroll = true, .predicate = true},
                                                  {.unroll = true, .predicate = true, .schedule = 64}};
  static struct writer writer;
  static struct memory data;
  struct writer *w = &writer;
  unsigned unrolled = 0, predicated = 0;
  (void)state;
  for (unsigned seed = 1; seed <= KERNELS; seed++) {
    w->n = w->labels = 0;
    w->x = seed * UINT64_C(0x9e3779b97f4a7c15);
    for (unsigned t = 0; t < THREADS; t++)
      for (unsigned i = 0; i < WORDS; i++)
        data.word[t][i] = below(&w->x, 2) ? (uint32_t)next(&w->x) : below(&w->x, 40);
    PUT("%s", head);
    for (unsigned i = 4; i < 10; i++)
      PUT("ld.global.u32 %%r%u, [%%rd0+%u];\n", i, 4 * i);
    PUT("mov.b32 %%r10, 1;\nmov.b32 %%r11, 2;\nmov.u64 %%rd4, %%rd0;\nmov.u64 %%rd5, %%rd0;\nmov.u64 %%rd3, %%rd0;\n");
    PUT("setp.lt.s32 %%p3, %%r4, %%r5;\nsetp.lt.s32 %%p4, %%r6, %%r7;\nsetp.lt.u32 %%p5, %%r0, 9;\n");
    for (unsigned n = 1 + below(&w->x, 3); n > 0; n--)
      put_loop(w, 1);
    for (unsigned i = 4; i < 12; i++)
      PUT("st.global.u32 [%%rd0+%u], %%r%u;\n", 400 + 4 * i, i);
    PUT("mov.b32 %%r1, %%r10;\nselp.b32 %%r2, 1, 0, %%p1;\n%s", tail);
    assert_true(w->n < sizeof w->text);
    for (unsigned i = 0; i < sizeof options / sizeof *options; i++) {
      const struct shape s = both(w->text, &options[i], &data);
      unrolled += i == 0 && s.unrolled != 0;
      predicated += i == 1 && s.predicated != 0;
    }
  }
  assert_in_range(unrolled, KERNELS / 4, KERNELS); /* the kernels are what they are for */
  assert_in_range(predicated, KERNELS / 4, KERNELS);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(loops_with_few_rounds_disappear),
                                     cmocka_unit_test(the_limit_is_300_instructions),
                                     cmocka_unit_test(loops_with_a_variable_bound_do_four_rounds_at_a_time),
                                     cmocka_unit_test(counters_fall_and_skip),
                                     cmocka_unit_test(bounds_at_the_ends_of_the_numbers_hold),
                                     cmocka_unit_test(counters_that_begin_behind_their_bound_do_one_round),
                                     cmocka_unit_test(addresses_fold_into_offsets),
                                     cmocka_unit_test(nested_loops_disappear_from_the_inside),
                                     cmocka_unit_test(loops_that_break_or_must_not_stay),
                                     cmocka_unit_test(predicated_loops_unroll),
                                     cmocka_unit_test(short_branches_become_predicates),
                                     cmocka_unit_test(longer_branches_stay),
                                     cmocka_unit_test(branches_around_effects_stay),
                                     cmocka_unit_test(copies_keep_their_place_in_the_text),
                                     cmocka_unit_test(random_kernels_leave_the_same_memory)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
