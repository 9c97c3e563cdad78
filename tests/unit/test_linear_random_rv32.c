/* Random RV32 kernels with loops, branches, exits from loops, registers saved on the stack and calls: each linear
 * instruction computes the value of its vector, at every thread, block and iteration; the operand that replaces another
 * has the same polynomial. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>

#include "compiler/linear/linear_check.h"
#include "compiler/linear/linear_code.h"
#include "linear_plans.h"
#include "machine/sm7/riscv/sm7_rv_warps.h"
#include "machine/sm7/sm7_gpu.h"
#include "random_rv32.h"

enum { KERNELS = 300 };

/* A kernel that runs and is traced. */
struct subject {
  struct sl_code words;
  struct sl_linear_code code;
  struct sl_linear_analysis analysis;
  struct sl_linear_follower follower;
  struct sl_linear_tally *tally;
  uint32_t end;
  uint32_t block[64]; /* by warp, 0: none yet */
};

static bool executed(void *context, const struct sl_probe *probe)
{
  struct subject *s = context;
  const uint32_t insn = sl_code_index(&s->words, (uint32_t)probe->pc), *index = probe->block->index;
  const uint32_t number = 1 + index[0] + 2 * index[1];
  if (insn >= s->end)
    return true;
  if (s->block[probe->warp] != number)
    sl_linear_follow_begin(&s->follower, probe->warp);
  s->block[probe->warp] = number;
  sl_linear_follow_enter(&s->follower, probe->warp, (uint32_t)probe->active, insn);
  if (probe->values == NULL || !sl_linear_follow_wants(&s->follower, insn))
    return true;
  const struct sl_linear_warp warp = {
      .warp = probe->warp, .within = probe->block->warp, .index = index, .size = probe->block->size};
  const struct sl_linear_result result = {
      .insn = insn, .place = (uint32_t)probe->pc, .active = (uint32_t)probe->active, .registers = probe->values};
  sl_linear_follow_compare(&s->follower, &warp, &result, s->tally);
  return true;
}

static const struct sl_sm7_rv_launch launch = {.grid = {2, 2, 1}, .block = {9, 2, 3}, .bytes = 44};
static const int32_t arguments[] = {7, -3};

static void set_symbols(struct subject *s)
{
  for (uint16_t i = 1; i < s->code.symbols; i++) {
    const struct sl_linear_symbol *symbol = &s->code.symbol[i];
    s->follower.values[i] = symbol->origin == SL_LINEAR_ARGUMENT     ? arguments[(symbol->at - 36) / 4]
                            : symbol->origin == SL_LINEAR_BLOCK_SIZE ? (int32_t)launch.block[symbol->at]
                            : symbol->origin == SL_LINEAR_GRID_SIZE  ? (int32_t)launch.grid[symbol->at]
                            : symbol->at == SP                       ? (int32_t)SL_SM7_RV_STACK
                                                                     : (int32_t)LAUNCH;
  }
}

static void execute(struct subject *s, const struct writer *w)
{
  struct sl_error err;
  struct sl_memory memory;
  struct sl_sm7_spec spec;
  struct sl_sm *sm;
  struct sl_probes probes = {.wanted = SL_PROBE_EXECUTED, .tell = executed, .context = s};
  sl_keys_defaults(&sl_sm7_keys, &spec);
  spec.clusters = 1;
  assert_int_equal(sl_memory_init(&memory, 0, &err), SL_OK);
  sl_memory_write(&memory, LAUNCH, &launch, sizeof launch);
  sl_memory_write(&memory, LAUNCH + sizeof launch, arguments, sizeof arguments);
  const struct sl_sm_environment environment = {.memory = &memory, .probes = &probes};
  assert_int_equal(sl_sm7.life.create(&spec, &environment, &sm, &err), SL_OK);
  for (uint32_t i = 0; i < w->count; i++)
    sl_sm7.life.write_instruction(sm, BASE + 4 * i, w->word[i]);
  sl_sm7.life.set_timing(sm, false);
  sl_sm7.life.start(sm, BASE, LAUNCH, 0);
  for (int warp = -1; (warp = sl_sm7.steps.next(sm, (unsigned)warp)) >= 0;)
    sl_sm7.steps.run_warp(sm, &(struct sl_time_slice){.warp = (unsigned)warp, .left = sl_sm7.steps.slice}, UINT64_MAX);
  sl_sm7.steps.none(sm);
  assert_int_equal(sm->state, SL_SM_DONE);
  sl_sm7.life.destroy(sm);
  sl_memory_free(&memory);
}

static void run(const struct writer *w, uint32_t end, struct sl_linear_tally *tally, const char *name)
{
  static const struct sl_linear_abi abi = {.place_csr = SL_SM7_RV_CSR_PLACE,
                                           .launch_csr = SL_SM7_RV_CSR_LAUNCH,
                                           .end_csr = SL_SM7_RV_CSR_COMMAND,
                                           .block_at = 12,
                                           .arguments_at = 36};
  struct sl_error err = {0};
  struct subject s = {.tally = tally, .end = end, .follower = {.kernel = name, .addresses = true}};
  const unsigned sets = SL_ISA_I | SL_ISA_M | SL_ISA_ZICSR;
  assert_int_equal(sl_code_init(&s.words, sl_isa(SL_ISA_RV32), sets, BASE, w->count, &err), SL_OK);
  for (uint32_t i = 0; i < w->count; i++)
    sl_code_write(&s.words, i, w->word[i]);
  const struct sl_linear_machine_code machine = {.code = &s.words, .abi = &abi, .end = end};
  assert_int_equal(sl_linear_from_rv32(&s.code, &machine, &err), SL_OK);
  if (sl_linear_analyse(&s.analysis, &s.code, NULL, &err) != SL_OK)
    fail_msg("%s: %s", name, err.text);
  plan_is_right(&s.analysis, name);
  assert_int_equal(sl_linear_follow(&s.follower, &s.analysis, &err), SL_OK);
  assert_true(sl_linear_follow_warps(&s.follower, sizeof s.block / sizeof *s.block));
  set_symbols(&s);
  execute(&s, w);
  if (tally->wrong > 0)
    fail_msg("%s", tally->first);
  sl_linear_follow_end(&s.follower);
  sl_linear_analysis_free(&s.analysis);
  sl_linear_code_free(&s.code);
  sl_code_free(&s.words);
}

static void values_equal_those_of_their_vectors(void **state)
{
  (void)state;
  static struct writer w;
  struct sl_linear_tally sum = {.compared = 0};
  const char *kernels = getenv("PROGRAMS");
  const unsigned count = kernels != NULL ? (unsigned)strtoul(kernels, NULL, 10) : KERNELS;
  for (unsigned seed = 1; seed <= count; seed++) {
    char name[32];
    snprintf(name, sizeof name, "kernel %u", seed);
    const uint32_t end = write_kernel(&w, seed);
    run(&w, end, &sum, name);
  }
  /* The test must cover enough kernels. */
  assert_true(sum.compared > 1000u * count);
  assert_true(sum.iterated > 100u * count);
  print_message("%u kernels: %llu values compared, %llu of them in loops\n", count, (unsigned long long)sum.compared,
                (unsigned long long)sum.iterated);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(values_equal_those_of_their_vectors)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
