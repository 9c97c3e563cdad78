/* Linear combinations of indices in PTX kernels: the examples of R2D2's paper, and cases that its text leaves open. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "compiler/linear/linear_code.h"
#include "compiler/linear/linear_rewrite.h"
#include "compiler/linear/linear_vectors.h"
#include "ptx/ptx.h"

struct subject {
  char text[8192];
  struct sl_ptx_module *module;
  struct sl_linear_code code;
  struct sl_linear_analysis analysis;
  struct sl_linear_plan plan;
};

/* A kernel of six parameters, P0 and P2 to P5 pointers, P1 a number, with this body. */
static void analyse(struct subject *s, const char *body, bool strict)
{
  const struct sl_linear_options options = {.strict = strict};
  struct sl_error err = {0};
  snprintf(
      s->text, sizeof s->text,
      ".version 6.4\n.target sm_70\n.address_size 64\n"
      ".visible .entry k(.param .u64 a, .param .u32 b, .param .u64 c, .param .u64 d, .param .u64 e, .param .u64 f)\n"
      "{\n.reg .pred %%p<16>;\n.reg .b32 %%r<64>;\n.reg .f32 %%f<16>;\n.reg .b64 %%rd<64>;\n%s\nret;\n}\n",
      body);
  if (sl_ptx_parse(&s->module, s->text, strlen(s->text), "k.ptx", NULL, &err) != SL_OK)
    fail_msg("%s", err.text);
  if (sl_linear_from_ptx(&s->code, s->module, sl_ptx_entry(s->module, "k"), &err) != SL_OK ||
      sl_linear_analyse(&s->analysis, &s->code, &options, &err) != SL_OK ||
      sl_linear_plan_make(&s->plan, &s->analysis, &err) != SL_OK)
    fail_msg("%s", err.text);
}

static void release(struct subject *s)
{
  sl_linear_plan_free(&s->plan);
  sl_linear_analysis_free(&s->analysis);
  sl_linear_code_free(&s->code);
  sl_ptx_free(s->module);
}

/* Instruction n's vector, or the reason that it has none. */
static void is(struct subject *s, uint32_t n, const char *expected)
{
  char text[SL_LINEAR_TEXT];
  const struct sl_linear_vector *v = &s->analysis.vector[s->analysis.values.def[n][0]];
  assert_string_equal(v->reason == SL_LINEAR_YES ? sl_linear_vector_text(&s->analysis, v, text)
                                                 : sl_linear_reason_text(v->reason),
                      expected);
}

/* Fig. 6: an operation each, on a thread's and a block's index, an argument and numbers. */
static void operations_combine_vectors(void **state)
{
  (void)state;
  struct subject s;
  analyse(&s,
          "mov.u32 %r1, %tid.x;\n"               /* 0 */
          "mov.u32 %r2, %ctaid.y;\n"             /* 1 */
          "ld.param.u32 %r3, [b];\n"             /* 2 */
          "ld.param.u64 %rd1, [a];\n"            /* 3 */
          "mov.u32 %r4, %r1;\n"                  /* 4 */
          "cvt.u64.u32 %rd2, %r1;\n"             /* 5 */
          "add.s32 %r5, %r1, %r2;\n"             /* 6 */
          "sub.s32 %r6, %r1, %r2;\n"             /* 7 */
          "mul.lo.s32 %r7, %r5, %r3;\n"          /* 8 */
          "shl.b32 %r8, %r6, 3;\n"               /* 9 */
          "mad.lo.s32 %r9, %r5, 5, %r6;\n"       /* 10 */
          "mad.wide.s32 %rd3, %r8, %r3, %rd1;\n" /* 11 */
          "mul.lo.s32 %r10, %r1, %r2;\n"         /* 12 */
          "shl.b32 %r11, %r1, %r3;\n"            /* 13 */
          "and.b32 %r12, %r1, 7;\n"              /* 14 */
          "add.s32 %r13, %r12, 1;\n"             /* 15 */
          "mov.u32 %r14, %ntid.x;\n"             /* 16 */
          "mad.lo.s32 %r15, %r2, %r14, %r1;\n",  /* 17 */
          false);
  is(&s, 0, "{0, 1, 0, 0, 0, 0, 0}");
  is(&s, 1, "{0, 0, 0, 0, 0, 1, 0}");
  is(&s, 2, "{P1, 0, 0, 0, 0, 0, 0}");
  is(&s, 3, "{P0, 0, 0, 0, 0, 0, 0}");
  is(&s, 4, "{0, 1, 0, 0, 0, 0, 0}");
  is(&s, 5, "{0, 1, 0, 0, 0, 0, 0}");
  is(&s, 6, "{0, 1, 0, 0, 0, 1, 0}");
  is(&s, 7, "{0, 1, 0, 0, 0, -1, 0}");
  is(&s, 8, "{0, P1, 0, 0, 0, P1, 0}");
  is(&s, 9, "{0, 8, 0, 0, 0, -8, 0}");
  is(&s, 10, "{0, 6, 0, 0, 0, 4, 0}");
  is(&s, 11, "{P0, 8*P1, 0, 0, 0, -8*P1, 0}");
  is(&s, 12, "product of two varying values");
  is(&s, 13, "not a linear operation");
  is(&s, 14, "not a linear operation");
  is(&s, 15, "an operand is not linear");
  is(&s, 17, "{0, 1, 0, 0, 0, ntid.x, 0}");
  release(&s);
}

/* Figs. 2, 3 and 7: the addresses of backpropagation's bp_adjust_weights, (hid+1)*(16*by+ty+1)+tx+1 in two arrays, with
 * the paper's names of registers where it shows them. */
static const char backpropagation[] = "ld.param.u64 %rd4, [a];\n"        /* 0 */
                                      "ld.param.u32 %r4, [b];\n"         /* 1 */
                                      "ld.param.u64 %rd5, [c];\n"        /* 2 */
                                      "mov.u32 %r1, %ctaid.y;\n"         /* 3 */
                                      "shl.b32 %r5, %r1, 4;\n"           /* 4 */
                                      "mov.u32 %r2, %tid.y;\n"           /* 5 */
                                      "add.s32 %r6, %r5, %r2;\n"         /* 6 */
                                      "add.s32 %r7, %r4, 1;\n"           /* 7 */
                                      "mov.u32 %r3, %tid.x;\n"           /* 8 */
                                      "add.s32 %r8, %r4, %r3;\n"         /* 9 */
                                      "mad.lo.s32 %r9, %r6, %r7, %r8;\n" /* 10 */
                                      "ld.param.u64 %rd3, [f];\n"        /* 11 */
                                      "mul.wide.s32 %rd13, %r9, 4;\n"    /* 12 */
                                      "add.s64 %rd14, %rd3, %rd13;\n"    /* 13 */
                                      "ld.global.f32 %f3, [%rd14+8];\n"  /* 14 */
                                      "add.s64 %rd15, %rd4, %rd13;\n"    /* 15 */
                                      "st.global.f32 [%rd15+8], %f3;\n"; /* 16 */

static void backpropagation_matches_the_paper(void **state)
{
  (void)state;
  struct subject s;
  analyse(&s, backpropagation, false);
  is(&s, 0, "{P0, 0, 0, 0, 0, 0, 0}");
  is(&s, 1, "{P1, 0, 0, 0, 0, 0, 0}");
  is(&s, 2, "{P2, 0, 0, 0, 0, 0, 0}");
  is(&s, 3, "{0, 0, 0, 0, 0, 1, 0}");
  is(&s, 4, "{0, 0, 0, 0, 0, 16, 0}");
  is(&s, 5, "{0, 0, 1, 0, 0, 0, 0}");
  is(&s, 6, "{0, 0, 1, 0, 0, 16, 0}");
  is(&s, 7, "{P1+1, 0, 0, 0, 0, 0, 0}");
  is(&s, 12, "{4*P1, 4, 4*P1+4, 0, 0, 64*P1+64, 0}");
  is(&s, 13, "{4*P1+P5, 4, 4*P1+4, 0, 0, 64*P1+64, 0}");
  /* Both arrays share a linear register: they differ by a constant. */
  assert_int_equal(s.plan.lrs, 1);
  assert_int_equal(s.plan.trs, 1);
  assert_int_equal(s.plan.source[14][0].lr, 0);
  assert_int_equal(s.plan.crs, 1);
  assert_int_equal(s.plan.source[16][s.code.insn[16].base].cr, 0);
  release(&s);
}

/* Fig. 8: cfd's four addresses, n elements apart, are one linear register and three coefficients. */
static void addresses_that_differ_by_constants_share_a_register(void **state)
{
  (void)state;
  struct subject s;
  analyse(&s,
          "mov.u32 %r6, %ctaid.x;\nmov.u32 %r7, %ntid.x;\nmov.u32 %r8, %tid.x;\n"
          "ld.param.u64 %rd3, [a];\nld.param.u32 %r5, [b];\n"
          "mad.lo.s32 %r9, %r6, %r7, %r8;\n"
          "mul.wide.s32 %rd4, %r9, 4;\n"
          "add.s64 %rd17, %rd3, %rd4;\n"
          "mul.wide.s32 %rd18, %r5, 4;\n"
          "add.s64 %rd19, %rd17, %rd18;\n"
          "add.s64 %rd20, %rd19, %rd18;\n"
          "add.s64 %rd21, %rd20, %rd18;\n"
          "ld.global.f32 %f1, [%rd17];\nld.global.f32 %f2, [%rd19];\n"
          "ld.global.f32 %f3, [%rd20];\nld.global.f32 %f4, [%rd21];\n",
          false);
  assert_int_equal(s.plan.lrs, 1);
  assert_int_equal(s.plan.crs, 3);
  assert_int_equal(s.plan.source[12][0].cr, SL_LINEAR_NONE);
  for (uint32_t i = 12; i < 16; i++)
    assert_int_equal(s.plan.source[i][0].lr, 0);
  assert_int_equal(s.plan.gone, 12);
  assert_int_equal(s.plan.added, 0);
  release(&s);
}

/* Joining paths: the register is an ordinary one, to which each path copies its combination. */
static void different_paths_need_copies(void **state)
{
  (void)state;
  struct subject s;
  analyse(&s,
          "mov.u32 %r1, %tid.x;\nmov.u32 %r2, %ctaid.x;\nsetp.lt.s32 %p1, %r1, 4;\n" /* 0 1 2 */
          "@%p1 bra else;\nadd.s32 %r3, %r1, 1;\nadd.s32 %r5, %r1, 7;\nbra end;\n"   /* 3 4 5 6 */
          "else:\nadd.s32 %r3, %r2, 2;\nadd.s32 %r5, %r1, 7;\n"                      /* 7 8 */
          "end:\nadd.s32 %r4, %r3, 1;\nadd.s32 %r6, %r5, 1;\n"                       /* 9 10 */
          "st.shared.u32 [%r4], %r6;\n",
          false);
  is(&s, 4, "{1, 1, 0, 0, 0, 0, 0}");
  is(&s, 7, "{2, 0, 0, 0, 1, 0, 0}");
  is(&s, 9, "an operand is not linear");
  is(&s, 10, "{8, 1, 0, 0, 0, 0, 0}"); /* both paths have the same */
  assert_int_equal(s.plan.copies, 2);
  release(&s);
}

/* A loop over an array: the address grows by the same in each iteration; the counter ends the loop. */
static const char loop[] = "mov.u32 %r1, %tid.x;\nld.param.u64 %rd1, [a];\nld.param.u32 %r9, [b];\n" /* 0 1 2 */
                           "mul.wide.u32 %rd2, %r1, 4;\nadd.s64 %rd3, %rd1, %rd2;\n"                 /* 3 4 */
                           "mov.u32 %r2, 0;\n"                                                       /* 5 */
                           "again:\n"
                           "ld.global.u32 %r3, [%rd3+16];\n" /* 6 */
                           "st.global.u32 [%rd3], %r3;\n"    /* 7 */
                           "mul.wide.s32 %rd4, %r9, 8;\n"    /* 8 */
                           "add.s64 %rd3, %rd3, %rd4;\n"     /* 9 */
                           "add.s32 %r2, %r2, 1;\n"          /* 10 */
                           "setp.lt.s32 %p1, %r2, %r9;\n"    /* 11 */
                           "@%p1 bra again;\n";              /* 12 */

static void loops_have_iterations(void **state)
{
  (void)state;
  struct subject s;
  analyse(&s, loop, false);
  is(&s, 9, "{8*P1*i+P0+8*P1, 4, 0, 0, 0, 0, 0}");
  is(&s, 10, "{i+1, 0, 0, 0, 0, 0, 0}");
  assert_int_equal(s.plan.lrs, 1);
  assert_int_equal(s.plan.source[6][0].lr, 0);
  assert_true(s.plan.source[6][0].ur != SL_LINEAR_NONE);
  assert_int_equal(s.plan.source[6][0].ur, s.plan.source[7][s.code.insn[7].base].ur);
  assert_int_equal(s.plan.source[11][0].kind, SL_LINEAR_GROWING);
  assert_int_equal(s.plan.source[11][1].kind, SL_LINEAR_COEFFICIENT);
  assert_int_equal(s.plan.urs, 2);
  release(&s);
}

/* A step that is not uniform: the register is an ordinary one; its initial value is copied to it. */
static void loops_without_a_step_start_with_a_copy(void **state)
{
  (void)state;
  struct subject s;
  analyse(&s,
          "mov.u32 %r1, %tid.x;\nld.param.u32 %r9, [b];\nadd.s32 %r2, %r1, 5;\n" /* 0 1 2 */
          "again:\n"
          "shl.b32 %r2, %r2, 1;\n"       /* 3 */
          "setp.lt.s32 %p1, %r2, %r9;\n" /* 4 */
          "@%p1 bra again;\n",           /* 5 */
          false);
  is(&s, 3, "an operand is not linear");
  assert_int_equal(s.plan.copies, 1);
  assert_int_equal(s.plan.fate[3], SL_LINEAR_STAYS);
  release(&s);
}

/* A counter that is read after its loop, which lanes leave in different iterations, is an ordinary register. */
static void values_that_leave_a_loop_are_copied(void **state)
{
  (void)state;
  struct subject s;
  analyse(&s,
          "mov.u32 %r1, %tid.x;\nmov.u32 %r2, 0;\n" /* 0 1 */
          "again:\nadd.s32 %r2, %r2, 1;\n"          /* 2 */
          "setp.lt.u32 %p1, %r2, %r1;\n"            /* 3 */
          "@%p1 bra again;\n"                       /* 4 */
          "add.s32 %r3, %r2, 1;\nst.shared.u32 [%r3], %r1;\n",
          false);
  is(&s, 2, "{i+1, 0, 0, 0, 0, 0, 0}");
  is(&s, 5, "lanes leave its loop in different iterations");
  assert_int_equal(s.plan.fate[2], SL_LINEAR_COPIES);
  release(&s);
}

/* Inner loops count in the steps of outer ones. */
static void loops_nest(void **state)
{
  (void)state;
  struct subject s;
  analyse(&s,
          "mov.u32 %r1, %tid.x;\nld.param.u32 %r9, [b];\nmov.u32 %r2, 0;\nmov.u32 %r4, 0;\n" /* 0 1 2 3 */
          "outer:\nmov.u32 %r3, 0;\nmov.u32 %r5, %r4;\n"                                     /* 4 5 */
          "inner:\nadd.s32 %r6, %r5, %r1;\n"                                                 /* 6 */
          "st.shared.u32 [%r6], %r1;\n"                                                      /* 7 */
          "add.s32 %r5, %r5, 4;\nadd.s32 %r3, %r3, 1;\n"                                     /* 8 9 */
          "setp.lt.s32 %p1, %r3, %r9;\n@%p1 bra inner;\n"                                    /* 10 11 */
          "add.s32 %r4, %r4, %r9;\nadd.s32 %r2, %r2, 1;\n"                                   /* 12 13 */
          "setp.lt.s32 %p2, %r2, %r9;\n@%p2 bra outer;\n",
          false);
  is(&s, 6, "{P1*i+4*j, 1, 0, 0, 0, 0, 0}");
  is(&s, 12, "{P1*i+P1, 0, 0, 0, 0, 0, 0}");
  release(&s);
}

static void guarded_instructions_keep_the_old_value(void **state)
{
  (void)state;
  struct subject s;
  analyse(&s,
          "mov.u32 %r1, %tid.x;\nmov.u32 %r2, 7;\nsetp.lt.s32 %p1, %r1, 3;\n"
          "@%p1 add.s32 %r2, %r1, 1;\nst.shared.u32 [%r2], %r1;\n",
          false);
  is(&s, 3, "guarded");
  assert_int_equal(s.plan.fate[3], SL_LINEAR_STAYS);
  release(&s);
}

/* With 17 combinations the least useful is computed by ordinary instructions. */
static void there_are_16_linear_registers(void **state)
{
  (void)state;
  struct subject s;
  char body[4096];
  size_t n = (size_t)snprintf(body, sizeof body, "mov.u32 %%r1, %%tid.x;\n");
  for (unsigned i = 1; i <= 17; i++)
    n += (size_t)snprintf(body + n, sizeof body - n, "mul.lo.s32 %%r%u, %%r1, %u;\nadd.s32 %%r%u, %%r%u, %u;\n", i + 1,
                          i + 1, i + 20, i + 1, i);
  for (unsigned i = 1; i <= 17; i++)
    for (unsigned k = 0; k < (i == 5 ? 1 : 2); k++)
      n += (size_t)snprintf(body + n, sizeof body - n, "st.shared.u32 [%%r%u+%u], 1;\n", i + 20, 4 * k);
  analyse(&s, body, false);
  assert_int_equal(s.plan.most_wanted, 17);
  assert_true(s.plan.lrs <= SL_LINEAR_REGISTERS);
  is(&s, 10, "{5, 6, 0, 0, 0, 0, 0}");
  assert_true(s.plan.ordinary[s.analysis.values.def[10][0]]);
  assert_int_equal(s.plan.fate[10], SL_LINEAR_STAYS);
  assert_int_equal(s.plan.fate[12], SL_LINEAR_GOES);
  release(&s);
}

/* assume=strict: values that may wrap around in 32 bits are not extended. */
static void strict_mode_extends_values_that_cannot_wrap(void **state)
{
  (void)state;
  static const char body[] = "mov.u32 %r1, %tid.x;\nmov.u32 %r2, %ctaid.x;\nld.param.u32 %r3, [b];\n"
                             "mul.wide.s32 %rd1, %r1, 4;\n"     /* 3: 0 to 1023 */
                             "add.s32 %r4, %r1, -1;\n"          /* 4 */
                             "mul.wide.u32 %rd2, %r4, 4;\n"     /* 5: -1 is 2^32 - 1 */
                             "mul.wide.s32 %rd3, %r4, 4;\n"     /* 6 */
                             "mad.lo.s32 %r5, %r2, 256, %r1;\n" /* 7 */
                             "cvt.s64.s32 %rd4, %r5;\n"         /* 8: a block's number may be great */
                             "mul.wide.s32 %rd5, %r3, 4;\n";    /* 9: anything */
  struct subject s;
  analyse(&s, body, true);
  is(&s, 3, "{0, 4, 0, 0, 0, 0, 0}");
  is(&s, 5, "may wrap around before it is extended");
  is(&s, 6, "{-4, 4, 0, 0, 0, 0, 0}");
  is(&s, 8, "may wrap around before it is extended");
  is(&s, 9, "may wrap around before it is extended");
  release(&s);
  analyse(&s, body, false);
  is(&s, 5, "{-4, 4, 0, 0, 0, 0, 0}");
  is(&s, 8, "{0, 1, 0, 0, 256, 0, 0}");
  is(&s, 9, "{4*P1, 0, 0, 0, 0, 0, 0}");
  release(&s);
}

/* A loop with two entries: an error message, and the kernel stays unchanged. */
static void loops_with_two_entries_are_refused(void **state)
{
  (void)state;
  struct subject s;
  struct sl_error err = {0};
  static const char text[] = ".version 6.4\n.target sm_70\n.address_size 64\n.visible .entry k()\n{\n"
                             ".reg .pred %p<4>;\n.reg .b32 %r<8>;\nmov.u32 %r1, %tid.x;\nsetp.lt.s32 %p1, %r1, 3;\n"
                             "@%p1 bra b;\na:\nadd.s32 %r1, %r1, 1;\nb:\nadd.s32 %r1, %r1, 2;\n"
                             "setp.lt.s32 %p2, %r1, 100;\n@%p2 bra a;\nret;\n}\n";
  assert_int_equal(sl_ptx_parse(&s.module, text, strlen(text), "k.ptx", NULL, &err), SL_OK);
  assert_int_equal(sl_linear_from_ptx(&s.code, s.module, sl_ptx_entry(s.module, "k"), &err), SL_OK);
  assert_int_equal(sl_linear_analyse(&s.analysis, &s.code, NULL, &err), SL_USAGE);
  assert_string_equal(err.text, "it has a loop with more than one entry, whose values have no closed form");
  sl_linear_analysis_free(&s.analysis);
  sl_linear_code_free(&s.code);
  sl_ptx_free(s.module);
}

static const char *letter(const void *context, uint16_t symbol)
{
  (void)context;
  static const char *const names[] = {"?", "a", "b", "c", "d", "e"};
  return names[symbol];
}

static void polynomials_are_stored_once(void **state)
{
  (void)state;
  char text[256];
  struct sl_polys *p = sl_polys_new(32);
  assert_non_null(p);
  const sl_poly a = sl_poly_symbol(p, 1), b = sl_poly_symbol(p, 2), three = sl_poly_number(p, 3);
  const sl_poly sum = sl_poly_add(p, sl_poly_multiply(p, three, a), b);
  assert_int_equal(sum, sl_poly_add(p, b, sl_poly_add(p, a, sl_poly_add(p, a, a))));
  const sl_poly square = sl_poly_multiply(p, sum, sum);
  assert_string_equal(sl_poly_text(p, square, letter, NULL, text, sizeof text), "9*a*a+6*a*b+b*b");
  const int64_t values[] = {0, 5, -7};
  assert_int_equal(sl_poly_value(p, square, values), 64);
  assert_int_equal(sl_poly_subtract(p, square, square), SL_POLY_ZERO);
  assert_string_equal(sl_poly_text(p, sl_poly_replace(p, square, 2, three), letter, NULL, text, sizeof text),
                      "9*a*a+18*a+9");
  /* Modulo 2^32. */
  assert_int_equal(sl_poly_number(p, INT64_C(0x100000005)), sl_poly_number(p, 5));
  assert_int_equal(sl_poly_multiply(p, sl_poly_number(p, 1 << 16), sl_poly_number(p, 1 << 16)), SL_POLY_ZERO);
  /* Of degree 5, or with more than 16 terms. */
  assert_int_equal(sl_poly_multiply(p, sl_poly_multiply(p, square, square), a), SL_POLY_NONE);
  sl_polys_free(p);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(operations_combine_vectors),
      cmocka_unit_test(backpropagation_matches_the_paper),
      cmocka_unit_test(addresses_that_differ_by_constants_share_a_register),
      cmocka_unit_test(different_paths_need_copies),
      cmocka_unit_test(loops_have_iterations),
      cmocka_unit_test(loops_without_a_step_start_with_a_copy),
      cmocka_unit_test(values_that_leave_a_loop_are_copied),
      cmocka_unit_test(loops_nest),
      cmocka_unit_test(guarded_instructions_keep_the_old_value),
      cmocka_unit_test(there_are_16_linear_registers),
      cmocka_unit_test(strict_mode_extends_values_that_cannot_wrap),
      cmocka_unit_test(loops_with_two_entries_are_refused),
      cmocka_unit_test(polynomials_are_stored_once),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
