/* Several Vortex cores on one, two and four host threads: runs end identically to the last counter, and atomics,
 * barriers and output of all cores are right. */
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
#include "mem/memory.h"

#define CODE UINT32_C(0x80000000)
#define FOREVER UINT64_MAX

enum { T0 = 5, T1 = 6, T2 = 7, A0 = 10, A1 = 11, A2 = 12, A3 = 13, A4 = 14 };

enum {
  CORES = 16,
  CORE_HARTS = 32, /* 8 warps of 4 lanes */
  HARTS = CORES * CORE_HARTS,
  COUNTER = 0x10000,
  OUT = 0x20000,
  OUT2 = 0x30000,
  CONSOLE = 0x40,
  EXIT_CODE = 0x88,
  ROUNDS = 6,
  CONSOLE_BYTES = 1 << 15
};

/* A machine and the results of a run on it. */
struct bench {
  struct sl_config config;
  struct sl_memory memory;
  struct sl_probes probes;
  struct sl_sm *sm;
  uint32_t at; /* address of the next instruction */
  unsigned exit_code;
  size_t console_length;
  uint8_t console[CONSOLE_BYTES];
  uint64_t commits, commit_hash, last_cycle, last_sum;
};

/* Machines: a preset with settings. */
struct shape {
  const char *preset;
  const char *set[4];
};

static const struct shape shapes[] = {
    {"vortex", {"atomics=true"}},
    {"vortex-simx", {0}},
    {"vortex", {"atomics=true", "l2=true", "l3=true", "clusters=2"}},
    {"vortex-simx", {"socket.cores=1", "l2=true", "l2.start=0"}},
};

enum { SHAPES = sizeof shapes / sizeof shapes[0] };

static void print_byte(void *context, uint8_t byte)
{
  struct bench *b = context;
  assert_true(b->console_length < CONSOLE_BYTES);
  b->console[b->console_length++] = byte;
}

static void exit_status(void *context, uint32_t status)
{
  ((struct bench *)context)->exit_code = status;
}

static void mix(struct bench *b, uint64_t value)
{
  b->commit_hash = (b->commit_hash ^ value) * UINT64_C(0x100000001b3);
}

static bool commit(void *context, const struct sl_probe *c)
{
  struct bench *b = context;
  assert_true(c->cycle >= b->last_cycle);
  b->last_cycle = c->cycle;
  b->commits++;
  mix(b, c->cycle);
  mix(b, c->pc << 32 | c->warp);
  for (unsigned lane = 0; lane < c->lanes && c->values != NULL; lane++)
    mix(b, c->values[lane]);
  for (unsigned lane = 0; lane < c->lanes && c->insn->kind == SL_KIND_AMO; lane++)
    b->last_sum += c->values[lane];
  return true;
}

static void set(struct bench *b, const char *assignment)
{
  struct sl_error err;
  assert_int_equal(sl_config_set(&b->config, assignment, &err), SL_OK);
}

static struct bench *open_bench(const struct shape *shape, const char *cores, unsigned threads, bool observed)
{
  struct sl_error err;
  struct bench *b = calloc(1, sizeof *b);
  assert_non_null(b);
  assert_int_equal(sl_config_open(&b->config, shape->preset, &err), SL_OK);
  set(b, cores);
  set(b, "lanes=4");
  for (unsigned i = 0; i < 4 && shape->set[i] != NULL; i++)
    set(b, shape->set[i]);
  assert_int_equal(sl_config_check(&b->config, &err), SL_OK);
  assert_int_equal(sl_memory_init(&b->memory, 0, &err), SL_OK);
  b->probes = (struct sl_probes){.wanted = SL_PROBE_EXECUTED, .tell = commit, .context = b};
  const struct sl_sm_environment environment = {
      .memory = &b->memory,
      .probes = observed ? &b->probes : NULL,
      .print_byte = print_byte,
      .exit_status = exit_status,
      .print_context = b,
      .threads = threads,
  };
  assert_int_equal(sl_vortex.life.create(b->config.spec, &environment, &b->sm, &err), SL_OK);
  b->at = CODE;
  return b;
}

static void close_bench(struct bench *b)
{
  sl_vortex.life.destroy(b->sm);
  sl_memory_free(&b->memory);
  sl_config_close(&b->config);
  free(b);
}

/* ---- programs ---------------------------------------------------------------------------------------------------- */

static void emit_word(struct bench *b, uint32_t word)
{
  sl_vortex.life.write_instruction(b->sm, b->at, word);
  b->at += 4;
}

static void emit(struct bench *b, enum sl_op op, unsigned rd, unsigned rs1, unsigned rs2)
{
  emit_word(b, sl_op_info(op)->match | rd << 7 | rs1 << 15 | rs2 << 20);
}

static void emit_i(struct bench *b, enum sl_op op, unsigned rd, unsigned rs1, uint32_t imm)
{
  emit_word(b, sl_op_info(op)->match | rd << 7 | rs1 << 15 | imm << 20);
}

/* Backward or forward by less than 2 KiB. */
static void emit_branch(struct bench *b, enum sl_op op, unsigned rs1, unsigned rs2, int32_t offset)
{
  const uint32_t o = (uint32_t)offset;
  emit_word(b, sl_op_info(op)->match | rs1 << 15 | rs2 << 20 | (o >> 12 & 1) << 31 | (o >> 5 & 0x3f) << 25 |
                   (o >> 1 & 0xf) << 8 | (o >> 11 & 1) << 7);
}

static void load_immediate(struct bench *b, unsigned rd, uint32_t value)
{
  const uint32_t high = (value + 0x800) & 0xfffff000;
  emit_word(b, sl_op_info(SL_OP_LUI)->match | rd << 7 | high);
  emit_i(b, SL_OP_ADDI, rd, rd, value & 0xfff);
}

/* Eight warps of all lanes, in every core; A0 the hart, A1 four times that. */
static void begin(struct bench *b)
{
  load_immediate(b, T0, 8);
  load_immediate(b, T1, b->at + 12);
  emit(b, SL_OP_WSPAWN, 0, T0, T1);
  load_immediate(b, T0, UINT32_MAX);
  emit(b, SL_OP_TMC, 0, T0, 0);
  emit_i(b, SL_OP_CSRRS, A0, 0, 0xf14);
  emit_i(b, SL_OP_SLLI, A1, A0, 2);
}

static void end(struct bench *b)
{
  emit(b, SL_OP_TMC, 0, 0, 0);
}

/* Every hart takes tickets from one counter, and sums their squares and its number to distinguish them. */
static void contend(struct bench *b)
{
  begin(b);
  load_immediate(b, A2, COUNTER);
  load_immediate(b, A3, OUT);
  emit(b, SL_OP_ADD, A1, A1, A3);
  load_immediate(b, T1, ROUNDS);
  load_immediate(b, T2, 1);
  const uint32_t loop = b->at;
  emit(b, SL_OP_AMOADD, A4, A2, T2);
  emit(b, SL_OP_SW, 0, A1, A4);
  load_immediate(b, T0, HARTS * 4);
  emit(b, SL_OP_ADD, A1, A1, T0);
  emit_i(b, SL_OP_ADDI, T1, T1, 0xfff);
  emit_branch(b, SL_OP_BNE, T1, 0, (int32_t)(loop - b->at));
  end(b);
}

/* Every hart stores, all cores meet at a barrier, and every hart reads the word of its counterpart in the next core. */
static void meet(struct bench *b)
{
  begin(b);
  load_immediate(b, A3, OUT);
  emit(b, SL_OP_ADD, A2, A1, A3);
  emit(b, SL_OP_SW, 0, A2, A0);
  load_immediate(b, T0, 0x80000001);
  load_immediate(b, T1, CORES);
  emit(b, SL_OP_BAR, 0, T0, T1);
  emit_i(b, SL_OP_ADDI, T2, A0, CORE_HARTS);
  emit_i(b, SL_OP_ANDI, T2, T2, HARTS - 1);
  emit_i(b, SL_OP_SLLI, T2, T2, 2);
  emit(b, SL_OP_ADD, T2, T2, A3);
  emit_i(b, SL_OP_LW, A4, T2, 0);
  load_immediate(b, A3, OUT2);
  emit(b, SL_OP_ADD, A2, A1, A3);
  emit(b, SL_OP_SW, 0, A2, A4);
  end(b);
}

/* Every hart prints letters and a newline, into one of 64 slots, and leaves its number as the exit code. */
static void print(struct bench *b)
{
  begin(b);
  emit_i(b, SL_OP_ANDI, A2, A0, 63);
  emit_i(b, SL_OP_SRLI, A3, A0, 5);
  emit_i(b, SL_OP_ADDI, A3, A3, 'a');
  for (unsigned i = 0; i < 3; i++)
    emit_word(b,
              sl_op_info(SL_OP_SB)->match | A2 << 15 | A3 << 20 | (CONSOLE & 31) << 7 | (uint32_t)CONSOLE >> 5 << 25);
  load_immediate(b, T0, '\n');
  emit_word(b, sl_op_info(SL_OP_SB)->match | A2 << 15 | T0 << 20 | (CONSOLE & 31) << 7 | (uint32_t)CONSOLE >> 5 << 25);
  load_immediate(b, T1, EXIT_CODE);
  emit(b, SL_OP_SW, 0, T1, A0);
  end(b);
}

/* The cores from the sixth on read an invalid address; the later ones first. */
static void go_wrong(struct bench *b)
{
  begin(b);
  emit_i(b, SL_OP_SRLI, A2, A0, 5);
  load_immediate(b, T0, CORES + 1);
  emit(b, SL_OP_SUB, T0, T0, A2);
  const uint32_t loop = b->at;
  emit_i(b, SL_OP_ADDI, T0, T0, 0xfff);
  emit_branch(b, SL_OP_BNE, T0, 0, (int32_t)(loop - b->at));
  load_immediate(b, T1, 5);
  emit_branch(b, SL_OP_BLTU, A2, T1, 8);
  emit_i(b, SL_OP_LW, A3, 0, 4);
  end(b);
}

/* ---- results of a run -------------------------------------------------------------------------------------------- */

static enum sl_sm_state run(struct bench *b, void (*program)(struct bench *), uint64_t piece)
{
  enum sl_sm_state state = SL_SM_RUNNING;
  program(b);
  sl_vortex.life.start(b->sm, CODE, 0, 0);
  while (state == SL_SM_RUNNING)
    state = sl_engine_run(sl_engine_of(false), b->sm, piece);
  return state;
}

static void expect_equal(const struct bench *a, const struct bench *b)
{
  for (size_t i = 0; i < sl_vortex.counters->count; i++)
    assert_true(sl_vortex.view.counter(a->sm, i) == sl_vortex.view.counter(b->sm, i));
  assert_true(sl_vortex.view.elapsed(a->sm) == sl_vortex.view.elapsed(b->sm));
  assert_true(sl_memory_hash(&a->memory) == sl_memory_hash(&b->memory));
  assert_int_equal(a->console_length, b->console_length);
  assert_memory_equal(a->console, b->console, a->console_length);
  assert_int_equal(a->exit_code, b->exit_code);
  assert_true(a->commits == b->commits && a->commit_hash == b->commit_hash);
  const struct sl_fault *f = sl_vortex.view.fault(a->sm), *g = sl_vortex.view.fault(b->sm);
  assert_int_equal(f->kind, g->kind);
  assert_int_equal(f->warp, g->warp);
  assert_true(f->cycle == g->cycle && f->pc == g->pc && f->lanes == g->lanes);
}

/* Any number of threads gives the results of one; `check` tests the results of the last run. */
static void expect_same(void (*program)(struct bench *), enum sl_sm_state state, bool observed,
                        void (*check)(const struct bench *))
{
  for (unsigned i = 0; i < SHAPES; i++) {
    struct bench *one = open_bench(&shapes[i], "cores=16", 1, observed);
    assert_int_equal(run(one, program, FOREVER), state);
    for (unsigned threads = 2; threads <= 4; threads += 2) {
      struct bench *several = open_bench(&shapes[i], "cores=16", threads, observed);
      assert_int_equal(run(several, program, FOREVER), state);
      expect_equal(one, several);
      close_bench(several);
    }
    check(one);
    close_bench(one);
  }
}

/* ---- tests ------------------------------------------------------------------------------------------------------- */

static uint32_t word(const struct bench *b, uint32_t address)
{
  uint32_t value;
  sl_memory_read(&b->memory, address, &value, sizeof value);
  return value;
}

/* Every ticket is given once. */
static void check_tickets(const struct bench *b)
{
  static uint8_t seen[HARTS * ROUNDS];
  memset(seen, 0, sizeof seen);
  assert_int_equal(word(b, COUNTER), HARTS * ROUNDS);
  for (unsigned i = 0; i < HARTS * ROUNDS; i++) {
    const uint32_t ticket = word(b, OUT + 4 * i);
    assert_true(ticket < HARTS * ROUNDS);
    assert_int_equal(seen[ticket % (HARTS * ROUNDS)]++, 0);
  }
}

static void atomics_of_all_cores_on_one_word(void **state)
{
  (void)state;
  expect_same(contend, SL_SM_DONE, false, check_tickets);
}

static void check_neighbours(const struct bench *b)
{
  for (unsigned hart = 0; hart < HARTS; hart++)
    assert_int_equal(word(b, OUT2 + 4 * hart), (hart + CORE_HARTS) % HARTS);
}

static void stores_before_a_global_barrier_are_visible_after_it(void **state)
{
  (void)state;
  for (unsigned i = 0; i < 2; i++) /* all cores in one cluster */
    for (unsigned threads = 1; threads <= 4; threads *= 2) {
      struct bench *b = open_bench(&shapes[i], "cores=16", threads, false);
      struct bench *one = open_bench(&shapes[i], "cores=16", 1, false);
      assert_int_equal(run(b, meet, FOREVER), SL_SM_DONE);
      assert_int_equal(run(one, meet, FOREVER), SL_SM_DONE);
      expect_equal(one, b);
      check_neighbours(b);
      close_bench(b);
      close_bench(one);
    }
}

/* One line per hart. */
static void check_lines(const struct bench *b)
{
  unsigned lines = 0;
  for (size_t i = 0; i < b->console_length; i++)
    lines += b->console[i] == '\n';
  assert_true(lines > 0);
  assert_true(b->exit_code == word(b, EXIT_CODE) && b->exit_code < HARTS);
}

static void output_order_is_deterministic(void **state)
{
  (void)state;
  expect_same(print, SL_SM_DONE, false, check_lines);
}

static void check_fault(const struct bench *b)
{
  const struct sl_fault *fault = sl_vortex.view.fault(b->sm);
  assert_int_equal(fault->kind, SL_FAULT_ADDRESS);
  assert_true(fault->warp >= 8 * 5);
}

static void one_of_several_faults_is_reported(void **state)
{
  (void)state;
  expect_same(go_wrong, SL_SM_FAULTED, false, check_fault);
}

/* Observers get the result of an atomic, though it is known only at the end of its quantum. */
static void check_told(const struct bench *b)
{
  const uint64_t tickets = HARTS * ROUNDS;
  assert_true(b->commits > 0);
  assert_true(b->last_sum == tickets * (tickets - 1) / 2);
}

static void observers_are_notified_in_cycle_order(void **state)
{
  (void)state;
  expect_same(contend, SL_SM_DONE, true, check_told);
}

static void pauses_do_not_change_results(void **state)
{
  (void)state;
  static const uint64_t pieces[] = {1, 3, 1000};
  static const char *const cores[] = {"cores=1", "cores=16"};
  static void (*const programs[])(struct bench *) = {contend, print, go_wrong};
  for (unsigned c = 0; c < 2; c++)
    for (unsigned p = 0; p < 3; p++) {
      if (c == 0 && programs[p] == go_wrong)
        continue;
      struct bench *whole = open_bench(&shapes[1], cores[c], 1, false);
      const enum sl_sm_state ends = run(whole, programs[p], FOREVER);
      for (unsigned i = 0; i < 3; i++) {
        struct bench *b = open_bench(&shapes[1], cores[c], 2, false);
        assert_int_equal(run(b, programs[p], pieces[i]), ends);
        expect_equal(whole, b);
        close_bench(b);
      }
      close_bench(whole);
    }
}

/* With one core a run stops exactly at the requested cycle, with several not before it. */
static void a_pause_stops_at_its_cycle(void **state)
{
  (void)state;
  struct bench *b = open_bench(&shapes[0], "cores=1", 1, false);
  contend(b);
  sl_vortex.life.start(b->sm, CODE, 0, 0);
  assert_int_equal(sl_engine_run(sl_engine_of(false), b->sm, 101), SL_SM_RUNNING);
  assert_int_equal(sl_vortex.view.elapsed(b->sm), 101);
  close_bench(b);
  b = open_bench(&shapes[0], "cores=16", 2, false);
  contend(b);
  sl_vortex.life.start(b->sm, CODE, 0, 0);
  assert_int_equal(sl_engine_run(sl_engine_of(false), b->sm, 101), SL_SM_RUNNING);
  assert_in_range(sl_vortex.view.elapsed(b->sm), 101, 116);
  close_bench(b);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(atomics_of_all_cores_on_one_word),
      cmocka_unit_test(stores_before_a_global_barrier_are_visible_after_it),
      cmocka_unit_test(output_order_is_deterministic),
      cmocka_unit_test(one_of_several_faults_is_reported),
      cmocka_unit_test(observers_are_notified_in_cycle_order),
      cmocka_unit_test(pauses_do_not_change_results),
      cmocka_unit_test(a_pause_stops_at_its_cycle),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
