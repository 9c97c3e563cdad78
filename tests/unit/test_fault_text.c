/* Fault messages: warp, place, instruction, problem. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "device/fault_text.h"
#include "image.h"
#include "words.h"

static void expect_lanes(sl_lanes lanes, const char *expected)
{
  char text[256];
  sl_lanes_format(lanes, text, sizeof text);
  assert_string_equal(text, expected);
}

static void sets_of_lanes_are_ranges(void **state)
{
  (void)state;
  expect_lanes(0, "");
  expect_lanes(1, "0");
  expect_lanes(0x3, "0-1");
  expect_lanes(0x10f, "0-3,8");
  expect_lanes(0xffffffff, "0-31");
  expect_lanes(UINT64_MAX, "0-63");
  expect_lanes(UINT64_C(1) << 63, "63");
  expect_lanes(0x15, "0,2,4");
}

/* The longest set, every other lane, in buffers of every size. */
static void a_short_buffer_gets_the_beginning(void **state)
{
  (void)state;
  char whole[256];
  sl_lanes_format(UINT64_C(0x5555555555555555), whole, sizeof whole);
  for (size_t size = 1; size < 200; size++) {
    char text[201];
    memset(text, '?', sizeof text);
    sl_lanes_format(UINT64_C(0x5555555555555555), text, size);
    assert_memory_equal(text, whole, strlen(text));
    assert_true(strlen(text) == (strlen(whole) < size ? strlen(whole) : size - 1));
    assert_int_equal(text[size], '?');
  }
}

static struct sl_fault_place place = {.machine = "simtight", .warps_per_block = 4, .warps = 64};

static int load_program(void **state)
{
  static struct image image;
  static struct sl_program *program;
  image = make_image();
  if (sl_program_parse("x.elf", &image, sizeof image, &program, NULL) != SL_OK)
    return 1;
  place.program = program;
  *state = program;
  return 0;
}

static int free_program(void **state)
{
  sl_program_free(*state);
  return 0;
}

static void expect(const struct sl_fault *fault, const char *part)
{
  char text[512];
  sl_fault_format(fault, &place, text, sizeof text);
  if (strstr(text, part) == NULL)
    fail_msg("'%s' does not say '%s'", text, part);
}

static struct sl_fault fault(enum sl_fault_kind kind)
{
  return (struct sl_fault){.kind = kind,
                           .warp = 9,
                           .lanes = 0x0e,
                           .pc = 0x08000410,
                           .address = 0x90000002,
                           .insn = sl_decode(word_i(SL_OP_LW, 10, 2, -4), SL_ISA_I)};
}

static void messages_name_warp_and_place(void **state)
{
  (void)state;
  const struct sl_fault f = fault(SL_FAULT_MISALIGNED);
  expect(&f, "simtight SM");
  expect(&f, "block slot 2,"); /* warp 9 in blocks of 4 */
  expect(&f, "warp 9");
  expect(&f, "lanes 1-3");
  expect(&f, "pc 0x08000410 in kernel"); /* the image's symbol */
  expect(&f, "`lw a0,-4(sp)`");
}

static void the_host_has_no_warp(void **state)
{
  (void)state;
  struct sl_fault f = fault(SL_FAULT_MISALIGNED);
  char text[512];
  f.warp = -1;
  expect(&f, "simtight host CPU");
  sl_fault_format(&f, &place, text, sizeof text);
  assert_null(strstr(text, "warp"));
}

static void a_single_lane_is_not_plural(void **state)
{
  (void)state;
  struct sl_fault f = fault(SL_FAULT_MISALIGNED);
  f.lanes = sl_bit(17);
  expect(&f, "lane 17");
}

static void messages_have_address_and_width(void **state)
{
  (void)state;
  struct sl_fault f = fault(SL_FAULT_MISALIGNED);
  expect(&f, "0x90000002");
  expect(&f, "4 bytes");
  f.kind = SL_FAULT_ADDRESS;
  expect(&f, "0x90000002");
  f.kind = SL_FAULT_ATOMIC;
  expect(&f, "0x90000002");
  f.kind = SL_FAULT_CSR;
  f.address = 0x7c0;
  expect(&f, "0x7c0");
}

static void every_kind_has_its_own_message(void **state)
{
  (void)state;
  char text[SL_FAULT_INTERNAL + 1][512];
  for (unsigned a = SL_FAULT_NONE + 1; a <= SL_FAULT_INTERNAL; a++) {
    const struct sl_fault f = fault((enum sl_fault_kind)a);
    sl_fault_format(&f, &place, text[a], sizeof text[a]);
    for (unsigned b = SL_FAULT_NONE + 1; b < a; b++)
      assert_string_not_equal(text[a], text[b]);
  }
}

static void details_come_last(void **state)
{
  (void)state;
  struct sl_fault f = fault(SL_FAULT_INTERNAL);
  f.detail = "a request was lost";
  expect(&f, ": a request was lost");
}

static void an_unknown_instruction_shows_its_word(void **state)
{
  (void)state;
  struct sl_fault f = fault(SL_FAULT_UNKNOWN_INSTRUCTION);
  f.insn = sl_decode(0x0000007b, SL_ISA_I);
  expect(&f, "0x0000007b");
}

/* Without a machine the message names no key; with one its advice comes at the end, unless there are details. */
static void advice_depends_on_the_machine(void **state)
{
  (void)state;
  static const struct sl_advice advice[] = {
      {SL_FAULT_SPILL, "Buy more", 0, 0}, {SL_FAULT_CSR, "Read less", 0, 0}, {SL_FAULT_NONE, NULL, 0, 0}};
  const struct sl_fault spill = fault(SL_FAULT_SPILL);
  struct sl_fault_place advised = place;
  char text[512];
  for (unsigned kind = SL_FAULT_NONE + 1; kind <= SL_FAULT_INTERNAL; kind++) {
    const struct sl_fault f = fault((enum sl_fault_kind)kind);
    sl_fault_format(&f, &place, text, sizeof text);
    assert_null(strstr(text, "=true"));
    assert_null(strstr(text, "registers."));
    assert_null(strstr(text, "ipdom."));
    assert_null(strstr(text, "memory."));
  }
  advised.advice = advice;
  sl_fault_format(&spill, &advised, text, sizeof text);
  assert_string_equal(text + strlen(text) - strlen("keep theirs. Buy more"), "keep theirs. Buy more");
  struct sl_fault detailed = fault(SL_FAULT_CSR);
  detailed.detail = "it is another core's";
  sl_fault_format(&detailed, &advised, text, sizeof text);
  assert_string_equal(text + strlen(text) - strlen("core's"), "core's");
}

/* ---- what warps are doing ---- */

/* Warps 0 to 2 wait at one place, 3 and 7 at others, the rest have ended. */
static struct sl_warp_status status(const struct sl_sm *sm, unsigned warp)
{
  (void)sm;
  if (warp < 3)
    return (struct sl_warp_status){SL_WARP_AT_BARRIER, 0x08000404, 1};
  if (warp == 3 || warp == 7)
    return (struct sl_warp_status){SL_WARP_WAITS_FOR_MEMORY, 0x08000500, 1};
  return (struct sl_warp_status){SL_WARP_ENDED, 0x08000600, 1};
}

static void warps_in_one_state_are_named_together(void **state)
{
  (void)state;
  static const struct sl_machine machine = {.view.warp_status = status};
  struct sl_fault_place eight = place;
  eight.warps = 8;
  char text[512];
  sl_warps_format(&machine, NULL, &eight, text, sizeof text);
  assert_non_null(strstr(text, "warps 0-2 waiting at the barrier"));
  assert_non_null(strstr(text, "warps 3,7 waiting for memory"));
  assert_non_null(strstr(text, "warps 4-6 ended"));
  assert_non_null(strstr(text, "0x08000500"));
}

static struct sl_warp_status all_different(const struct sl_sm *sm, unsigned warp)
{
  (void)sm;
  return (struct sl_warp_status){SL_WARP_RUNS, 0x08000400 + 4 * warp, 1};
}

static void many_states_are_cut_short_with_a_count(void **state)
{
  (void)state;
  static const struct sl_machine machine = {.view.warp_status = all_different};
  char text[2048];
  sl_warps_format(&machine, NULL, &place, text, sizeof text);
  unsigned named = 1;
  for (const char *p = text; (p = strstr(p, "; warp ")) != NULL; p++)
    named++;
  const char *more = strstr(text, "; and ");
  assert_non_null(more);
  assert_int_equal(strtoul(more + 6, NULL, 10), 64 - named);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sets_of_lanes_are_ranges),
      cmocka_unit_test(a_short_buffer_gets_the_beginning),
      cmocka_unit_test(messages_name_warp_and_place),
      cmocka_unit_test(the_host_has_no_warp),
      cmocka_unit_test(a_single_lane_is_not_plural),
      cmocka_unit_test(messages_have_address_and_width),
      cmocka_unit_test(every_kind_has_its_own_message),
      cmocka_unit_test(details_come_last),
      cmocka_unit_test(an_unknown_instruction_shows_its_word),
      cmocka_unit_test(advice_depends_on_the_machine),
      cmocka_unit_test(warps_in_one_state_are_named_together),
      cmocka_unit_test(many_states_are_cut_short_with_a_count),
  };
  return cmocka_run_group_tests(tests, load_program, free_program);
}
