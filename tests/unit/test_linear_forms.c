/* Kernels with values that depend on the path, and kernels that need all linear registers or one more, leave the same
 * memory in their variant with linear registers. The variant has the structure of R2D2 (ISCA 2023, sections 3.1.2 and
 * 4.4). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "linear_forms.h"

enum { BYTES = 64, ROOM = 1 << 16 };

#define HEAD                                                                                                           \
  ".version 6.4\n.target sm_70\n.address_size 64\n"                                                                    \
  ".visible .entry k(.param .u64 out, .param .u32 n)\n{\n"                                                             \
  ".reg .pred %p<8>;\n.reg .b32 %r<40>;\n.reg .b64 %d<40>;\n"
#define TAIL "ret;\n}\n"
/* %d1: address of the thread's 64 bytes, in blocks of 45 threads. */
#define PLACE                                                                                                          \
  "ld.param.u64 %d0, [out];\nmov.u32 %r1, %tid.x;\nmov.u32 %r2, %tid.y;\nmov.u32 %r3, %tid.z;\nmov.u32 %r4, "          \
  "%ctaid.x;\n"                                                                                                        \
  "mad.lo.s32 %r5, %r3, 3, %r2;\nmad.lo.s32 %r5, %r5, 5, %r1;\nmad.lo.s32 %r6, %r4, 45, %r5;\n"                        \
  "mul.wide.s32 %d2, %r6, 64;\nadd.s64 %d1, %d0, %d2;\n"

struct example {
  const char *name, *body;
  const char *has[3]; /* the variant; NULL: none any more */
};

/* The second warp has 13 threads; lanes take different paths, and leave loops in different iterations. */
static const struct example ways[] = {
    {"both sides of a branch write a register: each copies its own",
     "setp.lt.s32 %p1, %r5, 17;\n@%p1 bra less;\nmul.lo.s32 %r10, %r4, 3;\nadd.s32 %r10, %r10, %r1;\nbra meet;\n"
     "less:\nmad.lo.s32 %r10, %r2, 7, 5;\nmeet:\nst.global.u32 [%d1], %r10;\n",
     {"mov.b32 %r10, %lw", NULL}},
    {"one side of a branch writes an address",
     "mov.u64 %d5, %d1;\nsetp.lt.s32 %p1, %r1, 2;\n@%p1 bra meet;\nadd.s64 %d5, %d1, 8;\nmeet:\n"
     "st.global.u32 [%d5], %r5;\n",
     {"mov.b64 %d5, %ld", NULL}},
    {"a loop with a continue: all lanes come to the update, once per iteration",
     "mov.u64 %d5, %d1;\nmov.u32 %r10, 0;\nand.b32 %r11, %r5, 3;\n"
     "again:\nsetp.eq.s32 %p1, %r10, %r11;\n@%p1 bra next;\nxor.b32 %r12, %r10, %r5;\nst.global.u32 [%d5], %r12;\n"
     "next:\nadd.s64 %d5, %d5, 4;\nadd.s32 %r10, %r10, 1;\nsetp.lt.s32 %p3, %r10, 9;\n@%p3 bra again;\n",
     {"%ur0", NULL}},
    {"a loop with a break: those that are left update together",
     "mov.u64 %d5, %d1;\nmov.u32 %r10, 0;\nand.b32 %r11, %r5, 7;\n"
     "again:\nst.global.u32 [%d5], %r10;\nsetp.eq.s32 %p1, %r10, %r11;\n@%p1 bra done;\n"
     "add.s64 %d5, %d5, 4;\nadd.s32 %r10, %r10, 1;\nsetp.lt.s32 %p3, %r10, 9;\n@%p3 bra again;\ndone:\n",
     {"%ur0", NULL}},
    {"a loop with both: lanes that continue meet the others behind the loop only, so each updates by itself",
     "mov.u64 %d5, %d1;\nmov.u32 %r10, 0;\nand.b32 %r11, %r5, 3;\n"
     "again:\nsetp.eq.s32 %p1, %r10, %r11;\n@%p1 bra next;\nsetp.gt.s32 %p2, %r10, 5;\n@%p2 bra done;\n"
     "xor.b32 %r12, %r10, %r5;\nst.global.u32 [%d5], %r12;\n"
     "next:\nadd.s64 %d5, %d5, 4;\nadd.s32 %r10, %r10, 1;\nsetp.lt.s32 %p3, %r10, 9;\n@%p3 bra again;\ndone:\n",
     {"mov.b64 %d5, %ld", "add.s64 %d5, %d5, 4", NULL}},
    {"what a loop has computed is read behind it, where each lane has left it in an iteration of its own",
     "mov.u64 %d5, %d1;\nmov.u32 %r10, 0;\nand.b32 %r11, %r5, 7;\n"
     "again:\nst.global.u32 [%d5], %r10;\nadd.s64 %d5, %d5, 4;\nadd.s32 %r10, %r10, 1;\n"
     "setp.lt.s32 %p1, %r10, %r11;\n@%p1 bra again;\nst.global.u32 [%d5+4], %r10;\n",
     {"%ur0", "mov.b64 %d5, %ld", NULL}},
    {"loops in loops: the inner one begins where the outer one is",
     "mov.u64 %d5, %d1;\nmov.u32 %r10, 0;\n"
     "outer:\nmov.u64 %d6, %d5;\nmov.u32 %r11, 0;\n"
     "inner:\nmad.lo.s32 %r12, %r10, 100, %r11;\nst.global.u32 [%d6], %r12;\nadd.s64 %d6, %d6, 4;\n"
     "add.s32 %r11, %r11, 1;\nsetp.lt.s32 %p1, %r11, 4;\n@%p1 bra inner;\n"
     "add.s64 %d5, %d5, 16;\nadd.s32 %r10, %r10, 1;\nsetp.lt.s32 %p2, %r10, 4;\n@%p2 bra outer;\n",
     {"%ur0", "%ur1", NULL}},
    {"a step that an argument gives is the same for all",
     "ld.param.u32 %r13, [n];\nmov.u32 %r14, %r5;\nmov.u32 %r10, 0;\nmov.u32 %r12, 0;\n"
     "again:\nadd.s32 %r14, %r14, %r13;\nxor.b32 %r12, %r12, %r14;\nadd.s32 %r10, %r10, 1;\n"
     "setp.lt.s32 %p1, %r10, 5;\n@%p1 bra again;\nst.global.u32 [%d1], %r12;\n",
     {"%ur0", NULL}},
    {"a step that changes is none: the value begins with a copy and is computed as it was",
     "mov.u32 %r14, %r5;\nmov.u32 %r10, 1;\n"
     "again:\nadd.s32 %r14, %r14, %r10;\nshl.b32 %r10, %r10, 1;\nsetp.lt.s32 %p1, %r10, 40;\n@%p1 bra again;\n"
     "st.global.u32 [%d1], %r14;\n",
     {"mov.b32 %r14, %lw", "add.s32 %r14, %r14, %r10", NULL}},
};

static const char *second_form(const char *both)
{
  return strstr(both, "k$r2d2");
}

static void values_may_depend_on_the_path(void **state)
{
  (void)state;
  struct forms forms;
  static char text[ROOM];
  static const uint8_t params[16] = {[8] = 11};
  struct sl_error err;
  forms_open(&forms, 1);
  for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
    snprintf(text, sizeof text, "%s%s%s%s", HEAD, PLACE, ways[i].body, TAIL);
    char *both = forms_text(text, &err);
    assert_true(both != NULL);
    for (unsigned k = 0; ways[i].has[k] != NULL; k++)
      if (strstr(second_form(both), ways[i].has[k]) == NULL)
        fail_msg("%s: has no %s\n%s", ways[i].name, ways[i].has[k], second_form(both));
    free(both);
    for (uint32_t blocks = 1; blocks <= 3; blocks += 2) {
      const struct forms_kernel k = {.text = text,
                                     .grid = {blocks, 1, 1},
                                     .block = {5, 3, 3},
                                     .params = params,
                                     .out_bytes = (size_t)BYTES * 45 * blocks};
      forms_agree(&forms, &k);
    }
  }
  assert_int_equal(forms.compared, 2 * sizeof ways / sizeof *ways);
  forms_close(&forms);
}

/* Thread t stores to word (w + 1) t + w of its own piece, for w below `words`: as many linear registers. */
static void write_words(char *text, unsigned words)
{
  size_t n = (size_t)snprintf(text, ROOM, "%sld.param.u64 %%d0, [out];\nmov.u32 %%r1, %%tid.x;\n", HEAD);
  for (unsigned w = 0; w < words; w++)
    n += (size_t)snprintf(text + n, ROOM - n,
                          "mul.wide.s32 %%d%u, %%r1, %u;\nadd.s64 %%d%u, %%d%u, %%d0;\nst.global.u32 [%%d%u+%u], %u;\n",
                          w + 1, 4 * (w + 1), w + 1, w + 1, w + 1, 4096 * w, w);
  snprintf(text + n, ROOM - n, "%s", TAIL);
}

/* There are 16 linear registers: the 17th combination stays an ordinary product. */
static void combinations_beyond_the_limit_stay_scalar(void **state)
{
  (void)state;
  struct forms forms;
  static char text[ROOM];
  static const uint8_t params[16] = {0};
  struct sl_error err;
  forms_open(&forms, 1);
  for (unsigned words = 15; words <= 17; words++) {
    write_words(text, words);
    char *both = forms_text(text, &err);
    assert_true(both != NULL);
    unsigned products = 0;
    for (const char *at = strstr(second_form(both), "mul.wide"); at != NULL; at = strstr(at + 1, "mul.wide"))
      products++;
    assert_int_equal(products, words > 16 ? words - 16 : 0);
    assert_true(strstr(second_form(both), words > 15 ? "r2.br %br, 16;" : "r2.br %br, 15;") != NULL);
    free(both);
    const struct forms_kernel k = {
        .text = text, .grid = {1, 1, 1}, .block = {50, 1, 1}, .params = params, .out_bytes = (size_t)4096 * 17};
    forms_agree(&forms, &k);
  }
  assert_int_equal(forms.compared, 3);
  forms_close(&forms);
}

/* 7 threads store to rows of n = 7 words: one combination, and for all rows except one their own offset, 4 * n times a
 * number. */
static void write_rows(char *text, unsigned rows)
{
  size_t n = (size_t)snprintf(text, ROOM,
                              "%sld.param.u64 %%d0, [out];\nmov.u32 %%r1, %%tid.x;\nld.param.u32 %%r2, [n];\n"
                              "mul.wide.s32 %%d1, %%r1, 4;\nadd.s64 %%d2, %%d0, %%d1;\n",
                              HEAD);
  for (unsigned row = 1; row <= rows; row++)
    n += (size_t)snprintf(text + n, ROOM - n,
                          "mul.wide.s32 %%d3, %%r2, %u;\nadd.s64 %%d4, %%d2, %%d3;\nst.global.u32 [%%d4], %u;\n",
                          4 * row, row);
  snprintf(text + n, ROOM - n, "%s", TAIL);
}

/* Of 255 coefficients constants have 16, one for each linear register. With one more the kernel stays unchanged. */
static void a_coefficient_too_many_is_refused(void **state)
{
  (void)state;
  enum { ROWS = 255 - 16 + 1 };
  struct forms forms;
  static char text[ROOM];
  static const uint8_t params[16] = {[8] = 7};
  struct sl_error err;
  forms_open(&forms, 1);
  for (unsigned rows = ROWS; rows <= ROWS + 1; rows++) {
    write_rows(text, rows);
    const struct forms_kernel k = {
        .text = text, .grid = {1, 1, 1}, .block = {7, 1, 1}, .params = params, .out_bytes = (ROWS + 2) * 7 * 4};
    forms_agree(&forms, &k);
    assert_int_equal(forms.compared, 1);
    assert_int_equal(forms.refused, rows - ROWS);
  }
  assert_true(forms_text(text, &err) == NULL);
  assert_string_equal(err.text, "it needs more than 255 coefficients");
  forms_close(&forms);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(values_may_depend_on_the_path),
      cmocka_unit_test(combinations_beyond_the_limit_stay_scalar),
      cmocka_unit_test(a_coefficient_too_many_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
