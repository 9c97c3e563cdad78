/* The self-checking instruction programs of the other machines, on Vortex: every row of RV32IMA that computes, loads,
 * stores, jumps or branches, in both encodings of warp control, on both pipelines, timed and functional. Vortex
 * branches must be uniform, so rows that diverge run on warps of one lane; the rest on warps of 16. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "config/config.h"
#include "device/engine/engine.h"
#include "machine/machine.h"
#include "mem/memory.h"
#include "probes.h"

enum { WARPS = 2, LONGEST = 100000000, MOST_THREADS = WARPS * 16 };

struct bench {
  struct sl_config config;
  struct sl_memory memory;
  struct sl_sm *sm;
  bool old; /* encoding 1.x */
};

/* The machine and mode of a run. */
struct run {
  const char *preset, *encoding;
  enum sl_op op;
  unsigned lanes, threads;
  bool fast;
};

static void set(struct bench *b, const char *setting)
{
  assert_int_equal(sl_config_set(&b->config, setting, NULL), SL_OK);
}

/* The programs use SIMTight's addresses; its scratchpad is ordinary memory here. */
static void open_bench(struct bench *b, const struct run *run)
{
  char text[64];
  memset(b, 0, sizeof *b);
  assert_int_equal(sl_config_open(&b->config, run->preset, NULL), SL_OK);
  snprintf(text, sizeof text, "code.base=%u", (unsigned)PROGRAM_CODE);
  set(b, text);
  snprintf(text, sizeof text, "lanes=%u", run->lanes);
  set(b, text);
  snprintf(text, sizeof text, "warps=%u", run->threads / run->lanes);
  set(b, text);
  snprintf(text, sizeof text, "encoding=%s", run->encoding);
  set(b, text);
  set(b, "atomics=true");
  set(b, "divergent_branch.faults=true");
  b->old = strcmp(run->encoding, "1.x") == 0;
  assert_int_equal(sl_memory_init(&b->memory, 0, NULL), SL_OK);
  const struct sl_sm_environment environment = {.memory = &b->memory};
  assert_int_equal(sl_vortex.life.create(b->config.spec, &environment, &b->sm, NULL), SL_OK);
}

static void close_bench(struct bench *b)
{
  sl_vortex.life.destroy(b->sm);
  sl_memory_free(&b->memory);
  sl_config_close(&b->config);
}

static uint32_t tmc(const struct bench *b, unsigned rs1)
{
  return sl_op_info(b->old ? SL_OP_TMC_1 : SL_OP_TMC)->match | rs1 << 15;
}

/* The commands that end a thread there end the warp here; a CSR gives a thread's number. */
static void adapt(const struct bench *b, struct program *p)
{
  enum { THREAD_WORD = 5 };
  assert_int_equal(p->code[THREAD_WORD], word_i(SL_OP_ADDI, THREAD, 0, 0));
  p->code[THREAD_WORD] = word_csr(SL_OP_CSRRS, THREAD, b->old ? 0xcc2 : 0xf14, 0);
  for (unsigned i = 0; i < p->count; i++)
    if (p->code[i] == word_csr(SL_OP_CSRRWI, 0, 0x830, 1) || p->code[i] == word_csr(SL_OP_CSRRWI, 0, 0x830, 3))
      p->code[i] = tmc(b, 0);
}

/* After the program: warp 0 starts the others, all activate all lanes, and the program starts. Returns its address. */
static uint32_t add_start(const struct bench *b, struct program *p)
{
  const uint32_t start = program_pc(p);
  emit_constant(p, T1, WARPS);
  emit_constant(p, T2, start + 4 * 5);
  emit(p, sl_op_info(b->old ? SL_OP_WSPAWN_1 : SL_OP_WSPAWN)->match | T1 << 15 | T2 << 20);
  emit_constant(p, T1, UINT32_MAX);
  emit(p, tmc(b, T1));
  emit_jump(p, 0);
  return start;
}

static void load(struct bench *b, const struct program *p, const struct run *run)
{
  uint8_t pattern[64];
  const uint32_t parameters[5] = {0, run->threads};
  for (unsigned i = 0; i < sizeof pattern; i++)
    pattern[i] = (uint8_t)pattern_byte(i);
  sl_memory_write(&b->memory, PATTERN, pattern, sizeof pattern);
  sl_memory_write(&b->memory, PATTERN_SCRATCHPAD, pattern, sizeof pattern);
  sl_memory_write(&b->memory, TABLES, p->data, 4 * p->data_count);
  sl_memory_write(&b->memory, PARAMETERS, parameters, sizeof parameters);
  for (unsigned i = 0; i < p->count; i++)
    sl_vortex.life.write_instruction(b->sm, PROGRAM_CODE + 4 * i, p->code[i]);
}

/* Whether all threads have passed all checks. */
static bool passes(const struct run *run, bool damaged)
{
  static struct program p;
  uint64_t seed = 1;
  struct bench b;
  open_bench(&b, run);
  program_begin(&p, true);
  probe(&p, run->op, &seed);
  program_end(&p);
  adapt(&b, &p);
  const uint32_t start = add_start(&b, &p);
  assert_true(p.count < MOST_CODE && p.data_count < MOST_DATA && p.checks > 0);
  if (damaged)
    p.data[2 * (p.data_count / 14)]++;
  load(&b, &p, run);
  sl_vortex.life.start(b.sm, start, CLOSURE, 0);
  bool passed = sl_engine_run(sl_engine_of(run->fast), b.sm, LONGEST) == SL_SM_DONE;
  for (unsigned t = 0; t < run->threads; t++)
    passed = passed && sl_memory_load(&b.memory, COUNTS + 4 * t, 4) == p.checks;
  close_bench(&b);
  return passed;
}

static bool parts_lanes(enum sl_kind kind)
{
  return kind == SL_KIND_BRANCH || kind == SL_KIND_JALR || kind == SL_KIND_JAL || kind == SL_KIND_AMO ||
         kind == SL_KIND_LRSC;
}

static bool is_run(unsigned op)
{
  const struct sl_op_info *info = sl_op_info(op);
  const bool set = (unsigned)info->set & (SL_ISA_I | SL_ISA_M | SL_ISA_A);
  return set && info->kind != SL_KIND_SYSTEM && info->kind != SL_KIND_CSR;
}

/* Atomics and reservations share a word: one thread. */
static struct run run_of(unsigned op, const char *preset, const char *encoding, bool fast)
{
  const enum sl_kind kind = sl_op_info(op)->kind;
  const bool shares = kind == SL_KIND_AMO || kind == SL_KIND_LRSC;
  const unsigned lanes = parts_lanes(kind) ? 1 : 16;
  return (struct run){.preset = preset,
                      .encoding = encoding,
                      .op = (enum sl_op)op,
                      .lanes = lanes,
                      .threads = shares ? 1 : WARPS * lanes,
                      .fast = fast};
}

static unsigned run_rows(const char *preset, const char *encoding)
{
  unsigned rows = 0;
  for (unsigned op = SL_OP_UNKNOWN + 1; op < SL_OP_COUNT; op++)
    for (unsigned fast = 0; fast < 2 && is_run(op); fast++, rows++) {
      const struct run run = run_of(op, preset, encoding, fast);
      if (!passes(&run, false))
        fail_msg("%s fails on %s, encoding %s, %s", sl_op_info(op)->name, preset, encoding, fast ? "fast" : "timed");
    }
  return rows;
}

static void every_row_on_the_rtl(void **state)
{
  (void)state;
  assert_true(run_rows("vortex", "2.x") >= 2 * (37 + 8 + 11));
  run_rows("vortex", "1.x");
}

static void every_row_on_the_simulator(void **state)
{
  (void)state;
  run_rows("vortex-simx", "2.x");
  run_rows("vortex-simx", "1.x");
}

/* A failing check must be reported. */
static void a_wrong_result_is_detected(void **state)
{
  (void)state;
  for (unsigned fast = 0; fast < 2; fast++) {
    const struct run run = run_of(SL_OP_ADD, "vortex", "2.x", fast);
    assert_true(passes(&run, false));
    assert_false(passes(&run, true));
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_row_on_the_rtl),
      cmocka_unit_test(every_row_on_the_simulator),
      cmocka_unit_test(a_wrong_result_is_detected),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
