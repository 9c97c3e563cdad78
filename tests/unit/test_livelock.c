/* Livelock detection: which loops are livelocks, the time of detection, and loops that are not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/livelock.h"
#include "device/engine/engine.h"
#include "kernel.h"

enum { FOUND_BY = 2 * SL_LIVELOCK_PERIOD, LONG = 24 * SL_LIVELOCK_PERIOD };

static struct kernel *two_warps(void)
{
  const struct sl_simtight_spec spec = kernel_spec(8, 2);
  return kernel_create(&spec);
}

/* Branches lanes with x10 < x11 over the next `words`. */
static void others_skip(struct kernel *k, unsigned words)
{
  kernel_add(k, word_b(SL_OP_BLT, 10, 11, 4 + 4 * (int)words));
}

/* x10 = hart, x11 = `limit`, x12 = a word of data. */
static void prologue(struct kernel *k, int limit)
{
  kernel_add(k, word_csr(SL_OP_CSRRS, 10, 0xf14, 0));
  kernel_add(k, word_i(SL_OP_ADDI, 11, 0, limit));
  kernel_add(k, word_u(SL_OP_LUI, 12, DATA >> 12));
}

static const struct sl_fault *livelock(struct kernel *k, bool fast)
{
  kernel_start(k, 0);
  assert_int_equal(sl_engine_run(sl_engine_of(fast), &k->sm->base, LONG), SL_SM_FAULTED);
  const struct sl_fault *f = sl_simtight.view.fault(&k->sm->base);
  assert_int_equal(f->kind, SL_FAULT_LIVELOCK);
  assert_int_equal(sl_simtight.view.elapsed(&k->sm->base), SL_LIVELOCK_PERIOD);
  return f;
}

static void none(struct kernel *k, enum sl_sm_state state)
{
  for (int fast = 0; fast < 2; fast++) {
    kernel_start(k, 0);
    assert_int_equal(sl_engine_run(sl_engine_of(fast != 0), &k->sm->base, LONG), state);
  }
  kernel_free(k);
}

static void a_jump_to_itself_is_a_livelock(void **state)
{
  (void)state;
  struct kernel *k = two_warps();
  kernel_add(k, word_j(SL_OP_JAL, 0, 0));
  for (int fast = 0; fast < 2; fast++) {
    const struct sl_fault *f = livelock(k, fast != 0);
    assert_int_equal(f->warp, 0);
    assert_true(f->lanes == 0xff);
    assert_int_equal(f->pc, k->spec.code_base);
  }
  kernel_free(k);
}

static void pauses_do_not_change_the_time_of_detection(void **state)
{
  (void)state;
  struct kernel *k = two_warps();
  kernel_add(k, word_i(SL_OP_ADDI, 5, 0, 1));
  kernel_add(k, word_j(SL_OP_JAL, 0, 0));
  kernel_start(k, 0);
  uint64_t done = 0;
  while (sl_engine_run(sl_engine_of(false), &k->sm->base, 99991) == SL_SM_RUNNING)
    done += 99991;
  assert_true(done < FOUND_BY);
  assert_int_equal(sl_simtight.view.fault(&k->sm->base)->cycle, SL_LIVELOCK_PERIOD);
  kernel_free(k);
}

/* Lane 0 of a warp holds a lock; the others try to take it by swaps. */
static void lanes_that_block_the_holder_are_reported(void **state)
{
  (void)state;
  struct kernel *k = two_warps();
  prologue(k, 1);
  kernel_add(k, word_u(SL_OP_LUI, 12, SCRATCHPAD >> 12));
  kernel_add(k, word_i(SL_OP_ADDI, 13, 0, 1));
  kernel_add(k, word_s(SL_OP_SW, 13, 12, 0)); /* the lock is taken */
  others_skip(k, 2);
  kernel_add(k, word_r(SL_OP_AMOSWAP, 14, 12, 13));
  kernel_add(k, word_b(SL_OP_BNE, 14, 0, -4));
  kernel_add(k, word_s(SL_OP_SW, 0, 12, 0)); /* the holder gives it back */
  kernel_add(k, END);
  for (int fast = 0; fast < 2; fast++) {
    const struct sl_fault *f = livelock(k, fast != 0);
    assert_int_equal(f->warp, 0);
    assert_true(f->lanes == 0xfe);
    assert_int_equal(f->pc, k->spec.code_base + 4 * 8);
    assert_int_equal(sl_memory_load(&k->memory, SCRATCHPAD, 4), 1);
    struct sl_warp_path path[SL_MAX_LANES];
    assert_int_equal(sl_simtight.view.warp_paths(&k->sm->base, 0, path), 2);
    assert_true(path[0].lanes == 1 || path[1].lanes == 1);
  }
  kernel_free(k);
}

static void a_counting_loop_is_not_a_livelock(void **state)
{
  (void)state;
  struct kernel *k = two_warps();
  kernel_add(k, word_i(SL_OP_ADDI, 5, 5, 1));
  kernel_add(k, word_j(SL_OP_JAL, 0, -4));
  none(k, SL_SM_RUNNING);
}

static void a_loop_that_changes_memory_is_not_a_livelock(void **state)
{
  (void)state;
  struct kernel *k = two_warps();
  prologue(k, 0);
  kernel_add(k, word_i(SL_OP_LW, 5, 12, 0));
  kernel_add(k, word_i(SL_OP_XORI, 5, 5, 1));
  kernel_add(k, word_s(SL_OP_SW, 5, 12, 0));
  kernel_add(k, word_j(SL_OP_JAL, 0, -12));
  none(k, SL_SM_RUNNING);
}

/* Each lane changes a word that it alone accesses, like a register that is spilled. */
static void a_loop_that_changes_its_own_words_is_a_livelock(void **state)
{
  (void)state;
  struct kernel *k = two_warps();
  prologue(k, 0);
  kernel_add(k, word_i(SL_OP_SLLI, 13, 10, 2));
  kernel_add(k, word_r(SL_OP_ADD, 12, 12, 13));
  kernel_add(k, word_i(SL_OP_LW, 5, 12, 0));
  kernel_add(k, word_i(SL_OP_XORI, 5, 5, 1));
  kernel_add(k, word_s(SL_OP_SW, 5, 12, 0));
  kernel_add(k, word_j(SL_OP_JAL, 0, -12));
  for (int fast = 0; fast < 2; fast++)
    assert_int_equal(livelock(k, fast != 0)->warp, 0);
  kernel_free(k);
}

/* Warp 0 changes a word; warp 1 reads it. */
static void a_changing_word_that_another_warp_reads_is_not_a_livelock(void **state)
{
  (void)state;
  struct kernel *k = two_warps();
  prologue(k, 8);
  kernel_add(k, word_b(SL_OP_BLT, 10, 11, 12));
  kernel_add(k, word_i(SL_OP_LW, 5, 12, 0));
  kernel_add(k, word_j(SL_OP_JAL, 0, -4));
  kernel_add(k, word_i(SL_OP_XORI, 5, 5, 1));
  kernel_add(k, word_s(SL_OP_SW, 5, 12, 0));
  kernel_add(k, word_j(SL_OP_JAL, 0, -8));
  none(k, SL_SM_RUNNING);
}

enum { OWN_BYTES = 4096, STRIDE = 7, WIDTH = 6 };

struct toggles {
  uint8_t memory[OWN_BYTES];
  uint32_t at;
};

/* Writes six bytes at each seventh, which cross words, and begins again at the end. */
static bool toggle(void *context, struct sl_trial_step *did)
{
  struct toggles *t = context;
  if (!sl_trial_access(did->memory, &t->memory[t->at], WIDTH, true))
    return false;
  for (unsigned i = 0; i < WIDTH; i++)
    t->memory[t->at + i] ^= 0xff;
  t->at = t->at + STRIDE + WIDTH <= OWN_BYTES ? t->at + STRIDE : 0;
  did->lanes = 1;
  return true;
}

static void a_trial_restores_the_words_that_it_changed(void **state)
{
  (void)state;
  struct toggles *t = calloc(1, sizeof *t);
  struct sl_trial_memory *memory = sl_trial_memory_create();
  struct sl_trial trial = {.memory = memory, .context = t, .step = toggle};
  struct sl_spin spin;
  sl_trial_add(&trial, &t->at, sizeof t->at);
  assert_true(sl_trial_spins(&trial, &spin));
  for (unsigned i = 0; i < OWN_BYTES; i++)
    assert_int_equal(t->memory[i], 0);
  assert_false(sl_trial_spins(&trial, &spin)); /* another warp with the same words */
  for (unsigned i = 0; i < OWN_BYTES; i++)
    assert_int_equal(t->memory[i], 0);
  sl_trial_memory_free(memory);
  free(t);
}

/* Warp 0 polls a word that warp 1 writes at the end. `work` is warp 1's code until then. */
static struct kernel *poll(const uint32_t *work, unsigned words)
{
  struct kernel *k = two_warps();
  prologue(k, 8);
  kernel_add(k, word_u(SL_OP_LUI, 6, 100));
  kernel_add(k, word_b(SL_OP_BLT, 10, 11, 4 * (int)(words + 3)));
  for (unsigned i = 0; i < words; i++)
    kernel_add(k, work[i]);
  kernel_add(k, word_s(SL_OP_SW, 11, 12, 0));
  kernel_add(k, END);
  kernel_add(k, word_i(SL_OP_LW, 5, 12, 0));
  kernel_add(k, word_b(SL_OP_BEQ, 5, 0, -4));
  kernel_add(k, word_s(SL_OP_SW, 0, 12, 0));
  kernel_add(k, END);
  return k;
}

static void polling_for_another_warp_is_not_a_livelock(void **state)
{
  (void)state;
  const uint32_t work[] = {word_i(SL_OP_ADDI, 6, 6, -1), word_b(SL_OP_BNE, 6, 0, -4)};
  none(poll(work, 2), SL_SM_DONE);
}

static void polling_an_unwritten_word_is_a_livelock(void **state)
{
  (void)state;
  const uint32_t work[] = {END};
  struct kernel *k = poll(work, 1);
  for (int fast = 0; fast < 2; fast++)
    assert_int_equal(livelock(k, fast != 0)->warp, 0);
  kernel_free(k);
  const uint32_t wait[] = {BARRIER};
  k = poll(wait, 1);
  assert_int_equal(livelock(k, false)->warp, 0);
  kernel_free(k);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_jump_to_itself_is_a_livelock),
      cmocka_unit_test(pauses_do_not_change_the_time_of_detection),
      cmocka_unit_test(lanes_that_block_the_holder_are_reported),
      cmocka_unit_test(a_counting_loop_is_not_a_livelock),
      cmocka_unit_test(a_loop_that_changes_memory_is_not_a_livelock),
      cmocka_unit_test(a_loop_that_changes_its_own_words_is_a_livelock),
      cmocka_unit_test(a_changing_word_that_another_warp_reads_is_not_a_livelock),
      cmocka_unit_test(a_trial_restores_the_words_that_it_changed),
      cmocka_unit_test(polling_for_another_warp_is_not_a_livelock),
      cmocka_unit_test(polling_an_unwritten_word_is_a_livelock),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
