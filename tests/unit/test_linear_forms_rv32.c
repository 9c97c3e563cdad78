/* Random RV32 kernels and their variants with linear registers leave the same memory, timed and functional, in grids of
 * one block or more with partial warps. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/linear/rv32/rv32_write.h"
#include "machine/sm7/riscv/sm7_rv_warps.h"
#include "machine/sm7/sm7_gpu.h"
#include "random_rv32.h"

enum { KERNELS = 300, BYTES = 64, MOST_THREADS = 1024 };
#define RESULTS UINT32_C(0x10010000)

static const struct sl_linear_abi abi = {.place_csr = SL_SM7_RV_CSR_PLACE,
                                         .launch_csr = SL_SM7_RV_CSR_LAUNCH,
                                         .end_csr = SL_SM7_RV_CSR_COMMAND,
                                         .block_at = 12,
                                         .arguments_at = 36};
static const struct sl_sm7_rv_launch launches[] = {{.grid = {2, 2, 1}, .block = {9, 2, 3}, .bytes = 48},
                                                   {.grid = {1, 1, 1}, .block = {64, 1, 1}, .bytes = 48},
                                                   {.grid = {3, 1, 2}, .block = {5, 7, 1}, .bytes = 48},
                                                   {.grid = {7, 1, 1}, .block = {33, 1, 1}, .bytes = 48}};
static const uint32_t arguments[] = {7, (uint32_t)-3, RESULTS};

struct made {
  uint32_t results[MOST_THREADS * BYTES / 4];
  uint64_t linear; /* warp instructions of phases */
};

static void run(struct sl_sm *sm, bool timed)
{
  sl_sm7.life.set_timing(sm, timed);
  sl_sm7.life.start(sm, BASE, LAUNCH, 0);
  if (timed)
    sl_sm7.life.run_cycles(sm, 10000000);
  for (int warp = -1; !timed && sm->state == SL_SM_RUNNING && (warp = sl_sm7.steps.next(sm, (unsigned)warp)) >= 0;)
    sl_sm7.steps.run_warp(sm, &(struct sl_time_slice){.warp = (unsigned)warp, .left = sl_sm7.steps.slice}, UINT64_MAX);
  if (!timed)
    sl_sm7.steps.none(sm);
  const struct sl_fault *fault = sl_sm7.view.fault(sm);
  if (sm->state != SL_SM_DONE)
    fail_msg("state %d, pc %x, block %u %u, thread %u %u %u: %s", sm->state, fault->pc, fault->block[0],
             fault->block[1], fault->thread[0], fault->thread[1], fault->thread[2],
             fault->detail != NULL ? fault->detail : "");
}

static uint64_t count_of(const struct sl_sm *sm, const char *name)
{
  for (size_t i = 0; i < sl_sm7_counters.count; i++)
    if (strcmp(sl_sm7_counters.counter[i].name, name) == 0)
      return sl_sm7.view.counter(sm, i);
  fail_msg("no counter %s", name);
  return 0;
}

static void execute(const struct writer *w, const struct sl_rv32_form *form, const struct sl_sm7_rv_launch *launch,
                    bool timed, struct made *made)
{
  struct sl_error err;
  struct sl_memory memory;
  struct sl_sm7_spec spec;
  struct sl_sm *sm;
  sl_keys_defaults(&sl_sm7_keys, &spec);
  spec.clusters = 2;
  spec.sms_per_cluster = 1;
  spec.r2d2 = form != NULL;
  spec.linear_shadow = !timed;
  spec.registers *= 4; /* large enough for all */
  assert_int_equal(sl_memory_init(&memory, 0, &err), SL_OK);
  sl_memory_write(&memory, LAUNCH, launch, sizeof *launch);
  sl_memory_write(&memory, LAUNCH + sizeof *launch, arguments, sizeof arguments);
  const struct sl_sm_environment environment = {.memory = &memory};
  assert_int_equal(sl_sm7.life.create(&spec, &environment, &sm, &err), SL_OK);
  for (uint32_t i = 0; i < w->count; i++)
    sl_sm7.life.write_instruction(sm, BASE + 4 * i, w->word[i]);
  for (uint32_t i = 0; form != NULL && i < form->count; i++)
    sl_sm7.life.write_instruction(sm, BASE + 4 * (w->count + i), form->word[i]);
  run(sm, timed);
  made->linear = timed ? count_of(sm, "linear.blocks") : 0;
  sl_memory_read(&memory, RESULTS, made->results, sizeof made->results);
  sl_sm7.life.destroy(sm);
  sl_memory_free(&memory);
}

/* False: there is no variant. */
static bool transform(const struct writer *w, uint32_t end, struct sl_rv32_form *form)
{
  struct sl_error err = {0};
  struct sl_code words;
  struct sl_linear_code code;
  struct sl_linear_analysis analysis;
  struct sl_linear_plan plan;
  const unsigned sets = SL_ISA_I | SL_ISA_M | SL_ISA_ZICSR;
  assert_int_equal(sl_code_init(&words, sl_isa(SL_ISA_RV32), sets, BASE, w->count, &err), SL_OK);
  for (uint32_t i = 0; i < w->count; i++)
    sl_code_write(&words, i, w->word[i]);
  const struct sl_linear_machine_code machine = {.code = &words, .abi = &abi, .end = end};
  assert_int_equal(sl_linear_from_rv32(&code, &machine, &err), SL_OK);
  assert_int_equal(sl_linear_analyse(&analysis, &code, NULL, &err), SL_OK);
  assert_int_equal(sl_linear_plan_make(&plan, &analysis, &err), SL_OK);
  const enum sl_status status = sl_rv32_form_make(form, &plan, &machine, BASE + 4 * w->count, &err);
  assert_true(status == SL_OK || (status == SL_USAGE && err.text[0] != '\0'));
  sl_linear_plan_free(&plan);
  sl_linear_analysis_free(&analysis);
  sl_linear_code_free(&code);
  sl_code_free(&words);
  return status == SL_OK;
}

static void both_variants_leave_the_same_memory(void **state)
{
  (void)state;
  static struct writer w = {.stores = true};
  static struct made plain, fast, timed;
  const char *kernels = getenv("PROGRAMS");
  const unsigned count = kernels != NULL ? (unsigned)strtoul(kernels, NULL, 10) : KERNELS;
  unsigned transformed = 0, ran = 0;
  for (unsigned seed = 1; seed <= count; seed++) {
    struct sl_rv32_form form;
    const struct sl_sm7_rv_launch *launch = &launches[seed % (sizeof launches / sizeof *launches)];
    const uint32_t end = write_kernel(&w, seed);
    if (!transform(&w, end, &form))
      continue;
    transformed++;
    execute(&w, NULL, launch, false, &plain);
    execute(&w, &form, launch, false, &fast);
    execute(&w, &form, launch, true, &timed);
    ran += timed.linear > 0;
    if (memcmp(plain.results, fast.results, sizeof plain.results) != 0)
      fail_msg("kernel %u comes to something else without timing", seed);
    if (memcmp(plain.results, timed.results, sizeof plain.results) != 0)
      fail_msg("kernel %u comes to something else with timing", seed);
    sl_rv32_form_free(&form);
  }
  /* The test must cover enough kernels. */
  assert_true(2 * transformed > count);
  assert_true(ran == transformed);
  print_message("%u kernels, of which %u ran with linear registers\n", count, ran);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(both_variants_leave_the_same_memory)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
