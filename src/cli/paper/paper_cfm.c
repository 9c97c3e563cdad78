/* Kernels, sweeps and machines of the reproduction, and the values that it computes from the runs. */
#include "cli/paper/paper_cfm.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* ---- declaration ------------------------------------------------------------------------------------------------- */

/* Table II, [start:end:step], times the number of hardware threads. With two dimensions the number is that of their
 * product. */
#define TO_184                                                                                                         \
  {                                                                                                                    \
    "4", "24", "44", "64", "84", "104", "124", "144", "164", "184"                                                     \
  }
#define TO_48                                                                                                          \
  {                                                                                                                    \
    "4", "8", "12", "16", "20", "24", "28", "32", "36", "40", "44", "48"                                               \
  }

const struct sl_cfm_sweep sl_cfm_sweeps[SL_CFM_KERNELS] = {
    [SL_SAXPY] = {"saxpy", TO_184, 2},
    [SL_SGEMV] = {"sgemv", TO_184, 2},
    [SL_SGEMM] = {"sgemm", TO_48, 2},
    [SL_KNN] = {"knn", TO_184, 2},
    [SL_SFILTER] = {"sfilter", TO_48, 2},
    [SL_CONV2D] = {"conv2d", {"2", "4", "6", "8", "10", "12", "14", "16", "18", "20", "22", "24"}, 2},
    [SL_GCN_AGGR] = {"gcn_aggr", {"cora", "citeseer", "pubmed"}, 1},
    [SL_SGEMV_ROWS] = {"sgemv_rows", TO_184, 2},
};

#define ROWS (1u << SL_SGEMV_ROWS)
#define WITH_ROWS (SL_CFM_SEVEN | ROWS)
#define GCN (1u << SL_GCN_AGGR)
#define SUMS (1u << SL_SGEMV | 1u << SL_SGEMM | 1u << SL_SFILTER)

#define PREDICATED "vortex-simx", "predicated"
#define EXTENDED "vortex-simx-cfm-dmsl", "cfm-dmsl"

/* clang-format off */

/* A machine without extensions and with all of them. */
#define PAIR(at, name, about, kernels, ...)                                                                            \
  [at] = {"predicated-" name, "no extension, " about, PREDICATED, {__VA_ARGS__}, kernels, at},                         \
  [(at) + 1] = {"extended-" name, "loops, streams, 3 ports, " about, EXTENDED, {__VA_ARGS__}, SL_CFM_SIX, at}

/* A shape of Figure 8. */
#define SHAPE(at, warps, lanes)                                                                                        \
  PAIR(SL_CFM_SHAPES + 2 * (at), "w" warps "t" lanes, warps " warps of " lanes " threads", SL_CFM_SIX,                 \
       "warps=" warps, "lanes=" lanes)

/* A core count; each core has first-level caches, and all share one memory port. */
#define CORES(at, cores)                                                                                               \
  PAIR(SL_CFM_CORES + 2 * (at), "c" cores, cores " cores", SL_CFM_SEVEN, "cores=" cores, "socket.cores=1")

/* Each core is a cluster with a second-level cache and a memory port. The data caches hold columns of a power of two,
 * and lines interleave over all DRAM channels. */
#define CLUSTERS(at, cores)                                                                                            \
  PAIR(SL_CFM_CLUSTERS + 2 * (at), "cl" cores, cores " clusters of a core, second-level caches", SL_CFM_SEVEN,         \
       "cores=" cores, "clusters=" cores, "socket.cores=1", "l2=true", "dcache.ways=8", "dram.interleave=64")

/* The clusters again without caches between data caches and DRAM, without extensions. */
#define DIRECT(at, cores)                                                                                              \
  [at] = {"predicated-cd" cores, "no extension, " cores " clusters of a core, no second-level caches", PREDICATED,     \
          {"cores=" cores, "clusters=" cores, "socket.cores=1", "dcache.ways=8", "dram.interleave=64"},                \
          SL_CFM_SEVEN, at}

/* RTL timing with an FPU queue. */
#define RTL(at, queue)                                                                                                 \
  [at] = {"rtl-plain-q" queue, "RTL timing, no extension, FPU queue of " queue, "vortex", "plain",                     \
          {"atomics=true", "fpu.queue=" queue}, SL_CFM_SEVEN, at},                                                     \
  [(at) + 1] = {"rtl-cfm-q" queue, "RTL timing, loops, FPU queue of " queue, "vortex-cfm", "cfm",                      \
                {"fpu.queue=" queue}, SL_CFM_SEVEN, at},                                                               \
  [(at) + 2] = {"rtl-extended-q" queue, "RTL timing, loops, streams, 3 ports, FPU queue of " queue,                    \
                "vortex-cfm-dmsl", "cfm-dmsl", {"fpu.queue=" queue}, SL_CFM_SEVEN, at}

/* gcn_aggr with other limits on loads. */
#define SLOTS(at, name, about, ...)                                                                                    \
  [at] = {"predicated-" name, "no extension, " about, PREDICATED, {__VA_ARGS__}, GCN, at},                             \
  [(at) + 1] = {"cfm-" name, "loops, " about, "vortex-simx-cfm", "cfm", {__VA_ARGS__}, GCN, at}

const struct sl_paper_config sl_cfm_configs[SL_CFM_CONFIGS] = {
    /* One core of 8 warps of 16 threads. */
    [SL_CFM_PREDICATED] = {"predicated", "no extension, every loop predicated, bounds read at run time", PREDICATED,
                           {NULL}, WITH_ROWS, 0},
    [SL_CFM_PLAIN] = {"plain", "no extension, loops optimised by hand", "vortex-simx", "plain", {NULL}, WITH_ROWS, 0},
    [SL_CFM_UNROLL_4] = {"unroll4", "the same, loops unrolled 4 times", "vortex-simx", "unroll4", {NULL},
                         SL_CFM_SEVEN, 0},
    [SL_CFM_UNROLL_8] = {"unroll8", "the same, loops unrolled 8 times", "vortex-simx", "unroll8", {NULL},
                         SL_CFM_SEVEN, 0},
    [SL_CFM_LOOPS] = {"cfm", "loops in hardware", "vortex-simx-cfm", "cfm", {NULL}, WITH_ROWS, 0},
    [SL_CFM_PORTS_1] = {"cfm-dmsl-p1", "loops, streams, 1 port", EXTENDED, {"dcache.ports=1"}, WITH_ROWS, 0},
    [SL_CFM_PORTS_2] = {"cfm-dmsl-p2", "loops, streams, 2 ports", EXTENDED, {"dcache.ports=2"}, WITH_ROWS, 0},
    [SL_CFM_PORTS_3] = {"cfm-dmsl-p3", "loops, streams, 3 ports", EXTENDED, {NULL}, WITH_ROWS, 0},
    SHAPE(0, "4", "16"), SHAPE(1, "16", "16"), SHAPE(2, "4", "32"), SHAPE(3, "8", "32"), SHAPE(4, "16", "32"),
    CORES(0, "2"), CORES(1, "4"), CORES(2, "8"),
    CLUSTERS(0, "2"), CLUSTERS(1, "4"), CLUSTERS(2, "8"),
    DIRECT(SL_CFM_DIRECT, "2"), DIRECT(SL_CFM_DIRECT + 1, "4"), DIRECT(SL_CFM_DIRECT + 2, "8"),
    RTL(SL_CFM_RTL, "2"), RTL(SL_CFM_RTL + 3, "4"),
    SLOTS(SL_CFM_SLOTS, "loads4", "4 outstanding loads", "lsu.loads=4"),
    SLOTS(SL_CFM_SLOTS + 2, "loads16", "16 outstanding loads", "lsu.loads=16"),
    SLOTS(SL_CFM_SLOTS + 4, "loads16-4M", "16 outstanding loads, 4 MiB of data cache", "lsu.loads=16",
          "dcache.bytes=4194304"),
    [SL_CFM_SUMS_2] = {"cfm-dmsl-sums2", "loops, streams, 3 ports, two chains of sums", "vortex-simx-cfm-dmsl",
                       "cfm-dmsl-sums2", {NULL}, SUMS, 0},
    [SL_CFM_LINES_3] = {"cfm-dmsl-lines3", "loops, streams, 3 ports, 3 lines of an element per cycle", EXTENDED,
                        {"streams.lines=3"}, SL_CFM_SIX | ROWS, 0},
};
/* clang-format on */

/* ---- runs -------------------------------------------------------------------------------------------------------- */

static const char *choice(size_t index)
{
  return index < SL_CFM_KERNELS ? sl_cfm_sweeps[index].kernel : NULL;
}

size_t sl_cfm_points(const struct sl_paper_runs *runs, size_t kernel)
{
  size_t count = 0;
  while (sl_cfm_sweeps[kernel].points[count] != NULL)
    count++;
  return runs->small ? sl_cfm_sweeps[kernel].small : count;
}

bool sl_cfm_has(const struct sl_paper_runs *runs, size_t config, size_t kernel)
{
  return runs->chosen[kernel] && (sl_cfm_configs[config].benchmarks >> kernel & 1);
}

static size_t place_of(size_t config, size_t kernel, size_t point)
{
  return (config * SL_CFM_KERNELS + kernel) * SL_CFM_POINTS + point;
}

const struct sl_paper_run *sl_cfm_run(const struct sl_paper_runs *runs, size_t config, size_t kernel, size_t point)
{
  return &runs->runs[place_of(config, kernel, point)];
}

static uint64_t key_of(const struct sl_config *machine, const char *name)
{
  const struct sl_key *key = sl_key_find(machine->machine->keys, name);
  return key != NULL ? (uint64_t)sl_key_value(key, machine->spec) : 0;
}

double sl_cfm_peak(const struct sl_paper_runs *runs, size_t config)
{
  const struct sl_config *machine = &runs->machines[config].with[0];
  return (double)(key_of(machine, "lanes") * key_of(machine, "cores"));
}

/* gcn_aggr cannot stream; it only uses hardware loops. */
static const char *form_of(size_t config, size_t kernel)
{
  const char *form = sl_cfm_configs[config].form;
  return kernel == SL_GCN_AGGR && strcmp(form, "cfm-dmsl") == 0 ? "cfm" : form;
}

static void plan_run(struct sl_paper_runs *runs, size_t c, size_t k, size_t p)
{
  const char *kernel = sl_cfm_sweeps[k].kernel, *point = sl_cfm_sweeps[k].points[p];
  struct sl_paper_run *run =
      sl_paper_plan(runs, place_of(c, k, p), c, "%s/%s-%s", sl_cfm_configs[c].name, kernel, point);
  run->what = (struct sl_benchmark){.name = kernel, .size = {point, point}};
  run->benchmark = kernel;
  run->argument = point;
  run->isa = form_of(c, k);
  snprintf(run->program, sizeof run->program, "bench-vortex/%s-%s.elf", kernel, run->isa);
}

static enum sl_status plan(struct sl_paper_runs *runs, struct sl_error *err)
{
  (void)err;
  for (size_t c = 0; c < SL_CFM_CONFIGS; c++)
    for (size_t k = 0; k < SL_CFM_KERNELS; k++)
      for (size_t p = 0; sl_cfm_has(runs, c, k) && p < sl_cfm_points(runs, k); p++)
        plan_run(runs, c, k, p);
  return SL_OK;
}

/* Parses the program's counts of its kernel region. */
static enum sl_status read_region(struct sl_paper_run *run, const struct sl_bench_row *row, struct sl_error *err)
{
  const char *from = strstr(row->output.text, "kernel cycles ");
  struct sl_saved_run *result = &run->result;
  char verdict[16] = "";
  result->launches = 1;
  result->samples = 0;
  if (from == NULL ||
      sscanf(from, "kernel cycles %" SCNu64 ", thread instructions %" SCNu64 ", flops %" SCNu64 ": %15s",
             &result->region.cycles, &result->region.thread_instrs, &result->region.flops, verdict) != 4 ||
      strcmp(verdict, "passed") != 0 || result->region.cycles == 0)
    return sl_fail(err, SL_CHECK_FAILED,
                   "the program does not print its kernel's cycles, instructions and FLOPs and that it passed");
  return SL_OK;
}

const struct sl_paper sl_paper_cfm_dmsl = {
    .name = "cfm-dmsl",
    .title = "G. M. Sarda et al., Decoupled Control Flow and Data Access in RISC-V GPGPUs",
    .configs = sl_cfm_configs,
    .config_count = SL_CFM_CONFIGS,
    .whole_program = true,
    .places = SL_CFM_CONFIGS * SL_CFM_KERNELS * SL_CFM_POINTS,
    .points = SL_CFM_POINTS,
    .choice = choice,
    .plan = plan,
    .check = read_region,
};

/* ---- values ------------------------------------------------------------------------------------------------------ */

static const double clock_ghz = 0.8; /* the frequency of Table III */

static double amount(const struct sl_paper_run *run, enum sl_cfm_quantity quantity, bool whole)
{
  if (quantity == SL_CFM_LINES)
    return (double)sl_paper_counter(run, "streams.lines"); /* only the kernel region's streams request lines */
  if (whole)
    return (double)sl_paper_counter(run, quantity == SL_CFM_CYCLES ? "cycles" : "thread_instrs");
  return (double)(quantity == SL_CFM_CYCLES ? run->result.region.cycles : run->result.region.thread_instrs);
}

/* Least-squares fit. With one point, the line through 0. */
double sl_cfm_slope(const struct sl_paper_runs *runs, size_t config, size_t kernel, enum sl_cfm_quantity quantity,
                    double *start)
{
  const size_t count = sl_cfm_points(runs, kernel);
  double x[SL_CFM_POINTS], y[SL_CFM_POINTS], mean_x = 0, mean_y = 0, xy = 0, xx = 0;
  for (size_t p = 0; p < count; p++) {
    const struct sl_paper_run *run = sl_cfm_run(runs, config, kernel, p);
    x[p] = (double)run->result.region.flops;
    y[p] = amount(run, quantity, false);
    mean_x += x[p] / (double)count;
    mean_y += y[p] / (double)count;
  }
  for (size_t p = 0; p < count; p++) {
    xy += (x[p] - mean_x) * (y[p] - mean_y);
    xx += (x[p] - mean_x) * (x[p] - mean_x);
  }
  const double slope = xx > 0 ? xy / xx : mean_x > 0 ? mean_y / mean_x : 0;
  if (start != NULL)
    *start = mean_y - slope * mean_x;
  return slope;
}

/* Of amounts for some FLOPs. */
static double value_of(const struct sl_paper_runs *runs, enum sl_cfm_kind kind, size_t config, double base, double own,
                       double flops)
{
  const double rate = sl_paper_quotient(flops, own);
  switch (kind) {
  case SL_CFM_SPEEDUP:
  case SL_CFM_REDUCTION: return sl_paper_quotient(base, own);
  case SL_CFM_SHARE: return 100 * rate / sl_cfm_peak(runs, config);
  default: return clock_ghz * rate;
  }
}

double sl_cfm_value(const struct sl_paper_runs *runs, enum sl_cfm_kind kind, size_t base, size_t config, size_t kernel,
                    enum sl_cfm_way way)
{
  const enum sl_cfm_quantity quantity = kind == SL_CFM_REDUCTION ? SL_CFM_INSTRUCTIONS : SL_CFM_CYCLES;
  const size_t count = sl_cfm_points(runs, kernel);
  double sum = 0;
  if (way == SL_CFM_SLOPE)
    return value_of(runs, kind, config, sl_cfm_slope(runs, base, kernel, quantity, NULL),
                    sl_cfm_slope(runs, config, kernel, quantity, NULL), 1);
  for (size_t p = 0; p < count; p++) {
    const struct sl_paper_run *run = sl_cfm_run(runs, config, kernel, p);
    sum += value_of(runs, kind, config, amount(sl_cfm_run(runs, base, kernel, p), quantity, way == SL_CFM_WHOLE),
                    amount(run, quantity, way == SL_CFM_WHOLE), (double)run->result.region.flops);
  }
  return sum / (double)count;
}

double sl_cfm_mean(const struct sl_paper_runs *runs, enum sl_cfm_kind kind, size_t base, size_t config,
                   unsigned kernels, enum sl_cfm_way way)
{
  double sum = 0, count = 0;
  for (size_t k = 0; k < SL_CFM_KERNELS; k++)
    if ((kernels >> k & 1) && sl_cfm_has(runs, config, k)) {
      sum += sl_cfm_value(runs, kind, base, config, k, way);
      count++;
    }
  return sl_paper_quotient(sum, count);
}

double sl_cfm_measured(const struct sl_paper_runs *runs, const struct sl_cfm_measure *m, enum sl_cfm_way way)
{
  double most = 0;
  bool any = false;
  for (size_t k = 0; k < SL_CFM_KERNELS; k++)
    if ((m->kernels >> k & 1) && runs->chosen[k]) {
      any = true;
      if (m->largest && sl_cfm_has(runs, m->config, k))
        most = fmax(most, sl_cfm_value(runs, m->kind, m->base, m->config, k, way));
    }
  if (!any)
    return NAN;
  if (m->kind == SL_CFM_GAIN)
    return sl_paper_quotient(sl_cfm_mean(runs, SL_CFM_RATE, m->config, m->config, m->kernels, way),
                             sl_cfm_mean(runs, SL_CFM_RATE, m->base, m->base, m->kernels, way));
  return m->largest ? most : sl_cfm_mean(runs, m->kind, m->base, m->config, m->kernels, way);
}
