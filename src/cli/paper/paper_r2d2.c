/* Configurations and programs of the reproduction; makes the modules with linear registers, and runs them. */
#include "cli/paper/paper_r2d2.h"

#include <string.h>

#include "base/whole_file.h"
#include "cli/linear/linear_output.h"
#include "device/device.h"
#include "device/script_player.h"

enum { SCRIPT_MOST = 16384 };

#define PTX "sm7-r2d2", "launch"
#define RISCV "sm7-r2d2", "-elf.launch"

static const struct sl_paper_config configs[SL_R2D2_MACHINES] = {
    [SL_R2D2_BASE] = {"base", NULL, PTX, .set = {"clusters=1", "r2d2=off"}},
    [SL_R2D2_LINEAR] = {"r2d2", NULL, PTX, .set = {"clusters=1"}},
    [SL_R2D2_DAC] = {"dac", NULL, "sm7-dac", "launch", .set = {"clusters=1"}},
    [SL_R2D2_DARSIE] = {"darsie", NULL, "sm7-darsie", "launch", .set = {"clusters=1"}},
    [SL_R2D2_DARSIE_SCALAR] = {"darsie-scalar", NULL, "sm7-darsie-scalar", "launch", .set = {"clusters=1"}},
    [SL_R2D2_RISCV_BASE] = {"riscv-base", NULL, RISCV, .set = {"clusters=1", "r2d2=off"}},
    [SL_R2D2_RISCV_LINEAR] = {"riscv-r2d2", NULL, RISCV, .set = {"clusters=1"}},
    [SL_R2D2_FETCH] = {"fetch-7", NULL, PTX, .set = {"clusters=1", "r2d2.fetch=7"}},
    [SL_R2D2_ID] = {"id-5", NULL, PTX, .set = {"clusters=1", "r2d2.id=5"}},
    [SL_R2D2_ADD] = {"add-0", NULL, PTX, .set = {"clusters=1", "r2d2.add=0"}},
    [SL_R2D2_WAIT] = {"global-wait", NULL, PTX, .set = {"clusters=1", "r2d2.global_wait=on"}},
    [SL_R2D2_UR_BLOCK] = {"ur-block", NULL, PTX, .set = {"clusters=1", "r2d2.ur=block"}},
    [SL_R2D2_UR_FREE] = {"ur-free", NULL, PTX, .set = {"clusters=1", "r2d2.ur=free"}},
    [SL_R2D2_BASE_LRR] = {"base-lrr", NULL, PTX, .set = {"clusters=1", "r2d2=off", "scheduler=lrr"}},
    [SL_R2D2_LINEAR_LRR] = {"r2d2-lrr", NULL, PTX, .set = {"clusters=1", "scheduler=lrr"}},
    [SL_R2D2_BASE_1] = {"base-1", NULL, PTX, .set = {"clusters=1", "sms_per_cluster=1", "r2d2=off"}},
    [SL_R2D2_LINEAR_1] = {"r2d2-1", NULL, PTX, .set = {"clusters=1", "sms_per_cluster=1"}},
    [SL_R2D2_BASE_4] = {"base-4", NULL, PTX, .set = {"clusters=2", "r2d2=off"}},
    [SL_R2D2_LINEAR_4] = {"r2d2-4", NULL, PTX, .set = {"clusters=2"}},
    [SL_R2D2_BASE_8] = {"base-8", NULL, PTX, .set = {"clusters=4", "r2d2=off"}},
    [SL_R2D2_LINEAR_8] = {"r2d2-8", NULL, PTX, .set = {"clusters=4"}},
};

/* Forward and adjust with the given number of blocks. */
#define GRID(blocks)                                                                                                   \
  {"backprop_forward", NULL, blocks, 0},                                                                               \
  {                                                                                                                    \
    "backprop_adjust", NULL, blocks, 0                                                                                 \
  }

/* Programs of one-dimensional blocks of any size without shared memory. */
#define SIZED(threads)                                                                                                 \
  {"bfs", NULL, 0, threads}, {"cfd", NULL, 0, threads}, {"kmeans", NULL, 0, threads}, {"mriq", NULL, 0, threads},      \
      {"spmv", NULL, 0, threads}, {"degree", NULL, 0, threads},                                                        \
  {                                                                                                                    \
    "sssp", NULL, 0, threads                                                                                           \
  }

/* clang-format off */
const struct sl_r2d2_program sl_r2d2_programs[SL_R2D2_ALL] = {
    {"backprop_forward", "Rodinia", 0, 0}, {"backprop_adjust", "Rodinia", 0, 0}, {"bfs", "Rodinia", 0, 0},
    {"btree", "Rodinia", 0, 0}, {"cfd", "Rodinia", 0, 0}, {"gaussian", "Rodinia", 0, 0}, {"hotspot", "Rodinia", 0, 0},
    {"kmeans", "Rodinia", 0, 0}, {"lud", "Rodinia", 0, 0}, {"nw", "Rodinia", 0, 0}, {"pathfinder", "Rodinia", 0, 0},
    {"srad", "Rodinia", 0, 0}, {"mriq", "Parboil", 0, 0}, {"spmv", "Parboil", 0, 0}, {"stencil3d", "Parboil", 0, 0},
    {"atax", "PolyBench", 0, 0}, {"conv2d", "PolyBench", 0, 0}, {"conv3d", "PolyBench", 0, 0},
    {"fdtd", "PolyBench", 0, 0}, {"gemm", "PolyBench", 0, 0}, {"gesummv", "PolyBench", 0, 0},
    {"stencil", "PolyBench", 0, 0}, {"syrk", "PolyBench", 0, 0}, {"degree", "GraphBIG", 0, 0},
    {"sssp", "GraphBIG", 0, 0}, {"fft", "others", 0, 0}, {"fft_pt", "others", 0, 0}, {"gemm_tiled", "others", 0, 0},
    {"lps", "ISPASS", 0, 0}, {"transpose", "others", 0, 0},
    GRID(4), GRID(8), GRID(16), GRID(32), GRID(64),
    SIZED(64), SIZED(128), SIZED(256), SIZED(512),
};
/* clang-format on */

static const char *choice(size_t index)
{
  return index < SL_R2D2_PROGRAMS ? sl_r2d2_programs[index].name : NULL;
}

const struct sl_paper_run *sl_r2d2_run(const struct sl_paper_runs *runs, size_t program, enum sl_r2d2_machine machine)
{
  return &runs->runs[program * SL_R2D2_MACHINES + machine];
}

/* ---- plan -------------------------------------------------------------------------------------------------------- */

/* Completes the chosen programs: other grids of backprop if both of its kernels were chosen, and other block sizes if
 * all programs that have them were; neither at size small. */
static void choose_varied(struct sl_paper_runs *runs)
{
  bool sizes = !runs->small;
  for (size_t p = SL_R2D2_FIRST_SIZED; p < SL_R2D2_ALL; p++)
    for (size_t k = 0; k < SL_R2D2_PROGRAMS; k++)
      sizes &= strcmp(sl_r2d2_programs[k].name, sl_r2d2_programs[p].name) != 0 || runs->chosen[k];
  for (size_t p = SL_R2D2_PROGRAMS; p < SL_R2D2_ALL; p++)
    runs->chosen[p] = p < SL_R2D2_FIRST_SIZED ? !runs->small && runs->chosen[0] && runs->chosen[1] : sizes;
}

/* "backprop_forward"; with fewer blocks "backprop_forward-8"; with another block size "spmv-of-64". */
static const char *name_of(size_t program, char text[48])
{
  const struct sl_r2d2_program *p = &sl_r2d2_programs[program];
  if (p->threads != 0)
    snprintf(text, 48, "%s-of-%u", p->name, p->threads);
  else if (p->blocks != 0)
    snprintf(text, 48, "%s-%u", p->name, p->blocks);
  else
    snprintf(text, 48, "%s", p->name);
  return text;
}

/* Other grids and block sizes only run on the compared machines. */
static enum sl_status plan(struct sl_paper_runs *runs, struct sl_error *err)
{
  (void)err;
  choose_varied(runs);
  for (size_t p = 0; p < SL_R2D2_ALL; p++)
    for (size_t m = 0; m < SL_R2D2_MACHINES; m++) {
      char name[48];
      if (!runs->chosen[p] || (runs->small && m >= SL_R2D2_FETCH) || (p >= SL_R2D2_PROGRAMS && m > SL_R2D2_LINEAR))
        continue;
      struct sl_paper_run *run =
          sl_paper_plan(runs, p * SL_R2D2_MACHINES + m, m, "%s/%s", configs[m].name, name_of(p, name));
      run->isa = "ptx";
      run->of = p;
    }
  return SL_OK;
}

/* ---- programs ---------------------------------------------------------------------------------------------------- */

/* Path of a program's file in programs/ with the suffix "ptx", "elf", "launch", or "-elf.launch". */
static const char *made_path(const struct sl_paper_runs *runs, const char *name, const char *form, char path[SL_PATH])
{
  snprintf(path, SL_PATH, "%.3000s/programs/%s%s%s", runs->folder, name, form[0] == '-' ? "" : ".", form);
  return path;
}

static enum sl_status find(size_t program, const char *form, char path[SL_PATH], struct sl_error *err)
{
  char relative[80];
  snprintf(relative, sizeof relative, "bench-r2d2/%s%s%s", sl_r2d2_programs[program].name, form[0] == '-' ? "" : ".",
           form);
  return sl_find_data(relative, path, err);
}

/* The same threads in blocks of another size. */
static void put_sized(FILE *file, const char *text, unsigned threads)
{
  for (const char *end; *text != '\0'; text = end) {
    char name[64];
    unsigned blocks = 0, before = 0;
    int behind = 0;
    end = text + strcspn(text, "\n");
    end += *end == '\n';
    if (sscanf(text, "launch %63s %u 1 1 %u 1 1%n", name, &blocks, &before, &behind) == 3 && behind > 0)
      fprintf(file, "launch %s %u 1 1 %u 1 1%.*s", name, blocks * before / threads, threads, (int)(end - text) - behind,
              text + behind);
    else
      fprintf(file, "%.*s", (int)(end - text), text);
  }
}

/* A launch script with another number of blocks in backprop's launch, or another block size. */
static void put_script(FILE *file, const struct sl_r2d2_program *program, const char *text)
{
  static const char grid[] = " 1 64 1 16 16 1 ";
  const char *at = program->blocks != 0 ? strstr(text, grid) : NULL;
  if (program->threads != 0)
    put_sized(file, text, program->threads);
  else if (at != NULL)
    fprintf(file, "%.*s 1 %u 1 16 16 1 %s", (int)(at - text), text, program->blocks, at + strlen(grid));
  else
    fputs(text, file);
}

static enum sl_status make_script(struct sl_paper_runs *runs, size_t program, const char *form, struct sl_error *err)
{
  struct sl_r2d2_state *state = runs->state;
  char path[SL_PATH], text[SCRIPT_MOST], name[48];
  struct sl_whole_file made;
  enum sl_status code = find(program, form, path, err);
  if (code != SL_OK)
    return code;
  FILE *file = fopen(path, "r");
  if (file == NULL)
    return sl_fail(err, SL_USAGE, "%.500s: cannot be read; make builds it", path);
  text[fread(text, 1, sizeof text - 1, file)] = '\0';
  fclose(file);
  code = sl_whole_file_open(&made, made_path(runs, name_of(program, name), form, path), err);
  if (code != SL_OK)
    return code;
  put_script(made.file, &sl_r2d2_programs[program], text);
  code = sl_whole_file_close(&made, false, err);
  state->hashes[program] = sl_paper_hash_file(path, state->hashes[program]);
  return code;
}

/* Makes a program with linear registers, and its launch script. */
static enum sl_status make(struct sl_paper_runs *runs, size_t program, const char *form, const char *script,
                           struct sl_error *err)
{
  struct sl_r2d2_state *state = runs->state;
  char path[SL_PATH], made[SL_PATH];
  enum sl_status code = find(program, form, path, err);
  if (code == SL_OK)
    code = sl_linear_output_make(made_path(runs, sl_r2d2_programs[program].name, form, made), path, err);
  if (code != SL_OK)
    return code;
  state->hashes[program] = sl_paper_hash_file(made, state->hashes[program]);
  return make_script(runs, program, script, err);
}

static enum sl_status prepare(struct sl_paper_runs *runs, struct sl_error *err)
{
  struct sl_r2d2_state *state = runs->state;
  enum sl_status code = sl_energy_set_open(&state->energies, "titanv", err);
  if (code == SL_OK)
    code = sl_paper_make_folder(runs, "programs", err);
  for (size_t p = 0; p < SL_R2D2_ALL && code == SL_OK; p++) {
    if (runs->chosen[p])
      code = make(runs, p, "ptx", "launch", err);
    if (runs->chosen[p] && p < SL_R2D2_PROGRAMS && code == SL_OK)
      code = make(runs, p, "elf", "-elf.launch", err);
  }
  return code;
}

/* ---- runs -------------------------------------------------------------------------------------------------------- */

/* Ideal counts are fast and are not kept. */
static enum sl_status load(struct sl_paper_runs *runs, struct sl_paper_run *run, struct sl_program **program,
                           struct sl_error *err)
{
  struct sl_r2d2_state *state = runs->state;
  struct sl_linear_ideal ideal = {.loads = false};
  const struct sl_ptx_engine engine = sl_linear_ideal_engine(&ideal);
  char path[SL_PATH];
  (void)program;
  run->hash = state->hashes[run->of];
  if (run->config != &configs[SL_R2D2_BASE] || run->of >= SL_R2D2_PROGRAMS)
    return SL_OK;
  const enum sl_status code =
      sl_script_analyse(made_path(runs, sl_r2d2_programs[run->of].name, "launch", path), &engine, err);
  state->ideals[run->of] = ideal.sum;
  sl_linear_ideal_free(&ideal);
  return code;
}

/* The record keeps the hash of the checksums of memory as its samples. */
static void summed(void *context, const char *buffer, uint64_t sum)
{
  struct sl_saved_run *result = context;
  (void)buffer;
  result->samples = (result->samples * 31 + sum) & INT64_MAX;
}

static enum sl_status simulate(const struct sl_paper_runs *runs, struct sl_paper_run *run,
                               const struct sl_program *program, struct sl_running *running, struct sl_error *err)
{
  const char *form = run->config->form;
  const struct sl_gpu_options options = {
      .machine_code = form[0] == '-', .progress = sl_running_progress, .context = running};
  const struct sl_script_observer observer = {.summed = summed, .context = &run->result};
  struct sl_gpu *gpu = NULL;
  struct sl_script script = {.steps = NULL};
  char path[SL_PATH], name[48];
  (void)program;
  enum sl_status code = sl_gpu_open(&gpu, run->machine, &options, err);
  if (code == SL_OK)
    code = sl_script_load(&script, made_path(runs, name_of(run->of, name), form, path), err);
  if (code == SL_OK)
    code = sl_script_perform(&script, gpu, NULL, &observer, err);
  for (size_t i = 0; gpu != NULL && i < run->machine->machine->counters->count; i++)
    run->result.counters[i] = sl_gpu_total(gpu, i);
  sl_gpu_close(gpu);
  sl_script_free(&script);
  return code;
}

/* Checks that every machine leaves the same memory contents. */
static void compare(struct sl_paper_runs *runs)
{
  for (struct sl_paper_run *run = runs->runs; run < runs->runs + SL_R2D2_ALL * SL_R2D2_MACHINES; run++)
    if (run->planned && run->code == SL_OK &&
        run->result.samples != sl_r2d2_run(runs, run->of, SL_R2D2_BASE)->result.samples)
      run->code =
          sl_fail(&run->error, SL_CHECK_FAILED, "%s leaves other memory contents than the baseline", run->config->name);
}

const struct sl_paper sl_paper_r2d2 = {
    .name = "r2d2",
    .title = "D. Ha, Y. Oh and W. W. Ro, R2D2: Removing ReDunDancy Utilizing Linearity of Address Generation in GPUs",
    .configs = configs,
    .config_count = SL_R2D2_MACHINES,
    .places = SL_R2D2_ALL * SL_R2D2_MACHINES,
    .state = sizeof(struct sl_r2d2_state),
    .choice = choice,
    .plan = plan,
    .prepare = prepare,
    .load = load,
    .simulate = simulate,
    .compare = compare,
};
