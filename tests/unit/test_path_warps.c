/* Effects of instructions on the threads of a warp, except for memory: results, jumps, divergence, nesting, CSRs,
 * faults. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "func/path_execute.h"
#include "warp.h"

enum { WARP = 5 };

static int setup(void **state)
{
  static struct warp warp;
  *state = &warp;
  return warp_setup(&warp, WARP);
}

static int teardown(void **state)
{
  warp_teardown(*state);
  return 0;
}

static void expect_fault(struct warp *w, uint32_t word, enum sl_fault_kind kind, sl_lanes lanes)
{
  const uint32_t pc = warp_paths(w)->path[sl_paths_select(warp_paths(w))].pc;
  assert_int_equal(warp_execute(w, word), SL_EFFECT_FAULT);
  const struct sl_fault *f = &w->threads.fault;
  assert_int_equal(f->kind, kind);
  assert_int_equal(f->warp, WARP);
  assert_true(f->lanes == lanes);
  assert_int_equal(f->pc, pc);
  assert_int_equal(f->insn.word, word);
}

static void a_result_is_written_to_the_active_lanes(void **state)
{
  struct warp *w = *state;
  warp_activate(w, 0x0ff0);
  warp_set(w, 6, 100, 1);
  warp_set(w, 7, 7, 0);
  assert_int_equal(warp_execute(w, word_i(SL_OP_ADDI, 7, 6, -1)), SL_EFFECT_RESULT);
  for (unsigned l = 0; l < LANES; l++)
    assert_int_equal(warp_register(w, 7)[l], l >= 4 && l < 12 ? 99 + l : 7);
  assert_true(w->ex.active == 0x0ff0);
  assert_int_equal(w->ex.pc, CODE_BASE);
}

static void x0_is_never_written(void **state)
{
  struct warp *w = *state;
  warp_set(w, 6, 100, 1);
  static const enum sl_op ops[] = {SL_OP_ADD, SL_OP_MUL, SL_OP_DIV, SL_OP_FADD};
  for (size_t i = 0; i < sizeof ops / sizeof ops[0]; i++)
    assert_int_equal(warp_execute(w, word_r(ops[i], 0, 6, 6)), SL_EFFECT_NONE);
  assert_int_equal(warp_execute(w, word_j(SL_OP_JAL, 0, 8)), SL_EFFECT_NONE);
  assert_int_equal(warp_execute(w, word_csr(SL_OP_CSRRS, 0, SL_CSR_HART_ID, 0)), SL_EFFECT_NONE);
  for (unsigned l = 0; l < LANES; l++)
    assert_int_equal(warp_register(w, 0)[l], 0);
}

static void other_warps_registers_are_unchanged(void **state)
{
  struct warp *w = *state;
  warp_set(w, 6, 1, 1);
  warp_execute(w, word_r(SL_OP_ADD, 31, 6, 6));
  for (unsigned n = 0; n < WARPS; n++)
    for (unsigned i = 0; i < SL_REGISTERS * LANES && n != WARP; i++)
      assert_int_equal(sl_path_warps_registers(&w->threads, n)[i], 0);
}

static void execution_continues_at_the_next_word(void **state)
{
  struct warp *w = *state;
  warp_execute(w, word_r(SL_OP_ADD, 1, 2, 3));
  warp_execute(w, word_i(SL_OP_FENCE, 0, 0, 0xff));
  assert_int_equal(warp_paths(w)->path[0].pc, CODE_BASE + 8);
}

static void jal_links_and_jumps(void **state)
{
  struct warp *w = *state;
  assert_int_equal(warp_execute(w, word_j(SL_OP_JAL, 1, 0x40)), SL_EFFECT_RESULT);
  assert_int_equal(warp_paths(w)->path[0].pc, CODE_BASE + 0x40);
  for (unsigned l = 0; l < LANES; l++)
    assert_int_equal(warp_register(w, 1)[l], CODE_BASE + 4);
}

static void jalr_clears_the_lowest_bit_and_may_overwrite_its_base(void **state)
{
  struct warp *w = *state;
  warp_set(w, 1, CODE_BASE + 0x80, 0);
  assert_int_equal(warp_execute(w, word_i(SL_OP_JALR, 1, 1, 5)), SL_EFFECT_RESULT);
  assert_int_equal(warp_paths(w)->path[0].pc, CODE_BASE + 0x84);
  assert_int_equal(warp_register(w, 1)[0], CODE_BASE + 4);
}

static void jalr_scatters_lanes_with_different_targets(void **state)
{
  struct warp *w = *state;
  for (unsigned l = 0; l < LANES; l++)
    warp_register(w, 5)[l] = CODE_BASE + 16 * (l % 4);
  warp_execute(w, word_i(SL_OP_JALR, 0, 5, 0x20));
  const struct sl_paths *paths = warp_paths(w);
  assert_int_equal(paths->count, 4);
  for (unsigned i = 0; i < 4; i++) {
    const uint32_t k = (paths->path[i].pc - CODE_BASE - 0x20) / 16;
    assert_true(paths->path[i].lanes == UINT64_C(0x11111111) << k);
  }
}

static void a_branch_splits_the_lanes(void **state)
{
  struct warp *w = *state;
  warp_set(w, 5, 0, 1);
  warp_set(w, 6, 10, 0);
  warp_execute(w, word_b(SL_OP_BLTU, 5, 6, 0x40));
  const struct sl_paths *paths = warp_paths(w);
  assert_int_equal(paths->count, 2);
  const struct sl_path *taken = &paths->path[paths->path[0].pc == CODE_BASE + 0x40 ? 0 : 1];
  assert_true(taken->lanes == 0x3ff);
  assert_int_equal(taken->pc, CODE_BASE + 0x40);
}

/* Push, diverge, reconverge, pop: one path of all lanes. */
static void diverged_lanes_reconverge(void **state)
{
  struct warp *w = *state;
  warp_set(w, 5, 0, 1);
  warp_set(w, 6, 10, 0);
  warp_execute(w, 0x00050009);
  assert_int_equal(warp_paths(w)->path[0].level, 1);
  warp_execute(w, word_b(SL_OP_BLTU, 5, 6, 8)); /* some skip one instruction */
  assert_int_equal(warp_paths(w)->count, 2);
  while (warp_paths(w)->count > 1) {
    const struct sl_path *p = &warp_paths(w)->path[sl_paths_select(warp_paths(w))];
    assert_true(p->pc == CODE_BASE + 8 || p->pc == CODE_BASE + 12);
    warp_execute(w, p->pc == CODE_BASE + 8 ? word_r(SL_OP_ADD, 0, 0, 0) : 0x00051009);
  }
  warp_execute(w, warp_paths(w)->path[0].level ? 0x00051009 : word_r(SL_OP_ADD, 0, 0, 0));
  assert_true(warp_paths(w)->path[0].lanes == ALL);
  assert_int_equal(warp_paths(w)->path[0].level, 0);
}

/* Five bits: levels 0 to 31. */
static void push_31_times_not_32(void **state)
{
  struct warp *w = *state;
  for (unsigned i = 0; i < 31; i++)
    assert_int_equal(warp_execute(w, 0x00050009), SL_EFFECT_NONE);
  assert_int_equal(warp_paths(w)->path[0].level, 31);
  expect_fault(w, 0x00050009, SL_FAULT_NEST_OVERFLOW, ALL);
}

static void pop_at_level_0_faults(void **state)
{
  struct warp *w = *state;
  warp_execute(w, 0x00050009);
  assert_int_equal(warp_execute(w, 0x00051009), SL_EFFECT_NONE);
  expect_fault(w, 0x00051009, SL_FAULT_NEST_UNDERFLOW, ALL);
}

static void a_fault_names_the_active_lanes_only(void **state)
{
  struct warp *w = *state;
  warp_activate(w, 0xf0);
  expect_fault(w, 0x00000073, SL_FAULT_SYSTEM, 0xf0);
}

static void hart_id_is_warp_times_lanes_plus_lane(void **state)
{
  struct warp *w = *state;
  assert_int_equal(warp_execute(w, word_csr(SL_OP_CSRRS, 5, 0xf14, 0)), SL_EFFECT_RESULT);
  for (unsigned l = 0; l < LANES; l++)
    assert_int_equal(warp_register(w, 5)[l], WARP * 32 + l);
}

static void the_closure_is_the_launchs_argument(void **state)
{
  struct warp *w = *state;
  assert_int_equal(warp_execute(w, word_csr(SL_OP_CSRRS, 5, 0x831, 0)), SL_EFFECT_RESULT);
  for (unsigned l = 0; l < LANES; l++)
    assert_int_equal(warp_register(w, 5)[l], 0x91234568);
}

static void csr_results_go_to_the_active_lanes(void **state)
{
  struct warp *w = *state;
  warp_activate(w, 0xffff0000);
  warp_execute(w, word_csr(SL_OP_CSRRS, 5, 0xf14, 0));
  for (unsigned l = 0; l < LANES; l++)
    assert_int_equal(warp_register(w, 5)[l], l < 16 ? 0 : WARP * 32 + l);
}

static void a_warp_command_takes_lane_0s_value(void **state)
{
  struct warp *w = *state;
  warp_set(w, 5, 0, 1);
  assert_int_equal(warp_execute(w, word_csr(SL_OP_CSRRW, 0, 0x830, 5)), SL_EFFECT_COMMAND);
  assert_int_equal(w->ex.command, SL_COMMAND_BARRIER);
  assert_int_equal(warp_execute(w, word_csr(SL_OP_CSRRWI, 0, 0x830, 3)), SL_EFFECT_COMMAND);
  assert_int_equal(w->ex.command, SL_COMMAND_END | SL_COMMAND_SUCCESS);
}

static void a_warp_command_needs_the_whole_warp(void **state)
{
  struct warp *w = *state;
  warp_activate(w, 0x7fffffff);
  expect_fault(w, word_csr(SL_OP_CSRRWI, 0, 0x830, 3), SL_FAULT_DIVERGED_COMMAND, 0x7fffffff);
}

static void an_unknown_csr_faults_with_its_number(void **state)
{
  struct warp *w = *state;
  expect_fault(w, word_csr(SL_OP_CSRRS, 5, 0x7c0, 0), SL_FAULT_CSR, ALL);
  assert_int_equal(w->threads.fault.address, 0x7c0);
}

struct printed {
  unsigned count;
  uint32_t word[LANES];
};

static void print(void *context, uint32_t word)
{
  struct printed *p = context;
  p->word[p->count++] = word;
}

static void the_simulation_csr_prints_a_word_per_active_lane(void **state)
{
  struct warp *w = *state;
  struct printed printed = {0};
  w->threads.print_word = print;
  w->threads.print_context = &printed;
  warp_activate(w, 0x8001);
  warp_set(w, 5, 1000, 1);
  warp_execute(w, word_csr(SL_OP_CSRRW, 0, 0x800, 5));
  assert_int_equal(printed.count, 2);
  assert_int_equal(printed.word[0], 1000);
  assert_int_equal(printed.word[1], 1015);
}

static void there_is_no_operating_system(void **state)
{
  struct warp *w = *state;
  expect_fault(w, 0x00000073, SL_FAULT_SYSTEM, ALL);
  expect_fault(w, 0x00100073, SL_FAULT_SYSTEM, ALL);
}

static void unknown_words_fault(void **state)
{
  struct warp *w = *state;
  expect_fault(w, 0x00000000, SL_FAULT_UNKNOWN_INSTRUCTION, ALL);
  expect_fault(w, 0xffffffff, SL_FAULT_UNKNOWN_INSTRUCTION, ALL);
  expect_fault(w, 0x00050008, SL_FAULT_UNKNOWN_INSTRUCTION, ALL); /* the host's cache flush */
}

/* Section 5 of the specification. */
static void the_sm_has_no_reservations(void **state)
{
  struct warp *w = *state;
  warp_set(w, 5, SCRATCHPAD, 4);
  expect_fault(w, word_r(SL_OP_LR, 6, 5, 0), SL_FAULT_UNKNOWN_INSTRUCTION, ALL);
  expect_fault(w, word_r(SL_OP_SC, 6, 5, 7), SL_FAULT_UNKNOWN_INSTRUCTION, ALL);
}

static void a_fault_leaves_the_path_where_it_was(void **state)
{
  struct warp *w = *state;
  expect_fault(w, 0x00000073, SL_FAULT_SYSTEM, ALL);
  assert_int_equal(warp_paths(w)->count, 1);
  assert_int_equal(warp_paths(w)->path[0].pc, CODE_BASE);
}

static void fetching_outside_the_program_faults(void **state)
{
  struct warp *w = *state;
  static const uint32_t outside[] = {0, CODE_BASE - 4, CODE_BASE + CODE_WORDS * 4, CODE_BASE + 2, 0xfffffffc};
  for (size_t i = 0; i < sizeof outside / sizeof outside[0]; i++) {
    unsigned path;
    warp_paths(w)->path[0].pc = outside[i];
    assert_false(sl_path_warps_fetch(&w->threads, WARP, &path, &w->ex));
    assert_int_equal(w->threads.fault.kind, SL_FAULT_FETCH);
    assert_int_equal(w->threads.fault.pc, outside[i]);
  }
  unsigned path;
  warp_paths(w)->path[0].pc = CODE_BASE + CODE_WORDS * 4 - 4; /* the last word is inside */
  assert_true(sl_path_warps_fetch(&w->threads, WARP, &path, &w->ex));
}

static void registers_survive_the_start_of_a_kernel(void **state)
{
  struct warp *w = *state;
  warp_set(w, 9, 1234, 1);
  warp_activate(w, 1);
  sl_path_warps_start(&w->threads, CODE_BASE + 64, 0);
  assert_int_equal(warp_register(w, 9)[3], 1237);
  for (unsigned n = 0; n < WARPS; n++) {
    assert_int_equal(w->threads.paths[n].count, 1);
    assert_int_equal(w->threads.paths[n].path[0].pc, CODE_BASE + 64);
    assert_true(w->threads.paths[n].path[0].lanes == ALL);
  }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
  const struct CMUnitTest tests[] = {
      TEST(a_result_is_written_to_the_active_lanes),
      TEST(x0_is_never_written),
      TEST(other_warps_registers_are_unchanged),
      TEST(execution_continues_at_the_next_word),
      TEST(jal_links_and_jumps),
      TEST(jalr_clears_the_lowest_bit_and_may_overwrite_its_base),
      TEST(jalr_scatters_lanes_with_different_targets),
      TEST(a_branch_splits_the_lanes),
      TEST(diverged_lanes_reconverge),
      TEST(push_31_times_not_32),
      TEST(pop_at_level_0_faults),
      TEST(a_fault_names_the_active_lanes_only),
      TEST(hart_id_is_warp_times_lanes_plus_lane),
      TEST(the_closure_is_the_launchs_argument),
      TEST(csr_results_go_to_the_active_lanes),
      TEST(a_warp_command_takes_lane_0s_value),
      TEST(a_warp_command_needs_the_whole_warp),
      TEST(an_unknown_csr_faults_with_its_number),
      TEST(the_simulation_csr_prints_a_word_per_active_lane),
      TEST(there_is_no_operating_system),
      TEST(unknown_words_fault),
      TEST(the_sm_has_no_reservations),
      TEST(a_fault_leaves_the_path_where_it_was),
      TEST(fetching_outside_the_program_faults),
      TEST(registers_survive_the_start_of_a_kernel),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
