/* Every benchmark on every machine passes its own check and leaves the memory of fast mode; each issue slot is counted
 * once. */
#include "common.h"

static const char *const benchmarks[] = {"VecAdd",
                                         "Histogram",
                                         "Reduce",
                                         "Scan",
                                         "Transpose",
                                         "MatVecMul",
                                         "MatMul",
                                         "BitonicSortSmall",
                                         "BitonicSortLarge",
                                         "SparseMatVecMul",
                                         "BlockedStencil",
                                         "StripedStencil",
                                         "VecGCD",
                                         "MotionEst",
                                         "BitonicSortLarge_Float",
                                         "MatMul_Float"};

enum { BENCHMARKS = sizeof benchmarks / sizeof benchmarks[0] };

/* The default place of spilled registers: just below the scratchpad, 64 warps x 32 registers x 128 bytes. */
enum { SPILLED_BYTES = 64 * 32 * 128 };
#define SPILLED (UINT32_C(0xbfff0000) - SPILLED_BYTES)

static bool is_float(const char *name)
{
  return strstr(name, "_Float") != NULL;
}

/* Hash of memory without spilled registers, which are not results. */
static uint64_t hash_results(simtlab_device *device)
{
  static const uint8_t zeros[SPILLED_BYTES];
  simtlab_device_write(device, SPILLED, zeros, sizeof zeros, NULL);
  return simtlab_device_memory_hash(device);
}

/* Runs a benchmark, which must pass; the caller closes it. */
static struct bench run(const char *machine, const char *setting, const char *name, bool fast)
{
  const char *const settings[] = {is_float(name) ? "fpu=true" : "fpu=false", setting, NULL};
  struct simtlab_error error;
  struct bench b = open_bench_on(machine, settings, name, &(struct simtlab_options){.fast = fast});
  if (simtlab_device_run(b.device, &error) != SIMTLAB_OK)
    fail_msg("%s on %s: %s", name, machine, error.text);
  if (simtlab_device_exit_status(b.device) != 0)
    fail_msg("%s on %s does not pass its check", name, machine);
  return b;
}

/* The counters slots_* of each launch sum to its cycles. */
static void check_slots(const simtlab_device *device)
{
  for (size_t launch = 0; launch < simtlab_device_launches(device); launch++) {
    uint64_t slots = 0, cycles = 0;
    for (size_t i = 0; i < simtlab_device_counters(device); i++) {
      const char *name = simtlab_counter_name(device, i);
      if (strncmp(name, "slots_", 6) == 0)
        slots += simtlab_counter_value(device, launch, i);
      else if (strcmp(name, "cycles") == 0)
        cycles = simtlab_counter_value(device, launch, i);
    }
    assert_true(cycles > 0);
    if (slots != cycles)
      fail_msg("launch %zu: %llu of %llu cycles have an owner", launch, (unsigned long long)slots,
               (unsigned long long)cycles);
  }
}

static uint64_t total(const simtlab_device *device, const char *name)
{
  uint64_t value = 0;
  assert_true(simtlab_counter_total(device, name, &value));
  return value;
}

/* Runs all benchmarks, on a machine with an FPU those that need it; returns the number of spilled registers. */
static uint64_t run_all(const char *machine, const char *setting)
{
  uint64_t spills = 0;
  for (unsigned i = 0; i < BENCHMARKS; i++) {
    const char *name = benchmarks[i];
    if (strstr(machine, "-fp") != NULL && !is_float(name))
      continue;
    struct bench fast = run(machine, setting, name, true), cycle = run(machine, setting, name, false);
    check_slots(cycle.device);
    spills += total(cycle.device, "spills");
    if (hash_results(cycle.device) != hash_results(fast.device))
      fail_msg("%s on %s: memory is not what fast mode leaves", name, machine);
    close_bench(&fast);
    close_bench(&cycle);
  }
  return spills;
}

/* Simty has other counters, and its published core has no host CPU for the benchmarks' host code. */
static bool is_simtight(const char *machine)
{
  return strncmp(machine, "simtight", 8) == 0;
}

static void every_simtight_machine_runs_all_benchmarks(void **state)
{
  (void)state;
  for (size_t i = 0; simtlab_machine_name(i) != NULL; i++)
    if (is_simtight(simtlab_machine_name(i)))
      run_all(simtlab_machine_name(i), NULL);
}

/* The fewest slots possible: three per warp and the spill threshold. */
static void the_fewest_slots_run_all_benchmarks(void **state)
{
  (void)state;
  assert_true(run_all("simtight-rfc", "registers.slots=256") > 0);
  assert_true(run_all("simtight-rfc-pp-sb", "registers.slots=256") > 0);
}

static void a_slot_for_every_register_spills_none(void **state)
{
  (void)state;
  assert_true(run_all("simtight-rfc-pp", "registers.slots=0") == 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_simtight_machine_runs_all_benchmarks),
      cmocka_unit_test(the_fewest_slots_run_all_benchmarks),
      cmocka_unit_test(a_slot_for_every_register_spills_none),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
