/* A Vortex core that computes ahead and evaluates its stages only at their events, compared with the same core that
 * evaluates them in every cycle: on random programs and keys every counter is equal after any number of cycles, and so
 * are program results. */
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
#include "machine/vortex/vortex_gpu.h"
#include "mem/memory.h"
#include "vortex_program.h"

#define CODE UINT32_C(0x80000000)

enum { MOST_CYCLES = 3000, MOST_KEYS = 6 };

static uint64_t draw(uint64_t *seed)
{
  *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return *seed >> 33;
}

/* Keys with values that change queues, delays and arbiters. */
static const struct {
  const char *name;
  const char *value[4];
} keys[] = {
    {"lanes", {"1", "4", "16", "32"}},
    {"warps", {"1", "3", "8", "16"}},
    {"issue.slices", {"0", "1", "2", "0"}},
    {"fetch.delay", {"0", "1", "3", "7"}},
    {"fetch.queue", {"1", "2", "3", "5"}},
    {"fetch.answers", {"0", "1", "2", "3"}},
    {"ibuffer.entries", {"1", "2", "4", "6"}},
    {"decode.delay", {"0", "1", "4", "6"}},
    {"decode.release", {"0", "1", "2", "3"}},
    {"operands.queue", {"1", "2", "4", "6"}},
    {"operands.delay", {"0", "1", "3", "5"}},
    {"operands.out_delay", {"0", "1", "3", "9"}},
    {"operands.count_pairs", {"true", "false", "true", "false"}},
    {"dispatch.queue", {"1", "2", "4", "5"}},
    {"dispatch.delay", {"0", "1", "3", "6"}},
    {"dispatch.shared_delay", {"0", "1", "2", "4"}},
    {"latency.alu", {"1", "2", "3", "9"}},
    {"latency.fma", {"1", "3", "5", "9"}},
    {"latency.csr", {"1", "2", "5", "8"}},
    {"fpu.queue", {"0", "1", "3", "4"}},
    {"branch.delay", {"0", "1", "3", "6"}},
    {"csr.flags_wait", {"true", "false", "true", "false"}},
    {"commit.delay", {"1", "2", "3", "6"}},
    {"commit.order", {"alu-lsu-sfu-fpu", "alu-lsu-fpu-sfu", "alu-lsu-fpu-sfu", "alu-lsu-sfu-fpu"}},
    {"lsu.loads", {"1", "2", "3", "8"}},
    {"lsu.slot_delay", {"0", "1", "2", "3"}},
    {"lsu.queue", {"0", "1", "2", "3"}},
    {"lsu.partial_commit", {"true", "false", "true", "false"}},
    {"lsu.store_delay", {"0", "1", "2", "5"}},
    {"lsu.response_delay", {"0", "1", "2", "5"}},
    {"icache.bytes", {"1024", "1024", "2048", "4096"}},
    {"icache.latency", {"1", "2", "3", "5"}},
    {"icache.start", {"0", "3", "40", "90"}},
    {"dcache.bytes", {"1024", "2048", "4096", "8192"}},
    {"fence.flushes", {"true", "false", "true", "false"}},
    {"performance.class", {"1", "2", "1", "2"}},
    {"socket.cores", {"1", "1", "1", "1"}},
};

static void set(struct sl_config *config, const char *key, const char *value)
{
  struct sl_error err;
  assert_int_equal(sl_key_set(config->machine->keys, config->spec, key, value, &err), SL_OK);
}

static void open_config(struct sl_config *config, uint64_t *seed)
{
  struct sl_error err;
  assert_int_equal(sl_config_open(config, "vortex", &err), SL_OK);
  set(config, "warps", "4");
  set(config, "icache.start", "4");
  set(config, "atomics", "true");
  set(config, "cores", draw(seed) % 4 == 0 ? "2" : "1");
  for (uint64_t left = draw(seed) % (MOST_KEYS + 1); left > 0; left--) {
    const size_t key = draw(seed) % (sizeof keys / sizeof *keys);
    set(config, keys[key].name, keys[key].value[draw(seed) % 4]);
  }
}

struct bench {
  struct sl_memory memory;
  struct sl_sm *sm;
};

/* `asked`: evaluates all stages in every cycle. */
static void create(struct bench *b, const struct sl_config *config, const uint32_t *code, size_t words, bool asked)
{
  struct sl_error err;
  assert_int_equal(sl_memory_init(&b->memory, 0, &err), SL_OK);
  const struct sl_sm_environment environment = {.memory = &b->memory};
  assert_int_equal(sl_vortex.life.create(config->spec, &environment, &b->sm, &err), SL_OK);
  struct sl_vortex_gpu *sm = sl_vortex_of(b->sm);
  for (unsigned c = 0; c < sm->spec.cores && asked; c++) {
    struct sl_vortex_pipeline *p = &sm->timed.pipeline[c];
    p->ahead = p->feeds = p->plain = false;
    p->polled = SL_STAGES;
  }
  for (size_t i = 0; i < words; i++)
    sl_vortex.life.write_instruction(b->sm, CODE + 4 * (uint32_t)i, code[i]);
  sl_vortex.life.set_timing(b->sm, true);
  sl_vortex.life.start(b->sm, CODE, 0, 0);
}

static void close_bench(struct bench *b)
{
  sl_vortex.life.destroy(b->sm);
  sl_memory_free(&b->memory);
}

static void expect_equal(const struct bench *a, const struct bench *b, uint64_t seed)
{
  for (size_t i = 0; i < sl_vortex.counters->count; i++)
    if (sl_vortex.view.counter(a->sm, i) != sl_vortex.view.counter(b->sm, i))
      fail_msg("seed %llu, cycle %llu: %s is %llu ahead, %llu asked", (unsigned long long)seed,
               (unsigned long long)sl_vortex.view.counter(a->sm, 0), sl_vortex.counters->counter[i].name,
               (unsigned long long)sl_vortex.view.counter(a->sm, i),
               (unsigned long long)sl_vortex.view.counter(b->sm, i));
}

/* Runs both, in pieces of any length. */
static void compare(uint64_t seed)
{
  uint64_t state = seed;
  uint8_t bytes[5 * 40];
  uint32_t code[SL_VORTEX_WORDS];
  struct sl_config config;
  struct bench ahead, asked;
  open_config(&config, &state);
  for (size_t i = 0; i < sizeof bytes; i++)
    bytes[i] = (uint8_t)draw(&state);
  const size_t words = sl_vortex_program(code, SL_VORTEX_ROWS, bytes, sizeof bytes);
  create(&ahead, &config, code, words, false);
  create(&asked, &config, code, words, true);
  enum sl_sm_state end = SL_SM_RUNNING;
  for (uint64_t cycles = 0; cycles < MOST_CYCLES && end == SL_SM_RUNNING;) {
    const uint64_t piece = 1 + draw(&state) % (draw(&state) % 2 ? 9 : 300);
    sl_vortex.life.run_cycles(ahead.sm, piece);
    sl_vortex.life.run_cycles(asked.sm, piece);
    end = ahead.sm->state;
    assert_int_equal(asked.sm->state, end);
    expect_equal(&ahead, &asked, seed);
    cycles += piece;
  }
  assert_true(sl_memory_hash(&ahead.memory) == sl_memory_hash(&asked.memory));
  close_bench(&ahead);
  close_bench(&asked);
  sl_config_close(&config);
}

static void computing_ahead_equals_evaluating_every_cycle(void **state)
{
  const uint64_t programs = getenv("SIMTLAB_BRIEF") != NULL && *getenv("SIMTLAB_BRIEF") ? 50 : 2000;
  (void)state;
  for (uint64_t seed = 1; seed <= programs; seed++)
    compare(seed);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(computing_ahead_equals_evaluating_every_cycle)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
