/* Runs a program of instruction words on a Simty core; all warps start at address 0x200. */
#ifndef SL_TESTS_CORE_H
#define SL_TESTS_CORE_H

#include <stdlib.h>
#include <string.h>

#include "device/engine/engine.h"
#include "machine/machine.h"
#include "machine/simty/simty_sm.h"
#include "words.h"

enum { ENTRY = 0x200, CORE_DATA = 0x4000, MOST_CORE_COMMITS = 4096 };

#define CORE_NOP word_i(SL_OP_ADDI, 0, 0, 0)

struct core_commit {
  uint64_t issued; /* cycle */
  unsigned warp;
  sl_lanes active;
  uint32_t pc;
};

struct core {
  struct sl_simty_spec spec;
  struct sl_memory memory;
  struct sl_probes probes;
  struct sl_simty_core *sm;
  uint32_t entry, end; /* address of the first and of the next word */
  unsigned commits;
  struct core_commit commit[MOST_CORE_COMMITS];
};

/* Commits are observed at write-back and counted from 0. */
static inline bool core_record(void *context, const struct sl_probe *c)
{
  struct core *k = context;
  if (k->commits < MOST_CORE_COMMITS)
    k->commit[k->commits++] =
        (struct core_commit){c->cycle + 1 - SL_SIMTY_EXECUTED, c->warp, c->active, (uint32_t)c->pc};
  return true;
}

static inline struct core *core_create_spec(const struct sl_simty_spec *spec)
{
  struct core *k = calloc(1, sizeof *k);
  assert_non_null(k);
  k->spec = *spec;
  k->entry = k->end = spec->host ? spec->code_base : ENTRY;
  assert_int_equal(sl_simty.check(&k->spec, NULL), SL_OK);
  const uint32_t low = spec->host ? spec->code_base + 4 * spec->code_words : 0;
  assert_int_equal(sl_memory_init(&k->memory, low, NULL), SL_OK);
  k->probes = (struct sl_probes){.wanted = SL_PROBE_EXECUTED, .tell = core_record, .context = k};
  const struct sl_sm_environment environment = {.memory = &k->memory, .probes = &k->probes};
  assert_int_equal(sl_simty.life.create(&k->spec, &environment, (struct sl_sm **)&k->sm, NULL), SL_OK);
  return k;
}

/* The published configuration except for the shape. */
static inline struct core *core_create(unsigned lanes, unsigned warps)
{
  struct sl_simty_spec spec;
  sl_keys_defaults(&sl_simty_keys, &spec);
  spec.lanes = lanes;
  spec.warps = warps;
  return core_create_spec(&spec);
}

static inline void core_free(struct core *k)
{
  sl_simty.life.destroy(&k->sm->base);
  sl_memory_free(&k->memory);
  free(k);
}

static inline void core_add(struct core *k, uint32_t word)
{
  sl_simty.life.write_instruction(&k->sm->base, k->end, word);
  k->end += 4;
}

/* x5 = hart id, x6 = 4 * hart id. */
static inline void core_add_prologue(struct core *k)
{
  core_add(k, word_csr(SL_OP_CSRRS, 5, 0xf14, 0));
  core_add(k, word_r(SL_OP_SLLI, 6, 5, 2));
}

/* Stores the done word, and waits. Needs x6. */
static inline void core_add_epilogue(struct core *k)
{
  core_add(k, word_u(SL_OP_LUI, 30, 0x10));
  core_add(k, word_i(SL_OP_ADDI, 30, 30, -0x800));
  core_add(k, word_r(SL_OP_ADD, 30, 30, 6));
  core_add(k, word_i(SL_OP_ADDI, 31, 0, 1));
  core_add(k, word_s(SL_OP_SW, 31, 30, 0));
  core_add(k, word_j(SL_OP_JAL, 0, 0));
}

static inline void core_run(struct core *k)
{
  k->commits = 0;
  sl_simty.life.start(&k->sm->base, k->entry, 0, 0);
  assert_int_equal(sl_engine_run(sl_engine_of(false), &k->sm->base, 100000), SL_SM_DONE);
  const char *broken = sl_simty_broken(k->sm);
  if (broken != NULL)
    fail_msg("%s", broken);
}

/* The cycle in which a warp issued the instruction at pc for the n-th time (from 0). */
static inline uint64_t core_issued(const struct core *k, unsigned warp, uint32_t pc, unsigned n)
{
  for (unsigned i = 0; i < k->commits; i++)
    if (k->commit[i].warp == warp && k->commit[i].pc == pc && n-- == 0)
      return k->commit[i].issued;
  fail_msg("warp %u did not execute 0x%x", warp, pc);
  return 0;
}

static inline uint64_t core_count(const struct core *k, const char *name)
{
  for (size_t i = 0; i < sl_simty.counters->count; i++)
    if (strcmp(sl_simty.counters->counter[i].name, name) == 0)
      return sl_simty.view.counter(&k->sm->base, i);
  fail_msg("no counter %s", name);
  return 0;
}

#endif
