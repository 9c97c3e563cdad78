/* The events of PTX kernels that a launch script runs (tests/unit/conformance.h). */
#include "conformance.h"
#include "device/script.h"
#include "machine/sm7/sm7_gpu.h"

static uint64_t total(const struct sl_gpu *gpu, const char *name)
{
  for (size_t i = 0; i < sl_sm7_counters.count; i++)
    if (strcmp(sl_sm7_counters.counter[i].name, name) == 0)
      return sl_gpu_total(gpu, i);
  abort();
}

static unsigned run(const struct sl_config *config, const char *path, bool fast)
{
  struct conformance c;
  struct sl_gpu *gpu = NULL;
  struct sl_script script;
  struct sl_error err = {0};
  const struct sl_sm7_spec *spec = config->spec;
  const unsigned sms = fast ? 1 : spec->clusters * spec->sms_per_cluster;
  conformance_begin(&c, fast ? "without timing" : "with timing", config->machine, sms, !fast, 0);
  const struct sl_gpu_options options = {.fast = fast, .bounds.probes = &c.probes};
  const struct sl_script_observer none = {.context = NULL};
  enum sl_status code = sl_gpu_open(&gpu, config, &options, &err);
  if (code == SL_OK)
    code = sl_script_load(&script, path, &err);
  if (code == SL_OK)
    code = sl_script_perform(&script, gpu, NULL, &none, &err);
  if (code != SL_OK) {
    fprintf(stderr, "%s\n", err.text);
    exit(2);
  }
  /* Eliminated instructions execute, too. */
  conformance_counters(&c, total(gpu, "warp_instrs") + total(gpu, "oracle.dropped"),
                       total(gpu, "thread_instrs") + total(gpu, "oracle.dropped_lanes"),
                       total(gpu, "cycles") * sms * spec->schedulers);
  for (unsigned i = 0; i < SL_PROBE_KINDS; i++)
    printf("%u %" PRIu64 "\n", i, c.count[i]);
  sl_script_free(&script);
  sl_gpu_close(gpu);
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
