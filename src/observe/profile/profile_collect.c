#include "observe/profile/profile_collect.h"

enum sl_status sl_profile_collector_create(struct sl_profile_collector *collector, const struct sl_soc *soc,
                                           const struct sl_program *program, struct sl_error *err)
{
  *collector = (struct sl_profile_collector){.device = NULL};
  return sl_profile_create(&collector->profile, soc, program, err);
}

void sl_profile_collector_free(struct sl_profile_collector *collector)
{
  sl_profile_free(&collector->profile);
  sl_residency_free(&collector->residency);
  sl_occupancies_free(&collector->occupancies);
}

/* After a counted launch its register samples are valid until the next launch begins. */
static void keep_residency(struct sl_profile_collector *c, size_t number)
{
  const struct sl_series *series = sl_device_residency(c->device);
  if (series != NULL && c->profile.counting)
    sl_residency_add(&c->residency, number, c->entry, series);
}

/* The machine keeps the block layout of its last kernel. */
static void keep_occupancy(struct sl_profile_collector *c, size_t number)
{
  struct sl_occupancy_launch launch = {.number = number, .entry = c->entry};
  if (c->profile.counting && sl_device_occupancy(c->device, &launch.occupancy))
    sl_occupancies_add(&c->occupancies, &launch);
}

static bool hear(void *context, const struct sl_probe *probe)
{
  struct sl_profile_collector *c = context;
  if (probe->kind == SL_PROBE_LAUNCHED)
    c->entry = (uint32_t)probe->pc;
  if (probe->kind == SL_PROBE_ENDED) {
    keep_residency(c, probe->launch);
    keep_occupancy(c, probe->launch);
  }
  const struct sl_probes rows = sl_profile_probes(&c->profile);
  return rows.tell(rows.context, probe);
}

struct sl_probes sl_profile_collector_probes(struct sl_profile_collector *collector)
{
  return (struct sl_probes){
      .wanted = sl_profile_probes(&collector->profile).wanted, .tell = hear, .context = collector};
}

void sl_profile_collector_cut_short(struct sl_profile_collector *collector)
{
  const size_t launched = sl_device_result(collector->device)->launch_count;
  if (launched > 0 && collector->occupancies.count == 0)
    keep_occupancy(collector, launched - 1);
  if (launched > 0 && collector->residency.count == 0)
    keep_residency(collector, launched - 1);
}
