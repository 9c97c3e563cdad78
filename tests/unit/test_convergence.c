/* Every reconvergence scheme computes for each thread what it computes alone: random structured and unstructured
 * control flow, compared with an interpreter that runs one thread after the other. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "control_flow.h"
#include "device/engine/engine.h"

/* The number of random programs per test; fewer in a build with sanitizers. */
static uint64_t programs(void)
{
  const char *brief = getenv("SIMTLAB_BRIEF");
  return brief != NULL && *brief != '\0' ? 30 : 120;
}

/* A machine with the scheme; of compressed machines, the one with all features. */
static struct sl_simtight_spec machine(enum sl_scheme scheme, unsigned lanes, unsigned warps, bool compressed)
{
  struct sl_simtight_spec spec = kernel_spec(lanes, warps);
  spec.convergence = (uint32_t)scheme;
  if (compressed) {
    spec.compressed = spec.affine = spec.scalar_pipeline = 1;
    spec.vector_slots = 12 * warps;
    spec.free_ended = 1;
  }
  return spec;
}

static void compare_memory(struct kernel *k, struct sl_memory *alone, uint64_t seed, const char *mode)
{
  for (uint32_t hart = 0; hart < k->spec.lanes * k->spec.warps; hart++)
    for (uint32_t i = 0; i < FLOW_OWN; i += 4) {
      const uint32_t at = DATA + hart * FLOW_OWN + i;
      const uint32_t ours = sl_memory_load(&k->memory, at, 4), theirs = sl_memory_load(alone, at, 4);
      if (ours != theirs)
        fail_msg("seed %llu, %s: word %u of thread %u is 0x%08x instead of 0x%08x", (unsigned long long)seed, mode,
                 i / 4, hart, ours, theirs);
    }
}

/* The run must succeed, or the test fails with the error. */
static void run(struct kernel *k, bool fast, uint64_t seed)
{
  kernel_start(k, 0);
  if (sl_engine_run(sl_engine_of(fast), &k->sm->base, 50000000) != SL_SM_DONE) {
    const struct sl_fault *fault = sl_simtight.view.fault(&k->sm->base);
    fail_msg("seed %llu: fault %d at 0x%08x, %s", (unsigned long long)seed, (int)fault->kind, fault->pc,
             fault->detail != NULL ? fault->detail
             : fast                ? "fast"
                                   : "cycle by cycle");
  }
  for (unsigned w = 0; w < k->spec.warps; w++)
    assert_int_equal(k->sm->warps.paths[w].count, 1);
}

static void run_program(const struct sl_simtight_spec *spec, uint64_t seed, bool marked, bool fast)
{
  struct kernel *k = kernel_create(spec);
  struct sl_memory alone;
  struct flow f;
  flow_write(&f, k, seed, marked);
  assert_int_equal(sl_memory_init(&alone, spec->code_base + 4 * spec->code_words, NULL), SL_OK);
  for (unsigned i = 0; i < 20; i++) {
    const uint32_t at = DATA + FLOW_TABLES + 4 * i;
    sl_memory_store(&alone, at, 4, sl_memory_load(&k->memory, at, 4));
  }
  for (uint32_t hart = 0; hart < spec->lanes * spec->warps; hart++)
    flow_interpret(k, &alone, hart);
  run(k, fast, seed);
  compare_memory(k, &alone, seed, fast ? "fast" : "cycle by cycle");
  sl_memory_free(&alone);
  kernel_free(k);
}

static void run_programs(enum sl_scheme scheme, bool marked, bool compressed)
{
  static const unsigned warps[] = {4, 8, 16, 32, 64};
  for (uint64_t seed = 1; seed <= programs(); seed++) {
    const struct sl_simtight_spec spec = machine(scheme, seed % 4 == 0 ? 8 : 32, warps[seed % 5], compressed);
    run_program(&spec, seed, marked, false);
    run_program(&spec, seed, marked, true);
  }
}

static void nesting_with_marks(void **state)
{
  (void)state;
  run_programs(SL_CONVERGENCE_NESTING, true, false);
}

static void depth_and_pc_without_marks(void **state)
{
  (void)state;
  run_programs(SL_CONVERGENCE_DEPTH_PC, false, false);
}

static void sorted_paths_without_marks(void **state)
{
  (void)state;
  run_programs(SL_CONVERGENCE_SORTED_PATHS, false, false);
}

static void marks_do_nothing_in_other_schemes(void **state)
{
  (void)state;
  run_programs(SL_CONVERGENCE_DEPTH_PC, true, false);
}

/* With compressed registers, spilling and the scalar pipeline, which also executes calls and returns. */
static void every_scheme_with_a_scalar_pipeline(void **state)
{
  (void)state;
  run_programs(SL_CONVERGENCE_NESTING, true, true);
  run_programs(SL_CONVERGENCE_DEPTH_PC, false, true);
  run_programs(SL_CONVERGENCE_SORTED_PATHS, false, true);
}

/* Calls write ra, returns jump to it and write nothing; other jumps leave the depth alone. */
static void jumps_that_look_like_calls_count(void **state)
{
  (void)state;
  const uint32_t words[] = {
      word_u(SL_OP_AUIPC, 5, 0),    word_j(SL_OP_JAL, 1, 4),      word_j(SL_OP_JAL, 6, 4),
      word_i(SL_OP_JALR, 1, 5, 16), word_i(SL_OP_JALR, 0, 5, 20), word_i(SL_OP_JALR, 6, 5, 24),
      word_j(SL_OP_JAL, 0, 4),      word_i(SL_OP_JALR, 0, 1, 16), word_i(SL_OP_JALR, 0, 0, 0),
  };
  static const int depth[] = {0, 1, 1, 2, 2, 2, 2, 1};
  for (unsigned scheme = SL_CONVERGENCE_NESTING; scheme <= SL_CONVERGENCE_SORTED_PATHS; scheme++) {
    const struct sl_simtight_spec spec = machine((enum sl_scheme)scheme, 8, 1, false);
    struct kernel *k = kernel_create(&spec);
    for (unsigned i = 0; i < sizeof words / sizeof words[0]; i++)
      kernel_add(k, words[i]);
    kernel_start(k, 0);
    for (unsigned i = 0; i < sizeof depth / sizeof depth[0]; i++) {
      assert_int_equal(sl_engine_run(sl_engine_of(true), &k->sm->base, 1), SL_SM_RUNNING);
      assert_int_equal(k->sm->warps.paths[0].path[0].pc, spec.code_base + (i == 7 ? 32 : 4 * (i + 1)));
      assert_int_equal(k->sm->warps.paths[0].path[0].level, scheme == SL_CONVERGENCE_NESTING ? 0 : depth[i]);
    }
    kernel_free(k);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nesting_with_marks),
      cmocka_unit_test(depth_and_pc_without_marks),
      cmocka_unit_test(sorted_paths_without_marks),
      cmocka_unit_test(marks_do_nothing_in_other_schemes),
      cmocka_unit_test(every_scheme_with_a_scalar_pipeline),
      cmocka_unit_test(jumps_that_look_like_calls_count),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
