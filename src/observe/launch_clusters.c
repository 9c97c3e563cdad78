#include "observe/launch_clusters.h"

#include <math.h>

#include "device/engine/launch_sampling.h"
#include "observe/json.h"

static size_t cycles_of(const struct sl_gpu *gpu)
{
  const struct sl_counters *counters = sl_gpu_config(gpu)->machine->counters;
  size_t i = 0;
  while (counters->counter[i].role != SL_COUNTER_CYCLES)
    i++;
  return i;
}

static json_t *cluster_json(const struct sl_launch_cluster *c, struct sl_launch_sum cycles)
{
  json_t *block = json_array(), *blocks = json_array();
  for (unsigned i = 0; i < 3; i++)
    sl_json_append(&block, sl_json_count(c->block[i] > 0 ? c->block[i] : 1));
  sl_json_append(&blocks, sl_json_count(c->least_blocks));
  sl_json_append(&blocks, sl_json_count(c->most_blocks));
  return SL_JSON({"kernel", sl_json_text(c->kernel)}, {"block", block}, {"shared", sl_json_count(c->shared)},
                 {"blocks", blocks}, {"launches", sl_json_count(c->launches)}, {"timed", sl_json_count(c->timed)},
                 {"warp_instrs", sl_json_count(c->warp_instructions)}, {"cycles", json_real(cycles.value)},
                 {"interval", isfinite(cycles.bar) ? json_real(cycles.bar) : json_null()});
}

json_t *sl_launch_clusters_json(const struct sl_gpu *gpu)
{
  const struct sl_launch_sampler *sampler = sl_gpu_launch_sampler(gpu);
  const size_t cycles = cycles_of(gpu);
  json_t *json = json_array();
  for (size_t i = 0; i < sl_launch_sampler_clusters(sampler); i++) {
    const struct sl_launch_cluster c = sl_launch_sampler_cluster(sampler, i);
    if (c.timed > 0)
      sl_json_append(&json, cluster_json(&c, sl_launch_sampler_of_cluster(sampler, i, cycles)));
  }
  return json;
}
