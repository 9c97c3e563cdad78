/* Runs a kernel of instruction words on a SIMTight SM without a host CPU. */
#ifndef SL_TESTS_KERNEL_H
#define SL_TESTS_KERNEL_H

#include <stdlib.h>
#include <string.h>

#include "device/engine/engine.h"
#include "machine/machine.h"
#include "machine/simtight/simtight_sm.h"
#include "words.h"

#define DATA UINT32_C(0x90000000)
#define SCRATCHPAD UINT32_C(0xbfff0000)

enum { MOST_COMMITS = 4096 };

/* The instructions that end a warp successfully, and that make it wait at its block's barrier. */
#define END word_csr(SL_OP_CSRRWI, 0, 0x830, 3)
#define BARRIER word_csr(SL_OP_CSRRWI, 0, 0x830, 0)

struct kernel_commit {
  uint64_t cycle;
  unsigned warp;
  sl_lanes active;
  uint32_t pc;
};

struct kernel {
  struct sl_simtight_spec spec;
  struct sl_memory memory;
  struct sl_probes probes;
  struct sl_simtight_sm *sm;
  uint32_t end; /* address of the next word */
  unsigned commits;
  struct kernel_commit commit[MOST_COMMITS];
};

static inline bool kernel_record(void *context, const struct sl_probe *c)
{
  struct kernel *k = context;
  if (k->commits < MOST_COMMITS)
    k->commit[k->commits++] = (struct kernel_commit){c->cycle, c->warp, c->active, (uint32_t)c->pc};
  return true;
}

/* The published configuration except for the shape. */
static inline struct sl_simtight_spec kernel_spec(unsigned lanes, unsigned warps)
{
  struct sl_simtight_spec spec;
  sl_keys_defaults(&sl_simtight_keys, &spec);
  spec.lanes = lanes;
  spec.warps = warps;
  return spec;
}

static inline struct kernel *kernel_create(const struct sl_simtight_spec *spec)
{
  struct kernel *k = calloc(1, sizeof *k);
  assert_non_null(k);
  k->spec = *spec;
  k->end = spec->code_base;
  assert_int_equal(sl_simtight.check(spec, NULL), SL_OK);
  assert_int_equal(sl_memory_init(&k->memory, spec->code_base + 4 * spec->code_words, NULL), SL_OK);
  k->probes = (struct sl_probes){.wanted = SL_PROBE_EXECUTED, .tell = kernel_record, .context = k};
  const struct sl_sm_environment environment = {.memory = &k->memory, .probes = &k->probes};
  assert_int_equal(sl_simtight.life.create(spec, &environment, (struct sl_sm **)&k->sm, NULL), SL_OK);
  return k;
}

static inline void kernel_free(struct kernel *k)
{
  sl_simtight.life.destroy(&k->sm->base);
  sl_memory_free(&k->memory);
  free(k);
}

static inline void kernel_add(struct kernel *k, uint32_t word)
{
  sl_simtight.life.write_instruction(&k->sm->base, k->end, word);
  k->end += 4;
}

static inline void kernel_repeat(struct kernel *k, uint32_t word, unsigned n)
{
  while (n-- > 0)
    kernel_add(k, word);
}

/* Two words that set a register to the same value in all lanes. */
static inline void kernel_constant(struct kernel *k, unsigned reg, uint32_t value)
{
  const uint32_t low = ((value & 0xfff) ^ 0x800) - 0x800;
  kernel_add(k, word_u(SL_OP_LUI, reg, (value - low) >> 12));
  kernel_add(k, word_i(SL_OP_ADDI, reg, reg, (int)low));
}

/* Words that set register `reg` of thread h of the SM to first + h * step; they use `other`. */
static inline void kernel_compute(struct kernel *k, unsigned reg, uint32_t first, uint32_t step, unsigned other)
{
  kernel_add(k, word_csr(SL_OP_CSRRS, reg, 0xf14, 0));
  kernel_constant(k, other, step);
  kernel_add(k, word_r(SL_OP_MUL, reg, reg, other));
  kernel_constant(k, other, first);
  kernel_add(k, word_r(SL_OP_ADD, reg, reg, other));
}

/* The cycle in which the word at `pc` first executed. */
static inline uint64_t kernel_executed(const struct kernel *k, uint32_t pc)
{
  for (unsigned i = 0; i < k->commits; i++)
    if (k->commit[i].pc == pc)
      return k->commit[i].cycle;
  fail_msg("0x%08x was not executed", pc);
  return 0;
}

/* Sets register `reg` of lane l of every warp to first + l * step, in a plain register file, which keeps its contents
 * between kernels. */
static inline void kernel_set(struct kernel *k, unsigned reg, uint32_t first, uint32_t step)
{
  for (unsigned w = 0; w < k->spec.warps; w++)
    for (unsigned l = 0; l < k->spec.lanes; l++)
      sl_path_warps_registers(&k->sm->warps, w)[reg * k->spec.lanes + l] = first + l * step;
}

static inline void kernel_start(struct kernel *k, unsigned warps_per_block)
{
  k->commits = 0;
  sl_simtight.life.start(&k->sm->base, k->spec.code_base, 0, warps_per_block);
}

/* Runs the kernel, which must end successfully. */
static inline void kernel_run(struct kernel *k, bool fast)
{
  kernel_start(k, 0);
  assert_int_equal(sl_engine_run(sl_engine_of(fast), &k->sm->base, 10000000), SL_SM_DONE);
  assert_true(sl_simtight.view.succeeded(&k->sm->base));
  if (!fast) {
    const char *broken = sl_simtight_broken(k->sm);
    if (broken != NULL)
      fail_msg("%s", broken);
  }
}

static inline uint64_t kernel_counter(const struct kernel *k, const char *name)
{
  for (size_t i = 0; i < sl_simtight.counters->count; i++)
    if (strcmp(sl_simtight.counters->counter[i].name, name) == 0)
      return sl_simtight.view.counter(&k->sm->base, i);
  fail_msg("no counter %s", name);
  return 0;
}

#endif
