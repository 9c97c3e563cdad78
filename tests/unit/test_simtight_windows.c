/* Issue windows compared with the cycle loop: two SMs run random kernels; one is observed, which selects the cycle
 * loop. The test stops both after random numbers of cycles and compares their states. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "kernel.h"
#include "random.h"

enum { FIRST = 8, REGISTERS = 8 /* registers of random instructions */ };

/* x5: a word of each thread in DRAM, x6: one in the scratchpad, x7: counts iterations down. */
enum { IN_DRAM = 5, IN_SCRATCHPAD = 6, ITERATIONS = 7, SCRATCH = 30 };

struct pair {
  struct sl_simtight_spec spec;
  struct sl_memory memory[2];
  struct sl_probes probes;
  struct sl_simtight_sm *sm[2]; /* the first is observed */
  uint32_t end;
  uint64_t random;
};

static unsigned below(struct pair *p, unsigned n)
{
  return random_below(&p->random, n);
}

static bool ignore(void *context, const struct sl_probe *probe)
{
  (void)context, (void)probe;
  return true;
}

static void add(struct pair *p, uint32_t word)
{
  for (unsigned i = 0; i < 2; i++)
    sl_simtight.life.write_instruction(&p->sm[i]->base, p->end, word);
  p->end += 4;
}

static unsigned any_register(struct pair *p)
{
  return FIRST + below(p, REGISTERS);
}

static void add_access(struct pair *p)
{
  static const unsigned loads[] = {SL_OP_LW, SL_OP_LH, SL_OP_LBU}, stores[] = {SL_OP_SW, SL_OP_SH, SL_OP_SB};
  const unsigned base = below(p, 3) ? IN_SCRATCHPAD : IN_DRAM, width = below(p, 2) ? 0 : below(p, 3);
  const int offset = (int)below(p, 16) * 4;
  if (below(p, 2))
    add(p, word_i(loads[width], any_register(p), base, offset));
  else
    add(p, word_s(stores[width], any_register(p), base, offset));
  if (base == IN_SCRATCHPAD && below(p, 3) == 0)
    add(p, word_r(SL_OP_AMOADD, below(p, 2) ? any_register(p) : 0, IN_SCRATCHPAD, any_register(p)));
}

static void add_value(struct pair *p)
{
  static const unsigned ops[] = {SL_OP_ADD, SL_OP_SUB,   SL_OP_XOR, SL_OP_SLTU,
                                 SL_OP_MUL, SL_OP_MULHU, SL_OP_SLL, SL_OP_SRA};
  if (below(p, 24) == 0)
    add(p, word_r(below(p, 2) ? SL_OP_DIVU : SL_OP_REM, any_register(p), any_register(p), any_register(p)));
  else
    add(p, word_r(ops[below(p, 8)], any_register(p), any_register(p), any_register(p)));
}

static void add_instructions(struct pair *p, unsigned count)
{
  while (count-- > 0)
    if (below(p, 3) == 0)
      add_access(p);
    else
      add_value(p);
}

/* Lanes with arbitrary comparisons skip some instructions. */
static void add_divergence(struct pair *p)
{
  static const unsigned branches[] = {SL_OP_BEQ, SL_OP_BLT, SL_OP_BGEU};
  const unsigned skipped = 1 + below(p, 4);
  add(p, sl_op_info(SL_OP_PUSH)->match);
  add(p, word_b(branches[below(p, 3)], any_register(p), any_register(p), 4 + 4 * (int)skipped));
  for (unsigned i = 0; i < skipped; i++)
    add_value(p);
  add(p, sl_op_info(SL_OP_POP)->match);
}

static void add_constant(struct pair *p, unsigned reg, uint32_t value)
{
  const uint32_t low = ((value & 0xfff) ^ 0x800) - 0x800;
  add(p, word_u(SL_OP_LUI, reg, (value - low) >> 12));
  add(p, word_i(SL_OP_ADDI, reg, reg, (int)low));
}

/* Register `reg` = base + (hart * stride & mask), other registers from the hart. */
static void add_address(struct pair *p, unsigned reg, uint32_t base, uint32_t stride, uint32_t mask)
{
  add(p, word_csr(SL_OP_CSRRS, reg, 0xf14, 0));
  add_constant(p, SCRATCH, stride);
  add(p, word_r(SL_OP_MUL, reg, reg, SCRATCH));
  add_constant(p, SCRATCH, mask);
  add(p, word_r(SL_OP_AND, reg, reg, SCRATCH));
  add_constant(p, SCRATCH, base);
  add(p, word_r(SL_OP_ADD, reg, reg, SCRATCH));
}

static void add_kernel(struct pair *p)
{
  static const uint32_t strides[] = {0, 4, 8, 64, 132};
  p->end = p->spec.code_base;
  add_address(p, IN_DRAM, DATA, strides[below(p, 5)], 0xfffc);
  add_address(p, IN_SCRATCHPAD, SCRATCHPAD, strides[below(p, 5)], 0x3ffc);
  for (unsigned r = 0; r < REGISTERS; r++)
    add_address(p, FIRST + r, r, 1 + r * r, 0xff);
  add_constant(p, ITERATIONS, 2 + below(p, 4));
  const uint32_t loop = p->end;
  const unsigned parts = 1 + below(p, 4);
  for (unsigned i = 0; i < parts; i++) {
    add_instructions(p, below(p, 12));
    if (below(p, 2))
      add_divergence(p);
    if (below(p, 4) == 0)
      add(p, BARRIER);
  }
  add(p, word_i(SL_OP_ADDI, ITERATIONS, ITERATIONS, -1));
  add(p, word_b(SL_OP_BNE, ITERATIONS, 0, (int)(loop - p->end)));
  add(p, END);
}

static void create(struct pair *p)
{
  static const struct {
    unsigned lanes, warps;
  } shapes[] = {{32, 64}, {32, 16}, {16, 8}, {8, 4}, {4, 1}};
  const unsigned shape = below(p, 5);
  p->spec = kernel_spec(shapes[shape].lanes, shapes[shape].warps);
  p->spec.fifo_depth = below(p, 2) ? 32 : 1 + below(p, 4);
  p->spec.divider = below(p, 2);
  p->spec.fpu = below(p, 2);
  p->probes = (struct sl_probes){.wanted = SL_PROBE_ARRIVED, .tell = ignore};
  for (unsigned i = 0; i < 2; i++) {
    assert_int_equal(sl_memory_init(&p->memory[i], p->spec.code_base + 4 * p->spec.code_words, NULL), SL_OK);
    const struct sl_sm_environment environment = {.memory = &p->memory[i], .probes = i == 0 ? &p->probes : NULL};
    assert_int_equal(sl_simtight.life.create(&p->spec, &environment, (struct sl_sm **)&p->sm[i], NULL), SL_OK);
  }
}

static void destroy(struct pair *p)
{
  for (unsigned i = 0; i < 2; i++) {
    sl_simtight.life.destroy(&p->sm[i]->base);
    sl_memory_free(&p->memory[i]);
  }
}

/* The still relevant entries of the cycle loop's rings. */
static void forget_the_past(struct sl_simtight_state *s)
{
  int8_t to_come[SL_SIMTIGHT_RING];
  memset(to_come, -1, sizeof to_come);
  for (unsigned i = 0; i < SL_SIMTIGHT_DEPTH; i++) {
    const unsigned at = (unsigned)(s->cycle + i) % SL_SIMTIGHT_RING;
    to_come[at] = s->pipeline[at];
  }
  memcpy(s->pipeline, to_come, sizeof to_come);
  for (unsigned i = SL_SIMTIGHT_UNCOUNTED; i < SL_SIMTIGHT_RING; i++)
    s->recent[(unsigned)(s->cycle - 1 - i) % SL_SIMTIGHT_RING] = 0;
  memset(&s->account, 0, sizeof s->account);
}

static void compare(const struct pair *p)
{
  struct sl_simtight_state *s = aligned_alloc(SL_CACHE_LINE, 2 * sizeof *s);
  assert_non_null(s);
  for (unsigned i = 0; i < 2; i++) {
    memcpy(&s[i], &p->sm[i]->s, sizeof *s);
    forget_the_past(&s[i]);
  }
  assert_int_equal(s[0].cycle, s[1].cycle);
  assert_int_equal(s[0].queue, s[1].queue);
  assert_int_equal(s[0].requeue, s[1].requeue);
  assert_memory_equal(s[0].pipeline, s[1].pipeline, sizeof s[0].pipeline);
  assert_memory_equal(&s[0].suspension, &s[1].suspension, sizeof s[0].suspension);
  assert_memory_equal(&s[0].barrier, &s[1].barrier, sizeof s[0].barrier);
  assert_memory_equal(&s[0].counts, &s[1].counts, sizeof s[0].counts);
  assert_memory_equal(&s[0].recent, &s[1].recent, sizeof s[0].recent);
  assert_int_equal(s[0].resume.full, s[1].resume.full);
  assert_int_equal(s[0].multiplier.count, s[1].multiplier.count);
  assert_int_equal(s[0].multiplier.product, s[1].multiplier.product);
  assert_int_equal(s[0].path.stages, s[1].path.stages);
  assert_int_equal(s[0].path.fifo_count, s[1].path.fifo_count);
  assert_int_equal(s[0].path.answered, s[1].path.answered);
  assert_int_equal(s[0].path.scratchpad.answer, s[1].path.scratchpad.answer);
  assert_int_equal(s[0].path.dram.answer, s[1].path.dram.answer);
  free(s);
  assert_memory_equal(p->sm[0]->warps.x, p->sm[1]->warps.x, p->spec.warps * p->sm[0]->warps.warp_words * 4);
}

static void run(struct pair *p)
{
  const unsigned block = below(p, 2) ? 0 : p->spec.warps / 2;
  for (unsigned i = 0; i < 2; i++)
    sl_simtight.life.start(&p->sm[i]->base, p->spec.code_base, 0, block);
  const unsigned most = 1u << below(p, 9);
  while (p->sm[0]->base.state == SL_SM_RUNNING) {
    const unsigned cycles = 1 + below(p, most);
    for (unsigned i = 0; i < 2; i++)
      sl_simtight_run_cycles(&p->sm[i]->base, cycles);
    assert_int_equal(p->sm[0]->base.state, p->sm[1]->base.state);
    compare(p);
    assert_true(p->sm[0]->s.cycle < 1000000);
  }
}

static void issue_windows_equal_the_cycle_loop(void **state)
{
  (void)state;
  const char *brief = getenv("SIMTLAB_BRIEF");
  const unsigned kernels = brief != NULL && *brief != 0 ? 4 : 25;
  struct pair p = {.random = 1};
  for (unsigned i = 0; i < kernels; i++) {
    create(&p);
    add_kernel(&p);
    run(&p);
    destroy(&p);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(issue_windows_equal_the_cycle_loop)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
