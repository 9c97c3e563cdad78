/* Every row of the instruction table, executed by self-checking programs on SIMTight: on one lane while the others
 * wait, on one warp, on all warps at once, each in cycle and in fast mode, and on the host CPU. Rows that a core does
 * not support must be unknown to it. The last test fails if a row of rv32.def was not covered. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "config/config.h"
#include "device/engine/engine.h"
#include "device/host_cpu.h"
#include "mem/memory.h"
#include "probes.h"

/* More warps than the pipeline is deep, and faster to simulate than 64. */
#define WARPS "warps=16"

enum { LONGEST = 100000000, MOST_THREADS = SL_MAX_LANES * SL_MAX_WARPS };

/* The cores, and the coverage of each row on them. */
enum core { SM, SM_WITHOUT_FPU, HOST, CORES };

static const char *const core_names[CORES] = {"SM", "SM without FPU", "host"};
static bool executed[CORES][SL_OP_COUNT], refused[CORES][SL_OP_COUNT];

struct words_printed {
  unsigned count;
  uint32_t expected;
  bool other;
};

/* A core with its memory. */
struct bench {
  struct sl_config config;
  struct sl_memory memory;
  struct sl_sm *sm;
  struct sl_host host;
  struct words_printed printed;
};

static void print(void *context, uint32_t word)
{
  struct words_printed *printed = context;
  printed->count++;
  printed->other |= word != printed->expected;
}

static void bench_init(struct bench *b, enum core core)
{
  memset(b, 0, sizeof *b);
  assert_int_equal(sl_config_open(&b->config, core == SM_WITHOUT_FPU ? "simtight" : "simtight-fp", NULL), SL_OK);
  assert_int_equal(sl_config_set(&b->config, WARPS, NULL), SL_OK);
  const struct sl_soc soc = b->config.machine->soc(b->config.spec);
  assert_int_equal(soc.code_base, PROGRAM_CODE);
  assert_true(soc.code_words >= MOST_CODE);
  assert_int_equal(sl_memory_init(&b->memory, soc.code_base + 4 * soc.code_words, NULL), SL_OK);
  const struct sl_sm_environment environment = {
      .memory = &b->memory, .print_word = print, .print_context = &b->printed};
  if (core != HOST)
    assert_int_equal(b->config.machine->life.create(b->config.spec, &environment, &b->sm, NULL), SL_OK);
  else
    assert_int_equal(sl_host_init(&b->host, &b->memory, soc.code_base, soc.code_words, soc.host_isa_sets, NULL), SL_OK);
}

static void bench_free(struct bench *b)
{
  b->config.machine->life.destroy(b->sm);
  sl_host_free(&b->host);
  sl_memory_free(&b->memory);
  sl_config_close(&b->config);
}

static void load(struct bench *b, const struct program *p)
{
  uint8_t pattern[64];
  for (unsigned i = 0; i < sizeof pattern; i++)
    pattern[i] = (uint8_t)pattern_byte(i);
  sl_memory_write(&b->memory, PATTERN, pattern, sizeof pattern);
  sl_memory_write(&b->memory, PATTERN_SCRATCHPAD, pattern, sizeof pattern);
  sl_memory_write(&b->memory, TABLES, p->data, 4 * p->data_count);
  for (unsigned i = 0; i < p->count; i++) {
    if (b->sm)
      b->config.machine->life.write_instruction(b->sm, PROGRAM_CODE + 4 * i, p->code[i]);
    else
      sl_host_write_code(&b->host, PROGRAM_CODE + 4 * i, p->code[i]);
  }
}

/* Runs `count` threads from `first` on, in one mode. */
struct run {
  enum sl_op op;
  const char *core;
  unsigned first, count, threads;
  bool fast;
};

static void prepare(struct bench *b, const struct program *p, const struct run *run)
{
  static const uint32_t zeros[MOST_THREADS];
  const uint32_t parameters[5] = {run->first, run->count};
  sl_memory_write(&b->memory, PARAMETERS, parameters, sizeof parameters);
  sl_memory_write(&b->memory, COUNTS, zeros, sizeof zeros);
  sl_memory_write(&b->memory, SHARED, zeros, 4);
  b->printed = (struct words_printed){.expected = p->print_value};
}

static void fail_run(const struct bench *b, const struct run *run, const char *what)
{
  uint32_t p[5];
  sl_memory_read(&b->memory, PARAMETERS, p, sizeof p);
  fail_msg("%s on %s, threads %u to %u, %s mode: %s; check %u, got 0x%08x, expected 0x%08x", sl_op_info(run->op)->name,
           run->core, run->first, run->first + run->count - 1, run->fast ? "fast" : "cycle", what, (unsigned)p[2],
           (unsigned)p[3], (unsigned)p[4]);
}

/* Checks the final memory: active threads have passed all checks, the others have done nothing. */
static void inspect(const struct bench *b, const struct program *p, const struct run *run)
{
  uint32_t passed[MOST_THREADS], shared;
  sl_memory_read(&b->memory, COUNTS, passed, sizeof passed);
  sl_memory_read(&b->memory, SHARED, &shared, sizeof shared);
  for (unsigned t = 0; t < run->threads; t++) {
    const bool active = t - run->first < run->count;
    if (passed[t] != (active ? p->checks : 0))
      fail_run(b, run, "a thread has not made its checks");
  }
  if (p->adds_to_shared && shared != run->count)
    fail_run(b, run, "additions to one word are lost");
  if (b->printed.count != p->prints * run->count || b->printed.other)
    fail_run(b, run, "wrong words printed");
}

static void run_sm(struct bench *b, const struct program *p, const struct run *run)
{
  const struct sl_machine *machine = b->config.machine;
  prepare(b, p, run);
  machine->life.start(b->sm, PROGRAM_CODE, CLOSURE, 0);
  const enum sl_sm_state state = sl_engine_run(sl_engine_of(run->fast), b->sm, LONGEST);
  if (state != SL_SM_DONE || !machine->view.succeeded(b->sm))
    fail_run(b, run, state == SL_SM_DONE ? "failed" : state == SL_SM_FAULTED ? "fault" : "endless");
  inspect(b, p, run);
}

static void run_on_sm(struct bench *b, const struct program *p, enum sl_op op, enum core core)
{
  const struct sl_soc soc = b->config.machine->soc(b->config.spec);
  const unsigned threads = soc.lanes * soc.warps;
  const struct {
    unsigned first, count;
  } ranges[] = {{3 * soc.lanes + 5, 1}, {2 * soc.lanes, soc.lanes}, {0, threads}};
  for (unsigned i = 0; i < 6; i++) {
    const struct run run = {op, core_names[core], ranges[i / 2].first, ranges[i / 2].count, threads, i % 2};
    run_sm(b, p, &run);
  }
}

/* Answers a CSR instruction as the SM would; returns whether the program continues. */
static bool answer_csr(struct bench *b, uint32_t *command)
{
  bool writes;
  uint32_t operand;
  const struct sl_insn *in = sl_host_csr(&b->host, &writes, &operand);
  *command = operand;
  if (in->csr == 0x830)
    return false;
  if (in->csr == 0x800 && writes)
    print(&b->printed, operand);
  sl_host_finish_csr(&b->host, in->csr == 0x831 ? CLOSURE : 0);
  return true;
}

static void run_on_host(struct bench *b, const struct program *p, enum sl_op op)
{
  const struct run run = {op, core_names[HOST], 0, 1, 1, true};
  uint32_t command = 0;
  enum sl_host_stop stop;
  prepare(b, p, &run);
  b->host.pc = PROGRAM_CODE;
  do
    stop = sl_host_run(&b->host, LONGEST);
  while (stop == SL_HOST_CSR && answer_csr(b, &command));
  if (stop != SL_HOST_CSR || command != 3)
    fail_run(b, &run, stop == SL_HOST_CSR ? "failed" : stop == SL_HOST_FAULTED ? "fault" : "endless");
  inspect(b, p, &run);
}

/* Whether a core supports the row (specification, sections 8, 15 and 16); marks do nothing on the host. */
static bool has(enum core core, unsigned op)
{
  const struct sl_op_info *info = sl_op_info(op);
  const unsigned base = SL_ISA_I | SL_ISA_M | SL_ISA_A | SL_ISA_ZICSR;
  const unsigned fpu = core == SM_WITHOUT_FPU ? 0 : SL_ISA_SIMT_FPU;
  if (info->kind == SL_KIND_LRSC)
    return core == HOST;
  return (unsigned)info->set & (base | fpu | SL_ISA_SIMT | (unsigned)(core == HOST ? SL_ISA_HOST : SL_ISA_LANES));
}

/* Integer rows on the SM without FPU, floating point on the one with it. */
static bool is_run(enum core core, unsigned op)
{
  const bool floating = (unsigned)sl_op_info(op)->set & SL_ISA_SIMT_FPU;
  return has(core, op) && sl_op_info(op)->kind != SL_KIND_SYSTEM && (core == HOST || floating == (core == SM));
}

static void run_rows(enum core core)
{
  static struct program p;
  uint64_t seed = 1;
  for (unsigned op = SL_OP_UNKNOWN + 1; op < SL_OP_COUNT; op++) {
    if (!is_run(core, op))
      continue;
    struct bench b;
    bench_init(&b, core);
    program_begin(&p, core == HOST);
    probe(&p, (enum sl_op)op, &seed);
    program_end(&p);
    assert_true(p.count < MOST_CODE && p.data_count < MOST_DATA);
    load(&b, &p);
    if (core == HOST)
      run_on_host(&b, &p, (enum sl_op)op);
    else
      run_on_sm(&b, &p, (enum sl_op)op, core);
    executed[core][op] = p.checks > 0;
    bench_free(&b);
  }
}

static void every_integer_row_on_the_sm(void **state)
{
  (void)state;
  run_rows(SM_WITHOUT_FPU);
}

static void every_floating_point_row_on_the_sm(void **state)
{
  (void)state;
  run_rows(SM);
}

static void every_row_on_the_host(void **state)
{
  (void)state;
  run_rows(HOST);
}

/* The fault of a program of this one word. */
static struct sl_fault fault_of(struct bench *b, uint32_t word, bool fast)
{
  if (b->sm == NULL) {
    sl_host_write_code(&b->host, PROGRAM_CODE, word);
    b->host.pc = PROGRAM_CODE;
    assert_int_equal(sl_host_run(&b->host, 2), SL_HOST_FAULTED);
    return b->host.fault;
  }
  b->config.machine->life.write_instruction(b->sm, PROGRAM_CODE, word);
  b->config.machine->life.start(b->sm, PROGRAM_CODE, 0, 0);
  assert_int_equal(sl_engine_run(sl_engine_of(fast), b->sm, 1000), SL_SM_FAULTED);
  return *b->config.machine->view.fault(b->sm);
}

static void missing_extensions_stop_the_core(void **state)
{
  (void)state;
  for (unsigned core = 0; core < CORES; core++) {
    struct bench b;
    bench_init(&b, (enum core)core);
    for (unsigned op = SL_OP_UNKNOWN + 1; op < SL_OP_COUNT; op++) {
      const bool system = sl_op_info(op)->kind == SL_KIND_SYSTEM && has((enum core)core, op);
      for (unsigned fast = 0; fast < 2 && (system || !has((enum core)core, op)); fast++) {
        const struct sl_fault fault = fault_of(&b, sl_op_info(op)->match, fast);
        assert_int_equal(fault.kind, system ? SL_FAULT_SYSTEM : SL_FAULT_UNKNOWN_INSTRUCTION);
        assert_int_equal(fault.pc, PROGRAM_CODE);
        refused[core][op] = true;
      }
    }
    bench_free(&b);
  }
}

/* A failing check must be reported, or the tests above prove nothing. */
static void a_wrong_result_is_detected(void **state)
{
  (void)state;
  static struct program p;
  uint64_t seed = 1;
  for (unsigned mode = 0; mode < 2; mode++) {
    struct bench b;
    bench_init(&b, SM);
    program_begin(&p, false);
    probe(&p, SL_OP_FADD, &seed);
    program_end(&p);
    p.data[2 * (p.data_count / 14)]++; /* anywhere in the tables */
    load(&b, &p);
    const struct run run = {SL_OP_FADD, "", 0, 512, 512, mode};
    prepare(&b, &p, &run);
    b.config.machine->life.start(b.sm, PROGRAM_CODE, CLOSURE, 0);
    const enum sl_sm_state end = sl_engine_run(sl_engine_of(mode), b.sm, LONGEST);
    assert_true(end == SL_SM_FAULTED || !b.config.machine->view.succeeded(b.sm));
    bench_free(&b);
  }
}

/* The list comes from the table: a new row fails here until it is tested. A core with an FPU need not cover the rows of
 * the core without one, since both support them. */
static void every_row_of_the_table_has_been_tested(void **state)
{
  (void)state;
  unsigned missing = 0;
#define ROW(kind, id, name, match, mask, format, set, class, once, semantics)                                          \
  for (unsigned core = 0; core < CORES; core++)                                                                        \
    if (!executed[core][SL_OP_##id] && !refused[core][SL_OP_##id] &&                                                   \
        !(core != HOST && executed[core == SM ? SM_WITHOUT_FPU : SM][SL_OP_##id])) {                                   \
      print_error("%s has no test on %s\n", name, core_names[core]);                                                   \
      missing++;                                                                                                       \
    }
#include "isa/rv32.def"
#undef ROW
  assert_int_equal(missing, 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_integer_row_on_the_sm), cmocka_unit_test(every_floating_point_row_on_the_sm),
      cmocka_unit_test(every_row_on_the_host),       cmocka_unit_test(missing_extensions_stop_the_core),
      cmocka_unit_test(a_wrong_result_is_detected),  cmocka_unit_test(every_row_of_the_table_has_been_tested),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
