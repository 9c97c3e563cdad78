/* The Vortex machine: spawning, barriers, several cores, checkpoints, observers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "config/config.h"
#include "device/engine/engine.h"
#include "machine/machine.h"
#include "machine/machine_state.h"
#include "machine/vortex/vortex_gpu.h"
#include "mem/memory.h"

#define CODE UINT32_C(0x80000000)

enum { T0 = 5, T1 = 6, T2 = 7, A0 = 10, A1 = 11, A2 = 12, T3 = 28, T4 = 29 };
enum { OUT = 0x20000, IN = 0x30000, DOUBLED = 0x40000, DATA_END = 0x50000, PLENTY = 1000000 };

struct bench {
  struct sl_config config;
  struct sl_memory memory;
  struct sl_sm *sm;
  uint32_t at; /* address of the next instruction */
};

static void set(struct bench *b, const char *key, const char *value)
{
  struct sl_error err;
  assert_int_equal(sl_key_set(b->config.machine->keys, b->config.spec, key, value, &err), SL_OK);
}

/* A configuration that can still be changed. */
static void open_config(struct bench *b, const char *preset, const char *cores, const char *lanes)
{
  struct sl_error err;
  memset(b, 0, sizeof *b);
  assert_int_equal(sl_config_open(&b->config, preset, &err), SL_OK);
  set(b, "cores", cores);
  set(b, "lanes", lanes);
}

static void create(struct bench *b, struct sl_sm_environment environment)
{
  struct sl_error err;
  assert_int_equal(sl_vortex.check(b->config.spec, &err), SL_OK);
  assert_int_equal(sl_memory_init(&b->memory, 0, &err), SL_OK);
  environment.memory = &b->memory;
  assert_int_equal(sl_vortex.life.create(b->config.spec, &environment, &b->sm, &err), SL_OK);
  b->at = CODE;
}

static void open_bench(struct bench *b, const char *cores, const char *lanes)
{
  open_config(b, "vortex", cores, lanes);
  create(b, (struct sl_sm_environment){0});
}

static void close_bench(struct bench *b)
{
  sl_vortex.life.destroy(b->sm);
  sl_memory_free(&b->memory);
  sl_config_close(&b->config);
}

static void emit(struct bench *b, enum sl_op op, unsigned rd, unsigned rs1, unsigned rs2)
{
  sl_vortex.life.write_instruction(b->sm, b->at, sl_op_info(op)->match | rd << 7 | rs1 << 15 | rs2 << 20);
  b->at += 4;
}

/* With an immediate in place of rs2 and the bits above. */
static void emit_i(struct bench *b, enum sl_op op, unsigned rd, unsigned rs1, uint32_t imm)
{
  emit(b, op, rd, rs1, 0);
  sl_vortex.life.write_instruction(b->sm, b->at - 4, sl_op_info(op)->match | rd << 7 | rs1 << 15 | imm << 20);
}

static void load_immediate(struct bench *b, unsigned rd, uint32_t value)
{
  const uint32_t high = (value + 0x800) & 0xfffff000;
  sl_vortex.life.write_instruction(b->sm, b->at, sl_op_info(SL_OP_LUI)->match | rd << 7 | high);
  b->at += 4;
  emit_i(b, SL_OP_ADDI, rd, rd, value & 0xfff);
}

static void all_lanes(struct bench *b)
{
  load_immediate(b, T0, UINT32_MAX);
  emit(b, SL_OP_TMC, 0, T0, 0);
}

/* Every thread stores its hart number + 1 to OUT + 4 * hart. */
static void store_hart(struct bench *b)
{
  emit_i(b, SL_OP_CSRRS, A0, 0, 0xf14);
  emit_i(b, SL_OP_SLLI, A1, A0, 2);
  load_immediate(b, A2, OUT);
  emit(b, SL_OP_ADD, A1, A1, A2);
  emit_i(b, SL_OP_ADDI, A0, A0, 1);
  emit(b, SL_OP_SW, 0, A1, A0);
}

/* Warp 0 spawns all warps at the following code, which all of them execute with all lanes, and ends. */
static void write_program(struct bench *b)
{
  load_immediate(b, T0, 64);
  load_immediate(b, T1, b->at + 12);
  emit(b, SL_OP_WSPAWN, 0, T0, T1);
  all_lanes(b);
  store_hart(b);
  load_immediate(b, T0, 3);
  load_immediate(b, T1, 8);
  emit(b, SL_OP_BAR, 0, T0, T1);
  emit_i(b, SL_OP_LW, A0, A1, 0);
  emit(b, SL_OP_ADD, A0, A0, A0);
  emit(b, SL_OP_SW, 0, A1, A0);
  emit(b, SL_OP_TMC, 0, 0, 0);
}

static void expect_output(struct bench *b, unsigned harts)
{
  for (unsigned hart = 0; hart <= harts; hart++)
    assert_int_equal(sl_memory_load(&b->memory, OUT + 4 * hart, 4), hart < harts ? 2 * (hart + 1) : 0);
}

static void every_thread_of_every_core_runs(void **state)
{
  (void)state;
  static const struct {
    const char *cores, *lanes;
    unsigned harts;
  } shapes[] = {{"1", "1", 8}, {"1", "64", 512}, {"3", "4", 96}, {"64", "16", 8192}};
  for (unsigned i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
    struct bench b;
    open_bench(&b, shapes[i].cores, shapes[i].lanes);
    write_program(&b);
    sl_vortex.life.start(b.sm, CODE, 0, 0);
    assert_int_equal(sl_engine_run(sl_engine_of(true), b.sm, PLENTY), SL_SM_DONE);
    assert_true(sl_vortex.view.succeeded(b.sm));
    expect_output(&b, shapes[i].harts);
    close_bench(&b);
  }
}

/* A run saved after n instructions and restored in another machine ends in the same way. */
static void a_functional_run_resumes_on_another_device(void **state)
{
  (void)state;
  for (unsigned n = 0; n < 400; n += 7) {
    struct bench first, second;
    open_bench(&first, "2", "8");
    open_bench(&second, "2", "8");
    write_program(&first);
    write_program(&second);
    sl_vortex.life.start(first.sm, CODE, 0, 0);
    sl_engine_run(sl_engine_of(true), first.sm, n);
    const size_t size = sl_state_bytes(first.sm);
    uint8_t *bytes = malloc(size);
    assert_non_null(bytes);
    sl_state_save(first.sm, bytes);
    for (uint32_t at = OUT; at < OUT + 1024; at += 4)
      sl_memory_store(&second.memory, at, 4, sl_memory_load(&first.memory, at, 4));
    sl_state_restore(second.sm, bytes, size);
    free(bytes);
    assert_int_equal(sl_engine_run(sl_engine_of(true), first.sm, PLENTY), SL_SM_DONE);
    assert_int_equal(sl_engine_run(sl_engine_of(true), second.sm, PLENTY), SL_SM_DONE);
    expect_output(&second, 2 * 8 * 8);
    for (size_t i = 0; i < sl_vortex.counters->count; i++)
      assert_true(sl_vortex.view.counter(first.sm, i) == sl_vortex.view.counter(second.sm, i));
    close_bench(&first);
    close_bench(&second);
  }
}

static void write_csr(struct bench *b, unsigned csr, unsigned reg)
{
  emit_i(b, SL_OP_CSRRW, 0, reg, csr);
}

/* After write_program's part every thread doubles a column of words from IN to DOUBLED, in a hardware loop, with a read
 * stream and a write stream. */
enum { ELEMENTS = 9, COLUMN = 1024 };

static void write_stream_program(struct bench *b)
{
  enum { READS = 0x880, WRITES = 0x888, BASE = 0, MAPPING = 1, STRIDE = 5, START = 0x800, LAST, TAIL, BOUND };
  load_immediate(b, T0, 64);
  load_immediate(b, T1, b->at + 12);
  emit(b, SL_OP_WSPAWN, 0, T0, T1);
  all_lanes(b);
  store_hart(b);
  load_immediate(b, T0, IN - OUT);
  emit(b, SL_OP_ADD, A1, A1, T0);
  load_immediate(b, T0, COLUMN);
  write_csr(b, READS + STRIDE, T0);
  write_csr(b, WRITES + STRIDE, T0);
  write_csr(b, READS + BASE, A1);
  load_immediate(b, T0, DOUBLED - IN);
  emit(b, SL_OP_ADD, A1, A1, T0);
  write_csr(b, WRITES + BASE, A1);
  load_immediate(b, T0, T3 | 1u << 10 | 1u << 11);
  write_csr(b, READS + MAPPING, T0);
  load_immediate(b, T0, T4 | 1u << 6 | 1u << 11);
  write_csr(b, WRITES + MAPPING, T0);
  const uint32_t body = b->at + 4 * 10;
  load_immediate(b, T0, body);
  write_csr(b, START, T0);
  emit_i(b, SL_OP_ADDI, T0, T0, 4);
  write_csr(b, LAST, T0);
  emit_i(b, SL_OP_ADDI, T0, 0, 0xfff);
  write_csr(b, TAIL, T0);
  load_immediate(b, T0, ELEMENTS | UINT32_C(1) << 31);
  write_csr(b, BOUND, T0);
  assert_int_equal(b->at, body);
  emit(b, SL_OP_ADD, T4, T3, T3);
  emit_i(b, SL_OP_ADDI, A0, A0, 1);
  write_csr(b, READS + MAPPING, 0);
  write_csr(b, WRITES + MAPPING, 0);
  emit(b, SL_OP_TMC, 0, 0, 0);
}

static void open_stream_bench(struct bench *b, const char *preset, const char *clusters)
{
  open_config(b, preset, "2", "8");
  set(b, "clusters", clusters);
  set(b, "l2", "true");
  set(b, "l2.bytes", "4096");
  set(b, "l2.start", "30");
  set(b, "l3", "true");
  set(b, "l3.bytes", "4096");
  set(b, "l3.start", "10");
  set(b, "loops.count", "1");
  set(b, "streams.count", "2");
  set(b, "dcache.start", "5");
  set(b, "icache.start", "5");
  create(b, (struct sl_sm_environment){0});
  for (uint32_t at = IN; at < IN + ELEMENTS * COLUMN; at += 4)
    sl_memory_store(&b->memory, at, 4, at * 7);
  write_stream_program(b);
}

static void expect_doubled(struct bench *b)
{
  for (unsigned hart = 0; hart < 2 * 8 * 8; hart++)
    for (unsigned i = 0; i < ELEMENTS; i++) {
      const uint32_t offset = 4 * hart + i * COLUMN;
      assert_int_equal(sl_memory_load(&b->memory, DOUBLED + offset, 4), (uint32_t)((IN + offset) * 14));
    }
}

static void expect_equal_counters(const struct bench *a, const struct bench *b)
{
  for (size_t i = 0; i < sl_vortex.counters->count; i++)
    if (sl_vortex.view.counter(a->sm, i) != sl_vortex.view.counter(b->sm, i))
      fail_msg("%s: %llu and %llu", sl_vortex.counters->counter[i].name,
               (unsigned long long)sl_vortex.view.counter(a->sm, i),
               (unsigned long long)sl_vortex.view.counter(b->sm, i));
}

/* Timed runs, too: operations in flight in cycle n complete in the other machine as they would have here. `first` has
 * run to its end without a pause. */
static void go_on_elsewhere(const struct bench *first, const char *preset, const char *clusters, uint64_t n)
{
  struct bench stopped, second;
  open_stream_bench(&stopped, preset, clusters);
  open_stream_bench(&second, preset, clusters);
  sl_vortex.life.start(stopped.sm, CODE, 0, 0);
  assert_int_equal(sl_engine_run(sl_engine_of(false), stopped.sm, n), SL_SM_RUNNING);
  const size_t size = sl_state_bytes(stopped.sm);
  uint8_t *bytes = malloc(size);
  assert_non_null(bytes);
  sl_state_save(stopped.sm, bytes);
  for (uint32_t at = OUT; at < DATA_END; at += 4)
    sl_memory_store(&second.memory, at, 4, sl_memory_load(&stopped.memory, at, 4));
  close_bench(&stopped);
  assert_int_equal(sl_state_fits(second.sm, true, bytes, size), SL_OK);
  assert_int_equal(sl_state_fits(second.sm, true, bytes, size - 1), SL_USAGE);
  sl_state_restore(second.sm, bytes, size);
  free(bytes);
  assert_int_equal(sl_engine_run(sl_engine_of(false), second.sm, PLENTY), SL_SM_DONE);
  expect_doubled(&second);
  expect_equal_counters(first, &second);
  close_bench(&second);
}

static void a_timed_run_resumes_on_another_device(void **state)
{
  (void)state;
  static const char *const presets[] = {"vortex", "vortex-simx"}, *const clusters[] = {"1", "2"};
  for (unsigned i = 0; i < 4; i++) {
    struct bench first;
    open_stream_bench(&first, presets[i / 2], clusters[i % 2]);
    sl_vortex.life.start(first.sm, CODE, 0, 0);
    assert_int_equal(sl_engine_run(sl_engine_of(false), first.sm, PLENTY), SL_SM_DONE);
    const char *broken = sl_vortex_broken(sl_vortex_of(first.sm));
    if (broken != NULL)
      fail_msg("%s", broken);
    expect_doubled(&first);
    const uint64_t cycles = sl_vortex.view.elapsed(first.sm);
    assert_true(cycles > 1000);
    for (uint64_t n = 0; n < cycles - 8; n += 83)
      go_on_elsewhere(&first, presets[i / 2], clusters[i % 2], n);
    close_bench(&first);
  }
}

/* The observed instructions of every warp, as a hash (FNV-1a) and counts. */
struct seen {
  struct {
    uint64_t hash, commits, accesses;
  } warp[2 * 8];
  uint64_t cycle; /* of the last */
};

static void mix(uint64_t *hash, uint64_t value)
{
  *hash = (*hash ^ value) * UINT64_C(0x100000001b3);
}

static void see_commit(void *context, const struct sl_probe *c)
{
  struct seen *seen = context;
  uint64_t *hash = &seen->warp[c->warp].hash;
  mix(hash, c->pc);
  mix(hash, c->active);
  mix(hash, c->insn->word);
  for (unsigned lane = 0; c->values != NULL && lane < c->lanes; lane++)
    mix(hash, c->values[lane]);
  seen->warp[c->warp].commits++;
  seen->cycle = c->cycle;
}

static void see_access(void *context, const struct sl_probe *a)
{
  struct seen *seen = context;
  uint64_t *hash = &seen->warp[a->warp].hash;
  mix(hash, a->pc);
  mix(hash, a->insn->width);
  for (unsigned lane = 0; lane < a->lanes; lane++)
    mix(hash, a->active >> lane & 1 ? a->address[lane] : 0);
  seen->warp[a->warp].accesses++;
}

static bool see(void *context, const struct sl_probe *probe)
{
  if (probe->kind == SL_PROBE_EXECUTED)
    see_commit(context, probe);
  else
    see_access(context, probe);
  return true;
}

static void watch(const char *preset, bool fast, struct seen *seen)
{
  struct bench b;
  memset(seen, 0, sizeof *seen);
  open_config(&b, preset, "2", "8");
  set(&b, "loops.count", "1");
  set(&b, "streams.count", "2");
  struct sl_probes probes = {.wanted = SL_PROBE_EXECUTED | SL_PROBE_ACCESSED, .tell = see, .context = seen};
  create(&b, (struct sl_sm_environment){.probes = &probes});
  write_stream_program(&b);
  sl_vortex.life.start(b.sm, CODE, 0, 0);
  assert_int_equal(sl_engine_run(sl_engine_of(fast), b.sm, PLENTY), SL_SM_DONE);
  close_bench(&b);
}

/* Instructions take effect at different cycles in the two presets and in functional mode; each warp's sequence is the
 * same. */
static void every_mode_executes_the_same(void **state)
{
  (void)state;
  struct seen fast, timed;
  static const char *const presets[] = {"vortex", "vortex-simx"};
  for (unsigned i = 0; i < 2; i++) {
    watch(presets[i], true, &fast);
    watch(presets[i], false, &timed);
    assert_memory_equal(fast.warp, timed.warp, sizeof fast.warp);
    assert_true(timed.warp[15].commits > 2 * ELEMENTS);
    assert_true(timed.warp[15].accesses == 1);
    assert_true(timed.cycle > timed.warp[0].commits * 2);
  }
}

/* Observes everything and stops at every seventh instruction. */
static bool see_and_stop(void *context, const struct sl_probe *probe)
{
  const struct seen *seen = context;
  see(context, probe);
  return probe->kind != SL_PROBE_EXECUTED || seen->warp[probe->warp].commits % 7 != 0;
}

/* Runs the streams' program on two clusters to its end; returns the number of stops. */
static unsigned watch_stopping(const char *preset, const char *clusters, bool fast, bool stop, struct seen *seen)
{
  struct bench b;
  struct sl_probes probes = {
      .wanted = SL_PROBE_EXECUTED | SL_PROBE_ACCESSED, .tell = stop ? see_and_stop : see, .context = seen};
  memset(seen, 0, sizeof *seen);
  open_config(&b, preset, clusters, "8");
  set(&b, "loops.count", "1");
  set(&b, "streams.count", "2");
  create(&b, (struct sl_sm_environment){.probes = &probes});
  write_stream_program(&b);
  sl_vortex.life.start(b.sm, CODE, 0, 0);
  unsigned stops = 0;
  enum sl_sm_state state;
  while ((state = sl_engine_run(sl_engine_of(fast), b.sm, PLENTY)) == SL_SM_STOPPED) {
    probes.stopped = false;
    stops++;
  }
  assert_int_equal(state, SL_SM_DONE);
  seen->cycle = sl_vortex.view.elapsed(b.sm);
  close_bench(&b);
  return stops;
}

static void an_observer_can_stop_it(void **state)
{
  (void)state;
  static const char *const presets[] = {"vortex", "vortex-simx"}, *const clusters[] = {"1", "2"};
  for (unsigned i = 0; i < 8; i++) {
    struct seen whole, often;
    assert_int_equal(watch_stopping(presets[i & 1], clusters[i >> 1 & 1], i >> 2, false, &whole), 0);
    assert_true(watch_stopping(presets[i & 1], clusters[i >> 1 & 1], i >> 2, true, &often) > 10);
    assert_memory_equal(&whole, &often, sizeof whole);
  }
}

/* Two loads of all lanes, one of them of local memory, two stores, then the CSR. */
static void open_performance(struct bench *b, const char *preset, const char *class, unsigned csr)
{
  open_config(b, preset, "1", "8");
  set(b, "performance.class", class);
  create(b, (struct sl_sm_environment){0});
  all_lanes(b);
  load_immediate(b, A1, OUT);
  load_immediate(b, A2, 0xffff0000);
  emit_i(b, SL_OP_LW, A0, A1, 0);
  emit(b, SL_OP_SW, 0, A2, A0);
  emit_i(b, SL_OP_LW, A0, A2, 0);
  emit(b, SL_OP_SW, 0, A1, A0);
  emit_i(b, SL_OP_ADDI, T0, A0, 1);
  emit_i(b, SL_OP_ADDI, T0, 0, 1);
  emit(b, SL_OP_TMC, 0, T0, 0);
  emit_i(b, SL_OP_CSRRS, A0, 0, csr);
  emit(b, SL_OP_SW, 0, A1, A0);
  emit(b, SL_OP_TMC, 0, 0, 0);
}

static uint32_t end_performance(struct bench *b)
{
  assert_int_equal(sl_engine_run(sl_engine_of(false), b->sm, PLENTY), SL_SM_DONE);
  const uint32_t value = sl_memory_load(&b->memory, OUT, 4);
  close_bench(b);
  return value;
}

static uint32_t performance(const char *preset, const char *class, unsigned csr)
{
  struct bench b;
  open_performance(&b, preset, class, csr);
  sl_vortex.life.start(b.sm, CODE, 0, 0);
  return end_performance(&b);
}

/* Saves after this many cycles and finishes in another machine. */
static uint32_t performance_elsewhere(const char *preset, unsigned csr, uint64_t cycles)
{
  struct bench stopped, second;
  open_performance(&stopped, preset, "1", csr);
  open_performance(&second, preset, "1", csr);
  sl_vortex.life.start(stopped.sm, CODE, 0, 0);
  assert_int_equal(sl_engine_run(sl_engine_of(false), stopped.sm, cycles), SL_SM_RUNNING);
  const size_t size = sl_state_bytes(stopped.sm);
  uint8_t *bytes = malloc(size);
  assert_non_null(bytes);
  sl_state_save(stopped.sm, bytes);
  sl_state_restore(second.sm, bytes, size);
  free(bytes);
  close_bench(&stopped);
  return end_performance(&second);
}

static void pending_results_are_saved(void **state)
{
  (void)state;
  enum { FROM_LSU = 0xb0a, EARLY = 100, STEP = 7 };
  static const char *const presets[] = {"vortex", "vortex-simx"};
  for (unsigned i = 0; i < 2; i++)
    for (uint64_t n = 0; n < EARLY; n += STEP)
      assert_int_equal(performance_elsewhere(presets[i], FROM_LSU, n), performance(presets[i], "1", FROM_LSU));
}

/* Warps whose loads of local memory and sums compete for write-back. */
static void open_competing(struct bench *b)
{
  enum { ROUNDS = 12 };
  open_config(b, "vortex", "1", "8");
  create(b, (struct sl_sm_environment){0});
  load_immediate(b, T0, 64);
  load_immediate(b, T1, b->at + 12);
  emit(b, SL_OP_WSPAWN, 0, T0, T1);
  all_lanes(b);
  load_immediate(b, A2, 0xffff0000);
  for (unsigned i = 0; i < ROUNDS; i++) {
    emit_i(b, SL_OP_LW, A0, A2, 0);
    for (unsigned sum = 0; sum < i % 4 + 1; sum++)
      emit_i(b, SL_OP_ADDI, T2, T2, 1);
    emit(b, SL_OP_ADD, A1, A0, T2);
  }
  emit(b, SL_OP_TMC, 0, 0, 0);
}

/* Saves in each cycle; the results that wait for write-back leave in the same cycles as without. */
static void competing_results_are_saved(void **state)
{
  (void)state;
  struct bench whole, stopped, second;
  open_competing(&whole);
  sl_vortex.life.start(whole.sm, CODE, 0, 0);
  assert_int_equal(sl_engine_run(sl_engine_of(false), whole.sm, PLENTY), SL_SM_DONE);
  open_competing(&stopped);
  sl_vortex.life.start(stopped.sm, CODE, 0, 0);
  while (sl_engine_run(sl_engine_of(false), stopped.sm, 1) == SL_SM_RUNNING) {
    const size_t size = sl_state_bytes(stopped.sm);
    uint8_t *bytes = malloc(size);
    assert_non_null(bytes);
    sl_state_save(stopped.sm, bytes);
    open_competing(&second);
    sl_state_restore(second.sm, bytes, size);
    free(bytes);
    assert_int_equal(sl_engine_run(sl_engine_of(false), second.sm, PLENTY), SL_SM_DONE);
    expect_equal_counters(&whole, &second);
    close_bench(&second);
  }
  close_bench(&stopped);
  close_bench(&whole);
}

/* Where the CSR access executes at scheduling, all instructions except it have been fetched; where it executes at
 * issue, a few more have. */
static void programs_read_performance_counters(void **state)
{
  (void)state;
  enum { IDLE = 0xb03, FROM_LSU = 0xb0a, FETCHES = 0xb0e, LOADS, STORES, FETCH_TIME, LOAD_TIME };
  enum { ICACHE_READS = 0xb03, DCACHE_READS = 0xb06, DCACHE_READ_MISSES = 0xb08, LOCAL_READS = 0xb1b };
  static const char *const presets[] = {"vortex", "vortex-simx"};
  for (unsigned i = 0; i < 2; i++) {
    const char *preset = presets[i];
    assert_int_equal(performance(preset, "0", LOADS), 0);
    assert_int_equal(performance(preset, "1", LOADS), 16);
    assert_int_equal(performance(preset, "1", STORES), 16);
    assert_in_range(performance(preset, "1", FETCHES), 14, 17);
    assert_true(performance(preset, "1", FETCH_TIME) > 14 * 3);
    assert_true(performance(preset, "1", LOAD_TIME) > 16 * 5);
    assert_true(performance(preset, "1", FROM_LSU) > 20);
    assert_true(performance(preset, "1", IDLE) > 20);
    assert_in_range(performance(preset, "2", ICACHE_READS), 14, 17);
    assert_in_range(performance(preset, "2", DCACHE_READS), 1, 2);
    assert_in_range(performance(preset, "2", DCACHE_READ_MISSES), 1, 2);
    assert_int_equal(performance(preset, "2", LOCAL_READS), 8);
  }
}

/* wspawn of one warp waits until all others have ended: their stores are visible. */
static void spawning_one_warp_waits_for_the_others(void **state)
{
  (void)state;
  struct bench b;
  open_bench(&b, "1", "4");
  load_immediate(&b, T0, 8);
  load_immediate(&b, T1, CODE + 4 * 9);
  emit(&b, SL_OP_WSPAWN, 0, T0, T1);
  load_immediate(&b, T0, 1);
  emit(&b, SL_OP_WSPAWN, 0, T0, 0);
  emit(&b, SL_OP_JAL, 0, 0, 0); /* placeholder: a branch to after the workers' code */
  assert_int_equal(b.at, CODE + 4 * 9);
  all_lanes(&b);
  store_hart(&b);
  emit(&b, SL_OP_TMC, 0, 0, 0);
  const uint32_t behind = b.at;
  sl_vortex.life.write_instruction(
      b.sm, CODE + 4 * 8, sl_op_info(SL_OP_JAL)->match | (behind - (CODE + 4 * 8)) << 20); /* short and forward */
  load_immediate(&b, A2, OUT);
  emit_i(&b, SL_OP_LW, A0, A2, 4 * 31);
  emit(&b, SL_OP_SW, 0, A2, A0);
  emit(&b, SL_OP_TMC, 0, 0, 0);
  sl_vortex.life.start(b.sm, CODE, 0, 0);
  assert_int_equal(sl_engine_run(sl_engine_of(true), b.sm, PLENTY), SL_SM_DONE);
  assert_int_equal(sl_memory_load(&b.memory, OUT, 4), 32);
  close_bench(&b);
}

static void a_deadlock_is_a_fault(void **state)
{
  (void)state;
  struct bench b;
  open_bench(&b, "2", "4");
  load_immediate(&b, T0, 1);
  load_immediate(&b, T1, 2);
  emit(&b, SL_OP_BAR, 0, T0, T1);
  emit(&b, SL_OP_TMC, 0, 0, 0);
  sl_vortex.life.start(b.sm, CODE, 0, 0);
  assert_int_equal(sl_engine_run(sl_engine_of(true), b.sm, PLENTY), SL_SM_FAULTED);
  const struct sl_fault *fault = sl_vortex.view.fault(b.sm);
  assert_int_equal(fault->kind, SL_FAULT_WARPS_WAIT);
  assert_int_equal(fault->insn.op, SL_OP_BAR);
  assert_int_equal(sl_vortex.view.warp_status(b.sm, 0).wait, SL_WARP_AT_BARRIER);
  assert_int_equal(sl_vortex.view.warp_status(b.sm, 8).wait, SL_WARP_AT_BARRIER);
  assert_int_equal(sl_vortex.view.warp_status(b.sm, 1).wait, SL_WARP_OFF);
  close_bench(&b);
}

/* Cycles of one lane that stores, fences and ends, with this delay. */
static uint64_t cycles_with(const char *key, const char *delay)
{
  struct bench b;
  open_config(&b, "vortex", "1", "4");
  set(&b, "fence.flushes", "false");
  set(&b, key, delay);
  create(&b, (struct sl_sm_environment){0});
  load_immediate(&b, A0, OUT);
  emit(&b, SL_OP_SW, 0, A0, A0);
  emit(&b, SL_OP_FENCE, 0, 0, 0);
  emit(&b, SL_OP_TMC, 0, 0, 0);
  sl_vortex.life.start(b.sm, CODE, 0, 0);
  assert_int_equal(sl_engine_run(sl_engine_of(false), b.sm, PLENTY), SL_SM_DONE);
  const uint64_t cycles = sl_vortex.view.counter(b.sm, 0);
  close_bench(&b);
  return cycles;
}

static void a_delay_of_zero_is_not_longer_than_one(void **state)
{
  (void)state;
  assert_true(cycles_with("fence.delay", "0") <= cycles_with("fence.delay", "1"));
  assert_true(cycles_with("lsu.store_delay", "0") <= cycles_with("lsu.store_delay", "1"));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_thread_of_every_core_runs),
      cmocka_unit_test(a_functional_run_resumes_on_another_device),
      cmocka_unit_test(a_timed_run_resumes_on_another_device),
      cmocka_unit_test(every_mode_executes_the_same),
      cmocka_unit_test(programs_read_performance_counters),
      cmocka_unit_test(pending_results_are_saved),
      cmocka_unit_test(competing_results_are_saved),
      cmocka_unit_test(spawning_one_warp_waits_for_the_others),
      cmocka_unit_test(a_deadlock_is_a_fault),
      cmocka_unit_test(a_delay_of_zero_is_not_longer_than_one),
      cmocka_unit_test(an_observer_can_stop_it),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
