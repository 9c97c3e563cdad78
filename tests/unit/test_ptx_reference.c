/* The recorded PTX programs, functional: the reference's checksums and instruction counts, per program. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "device/device.h"
#include "device/script.h"
#include "machine/sm7/sm7_gpu.h"

struct seen {
  const json_t *record;
  unsigned blocks_per_sm; /* by estimated registers */
  const char *name;
  uint64_t warp_insns, thread_insns;
  unsigned sums;
  bool races; /* checksums depend on timing */
};

static size_t counter(const char *name)
{
  size_t index;
  assert_true(sl_counter_find(&sl_sm7, name, &index));
  return index;
}

static void take_record(struct seen *seen, const struct sl_gpu_record *r)
{
  const unsigned threads = r->block[0] * r->block[1] * r->block[2], padded = (threads + 31) / 32 * 32;
  const unsigned shared = r->shared_bytes, regs = (r->registers + 3) / 4 * 4;
  const unsigned limits[] = {2048 / padded, shared ? 98304 / shared : 32, 65536 / (padded * regs), 32};
  seen->blocks_per_sm = 32;
  for (unsigned i = 0; i < 4; i++)
    seen->blocks_per_sm = limits[i] < seen->blocks_per_sm ? limits[i] : seen->blocks_per_sm;
  assert_int_equal(r->fits, seen->blocks_per_sm);
  seen->warp_insns += r->launch.counters[counter("warp_instrs")];
  seen->thread_insns += r->launch.counters[counter("thread_instrs")];
}

static void summed(void *context, const char *buffer, uint64_t sum)
{
  struct seen *seen = context;
  char text[32];
  snprintf(text, sizeof text, "%016llx", (unsigned long long)sum);
  const char *recorded = json_string_value(json_object_get(json_object_get(seen->record, "sums"), buffer));
  assert_non_null(recorded);
  seen->sums++;
  if (!seen->races && strcmp(recorded, text) != 0)
    fail_msg("%s: the sum of %s is %s, recorded is %s", seen->name, buffer, text, recorded);
}

static void play(const char *path, struct seen *seen)
{
  struct sl_error err;
  struct sl_script script;
  struct sl_config config;
  struct sl_gpu *gpu;
  const struct sl_gpu_options options = {.fast = true};
  const struct sl_script_observer observer = {.summed = summed, .context = seen};
  seen->name = path;
  assert_int_equal(sl_config_open(&config, "sm7", &err), SL_OK);
  assert_int_equal(sl_key_set(sl_sm7.keys, config.spec, "fma", "unfused", &err), SL_OK);
  if (sl_script_load(&script, path, &err) != SL_OK || sl_gpu_open(&gpu, &config, &options, &err) != SL_OK ||
      sl_script_perform(&script, gpu, NULL, &observer, &err) != SL_OK)
    fail_msg("%s", err.text);
  for (size_t i = 0; i < sl_gpu_record_count(gpu); i++)
    take_record(seen, sl_gpu_record(gpu, i));
  sl_gpu_close(gpu);
  sl_config_close(&config);
  sl_script_free(&script);
  assert_int_equal(seen->sums, json_object_size(json_object_get(seen->record, "sums")));
}

static void counts_are_recorded(const struct seen *seen)
{
  const uint64_t warp = (uint64_t)json_integer_value(json_object_get(seen->record, "warp_insn"));
  const uint64_t thread = (uint64_t)json_integer_value(json_object_get(seen->record, "thread_insn"));
  if (seen->warp_insns != warp || seen->thread_insns != thread)
    fail_msg("%s: %llu warp and %llu thread instructions, recorded are %llu and %llu", seen->name,
             (unsigned long long)seen->warp_insns, (unsigned long long)seen->thread_insns, (unsigned long long)warp,
             (unsigned long long)thread);
}

static json_t *records(const char *part, json_t **all)
{
  *all = json_load_file(REFERENCE_FOLDER "/cycles.json", 0, NULL);
  assert_non_null(*all);
  return json_object_get(*all, part);
}

static void kernels_leave_the_recorded_memory_after_the_recorded_instructions(void **state)
{
  json_t *all, *sizes;
  const char *name, *const chosen[] = {"s", "m"};
  unsigned count = 0;
  (void)state;
  json_t *kernels = records("kernels", &all);
  json_object_foreach(kernels, name, sizes)
  {
    for (unsigned i = 0; i < 2; i++) {
      char path[512];
      struct seen seen = {.record = json_object_get(sizes, chosen[i])};
      snprintf(path, sizeof path, "%s/kernels/%s.%s.launch", REFERENCE_FOLDER, name, chosen[i]);
      play(path, &seen);
      if (strcmp(name, "bfs") != 0) /* threads race: see the README of the folder */
        counts_are_recorded(&seen);
      assert_int_equal(seen.blocks_per_sm, json_integer_value(json_object_get(seen.record, "blocks_per_sm")));
      count++;
    }
  }
  assert_int_equal(count, 24);
  json_decref(all);
}

static void micro_programs_leave_the_recorded_memory_after_the_recorded_instructions(void **state)
{
  json_t *all, *pair;
  const char *name;
  unsigned count = 0;
  (void)state;
  json_t *micro = records("micro", &all);
  json_object_foreach(micro, name, pair)
  {
    for (const char *x = "a\0b\0"; *x != '\0'; x += 2) {
      char path[512];
      struct seen seen = {.record = json_object_get(pair, x),
                          .races = strcmp(name, "tp_ld_shared_w32") == 0 || strcmp(name, "tp_ld_shared_w64") == 0};
      if (seen.record == NULL)
        continue;
      snprintf(path, sizeof path, "%s/micro/%s_%s.launch", REFERENCE_FOLDER, name, x);
      play(path, &seen);
      counts_are_recorded(&seen);
      count++;
    }
  }
  assert_int_equal(count, 171);
  json_decref(all);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(kernels_leave_the_recorded_memory_after_the_recorded_instructions),
      cmocka_unit_test(micro_programs_leave_the_recorded_memory_after_the_recorded_instructions),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
