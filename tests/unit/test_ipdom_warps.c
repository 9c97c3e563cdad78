/* Warp control of Vortex: masks, splits and joins, predicated loops, branches. */
#include "warps.h"

enum { A = 5, B = 6, TOKEN = 7, INNER = 28 };

static int open_gpu(void **state)
{
  static struct gpu gpu;
  const struct sl_ipdom_spec spec = gpu_spec();
  gpu_open(&gpu, &spec);
  *state = &gpu;
  return 0;
}

static int close_gpu(void **state)
{
  gpu_close(*state);
  return 0;
}

/* The same core with one changed setting. */
static struct gpu *reopen(void **state, const struct sl_ipdom_spec *spec)
{
  gpu_close(*state);
  gpu_open(*state, spec);
  return *state;
}

static void tmc_takes_the_mask_of_the_last_active_lane(void **state)
{
  struct gpu *g = *state;
  gpu_set(g, A, 0x0f);
  gpu_register(g, A)[6] = 0xfff35;
  gpu_warp(g)->mask = 0x7f;
  assert_int_equal(gpu_op(g, SL_OP_TMC, 0, A, 0), SL_IPDOM_NOTHING);
  assert_int_equal(gpu_warp(g)->mask, 0x35);
}

static void tmc_of_no_lane_ends_the_warp(void **state)
{
  struct gpu *g = *state;
  gpu_set(g, A, 0x100);
  assert_int_equal(gpu_op(g, SL_OP_TMC, 0, A, 0), SL_IPDOM_ENDS);
  assert_int_equal(gpu_warp(g)->mask, 0);
}

static void a_uniform_split_pushes_nothing(void **state)
{
  struct gpu *g = *state;
  for (unsigned all = 0; all < 2; all++) {
    gpu_set(g, A, all != 0 ? 1 : 2); /* bit 0 is the predicate */
    gpu_op(g, SL_OP_SPLIT, TOKEN, A, 0);
    assert_int_equal(gpu_warp(g)->mask, WARPS_ALL);
    assert_int_equal(gpu_warp(g)->depth, 0);
    assert_int_equal(gpu_register(g, TOKEN)[3], 0);
    const uint32_t pc = gpu_warp(g)->pc;
    gpu_op(g, SL_OP_JOIN, 0, TOKEN, 0);
    assert_int_equal(gpu_warp(g)->mask, WARPS_ALL);
    assert_int_equal(gpu_warp(g)->pc, pc + 4);
  }
}

static void the_larger_side_runs_first_and_then_the_other(void **state)
{
  struct gpu *g = *state;
  gpu_set_bits(g, A, 0x07);
  const uint32_t split = gpu_warp(g)->pc;
  gpu_op(g, SL_OP_SPLIT, TOKEN, A, 0);
  assert_int_equal(gpu_warp(g)->mask, 0xf8);
  assert_int_equal(gpu_warp(g)->depth, 1);
  gpu_warp(g)->pc += 16;
  gpu_op(g, SL_OP_JOIN, 0, TOKEN, 0);
  assert_true(g->ex.jumped);
  assert_int_equal(gpu_warp(g)->mask, 0x07);
  assert_int_equal(gpu_warp(g)->pc, split + 4);
  gpu_warp(g)->pc += 16;
  gpu_op(g, SL_OP_JOIN, 0, TOKEN, 0);
  assert_false(g->ex.jumped);
  assert_int_equal(gpu_warp(g)->mask, WARPS_ALL);
  assert_int_equal(gpu_warp(g)->depth, 0);
  assert_int_equal(gpu_warp(g)->pc, split + 24);
}

static void the_true_side_goes_first_if_sides_are_equal(void **state)
{
  struct gpu *g = *state;
  gpu_set_bits(g, A, 0x0f);
  gpu_op(g, SL_OP_SPLIT, TOKEN, A, 0);
  assert_int_equal(gpu_warp(g)->mask, 0x0f);
}

static void a_negated_split_swaps_the_sides(void **state)
{
  struct gpu *g = *state;
  gpu_set_bits(g, A, 0x0f);
  gpu_op(g, SL_OP_SPLIT, TOKEN, A, 1);
  assert_int_equal(gpu_warp(g)->mask, 0xf0);
}

static void negation_can_be_ignored(void **state)
{
  struct sl_ipdom_spec spec = gpu_spec();
  spec.negate_ignored = true;
  struct gpu *g = reopen(state, &spec);
  gpu_set_bits(g, A, 0x0f);
  gpu_op(g, SL_OP_SPLIT, TOKEN, A, 1);
  assert_int_equal(gpu_warp(g)->mask, 0x0f);
}

/* Inactive lanes are on no side. */
static void splits_nest(void **state)
{
  struct gpu *g = *state;
  gpu_set_bits(g, A, 0x1f);
  gpu_set_bits(g, B, 0xf3);
  gpu_op(g, SL_OP_SPLIT, TOKEN, A, 0);
  assert_int_equal(gpu_warp(g)->mask, 0x1f);
  gpu_op(g, SL_OP_SPLIT, INNER, B, 0);
  assert_int_equal(gpu_register(g, INNER)[0], 1);
  assert_int_equal(gpu_warp(g)->mask, 0x13);
  gpu_op(g, SL_OP_JOIN, 0, INNER, 0);
  assert_int_equal(gpu_warp(g)->mask, 0x0c);
  gpu_op(g, SL_OP_JOIN, 0, INNER, 0);
  assert_int_equal(gpu_warp(g)->mask, 0x1f);
  gpu_op(g, SL_OP_JOIN, 0, TOKEN, 0);
  assert_int_equal(gpu_warp(g)->mask, 0xe0);
  gpu_op(g, SL_OP_SPLIT, INNER, B, 0); /* all of these agree */
  assert_int_equal(gpu_warp(g)->mask, 0xe0);
  gpu_op(g, SL_OP_JOIN, 0, INNER, 0);
  gpu_op(g, SL_OP_JOIN, 0, TOKEN, 0);
  assert_int_equal(gpu_warp(g)->mask, WARPS_ALL);
}

static void expect_fault(struct gpu *g, enum sl_ipdom_effect effect, enum sl_fault_kind kind, uint32_t address)
{
  assert_int_equal(effect, SL_IPDOM_FAULTS);
  assert_int_equal(g->warps.fault.kind, kind);
  assert_int_equal(g->warps.fault.address, address);
  assert_int_equal(g->warps.fault.warp, WARPS_CORE * WARPS_COUNT + WARPS_WARP);
  assert_int_equal(g->warps.fault.pc, g->ex.pc);
}

static void a_join_without_a_split_is_a_fault(void **state)
{
  struct gpu *g = *state;
  gpu_set(g, TOKEN, 3);
  expect_fault(g, gpu_op(g, SL_OP_JOIN, 0, TOKEN, 0), SL_FAULT_JOIN_TOKEN, 3);
}

static void splits_beyond_the_stack_are_a_fault(void **state)
{
  struct sl_ipdom_spec spec = gpu_spec();
  spec.ipdom_entries = 1;
  struct gpu *g = reopen(state, &spec);
  gpu_set_bits(g, A, 0x1f);
  gpu_set_bits(g, B, 0x01);
  gpu_op(g, SL_OP_SPLIT, TOKEN, A, 0);
  expect_fault(g, gpu_op(g, SL_OP_SPLIT, TOKEN, B, 0), SL_FAULT_IPDOM_OVERFLOW, 1);
  assert_int_equal(gpu_warp(g)->mask, 0x1f);
}

/* do ... while, with another number of iterations in each lane. */
static void pred_disables_lanes_and_restores_them_after_the_last(void **state)
{
  struct gpu *g = *state;
  static const sl_lanes rounds[] = {0x3f, 0x11, 0x10, 0};
  static const sl_lanes left[] = {0x3f, 0x11, 0x10, 0x7e};
  gpu_warp(g)->mask = 0x7f;
  gpu_set(g, B, 0x7e);
  for (unsigned i = 0; i < 4; i++) {
    gpu_set_bits(g, A, rounds[i]);
    assert_int_equal(gpu_op(g, SL_OP_PRED, 0, A, B), SL_IPDOM_NOTHING);
    assert_int_equal(gpu_warp(g)->mask, left[i]);
  }
}

static void a_negated_pred_keeps_the_lanes_that_are_false(void **state)
{
  struct gpu *g = *state;
  gpu_set_bits(g, A, 0x3f);
  gpu_op(g, SL_OP_PRED, 1, A, B);
  assert_int_equal(gpu_warp(g)->mask, 0xc0);
}

static void spawn_and_barrier_use_the_last_lanes_operands(void **state)
{
  struct gpu *g = *state;
  gpu_warp(g)->mask = 0x3f;
  gpu_register(g, A)[5] = 100;
  gpu_register(g, B)[5] = WARPS_CODE + 8;
  assert_int_equal(gpu_op(g, SL_OP_WSPAWN, 0, A, B), SL_IPDOM_SPAWNS);
  assert_int_equal(g->ex.count, WARPS_COUNT); /* as many as there are */
  assert_int_equal(g->ex.target, WARPS_CODE + 8);
  assert_int_equal(gpu_op(g, SL_OP_BAR, 0, B, A), SL_IPDOM_ARRIVES);
  assert_int_equal(g->ex.barrier, WARPS_CODE + 8);
  assert_int_equal(g->ex.count, 100);
}

static void spawning_outside_the_program_is_a_fault(void **state)
{
  struct gpu *g = *state;
  gpu_set(g, A, 2);
  gpu_set(g, B, 0x1234);
  expect_fault(g, gpu_op(g, SL_OP_WSPAWN, 0, A, B), SL_FAULT_JUMP, 0x1234);
}

static const uint32_t forward = 16 << 7 & 0xf80; /* of a branch: 16 bytes on */

static void the_last_active_lane_decides_a_branch(void **state)
{
  struct gpu *g = *state;
  const uint32_t pc = gpu_warp(g)->pc;
  gpu_warp(g)->mask = 0x7f;
  gpu_set_bits(g, A, 0x3f);
  gpu_run(g, gpu_word(SL_OP_BNE, 0, A, 0) | forward);
  assert_int_equal(gpu_warp(g)->pc, pc + 4);
  gpu_set_bits(g, A, 0x40);
  gpu_run(g, gpu_word(SL_OP_BNE, 0, A, 0) | forward);
  assert_int_equal(gpu_warp(g)->pc, pc + 20);
}

static void a_divergent_branch_can_be_a_fault(void **state)
{
  struct sl_ipdom_spec spec = gpu_spec();
  spec.divergent_branch_faults = true;
  struct gpu *g = reopen(state, &spec);
  gpu_set_bits(g, A, 0x40);
  expect_fault(g, gpu_run(g, gpu_word(SL_OP_BNE, 0, A, 0) | forward), SL_FAULT_DIVERGENT_BRANCH, WARPS_CODE + 16);
  gpu_warp(g)->mask = 0x40;
  assert_int_equal(gpu_run(g, gpu_word(SL_OP_BNE, 0, A, 0) | forward), SL_IPDOM_NOTHING);
}

static void a_jump_out_of_the_program_faults_at_the_jump(void **state)
{
  struct gpu *g = *state;
  gpu_register(g, A)[7] = WARPS_CODE + 4 * WARPS_CODE_WORDS;
  expect_fault(g, gpu_op(g, SL_OP_JALR, 1, A, 0), SL_FAULT_JUMP, WARPS_CODE + 4 * WARPS_CODE_WORDS);
  assert_int_equal(gpu_register(g, 1)[7], 0);
}

static void traps_do_nothing(void **state)
{
  struct gpu *g = *state;
  static const enum sl_op traps[] = {SL_OP_ECALL, SL_OP_EBREAK, SL_OP_MRET};
  for (unsigned i = 0; i < 3; i++)
    assert_int_equal(gpu_op(g, traps[i], 0, 0, 0), SL_IPDOM_NOTHING);
}

static void floating_point_has_one_status_for_the_warp(void **state)
{
  struct gpu *g = *state;
  gpu_register(g, 32 + 1)[2] = 0x3f800000; /* 1 / 0 in lane 2, 0 / 0 elsewhere */
  gpu_op(g, SL_OP_FDIV, 3, 1, 2);
  assert_int_equal(gpu_register(g, 32 + 3)[2], 0x7f800000);
  assert_int_equal(gpu_register(g, 32 + 3)[1], 0x7fc00000);
  assert_int_equal(gpu_warp(g)->fcsr, 16 | 8);
}

/* ---- the 1.x encoding -------------------------------------------------------------------------------------------- */

static struct gpu *older(void **state)
{
  struct sl_ipdom_spec spec = gpu_spec();
  spec.encoding = SL_ENCODING_1;
  spec.isa_sets = SL_ISA_I | SL_ISA_ZICSR | SL_ISA_WARP1;
  spec.ipdom_entries = 2 * WARPS_LANES;
  return reopen(state, &spec);
}

static void older_splits_push_and_joins_pop_unconditionally(void **state)
{
  struct gpu *g = older(state);
  gpu_set(g, A, 2); /* all true: not 0 */
  gpu_op(g, SL_OP_SPLIT_1, 0, A, 0);
  gpu_set_bits(g, A, 0x01);
  gpu_op(g, SL_OP_SPLIT_1, 0, A, 0);
  assert_int_equal(gpu_warp(g)->depth, 2);
  assert_int_equal(gpu_warp(g)->mask, 0x01); /* the true side, though it is smaller */
  gpu_op(g, SL_OP_JOIN_1, 0, 0, 0);
  assert_int_equal(gpu_warp(g)->mask, 0xfe);
  gpu_op(g, SL_OP_JOIN_1, 0, 0, 0);
  gpu_op(g, SL_OP_JOIN_1, 0, 0, 0);
  assert_int_equal(gpu_warp(g)->mask, WARPS_ALL);
  assert_int_equal(gpu_warp(g)->depth, 0);
  expect_fault(g, gpu_op(g, SL_OP_JOIN_1, 0, 0, 0), SL_FAULT_IPDOM_UNDERFLOW, 0);
}

static void older_pred_keeps_the_mask_when_no_lane_continues(void **state)
{
  struct gpu *g = older(state);
  gpu_set_bits(g, A, 0x18);
  gpu_op(g, SL_OP_PRED_1, 0, A, 0);
  assert_int_equal(gpu_warp(g)->mask, 0x18);
  gpu_set_bits(g, A, 0x81);
  gpu_op(g, SL_OP_PRED_1, 0, A, 0);
  assert_int_equal(gpu_warp(g)->mask, 0x18);
}

static void a_conditional_move_takes_one_of_two(void **state)
{
  struct gpu *g = older(state);
  gpu_set_bits(g, A, 0x02);
  gpu_set(g, B, 10);
  gpu_set(g, TOKEN, 20);
  gpu_warp(g)->mask = 0x03;
  gpu_run(g, gpu_word(SL_OP_CMOV_1, INNER, A, B) | (uint32_t)TOKEN << 27);
  assert_int_equal(gpu_register(g, INNER)[0], 20);
  assert_int_equal(gpu_register(g, INNER)[1], 10);
  assert_int_equal(gpu_register(g, INNER)[2], 0);
}

/* ---- fetch ------------------------------------------------------------------------------------------------------- */

static void fetch_waits_for_changes_of_pc_or_mask(void **state)
{
  (void)state;
  static const enum sl_op wait[] = {SL_OP_BEQ, SL_OP_JAL,  SL_OP_JALR, SL_OP_ECALL, SL_OP_TMC,   SL_OP_WSPAWN,
                                    SL_OP_BAR, SL_OP_PRED, SL_OP_JOIN, SL_OP_SPLIT, SL_OP_JOIN_1};
  static const enum sl_op do_not[] = {SL_OP_ADD, SL_OP_LW, SL_OP_FENCE, SL_OP_FDIV, SL_OP_AMOADD, SL_OP_CMOV_1};
  for (size_t i = 0; i < sizeof wait / sizeof wait[0]; i++)
    assert_true(sl_stalls_fetch(&(struct sl_insn){.op = (uint8_t)wait[i], .kind = (uint8_t)sl_op_info(wait[i])->kind}));
  for (size_t i = 0; i < sizeof do_not / sizeof do_not[0]; i++)
    assert_false(
        sl_stalls_fetch(&(struct sl_insn){.op = (uint8_t)do_not[i], .kind = (uint8_t)sl_op_info(do_not[i])->kind}));
  for (uint16_t csr = 0; csr < 6; csr++)
    assert_int_equal(sl_stalls_fetch(&(struct sl_insn){.op = SL_OP_CSRRW, .kind = SL_KIND_CSR, .csr = csr}),
                     csr >= 1 && csr <= 3);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_gpu, close_gpu)

int main(void)
{
  const struct CMUnitTest tests[] = {
      TEST(tmc_takes_the_mask_of_the_last_active_lane),
      TEST(tmc_of_no_lane_ends_the_warp),
      TEST(a_uniform_split_pushes_nothing),
      TEST(the_larger_side_runs_first_and_then_the_other),
      TEST(the_true_side_goes_first_if_sides_are_equal),
      TEST(a_negated_split_swaps_the_sides),
      TEST(negation_can_be_ignored),
      TEST(splits_nest),
      TEST(a_join_without_a_split_is_a_fault),
      TEST(splits_beyond_the_stack_are_a_fault),
      TEST(pred_disables_lanes_and_restores_them_after_the_last),
      TEST(a_negated_pred_keeps_the_lanes_that_are_false),
      TEST(spawn_and_barrier_use_the_last_lanes_operands),
      TEST(spawning_outside_the_program_is_a_fault),
      TEST(the_last_active_lane_decides_a_branch),
      TEST(a_divergent_branch_can_be_a_fault),
      TEST(a_jump_out_of_the_program_faults_at_the_jump),
      TEST(traps_do_nothing),
      TEST(floating_point_has_one_status_for_the_warp),
      TEST(older_splits_push_and_joins_pop_unconditionally),
      TEST(older_pred_keeps_the_mask_when_no_lane_continues),
      TEST(a_conditional_move_takes_one_of_two),
      TEST(fetch_waits_for_changes_of_pc_or_mask),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
