#include "host/host_sample.h"

#include <math.h>
#include <string.h>

#include "base/keys.h"
#include "device/engine/launch_sampling.h"
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

json_t *sl_host_sample_json(struct sl_host_device *device)
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
