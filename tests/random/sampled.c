/* Sampled runs give the functional results of complete runs: sampled [--vortex] PROGRAM... on several shapes. The test
 * samples with short plans, and times from an instruction on. Registers and places of all threads, their instruction
 * counts, memory and outcome must equal those of the timed and the functional run. If these two differ, because threads
 * communicate or read the time, there is nothing to compare. */
#include <string.h>

#include "counters.h"
#include "observe/figures.h"

/* Ended warps free their slots: published ones keep them, and then timing decides whether others have enough. */
static const struct cnt_machine hosted[] = {
    {"simtight", {NULL}, "as published"},
    {"simtight", {"convergence=sorted-paths", "lanes=8"}, "sorted paths, 8 lanes"},
    {"simtight-rfc", {"registers.slots=256", "registers.free_ended=on"}, "spills"},
    {"simtight-rfc-pp", {"registers.slots=256", "registers.free_ended=on"}, "spills, scalar pipeline"},
    {"simtight-rfc-pp-sb", {"registers.free_ended=on", NULL}, "scalar pipeline, stack cache"},
    {"simty-plus", {NULL}, "Simty"},
    {"simty-plus", {"lanes=8", NULL}, "Simty, 8 lanes"},
};

static const struct cnt_machine vortex[] = {
    {"vortex", {NULL}, "as published"},
    {"vortex", {"lanes=8", "warps=4"}, "8 lanes"},
    {"vortex", {"l2=true", "memory.fill=0"}, "two levels of caches"},
    {"vortex-simx", {NULL}, "as the authors' simulator"},
};

/* The memory timing that a program can observe. */
enum memory { AS_IT_IS, FAST, SLOW, USUAL };

static const struct family {
  const char *option; /* NULL: without one */
  const struct cnt_machine *machines;
  size_t count;
  const char *memory[4];
} families[] = {
    {NULL, hosted, sizeof hosted / sizeof *hosted, {NULL, "dram.latency=2", "dram.latency=150", "dram.latency=30"}},
    {"--vortex",
     vortex,
     sizeof vortex / sizeof *vortex,
     {NULL, "dcache.miss_latency=4", "dcache.miss_latency=60", "dcache.miss_latency=6"}},
};

static const struct {
  const char *name;
  bool fast;
  struct sl_sampling_choice sampling;
  struct sl_fast_forward forward;
  enum memory memory; /* from here on */
} ways[] = {
    {"--fast", true, {0}, {0}, AS_IT_IS},
    {"timed", false, {0}, {0}, AS_IT_IS},
    {"timed with a fast memory", false, {0}, {0}, FAST},
    {"timed with a slow memory", false, {0}, {0}, SLOW},
    {"--sample 20,50,200", false, {true, {20, 50, 200, 1}}, {0}, USUAL},
    {"--sample 4,0,30", false, {true, {4, 0, 30, 2}}, {0}, USUAL},
    {"--fast-forward instructions=777", false, {0}, {true, {SL_PLACE_INSTRUCTIONS, NULL, 777}}, USUAL},
};

enum { WAYS = sizeof ways / sizeof *ways, WHOLE = 4 /* of them are whole runs */ };

struct run {
  enum sl_status code;
  struct sl_error err;
  struct sl_device *device;
};

static struct run run_program(const struct family *family, struct sl_config *config, const struct sl_program *program,
                              const char *path, unsigned way)
{
  const struct sl_device_options options = {.max_cycles = 30000000,
                                            .whole_program = true,
                                            .fast = ways[way].fast,
                                            .sampling = ways[way].sampling,
                                            .forward = ways[way].forward};
  struct run run = {.code = SL_OK};
  const char *set = family->memory[ways[way].memory];
  if (set != NULL)
    run.code = sl_config_set(config, set, &run.err);
  run.code = sl_device_create(config, &options, &run.device, &run.err);
  if (run.code == SL_OK)
    run.code = sl_device_load(run.device, program, 2, (const char *const[]){path, "small"}, &run.err);
  if (run.code == SL_OK)
    run.code = sl_device_run(run.device, &run.err);
  return run;
}

static bool same_threads(const struct sl_config *config, const struct sl_sm *a, const struct sl_sm *b)
{
  const struct sl_soc soc = config->machine->soc(config->spec);
  const struct sl_machine_view *view = &config->machine->view;
  for (unsigned warp = 0; warp < soc.warps; warp++)
    for (unsigned lane = 0; lane < soc.lanes; lane++)
      for (unsigned reg = 0; reg < 32; reg++) {
        const uint32_t x = reg > 0 ? view->read_register(a, warp, lane, reg) : view->read_pc(a, warp, lane);
        const uint32_t y = reg > 0 ? view->read_register(b, warp, lane, reg) : view->read_pc(b, warp, lane);
        if (x != y)
          return false;
      }
  return true;
}

/* Of launches and of what was skipped before them. */
static uint64_t thread_instructions(const struct sl_config *config, const struct run *run)
{
  const struct sl_result *result = sl_device_result(run->device);
  const struct sl_figures f = sl_figures_of(config->machine, result->launches, result->launch_count);
  const struct sl_figures skipped = sl_figures_of(config->machine, &result->skipped, 1);
  return f.thread_instructions + (result->skipped_count > 0 || result->skipped_begin ? skipped.thread_instructions : 0);
}

/* The difference between two runs, or NULL. A run that faults or is stopped does so at another time. */
static const char *compare(const struct sl_config *config, const struct run *a, const struct run *b)
{
  if (a->code != b->code)
    return "how it ended";
  if (a->code != SL_OK)
    return NULL;
  if (thread_instructions(config, a) != thread_instructions(config, b))
    return "what threads executed";
  if (!same_threads(config, sl_device_sm(a->device), sl_device_sm(b->device)))
    return "a register or a pc";
  return sl_device_memory_hash(a->device) != sl_device_memory_hash(b->device) ? "memory" : NULL;
}

/* The program is too short to reach that instruction. */
static bool nothing_timed(const struct run *run, unsigned way)
{
  return ways[way].forward.wanted && run->code == SL_USAGE;
}

/* Counts comparisons, to show that the test covers some. */
struct sums {
  unsigned different, programs, estimated;
};

static void look(struct sums *sums, const struct cnt_machine *machine, const struct sl_config *config,
                 const struct run run[WAYS], const char *path)
{
  for (unsigned way = 1; way < WHOLE; way++)
    if (compare(config, &run[0], &run[way]) != NULL)
      return;
  sums->programs++;
  for (unsigned way = WHOLE; way < WAYS; way++) {
    const char *different = nothing_timed(&run[way], way) ? NULL : compare(config, &run[0], &run[way]);
    if (different != NULL)
      printf("%s on %s (%s), %s: %s differs\n", path, machine->preset, machine->configuration, ways[way].name,
             different);
    sums->different += different != NULL ? 1 : 0;
    sums->estimated += sl_device_result(run[way].device)->sampled.kernels > 0 ? 1 : 0;
  }
}

static void run_in_all_ways(struct sums *sums, const struct family *family, const struct cnt_machine *machine,
                            const char *path)
{
  struct sl_config config = {0};
  struct sl_program *program = NULL;
  struct sl_error err = {0};
  enum sl_status code = cnt_open(machine, &config, &err);
  if (code == SL_OK && strstr(path, "_Float") != NULL)
    code = sl_config_set(&config, "fpu=true", &err);
  if (code == SL_OK)
    code = sl_program_load(path, &program, &err);
  if (code == SL_OK) {
    struct run run[WAYS];
    for (unsigned way = 0; way < WAYS; way++)
      run[way] = run_program(family, &config, program, path, way);
    look(sums, machine, &config, run, path);
    for (unsigned way = 0; way < WAYS; way++)
      sl_device_destroy(run[way].device);
  } else {
    printf("%s on %s: %s\n", path, machine->preset, err.text);
    sums->different++;
  }
  sl_program_free(program);
  sl_config_close(&config);
}

int main(int argc, char **argv)
{
  const struct family *family = families;
  const int first = argc > 1 && strncmp(argv[1], "--", 2) == 0 ? 2 : 1;
  struct sums sums = {0};
  for (size_t f = 1; f < sizeof families / sizeof *families && first == 2; f++)
    if (strcmp(argv[1], families[f].option) == 0)
      family = &families[f];
  for (int i = first; i < argc; i++)
    for (size_t m = 0; m < family->count; m++)
      run_in_all_ways(&sums, family, &family->machines[m], argv[i]);
  printf("%d programs on %zu shapes, %u of them compared, %u runs estimated, %u differ\n", argc - first, family->count,
         sums.programs, sums.estimated, sums.different);
  return sums.different != 0 || sums.estimated == 0;
}
