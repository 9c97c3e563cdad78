/* Tables of fields: one table saves, restores, validates and lists a struct. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/schema.h"

struct inner {
  bool full;
  int8_t warp;
};

struct outer {
  uint16_t kind;
  uint8_t reg;
  int64_t cycle;
  uint64_t lanes[2];
  struct inner slot[2];
  uint32_t latency;
  double share;
  uint32_t grid[2][3];
  uint64_t derived;
};

static SL_CHECKED_SCHEMA(inner_schema, struct inner, self->full || self->warp < 0, SL_ANY(full),
                         SL_RANGE(-1, SL_LIMIT_WARPS, -1, warp));

static SL_SCHEMA(outer_schema, struct outer, NULL, SL_MOST(3, kind), SL_BELOW_OR_NONE(32, reg), SL_CYCLES(cycle),
                 SL_SET_OF(SL_LIMIT_ALL_LANES, lanes), SL_STRUCTS(inner_schema, slot), SL_KEYS(latency), SL_ANY(share),
                 SL_MOST(9, grid), SL_DERIVED(derived));

static struct outer example(void)
{
  return (struct outer){.kind = 3,
                        .reg = UINT8_MAX,
                        .cycle = -1,
                        .lanes = {0xf, 1},
                        .slot = {{true, 2}, {false, -1}},
                        .latency = 30,
                        .share = 0.5,
                        .grid = {{1, 2, 3}, {4, 5, 9}},
                        .derived = 77};
}

static size_t save(struct outer *from, uint8_t *bytes)
{
  struct sl_archive archive = {.to = bytes};
  sl_archive_structs(&archive, "outer", outer_schema, from, 1);
  return archive.at;
}

/* Restores the state of `from`, with 4 warps of 4 lanes, into *to; false: it is not valid. */
static bool restores(struct outer *to, struct outer from)
{
  uint8_t bytes[sizeof from];
  struct sl_archive archive = {.from = bytes, .size = save(&from, bytes)};
  sl_archive_shape(&archive, 4, 0xf);
  sl_archive_structs(&archive, "outer", outer_schema, to, 1);
  return !archive.bad && archive.at == archive.size;
}

static void restored_struct_is_equal(void **state)
{
  (void)state;
  struct outer to = {.latency = 30, .derived = 5}, from = example();
  assert_true(restores(&to, from));
  assert_int_equal(to.derived, 5);
  to.derived = from.derived;
  assert_memory_equal(&to.lanes, &from.lanes, sizeof to.lanes);
  assert_memory_equal(&to.grid, &from.grid, sizeof to.grid);
  assert_int_equal(to.slot[1].warp, -1);
  assert_int_equal(to.cycle, -1);
  assert_true(to.share == from.share);
}

static void values_against_the_rules_are_refused(void **state)
{
  (void)state;
  struct outer bad[12], to;
  for (unsigned i = 0; i < 12; i++)
    bad[i] = example();
  bad[0].kind = 4;
  bad[1].reg = 32;
  bad[2].cycle = -2;
  bad[3].cycle = SL_CYCLES_MAX;
  bad[4].lanes[1] = 0x10;
  bad[5].slot[0].warp = 4;
  bad[6].slot[0].warp = -2;
  bad[7].slot[1].warp = 1; /* against the struct's own check */
  memset(&bad[8].slot[1].full, 2, 1);
  bad[9].latency = 31;
  bad[10].grid[1][2] = 10;
  bad[11].lanes[0] = UINT64_MAX;
  for (unsigned i = 0; i < 12; i++) {
    to = (struct outer){.latency = 30};
    assert_false(restores(&to, bad[i]));
    assert_int_equal(to.latency, 30);
  }
}

static void truncated_bytes_are_refused(void **state)
{
  (void)state;
  struct outer from = example(), to = {.latency = 30};
  uint8_t bytes[sizeof from];
  const size_t size = save(&from, bytes);
  for (size_t cut = 0; cut < size; cut++) {
    struct sl_archive archive = {.from = bytes, .size = cut};
    sl_archive_shape(&archive, 4, 0xf);
    sl_archive_structs(&archive, "outer", outer_schema, &to, 1);
    assert_true(archive.bad);
  }
}

static void see(void *context, const struct sl_value *value)
{
  char *text = context, number[32];
  sl_value_text(value, number, sizeof number);
  snprintf(text + strlen(text), 1024 - strlen(text), "%s=%s ", value->path, number);
}

static void listing_names_every_field(void **state)
{
  (void)state;
  struct outer from = example();
  char text[1024] = "";
  sl_archive_structs(&(struct sl_archive){.see = see, .context = text}, NULL, outer_schema, &from, 1);
  assert_string_equal(text, "kind=3 reg=255 cycle=-1 lanes[0]=15 lanes[1]=1 slot[0].full=true slot[0].warp=2 "
                            "slot[1].full=false slot[1].warp=-1 latency=30 share=0.5 grid[0]=1 grid[1]=2 grid[2]=3 "
                            "grid[3]=4 grid[4]=5 grid[5]=9 ");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(restored_struct_is_equal),
      cmocka_unit_test(values_against_the_rules_are_refused),
      cmocka_unit_test(truncated_bytes_are_refused),
      cmocka_unit_test(listing_names_every_field),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
