/* The events that all machines tell (conformance.h), for PTX and for the machines whose programs are instruction words
 * here; tests/probes runs compiled programs. And the events of buffers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "conformance.h"
#include "device/engine/engine.h"
#include "device/launch.h"
#include "isa/wide.h"
#include "machine/machine.h"
#include "machine/sm7/sm7_engine.h"
#include "machine/sm7/sm7_gpu.h"
#include "mem/memory.h"
#include "ptx/ptx.h"

enum { MOST_STOPS = 100000 };

/* ---- PTX --------------------------------------------------------------------------------------------------------- */

enum { BLOCKS = 6, THREADS = 96, WARPS = 3, MEMORY = 4096 };

/* A loop whose length depends on the thread, barriers of two kinds, shared, global and constant memory, atomics with
 * and without a result, fences, 64-bit and predicated instructions. */
static const char kernel[] = ".version 6.4\n.target sm_70\n.address_size 64\n"
                             ".visible .entry k(.param .u64 out)\n{\n"
                             ".reg .pred %p<4>;\n.reg .b32 %r<16>;\n.reg .b64 %d<8>;\n"
                             ".shared .align 4 .b8 s[512];\n"
                             "ld.param.u64 %d1, [out];\n"
                             "mov.u32 %r1, %tid.x;\n"
                             "mov.u32 %r2, %ctaid.x;\n"
                             "mov.u32 %r3, s;\n"
                             "shl.b32 %r4, %r1, 2;\n"
                             "add.u32 %r5, %r3, %r4;\n"
                             "st.shared.u32 [%r5], %r1;\n"
                             "bar.sync 0;\n"
                             "and.b32 %r6, %r1, 7;\n"
                             "mov.u32 %r7, 0;\n"
                             "LOOP:\n"
                             "add.u32 %r7, %r7, %r6;\n"
                             "sub.u32 %r6, %r6, 1;\n"
                             "setp.gt.s32 %p1, %r6, 0;\n"
                             "@%p1 bra LOOP;\n"
                             "ld.shared.u32 %r8, [%r5];\n"
                             "cvt.u64.u32 %d2, %r4;\n"
                             "add.u64 %d3, %d1, %d2;\n"
                             "setp.lt.u32 %p2, %r1, 32;\n"
                             "@%p2 st.global.u32 [%d3], %r7;\n"
                             "membar.gl;\n"
                             "red.global.add.u32 [%d1+2048], %r8;\n"
                             "atom.global.add.u32 %r9, [%d1+2052], 1;\n"
                             "atom.shared.add.u32 %r9, [%r3], 1;\n"
                             "ld.global.u32 %r10, [%d3];\n"
                             "ld.global.u32 %r11, [%d1+2048];\n"
                             "setp.lt.u32 %p3, %r1, 32;\n"
                             "@%p3 bar.arrive 1, 96;\n"
                             "@!%p3 bar.sync 1, 96;\n"
                             "add.u32 %r12, %r10, %r11;\n"
                             "bar.sync 0;\n"
                             "ret;\n}\n";

struct ptx {
  struct sl_ptx_module *module;
  struct sl_ptx_memory memory;
  struct sl_ptx_launch launch;
  uint64_t out;
};

static void open_ptx(struct ptx *p)
{
  struct sl_error err;
  *p = (struct ptx){.module = NULL};
  if (sl_ptx_parse(&p->module, kernel, strlen(kernel), "events", NULL, &err) != SL_OK)
    fail_msg("%s", err.text);
  assert_int_equal(sl_ptx_memory_init(&p->memory, p->module, &err), SL_OK);
  assert_int_equal(sl_ptx_memory_allocate(&p->memory, MEMORY, &p->out, &err), SL_OK);
  p->launch = (struct sl_ptx_launch){.module = p->module,
                                     .kernel = sl_ptx_entry(p->module, "k"),
                                     .grid = {BLOCKS, 1, 1},
                                     .block = {THREADS, 1, 1},
                                     .regs_per_thread = 16,
                                     .params = (uint8_t *)&p->out,
                                     .memory = &p->memory};
}

static void close_ptx(struct ptx *p)
{
  sl_ptx_memory_free(&p->memory);
  sl_ptx_free(p->module);
}

/* Without timing. Returns the number of stops. */
static unsigned run_fast(struct conformance *c, uint64_t period)
{
  struct ptx p;
  struct sl_ptx_grid *grid;
  struct sl_ptx_counts counts = {0};
  struct sl_error err = {0};
  open_ptx(&p);
  conformance_begin(c, "PTX without timing", &sl_sm7, 1, false, period);
  const struct sl_ptx_bounds bounds = {.probes = &c->probes};
  assert_int_equal(sl_ptx_grid_open(&grid, &p.launch, &bounds, &counts, &err), SL_OK);
  unsigned stops = 0;
  while (sl_ptx_grid_go_on(grid, UINT64_MAX, &err) == SL_STOPPED && stops++ < MOST_STOPS)
    c->probes.stopped = false;
  sl_ptx_grid_close(grid);
  conformance_counters(c, counts.warp_insns, counts.thread_insns, 0);
  close_ptx(&p);
  return stops;
}

/* With timing, on a GPU of the preset. */
static unsigned run_timed(const char *preset, struct conformance *c, uint64_t period)
{
  struct ptx p;
  struct sl_config config;
  struct sl_sm7_engine engine;
  struct sl_ptx_counts counts = {0};
  struct sl_error err = {0};
  open_ptx(&p);
  assert_int_equal(sl_config_open(&config, preset, &err), SL_OK);
  const struct sl_sm7_spec *spec = config.spec;
  const unsigned sms = spec->clusters * spec->sms_per_cluster;
  conformance_begin(c, "PTX with timing", &sl_sm7, sms, true, period);
  assert_int_equal(sl_sm7_engine_open(&engine, spec, 1, &err), SL_OK);
  engine.bounds.probes = &c->probes;
  if (sl_sm7_engine_begin(&engine, &p.launch, &err) != SL_OK)
    fail_msg("%s", err.text);
  unsigned stops = 0;
  while (sl_sm7_engine_go_on(&engine, UINT64_MAX, &err) == SL_STOPPED && stops++ < MOST_STOPS)
    c->probes.stopped = false;
  sl_sm7_engine_end(&engine, &counts);
  const struct sl_sm7_counts passed = sl_sm7_gpu_totals(engine.gpu).sm; /* eliminated: executed, but not counted */
  conformance_counters(c, counts.warp_insns + passed.passed, counts.thread_insns + passed.passed_lanes,
                       counts.cycles * sms * spec->schedulers);
  sl_sm7_engine_close(&engine);
  sl_config_close(&config);
  close_ptx(&p);
  return stops;
}

static void ptx_conforms(void **state)
{
  (void)state;
  static struct conformance fast, timed, stopped;
  run_fast(&fast, 0);
  run_timed("sm7-1", &timed, 0);
  const enum sl_probe_kind alike[] = {SL_PROBE_EXECUTED, SL_PROBE_ACCESSED, SL_PROBE_ARRIVED, SL_PROBE_FENCED,
                                      SL_PROBE_BEGUN};
  for (unsigned i = 0; i < sizeof alike / sizeof alike[0]; i++)
    assert_int_equal(conformance_count(&fast, alike[i]), conformance_count(&timed, alike[i]));
  assert_int_equal(conformance_count(&fast, SL_PROBE_BEGUN), BLOCKS);
  assert_int_equal(conformance_count(&fast, SL_PROBE_ARRIVED), 3 * BLOCKS * WARPS);
  assert_int_equal(conformance_count(&fast, SL_PROBE_FENCED), BLOCKS * WARPS);
  const uint64_t periods[] = {1, 2, 7, 101};
  for (unsigned i = 0; i < sizeof periods / sizeof periods[0]; i++) {
    conformance_compare(&stopped, &fast, run_fast(&stopped, periods[i]));
    assert_int_equal(conformance_end(&stopped), 0);
    conformance_compare(&stopped, &timed, run_timed("sm7-1", &stopped, periods[i]));
    assert_int_equal(conformance_end(&stopped), 0);
  }
  assert_int_equal(conformance_end(&fast), 0);
  assert_int_equal(conformance_end(&timed), 0);
}

/* Eliminated instructions have events, too. */
static void eliminated_ptx_conforms(void **state)
{
  (void)state;
  static struct conformance plain, less, stopped;
  run_timed("sm7", &plain, 0);
  run_timed("sm7-darsie", &less, 0);
  assert_int_equal(conformance_count(&plain, SL_PROBE_EXECUTED), conformance_count(&less, SL_PROBE_EXECUTED));
  assert_true(conformance_count(&plain, SL_PROBE_FETCHED) > conformance_count(&less, SL_PROBE_FETCHED));
  conformance_compare(&stopped, &less, run_timed("sm7-darsie", &stopped, 11));
  assert_int_equal(conformance_end(&plain) + conformance_end(&less) + conformance_end(&stopped), 0);
}

/* A stop ends the run within the events of the instruction, or of the cycle. */
static void ptx_stops_promptly(void **state)
{
  (void)state;
  static struct conformance c;
  struct ptx p;
  struct sl_ptx_counts counts = {0};
  struct sl_error err;
  open_ptx(&p);
  conformance_begin(&c, "PTX without timing", &sl_sm7, 1, false, 10);
  c.probes.wanted = SL_PROBE_EXECUTED;
  c.running = true;
  const struct sl_ptx_bounds bounds = {.probes = &c.probes};
  assert_int_equal(sl_ptx_grid_run(&p.launch, &bounds, &counts, &err), SL_STOPPED);
  assert_int_equal(c.heard, 10);
  assert_int_equal(counts.warp_insns, 10);
  conformance_end(&c);
  close_ptx(&p);
}

/* ---- Cyclotron --------------------------------------------------------------------------------------------------- */

enum { BASE = 0x80000000, RA = 1, SP = 2, CYCLOTRON_WARPS = 4, CYCLOTRON_BARRIER = 10 };

static void put(struct sl_sm *sm, uint32_t *pc, struct sl_wide wide)
{
  sl_cyclotron.life.write_instruction(sm, *pc, sl_wide_encode(&wide));
  *pc += SL_WIDE_BYTES;
}

/* Four warps store, load and compute, and meet at a barrier. */
static void put_program(struct sl_sm *sm)
{
  uint32_t pc = BASE;
  const uint32_t all = BASE + 3 * SL_WIDE_BYTES;
  put(sm, &pc, (struct sl_wide){.op = SL_OP_ADDI, .rd = 10, .imm = CYCLOTRON_WARPS});
  put(sm, &pc, (struct sl_wide){.op = SL_OP_ADDI, .rd = 11, .imm = all});
  put(sm, &pc, (struct sl_wide){.op = SL_OP_WSPAWN, .rs1 = 10, .rs2 = 11});
  put(sm, &pc, (struct sl_wide){.op = SL_OP_ADDI, .rd = 10, .imm = CYCLOTRON_WARPS});
  put(sm, &pc, (struct sl_wide){.op = SL_OP_SW, .rs1 = SP, .rs2 = 10, .imm = (uint32_t)-4});
  put(sm, &pc, (struct sl_wide){.op = SL_OP_LW, .rd = 7, .rs1 = SP, .imm = (uint32_t)-4});
  put(sm, &pc, (struct sl_wide){.op = SL_OP_BAR, .rs2 = 10});
  put(sm, &pc, (struct sl_wide){.op = SL_OP_FENCE});
  put(sm, &pc, (struct sl_wide){.op = SL_OP_ADD, .rd = 5, .rs1 = 7, .rs2 = 10});
  put(sm, &pc, (struct sl_wide){.op = SL_OP_JALR, .rs1 = RA});
}

static uint64_t counter(const struct sl_sm *sm, enum sl_counter_role role)
{
  const struct sl_counters *counters = sl_cyclotron.counters;
  for (size_t i = 0; i < counters->count; i++)
    if (counters->counter[i].role == role)
      return sl_cyclotron.view.counter(sm, i);
  return 0;
}

static unsigned run_cyclotron(struct conformance *c, bool fast, uint64_t period)
{
  struct sl_config config;
  struct sl_memory memory;
  struct sl_sm *sm;
  assert_int_equal(sl_config_open(&config, "cyclotron", NULL), SL_OK);
  assert_int_equal(sl_memory_init(&memory, 0, NULL), SL_OK);
  conformance_begin(c, "cyclotron", &sl_cyclotron, 1, !fast, period);
  const struct sl_sm_environment environment = {.memory = &memory, .probes = &c->probes};
  assert_int_equal(sl_cyclotron.life.create(config.spec, &environment, &sm, NULL), SL_OK);
  put_program(sm);
  sl_cyclotron.life.set_timing(sm, !fast);
  sl_tell(&c->probes, &(struct sl_probe){.kind = SL_PROBE_LAUNCHED});
  sl_cyclotron.life.start(sm, BASE, 0, 0);
  unsigned stops = 0;
  while (c->probes.stopped = false, sl_engine_run(sl_engine_of(fast), sm, UINT32_MAX) == SL_SM_STOPPED) {
    assert_true(stops++ < MOST_STOPS);
    sm->state = SL_SM_RUNNING;
  }
  assert_int_equal(sm->state, SL_SM_DONE);
  sl_tell(&c->probes, &(struct sl_probe){.kind = SL_PROBE_ENDED, .cycle = sl_cyclotron.view.elapsed(sm)});
  conformance_counters(c, counter(sm, SL_COUNTER_WARP_INSTRUCTIONS), counter(sm, SL_COUNTER_THREAD_INSTRUCTIONS),
                       counter(sm, SL_COUNTER_CYCLES));
  sl_cyclotron.life.destroy(sm);
  sl_memory_free(&memory);
  sl_config_close(&config);
  return stops;
}

static void cyclotron_conforms(void **state)
{
  (void)state;
  static struct conformance whole, stopped;
  for (unsigned fast = 0; fast < 2; fast++) {
    assert_int_equal(run_cyclotron(&whole, fast, 0), 0);
    assert_int_equal(conformance_count(&whole, SL_PROBE_ARRIVED), CYCLOTRON_WARPS);
    assert_int_equal(conformance_count(&whole, SL_PROBE_FENCED), CYCLOTRON_WARPS);
    conformance_compare(&stopped, &whole, run_cyclotron(&stopped, fast, 3));
    assert_int_equal(conformance_end(&stopped), 0);
    assert_int_equal(conformance_end(&whole), 0);
  }
}

/* ---- tables and buffers ------------------------------------------------------------------------------------------ */

/* Each stage and stall reason has a name and a meaning, and the kinds of an instruction's way have a stage. */
static void machines_declare_stages_and_stall_reasons(void **state)
{
  (void)state;
  const unsigned way = SL_PROBE_FETCHED | SL_PROBE_ISSUED | SL_PROBE_RETIRED;
  for (const struct sl_machine *const *m = sl_machines; *m != NULL; m++) {
    unsigned kinds = 0;
    for (unsigned i = 0; i < (*m)->stages->count; i++) {
      const struct sl_stage *stage = &(*m)->stages->stage[i];
      assert_true(stage->name[0] != '\0' && stage->meaning[0] != '\0' && stage->kinds != 0);
      kinds |= stage->kinds;
      for (unsigned k = 0; k < i; k++)
        assert_string_not_equal(stage->name, (*m)->stages->stage[k].name);
    }
    assert_int_equal(kinds & way, way);
    for (size_t i = 0; i < (*m)->causes->count; i++)
      assert_true((*m)->causes->cause[i].name[0] != '\0' && (*m)->causes->cause[i].meaning[0] != '\0');
  }
}

struct buffers {
  unsigned count;
  struct sl_probe event[4];
};

static bool hear_buffer(void *context, const struct sl_probe *p)
{
  struct buffers *b = context;
  assert_true(b->count < 4);
  b->event[b->count++] = *p;
  return true;
}

static void buffers_are_observed(void **state)
{
  (void)state;
  struct sl_config config;
  struct sl_device *device;
  struct sl_error err;
  struct buffers heard = {0};
  uint32_t address;
  const struct sl_device_options options = {
      .probes = {.wanted = SL_PROBE_ALLOCATED | SL_PROBE_FREED, .tell = hear_buffer, .context = &heard}};
  assert_int_equal(sl_config_open(&config, "simtight", &err), SL_OK);
  assert_int_equal(sl_device_create(&config, &options, &device, &err), SL_OK);
  assert_int_equal(sl_device_alloc(device, 100, &address, &err), SL_OK);
  assert_int_not_equal(sl_device_release(device, address + 4, &err), SL_OK); /* refused, and not reported */
  assert_int_equal(sl_device_release(device, address, &err), SL_OK);
  assert_int_equal(heard.count, 2);
  for (unsigned i = 0; i < 2; i++) {
    assert_int_equal(heard.event[i].kind, i == 0 ? SL_PROBE_ALLOCATED : SL_PROBE_FREED);
    assert_int_equal(heard.event[i].buffer, address);
    assert_true(heard.event[i].bytes >= 100);
  }
  sl_device_destroy(device);
  sl_config_close(&config);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ptx_conforms),
      cmocka_unit_test(eliminated_ptx_conforms),
      cmocka_unit_test(ptx_stops_promptly),
      cmocka_unit_test(cyclotron_conforms),
      cmocka_unit_test(machines_declare_stages_and_stall_reasons),
      cmocka_unit_test(buffers_are_observed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
