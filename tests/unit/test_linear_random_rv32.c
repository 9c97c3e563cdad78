/* Random kernels in RV32 with loops, branches, ways out of loops, registers kept on the stack and calls: what each
 * linear instruction computes is what its vector says, at every thread, block and iteration; and what operands are to
 * read instead is the same polynomial. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>

#include "linear/linear_follow.h"
#include "linear/linear_rv32.h"
#include "linear_plans.h"
#include "machine/sm7/riscv/sm7_rv_csr.h"
#include "machine/sm7/riscv/sm7_rv_flow.h"
#include "machine/sm7/sm7.h"
#include "random.h"
#include "words.h"

enum { KERNELS = 300, DEPTH = 4, MOST = 2000, LABELS = 1000, FRAME = 64, SLOTS = 6, REGISTERS = 12 };
enum { RA = 1, SP = 2, A0 = 10, COUNTER = 18, SPARE = 30 };
#define BASE UINT32_C(0x8000400)
#define LAUNCH UINT32_C(0x10000000)

/* Those that anything may be in; a0, and counters of loops from s2 on by depth, are what they are. */
static const unsigned pool[REGISTERS] = {5, 6, 8, 9, 11, 12, 13, 14, 15, 16, 28, 29};

struct writer {
  uint32_t word[MOST];
  uint32_t count;
  uint64_t seed;
  uint32_t label[LABELS]; /* words */
  unsigned labels;
  struct {
    uint32_t at;
    unsigned label;
  } jump[MOST];
  unsigned jumps;
  unsigned leave[DEPTH + 1]; /* labels behind the loops around what is written */
  unsigned function;         /* label of one that is called */
};

static unsigned below(struct writer *w, unsigned n)
{
  return random_below(&w->seed, n);
}

static void put(struct writer *w, uint32_t word)
{
  assert_true(w->count < MOST);
  w->word[w->count++] = word;
}

static unsigned new_label(struct writer *w)
{
  assert_true(w->labels < LABELS);
  return w->labels++;
}

static void here(struct writer *w, unsigned label)
{
  w->label[label] = w->count;
}

/* A branch or jump, whose distance comes later. */
static void jump(struct writer *w, uint32_t word, unsigned label)
{
  w->jump[w->jumps].at = w->count;
  w->jump[w->jumps++].label = label;
  put(w, word);
}

static void land(struct writer *w)
{
  for (unsigned i = 0; i < w->jumps; i++) {
    uint32_t *word = &w->word[w->jump[i].at];
    const int distance = 4 * ((int)w->label[w->jump[i].label] - (int)w->jump[i].at);
    *word |= (*word & 127) == 0x6f ? word_j(SL_OP_UNKNOWN, 0, distance) : word_b(SL_OP_UNKNOWN, 0, 0, distance);
  }
}

static unsigned any(struct writer *w)
{
  return pool[below(w, REGISTERS)];
}

/* A number, mostly small, of either sign. */
static int number(struct writer *w)
{
  return below(w, 8) == 0 ? (int)below(w, 4096) - 2048 : (int)below(w, 33) - 16;
}

static void compute(struct writer *w)
{
  static const enum sl_op two[] = {SL_OP_ADD, SL_OP_SUB, SL_OP_MUL, SL_OP_ADD, SL_OP_AND, SL_OP_SLT, SL_OP_SLL};
  const unsigned to = any(w);
  switch (below(w, 12)) {
  case 0: put(w, word_i(SL_OP_ADDI, to, any(w), 0)); break;
  case 1: put(w, word_i(SL_OP_SLLI, to, any(w), (int)below(w, 6))); break;
  case 2: put(w, word_i(SL_OP_ADDI, to, to, number(w))); break; /* what steps in loops */
  case 3:
    put(w, word_u(SL_OP_LUI, to, below(w, 1u << 20)));
    put(w, word_i(SL_OP_ADDI, to, to, number(w)));
    break;
  case 4: put(w, word_csr(SL_OP_CSRRS, to, SL_SM7_RV_CSR_PLACE + below(w, 12), 0)); break;
  case 5: put(w, word_i(SL_OP_LW, to, A0, 36 + 4 * (int)below(w, 2))); break;
  case 6: put(w, word_s(SL_OP_SW, any(w), SP, 4 * (int)below(w, SLOTS))); break;
  case 7: put(w, word_i(SL_OP_LW, to, SP, 4 * (int)below(w, SLOTS))); break;
  default: put(w, word_r(two[below(w, sizeof two / sizeof *two)], to, any(w), any(w)));
  }
}

/* A branch on a condition that may differ by lane. */
static void test(struct writer *w, unsigned label)
{
  static const enum sl_op branches[] = {SL_OP_BLT, SL_OP_BGE, SL_OP_BEQ, SL_OP_BNE, SL_OP_BLTU};
  jump(w, word_b(branches[below(w, sizeof branches / sizeof *branches)], any(w), any(w), 0), label);
}

static void statements(struct writer *w, unsigned depth);

static void branch(struct writer *w, unsigned depth)
{
  const unsigned otherwise = new_label(w), end = new_label(w);
  test(w, otherwise);
  statements(w, depth + 1);
  if (below(w, 2)) {
    jump(w, word_j(SL_OP_JAL, 0, 0), end);
    here(w, otherwise);
    statements(w, depth + 1);
  } else {
    here(w, otherwise);
  }
  here(w, end);
}

/* To a number, or to something of each lane's own. */
static void loop(struct writer *w, unsigned depth)
{
  const unsigned again = new_label(w), out = new_label(w), counter = COUNTER + depth;
  w->leave[depth] = out;
  put(w, word_i(SL_OP_ADDI, counter, 0, 0));
  here(w, again);
  statements(w, depth + 1);
  put(w, word_i(SL_OP_ADDI, counter, counter, 1));
  if (below(w, 3) == 0)
    put(w, word_i(SL_OP_ANDI, SPARE, any(w), 3));
  else
    put(w, word_i(SL_OP_ADDI, SPARE, 0, 1 + (int)below(w, 4)));
  jump(w, word_b(SL_OP_BLT, counter, SPARE, 0), again);
  here(w, out);
  w->leave[depth] = LABELS;
}

static void leave(struct writer *w, unsigned depth)
{
  for (unsigned d = depth; d-- > 0;)
    if (w->leave[d] != LABELS) {
      test(w, w->leave[d]);
      return;
    }
}

static void statements(struct writer *w, unsigned depth)
{
  for (unsigned n = 1 + below(w, depth == 0 ? 12 : 5); n > 0; n--) {
    const unsigned what = below(w, 24);
    if (what <= 1 && depth < DEPTH)
      branch(w, depth);
    else if (what <= 5 && depth < DEPTH)
      loop(w, depth);
    else if (what <= 7)
      leave(w, depth);
    else if (what == 8)
      jump(w, word_j(SL_OP_JAL, RA, 0), w->function);
    else
      compute(w);
  }
}

/* A function that leaves saved registers alone; of the others it leaves one. */
static void write_function(struct writer *w)
{
  here(w, w->function);
  for (unsigned i = 0; i < REGISTERS; i++)
    if (pool[i] != 8 && pool[i] != 9 && pool[i] != 13)
      put(w, word_i(SL_OP_ADDI, pool[i], pool[(i + 1) % REGISTERS], (int)i));
  put(w, word_i(SL_OP_JALR, 0, RA, 0));
}

static uint32_t write_kernel(struct writer *w, uint64_t seed)
{
  w->count = 0;
  w->labels = w->jumps = 0;
  w->seed = seed;
  w->function = new_label(w);
  for (unsigned d = 0; d <= DEPTH; d++)
    w->leave[d] = LABELS;
  put(w, word_i(SL_OP_ADDI, SP, SP, -FRAME));
  put(w, word_s(SL_OP_SW, RA, SP, FRAME - 4));
  for (unsigned i = 0; i < REGISTERS; i++)
    put(w, i % 3 == 2 ? word_i(SL_OP_ADDI, pool[i], 0, 5)
                      : word_csr(SL_OP_CSRRS, pool[i], SL_SM7_RV_CSR_PLACE + (i % 3 == 0 ? i % 4 : 3), 0));
  for (unsigned i = 0; i < SLOTS; i += 2)
    put(w, word_s(SL_OP_SW, pool[i], SP, 4 * (int)i));
  statements(w, 0);
  put(w, word_i(SL_OP_LW, RA, SP, FRAME - 4));
  put(w, word_i(SL_OP_ADDI, SP, SP, FRAME));
  put(w, word_i(SL_OP_JALR, 0, RA, 0));
  const uint32_t end = w->count;
  write_function(w);
  land(w);
  return end;
}

/* A kernel that runs, and is followed. */
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
  const uint32_t insn = sl_code_index(&s->words, probe->pc), *index = probe->block->index;
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
      .insn = insn, .place = probe->pc, .active = (uint32_t)probe->active, .registers = probe->values};
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
    sl_sm7.steps.run_warp(sm, (unsigned)warp, sl_sm7.steps.turn);
  sl_sm7.steps.none(sm);
  assert_int_equal(sl_sm7.view.state(sm), SL_SM_DONE);
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

static void values_are_those_of_their_vectors(void **state)
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
  /* So that it is no test of nothing. */
  assert_true(sum.compared > 1000u * count);
  assert_true(sum.iterated > 100u * count);
  print_message("%u kernels: %llu values compared, %llu of them in loops\n", count, (unsigned long long)sum.compared,
                (unsigned long long)sum.iterated);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(values_are_those_of_their_vectors)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
