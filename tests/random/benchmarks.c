/* Counters of the benchmarks at small size, launch by launch: benchmark_cycles RECORDS FOLDER, where FOLDER holds
 * NAME.elf. Counts belong to one binary: the test skips benchmarks that another compiler compiled differently. Exit
 * status 77 if it skipped some and none differed. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/types.h"
#include "counters.h"

enum { SKIPPED = 77 };

struct tally {
  unsigned launches, counters, different, skipped, turned;
};

/* Hash of the loaded contents: debug information depends on the folder. */
static uint64_t hash_program(const struct sl_program *program)
{
  uint64_t hash = CNT_HASH_START;
  for (size_t i = 0; i < sl_program_segment_count(program); i++) {
    const struct sl_segment *s = sl_program_segment(program, i);
    const uint8_t place[8] = {(uint8_t)s->address,         (uint8_t)(s->address >> 8), (uint8_t)(s->address >> 16),
                              (uint8_t)(s->address >> 24), (uint8_t)s->size,           (uint8_t)(s->size >> 8),
                              (uint8_t)(s->size >> 16),    (uint8_t)(s->size >> 24)};
    hash = cnt_hash(hash, place, sizeof place);
    hash = cnt_hash(hash, s->bytes, s->file_size);
  }
  return hash;
}

static bool is_recorded(const char *name, const struct sl_program *program, json_t *record)
{
  const char *recorded = json_string_value(json_object_get(record, "program"));
  const uint64_t ours = hash_program(program);
  if (recorded != NULL && strtoull(recorded, NULL, 16) == ours)
    return true;
  printf("%s: skipped, since the compiler here makes another program (%016" PRIx64 ") than the recorded one (%s)\n",
         name, ours, recorded != NULL ? recorded : "none");
  return false;
}

/* The number of counters that differ, and the first launch (except launch 0) with a difference; the number of launches
 * if none differs. */
static unsigned compare_launches(const char *name, const struct sl_config *config, const struct sl_result *result,
                                 json_t *launches, size_t *first)
{
  size_t i;
  json_t *counters;
  unsigned different = 0;
  *first = json_array_size(launches);
  json_array_foreach(launches, i, counters)
  {
    char launch[128];
    snprintf(launch, sizeof launch, "%.80s, launch %zu", name, i);
    const unsigned more = cnt_compare(launch, config, &result->launches[i], counters);
    if (more > 0 && i > 0 && *first == json_array_size(launches))
      *first = i;
    different += more;
  }
  return different;
}

/* The host CPU's time before a launch determines the initial state of the barrier unit, which only the hardware knows:
 * for launches after the first the test tries both states. The history that the third launch finds depends on the
 * second. */
static enum sl_status run_turning(const char *name, const struct sl_config *config, const struct sl_program *program,
                                  json_t *launches, struct tally *tally, struct sl_error *err)
{
  struct sl_config turned = *config;
  uint32_t mask = 0, tried = 1;
  for (;;) {
    struct sl_device *device = NULL;
    char key[64];
    snprintf(key, sizeof key, "barrier.turned=%" PRIu32, mask);
    enum sl_status code = sl_config_set(&turned, key, err);
    if (code == SL_OK)
      code = cnt_run(&turned, program, name, "small", &device, err);
    const struct sl_result *result = device != NULL ? sl_device_result(device) : NULL;
    size_t first = 0;
    unsigned different = 1;
    if (code == SL_OK && result->launch_count == json_array_size(launches))
      different = compare_launches(name, config, result, launches, &first);
    else if (code == SL_OK)
      printf("%s on %s: %zu launches, recorded %zu\n", name, config->name, result->launch_count,
             json_array_size(launches));
    sl_device_destroy(device);
    if (code != SL_OK || different == 0 || first == 0 || first >= 32 || (tried >> first & 1)) {
      tally->different += different;
      tally->turned += sl_count(mask);
      return code;
    }
    tried |= UINT32_C(1) << first;
    mask |= UINT32_C(1) << first;
    printf("%s on %s: launch %zu again with the barrier unit's phase turned round\n", name, config->name, first);
  }
}

static void run_benchmark(const char *name, const char *folder, const struct sl_config *config, json_t *record,
                          json_t *launches, struct tally *tally)
{
  char path[4096];
  size_t i;
  json_t *counters;
  struct sl_program *program = NULL;
  struct sl_error err = {0};
  snprintf(path, sizeof path, "%s/%s.elf", folder, name);
  enum sl_status code = sl_program_load(path, &program, &err);
  if (code == SL_OK && !is_recorded(name, program, record)) {
    tally->skipped++;
  } else {
    if (code == SL_OK)
      code = run_turning(name, config, program, launches, tally, &err);
    if (code != SL_OK)
      printf("%s on %s: %s\n", name, config->name, err.text);
    tally->launches += (unsigned)json_array_size(launches);
    json_array_foreach(launches, i, counters) tally->counters += (unsigned)json_object_size(counters);
  }
  sl_program_free(program);
}

static void run_machine(json_t *records, const char *folder, const struct cnt_machine *machine, struct tally *tally)
{
  struct sl_config config;
  struct sl_error err = {0};
  const char *name;
  json_t *record;
  if (cnt_open(machine, &config, &err) != SL_OK) {
    printf("%s\n", err.text);
    tally->different++;
    return;
  }
  json_object_foreach(records, name, record)
  {
    json_t *launches = json_object_get(json_object_get(record, "runs"), machine->configuration);
    if (launches != NULL)
      run_benchmark(name, folder, &config, record, launches, tally);
  }
  sl_config_close(&config);
}

int main(int argc, char **argv)
{
  struct tally tally = {0};
  json_t *records = argc == 3 ? cnt_records(argv[1]) : NULL;
  if (records == NULL) {
    fprintf(stderr, "usage: %s RECORDS FOLDER\n", argv[0]);
    return 2;
  }
  for (size_t i = 0; i < cnt_machine_count; i++)
    run_machine(records, argv[2], &cnt_machines[i], &tally);
  printf("%u launches (%u with the barrier unit's phase turned round), %u counters compared, %u different, %u programs "
         "skipped\n",
         tally.launches, tally.turned, tally.counters, tally.different, tally.skipped);
  json_decref(records);
  return tally.different != 0 ? 1 : tally.skipped != 0 ? SKIPPED : 0;
}
