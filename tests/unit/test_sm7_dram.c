/* machine/sm7/memory: a DRAM channel in checkpoints. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "config/config.h"
#include "machine/sm7/memory/sm7_memory_state.h"
#include "machine/sm7/sm7_gpu.h"

static void walk(struct sl_archive *t, struct sl_sm7_dram *d, const struct sl_sm7_spec *spec)
{
  t->limits.value[SL_SM7_LIMIT_HERE] = sl_sm7_dram_requests(spec);
  t->whole = spec;
  sl_archive_structs(t, "dram", sl_sm7_dram_schema, d, 1);
}

/* The set of the requests in use is last in the bytes of an idle channel. A request that the channel does not have is
 * refused: its fields would be those of other memory. */
static void a_request_that_is_none_is_refused(void **state)
{
  (void)state;
  static uint8_t bytes[1 << 16];
  enum { SET = SL_SM7_DRAM_REQUESTS / 8 };
  struct sl_config config;
  struct sl_error err;
  struct sl_sm7_dram idle, other;
  assert_int_equal(sl_config_open(&config, "sm7-1", &err), SL_OK);
  const struct sl_sm7_spec *spec = config.spec;
  const uint32_t requests = sl_sm7_dram_requests(spec);
  assert_int_equal(sl_sm7_dram_init(&idle, spec, &err), SL_OK);
  struct sl_archive saves = {.to = NULL};
  walk(&saves, &idle, spec);
  assert_true(saves.at <= sizeof bytes);
  walk(&(struct sl_archive){.to = bytes}, &idle, spec);
  const uint32_t none[] = {UINT32_MAX, requests, (requests + SL_SM7_DRAM_REQUESTS) / 2, SL_SM7_DRAM_REQUESTS - 1};
  for (unsigned i = 0; i < sizeof none / sizeof *none; i++) {
    const bool intact = none[i] == UINT32_MAX;
    uint8_t *byte = &bytes[saves.at - SET + none[i] % SL_SM7_DRAM_REQUESTS / 8];
    const uint8_t before = *byte;
    *byte = (uint8_t)(intact ? before : before | 1 << none[i] % 8);
    struct sl_archive t = {.from = bytes, .size = saves.at};
    assert_int_equal(sl_sm7_dram_init(&other, spec, &err), SL_OK);
    walk(&t, &other, spec);
    assert_int_equal(t.bad, !intact);
    sl_sm7_dram_free(&other);
    *byte = before;
  }
  sl_sm7_dram_free(&idle);
  sl_config_close(&config);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_request_that_is_none_is_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
