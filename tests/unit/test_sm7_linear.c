/* machine/sm7/sm7_lower.h: placement of linear registers in the register file, and kernels that run in their original
 * variant because registers are short. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "machine/sm7/sm7_lower.h"
#include "ptx/ptx.h"

/* The most demanding kernel of the paper's section 5.6: 4 thread registers, 67 coefficients, blocks of 128 threads, 16
 * of them on an SM. By its section 4.2: TR.id * warps + warp.id % warps, BR.offset + 2 * block.id, CR.offset + reg.id /
 * 16; a 64-bit value takes two registers, so that the first of these is doubled as well. */
static void registers_follow_the_papers_layout(void **state)
{
  (void)state;
  const struct sl_sm7_linear l = {.trs = 4, .crs = 67, .warps = 4, .words = 2};
  enum { BR = 2 * 4 * 4, CR = BR + 2 * 16 };
  assert_int_equal(sl_sm7_linear_tr(&l, 0, 0, 0), 0);
  assert_int_equal(sl_sm7_linear_tr(&l, 0, 3, 1), 7);
  assert_int_equal(sl_sm7_linear_tr(&l, 2, 1, 0), 2 * (2 * 4 + 1));
  assert_int_equal(sl_sm7_linear_tr(&l, 2, 13, 0), 2 * (2 * 4 + 1)); /* warp 1 of the fourth block */
  assert_int_equal(sl_sm7_linear_tr(&l, 3, 3, 1), BR - 1);
  assert_int_equal(sl_sm7_linear_br(&l, 0, 0), BR);
  assert_int_equal(sl_sm7_linear_br(&l, 15, 1), CR - 1);
  assert_int_equal(sl_sm7_linear_cr(&l, 0, 16), CR);
  assert_int_equal(sl_sm7_linear_cr(&l, 15, 16), CR);
  assert_int_equal(sl_sm7_linear_cr(&l, 16, 16), CR + 1);
  assert_int_equal(sl_sm7_linear_cr(&l, 66, 16), CR + 4);
}

/* With 32-bit values everything is half as large. */
static void a_register_holds_32_coefficients_of_32_bits(void **state)
{
  (void)state;
  const struct sl_sm7_linear l = {.trs = 2, .crs = 40, .warps = 8, .words = 1};
  assert_int_equal(sl_sm7_linear_tr(&l, 1, 9, 0), 8 + 1);
  assert_int_equal(sl_sm7_linear_br(&l, 3, 0), 2 * 8 + 3);
  assert_int_equal(sl_sm7_linear_cr(&l, 31, 4), 2 * 8 + 4);
  assert_int_equal(sl_sm7_linear_cr(&l, 32, 4), 2 * 8 + 4 + 1);
}

/* x[64 * ctaid + tid] = x[64 * ctaid + tid], with and without one linear register. */
static const char text[] = ".version 6.4\n.target sm_70\n.address_size 64\n"
                           ".visible .entry k(.param .u64 x)\n{\n"
                           ".reg .b32 %r<4>;\n.reg .b64 %rd<4>;\n"
                           "ld.param.u64 %rd1, [x];\nmov.u32 %r1, %tid.x;\nmov.u32 %r2, %ctaid.x;\n"
                           "mad.lo.u32 %r1, %r2, 64, %r1;\nmul.wide.u32 %rd2, %r1, 4;\nadd.s64 %rd3, %rd1, %rd2;\n"
                           "ld.global.u32 %r3, [%rd3];\nst.global.u32 [%rd3], %r3;\nret;\n}\n"
                           ".visible .entry k$r2d2(.param .u64 x)\n{\n"
                           ".reg .b64 %cr<17>, %sy<3>, %tr<2>, %br, %cs<4>, %ur<1>, %ld<3>;\n"
                           "r2.cr %cr0, 0;\nr2.cr %cr16, 16;\nr2.tr %tr0, 0;\n"
                           "r2.slice %cs0, 0;\nr2.slice %cs1, 1;\nr2.br %br, 1;\n"
                           "r2.sum.b64 %ld0, 0, 0, -1, 0, 0;\n"
                           "ld.param.u64 %sy1, [x+0];\nmov.b64 %cr0, %sy1;\nmov.b64 %cr16, 256;\nr2.end;\n"
                           "r2.mad.u64 %tr0, %tid.x, 4, 0;\nr2.end;\n"
                           "mov.b64 %br, %cs0;\nr2.mad.u64 %br, %ctaid.x, %cs1, %br;\nr2.end;\n"
                           ".reg .b32 %r<4>;\n"
                           "ld.global.u32 %r3, [%ld0];\nst.global.u32 [%ld0], %r3;\nret;\n}\n";

struct chosen {
  bool linear;
  unsigned before, after; /* registers of a thread, by estimate */
  struct sl_sm7_demand demand;
};

/* The variant launched on an SM with this many registers, if a thread needs 16 of them. */
static struct chosen choose(uint32_t registers)
{
  struct sl_ptx_module *module;
  struct sl_error err;
  assert_int_equal(sl_ptx_parse(&module, text, strlen(text), "k.ptx", NULL, &err), SL_OK);
  struct sl_sm7_spec spec;
  sl_keys_defaults(&sl_sm7_keys, &spec);
  spec.r2d2 = 1;
  spec.registers = registers;
  struct sl_ptx_launch launch = {
      .module = module, .kernel = &module->functions[0], .grid = {64, 1, 1}, .block = {64, 1, 1}};
  struct chosen c = {.before = launch.kernel->regs_per_thread,
                     .demand = {.blocks = 64, .threads = 64, .registers = 16}};
  struct sl_ptx_linear *linear;
  assert_int_equal(sl_sm7_linear_choose(&spec, &launch, &c.demand, &linear, &err), SL_OK);
  assert_non_null(linear);
  c.after = linear->kernel->regs_per_thread;
  c.linear = launch.linear != NULL;
  assert_ptr_equal(launch.kernel, c.linear ? linear->kernel : &module->functions[0]);
  sl_ptx_linear_free(linear);
  sl_ptx_free(module);
  return c;
}

/* One thread register of two warps, 17 coefficients (two registers of a warp), and a block register for each block, all
 * 64-bit: they fit into registers that the threads no longer need, or the original kernel is launched. */
static void the_original_runs_if_fewer_blocks_would_fit(void **state)
{
  (void)state;
  enum { THREAD = 16, THREADS = 64, BLOCKS = 4 };
  const struct chosen much = choose(65536);
  assert_true(much.linear);
  const uint32_t thread = (THREAD + much.after - much.before + 3) / 4 * 4, sm = 2 * 32 * 2 + 2 * 32, block = 2 * 32;
  assert_int_equal(much.demand.sm_registers, sm);
  assert_int_equal(much.demand.block_registers, block);
  const uint32_t enough = BLOCKS * (thread * THREADS + block) + sm, as_it_was = BLOCKS * THREAD * THREADS;
  assert_true(as_it_was < enough - 1 && enough < as_it_was + THREAD * THREADS);
  assert_true(choose(enough).linear);
  assert_false(choose(enough - 1).linear);
  assert_false(choose(as_it_was).linear);
  assert_true(choose(as_it_was - 1).linear); /* three blocks of either */
}

/* The original kernel needs as many registers as before. */
static void a_variant_that_does_not_fit_takes_no_registers(void **state)
{
  (void)state;
  const struct chosen c = choose(16 * 64);
  assert_false(c.linear);
  assert_int_equal(c.demand.registers, 16);
  assert_int_equal(c.demand.sm_registers, 0);
  assert_int_equal(c.demand.block_registers, 0);
}

/* A variant with more registers than the machine can number is not used. */
static void a_variant_with_too_many_registers_is_refused(void **state)
{
  (void)state;
  static const char tail[] = "ld.global.u32 %r3, [%ld0]";
  const char *const at = strstr(text, tail);
  assert_non_null(at);
  for (unsigned extra = 0; extra <= SL_SM7_REGISTERS; extra += SL_SM7_REGISTERS) {
    struct sl_ptx_module *module;
    struct sl_ptx_linear *linear;
    struct sl_sm7_spec spec;
    struct sl_error err;
    char *many = NULL;
    size_t length = 0;
    FILE *file = open_memstream(&many, &length);
    assert_non_null(file);
    fprintf(file, "%.*s.reg .b32 %%q<%u>;\n", (int)(at - text), text, extra + 1);
    for (unsigned i = 0; i < extra; i++)
      fprintf(file, "mov.u32 %%q%u, 1;\n", i);
    fputs(at, file);
    fclose(file);
    assert_int_equal(sl_ptx_parse(&module, many, strlen(many), "k.ptx", NULL, &err), SL_OK);
    sl_keys_defaults(&sl_sm7_keys, &spec);
    spec.r2d2 = 1;
    struct sl_ptx_launch launch = {
        .module = module, .kernel = &module->functions[0], .grid = {1, 1, 1}, .block = {64, 1, 1}};
    struct sl_sm7_demand demand = {.blocks = 1, .threads = 64, .registers = 16};
    assert_int_equal(sl_sm7_linear_choose(&spec, &launch, &demand, &linear, &err), SL_OK);
    assert_int_equal(linear->kernel->registers > SL_SM7_REGISTERS, extra > 0);
    assert_int_equal(launch.linear != NULL, extra == 0);
    sl_ptx_linear_free(linear);
    sl_ptx_free(module);
    free(many);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(registers_follow_the_papers_layout),
      cmocka_unit_test(a_register_holds_32_coefficients_of_32_bits),
      cmocka_unit_test(the_original_runs_if_fewer_blocks_would_fit),
      cmocka_unit_test(a_variant_that_does_not_fit_takes_no_registers),
      cmocka_unit_test(a_variant_with_too_many_registers_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
