/* Memory and CSRs of a Vortex warp: regions, order of lanes, atomics, the store log. */
#include "func/ipdom_execute.h"
#include "warps.h"

enum { ADDRESS = 5, VALUE = 6, RESULT = 7 };

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

static uint32_t word_at(struct gpu *g, uint32_t address)
{
  return sl_memory_unit(sl_memory_peek(&g->memory, address), 4);
}

/* Lane l addresses base + l * stride and has the value 100 + l. */
static void spread(struct gpu *g, uint32_t base, uint32_t stride)
{
  for (uint32_t lane = 0; lane < WARPS_LANES; lane++) {
    gpu_register(g, ADDRESS)[lane] = base + lane * stride;
    gpu_register(g, VALUE)[lane] = 100 + lane;
  }
}

/* Neighbouring words, words of several pages, all lanes and some. */
static void loads_return_stored_values(void **state)
{
  struct gpu *g = *state;
  static const uint32_t strides[] = {4, 12, 0x10004};
  for (unsigned s = 0; s < 3; s++)
    for (unsigned log = 0; log < 2; log++) {
      gpu_warp(g)->mask = s == 1 ? 0x5a : WARPS_ALL;
      spread(g, WARPS_DATA + 0x1000 * s, strides[s]);
      gpu_set(g, RESULT, 7);
      g->warps.log = log ? sl_store_log_create() : NULL;
      gpu_store(g, VALUE, ADDRESS);
      gpu_load(g, RESULT, ADDRESS);
      for (unsigned lane = 0; lane < WARPS_LANES; lane++)
        assert_int_equal(gpu_register(g, RESULT)[lane], gpu_warp(g)->mask >> lane & 1 ? 100 + lane : 7);
      sl_store_log_free(g->warps.log);
      g->warps.log = NULL;
    }
}

static void the_last_lane_wins_stores_to_one_word(void **state)
{
  struct gpu *g = *state;
  gpu_warp(g)->mask = 0x3f;
  spread(g, WARPS_DATA, 0);
  gpu_store(g, VALUE, ADDRESS);
  assert_int_equal(word_at(g, WARPS_DATA), 105);
}

static void local_memory_is_per_core(void **state)
{
  struct gpu *g = *state;
  spread(g, WARPS_LOCAL + 64, 4);
  gpu_store(g, VALUE, ADDRESS);
  assert_int_equal(g->ex.local, WARPS_ALL);
  assert_int_equal(word_at(g, WARPS_LOCAL + 64), 0);
  gpu_load(g, RESULT, ADDRESS);
  assert_int_equal(gpu_register(g, RESULT)[7], 107);
}

static void an_access_can_be_local_in_some_lanes_only(void **state)
{
  struct gpu *g = *state;
  spread(g, WARPS_DATA, 4);
  gpu_register(g, ADDRESS)[2] = WARPS_LOCAL + 8;
  gpu_register(g, ADDRESS)[3] = 0x1000; /* I/O, and memory there */
  gpu_store(g, VALUE, ADDRESS);
  assert_int_equal(g->ex.local, 1 << 2);
  assert_int_equal(g->ex.io, 1 << 3);
  assert_int_equal(word_at(g, 0x1000), 103);
  assert_int_equal(word_at(g, WARPS_DATA + 16), 104);
  gpu_load(g, RESULT, ADDRESS);
  for (unsigned lane = 0; lane < WARPS_LANES; lane++)
    assert_int_equal(gpu_register(g, RESULT)[lane], 100 + lane);
}

static void small_local_memory_wraps_around(void **state)
{
  struct sl_ipdom_spec spec = gpu_spec();
  spec.local_storage_bytes = 1024;
  gpu_close(*state);
  gpu_open(*state, &spec);
  struct gpu *g = *state;
  spread(g, WARPS_LOCAL + 3 * 1024 - 16, 4); /* wraps around */
  gpu_store(g, VALUE, ADDRESS);
  spread(g, WARPS_LOCAL, 4);
  gpu_load(g, RESULT, ADDRESS);
  assert_int_equal(gpu_register(g, RESULT)[0], 104);
  spread(g, WARPS_LOCAL + 1024 - 16, 4);
  gpu_load(g, RESULT, ADDRESS);
  assert_int_equal(gpu_register(g, RESULT)[0], 100);
  assert_int_equal(gpu_register(g, RESULT)[5], 105);
}

static void loads_allocate_no_memory(void **state)
{
  struct gpu *g = *state;
  spread(g, WARPS_DATA, 0x10000);
  gpu_load(g, RESULT, ADDRESS);
  spread(g, WARPS_DATA, 4);
  gpu_load(g, RESULT, ADDRESS);
  for (unsigned page = 0; page < SL_PAGE_COUNT; page++)
    assert_null(g->memory.pages[page]);
}

static void expect_fault(struct gpu *g, enum sl_op op, enum sl_fault_kind kind, sl_lanes lanes, uint32_t address)
{
  assert_int_equal(gpu_op(g, op, RESULT, ADDRESS, op == SL_OP_LR ? 0 : VALUE), SL_IPDOM_FAULTS);
  assert_int_equal(g->warps.fault.kind, kind);
  assert_int_equal(g->warps.fault.lanes, lanes);
  assert_int_equal(g->warps.fault.address, address);
}

static void wrong_addresses_are_faults_of_their_lanes(void **state)
{
  struct gpu *g = *state;
  spread(g, WARPS_DATA, 4);
  gpu_register(g, ADDRESS)[4] = WARPS_DATA + 2;
  gpu_register(g, ADDRESS)[6] = WARPS_DATA + 1;
  expect_fault(g, SL_OP_AMOADD, SL_FAULT_MISALIGNED, 0x50, WARPS_DATA + 2);
  spread(g, 0x30, 4);
  expect_fault(g, SL_OP_LR, SL_FAULT_ADDRESS, 0x0f, 0x30);
}

static void the_highest_byte_is_ordinary_memory(void **state)
{
  struct gpu *g = *state;
  gpu_set(g, ADDRESS, UINT32_MAX);
  gpu_set(g, VALUE, 0x7f);
  gpu_op(g, SL_OP_SB, 0, ADDRESS, VALUE);
  gpu_op(g, SL_OP_LB, RESULT, ADDRESS, 0);
  assert_int_equal(g->address[0], UINT32_MAX);
  assert_int_equal(gpu_register(g, RESULT)[1], 0x7f);
}

/* ---- console and exit code --------------------------------------------------------------------------------------- */

static void bytes_go_to_the_console_with_their_slot(void **state)
{
  struct gpu *g = *state;
  gpu_warp(g)->mask = 0x05;
  spread(g, 0x50, 1);
  gpu_op(g, SL_OP_SB, 0, ADDRESS, VALUE);
  assert_string_equal(g->console, "df");
  assert_int_equal(g->console_slot, 0x12);
}

static void the_exit_code_is_the_word_at_0x88(void **state)
{
  struct gpu *g = *state;
  gpu_warp(g)->mask = 1;
  spread(g, 0x88, 0);
  gpu_store(g, VALUE, ADDRESS);
  assert_int_equal(g->exit_code, 100);
  assert_int_equal(word_at(g, 0x88), 100);
}

/* ---- atomics ----------------------------------------------------------------------------------------------------- */

static void atomics_on_one_word_happen_lane_by_lane(void **state)
{
  struct gpu *g = *state;
  static const uint32_t places[] = {WARPS_DATA, WARPS_LOCAL};
  for (unsigned i = 0; i < 2; i++) {
    gpu_set(g, ADDRESS, places[i]);
    gpu_set(g, VALUE, 3);
    gpu_op(g, SL_OP_AMOADD, VALUE, ADDRESS, VALUE); /* into its own operand */
    for (unsigned lane = 0; lane < WARPS_LANES; lane++)
      assert_int_equal(gpu_register(g, VALUE)[lane], 3 * lane);
    gpu_load(g, RESULT, ADDRESS);
    assert_int_equal(gpu_register(g, RESULT)[0], 3 * WARPS_LANES);
  }
}

static void the_first_reserving_lane_stores(void **state)
{
  struct gpu *g = *state;
  gpu_set(g, ADDRESS, WARPS_DATA);
  spread(g, WARPS_DATA, 0);
  gpu_op(g, SL_OP_LR, RESULT, ADDRESS, 0);
  gpu_op(g, SL_OP_SC, RESULT, ADDRESS, VALUE);
  for (unsigned lane = 0; lane < WARPS_LANES; lane++)
    assert_int_equal(gpu_register(g, RESULT)[lane], lane != 0);
  assert_int_equal(word_at(g, WARPS_DATA), 100);
  gpu_op(g, SL_OP_SC, RESULT, ADDRESS, VALUE); /* without another LR */
  assert_int_equal(gpu_register(g, RESULT)[0], 1);
  assert_int_equal(word_at(g, WARPS_DATA), 100);
}

/* ---- the log ----------------------------------------------------------------------------------------------------- */

static void logged_stores_reach_memory_when_performed(void **state)
{
  struct gpu *g = *state;
  g->warps.log = sl_store_log_create();
  gpu_warp(g)->mask = 1;
  sl_memory_store(&g->memory, WARPS_DATA, 4, 0x11223344);
  gpu_set(g, ADDRESS, WARPS_DATA + 1);
  gpu_set(g, VALUE, 0xaa);
  gpu_op(g, SL_OP_SB, 0, ADDRESS, VALUE);
  gpu_set(g, ADDRESS, WARPS_DATA);
  gpu_load(g, RESULT, ADDRESS);
  assert_int_equal(gpu_register(g, RESULT)[0], 0x1122aa44);
  assert_int_equal(word_at(g, WARPS_DATA), 0x11223344);
  assert_false(sl_store_log_empty(g->warps.log));
  sl_ipdom_perform_log(&g->warps);
  assert_true(sl_store_log_empty(g->warps.log));
  assert_int_equal(word_at(g, WARPS_DATA), 0x1122aa44);
  sl_memory_store(&g->memory, WARPS_DATA, 4, 5); /* and is forgotten */
  gpu_load(g, RESULT, ADDRESS);
  assert_int_equal(gpu_register(g, RESULT)[0], 5);
}

static void a_log_keeps_the_order_of_stores(void **state)
{
  struct gpu *g = *state;
  g->warps.log = sl_store_log_create();
  for (unsigned i = 0; i < 1000; i++) { /* more words than the log begins with, each twice */
    spread(g, WARPS_DATA + i % 500 * 64, 4);
    gpu_set(g, VALUE, i);
    gpu_store(g, VALUE, ADDRESS);
  }
  gpu_load(g, RESULT, ADDRESS);
  assert_int_equal(gpu_register(g, RESULT)[3], 999);
  sl_ipdom_perform_log(&g->warps);
  for (unsigned i = 0; i < 500; i++)
    assert_int_equal(word_at(g, WARPS_DATA + i * 64 + 28), 500 + i);
}

/* Performing the log sees the earlier stores of other cores. */
static void logged_atomics_write_rd_when_performed(void **state)
{
  struct gpu *g = *state;
  g->warps.log = sl_store_log_create();
  gpu_warp(g)->mask = 0x03;
  gpu_set(g, ADDRESS, WARPS_DATA);
  gpu_set(g, VALUE, 1);
  gpu_set(g, RESULT, 77);
  gpu_op(g, SL_OP_AMOADD, RESULT, ADDRESS, VALUE);
  assert_int_equal(gpu_register(g, RESULT)[0], 77);
  gpu_load(g, 8, ADDRESS);
  assert_int_equal(gpu_register(g, 8)[0], 2);
  sl_memory_store(&g->memory, WARPS_DATA, 4, 40);
  sl_ipdom_perform_log(&g->warps);
  assert_int_equal(gpu_register(g, RESULT)[0], 40);
  assert_int_equal(gpu_register(g, RESULT)[1], 41);
  assert_int_equal(word_at(g, WARPS_DATA), 42);
}

static void a_logged_conditional_store_fails_after_another_cores_store(void **state)
{
  struct gpu *g = *state;
  g->warps.log = sl_store_log_create();
  gpu_warp(g)->mask = 1;
  gpu_set(g, ADDRESS, WARPS_DATA);
  gpu_set(g, VALUE, 1);
  gpu_op(g, SL_OP_LR, RESULT, ADDRESS, 0);
  gpu_op(g, SL_OP_SC, RESULT, ADDRESS, VALUE);
  sl_memory_store(&g->memory, WARPS_DATA, 4, 9);
  sl_ipdom_perform_log(&g->warps);
  assert_int_equal(gpu_register(g, RESULT)[0], 1);
  assert_int_equal(word_at(g, WARPS_DATA), 9);
}

static void console_output_waits_for_the_log(void **state)
{
  struct gpu *g = *state;
  g->warps.log = sl_store_log_create();
  gpu_warp(g)->mask = 1;
  spread(g, 0x40, 0);
  gpu_op(g, SL_OP_SB, 0, ADDRESS, VALUE);
  assert_string_equal(g->console, "");
  sl_ipdom_perform_log(&g->warps);
  assert_string_equal(g->console, "d");
}

/* ---- CSRs -------------------------------------------------------------------------------------------------------- */

static uint32_t csr(struct gpu *g, uint32_t number, unsigned lane)
{
  assert_int_equal(gpu_run(g, gpu_word(SL_OP_CSRRS, RESULT, 0, 0) | number << 20), SL_IPDOM_NOTHING);
  return gpu_register(g, RESULT)[lane];
}

static void csrs_identify_the_thread(void **state)
{
  struct gpu *g = *state;
  g->warps.s.sync.active = 0x0b;
  g->warps.s.mscratch = 0x1234;
  static const uint32_t expected[][2] = {
      {0xcc0, 5},           {0xcc1, WARPS_WARP},
      {0xcc2, WARPS_CORE},  {0xcc3, 0x0b},
      {0xcc4, WARPS_ALL},   {0xfc0, WARPS_LANES},
      {0xfc1, WARPS_COUNT}, {0xfc2, 3},
      {0xfc3, WARPS_LOCAL}, {0xf14, (WARPS_CORE * WARPS_COUNT + WARPS_WARP) * WARPS_LANES + 5},
      {0x340, 0x1234},      {0x300, 0}};
  for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++)
    assert_int_equal(csr(g, expected[i][0], 5), expected[i][1]);
}

static void older_csrs_have_another_map(void **state)
{
  struct sl_ipdom_spec spec = gpu_spec();
  spec.encoding = SL_ENCODING_1;
  gpu_close(*state);
  gpu_open(*state, &spec);
  struct gpu *g = *state;
  const unsigned warp = WARPS_CORE * WARPS_COUNT + WARPS_WARP;
  const uint32_t expected[][2] = {{0xcc0, 5},
                                  {0xcc1, WARPS_WARP * WARPS_LANES + 5},
                                  {0xcc2, warp * WARPS_LANES + 5},
                                  {0xcc3, WARPS_WARP},
                                  {0xcc4, WARPS_ALL},
                                  {0xcc5, WARPS_CORE},
                                  {0xf14, warp}};
  for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++)
    assert_int_equal(csr(g, expected[i][0], 5), expected[i][1]);
}

static void an_unknown_csr_is_a_fault(void **state)
{
  struct gpu *g = *state;
  static const uint32_t numbers[] = {0x7c0, 0x800, 0xb01, 0xb20, 0xba0, 0xcc5};
  for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
    assert_int_equal(gpu_run(g, gpu_word(SL_OP_CSRRS, RESULT, 0, 0) | numbers[i] << 20), SL_IPDOM_FAULTS);
    assert_int_equal(g->warps.fault.kind, SL_FAULT_CSR);
    assert_int_equal(g->warps.fault.address, numbers[i]);
  }
}

static uint64_t performance(const void *context, unsigned class, unsigned index)
{
  (void)context;
  return (uint64_t) class << 32 | index;
}

static void counters_have_two_halves(void **state)
{
  struct gpu *g = *state;
  g->warps.s.clock =
      (struct sl_ipdom_clock){.cycle = UINT64_C(0x100000002), .thread_instructions = UINT64_C(0x300000004)};
  g->warps.performance = performance;
  g->warps.s.performance_class = 2;
  assert_int_equal(csr(g, 0xb00, 0), 2);
  assert_int_equal(csr(g, 0xb80, 0), 1);
  assert_int_equal(csr(g, 0xb02, 0), 4);
  assert_int_equal(csr(g, 0xb82, 0), 3);
  assert_int_equal(csr(g, 0xb05, 0), 2);
  assert_int_equal(csr(g, 0xb85, 0), 2);
}

static void floating_point_status_is_read_and_written_in_parts(void **state)
{
  struct gpu *g = *state;
  gpu_set(g, VALUE, 0xffffffff);
  gpu_run(g, gpu_word(SL_OP_CSRRW, 0, VALUE, 0) | 3 << 20);
  assert_int_equal(csr(g, 3, 1), 0xff);
  gpu_run(g, gpu_word(SL_OP_CSRRWI, RESULT, 2, 0) | 2 << 20);
  assert_int_equal(gpu_register(g, RESULT)[1], 7);
  gpu_run(g, gpu_word(SL_OP_CSRRCI, RESULT, 3, 0) | 1 << 20);
  assert_int_equal(csr(g, 1, 0), 0x1c);
  assert_int_equal(csr(g, 3, 0), 0x5c);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_gpu, close_gpu)

int main(void)
{
  const struct CMUnitTest tests[] = {
      TEST(loads_return_stored_values),
      TEST(the_last_lane_wins_stores_to_one_word),
      TEST(local_memory_is_per_core),
      TEST(an_access_can_be_local_in_some_lanes_only),
      TEST(small_local_memory_wraps_around),
      TEST(loads_allocate_no_memory),
      TEST(wrong_addresses_are_faults_of_their_lanes),
      TEST(the_highest_byte_is_ordinary_memory),
      TEST(bytes_go_to_the_console_with_their_slot),
      TEST(the_exit_code_is_the_word_at_0x88),
      TEST(atomics_on_one_word_happen_lane_by_lane),
      TEST(the_first_reserving_lane_stores),
      TEST(logged_stores_reach_memory_when_performed),
      TEST(a_log_keeps_the_order_of_stores),
      TEST(logged_atomics_write_rd_when_performed),
      TEST(a_logged_conditional_store_fails_after_another_cores_store),
      TEST(console_output_waits_for_the_log),
      TEST(csrs_identify_the_thread),
      TEST(older_csrs_have_another_map),
      TEST(an_unknown_csr_is_a_fault),
      TEST(counters_have_two_halves),
      TEST(floating_point_status_is_read_and_written_in_parts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
