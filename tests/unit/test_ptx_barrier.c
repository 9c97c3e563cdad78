/* Reductions at barriers: bar.red over all threads of a block or some of its warps, again and again. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "ptx_kernel.h"

enum { BLOCKS = 3, THREADS = 5 * 32 + 7, ROUNDS = 20, EACH = 4 * ROUNDS };

/* Round r: the threads for which (t * 7 + r) % 16 < r vote. Warps take different numbers of steps between rounds. */
static bool votes(unsigned t, unsigned r)
{
  return (t * 7 + r) % 16 < r;
}

#define ROUND(barrier)                                                                                                 \
  "mov.u32 %r1, 0;\nmul.wide.u32 %n, %t, 320;\nadd.s64 %o, %o, %n;\nmov.u32 %r9, %ctaid.x;\nmul.wide.u32 %n, %r9, "    \
  "53440;\nadd.s64 %o, %o, %n;\nshr.u32 %r8, %t, 5;\n"                                                                 \
  "$L:\nmad.lo.u32 %r2, %t, 7, %r1;\nand.b32 %r2, %r2, 15;\nsetp.lt.u32 %p1, %r2, %r1;\n" barrier                      \
  "selp.u32 %r4, 1, 0, %p2;\nselp.u32 %r5, 1, 0, %p3;\nselp.u32 %r6, 1, 0, %p4;\n"                                     \
  "st.global.v4.u32 [%o], {%r3, %r4, %r5, %r6};\nadd.s64 %o, %o, 16;\nadd.u32 %r1, %r1, 1;\n"                          \
  "setp.lt.u32 %p5, %r1, 20;\n@%p5 bra $L;\nret;\n}\n"

static void check(const uint32_t *out, unsigned first, unsigned end)
{
  for (unsigned b = 0; b < BLOCKS; b++)
    for (unsigned t = first; t < end; t++)
      for (unsigned r = 0; r < ROUNDS; r++) {
        unsigned count = 0;
        for (unsigned other = first; other < end; other++)
          count += votes(other, r);
        const uint32_t *is = out + ((size_t)b * THREADS + t) * EACH + (size_t)4 * r;
        assert_int_equal(is[0], count);
        assert_int_equal(is[1], count == end - first);
        assert_int_equal(is[2], count > 0);
        assert_int_equal(is[3], end - first - count == 0 ? 0 : 1); /* some thread does not vote */
      }
}

static uint32_t out[BLOCKS * THREADS * EACH];

static void all_threads_of_a_block_vote(void **state)
{
  (void)state;
  ptx_kernel_run(
      &(struct ptx_kernel){.text = PTX_HEAD PTX_ENTRY(0)
                               ROUND("bar.red.popc.u32 %r3, 0, %p1;\nbarrier.cta.red.and.aligned.pred %p2, 1, %p1;\n"
                                     "bar.red.or.pred %p3, 0, %p1;\nbarrier.red.or.pred %p4, 2, !%p1;\n"),
                           .blocks = BLOCKS,
                           .threads = THREADS,
                           .out = out,
                           .out_bytes = sizeof out});
  check(out, 0, THREADS);
}

/* Two warps at one barrier, the others at another; these rounds are not in step. */
static void the_threads_that_the_instruction_names_vote(void **state)
{
  (void)state;
  ptx_kernel_run(&(struct ptx_kernel){
      .text = PTX_HEAD PTX_ENTRY(0)
          ROUND("setp.lt.u32 %p6, %t, 64;\nselp.u32 %r10, 3, 4, %p6;\nselp.u32 %r11, 64, 128, %p6;\n"
                "bar.red.popc.u32 %r3, %r10, %r11, %p1;\nbar.red.and.pred %p2, %r10, %r11, %p1;\n"
                "bar.red.or.pred %p3, %r10, %r11, %p1;\nbar.red.or.pred %p4, %r10, %r11, !%p1;\n"),
      .blocks = BLOCKS,
      .threads = THREADS,
      .out = out,
      .out_bytes = sizeof out});
  check(out, 0, 64);
  check(out, 64, THREADS);
}

/* The second warp ends while the first waits. */
static void ended_warps_do_not_vote(void **state)
{
  (void)state;
  ptx_kernel_run(&(struct ptx_kernel){
      .text = PTX_HEAD PTX_ENTRY(4) "setp.ge.u32 %p1, %t, 32;\n@%p1 bra $W;\nsetp.lt.u32 %p2, %t, 10;\n"
                                    "bar.red.popc.u32 %r1, 0, %p2;\nst.global.u32 [%o], %r1;\nret;\n"
                                    "$W: mov.u32 %r1, 0;\n$L: add.u32 %r1, %r1, 1;\nsetp.lt.u32 %p2, %r1, 100;\n"
                                    "@%p2 bra $L;\nret;\n}\n",
      .threads = 64,
      .out = out,
      .out_bytes = 128});
  for (unsigned i = 0; i < 32; i++)
    assert_int_equal(out[i], 10);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(all_threads_of_a_block_vote),
                                     cmocka_unit_test(the_threads_that_the_instruction_names_vote),
                                     cmocka_unit_test(ended_warps_do_not_vote)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
