#include "host/host_observers.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/keys.h"
#include "device/engine/launch_sampling.h"
#include "observe/energy/energy.h"
#include "observe/grid_report.h"
#include "observe/json.h"

enum sl_status sl_host_sample_open(struct sl_host_device *device, struct sl_error *err)
{
  uint64_t first = SL_LAUNCHES_FIRST, seed = 1;
  const char *at = device->options.sample;
  if (*at == '\0')
    return SL_OK;
  const bool automatic = strncmp(at, "auto", 4) == 0;
  at += automatic ? 4 : 0;
  if ((!automatic && !sl_take_digits(&at, &first)) || (*at == ',' && (at++, !sl_take_digits(&at, &seed))) ||
      *at != '\0' || first == 0)
    return sl_fail(
        err, SL_USAGE,
        "SAMPLE takes the number of launches that are timed at first, or auto, and a seed, such as 8, 8,2 or "
        "auto,2; not '%.80s'",
        device->options.sample);
  if (device->options.timed[0] != '\0' || strcmp(device->options.mode, "fast") == 0)
    return sl_fail(err, SL_USAGE, "SAMPLE chooses the launches that are timed; omit MODE and TIMED");
  device->first_launches = first;
  device->sampling = (struct sl_sampling_choice){.wanted = automatic, .plan = {.seed = seed}};
  return SL_OK;
}

bool sl_host_samples(const struct sl_host_device *device)
{
  return device->first_launches > 0;
}

static json_t *real_json(double value)
{
  return isfinite(value) ? json_real(value) : json_null();
}

/* The estimates of all clusters, at the program's end; NULL: launches are not sampled. The caller drops the
 * reference. */
static json_t *sample_json(struct sl_host_device *device)
{
  const struct sl_counters *counters = device->config.machine->counters;
  size_t cycles = 0;
  while (counters->counter[cycles].role != SL_COUNTER_CYCLES)
    cycles++;
  if (!sl_host_samples(device))
    return NULL;
  sl_gpu_settle(device->gpu);
  const struct sl_sampled *sampled = sl_gpu_sampled(device->gpu);
  const struct sl_launch_sum sum = sl_launch_sampler_sum(sl_gpu_launch_sampler(device->gpu), cycles);
  json_t *json = SL_JSON({"cycles", json_real(sum.value)}, {"interval", real_json(sampled->bar[cycles])},
                         {"clusters", sl_launch_clusters_json(device->gpu)});
  if (device->sampling.wanted && device->facts.ptx)
    sl_json_put(&json, "windows", sl_json_count(sampled->windows));
  return json;
}

enum { SCHEMA = 1 };

enum sl_status sl_host_stats_open(struct sl_host_device *device, struct sl_error *err)
{
  char path[SL_HOST_TEXT + 32];
  const char *from = device->options.stats, *mark = strstr(from, "%p");
  if (*from == '\0')
    return SL_OK;
  if (mark == NULL)
    snprintf(path, sizeof path, "%s", from);
  else
    snprintf(path, sizeof path, "%.*s%ld%s", (int)(mark - from), from, (long)getpid(), mark + 2);
  device->stats = fopen(path, device->options.reopened ? "a" : "w");
  return device->stats != NULL ? SL_OK : sl_fail(err, SL_USAGE, "%.300s: the statistics cannot be written", path);
}

static void put_line(struct sl_host_device *device, json_t *object)
{
  char *text = object != NULL ? json_dumps(object, JSON_COMPACT) : NULL;
  if (text != NULL) {
    fprintf(device->stats, "%s\n", text);
    fflush(device->stats);
  }
  free(text);
  json_decref(object);
}

/* Of a launch; NULL: of all. */
static void put_counters(json_t **object, const struct sl_host_device *device, const struct sl_launch *launch)
{
  const struct sl_counters *counters = device->config.machine->counters;
  uint64_t values[SL_MAX_COUNTERS];
  json_t *members = json_object();
  for (size_t i = 0; i < counters->count; i++) {
    values[i] = launch != NULL ? launch->counters[i] : sl_gpu_total(device->gpu, i);
    sl_json_put(&members, counters->counter[i].name, sl_json_count(values[i]));
  }
  sl_json_put(object, "counters", members);
}

/* Energy of timed launches. Watts are over the simulated time of the kernels. */
static void put_energy(json_t **object, const struct sl_host_device *device, const uint64_t *counters,
                       uint64_t picoseconds)
{
  struct sl_energy energy;
  json_t *members = json_object();
  sl_energy_of(&energy, device->energy, &device->config, counters);
  sl_json_put(&members, "set", sl_json_text(device->energy->name));
  sl_json_put(&members, "joules", json_real(energy.total * 1e-12));
  sl_json_put(&members, "watts", picoseconds > 0 ? json_real(energy.total / (double)picoseconds) : json_null());
  sl_json_put(object, "energy", members);
}

static json_t *extent_json(const uint32_t extent[3])
{
  json_t *json = json_array();
  for (unsigned i = 0; i < 3; i++)
    sl_json_append(&json, sl_json_count(extent[i] > 0 || i == 0 ? extent[i] : 1));
  return json;
}

static const char *outcome_text(enum sl_status code)
{
  return code == SL_OK ? "ok" : code == SL_FAULT ? "fault" : code == SL_LIMIT ? "limit" : "error";
}

void sl_host_stats_launch(struct sl_host_device *device, const struct sl_gpu_launch *launch,
                          const struct sl_queue *queue, bool timed, double estimated, const struct sl_error *outcome)
{
  const size_t count = sl_gpu_record_count(device->gpu);
  const uint64_t picoseconds = sl_gpu_last_picoseconds(device->gpu);
  if (count == 0) /* it has not begun */
    return;
  const struct sl_gpu_record *r = sl_gpu_record(device->gpu, count - 1);
  json_t *line = json_object();
  sl_json_put(&line, "schema", json_integer(SCHEMA));
  sl_json_put(&line, "launch", sl_json_count(device->launches - 1));
  sl_json_put(&line, "stream", sl_json_count(sl_queue_number(queue)));
  sl_json_put(&line, "kernel", sl_json_text(launch->kernel));
  sl_json_put(&line, "grid", extent_json(launch->grid));
  sl_json_put(&line, "block", extent_json(launch->block));
  sl_json_put(&line, "mode", json_string(timed ? "timed" : "fast"));
  sl_json_put(&line, "outcome", json_string(outcome_text(outcome->code)));
  if (outcome->code != SL_OK)
    sl_json_put(&line, "message", sl_json_text(outcome->text));
  sl_json_put(&line, "picoseconds", sl_json_count(picoseconds));
  if (estimated >= 0)
    sl_json_put(&line, "estimated_cycles", json_real(estimated));
  sl_json_put(&line, "host_seconds", json_real(r->launch.host_seconds));
  sl_json_put(&line, "registers", sl_json_count(r->registers));
  sl_json_put(&line, "shared_bytes", sl_json_count(r->shared_bytes));
  sl_json_put(&line, "blocks_per_sm", sl_json_count(r->fits));
  if (device->energy != NULL && timed)
    put_energy(&line, device, r->launch.counters, picoseconds);
  put_counters(&line, device, &r->launch);
  put_line(device, line);
}

static void put_totals(struct sl_host_device *device)
{
  uint64_t counters[SL_MAX_COUNTERS];
  json_t *line = json_object();
  sl_json_put(&line, "schema", json_integer(SCHEMA));
  sl_json_put(&line, "totals", json_true());
  sl_json_put(&line, "simtlab", json_string(SL_VERSION));
  sl_json_put(&line, "machine", sl_json_text(device->config.name));
  sl_json_put(&line, "launches", sl_json_count(device->launches));
  sl_json_put(&line, "timed", sl_json_count(device->timed));
  sl_json_put(&line, "picoseconds", sl_json_count(sl_timeline_now(device->timeline)));
  sl_json_put(&line, "host_seconds", json_real(sl_gpu_seconds(device->gpu)));
  json_t *sample = sample_json(device);
  if (sample != NULL)
    sl_json_put(&line, "sample", sample);
  for (size_t i = 0; i < device->config.machine->counters->count; i++)
    counters[i] = sl_gpu_total(device->gpu, i);
  if (device->energy != NULL && device->timed == device->launches)
    put_energy(&line, device, counters, device->kernel_picoseconds);
  put_counters(&line, device, NULL);
  put_line(device, line);
}

void sl_host_stats_close(struct sl_host_device *device)
{
  if (device->stats == NULL)
    return;
  if (device->facts.ptx || device->facts.lanes > 0) /* it was opened completely */
    put_totals(device);
  fclose(device->stats);
}
