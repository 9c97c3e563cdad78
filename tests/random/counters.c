#include "counters.h"

#include <inttypes.h>
#include <string.h>

/* Far more than any recorded program takes. */
#define MOST_CYCLES UINT64_C(100000000)

const struct cnt_machine cnt_machines[] = {
    {"simtight", {NULL}, "base"},
    {"simtight-rfc", {"registers.slots=0"}, "rfc2048"},
    {"simtight-rfc", {NULL}, "rfc512"},
    {"simtight-rfc", {"registers.spill_policy=first"}, "rfc512pf"},
    {"simtight-rfc-pp", {NULL}, "rfcpp512"},
    {"simtight-rfc-pp-sb", {"registers.slots=2047"}, "rfcppsb2047"},
    {"simtight-fp", {NULL}, "basefp"},
    {"simtight-rfc-fp", {"registers.slots=0"}, "rfcfp2048"},
    {"simtight-rfc-fp", {NULL}, "rfcfp512"},
    {"simtight-rfc-fp", {"registers.spill_policy=first"}, "rfcfp512pf"},
    {"simtight-rfc-pp-fp", {NULL}, "rfcppfp512"},
    {"simtight-rfc-pp-sb-fp", {"registers.slots=2047"}, "rfcppfpsb2047"},
};

const size_t cnt_machine_count = sizeof cnt_machines / sizeof *cnt_machines;

enum sl_status cnt_open(const struct cnt_machine *machine, struct sl_config *config, struct sl_error *err)
{
  enum sl_status code = sl_config_open(config, machine->preset, err);
  for (size_t i = 0; code == SL_OK && machine->settings[i] != NULL; i++)
    code = sl_config_set(config, machine->settings[i], err);
  return code == SL_OK ? sl_config_check(config, err) : code;
}

uint64_t cnt_hash(uint64_t hash, const void *bytes, size_t size)
{
  const uint8_t *byte = bytes;
  for (size_t i = 0; i < size; i++)
    hash = (hash ^ byte[i]) * UINT64_C(0x100000001b3);
  return hash;
}

json_t *cnt_records(const char *path)
{
  json_error_t problem;
  json_t *records = json_load_file(path, 0, &problem);
  if (records == NULL)
    fprintf(stderr, "%s:%d: %s\n", path, problem.line, problem.text);
  return records;
}

enum sl_status cnt_run(const struct sl_config *config, const struct sl_program *program, const char *name,
                       const char *argument, struct sl_device **device, struct sl_error *err)
{
  const struct sl_device_options options = {.max_cycles = MOST_CYCLES};
  const char *const arguments[] = {name, argument};
  enum sl_status code = sl_device_create(config, &options, device, err);
  if (code == SL_OK)
    code = sl_device_load(*device, program, argument != NULL ? 2 : 1, arguments, err);
  return code == SL_OK ? sl_device_run(*device, err) : code;
}

/* A counter's value, by its name in the records. */
static bool find_value(const struct sl_config *config, const struct sl_launch *launch, const char *name,
                       uint64_t *value)
{
  const struct sl_counters *known = config->machine->counters;
  for (size_t i = 0; i < known->count; i++)
    if (known->counter[i].rtl_name != NULL && strcmp(known->counter[i].rtl_name, name) == 0) {
      *value = launch->counters[i];
      return true;
    }
  return false;
}

unsigned cnt_compare(const char *name, const struct sl_config *config, const struct sl_launch *launch, json_t *counters)
{
  unsigned different = 0;
  const char *counter;
  json_t *recorded;
  json_object_foreach(counters, counter, recorded)
  {
    const uint64_t theirs = (uint64_t)json_integer_value(recorded);
    uint64_t ours = 0;
    if (find_value(config, launch, counter, &ours) && ours == theirs)
      continue;
    printf("%s on %s: %s is %" PRIu64 ", recorded %" PRIu64 "\n", name, config->name, counter, ours, theirs);
    different++;
  }
  return different;
}
