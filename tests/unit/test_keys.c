/* Configuration keys: setting, ranges, messages with the nearest key. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/keys.h"

struct spec {
  uint32_t lanes, fpu, divider, latency, base;
};

static const char *const dividers[] = {"sequential", "pipelined", "none", NULL};

static const struct sl_key table[] = {
    {.name = "lanes",
     .offset = offsetof(struct spec, lanes),
     .least = 1,
     .greatest = 64,
     .fallback = 32,
     .power_of_two = true,
     .unit = "lanes"},
    {.name = "fpu", .type = SL_KEY_BOOL, .offset = offsetof(struct spec, fpu), .greatest = 1, .unit = ""},
    {.name = "divider",
     .type = SL_KEY_CHOICE,
     .offset = offsetof(struct spec, divider),
     .greatest = 2,
     .fallback = 1,
     .choices = dividers,
     .unit = ""},
    {.name = "dram.latency",
     .offset = offsetof(struct spec, latency),
     .least = 1,
     .greatest = 1000,
     .fallback = 30,
     .unit = "cycles"},
    {.name = "code.base",
     .offset = offsetof(struct spec, base),
     .greatest = UINT32_MAX,
     .fallback = 0x08000000,
     .unit = "address"},
};

static const struct sl_keys keys = {table, sizeof table / sizeof table[0]};

static struct spec defaults(void)
{
  struct spec spec;
  sl_keys_defaults(&keys, &spec);
  return spec;
}

static void sets_defaults(void **state)
{
  (void)state;
  struct spec spec = defaults();
  assert_int_equal(spec.lanes, 32);
  assert_int_equal(spec.fpu, 0);
  assert_int_equal(spec.divider, 1);
  assert_int_equal(spec.latency, 30);
  assert_int_equal(spec.base, 0x08000000);
}

static void sets_values(void **state)
{
  (void)state;
  struct spec spec = defaults();
  assert_int_equal(sl_key_set(&keys, &spec, "lanes", "16", NULL), SL_OK);
  assert_int_equal(sl_key_set(&keys, &spec, "dram.latency", "0x1F", NULL), SL_OK);
  assert_int_equal(sl_key_set(&keys, &spec, "divider", "none", NULL), SL_OK);
  assert_int_equal(sl_key_set(&keys, &spec, "code.base", "4294967295", NULL), SL_OK);
  assert_int_equal(spec.lanes, 16);
  assert_int_equal(spec.latency, 31);
  assert_int_equal(spec.divider, 2);
  assert_int_equal(spec.base, UINT32_MAX);
}

static void accepts_words_for_booleans(void **state)
{
  (void)state;
  static const char *const words[] = {"false", "true", "off", "on", "no", "yes", "0", "1", "False", "TRUE"};
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
    struct spec spec = defaults();
    spec.fpu = 7;
    assert_int_equal(sl_key_set(&keys, &spec, "fpu", words[i], NULL), SL_OK);
    assert_int_equal(spec.fpu, i & 1);
  }
}

/* A refused value leaves the field unchanged, and the message states the allowed values. */
static void refuse(const char *name, const char *value, const char *sentence)
{
  struct spec spec = defaults(), before = spec;
  struct sl_error err = {0};
  assert_int_equal(sl_key_set(&keys, &spec, name, value, &err), SL_USAGE);
  assert_memory_equal(&spec, &before, sizeof spec);
  assert_int_equal(err.code, SL_USAGE);
  if (strstr(err.text, sentence) == NULL)
    fail_msg("'%s' does not say '%s'", err.text, sentence);
}

static void refuses_values_out_of_range(void **state)
{
  (void)state;
  refuse("lanes", "0", "1 to 64, power of two");
  refuse("lanes", "3", "1 to 64, power of two");
  refuse("lanes", "128", "1 to 64, power of two");
  refuse("dram.latency", "1001", "1 to 1000");
  refuse("code.base", "4294967296", "0x0 to 0xffffffff");
  refuse("code.base", "99999999999999999999999999", "0x0 to 0xffffffff");
  refuse("divider", "fast", "sequential, pipelined or none");
  refuse("fpu", "maybe", "true or false");
}

static void refuses_invalid_numbers(void **state)
{
  (void)state;
  static const char *const words[] = {"", "-1", "+1", " 8", "8 ", "0x", "08h", "1e3", "eight", "8\n", "0xg"};
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
    refuse("lanes", words[i], "key 'lanes' cannot be");
}

static void suggests_the_nearest_key(void **state)
{
  (void)state;
  refuse("lane", "8", "did you mean 'lanes'?");
  refuse("dram.latncy", "8", "did you mean 'dram.latency'?");
  refuse("latency", "8", "did you mean 'dram.latency'?");
  refuse("FPU", "8", "did you mean 'fpu'?");
  assert_string_equal(sl_key_nearest(&keys, "base")->name, "code.base");
  refuse("colour", "8", "unknown key 'colour'; simtlab show MACHINE lists");
  assert_null(sl_key_nearest(&keys, "colour"));
}

static void formats_values_and_ranges(void **state)
{
  (void)state;
  char text[64];
  sl_key_format(&table[0], 8, text, sizeof text);
  assert_string_equal(text, "8");
  sl_key_format(&table[1], 1, text, sizeof text);
  assert_string_equal(text, "true");
  sl_key_format(&table[2], 1, text, sizeof text);
  assert_string_equal(text, "pipelined");
  sl_key_format(&table[4], 0x08000000, text, sizeof text);
  assert_string_equal(text, "0x08000000");
  sl_key_range(&table[2], text, 12);
  assert_string_equal(text, "sequential,");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sets_defaults),
      cmocka_unit_test(sets_values),
      cmocka_unit_test(accepts_words_for_booleans),
      cmocka_unit_test(refuses_values_out_of_range),
      cmocka_unit_test(refuses_invalid_numbers),
      cmocka_unit_test(suggests_the_nearest_key),
      cmocka_unit_test(formats_values_and_ranges),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
