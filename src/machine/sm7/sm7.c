#include "machine/sm7/sm7.h"

static enum sl_status create(const void *spec, const struct sl_sm_environment *environment, struct sl_sm **sm,
                             struct sl_error *err)
{
  (void)spec;
  (void)environment;
  (void)sm;
  return sl_fail(err, SL_USAGE,
                 "the machine sm7 runs grids of PTX that a launch description names, not RISC-V "
                 "programs; use simtlab run -m sm7 FILE.launch");
}

/* There is none, since create has refused. */
static void destroy(struct sl_sm *sm)
{
  (void)sm;
}

static struct sl_soc soc(const void *spec)
{
  const struct sl_sm7_spec *s = spec;
  return (struct sl_soc){.lanes = SL_SM7_LANES,
                         .warps = s->warps,
                         .cores = s->clusters * s->sms_per_cluster,
                         .scratchpad_bytes = s->shared_bytes,
                         .no_host = true};
}

static struct sl_peaks peaks(const void *spec)
{
  const struct sl_sm7_spec *s = spec;
  const double sms = (double)s->clusters * s->sms_per_cluster;
  const double dram = (double)s->channels * SL_SM7_SECTOR * s->dram_mhz / s->core_mhz;
  return (struct sl_peaks){
      .operations = {sms * s->schedulers * SL_SM7_LANES, "clusters x sms_per_cluster x schedulers x 32"},
      .dram = {dram, "channels x 32 x dram.mhz / core.mhz"},
      .scratchpad = {sms * SL_SM7_LANES * 4, "clusters x sms_per_cluster x 32 x 4"},
      .traffic_role = SL_COUNTER_DRAM_BEATS,
      .traffic_bytes = SL_SM7_SECTOR};
}

static unsigned profiled(const void *spec)
{
  (void)spec;
  return 0;
}

static const struct sl_advice advice[] = {{SL_FAULT_NONE, NULL, 0, 0}};

const struct sl_machine sl_sm7 = {
    .name = "sm7",
    .summary = "a GPU of Volta's shape, cycle for cycle GPGPU-Sim's SM7_TITANV; runs PTX",
    .keys = &sl_sm7_keys,
    .spec_size = sizeof(struct sl_sm7_spec),
    .counters = &sl_sm7_counters,
    .causes = &sl_sm7_causes,
    .profiled = profiled,
    .check = sl_sm7_check,
    .soc = soc,
    .peaks = peaks,
    .advice = advice,
    .life = {.create = create, .destroy = destroy},
};
