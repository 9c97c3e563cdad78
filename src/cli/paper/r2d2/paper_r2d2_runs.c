/* Runs of the evaluation: creates modules with linear registers, reads the kept runs and simulates the others. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "base/whole_file.h"
#include "cli/jobs.h"
#include "cli/linear/linear_output.h"
#include "cli/locations.h"
#include "cli/paper/kept_run.h"
#include "cli/paper/r2d2/paper_r2d2.h"
#include "device/script_player.h"
#include "gpu/device.h"
#include "observe/output.h"

enum { SETS = 3, DESCRIPTION_MOST = 16384 };

static const struct {
  const char *name, *set[SETS], *preset; /* NULL: sm7-r2d2 */
} machines[SL_R2D2_MACHINES] = {
    [SL_R2D2_BASE] = {"base", {"clusters=1", "r2d2=off"}, NULL},
    [SL_R2D2_LINEAR] = {"r2d2", {"clusters=1"}, NULL},
    [SL_R2D2_DAC] = {"dac", {"clusters=1"}, "sm7-dac"},
    [SL_R2D2_DARSIE] = {"darsie", {"clusters=1"}, "sm7-darsie"},
    [SL_R2D2_DARSIE_SCALAR] = {"darsie-scalar", {"clusters=1"}, "sm7-darsie-scalar"},
    [SL_R2D2_RISCV_BASE] = {"riscv-base", {"clusters=1", "r2d2=off"}, NULL},
    [SL_R2D2_RISCV_LINEAR] = {"riscv-r2d2", {"clusters=1"}, NULL},
    [SL_R2D2_FETCH] = {"fetch-7", {"clusters=1", "r2d2.fetch=7"}, NULL},
    [SL_R2D2_ID] = {"id-5", {"clusters=1", "r2d2.id=5"}, NULL},
    [SL_R2D2_ADD] = {"add-0", {"clusters=1", "r2d2.add=0"}, NULL},
    [SL_R2D2_WAIT] = {"global-wait", {"clusters=1", "r2d2.global_wait=on"}, NULL},
    [SL_R2D2_UR_BLOCK] = {"ur-block", {"clusters=1", "r2d2.ur=block"}, NULL},
    [SL_R2D2_UR_FREE] = {"ur-free", {"clusters=1", "r2d2.ur=free"}, NULL},
    [SL_R2D2_BASE_LRR] = {"base-lrr", {"clusters=1", "r2d2=off", "scheduler=lrr"}, NULL},
    [SL_R2D2_LINEAR_LRR] = {"r2d2-lrr", {"clusters=1", "scheduler=lrr"}, NULL},
    [SL_R2D2_BASE_1] = {"base-1", {"clusters=1", "sms_per_cluster=1", "r2d2=off"}, NULL},
    [SL_R2D2_LINEAR_1] = {"r2d2-1", {"clusters=1", "sms_per_cluster=1"}, NULL},
    [SL_R2D2_BASE_4] = {"base-4", {"clusters=2", "r2d2=off"}, NULL},
    [SL_R2D2_LINEAR_4] = {"r2d2-4", {"clusters=2"}, NULL},
    [SL_R2D2_BASE_8] = {"base-8", {"clusters=4", "r2d2=off"}, NULL},
    [SL_R2D2_LINEAR_8] = {"r2d2-8", {"clusters=4"}, NULL},
};

struct progress {
  struct sl_r2d2_runs *runs;
  atomic_size_t reused;
  atomic_bool stop; /* a run could not be written; stop, because others would fail too */
  pthread_mutex_t mutex;
  struct sl_error failure; /* the first such error */
};

/* ---- programs ---------------------------------------------------------------------------------------------------- */

/* "backprop_forward"; with fewer blocks "backprop_forward-8"; with another block size "spmv-of-64". */
static const char *name_of(size_t program, char text[64])
{
  const struct sl_r2d2_program *p = &sl_r2d2_programs[program];
  if (p->threads != 0)
    snprintf(text, 64, "%s-of-%u", p->name, p->threads);
  else if (p->blocks != 0)
    snprintf(text, 64, "%s-%u", p->name, p->blocks);
  else
    snprintf(text, 64, "%s", p->name);
  return text;
}

/* Path of a program's file in programs/ with the suffix "ptx", "elf", "launch", or "-elf.launch". */
static const char *made_path(const struct sl_r2d2_runs *runs, const char *name, const char *form, char path[SL_PATH])
{
  snprintf(path, SL_PATH, "%.3000s/programs/%s%s%s", runs->order->folder, name, form[0] == '-' ? "" : ".", form);
  return path;
}

static enum sl_status read_text(const char *path, char text[DESCRIPTION_MOST], struct sl_error *err)
{
  FILE *file = fopen(path, "r");
  if (file == NULL)
    return sl_fail(err, SL_USAGE, "%.500s: cannot be read; make builds it", path);
  const size_t length = fread(text, 1, DESCRIPTION_MOST - 1, file);
  fclose(file);
  text[length] = '\0';
  return SL_OK;
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

/* Writes the launch script beside the module, with another number of blocks in backprop's launch, or another block
 * size. */
static enum sl_status write_description(const struct sl_r2d2_runs *runs, size_t program, char text[DESCRIPTION_MOST],
                                        struct sl_error *err)
{
  static const char grid[] = " 1 64 1 16 16 1 ";
  struct sl_whole_file file;
  char path[SL_PATH], name[64];
  const enum sl_status code = sl_whole_file_open(&file, made_path(runs, name_of(program, name), "launch", path), err);
  if (code != SL_OK)
    return code;
  const unsigned blocks = sl_r2d2_programs[program].blocks;
  const char *at = blocks != 0 ? strstr(text, grid) : NULL;
  if (sl_r2d2_programs[program].threads != 0)
    put_sized(file.file, text, sl_r2d2_programs[program].threads);
  else if (at != NULL)
    fprintf(file.file, "%.*s 1 %u 1 16 16 1 %s", (int)(at - text), text, blocks, at + strlen(grid));
  else
    fputs(text, file.file);
  return sl_whole_file_close(&file, false, err);
}

static uint64_t hash_of_file(const char *path, uint64_t seed)
{
  uint64_t hash = seed;
  char buffer[DESCRIPTION_MOST];
  size_t length;
  FILE *file = fopen(path, "r");
  while (file != NULL && (length = fread(buffer, 1, sizeof buffer, file)) > 0)
    hash = XXH3_64bits_withSeed(buffer, length, hash);
  if (file != NULL)
    fclose(file);
  return hash;
}

static bool in_machine_code(size_t machine)
{
  return machine == SL_R2D2_RISCV_BASE || machine == SL_R2D2_RISCV_LINEAR;
}

/* The program in machine code, and its launch script. */
static enum sl_status prepare_machine_code(struct sl_r2d2_runs *runs, size_t program, struct sl_error *err)
{
  const char *name = sl_r2d2_programs[program].name;
  char relative[80], path[SL_PATH], made[SL_PATH], text[DESCRIPTION_MOST];
  struct sl_whole_file file;
  snprintf(relative, sizeof relative, "bench-r2d2/%s.elf", name);
  enum sl_status code = sl_find_data(relative, path, err);
  if (code == SL_OK)
    code = sl_linear_output_make(made_path(runs, name, "elf", made), path, err);
  runs->hashes[program] = hash_of_file(made, runs->hashes[program]);
  snprintf(relative, sizeof relative, "bench-r2d2/%s-elf.launch", name);
  if (code == SL_OK)
    code = sl_find_data(relative, path, err);
  if (code == SL_OK)
    code = read_text(path, text, err);
  if (code == SL_OK)
    code = sl_whole_file_open(&file, made_path(runs, name, "-elf.launch", made), err);
  if (code != SL_OK)
    return code;
  fputs(text, file.file);
  code = sl_whole_file_close(&file, false, err);
  runs->hashes[program] = hash_of_file(made, runs->hashes[program]);
  return code;
}

static enum sl_status prepare(struct sl_r2d2_runs *runs, size_t program, struct sl_error *err)
{
  const char *name = sl_r2d2_programs[program].name;
  char relative[80], path[SL_PATH], made[SL_PATH], text[DESCRIPTION_MOST], own[64];
  snprintf(relative, sizeof relative, "bench-r2d2/%s.ptx", name);
  enum sl_status code = sl_find_data(relative, path, err);
  if (code == SL_OK)
    code = sl_linear_output_make(made_path(runs, name, "ptx", made), path, err);
  runs->hashes[program] = hash_of_file(made, 0);
  snprintf(relative, sizeof relative, "bench-r2d2/%s.launch", name);
  if (code == SL_OK)
    code = sl_find_data(relative, path, err);
  if (code == SL_OK)
    code = read_text(path, text, err);
  if (code == SL_OK)
    code = write_description(runs, program, text, err);
  made_path(runs, name_of(program, own), "launch", made);
  runs->hashes[program] = hash_of_file(made, runs->hashes[program]);
  return code == SL_OK && program < SL_R2D2_PROGRAMS ? prepare_machine_code(runs, program, err) : code;
}

enum sl_status sl_r2d2_prepare(struct sl_r2d2_runs *runs, struct sl_error *err)
{
  char folder[SL_PATH];
  snprintf(folder, sizeof folder, "%.3000s/programs", runs->order->folder);
  enum sl_status code = sl_paper_make_folders(folder, err);
  for (size_t p = 0; p < SL_R2D2_ALL && code == SL_OK; p++)
    if (runs->chosen[p])
      code = prepare(runs, p, err);
  return code;
}

/* ---- runs -------------------------------------------------------------------------------------------------------- */

static void summed(void *context, const char *buffer, uint64_t sum)
{
  struct sl_r2d2_run *run = context;
  (void)buffer;
  run->sum = (run->sum * 31 + sum) & INT64_MAX;
}

static enum sl_status load(const struct sl_r2d2_runs *runs, size_t program, const char *form, struct sl_script *script,
                           struct sl_error *err)
{
  char path[SL_PATH], name[64];
  return sl_script_load(script, made_path(runs, name_of(program, name), form, path), err);
}

static void simulate(const struct sl_r2d2_runs *runs, size_t program, const char *form, const struct sl_config *config,
                     struct sl_r2d2_run *run, struct sl_running *running)
{
  const bool ptx = strcmp(form, "launch") == 0;
  const struct sl_gpu_options options = {.machine_code = !ptx, .progress = sl_running_progress, .context = running};
  const struct sl_script_observer observer = {.summed = summed, .context = run};
  struct sl_gpu *gpu = NULL;
  struct sl_script script = {.steps = NULL};
  run->code = sl_gpu_open(&gpu, config, &options, &run->error);
  if (run->code == SL_OK)
    run->code = load(runs, program, form, &script, &run->error);
  if (run->code == SL_OK)
    run->code = sl_script_perform(&script, gpu, NULL, &observer, &run->error);
  for (size_t i = 0; gpu != NULL && i < config->machine->counters->count; i++)
    run->counters[i] = sl_gpu_total(gpu, i);
  sl_gpu_close(gpu);
  sl_script_free(&script);
}

static void stop(struct progress *progress, const struct sl_error *failure)
{
  pthread_mutex_lock(&progress->mutex);
  if (!atomic_exchange(&progress->stop, true))
    progress->failure = *failure;
  pthread_mutex_unlock(&progress->mutex);
}

static void run_or_reuse(struct progress *progress, size_t program, size_t machine, struct sl_running *running)
{
  struct sl_r2d2_runs *runs = progress->runs;
  struct sl_r2d2_run *run = &runs->runs[program][machine];
  struct sl_error failure = {0};
  struct sl_saved_run saved;
  char path[SL_PATH], name[64];
  const struct sl_run_key key = {SL_VERSION,        runs->build, &runs->machines[machine], name_of(program, name),
                                 runs->order->size, "ptx",       runs->hashes[program],    NULL};
  snprintf(path, sizeof path, "%.3000s/runs/%s/%s.json", runs->order->folder, machines[machine].name, name);
  if (sl_kept_run_read(&saved, &key, path)) {
    memcpy(run->counters, saved.counters, sizeof run->counters);
    run->sum = saved.samples;
    atomic_fetch_add(&progress->reused, 1);
    return;
  }
  simulate(runs, program, in_machine_code(machine) ? "-elf.launch" : "launch", key.config, run, running);
  saved = (struct sl_saved_run){.launches = 1, .samples = run->sum};
  memcpy(saved.counters, run->counters, sizeof saved.counters);
  if (run->code == SL_OK && sl_saved_run_write(&saved, &key, path, &failure) != SL_OK)
    stop(progress, &failure);
}

/* Ideal counts are fast and are not kept. */
static void count_ideal(struct sl_r2d2_runs *runs, size_t program, struct sl_r2d2_run *run)
{
  struct sl_linear_ideal ideal = {.loads = false};
  const struct sl_ptx_engine engine = sl_linear_ideal_engine(&ideal);
  char path[SL_PATH], name[64];
  run->code = sl_script_analyse(made_path(runs, name_of(program, name), "launch", path), &engine, &run->error);
  runs->ideals[program] = ideal.sum;
  sl_linear_ideal_free(&ideal);
}

static void place_of(const struct sl_r2d2_runs *runs, size_t job, size_t *program, size_t *machine)
{
  for (size_t p = 0; p < SL_R2D2_ALL; p++)
    for (size_t m = 0; m < runs->machine_count; m++)
      if (runs->runs[p][m].planned && job-- == 0) {
        *program = p;
        *machine = m;
        return;
      }
}

static void name_job(const void *context, size_t job, char *text, size_t size)
{
  size_t program = 0, machine = 0;
  char name[64];
  place_of(((const struct progress *)context)->runs, job, &program, &machine);
  snprintf(text, size, "%s/%s", machines[machine].name, name_of(program, name));
}

static void run_job(void *context, size_t job, struct sl_running *running)
{
  struct progress *progress = context;
  size_t program = 0, machine = 0;
  place_of(progress->runs, job, &program, &machine);
  struct sl_r2d2_run *run = &progress->runs->runs[program][machine];
  if (atomic_load(&progress->stop))
    return;
  if (machine == SL_R2D2_BASE && program < SL_R2D2_PROGRAMS)
    count_ideal(progress->runs, program, run);
  if (run->code == SL_OK)
    run_or_reuse(progress, program, machine, running);
}

static enum sl_status open_machines(struct sl_r2d2_runs *runs, struct sl_error *err)
{
  enum sl_status code = SL_OK;
  for (size_t m = 0; m < runs->machine_count && code == SL_OK; m++) {
    struct sl_machine_choice choice = {.machine = machines[m].preset != NULL ? machines[m].preset : "sm7-r2d2"};
    char folder[SL_PATH];
    for (size_t i = 0; i < SETS && machines[m].set[i] != NULL; i++)
      choice.set.items[choice.set.count++] = machines[m].set[i];
    code = sl_open_machine(&choice, &runs->machines[m], err);
    snprintf(folder, sizeof folder, "%.3000s/runs/%s", runs->order->folder, machines[m].name);
    if (code == SL_OK)
      code = sl_paper_make_folders(folder, err);
  }
  return code;
}

/* Other grids and block sizes only run on the compared machines. */
static void plan(struct sl_r2d2_runs *runs)
{
  for (size_t p = 0; p < SL_R2D2_ALL; p++)
    for (size_t m = 0; m < runs->machine_count; m++) {
      runs->runs[p][m].planned = runs->chosen[p] && (p < SL_R2D2_PROGRAMS || m <= SL_R2D2_LINEAR);
      runs->count += runs->runs[p][m].planned;
    }
}

/* Checks that every machine leaves the same memory contents. */
static void compare_sums(struct sl_r2d2_runs *runs)
{
  for (size_t p = 0; p < SL_R2D2_ALL; p++)
    for (size_t m = 0; m < runs->machine_count; m++) {
      struct sl_r2d2_run *run = &runs->runs[p][m];
      if (run->planned && run->code == SL_OK && run->sum != runs->runs[p][SL_R2D2_BASE].sum)
        run->code = sl_fail(&run->error, SL_CHECK_FAILED, "%s leaves other memory contents than the baseline",
                            machines[m].name);
    }
}

enum sl_status sl_r2d2_run(struct sl_r2d2_runs *runs, struct sl_error *err)
{
  struct progress progress = {.runs = runs};
  enum sl_status code = open_machines(runs, err);
  if (code != SL_OK)
    return code;
  plan(runs);
  const struct sl_jobs jobs = {runs->count, name_job, run_job, &progress, runs->order->quiet};
  pthread_mutex_init(&progress.mutex, NULL);
  code = sl_jobs_run(&jobs, runs->order->jobs, err);
  pthread_mutex_destroy(&progress.mutex);
  runs->reused = atomic_load(&progress.reused);
  if (code == SL_OK && atomic_load(&progress.stop)) {
    *err = progress.failure;
    code = err->code;
  }
  compare_sums(runs);
  return code;
}

void sl_r2d2_free(struct sl_r2d2_runs *runs)
{
  for (size_t m = 0; m < runs->machine_count; m++)
    sl_config_close(&runs->machines[m]);
}

uint64_t sl_r2d2_counter(const struct sl_r2d2_runs *runs, size_t program, enum sl_r2d2_machine machine,
                         const char *name)
{
  size_t i;
  return sl_counter_find(runs->machines[machine].machine, name, &i) ? runs->runs[program][machine].counters[i] : 0;
}
