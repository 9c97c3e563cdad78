/* Observers: their events, the order of events, and runs that continue unchanged after an observer stops them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core.h"
#include "device/device.h"
#include "kernel.h"

enum { LANES = 4, WARPS = 4, MOST_STOPS = 1000000 };

/* Observes everything; stops at every `period`-th event, 0: never. */
struct observer {
  struct sl_probes probes;
  unsigned period;
  unsigned executed, accessed, launched;
  uint64_t hash, last_cycle;
  uint64_t last_pc;
};

static void mix(struct observer *l, uint64_t value)
{
  l->hash = (l->hash ^ value) * UINT64_C(0x100000001b3);
}

static bool hear(void *context, const struct sl_probe *probe)
{
  struct observer *l = context;
  const unsigned heard = ++*(probe->kind == SL_PROBE_EXECUTED   ? &l->executed
                             : probe->kind == SL_PROBE_ACCESSED ? &l->accessed
                                                                : &l->launched);
  if (probe->kind == SL_PROBE_ACCESSED) {
    assert_int_equal(probe->cycle, l->last_cycle); /* right after its instruction */
    assert_int_equal(probe->pc, l->last_pc);
    assert_non_null(probe->address);
    mix(l, probe->address[0]);
  }
  assert_true(probe->cycle >= l->last_cycle);
  l->last_cycle = probe->cycle;
  l->last_pc = probe->pc;
  mix(l, probe->kind);
  mix(l, probe->cycle);
  mix(l, probe->pc << 32 | probe->warp);
  for (unsigned lane = 0; probe->values != NULL && lane < probe->lanes; lane++)
    mix(l, probe->values[lane]);
  return l->period == 0 || heard % l->period != 0;
}

static struct observer observer(unsigned period)
{
  return (struct observer){.period = period};
}

static void listen(struct sl_probes *probes, struct observer *l)
{
  *probes = (struct sl_probes){.wanted = SL_PROBE_EXECUTED | SL_PROBE_ACCESSED, .tell = hear, .context = l};
}

/* Runs a started machine to its end. Returns the number of stops. */
static unsigned run_on(struct sl_sm *sm, struct sl_probes *probes, bool fast)
{
  for (unsigned stops = 0; stops < MOST_STOPS; stops++) {
    probes->stopped = false;
    const enum sl_sm_state state = sl_engine_run(sl_engine_of(fast), sm, 1000000);
    if (state == SL_SM_DONE)
      return stops;
    assert_int_equal(state, SL_SM_STOPPED);
    assert_true(probes->stopped);
  }
  fail_msg("it never ends");
  return 0;
}

/* A stopped and continued run equals one without stops. */
static void compare(const struct observer *whole, const struct observer *stopped, unsigned stops)
{
  assert_true(stops > 10);
  assert_int_equal(whole->executed, stopped->executed);
  assert_int_equal(whole->accessed, stopped->accessed);
  assert_true(whole->accessed > 0);
  assert_int_equal(whole->hash, stopped->hash);
}

/* ---- SIMTight ---------------------------------------------------------------------------------------------------- */

static unsigned run_kernel(const struct sl_simtight_spec *spec, bool fast, struct observer *l, uint64_t *cycles)
{
  struct kernel *k = kernel_create(spec);
  listen(&k->probes, l);
  kernel_compute(k, 10, DATA, 4, 11);
  kernel_add(k, word_s(SL_OP_SW, 10, 10, 0));
  kernel_add(k, word_i(SL_OP_LW, 12, 10, 0));
  kernel_add(k, BARRIER);
  kernel_add(k, word_r(SL_OP_ADD, 13, 12, 12));
  kernel_add(k, END);
  kernel_start(k, 0);
  const unsigned stops = run_on(&k->sm->base, &k->probes, fast);
  *cycles = sl_simtight.view.elapsed(&k->sm->base);
  kernel_free(k);
  return stops;
}

static void simtight_stops_and_resumes(void **state)
{
  (void)state;
  for (unsigned i = 0; i < 6; i++) {
    struct sl_simtight_spec spec = kernel_spec(LANES, WARPS);
    spec.compressed = i / 2 > 0;
    spec.scalar_pipeline = i / 2 > 1;
    uint64_t cycles, stopped;
    struct observer whole = observer(0), often = observer(3);
    assert_int_equal(run_kernel(&spec, i % 2, &whole, &cycles), 0);
    compare(&whole, &often, run_kernel(&spec, i % 2, &often, &stopped));
    assert_int_equal(cycles, stopped);
  }
}

/* ---- Simty ------------------------------------------------------------------------------------------------------- */

static unsigned run_core(bool fast, struct observer *l, uint64_t *cycles)
{
  struct core *k = core_create(LANES, WARPS);
  listen(&k->probes, l);
  core_add_prologue(k);
  core_add(k, word_u(SL_OP_LUI, 7, CORE_DATA >> 12));
  core_add(k, word_r(SL_OP_ADD, 7, 7, 6));
  core_add(k, word_s(SL_OP_SW, 5, 7, 0));
  core_add(k, word_i(SL_OP_LW, 8, 7, 0));
  core_add_epilogue(k);
  sl_simty.life.start(&k->sm->base, k->entry, 0, 0);
  const unsigned stops = run_on(&k->sm->base, &k->probes, fast);
  *cycles = sl_simty.view.elapsed(&k->sm->base);
  core_free(k);
  return stops;
}

static void simty_stops_and_resumes(void **state)
{
  (void)state;
  for (unsigned fast = 0; fast < 2; fast++) {
    uint64_t cycles, stopped;
    struct observer whole = observer(0), often = observer(3);
    assert_int_equal(run_core(fast, &whole, &cycles), 0);
    compare(&whole, &often, run_core(fast, &often, &stopped));
    assert_int_equal(cycles, stopped);
  }
}

/* ---- events ------------------------------------------------------------------------------------------------------ */

/* Observers get only the kinds of events that they request. */
static void observers_of_accesses_get_accesses(void **state)
{
  (void)state;
  const struct sl_insn add = sl_decode(word_r(SL_OP_ADD, 1, 2, 3), SL_ISA_I);
  const struct sl_insn store = sl_decode(word_s(SL_OP_SW, 1, 2, 0), SL_ISA_I);
  const uint32_t words[1] = {0};
  struct observer l = observer(0);
  struct sl_probes probes = {.wanted = SL_PROBE_ACCESSED, .tell = hear, .context = &l};
  sl_tell_execution(&probes, &(struct sl_probe){.insn = &add, .values = words, .address = words});
  assert_int_equal(l.executed + l.accessed, 0);
  sl_tell_execution(&probes, &(struct sl_probe){.insn = &store, .values = words, .address = words});
  assert_int_equal(l.executed, 0);
  assert_int_equal(l.accessed, 1);
  assert_false(sl_probes_want(NULL, SL_PROBE_EXECUTED));
  assert_false(sl_probes_stopped(NULL));
}

/* ---- a device ---------------------------------------------------------------------------------------------------- */

/* A program of ten instructions on a Vortex GPU, the last of which ends the warp. */
static unsigned run_device(bool fast, struct observer *l, unsigned wanted)
{
  enum { COUNT = 10, TMC = 0x0b };
  uint32_t words[COUNT];
  for (unsigned i = 0; i < COUNT; i++)
    words[i] = i + 1 < COUNT ? word_i(SL_OP_ADDI, 5, 5, 1) : TMC;
  struct sl_config config;
  struct sl_program *program;
  struct sl_device *device;
  struct sl_error err = {0};
  const struct sl_device_options options = {.fast = fast, .probes = {.wanted = wanted, .tell = hear, .context = l}};
  assert_int_equal(sl_config_open(&config, "vortex", &err), SL_OK);
  assert_int_equal(sl_program_parse("x.bin", words, sizeof words, &program, &err), SL_OK);
  assert_int_equal(sl_device_create(&config, &options, &device, &err), SL_OK);
  assert_int_equal(sl_device_load(device, program, 1, (const char *const[]){"x.bin"}, &err), SL_OK);
  unsigned stops = 0;
  enum sl_status code_of_run;
  while ((code_of_run = sl_device_run(device, &err)) == SL_STOPPED)
    stops++;
  if (code_of_run != SL_OK)
    fail_msg("%s", err.text);
  assert_int_equal(sl_device_result(device)->launch_count, 1);
  assert_true(sl_device_result(device)->launches[0].finished);
  sl_device_destroy(device);
  sl_program_free(program);
  sl_config_close(&config);
  return stops;
}

static void a_stopped_device_reports_it(void **state)
{
  (void)state;
  for (unsigned fast = 0; fast < 2; fast++) {
    struct observer whole = observer(0), often = observer(1), first = observer(1);
    const unsigned all = SL_PROBE_LAUNCHED | SL_PROBE_EXECUTED;
    assert_int_equal(run_device(fast, &whole, all), 0);
    assert_int_equal(whole.launched, 1);
    assert_true(run_device(fast, &often, all) > 2);
    assert_int_equal(whole.hash, often.hash);
    assert_int_equal(run_device(fast, &first, SL_PROBE_LAUNCHED), 1);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(simtight_stops_and_resumes),
      cmocka_unit_test(simty_stops_and_resumes),
      cmocka_unit_test(observers_of_accesses_get_accesses),
      cmocka_unit_test(a_stopped_device_reports_it),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
