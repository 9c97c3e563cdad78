/* The scoreboard of a Vortex core: a destination register is pending until the instruction commits, for any register
 * number. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "config/config.h"
#include "machine/vortex/core/vortex_scoreboard.h"

enum { WARP = 3 };

static const uint8_t some[] = {1, 31, 63, 64, 127, 128, 191, 192, 255};
enum { SOME = sizeof some };

static struct sl_vortex_spec spec;

static int setup(void **state)
{
  (void)state;
  struct sl_config config;
  assert_int_equal(sl_config_open(&config, "vortex", NULL), SL_OK);
  spec = *(const struct sl_vortex_spec *)config.spec;
  sl_config_close(&config);
  return 0;
}

static struct sl_vortex_facts add(unsigned rd, unsigned rs1, unsigned rs2)
{
  struct sl_insn in = sl_decode(0x003100b3, SL_ISA_I); /* add x1, x2, x3 */
  assert_int_equal(in.op, SL_OP_ADD);
  in.rd = (uint8_t)rd;
  in.rs1 = (uint8_t)rs1;
  in.rs2 = (uint8_t)rs2;
  return sl_vortex_facts_of(&spec, &in);
}

static struct sl_vortex_facts load(unsigned rd)
{
  struct sl_insn in = sl_decode(0x00012083, SL_ISA_I); /* lw x1, 0(x2) */
  assert_int_equal(in.op, SL_OP_LW);
  in.rd = (uint8_t)rd;
  return sl_vortex_facts_of(&spec, &in);
}

static void a_result_is_pending_until_it_commits(void **state)
{
  (void)state;
  for (unsigned i = 0; i < SOME; i++) {
    struct sl_vortex_scoreboard s = {0};
    const struct sl_vortex_facts writer = add(some[i], 2, 3);
    sl_scoreboard_hold(&s, WARP, &writer);
    assert_true(sl_scoreboard_any(&s, SL_AWAITED, WARP));
    for (unsigned k = 0; k < SOME; k++) {
      const struct sl_vortex_facts first = add(5, some[k], 6), second = add(5, 6, some[k]), again = add(some[k], 5, 6);
      assert_int_equal(sl_scoreboard_awaits(&s, SL_AWAITED, WARP, &first), i == k);
      assert_int_equal(sl_scoreboard_awaits(&s, SL_AWAITED, WARP, &second), i == k);
      assert_int_equal(sl_scoreboard_awaits(&s, SL_AWAITED, WARP, &again), i == k);
      assert_false(sl_scoreboard_awaits(&s, SL_AWAITED, WARP + 1, &first));
    }
    sl_scoreboard_release(&s, WARP, &writer);
    assert_false(sl_scoreboard_any(&s, SL_AWAITED, WARP));
  }
}

static void a_pending_load_is_marked_as_a_load(void **state)
{
  (void)state;
  for (unsigned i = 0; i < SOME; i++) {
    struct sl_vortex_scoreboard s = {0};
    const struct sl_vortex_facts writer = load(some[i]), reader = add(5, some[i], 6);
    sl_scoreboard_hold(&s, WARP, &writer);
    assert_true(sl_scoreboard_awaits(&s, SL_AWAITED_LOAD, WARP, &reader));
    assert_false(sl_scoreboard_awaits(&s, SL_AWAITED_FPU, WARP, &reader));
    sl_scoreboard_release(&s, WARP, &writer);
    assert_false(sl_scoreboard_any(&s, SL_AWAITED_LOAD, WARP));
  }
}

static void pending_registers_are_listed_once_in_order(void **state)
{
  (void)state;
  struct sl_vortex_scoreboard s = {0};
  uint8_t reg[SL_VORTEX_NAMES];
  const struct sl_vortex_facts low = add(7, 2, 3), high = add(200, 2, 3), reader = add(200, 7, 200);
  sl_scoreboard_hold(&s, WARP, &high);
  sl_scoreboard_hold(&s, WARP, &low);
  assert_int_equal(sl_scoreboard_list(&s, SL_AWAITED, WARP, &reader, reg), 2);
  assert_int_equal(reg[0], 7);
  assert_int_equal(reg[1], 200);
}

/* x0 is never pending, and only an instruction that names a register from 64 on checks one. */
static void x0_is_never_pending(void **state)
{
  (void)state;
  struct sl_vortex_scoreboard s = {0};
  const struct sl_vortex_facts nothing = add(0, 0, 0);
  sl_scoreboard_hold(&s, WARP, &nothing);
  assert_false(sl_scoreboard_any(&s, SL_AWAITED, WARP));
  assert_false(nothing.wide);
  assert_true(add(1, 2, 64).wide);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_result_is_pending_until_it_commits),
      cmocka_unit_test(a_pending_load_is_marked_as_a_load),
      cmocka_unit_test(pending_registers_are_listed_once_in_order),
      cmocka_unit_test(x0_is_never_pending),
  };
  return cmocka_run_group_tests(tests, setup, NULL);
}
