/* Benchmark suites: their benchmarks, and the paths of the programs. */
#include <string.h>

#include "cli/bench/bench.h"
#include "cli/locations.h"

/* The variants of each kernel. Sizes are items per hardware thread: a small one, and the last of the paper's sweep. */
#define PLAIN_FORMS(name_, small, paper)                                                                               \
  {.name = name_ "-plain", .size = {small, paper}, .kernel = name_},                                                   \
      {.name = name_ "-unroll4", .size = {small, paper}, .kernel = name_},                                             \
      {.name = name_ "-unroll8", .size = {small, paper}, .kernel = name_},                                             \
  {                                                                                                                    \
    .name = name_ "-cfm", .size = {small, paper}, .needs = "loops.count", .kernel = name_                              \
  }
#define ALL_FORMS(name_, small, paper)                                                                                 \
  PLAIN_FORMS(name_, small, paper),                                                                                    \
  {                                                                                                                    \
    .name = name_ "-cfm-dmsl", .size = {small, paper}, .needs = "streams.count", .kernel = name_                       \
  }

/* A library benchmark and its variant. */
#define BOTH(name_, wants_)                                                                                            \
  {.name = name_, .wants = wants_},                                                                                    \
  {                                                                                                                    \
    .name = name_ "-variant", .wants = wants_, .variant = true                                                         \
  }

/* The kernel library, then benchmarks of machines that also schedule work by thread: Vortex has all variants; machines
 * that schedule blocks in hardware have the plain variant. */
static const struct sl_benchmark benchmarks[] = {
    BOTH("VecAdd", 0),
    BOTH("Histogram", SL_WANTS_ATOMICS),
    BOTH("Reduce", 0),
    BOTH("Scan", SL_WANTS_LOCAL_MEMORY),
    BOTH("Transpose", SL_WANTS_LOCAL_MEMORY),
    BOTH("MatVecMul", 0),
    BOTH("MatMul", SL_WANTS_LOCAL_MEMORY),
    BOTH("BitonicSortSmall", SL_WANTS_LOCAL_MEMORY),
    BOTH("BitonicSortLarge", SL_WANTS_LOCAL_MEMORY),
    BOTH("SparseMatVecMul", 0),
    BOTH("BlockedStencil", 0),
    BOTH("StripedStencil", 0),
    BOTH("VecGCD", 0),
    BOTH("MotionEst", SL_WANTS_LOCAL_MEMORY),
    BOTH("BitonicSortLarge_Float", SL_WANTS_FPU | SL_WANTS_LOCAL_MEMORY),
    BOTH("MatMul_Float", SL_WANTS_FPU | SL_WANTS_LOCAL_MEMORY),
    ALL_FORMS("saxpy", "4", "184"),
    ALL_FORMS("sgemv", "4", "184"),
    ALL_FORMS("sgemm", "4", "48"),
    ALL_FORMS("knn", "4", "184"),
    ALL_FORMS("sfilter", "4", "48"),
    ALL_FORMS("conv2d", "2", "24"),
    PLAIN_FORMS("gcn_aggr", "cora", "pubmed"),
};

const struct sl_bench_suite sl_library_suite = {benchmarks, SL_LIBRARY};
const struct sl_bench_suite sl_every_suite = {benchmarks, sizeof benchmarks / sizeof benchmarks[0]};

static bool is_vortex(const struct sl_config *config)
{
  return config->machine->soc(config->spec).launches == SL_LAUNCH_PROGRAM;
}

static bool deals_blocks(const struct sl_config *config)
{
  return config->machine->soc(config->spec).launches == SL_LAUNCH_GRID;
}

const struct sl_bench_suite *sl_bench_suite_of(const struct sl_config *config)
{
  return is_vortex(config) || deals_blocks(config) ? &sl_every_suite : &sl_library_suite;
}

enum sl_status sl_bench_load(const struct sl_benchmark *benchmark, const struct sl_config *config, bool rv32e,
                             struct sl_program **program, struct sl_error *err)
{
  char relative[64], path[SL_PATH];
  const char *folder = "bench";
  if (rv32e && (is_vortex(config) || deals_blocks(config)))
    return sl_fail(err, SL_USAGE, "%s is not compiled for 16 registers of %s; leave out --rv32e", benchmark->name,
                   config->name);
  if (is_vortex(config))
    folder = benchmark < benchmarks + SL_LIBRARY ? "bench-on-vortex" : "bench-vortex";
  else if (deals_blocks(config))
    folder = "bench-on-sm7";
  else if (rv32e)
    folder = "bench-rv32e";
  snprintf(relative, sizeof relative, "%s/%s.elf", folder, benchmark->name);
  enum sl_status code = sl_find_data(relative, path, err);
  return code == SL_OK ? sl_program_load(path, program, err) : code;
}

static const struct sl_benchmark *find(const struct sl_bench_suite *suite, const char *name, size_t length)
{
  for (size_t i = 0; i < suite->count; i++)
    if (strlen(suite->benchmark[i].name) == length && strncmp(suite->benchmark[i].name, name, length) == 0)
      return &suite->benchmark[i];
  return NULL;
}

static enum sl_status unknown(const struct sl_bench_suite *suite, const char *name, size_t length, struct sl_error *err)
{
  const char *names[SL_BENCHMARKS_MOST];
  char word[80];
  for (size_t i = 0; i < suite->count; i++)
    names[i] = suite->benchmark[i].name;
  snprintf(word, sizeof word, "%.*s", (int)(length < 79 ? length : 79), name);
  return sl_unknown(err, "benchmark", word, names, suite->count);
}

enum sl_status sl_bench_choose(const struct sl_bench_suite *suite, const char *list, bool variants,
                               const struct sl_benchmark *chosen[SL_BENCHMARKS_MOST], size_t *count,
                               struct sl_error *err)
{
  bool wanted[SL_BENCHMARKS_MOST] = {false};
  for (const char *name = list; name != NULL && *name != '\0';) {
    size_t length = strcspn(name, ",");
    const struct sl_benchmark *benchmark = find(suite, name, length);
    if (benchmark == NULL)
      return unknown(suite, name, length, err);
    wanted[benchmark - suite->benchmark] = true;
    name += length + (name[length] == ',');
  }
  *count = 0;
  for (size_t i = 0; i < suite->count; i++)
    if (wanted[i] || (list == NULL && (variants || !suite->benchmark[i].variant)))
      chosen[(*count)++] = &suite->benchmark[i];
  return *count > 0 ? SL_OK : sl_fail(err, SL_USAGE, "--only names no benchmark");
}

static bool has(const struct sl_config *config, const char *name)
{
  const struct sl_key *key = name != NULL ? sl_key_find(config->machine->keys, name) : NULL;
  return name == NULL || (key != NULL && sl_key_value(key, config->spec) != 0);
}

static bool is_compiled(const struct sl_config *config, const struct sl_benchmark *benchmark)
{
  const char *form = benchmark < benchmarks + SL_LIBRARY ? NULL : strrchr(benchmark->name, '-');
  return !deals_blocks(config) || form == NULL || strcmp(form, "-plain") == 0;
}

enum sl_status sl_bench_keep_possible(const struct sl_config *config, bool named, const struct sl_benchmark **chosen,
                                      size_t *count, struct sl_error *err)
{
  size_t kept = 0;
  for (size_t i = 0; i < *count; i++) {
    const char *needs = chosen[i]->needs;
    const bool compiled = is_compiled(config, chosen[i]);
    if (!compiled && named)
      return sl_fail(err, SL_USAGE, "%s is a variant for Vortex machines; on %s there is %s-plain", chosen[i]->name,
                     config->name, chosen[i]->kernel);
    if (compiled && has(config, needs))
      chosen[kept++] = chosen[i];
    else if (!compiled)
      continue;
    else if (named)
      return sl_fail(err, SL_USAGE, "%s needs what %s does not have: set %s, or take a preset that has it",
                     chosen[i]->name, config->name, needs);
  }
  *count = kept;
  return SL_OK;
}
