/* The events of PTX kernels that a launch script runs (tests/unit/conformance.h). */
#include "conformance.h"
#include "gpu/grids.h"
#include "machine/sm7/sm7.h"

static uint64_t total(const struct sl_grids *grids, const char *name)
{
  for (size_t i = 0; i < sl_sm7_counters.count; i++)
    if (strcmp(sl_sm7_counters.counter[i].name, name) == 0)
      return sl_grids_total(grids, i);
  abort();
}

static unsigned run(const struct sl_config *config, const char *path, bool fast)
{
  struct conformance c;
  struct sl_grids grids;
  struct sl_ptx_script script;
  struct sl_error err = {0};
  const struct sl_sm7_spec *spec = config->spec;
  const unsigned sms = fast ? 1 : spec->clusters * spec->sms_per_cluster;
  conformance_begin(&c, fast ? "without timing" : "with timing", config->machine, sms, !fast, 0);
  const struct sl_grids_options options = {.fast = fast, .bounds.probes = &c.probes};
  enum sl_status code = sl_grids_open(&grids, config, &options, &err);
  if (code == SL_OK)
    code = sl_ptx_script_load(&script, path, &err);
  if (code == SL_OK) {
    const struct sl_ptx_options semantics = sl_grids_semantics(&grids);
    const struct sl_ptx_engine engine = sl_grids_engine(&grids);
    code = sl_ptx_play(&script, &semantics, &engine, &(struct sl_ptx_observer){0}, &err);
  }
  if (code != SL_OK) {
    fprintf(stderr, "%s\n", err.text);
    exit(2);
  }
  /* Eliminated instructions execute, too. */
  conformance_counters(&c, total(&grids, "warp_instrs") + total(&grids, "oracle.dropped"),
                       total(&grids, "thread_instrs") + total(&grids, "oracle.dropped_lanes"),
                       total(&grids, "cycles") * sms * spec->schedulers);
  for (unsigned i = 0; i < SL_PROBE_KINDS; i++)
    printf("%u %" PRIu64 "\n", i, c.count[i]);
  sl_ptx_script_free(&script);
  sl_grids_close(&grids);
  return conformance_end(&c);
}

int main(int argc, char **argv)
{
  struct sl_error err;
  struct sl_config config;
  if (argc < 3 || sl_config_open(&config, argv[1], &err) != SL_OK)
    return 2;
  for (int i = 3; i < argc; i++)
    if (sl_config_set(&config, argv[i], &err) != SL_OK)
      return 2;
  const unsigned failures = run(&config, argv[2], false) + run(&config, argv[2], true);
  sl_config_close(&config);
  return failures > 0;
}
