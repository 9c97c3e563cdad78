/* Instructions that oracles eliminate from small kernels, and that ideal machines execute, counted by hand
 * (ptx/oracle/, compiler/linear/linear_check.h). Blocks have two warps of 32 threads each. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "compiler/linear/linear_check.h"
#include "ptx/oracle/ptx_oracle.h"
#include "ptx/ptx.h"

struct outcome {
  struct sl_ptx_counts counts;
  struct sl_ptx_spared dac, darsie, scalar;
  struct sl_linear_ideals ideals, with_loads;
};

enum { BUFFER = 4096 };

static void clear(const struct sl_ptx_launch *launch)
{
  memset(launch->memory->heap.data, 0, launch->memory->heap.bytes);
}

static struct sl_ptx_spared spared(enum sl_ptx_oracle oracle, const struct sl_ptx_launch *launch)
{
  clear(launch);
  const struct sl_ptx_bounds bounds = {0};
  struct sl_ptx_counts counts = {0};
  struct sl_ptx_spared spared;
  struct sl_error err;
  if (sl_ptx_oracle_run(oracle, launch, &bounds, NULL, &counts, &spared, &err) != SL_OK)
    fail_msg("%s", err.text);
  return spared;
}

static struct sl_linear_ideals ideals(bool loads, const struct sl_ptx_launch *launch)
{
  clear(launch);
  struct sl_linear_ideal ideal = {.loads = loads};
  struct sl_ptx_counts counts = {0};
  struct sl_error err;
  const struct sl_ptx_engine engine = sl_linear_ideal_engine(&ideal);
  if (engine.run(engine.context, launch, &counts, &err) != SL_OK)
    fail_msg("%s", err.text);
  const struct sl_linear_ideals sum = ideal.sum;
  assert_int_equal(ideal.kernels->counts.base, sum.base);
  assert_int_equal(ideal.kernels->launches, 1);
  sl_linear_ideal_free(&ideal);
  return sum;
}

/* A kernel of one parameter, the address of zeros, with this body and a ret. */
static struct outcome run(const char *body, const uint32_t grid[3], const uint32_t block[3])
{
  char text[4096];
  struct sl_ptx_module *module;
  struct sl_ptx_memory memory;
  struct sl_error err;
  uint64_t address;
  const struct sl_ptx_bounds bounds = {0};
  struct outcome o = {.counts = {0}};
  snprintf(
      text, sizeof text,
      ".version 6.4\n.target sm_70\n.address_size 64\n.visible .entry k(.param .u64 x)\n{\n"
      ".reg .pred %%p<4>;\n.reg .b32 %%r<9>;\n.reg .f32 %%f<9>;\n.reg .b64 %%rd<9>;\n.shared .align 4 .b8 s[128];\n"
      "%s\nret;\n}\n",
      body);
  if (sl_ptx_parse(&module, text, strlen(text), "k.ptx", NULL, &err) != SL_OK)
    fail_msg("%s", err.text);
  assert_int_equal(sl_ptx_memory_init(&memory, module, &err), SL_OK);
  assert_int_equal(sl_ptx_memory_allocate(&memory, BUFFER, &address, &err), SL_OK);
  const struct sl_ptx_launch launch = {.module = module,
                                       .kernel = &module->functions[0],
                                       .grid = {grid[0], grid[1], grid[2]},
                                       .block = {block[0], block[1], block[2]},
                                       .params = (uint8_t *)&address,
                                       .memory = &memory};
  assert_int_equal(sl_ptx_grid_run(&launch, &bounds, &o.counts, &err), SL_OK);
  o.dac = spared(SL_PTX_DAC, &launch);
  o.darsie = spared(SL_PTX_DARSIE, &launch);
  o.scalar = spared(SL_PTX_DARSIE_SCALAR, &launch);
  o.ideals = ideals(false, &launch);
  o.with_loads = ideals(true, &launch);
  assert_int_equal(o.ideals.base, o.counts.thread_insns);
  sl_ptx_memory_free(&memory);
  sl_ptx_free(module);
  return o;
}

static const uint32_t one[] = {1, 1, 1}, row[] = {64, 1, 1}, rows[] = {32, 2, 1};

/* Two instructions and ret. A warp needs one lane for each of the two; the second warp repeats the first. */
static void uniform_instructions_execute_once(void **state)
{
  (void)state;
  const struct outcome o = run("mov.u32 %r1, 5;\nadd.u32 %r2, %r1, 7;", one, row);
  assert_int_equal(o.ideals.base, 3 * 64);
  assert_int_equal(o.ideals.wp, 2 * 2 + 64);
  assert_int_equal(o.ideals.tb, 2 * 32 + 64);
  assert_int_equal(o.ideals.ln, 64);
  assert_int_equal(o.dac.warp_insns, 2);
  assert_int_equal(o.darsie.warp_insns, 2);
  assert_int_equal(o.darsie.thread_insns, 2 * 32);
  assert_int_equal(o.darsie.scalar, 0);
  assert_int_equal(o.scalar.warp_insns, 2);
  assert_int_equal(o.scalar.scalar, 2); /* those of the first warp */
}

/* The second warp's values continue the first's: affine, but not redundant. The product is neither; it reads a linear
 * register, of one dimension of threads and a constant. */
static void lanes_with_a_constant_step_are_affine(void **state)
{
  (void)state;
  const struct outcome o = run("mov.u32 %r1, %tid.x;\nadd.u32 %r2, %r1, 7;\nmul.lo.u32 %r3, %r1, %r1;", one, row);
  assert_int_equal(o.ideals.wp, 4 * 64);
  assert_int_equal(o.ideals.tb, 4 * 64);
  assert_int_equal(o.ideals.ln, 2 * 64 + 64 + 1);
  assert_int_equal(o.dac.warp_insns, 2);
  assert_int_equal(o.darsie.warp_insns, 0);
  assert_int_equal(o.scalar.scalar, 0);
}

/* threadIdx.x is the same in both warps, threadIdx.y in each. */
static void a_redundant_warp_executes_nothing(void **state)
{
  (void)state;
  const struct outcome o = run("mov.u32 %r1, %tid.x;\nmul.lo.u32 %r3, %r1, %r1;\nmov.u32 %r2, %tid.y;", one, rows);
  assert_int_equal(o.ideals.wp, 2 * 64 + 2 + 64);
  assert_int_equal(o.ideals.tb, 2 * 32 + 64 + 64);
  assert_int_equal(o.dac.warp_insns, 2); /* not the product: it is not affine over the lanes */
  assert_int_equal(o.darsie.warp_insns, 2);
}

/* Redundancy ends at the block. */
static void redundancy_is_within_a_block(void **state)
{
  (void)state;
  const uint32_t blocks[] = {3, 1, 1};
  const struct outcome o = run("mov.u32 %r1, 5;", blocks, row);
  assert_int_equal(o.ideals.tb, 3 * (32 + 64));
  assert_int_equal(o.dac.warp_insns, 3);
  assert_int_equal(o.darsie.warp_insns, 3);
}

/* DAC ignores floating point, which is not address arithmetic. */
static void dac_covers_integers_only(void **state)
{
  (void)state;
  const struct outcome o = run("mov.u32 %r1, 5;\ncvt.rn.f32.u32 %f1, %r1;\nadd.f32 %f2, %f1, %f1;", one, row);
  assert_int_equal(o.dac.warp_insns, 1);
  assert_int_equal(o.darsie.warp_insns, 3);
}

/* Warp 0 counts 0, 1, 2 and warp 1, which starts one higher, 1, 2. The same values occur at another count: additions
 * and comparisons are not redundant. The warp's number and its comparison are uniform; for DAC the sums of the first
 * two iterations are affine from warp to warp, and the first comparison is the same in both. */
static void repeated_instructions_need_equal_counts(void **state)
{
  (void)state;
  const struct outcome o =
      run("mov.u32 %r1, %tid.y;\nL:\nadd.u32 %r1, %r1, 1;\nsetp.lt.u32 %p1, %r1, 3;\n@%p1 bra L;", one, rows);
  const uint64_t warp_insns = 1 + 3 * 3 + 1 + 1 + 2 * 3 + 1;
  assert_int_equal(o.counts.warp_insns, warp_insns);
  assert_int_equal(o.darsie.warp_insns, 0);
  assert_int_equal(o.ideals.tb, o.ideals.base);
  assert_int_equal(o.dac.warp_insns, 1 + 2 + 1);
  /* Per warp: the first, and two in each iteration; no lane takes a warp's last branch. */
  const uint64_t values = 1 + 3 * 2 + 1 + 2 * 2, branches = 2 * 32 + 1 * 32, rets = 64;
  assert_int_equal(o.ideals.base, values * 32 + branches + rets);
  assert_int_equal(o.ideals.wp, values + branches + rets);
}

/* Both warps load the same word: the second load is redundant until a warp of the block writes there. Addresses of the
 * parameter and of the variable are values. */
static void a_load_is_redundant_until_the_block_writes(void **state)
{
  (void)state;
  const struct outcome read = run("ld.param.u64 %rd1, [x];\nld.global.u32 %r1, [%rd1];", one, rows);
  assert_int_equal(read.darsie.warp_insns, 2);
  assert_int_equal(read.dac.warp_insns, 1);
  assert_int_equal(read.ideals.wp, 2 + 64 + 64);
  assert_int_equal(read.with_loads.wp, 2 + 2 + 64);
  assert_int_equal(read.with_loads.tb, 32 + 32 + 64);
  const struct outcome written =
      run("ld.param.u64 %rd1, [x];\nld.global.u32 %r1, [%rd1];\nst.global.u32 [%rd1], 1;", one, rows);
  assert_int_equal(written.darsie.warp_insns, 1);
  const struct outcome elsewhere =
      run("ld.param.u64 %rd1, [x];\nld.global.u32 %r1, [%rd1];\nst.global.u32 [%rd1+4], 1;", one, rows);
  assert_int_equal(elsewhere.darsie.warp_insns, 2);
  const struct outcome other_space =
      run("ld.param.u64 %rd1, [x];\nld.shared.u32 %r1, [s];\nst.global.u32 [%rd1], 1;", one, rows);
  assert_int_equal(other_space.darsie.warp_insns, 2);
}

/* The ideal machine compares loaded values: the second warp's load, which reads the first warp's store, is not
 * redundant. */
static void an_ideal_load_is_redundant_if_its_value_is_equal(void **state)
{
  (void)state;
  const struct outcome o =
      run("ld.param.u64 %rd1, [x];\nld.global.u32 %r1, [%rd1];\nst.global.u32 [%rd1], 1;", one, rows);
  assert_int_equal(o.with_loads.tb, 32 + 64 + 64 + 64);
  const struct outcome same =
      run("ld.param.u64 %rd1, [x];\nld.global.u32 %r1, [%rd1];\nst.global.u32 [%rd1], 0;", one, rows);
  assert_int_equal(same.with_loads.tb, 32 + 32 + 64 + 64);
}

/* A load after a barrier is not redundant with one before it: the second warp skips the loop that the first executes
 * twice, each time with a barrier; the second passes the barrier of the same number elsewhere. */
static void a_barrier_invalidates_loads(void **state)
{
  (void)state;
  static const char body[] = "ld.param.u64 %%rd1, [x];\nmov.u32 %%r1, %%tid.y;\nsetp.eq.u32 %%p1, %%r1, 0;\n"
                             "@%%p1 bra F;\n%s\nbra E;\nF:\n%s\nE:\nld.global.u32 %%r2, [%%rd1];\n%s";
  char text[512];
  snprintf(text, sizeof text, body, "", "", "bar.sync 0;");
  assert_int_equal(run(text, one, rows).darsie.warp_insns, 2); /* the parameter and the load */
  snprintf(text, sizeof text, body, "bar.arrive 1, 64;", "", "");
  assert_int_equal(run(text, one, rows).darsie.warp_insns, 1);
}

/* Inactive lanes do not count; another set of lanes is another execution. */
static void only_lanes_that_execute_are_compared(void **state)
{
  (void)state;
  /* The first warp has 32 lanes below 40, the second 8. */
  const struct outcome o = run("mov.u32 %r1, %tid.x;\nsetp.lt.u32 %p1, %r1, 40;\n@%p1 mov.u32 %r2, 5;", one, row);
  assert_int_equal(o.ideals.base, 64 + 64 + 40 + 64);
  assert_int_equal(o.ideals.wp, 64 + 64 + 2 + 64);
  assert_int_equal(o.ideals.tb, 64 + 64 + 40 + 64);
  assert_int_equal(o.dac.warp_insns, 1 + 1); /* the index, and the guarded one; the comparison differs in a warp */
}

/* x[64 * ctaid + tid] = 1 in 3 blocks: only the store and ret remain. There is one linear register: its constant is the
 * parameter, its coefficients are numbers, so only the parameter is loaded for it; one instruction for the threads'
 * part, two for a block's. */
static void linear_parts_are_counted_once(void **state)
{
  (void)state;
  const uint32_t blocks[] = {3, 1, 1};
  const struct outcome o = run("ld.param.u64 %rd1, [x];\nmov.u32 %r1, %tid.x;\nmov.u32 %r2, %ctaid.x;\n"
                               "mad.lo.u32 %r1, %r2, 64, %r1;\nmul.wide.u32 %rd2, %r1, 4;\nadd.s64 %rd3, %rd1, %rd2;\n"
                               "st.global.u32 [%rd3], 1;",
                               blocks, row);
  enum { LOADED = 1, COMPUTED = 1, THREADS = 64, BLOCK = 2 };
  assert_int_equal(o.ideals.base, 8 * 64 * 3);
  assert_int_equal(o.ideals.ln, 2 * 64 * 3 + LOADED + COMPUTED + THREADS + BLOCK * 3);
}

static struct sl_ptx_result line(unsigned bytes, uint64_t first, uint64_t step)
{
  struct sl_ptx_result r = {.bytes = bytes};
  for (unsigned l = 0; l < SL_PTX_LANES; l++)
    r.lane[l] = (first + step * l) & sl_low_bits(8 * bytes);
  return r;
}

static void affine_steps_wrap_at_the_size(void **state)
{
  (void)state;
  const uint32_t all = UINT32_MAX;
  struct sl_ptx_affine a = {.no = false};
  struct sl_ptx_result r = line(4, UINT32_MAX - 3, 1); /* wraps around within the warp */
  sl_ptx_affine_take(&a, 0, all, &r);
  r = line(4, UINT32_MAX - 3 - 64, 1);
  sl_ptx_affine_take(&a, 2, all, &r);
  assert_false(a.no);
  r = line(4, UINT32_MAX - 3 - 32, 1);
  sl_ptx_affine_take(&a, 1, all, &r);
  assert_false(a.no);
  r = line(4, UINT32_MAX - 3 - 97, 1);
  sl_ptx_affine_take(&a, 3, all, &r);
  assert_true(a.no);
}

static void affine_needs_one_step(void **state)
{
  (void)state;
  struct sl_ptx_affine a = {.no = false};
  struct sl_ptx_result r = line(8, 100, 2);
  sl_ptx_affine_take(&a, 0, 0xff00, &r);
  sl_ptx_affine_take(&a, 1, 1, &r); /* any value is affine for a single lane */
  assert_false(a.no);
  r = line(8, 100, 3);
  sl_ptx_affine_take(&a, 2, UINT32_MAX, &r);
  assert_true(a.no);
}

static void a_growing_table_keeps_its_entries(void **state)
{
  (void)state;
  enum { MANY = 5000 };
  struct sl_ptx_once once = {0};
  bool is_new;
  for (unsigned round = 0; round < 2; round++) {
    for (uint64_t i = 0; i < MANY; i++) {
      *sl_ptx_once_put(&once, i * i, &is_new) = i + round;
      assert_true(is_new);
    }
    for (uint64_t i = 0; i < MANY; i++)
      assert_int_equal(*sl_ptx_once_find(&once, i * i), i + round);
    assert_null(sl_ptx_once_find(&once, 3));
    sl_ptx_once_clear(&once);
    assert_null(sl_ptx_once_find(&once, 4));
  }
  sl_ptx_once_free(&once);
}

/* A warp follows the oracle for 100 instructions until it takes another path, which is detected at the end of the
 * block. */
static void a_warp_on_another_path_eliminates_nothing(void **state)
{
  (void)state;
  struct sl_ptx_marks marks = {0};
  struct sl_ptx_chunk said[2] = {{.dropped = ~UINT64_C(0)}, {.dropped = ~UINT64_C(0)}};
  assert_true(sl_ptx_marks_open(&marks, 2));
  for (uint32_t pc = 0; pc < 100; pc++)
    said[pc / SL_PTX_CHUNK].way = sl_ptx_way(pc == 0 ? 0 : said[(pc - 1) / SL_PTX_CHUNK].way, pc);
  assert_true(sl_ptx_marks_append(&marks, 0, NULL, 0));
  assert_true(sl_ptx_marks_append(&marks, 1, said, 2));
  struct sl_ptx_place_of_marks p = sl_ptx_marks_begin(&marks, 0);
  assert_false(sl_ptx_marks_drop(&p));
  p = sl_ptx_marks_begin(&marks, 1);
  for (uint32_t pc = 0; pc < 100; pc++) {
    assert_true(sl_ptx_marks_drop(&p));
    assert_true(sl_ptx_marks_next(&p, pc));
  }
  p = sl_ptx_marks_begin(&marks, 1);
  for (uint32_t pc = 0; pc < 63; pc++)
    assert_true(sl_ptx_marks_next(&p, pc == 5 ? 6 : pc));
  assert_false(sl_ptx_marks_next(&p, 63));
  assert_false(sl_ptx_marks_drop(&p));
  assert_true(sl_ptx_marks_next(&p, 64)); /* it is reported once */
  sl_ptx_marks_free(&marks);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(uniform_instructions_execute_once),
      cmocka_unit_test(lanes_with_a_constant_step_are_affine),
      cmocka_unit_test(a_redundant_warp_executes_nothing),
      cmocka_unit_test(redundancy_is_within_a_block),
      cmocka_unit_test(dac_covers_integers_only),
      cmocka_unit_test(repeated_instructions_need_equal_counts),
      cmocka_unit_test(a_load_is_redundant_until_the_block_writes),
      cmocka_unit_test(an_ideal_load_is_redundant_if_its_value_is_equal),
      cmocka_unit_test(a_barrier_invalidates_loads),
      cmocka_unit_test(only_lanes_that_execute_are_compared),
      cmocka_unit_test(linear_parts_are_counted_once),
      cmocka_unit_test(affine_steps_wrap_at_the_size),
      cmocka_unit_test(affine_needs_one_step),
      cmocka_unit_test(a_growing_table_keeps_its_entries),
      cmocka_unit_test(a_warp_on_another_path_eliminates_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
