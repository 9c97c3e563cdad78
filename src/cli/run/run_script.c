#include "cli/run/run_script.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "cli/run/run_timed_script.h"
#include "ptx/launch/ptx_play.h"

struct told {
  bool quiet;
  unsigned launches;
  uint64_t limit;
  double seconds; /* that grids took */
  struct sl_ptx_counts total;
};

bool sl_is_script(const char *path)
{
  const char *dot = strrchr(path, '.');
  return dot != NULL && strcmp(dot, ".launch") == 0;
}

static void launched(void *context, const struct sl_ptx_launch *launch, const struct sl_ptx_counts *counts)
{
  struct told *told = context;
  if (told->launches == 0 && !told->quiet)
    fprintf(stderr, "launch  kernel  blocks  warp instrs  thread instrs\n");
  if (!told->quiet)
    fprintf(stderr, "%6u  %s  %llu  %llu  %llu\n", told->launches, launch->kernel->name,
            (unsigned long long)counts->blocks, (unsigned long long)counts->warp_insns,
            (unsigned long long)counts->thread_insns);
  told->launches++;
  told->total.thread_insns += counts->thread_insns;
}

static void summed(void *context, const char *buffer, uint64_t sum)
{
  (void)context;
  printf("sum %s %016llx\n", buffer, (unsigned long long)sum);
}

/* What of the machine's keys matters without time. */
static enum sl_status semantics(const struct sl_machine_choice *choice, struct sl_ptx_options *options,
                                struct sl_error *err)
{
  for (size_t i = 0; i < choice->set.count; i++) {
    const char *set = choice->set.items[i];
    if (strcmp(set, "fma=unfused") == 0)
      options->unfused = true;
    else if (strcmp(set, "fma=fused") == 0)
      options->unfused = false;
    else
      return sl_fail(err, SL_USAGE,
                     "'%.100s' is none of fma=fused and fma=unfused, the keys that matter without timing", set);
  }
  return SL_OK;
}

static double seconds(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static enum sl_status run_grid(void *context, const struct sl_ptx_launch *launch, struct sl_ptx_counts *counts,
                               struct sl_error *err)
{
  struct told *told = context;
  const double start = seconds();
  const enum sl_status code = sl_ptx_grid_run(launch, told->limit, counts, err);
  told->seconds += seconds() - start;
  return code;
}

enum sl_status sl_run_script(const char *path, const struct sl_script_options *o, struct sl_error *err)
{
  struct sl_ptx_script script;
  struct sl_ptx_options options = {0};
  struct told told = {.quiet = o->quiet, .limit = o->limit};
  const struct sl_ptx_listener listener = {launched, summed, &told};
  const struct sl_ptx_engine engine = {.run = run_grid, .context = &told};
  if (o->others)
    return sl_fail(err, SL_USAGE,
                   "of the options of run only --machine, --set, --fast, --max-cycles and --quiet are for "
                   "launch descriptions");
  if (!o->fast)
    return sl_run_timed_script(path, o->choice, o->limit, o->quiet, err);
  enum sl_status code = semantics(o->choice, &options, err);
  if (code == SL_OK)
    code = sl_ptx_script_load(&script, path, err);
  if (code != SL_OK)
    return code;
  code = sl_ptx_play(&script, &options, &engine, &listener, err);
  if (code == SL_OK && !o->quiet && told.seconds > 0)
    fprintf(stderr, "host: %.0f M thread instrs/s (%.3f s simulating the kernels)\n",
            (double)told.total.thread_insns / told.seconds / 1e6, told.seconds);
  sl_ptx_script_free(&script);
  return code;
}
