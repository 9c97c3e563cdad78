#include "cli/run/run_timed_script.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>

#include "machine/sm7/sm7.h"
#include "machine/sm7/sm7_engine.h"
#include "observe/table.h"

struct timed {
  struct sl_sm7_engine engine;
  struct sl_table launches;
  struct timespec began; /* the last launch, or all */
};

static double seconds_since(const struct timespec *began)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)(now.tv_sec - began->tv_sec) + (double)(now.tv_nsec - began->tv_nsec) / 1e9;
}

static void name_limits(unsigned limited, char *text, size_t size)
{
  size_t used = 0;
  for (unsigned bit = 1; bit < 1u << SL_SM7_LIMITS; bit *= 2)
    if ((limited & bit) && used < size) {
      const int n = snprintf(text + used, size - used, "%s%s", used ? ", " : "", sl_sm7_limit_name(bit));
      used += n > 0 ? (size_t)n : 0;
    }
}

static void launched(void *context, const struct sl_ptx_launch *launch, const struct sl_ptx_counts *counts)
{
  struct timed *t = context;
  const struct sl_sm7_occupancy *o = &t->engine.gpu->occupancy;
  char limits[80] = "";
  name_limits(o->limited, limits, sizeof limits);
  sl_table_cell(&t->launches, "%s", launch->kernel->name);
  sl_table_cell(&t->launches, "%" PRIu64, counts->cycles);
  sl_table_cell(&t->launches, "%" PRIu64, counts->warp_insns);
  sl_table_cell(&t->launches, "%" PRIu64, counts->thread_insns);
  sl_table_cell(&t->launches, "%" PRIu64, counts->blocks);
  sl_table_cell(&t->launches, "%u", o->fits);
  sl_table_cell(&t->launches, "%s", limits);
}

static void summed(void *context, const char *buffer, uint64_t sum)
{
  (void)context;
  printf("sum %s %016" PRIx64 "\n", buffer, sum);
}

/* Counters that are not zero; of issue slots also how many of all they are. */
static void print_counters(const struct timed *t)
{
  static const char *const titles[] = {"counter", ">value", ">%", NULL};
  const struct sl_sm7_totals totals = sl_sm7_gpu_totals(t->engine.gpu);
  struct sl_table table;
  uint64_t slots = 0;
  for (unsigned i = 0; i < SL_SM7_CAUSES; i++)
    slots += totals.sm.cause[i];
  sl_table_init(&table, titles);
  for (size_t i = 0; i < sl_sm7_counters.count; i++) {
    const struct sl_counter *c = &sl_sm7_counters.counter[i];
    const uint64_t value = sl_sm7_counter(&totals, t->engine.cycles, i);
    if (value == 0)
      continue;
    sl_table_cell(&table, "%s", c->name);
    sl_table_cell(&table, "%" PRIu64, value);
    if (c->role == SL_COUNTER_CAUSE)
      sl_table_cell(&table, "%.1f", 100 * (double)value / (double)slots);
    else
      sl_table_cell(&table, "%s", "");
  }
  sl_table_print(&table, stderr);
  sl_table_free(&table);
}

static void print_summary(const struct timed *t)
{
  const double seconds = seconds_since(&t->began);
  const struct sl_sm7_totals totals = sl_sm7_gpu_totals(t->engine.gpu);
  sl_table_print(&t->launches, stderr);
  print_counters(t);
  fprintf(stderr, "host: %.1f M thread instrs/s, %.2f M cycles/s (%.3f s)\n",
          (double)totals.sm.thread_instructions / seconds / 1e6, (double)t->engine.cycles / seconds / 1e6, seconds);
}

static enum sl_status play(struct timed *t, const struct sl_ptx_script *script, const struct sl_sm7_spec *spec,
                           bool quiet, struct sl_error *err)
{
  static const char *const titles[] = {"kernel",  ">cycles",         ">warp instrs", ">thread instrs",
                                       ">blocks", ">per SM at most", "by",           NULL};
  const struct sl_ptx_options options = {.unfused = spec->fma == SL_SM7_UNFUSED};
  const struct sl_ptx_listener listener = {launched, summed, t};
  const struct sl_ptx_engine engine = sl_sm7_ptx_engine(&t->engine);
  sl_table_init(&t->launches, titles);
  clock_gettime(CLOCK_MONOTONIC, &t->began);
  const enum sl_status code = sl_ptx_play(script, &options, &engine, &listener, err);
  if (code == SL_OK && !quiet)
    print_summary(t);
  sl_table_free(&t->launches);
  return code;
}

enum sl_status sl_run_timed_script(const char *path, const struct sl_machine_choice *choice, uint64_t limit, bool quiet,
                                   struct sl_error *err)
{
  struct sl_config config;
  struct sl_ptx_script script;
  struct timed timed = {0};
  enum sl_status code = sl_open_machine(choice, &config, err);
  if (code != SL_OK)
    return code;
  if (config.machine != &sl_sm7) {
    sl_config_close(&config);
    return sl_fail(err, SL_USAGE, "machine %s runs PTX without timing only: add --fast, or choose -m sm7",
                   choice->machine);
  }
  code = sl_ptx_script_load(&script, path, err);
  if (code == SL_OK) {
    code = sl_sm7_engine_open(&timed.engine, config.spec, err);
    timed.engine.limit = limit;
    if (code == SL_OK)
      code = play(&timed, &script, config.spec, quiet, err);
    sl_sm7_engine_close(&timed.engine);
    sl_ptx_script_free(&script);
  }
  sl_config_close(&config);
  return code;
}
