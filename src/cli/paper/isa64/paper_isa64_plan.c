/* Programs and runs of the reproduction and of its extensions. */
#include <stdio.h>
#include <string.h>

#include "cli/options.h"
#include "cli/paper/isa64/paper_isa64.h"

const char *const sl_isa64_parts[SL_ISA64_PARTS] = {"vecadd", "gemm", "tiles",   "calls",  "saxpy",   "sgemv",
                                                    "sgemm",  "knn",  "sfilter", "conv2d", "gcn_aggr"};

const char *const sl_isa64_compilers[SL_ISA64_COMPILERS] = {"stock", "unaware", "first-fit", "cost"};

static const char *const kernel_sources[] = {"bench-vortex/saxpy/saxpy.c",      "bench-vortex/sgemv/sgemv.c",
                                             "bench-vortex/sgemm/sgemm.c",      "bench-vortex/knn/knn.c",
                                             "bench-vortex/sfilter/sfilter.c",  "bench-vortex/conv2d/conv2d.c",
                                             "bench-vortex/gcn_aggr/gcn_aggr.c"};

#define RANGE(...)                                                                                                     \
  {                                                                                                                    \
    (const unsigned[]){__VA_ARGS__}, sizeof((const unsigned[]){__VA_ARGS__}) / sizeof(unsigned)                        \
  }

static const struct sl_isa64_ranges paper_ranges = {.tiles = RANGE(4, 6, 8, 10, 12),
                                                    .saved = RANGE(0, 16, 32, 48, 64, 80, 96),
                                                    .registers = RANGE(32, 64, 128, 256),
                                                    .banks = RANGE(1, 2, 4, 8)};
static const struct sl_isa64_ranges small_ranges = {
    .tiles = RANGE(4, 6, 8), .saved = RANGE(0, 48, 96), .registers = RANGE(32, 128), .banks = RANGE(1, 4)};

/* Starts at the paper's saved registers, s12 to s59, and varies them in both directions. */
const char *sl_isa64_saved_list(unsigned saved)
{
  static const char *const lists[] = {"none", "48-63", "48-79", "48-95", "48-111", "48-127", "32-127"};
  return lists[saved / 16];
}

static enum sl_status open_machine(struct sl_isa64_runs *runs, size_t at, const char *preset, const char *const *set,
                                   struct sl_error *err)
{
  struct sl_machine_choice choice = {.machine = preset};
  if (runs->machines[at].machine != NULL)
    return SL_OK;
  for (; *set != NULL; set++)
    choice.set.items[choice.set.count++] = *set;
  return sl_open_machine(&choice, &runs->machines[at], err);
}

static enum sl_status open_emulators(struct sl_isa64_runs *runs, struct sl_error *err)
{
  static const char *const as_published[] = {NULL}, *const to_end[] = {"return.ends=false", NULL};
  const enum sl_status code = open_machine(runs, SL_ISA64_EMULATOR, "cyclotron", as_published, err);
  return code == SL_OK ? open_machine(runs, SL_ISA64_TO_END, "cyclotron", to_end, err) : code;
}

static enum sl_status open_pipelines(struct sl_isa64_runs *runs, struct sl_error *err)
{
  const struct sl_isa64_range *registers = &runs->ranges.registers, *banks = &runs->ranges.banks;
  char register_word[32], bank_word[32];
  const char *const wide[] = {register_word, bank_word, NULL}, *const rv32[] = {"atomics=true", bank_word, NULL};
  enum sl_status code = SL_OK;
  for (size_t b = 0; b < banks->count && code == SL_OK; b++) {
    snprintf(bank_word, sizeof bank_word, "registers.banks=%u", banks->value[b]);
    code = open_machine(runs, SL_ISA64_RV32 + b, "vortex", rv32, err);
    for (size_t r = 0; r < registers->count && code == SL_OK; r++) {
      snprintf(register_word, sizeof register_word, "registers=%u", registers->value[r]);
      code = open_machine(runs, SL_ISA64_WIDE + r * SL_ISA64_STEPS + b, "vortex64", wide, err);
    }
  }
  return code;
}

/* Adds a program unless it is listed; returns its index. */
static size_t add_program(struct sl_isa64_runs *runs, const struct sl_isa64_program *program)
{
  size_t at = 0;
  while (at < runs->program_count && strcmp(runs->programs[at].name, program->name) != 0)
    at++;
  runs->programs[at] = *program;
  runs->program_count += at == runs->program_count;
  return at;
}

static struct sl_isa64_run *add_run(struct sl_isa64_runs *runs, enum sl_isa64_part part, size_t program, size_t machine)
{
  struct sl_isa64_run *run = &runs->runs[runs->count++];
  *run = (struct sl_isa64_run){.part = part, .program = program, .machine = machine};
  if (program != SL_ISA64_RV32_PROGRAM)
    memcpy(run->name, runs->programs[program].name, sizeof run->name);
  return run;
}

/* A bare program that runs once. */
static void add_bare(struct sl_isa64_runs *runs, struct sl_isa64_program program, size_t machine)
{
  program.registers = SL_ISA64_USUAL_REGISTERS;
  program.banks = SL_ISA64_USUAL_BANKS;
  add_run(runs, program.part, add_program(runs, &program), machine);
}

static void plan_paper(struct sl_isa64_runs *runs, enum sl_isa64_part part)
{
  for (enum sl_isa64_compiler c = 0; c < SL_ISA64_COMPILERS; c++) {
    struct sl_isa64_program p = {.part = part,
                                 .compiler = c,
                                 .source = part == SL_ISA64_GEMM ? "bench-isa64/gemm.c" : "bench-isa64/vecadd.c",
                                 .tile = part == SL_ISA64_GEMM ? SL_ISA64_PAPER_TILE : 0,
                                 .size = SL_ISA64_PAPER_SIZE};
    snprintf(p.name, sizeof p.name, "%s-%s", sl_isa64_parts[part], sl_isa64_compilers[c]);
    add_bare(runs, p, SL_ISA64_EMULATOR);
  }
}

static void plan_tiles(struct sl_isa64_runs *runs)
{
  const struct sl_isa64_range *tiles = &runs->ranges.tiles;
  for (size_t t = 0; t < tiles->count; t++)
    for (unsigned floats = 0; floats < 2; floats++)
      for (enum sl_isa64_compiler c = 0; c < SL_ISA64_COMPILERS; c++) {
        struct sl_isa64_program p = {.part = SL_ISA64_TILES,
                                     .compiler = c,
                                     .source = "bench-isa64/gemm.c",
                                     .tile = tiles->value[t],
                                     .size = tiles->value[t] * SL_ISA64_TILES_ACROSS,
                                     .floats = floats != 0};
        snprintf(p.name, sizeof p.name, "%s%u-%s", floats != 0 ? "floats" : "words", p.tile, sl_isa64_compilers[c]);
        add_bare(runs, p, SL_ISA64_TO_END);
      }
}

static void plan_calls(struct sl_isa64_runs *runs)
{
  static const char *const names[] = {"blocks", "steps"}, *const sources[] = {"bench-isa64/blocks.c",
                                                                              "bench-isa64/steps.c"};
  for (size_t k = 0; k < 2; k++) {
    struct sl_isa64_program p = {.part = SL_ISA64_CALLS,
                                 .compiler = SL_ISA64_STOCK,
                                 .source = sources[k],
                                 .size = SL_ISA64_PAPER_SIZE,
                                 .floats = k == 1};
    snprintf(p.name, sizeof p.name, "%s-stock", names[k]);
    add_bare(runs, p, SL_ISA64_TO_END);
    for (p.compiler = SL_ISA64_UNAWARE; p.compiler < SL_ISA64_COMPILERS; p.compiler++)
      for (size_t s = 0; s < runs->ranges.saved.count; s++) {
        const unsigned saved = runs->ranges.saved.value[s];
        p.saved = sl_isa64_saved_list(saved);
        snprintf(p.name, sizeof p.name, "%s-%s-s%u", names[k], sl_isa64_compilers[p.compiler], saved);
        add_bare(runs, p, SL_ISA64_TO_END);
      }
  }
}

/* Stock code is the same for all machines; bank-unaware code is the same for any number of banks. */
static size_t add_kernel(struct sl_isa64_runs *runs, enum sl_isa64_part part, enum sl_isa64_compiler compiler,
                         unsigned registers, unsigned banks)
{
  struct sl_isa64_program p = {.part = part,
                               .compiler = compiler,
                               .source = kernel_sources[part - SL_ISA64_KERNELS],
                               .registers = registers,
                               .banks = compiler == SL_ISA64_UNAWARE ? SL_ISA64_USUAL_BANKS : banks};
  if (compiler == SL_ISA64_STOCK)
    snprintf(p.name, sizeof p.name, "%s-stock", sl_isa64_parts[part]);
  else if (compiler == SL_ISA64_UNAWARE)
    snprintf(p.name, sizeof p.name, "%s-unaware-r%u", sl_isa64_parts[part], registers);
  else
    snprintf(p.name, sizeof p.name, "%s-%s-r%u-b%u", sl_isa64_parts[part], sl_isa64_compilers[compiler], registers,
             banks);
  return add_program(runs, &p);
}

static void plan_kernel(struct sl_isa64_runs *runs, enum sl_isa64_part part)
{
  const struct sl_isa64_range *registers = &runs->ranges.registers, *banks = &runs->ranges.banks;
  const char *name = sl_isa64_parts[part];
  for (size_t b = 0; b < banks->count; b++) {
    struct sl_isa64_run *run = add_run(runs, part, SL_ISA64_RV32_PROGRAM, SL_ISA64_RV32 + b);
    snprintf(run->name, sizeof run->name, "%s-rv32-b%u", name, banks->value[b]);
    const size_t stock = add_kernel(runs, part, SL_ISA64_STOCK, 0, 0);
    run = add_run(runs, part, stock, SL_ISA64_WIDE + b);
    snprintf(run->name, sizeof run->name, "%s-stock-b%u", name, banks->value[b]);
    for (size_t r = 0; r < registers->count; r++)
      for (enum sl_isa64_compiler c = SL_ISA64_UNAWARE; c < SL_ISA64_COMPILERS; c++) {
        const size_t program = add_kernel(runs, part, c, registers->value[r], banks->value[b]);
        run = add_run(runs, part, program, SL_ISA64_WIDE + r * SL_ISA64_STEPS + b);
        snprintf(run->name, sizeof run->name, "%s-%s-r%u-b%u", name, sl_isa64_compilers[c], registers->value[r],
                 banks->value[b]);
      }
  }
}

enum sl_status sl_isa64_plan(struct sl_isa64_runs *runs, struct sl_error *err)
{
  bool pipelines = false;
  runs->ranges = runs->small ? small_ranges : paper_ranges;
  for (enum sl_isa64_part p = 0; p < SL_ISA64_KERNELS; p++) {
    if (!runs->chosen[p])
      continue;
    if (p <= SL_ISA64_GEMM)
      plan_paper(runs, p);
    else if (p == SL_ISA64_TILES)
      plan_tiles(runs);
    else
      plan_calls(runs);
  }
  for (enum sl_isa64_part p = SL_ISA64_KERNELS; p < SL_ISA64_PARTS; p++)
    if (runs->chosen[p]) {
      plan_kernel(runs, p);
      pipelines = true;
    }
  const enum sl_status code = open_emulators(runs, err);
  return code == SL_OK && pipelines ? open_pipelines(runs, err) : code;
}
