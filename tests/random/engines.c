/* All functional engines give the same results: single instructions, basic blocks, JIT code, and any mixture of these.
 * Usage: engines [--vortex|--sm7|--faults] PROGRAM... on several shapes. All counters of all launches, the registers
 * and places of all threads, the final memory and the outcome must be equal, with the best lane functions of the host
 * and with the portable ones. A program gets the argument "small", which benchmarks accept, except those of
 * bench-vortex. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "counters.h"
#include "func/jit/jit.h"
#include "observe/figures.h"

static const struct cnt_machine hosted[] = {
    {"simtight", {NULL}, "as published"},
    {"simtight", {"convergence=depth-pc", "scratchpad.banks=64"}, "another convergence, a bank per lane"},
    {"simtight", {"convergence=sorted-paths", "scratchpad.banks=1"}, "sorted paths, one bank"},
    {"simtight", {"lanes=16", NULL}, "16 lanes"},
    {"simtight", {"lanes=8", "stack.bytes=1048576"}, "8 lanes"},
    {"simty-plus", {NULL}, "Simty"},
    {"simty-plus", {"lanes=8", NULL}, "Simty, 8 lanes"},
};

static const struct cnt_machine vortex[] = {
    {"vortex", {NULL}, "as published"},
    {"vortex", {"lanes=8", "warps=4"}, "8 lanes"},
    {"vortex", {"cores=2", "memory.fill=0"}, "two cores, memory of zeros"},
    {"vortex-simx", {NULL}, "as the authors' simulator"},
};

/* Machines on which every program of tests/cli/programs/sm_faults.S faults. */
static const struct cnt_machine faulting[] = {{"simtight", {"stack.bytes=2048", NULL}, "stacks of 2 KiB"}};

static const struct cnt_machine sm7[] = {{"sm7", {NULL}, "as published"}};

static const struct {
  const char *option; /* NULL: without one */
  const struct cnt_machine *machines;
  size_t count;
} lists[] = {
    {NULL, hosted, sizeof hosted / sizeof *hosted},
    {"--vortex", vortex, sizeof vortex / sizeof *vortex},
    {"--sm7", sm7, sizeof sm7 / sizeof *sm7},
    {"--faults", faulting, sizeof faulting / sizeof *faulting},
};

enum { WAYS = 6, PORTABLE = 2 };

struct run {
  enum sl_status code;
  struct sl_error err;
  struct sl_device *device;
};

static struct run run_program(const struct sl_config *config, const struct sl_program *program, const char *path,
                              unsigned way)
{
  static const enum sl_execution_mode tiers[WAYS] = {SL_MODE_INSTRUCTIONS, SL_MODE_BLOCKS,     SL_MODE_BLOCKS,
                                                     SL_MODE_EAGER,        SL_MODE_EAGER_AVX2, SL_MODE_SWITCHING};
  const struct sl_device_options options = {
      .max_cycles = 30000000, .fast = true, .mode = tiers[way], .portable_lanes = way == PORTABLE};
  struct run run = {.code = SL_OK};
  const bool sized = strstr(path, "bench-vortex/") != NULL; /* by itself */
  run.code = sl_device_create(config, &options, &run.device, &run.err);
  if (run.code == SL_OK)
    run.code = sl_device_load(run.device, program, sized ? 1 : 2, (const char *const[]){path, "small"}, &run.err);
  if (run.code == SL_OK)
    run.code = sl_device_run(run.device, &run.err);
  return run;
}

static bool same_threads(const struct sl_config *config, const struct sl_sm *a, const struct sl_sm *b)
{
  const struct sl_soc soc = config->machine->soc(config->spec);
  const struct sl_machine_view *view = &config->machine->view;
  for (unsigned warp = 0; warp < soc.warps; warp++)
    for (unsigned lane = 0; lane < soc.lanes; lane++) {
      if (view->read_pc(a, warp, lane) != view->read_pc(b, warp, lane))
        return false;
      for (unsigned reg = 1; reg < 32; reg++)
        if (view->read_register(a, warp, lane, reg) != view->read_register(b, warp, lane, reg))
          return false;
    }
  return true;
}

/* The difference between two runs, or NULL. */
static const char *compare(const struct sl_config *config, const struct run *a, const struct run *b)
{
  const struct sl_result *x = sl_device_result(a->device), *y = sl_device_result(b->device);
  if (a->code != b->code || strcmp(a->err.text, b->err.text) != 0)
    return "how it ended";
  if (x->launch_count != y->launch_count || x->status != y->status || x->host_instructions != y->host_instructions)
    return "what the host did";
  for (size_t l = 0; l < x->launch_count; l++)
    for (size_t i = 0; i < config->machine->counters->count; i++)
      if (x->launches[l].counters[i] != y->launches[l].counters[i])
        return config->machine->counters->counter[i].name;
  if (!same_threads(config, sl_device_sm(a->device), sl_device_sm(b->device)))
    return "a register or a pc";
  return sl_device_memory_hash(a->device) != sl_device_memory_hash(b->device) ? "memory" : NULL;
}

/* The number of instructions that a run has executed on the SM, to show that the test covers some. */
static uint64_t executed(const struct sl_config *config, const struct run *run)
{
  const struct sl_result *result = sl_device_result(run->device);
  return sl_figures_of(config->machine, result->launches, result->launch_count).warp_instructions.value;
}

static bool same_in_all_ways(const struct cnt_machine *machine, const char *path, uint64_t *instructions,
                             struct sl_error *err)
{
  struct sl_config config = {0};
  struct sl_program *program = NULL;
  const char *different = "nothing could be compared";
  enum sl_status code = cnt_open(machine, &config, err);
  if (code == SL_OK && strstr(path, "_Float") != NULL)
    code = sl_config_set(&config, "fpu=true", err);
  if (code == SL_OK)
    code = sl_program_load(path, &program, err);
  if (code == SL_OK) {
    struct run run[WAYS];
    different = NULL;
    for (unsigned way = 0; way < WAYS; way++) {
      run[way] = run_program(&config, program, path, way);
      if (different == NULL)
        different = compare(&config, &run[0], &run[way]);
    }
    if (different == NULL && machine == faulting && run[0].code != SL_FAULT)
      different = "that it is a fault";
    *instructions += executed(&config, &run[0]);
    for (unsigned way = 0; way < WAYS; way++)
      sl_device_destroy(run[way].device);
  }
  if (different != NULL)
    printf("%s on %s (%s): %s differs%s%s\n", path, machine->preset, machine->configuration, different,
           err->text[0] ? ": " : "", err->text);
  sl_program_free(program);
  sl_config_close(&config);
  return different == NULL;
}

int main(int argc, char **argv)
{
  unsigned different = 0, list = 0;
  uint64_t instructions = 0;
  for (unsigned i = 1; i < sizeof lists / sizeof *lists && argc > 1; i++)
    list = strcmp(argv[1], lists[i].option) == 0 ? i : list;
  const int first = list != 0 ? 2 : 1;
  for (int i = first; i < argc; i++)
    for (size_t m = 0; m < lists[list].count; m++) {
      struct sl_error err = {0};
      different += !same_in_all_ways(&lists[list].machines[m], argv[i], &instructions, &err);
    }
  printf("%d programs on %zu shapes, %" PRIu64 " instructions, %s machine code, %u differ\n", argc - first,
         lists[list].count, instructions, sl_jit_here() ? "with" : "without", different);
  return different != 0 || instructions == 0;
}
