/* machine/sm7 on several host threads: programs with deliberate data races, through atomics with results, loads and
 * stores of the same words, and generic addresses, leave the same memory and counters on any number of host threads; a
 * fault names the same thread. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "machine/sm7/sm7_engine.h"
#include "machine/sm7/sm7_gpu.h"
#include "ptx/ptx.h"

enum { THREADS = 64, WORDS = 528, MOST_BLOCKS = 160, OUT = MOST_BLOCKS * THREADS, TURNS = 2 };

/* Every thread takes numbers from two counters, adds to a float (which rounds, so that order matters), exchanges,
 * overwrites words that others read, and stores the values that it has read. */
#define HEAD                                                                                                           \
  ".version 6.0\n.target sm_70\n.address_size 64\n"                                                                    \
  ".visible .entry k(.param .u64 p, .param .u64 q) {\n"                                                                \
  ".shared .align 4 .b8 s[512];\n.reg .b32 %r<24>;\n.reg .b64 %d<16>;\n.reg .f32 %f<4>;\n.reg .pred %p<4>;\n"          \
  "ld.param.u64 %d1, [p];\nld.param.u64 %d2, [q];\n"                                                                   \
  "mov.u32 %r1, %tid.x;\nmov.u32 %r2, %ctaid.x;\nmov.u32 %r3, %ntid.x;\nmad.lo.u32 %r4, %r2, %r3, %r1;\n"

static const char racing[] =
    HEAD "mul.lo.u32 %r5, %r4, 2654435761;\nshr.u32 %r6, %r5, 23;\n"
         "mul.wide.u32 %d3, %r6, 4;\nadd.u64 %d4, %d1, %d3;\nadd.u64 %d4, %d4, 64;\n" /* a word of 512 */
         "mov.u32 %r7, 0;\n"
         "$again:\n"
         "atom.global.add.u32 %r8, [%d1], 1;\n"
         "ld.global.u32 %r9, [%d4];\n"
         "xor.b32 %r10, %r9, %r8;\nmad.lo.u32 %r10, %r10, 33, %r4;\n"
         "st.global.u32 [%d4], %r10;\n"
         "atom.global.exch.b32 %r11, [%d1+4], %r10;\n"
         "cvt.rn.f32.u32 %f1, %r8;\nmul.f32 %f1, %f1, 0f3DCCCCCD;\n"
         "atom.global.add.f32 %f2, [%d1+8], %f1;\n"
         "mov.b32 %r12, %f2;\nxor.b32 %r13, %r11, %r12;\n"
         /* half of the lanes to shared memory, the others to global, by generic addresses */
         "mov.u64 %d5, s;\ncvta.shared.u64 %d6, %d5;\nmul.wide.u32 %d7, %r1, 4;\n"
         "add.u64 %d6, %d6, %d7;\nand.b32 %r14, %r1, 1;\nsetp.eq.u32 %p1, %r14, 0;\n"
         "selp.b64 %d8, %d6, %d4, %p1;\nst.u32 [%d8], %r13;\nld.u32 %r15, [%d8];\n"
         "add.u32 %r10, %r10, %r15;\n"
         "add.u32 %r7, %r7, 1;\nsetp.lt.u32 %p2, %r7, 2;\n@%p2 bra $again;\n"
         "mul.wide.u32 %d9, %r4, 4;\nadd.u64 %d10, %d2, %d9;\nst.global.u32 [%d10], %r10;\n"
         "ret;\n}\n";

/* Threads of several blocks leave the buffer at the same time. */
static const char faulting[] = HEAD "mul.wide.u32 %d3, %r4, 65536;\nadd.u64 %d4, %d2, %d3;\n"
                                    "setp.gt.u32 %p1, %r2, 3;\n@%p1 st.global.u32 [%d4], %r4;\nret;\n}\n";

struct outcome {
  enum sl_status code;
  struct sl_error err;
  struct sl_sm7_totals totals;
  uint64_t cycles;
  uint32_t memory[WORDS + OUT];
};

static void run_on(const struct sl_ptx_launch *launch, const struct sl_sm7_spec *spec, unsigned threads,
                   struct outcome *o)
{
  struct sl_sm7_engine engine;
  struct sl_ptx_counts counts = {0};
  assert_int_equal(sl_sm7_engine_open(&engine, spec, threads, &o->err), SL_OK);
  const struct sl_ptx_engine runs = sl_sm7_ptx_engine(&engine);
  o->code = runs.run(runs.context, launch, &counts, &o->err);
  o->totals = sl_sm7_gpu_totals(engine.gpu);
  o->cycles = engine.cycles;
  sl_sm7_engine_close(&engine);
}

static struct outcome *outcome_of(const char *text, unsigned blocks, const struct sl_sm7_spec *spec, unsigned threads)
{
  struct outcome *o = calloc(1, sizeof *o);
  struct sl_ptx_module *m = NULL;
  struct sl_ptx_memory memory;
  uint64_t buffer[2];
  assert_non_null(o);
  if (sl_ptx_parse(&m, text, strlen(text), "racing", NULL, &o->err) != SL_OK)
    fail_msg("%s", o->err.text);
  assert_int_equal(sl_ptx_memory_init(&memory, m, &o->err), SL_OK);
  assert_int_equal(sl_ptx_memory_allocate(&memory, WORDS * 4, &buffer[0], &o->err), SL_OK);
  assert_int_equal(sl_ptx_memory_allocate(&memory, OUT * 4, &buffer[1], &o->err), SL_OK);
  const struct sl_ptx_launch launch = {.module = m,
                                       .kernel = sl_ptx_entry(m, "k"),
                                       .grid = {blocks, 1, 1},
                                       .block = {THREADS, 1, 1},
                                       .regs_per_thread = 32,
                                       .params = (uint8_t *)buffer,
                                       .memory = &memory};
  run_on(&launch, spec, threads, o);
  memcpy(o->memory, sl_ptx_memory_at(&memory, buffer[0], WORDS * 4), WORDS * 4);
  memcpy(o->memory + WORDS, sl_ptx_memory_at(&memory, buffer[1], OUT * 4), OUT * 4);
  sl_ptx_memory_free(&memory);
  sl_ptx_free(m);
  return o;
}

static bool is_brief(void)
{
  return getenv("SIMTLAB_BRIEF") && getenv("SIMTLAB_BRIEF")[0];
}

static unsigned blocks_here(void)
{
  return is_brief() ? MOST_BLOCKS / 8 : MOST_BLOCKS;
}

static struct sl_sm7_spec defaults(void)
{
  struct sl_sm7_spec spec;
  sl_keys_defaults(&sl_sm7_keys, &spec);
  return spec;
}

static void same_on_any_number(const char *text, const struct sl_sm7_spec *spec, enum sl_status code)
{
  static const unsigned numbers[] = {2, 3, 4};
  const size_t count = is_brief() ? 2 : 3;
  struct outcome *one = outcome_of(text, blocks_here(), spec, 1);
  assert_int_equal(one->code, code);
  for (size_t i = 0; i < count; i++) {
    struct outcome *several = outcome_of(text, blocks_here(), spec, numbers[i]);
    assert_int_equal(several->code, code);
    assert_string_equal(several->err.text, one->err.text);
    assert_int_equal(several->cycles, one->cycles);
    assert_memory_equal(&several->totals, &one->totals, sizeof one->totals);
    assert_memory_equal(several->memory, one->memory, sizeof one->memory);
    free(several);
  }
  free(one);
}

static void races_are_deterministic(void **state)
{
  (void)state;
  const struct sl_sm7_spec spec = defaults();
  same_on_any_number(racing, &spec, SL_OK);
  /* Each thread has taken a number from the counter in each iteration. */
  struct outcome *o = outcome_of(racing, blocks_here(), &spec, 2);
  assert_int_equal(o->memory[0], TURNS * THREADS * blocks_here());
  free(o);
}

static void races_are_deterministic_with_zero_memory_latency(void **state)
{
  (void)state;
  struct sl_sm7_spec spec = defaults();
  spec.perfect_memory = 1;
  same_on_any_number(racing, &spec, SL_OK);
}

static void odd_numbers_of_clusters_and_channels_are_distributed(void **state)
{
  (void)state;
  struct sl_sm7_spec spec = defaults();
  spec.clusters = 7;
  spec.channels = 5;
  same_on_any_number(racing, &spec, SL_OK);
}

static void the_faulting_thread_is_deterministic(void **state)
{
  (void)state;
  const struct sl_sm7_spec spec = defaults();
  same_on_any_number(faulting, &spec, SL_FAULT);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(races_are_deterministic),
      cmocka_unit_test(races_are_deterministic_with_zero_memory_latency),
      cmocka_unit_test(odd_numbers_of_clusters_and_channels_are_distributed),
      cmocka_unit_test(the_faulting_thread_is_deterministic),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
