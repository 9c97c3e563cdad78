/* Configurations, programs and runs of the reproduction and of its extensions. */
#include "cli/paper/paper_isa64.h"

#include <string.h>

#include "device/device.h"

/* ---- declaration ------------------------------------------------------------------------------------------------- */

const char *const sl_isa64_parts[SL_ISA64_PARTS + 1] = {"vecadd", "gemm", "tiles",   "calls",  "saxpy",    "sgemv",
                                                        "sgemm",  "knn",  "sfilter", "conv2d", "gcn_aggr", NULL};

const char *const sl_isa64_callers[2] = {"blocks", "steps"};

const struct sl_isa64_step sl_isa64_tiles[] = {{4, "4 x 4", true, NULL},     {6, "6 x 6", true, NULL},
                                               {8, "8 x 8", true, NULL},     {10, "10 x 10", false, NULL},
                                               {12, "12 x 12", false, NULL}, {.word = NULL}};
/* Starts at the paper's saved registers, s12 to s59, and varies them in both directions. */
const struct sl_isa64_step sl_isa64_saved[] = {
    {0, "0", true, "none"},      {16, "16", false, "48-63"},  {32, "32", false, "48-79"}, {48, "48", true, "48-95"},
    {64, "64", false, "48-111"}, {80, "80", false, "48-127"}, {96, "96", true, "32-127"}, {.word = NULL}};
const struct sl_isa64_step sl_isa64_registers[] = {{32, "32", true, NULL},
                                                   {64, "64", false, NULL},
                                                   {128, "128", true, NULL},
                                                   {256, "256", false, NULL},
                                                   {.word = NULL}};
const struct sl_isa64_step sl_isa64_banks[] = {
    {1, "1", true, NULL}, {2, "2", false, NULL}, {4, "4", true, NULL}, {8, "8", false, NULL}, {.word = NULL}};

enum {
  EMULATOR, /* the paper's machine: the first warp that returns ends the run */
  TO_END,   /* the same, but the run ends when all warps have returned */
  WIDE,     /* vortex64 with each number of registers and banks */
  BANKS = 4,
  RV32 = WIDE + 4 * BANKS, /* vortex with each number of banks */
  CONFIGS = RV32 + BANKS
};

#define WIDE_BANKS(registers, banks)                                                                                   \
  {                                                                                                                    \
    "vortex64", NULL, "vortex64", NULL, {"registers=" registers, "registers.banks=" banks}, 0, 0                       \
  }
#define WIDE_REGISTERS(registers)                                                                                      \
  WIDE_BANKS(registers, "1"), WIDE_BANKS(registers, "2"), WIDE_BANKS(registers, "4"), WIDE_BANKS(registers, "8")
#define RV32_BANKS(banks)                                                                                              \
  {                                                                                                                    \
    "vortex", NULL, "vortex", NULL, {"atomics=true", "registers.banks=" banks}, 0, 0                                   \
  }

static const struct sl_paper_config configs[CONFIGS] = {
    {"cyclotron", NULL, "cyclotron", NULL, {NULL}, 0, 0},
    {"cyclotron", NULL, "cyclotron", NULL, {"return.ends=false"}, 0, 0},
    WIDE_REGISTERS("32"),
    WIDE_REGISTERS("64"),
    WIDE_REGISTERS("128"),
    WIDE_REGISTERS("256"),
    RV32_BANKS("1"),
    RV32_BANKS("2"),
    RV32_BANKS("4"),
    RV32_BANKS("8"),
};

/* Kernels of bench-vortex/: sources, and sizes as their argument, for --size small and --size paper. */
static const struct {
  const char *source;
  struct sl_benchmark what;
} kernels[SL_ISA64_PARTS - SL_ISA64_KERNELS] = {
    {"bench-vortex/saxpy/saxpy.c", {.name = "saxpy", .size = {"4", "44"}, .kernel = "saxpy"}},
    {"bench-vortex/sgemv/sgemv.c", {.name = "sgemv", .size = {"4", "44"}, .kernel = "sgemv"}},
    {"bench-vortex/sgemm/sgemm.c", {.name = "sgemm", .size = {"4", "24"}, .kernel = "sgemm"}},
    {"bench-vortex/knn/knn.c", {.name = "knn", .size = {"4", "44"}, .kernel = "knn"}},
    {"bench-vortex/sfilter/sfilter.c", {.name = "sfilter", .size = {"4", "24"}, .kernel = "sfilter"}},
    {"bench-vortex/conv2d/conv2d.c", {.name = "conv2d", .size = {"2", "2"}, .kernel = "conv2d"}},
    {"bench-vortex/gcn_aggr/gcn_aggr.c", {.name = "gcn_aggr", .size = {"cora", "cora"}, .kernel = "gcn_aggr"}},
};

const struct sl_isa64_step *sl_isa64_step(const struct sl_paper_runs *runs, const struct sl_isa64_step *step)
{
  while (step->word != NULL && runs->small && !step->small)
    step++;
  return step;
}

static const char *choice(size_t index)
{
  return sl_isa64_parts[index];
}

/* ---- plan -------------------------------------------------------------------------------------------------------- */

/* Adds a program unless it is listed; returns its index. */
static size_t add_program(struct sl_paper_runs *runs, const struct sl_isa64_program *program)
{
  struct sl_isa64_state *state = runs->state;
  size_t at = 0;
  while (at < state->program_count && strcmp(state->programs[at].name, program->name) != 0)
    at++;
  state->programs[at] = *program;
  state->program_count += at == state->program_count;
  return at;
}

static void add_run(struct sl_paper_runs *runs, const char *name, size_t config, const struct sl_isa64_program *program)
{
  struct sl_paper_run *run = sl_paper_plan(runs, runs->count, config, "%s", name);
  run->part = program->part;
  run->of = add_program(runs, program);
  snprintf(run->program, sizeof run->program, "programs/%s.elf", program->name);
  if (program->part >= SL_ISA64_KERNELS)
    run->what = kernels[program->part - SL_ISA64_KERNELS].what;
}

/* A bare program that runs once. */
static void add_bare(struct sl_paper_runs *runs, struct sl_isa64_program program, size_t config)
{
  program.registers = SL_ISA64_USUAL_REGISTERS;
  program.banks = SL_ISA64_USUAL_BANKS;
  add_run(runs, program.name, config, &program);
}

static void plan_paper(struct sl_paper_runs *runs, enum sl_isa64_part part)
{
  for (enum sl_isa64_compiler c = 0; c < SL_ISA64_COMPILERS; c++) {
    struct sl_isa64_program p = {.part = part,
                                 .compiler = c,
                                 .source = part == SL_ISA64_GEMM ? "bench-isa64/gemm.c" : "bench-isa64/vecadd.c",
                                 .tile = part == SL_ISA64_GEMM ? SL_ISA64_PAPER_TILE : 0,
                                 .size = SL_ISA64_PAPER_SIZE};
    snprintf(p.name, sizeof p.name, "%s-%s", sl_isa64_parts[part], sl_isa64_compilers[c]);
    add_bare(runs, p, EMULATOR);
  }
}

static void plan_tiles(struct sl_paper_runs *runs)
{
  const struct sl_isa64_step *t = sl_isa64_step(runs, sl_isa64_tiles);
  for (; t->word != NULL; t = sl_isa64_step(runs, t + 1))
    for (unsigned floats = 0; floats < 2; floats++)
      for (enum sl_isa64_compiler c = 0; c < SL_ISA64_COMPILERS; c++) {
        struct sl_isa64_program p = {.part = SL_ISA64_TILES,
                                     .compiler = c,
                                     .source = "bench-isa64/gemm.c",
                                     .tile = t->value,
                                     .size = t->value * SL_ISA64_TILES_ACROSS,
                                     .floats = floats != 0};
        snprintf(p.name, sizeof p.name, "%s%u-%s", floats != 0 ? "floats" : "words", p.tile, sl_isa64_compilers[c]);
        add_bare(runs, p, TO_END);
      }
}

static void plan_calls(struct sl_paper_runs *runs)
{
  for (size_t k = 0; k < 2; k++) {
    const char *name = sl_isa64_callers[k];
    struct sl_isa64_program p = {.part = SL_ISA64_CALLS,
                                 .compiler = SL_ISA64_STOCK,
                                 .source = k == 0 ? "bench-isa64/blocks.c" : "bench-isa64/steps.c",
                                 .size = SL_ISA64_PAPER_SIZE,
                                 .floats = k == 1};
    snprintf(p.name, sizeof p.name, "%s-stock", name);
    add_bare(runs, p, TO_END);
    for (p.compiler = SL_ISA64_UNAWARE; p.compiler < SL_ISA64_COMPILERS; p.compiler++) {
      const struct sl_isa64_step *s = sl_isa64_step(runs, sl_isa64_saved);
      for (; s->word != NULL; s = sl_isa64_step(runs, s + 1)) {
        p.saved = s->saved;
        snprintf(p.name, sizeof p.name, "%s-%s-s%u", name, sl_isa64_compilers[p.compiler], s->value);
        add_bare(runs, p, TO_END);
      }
    }
  }
}

/* Stock code is the same for all machines; bank-unaware code is the same for any number of banks. */
static void add_kernel(struct sl_paper_runs *runs, enum sl_isa64_part part, enum sl_isa64_compiler compiler,
                       const struct sl_isa64_step *registers, const struct sl_isa64_step *banks)
{
  const bool stock = compiler == SL_ISA64_STOCK, unaware = compiler == SL_ISA64_UNAWARE;
  const char *kernel = sl_isa64_parts[part], *with = sl_isa64_compilers[compiler];
  char name[64];
  struct sl_isa64_program p = {.part = part,
                               .compiler = compiler,
                               .source = kernels[part - SL_ISA64_KERNELS].source,
                               .registers = stock ? 0 : registers->value,
                               .banks = stock     ? 0
                                        : unaware ? SL_ISA64_USUAL_BANKS
                                                  : banks->value};
  if (stock) {
    snprintf(name, sizeof name, "%s-%s-b%u", kernel, with, banks->value);
    snprintf(p.name, sizeof p.name, "%s-%s", kernel, with);
  } else {
    snprintf(name, sizeof name, "%s-%s-r%u-b%u", kernel, with, registers->value, banks->value);
    snprintf(p.name, sizeof p.name, "%.*s", unaware ? (int)(strrchr(name, '-') - name) : 47, name);
  }
  add_run(runs, name, (size_t)(WIDE + (registers - sl_isa64_registers) * BANKS + (banks - sl_isa64_banks)), &p);
}

static void plan_kernel(struct sl_paper_runs *runs, enum sl_isa64_part part)
{
  const struct sl_isa64_step *b = sl_isa64_step(runs, sl_isa64_banks);
  for (; b->word != NULL; b = sl_isa64_step(runs, b + 1)) {
    struct sl_paper_run *run = sl_paper_plan(runs, runs->count, (size_t)(RV32 + (b - sl_isa64_banks)), "%s-rv32-b%u",
                                             sl_isa64_parts[part], b->value);
    run->part = part;
    run->of = SL_ISA64_PROGRAMS_MOST;
    run->what = kernels[part - SL_ISA64_KERNELS].what;
    snprintf(run->program, sizeof run->program, "bench-vortex/%s-plain.elf", sl_isa64_parts[part]);
    add_kernel(runs, part, SL_ISA64_STOCK, sl_isa64_registers, b);
    const struct sl_isa64_step *r = sl_isa64_step(runs, sl_isa64_registers);
    for (; r->word != NULL; r = sl_isa64_step(runs, r + 1))
      for (enum sl_isa64_compiler c = SL_ISA64_UNAWARE; c < SL_ISA64_COMPILERS; c++)
        add_kernel(runs, part, c, r, b);
  }
}

static enum sl_status plan(struct sl_paper_runs *runs, struct sl_error *err)
{
  (void)err;
  for (enum sl_isa64_part p = 0; p < SL_ISA64_PARTS; p++)
    if (!runs->chosen[p])
      continue;
    else if (p <= SL_ISA64_GEMM)
      plan_paper(runs, p);
    else if (p == SL_ISA64_TILES)
      plan_tiles(runs);
    else if (p == SL_ISA64_CALLS)
      plan_calls(runs);
    else
      plan_kernel(runs, p);
  return SL_OK;
}

/* ---- runs -------------------------------------------------------------------------------------------------------- */

const struct sl_isa64_program *sl_isa64_program(const struct sl_paper_runs *runs, const struct sl_paper_run *run)
{
  const struct sl_isa64_state *state = runs->state;
  return run->of < SL_ISA64_PROGRAMS_MOST ? &state->programs[run->of] : NULL;
}

const struct sl_paper_run *sl_isa64_find(const struct sl_paper_runs *runs, const char *format, ...)
{
  char name[80];
  va_list list;
  va_start(list, format);
  vsnprintf(name, sizeof name, format, list);
  va_end(list);
  for (const struct sl_paper_run *run = runs->runs; run < runs->runs + runs->count; run++)
    if (strcmp(run->name, name) == 0)
      return run;
  return NULL;
}

static enum sl_status simulate_bare(struct sl_paper_run *run, const struct sl_isa64_program *bare,
                                    const struct sl_program *program, struct sl_running *running, struct sl_error *err)
{
  const char *const arguments[] = {run->name};
  const struct sl_device_options options = {
      .progress = sl_running_progress, .progress_context = running, .whole_program = true};
  struct sl_device *device = NULL;
  enum sl_status code = sl_device_create(run->machine, &options, &device, err);
  if (code != SL_OK)
    return code;
  code = sl_device_load(device, program, 1, arguments, err);
  if (code == SL_OK) {
    sl_isa64_fill(device, bare);
    code = sl_device_run(device, err);
  }
  if (code == SL_OK)
    code = sl_isa64_check(device, bare, err);
  const struct sl_result *result = sl_device_result(device);
  for (size_t i = 0; i < run->machine->machine->counters->count; i++)
    run->result.counters[i] = sl_counter_total(run->machine->machine, i, result->launches, result->launch_count);
  sl_device_destroy(device);
  return code;
}

static enum sl_status simulate(const struct sl_paper_runs *runs, struct sl_paper_run *run,
                               const struct sl_program *program, struct sl_running *running, struct sl_error *err)
{
  return run->part < SL_ISA64_KERNELS ? simulate_bare(run, sl_isa64_program(runs, run), program, running, err)
                                      : sl_paper_run_benchmark(runs, run, program, running, err);
}

/* A kernel's counters cover the kernel only. */
static enum sl_status has_launched(struct sl_paper_run *run, const struct sl_bench_row *row, struct sl_error *err)
{
  run->result.launches = 1;
  run->result.samples = 0;
  return row->launches > 0
             ? SL_OK
             : sl_fail(err, SL_CHECK_FAILED, "the program has not launched its kernel %s", run->what.kernel);
}

const struct sl_paper sl_paper_isa64 = {
    .name = "isa64",
    .title = "R. R. Yan and S. Anand, Redesigning the Vortex GPU ISA: 64-Bit Instruction Words and Conflict-Aware "
             "Register Allocation",
    .configs = configs,
    .config_count = CONFIGS,
    .places = SL_ISA64_RUNS_MOST,
    .state = sizeof(struct sl_isa64_state),
    .choice = choice,
    .plan = plan,
    .prepare = sl_isa64_compile,
    .simulate = simulate,
    .check = has_launched,
};
