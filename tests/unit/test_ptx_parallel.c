/* Blocks on several host threads without timing: reductions, kernels whose blocks communicate, faults and counts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "ptx_kernel.h"

enum { BLOCKS = 300, LANES = 32 };

/* Runs a kernel on so many threads. */
static enum sl_status run(const char *body, unsigned threads, void *out, size_t out_bytes, struct sl_gpu_record *record,
                          struct sl_error *err)
{
  char text[4096];
  struct sl_config config;
  struct sl_gpu *gpu = NULL;
  const struct sl_gpu_options options = {.fast = true, .threads = threads};
  snprintf(text, sizeof text, "%s%s\nret;\n}\n", PTX_HEAD PTX_ENTRY(0) "mov.u32 %r1, %ctaid.x;\n", body);
  const struct ptx_kernel k = {.text = text, .blocks = BLOCKS, .out_bytes = out_bytes};
  assert_int_equal(sl_config_open(&config, "sm7-4", err), SL_OK);
  assert_int_equal(sl_gpu_open(&gpu, &config, &options, err), SL_OK);
  const enum sl_status code = ptx_kernel_on(gpu, &k, out, err);
  *record = *sl_gpu_record(gpu, 0);
  sl_gpu_close(gpu);
  sl_config_close(&config);
  return code;
}

/* Each thread adds the number of its block, whose old sum nobody reads, and takes part in a maximum and an OR. */
static void reductions_of_all_blocks_are_complete(void **state)
{
  static const char body[] = "atom.global.add.u32 %r9, [%o], %r1;\nred.global.max.s32 [%o+4], %r1;\n"
                             "cvt.u64.u32 %d1, %r1;\nred.global.add.u64 [%o+8], %d1;\nred.global.or.b32 [%o+16], %r1;";
  (void)state;
  for (unsigned threads = 1; threads <= 4; threads++) {
    struct sl_error err = {0};
    struct sl_gpu_record record;
    uint32_t out[5] = {0};
    if (run(body, threads, out, sizeof out, &record, &err) != SL_OK)
      fail_msg("%s", err.text);
    assert_int_equal(out[0], LANES * (BLOCKS - 1) * BLOCKS / 2);
    assert_int_equal(out[1], BLOCKS - 1);
    assert_int_equal(out[2], LANES * (BLOCKS - 1) * BLOCKS / 2);
    assert_int_equal(out[4], 511);
    assert_int_equal(record.warp_instructions, BLOCKS * 13);
  }
}

/* Blocks take tickets: on any number of threads they come in the order of their numbers. */
static void blocks_that_read_atomics_keep_their_order(void **state)
{
  static const char body[] = "setp.ne.u32 %p1, %t, 0;\n@%p1 bra end;\natom.global.add.u32 %r2, [%o], 1;\n"
                             "mul.wide.u32 %n, %r1, 4;\nadd.s64 %o, %o, %n;\nst.global.u32 [%o+4], %r2;\nend:";
  (void)state;
  for (unsigned threads = 1; threads <= 4; threads++) {
    struct sl_error err = {0};
    struct sl_gpu_record record;
    uint32_t out[1 + BLOCKS] = {0};
    if (run(body, threads, out, sizeof out, &record, &err) != SL_OK)
      fail_msg("%s", err.text);
    for (unsigned i = 0; i < BLOCKS; i++)
      assert_int_equal(out[1 + i], i);
  }
}

/* Blocks from 100 on have a fault in lane 7; a block has 12 instructions, 10 of them before the load. */
static void the_fault_is_that_of_the_first_block(void **state)
{
  static const char body[] = "setp.eq.u32 %p1, %t, 7;\nsetp.ge.and.u32 %p2, %r1, 100, %p1;\nselp.b64 %d1, 1, %o, %p2;\n"
                             "ld.global.u8 %r2, [%d1];";
  (void)state;
  for (unsigned threads = 1; threads <= 4; threads++) {
    struct sl_error err = {0};
    struct sl_gpu_record record;
    uint32_t out[1];
    assert_int_equal(run(body, threads, out, sizeof out, &record, &err), SL_FAULT);
    assert_non_null(strstr(err.text, "block (100,0,0) thread (7,0,0)"));
    assert_int_equal(record.warp_instructions, 100 * 12 + 10);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(reductions_of_all_blocks_are_complete),
      cmocka_unit_test(blocks_that_read_atomics_keep_their_order),
      cmocka_unit_test(the_fault_is_that_of_the_first_block),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
