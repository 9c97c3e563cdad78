/* Counters of the recorded random programs: random_cycles RECORDS FOLDER, where FOLDER holds the programs as
 * random_SEED.elf. Every recorded counter must be equal. */
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "counters.h"
#include "program.h"

/* FNV-1a, 64 bits, of a program's source: counts belong to one text. */
static uint64_t hash_source(uint64_t seed)
{
  struct rnd_program program;
  char *text = NULL;
  size_t size = 0;
  uint64_t hash = 0;
  FILE *file = open_memstream(&text, &size);
  if (file == NULL)
    return 0;
  rnd_generate(&program, RND_TIMING, seed);
  rnd_write_kernel(&program, file);
  if (fclose(file) == 0)
    hash = cnt_hash(CNT_HASH_START, text, size);
  free(text);
  return hash;
}

static bool same_source(const char *name, json_t *record)
{
  const char *recorded = json_string_value(json_object_get(record, "source"));
  const uint64_t ours = hash_source((uint64_t)json_integer_value(json_object_get(record, "seed")));
  if (recorded != NULL && strtoull(recorded, NULL, 16) == ours)
    return true;
  printf("%s: the generator gives another program than the recorded one (source %016" PRIx64 ", recorded %s)\n", name,
         ours, recorded != NULL ? recorded : "nothing");
  return false;
}

static unsigned run_program(const char *name, const char *folder, const struct sl_config *config, json_t *counters)
{
  char path[4096];
  unsigned different = 1;
  struct sl_program *program = NULL;
  struct sl_device *device = NULL;
  struct sl_error err = {0};
  snprintf(path, sizeof path, "%s/%s.elf", folder, name);
  enum sl_status code = sl_program_load(path, &program, &err);
  if (code == SL_OK)
    code = cnt_run(config, program, name, NULL, &device, &err);
  const struct sl_result *result = device != NULL ? sl_device_result(device) : NULL;
  if (code != SL_OK)
    printf("%s on %s: %s\n", name, config->name, err.text);
  else if (result->launch_count != 1)
    printf("%s on %s: %zu launches instead of one\n", name, config->name, result->launch_count);
  else
    different = cnt_compare(name, config, &result->launches[0], counters);
  sl_device_destroy(device);
  sl_program_free(program);
  return different;
}

/* Runs every n-th of the programs recorded for the configuration; adds their number to *compared. */
static unsigned run_machine(json_t *records, const char *folder, unsigned every, const struct sl_config *config,
                            const char *configuration, unsigned *compared)
{
  unsigned seen = 0, programs = 0, counts = 0, different = 0;
  const char *program, *name;
  json_t *record, *counters;
  json_object_foreach(records, program, record)
  {
    json_t *runs = json_object_get(json_object_get(record, "runs"), configuration);
    if (!same_source(program, record))
      return 1;
    json_object_foreach(runs, name, counters)
    {
      if (seen++ % every != 0)
        continue;
      programs++;
      counts += (unsigned)json_object_size(counters);
      different += run_program(name, folder, config, counters);
    }
  }
  if (programs > 0)
    printf("%s: %u programs, %u counters compared, %u different\n", configuration, programs, counts, different);
  *compared += programs;
  return different;
}

int main(int argc, char **argv)
{
  unsigned different = 0, compared = 0;
  json_t *records = argc == 3 || argc == 4 ? cnt_records(argv[1]) : NULL;
  if (records == NULL) {
    fprintf(stderr, "usage: %s RECORDS FOLDER [EVERY]\n", argv[0]);
    return 2;
  }
  const unsigned every = argc == 4 && atoi(argv[3]) > 0 ? (unsigned)atoi(argv[3]) : 1;
  for (size_t i = 0; i < cnt_machine_count; i++) {
    struct sl_config config;
    struct sl_error err = {0};
    if (cnt_open(&cnt_machines[i], &config, &err) == SL_OK) {
      different += run_machine(records, argv[2], every, &config, cnt_machines[i].configuration, &compared);
    } else {
      fprintf(stderr, "%s\n", err.text);
      different++;
    }
    sl_config_close(&config);
  }
  json_decref(records);
  return different != 0 || compared == 0;
}
