/* simtlab sweep: runs a study and records its results. Its worker processes are this command, as `simtlab sweep
 * --worker SPOOL [local]`, which is not for users and is not in the help. */
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "cli/help/help.h"
#include "cli/jobs.h"
#include "cli/options.h"
#include "cli/report_page.h"
#include "cli/session.h"
#include "host/runtimes.h"
#include "lab/run/execute.h"
#include "lab/slurm/slurm.h"
#include "lab/sweep.h"
#include "observe/terminal.h"

#define OWN_FILE "/proc/self/exe" /* stays this build when the file is replaced */

enum { SHORTEST_ID = 16 }; /* bytes */

struct sweep {
  const char *study_path, *database, *retry, *partition, *spool_folder, *poll;
  struct sl_study_choice choice;
  uint64_t jobs, megabytes;
  bool dry_run, quiet, slurm, cancel, any_build;
  char path[SL_RECORD_PATH], spool[SL_SPOOL_PATH];
  struct sl_progress progress;
  struct sl_interruption interruption;
};

/* Finds the note in which the linker has left a hash of all that it has linked. */
static bool read_build_id(Elf *elf, char text[SL_SHA256_TEXT])
{
  size_t count = 0;
  if (elf == NULL || elf_getphdrnum(elf, &count) != 0)
    return false;
  for (size_t i = 0; i < count; i++) {
    GElf_Phdr header;
    if (gelf_getphdr(elf, (int)i, &header) == NULL || header.p_type != PT_NOTE)
      continue;
    Elf_Data *data = elf_getdata_rawchunk(elf, (off_t)header.p_offset, header.p_filesz, ELF_T_NHDR);
    GElf_Nhdr note;
    for (size_t at = 0, name, bytes; data != NULL && (at = gelf_getnote(data, at, &note, &name, &bytes)) > 0;) {
      const char *from = data->d_buf;
      if (note.n_type != NT_GNU_BUILD_ID || note.n_namesz != 4 || memcmp(from + name, "GNU", 4) != 0 ||
          note.n_descsz < SHORTEST_ID || note.n_descsz > SL_SHA256)
        continue;
      for (size_t k = 0; k < note.n_descsz; k++)
        snprintf(text + 2 * k, 3, "%02x", (unsigned char)from[bytes + k]);
      return true;
    }
  }
  return false;
}

/* Without such a note, the hash of the whole file, which takes some 10 ms per MB. */
static enum sl_status hash_build(char text[SL_SHA256_TEXT], struct sl_error *err)
{
  elf_version(EV_CURRENT);
  const int file = open(OWN_FILE, O_RDONLY | O_CLOEXEC);
  Elf *elf = file >= 0 ? elf_begin(file, ELF_C_READ_MMAP, NULL) : NULL;
  const bool found = read_build_id(elf, text);
  elf_end(elf);
  if (file >= 0)
    close(file);
  return found ? SL_OK : sl_sha256_file(OWN_FILE, text, err);
}

static enum sl_status describe_build(struct sl_lab_build *build, struct utsname *host, struct sl_error *err)
{
  const struct sl_provenance provenance = sl_provenance();
  if (uname(host) != 0)
    strcpy(host->nodename, "unknown");
  *build = (struct sl_lab_build){.version = provenance.version, .commit = provenance.commit, .host = host->nodename};
  for (unsigned i = 0; i < SL_RUNTIMES; i++)
    if (sl_find_data(sl_runtimes[i].library, build->library[i], NULL) != SL_OK)
      build->library[i][0] = '\0';
  return hash_build(build->hash, err);
}

/* ---- display ----------------------------------------------------------------------------------------------------- */

/* "1.5 s", "2:05" or "3:02:05". */
static const char *duration(double seconds, char text[32])
{
  const uint64_t whole = (uint64_t)seconds;
  if (seconds < 60)
    snprintf(text, 32, "%.1f s", seconds);
  else if (whole < 3600)
    snprintf(text, 32, "%" PRIu64 ":%02" PRIu64, whole / 60, whole % 60);
  else
    snprintf(text, 32, "%" PRIu64 ":%02" PRIu64 ":%02" PRIu64, whole / 3600, whole / 60 % 60, whole % 60);
  return text;
}

static bool tick(void *context, const struct sl_sweep_state *state)
{
  struct sweep *sweep = context;
  if (sl_progress_due(&sweep->progress)) {
    char line[320], left[32], slowest[32];
    const uint64_t over = state->recorded + state->elsewhere + state->done + state->running;
    int n = snprintf(line, sizeof line, "%" PRIu64 " done, %" PRIu64 " running, %" PRIu64 " left, %" PRIu64 " failed",
                     state->done, state->running, state->runs > over ? state->runs - over : 0, state->failed);
    if (state->remaining >= 0)
      n += snprintf(line + n, sizeof line - (size_t)n, "; %s to go", duration(state->remaining, left));
    if (state->slowest_run[0] != '\0')
      snprintf(line + n, sizeof line - (size_t)n, "; slowest %s %s", duration(state->slowest, slowest),
               state->slowest_run);
    sl_progress_draw(&sweep->progress, line);
  }
  return !sl_interrupted(&sweep->interruption);
}

static void print_summary(const struct sweep *sweep, const struct sl_sweep_state *state)
{
  char time[32], busy[64] = "", elsewhere[64] = "";
  if (state->done > 0 && state->seconds > 0 && !sweep->slurm)
    snprintf(busy, sizeof busy, " (%.0f %% of %" PRIu64 " processes busy)",
             100 * state->busy / state->seconds / (double)sweep->jobs, sweep->jobs);
  if (state->elsewhere > 0)
    snprintf(elsewhere, sizeof elsewhere, ", %" PRIu64 " belong to another sweep", state->elsewhere);
  sl_print(stdout, "%" PRIu64 " runs done in %s%s\n%" PRIu64 " failed; %" PRIu64 " were recorded before%s: %s\n",
           state->done, duration(state->seconds, time), busy, state->failed, state->recorded, elsewhere, sweep->path);
  if (state->failure[0] != '\0')
    sl_print(stdout, "first failure: %s\n", state->failure);
}

static void print_estimate(const struct sweep *sweep, const struct sl_sweep_estimate *estimate)
{
  char time[32];
  printf("%" PRIu64 " runs: %" PRIu64 " recorded", estimate->runs, estimate->recorded);
  if (estimate->elsewhere > 0)
    printf(", %" PRIu64 " under way in another sweep", estimate->elsewhere);
  printf(", %" PRIu64 " to run", estimate->to_run);
  if (estimate->timed > 0)
    printf("; about %s on %" PRIu64 " processes, from recorded times of %s runs",
           duration(estimate->seconds / (double)estimate->timed * (double)estimate->to_run / (double)sweep->jobs, time),
           sweep->jobs, estimate->timed == estimate->to_run ? "these" : "some of these");
  else if (estimate->to_run > 0)
    fputs("; the time is unknown, because none of these programs is recorded yet", stdout);
  putchar('\n');
}

/* ---- programs that the study builds ------------------------------------------------------------------------------ */

struct builds {
  const struct sl_plan *plan;
  size_t *programs; /* their numbers */
  atomic_bool failed;
  pthread_mutex_t mutex;
  struct sl_error error; /* the first one */
};

static void name_build(const void *context, size_t job, char *text, size_t size)
{
  const struct builds *builds = context;
  const char *path = builds->plan->study->programs[builds->programs[job]].path, *slash = strrchr(path, '/');
  snprintf(text, size, "building %s", slash != NULL ? slash + 1 : path);
}

static void run_build(void *context, size_t job, struct sl_running *running)
{
  struct builds *builds = context;
  const struct sl_plan *plan = builds->plan;
  struct sl_error error = {0};
  (void)running;
  if (atomic_load(&builds->failed))
    return;
  if (sl_make_folders(plan->study->programs[builds->programs[job]].path, &error) == SL_OK &&
      sl_program_build(plan->study, builds->programs[job], plan->build->hash, &error) == SL_OK)
    return;
  pthread_mutex_lock(&builds->mutex);
  if (!atomic_exchange(&builds->failed, true))
    builds->error = error;
  pthread_mutex_unlock(&builds->mutex);
}

/* Builds the programs of runs that are not up to date. */
static enum sl_status build_programs(const struct sweep *sweep, const struct sl_plan *plan, struct sl_error *err)
{
  const struct sl_study *study = plan->study;
  struct builds builds = {.plan = plan, .programs = calloc(study->program_count, sizeof *builds.programs)};
  struct sl_jobs jobs = {0, name_build, run_build, &builds, sweep->quiet};
  if (builds.programs == NULL)
    return sl_no_memory(err, study->program_count * sizeof *builds.programs);
  for (size_t i = 0; i < study->program_count; i++) {
    char *printed = NULL;
    if (study->programs[i].build != NULL && plan->used[i] &&
        !sl_program_is_built(&study->programs[i], plan->build->hash, &printed))
      builds.programs[jobs.count++] = i;
    free(printed);
  }
  pthread_mutex_init(&builds.mutex, NULL);
  enum sl_status code = jobs.count > 0 ? sl_jobs_run(&jobs, sweep->jobs, err) : SL_OK;
  pthread_mutex_destroy(&builds.mutex);
  free(builds.programs);
  if (code == SL_OK && atomic_load(&builds.failed)) {
    *err = builds.error;
    code = err->code;
  }
  return code;
}

/* Commands of a study find this command in the variable SIMTLAB. */
static void export_command(void)
{
  char path[SL_PATH];
  const ssize_t length = readlink(OWN_FILE, path, sizeof path - 1);
  if (length <= 0)
    return;
  path[length] = '\0';
  setenv("SIMTLAB", path, 1);
}

/* ---- the sweep --------------------------------------------------------------------------------------------------- */

/* Names the database, and makes its folder. */
static enum sl_status choose_paths(struct sweep *sweep, const struct sl_study *study, struct sl_error *err)
{
  if (sweep->database == NULL)
    snprintf(sweep->path, sizeof sweep->path, "results/%s.db", study->name);
  if (sweep->database == NULL && !sweep->dry_run && mkdir("results", 0777) != 0 && errno != EEXIST)
    return sl_fail(err, SL_USAGE, "results: cannot be made (%s)", strerror(errno));
  const int n = sweep->spool_folder != NULL ? snprintf(sweep->spool, sizeof sweep->spool, "%s", sweep->spool_folder)
                                            : snprintf(sweep->spool, sizeof sweep->spool, "%s.spool", sweep->path);
  return n > 0 && (size_t)n < sizeof sweep->spool ? SL_OK : sl_fail(err, SL_USAGE, "the database's name is too long");
}

/* Commands run in the study's folder, so the spool has an absolute path. */
static enum sl_status make_spool(struct sweep *sweep, struct sl_error *err)
{
  char *real = mkdir(sweep->spool, 0777) == 0 || errno == EEXIST ? realpath(sweep->spool, NULL) : NULL;
  if (real == NULL)
    return sl_fail(err, SL_USAGE, "%.300s: cannot be made (%s)", sweep->spool, strerror(errno));
  snprintf(sweep->spool, sizeof sweep->spool, "%s", real);
  free(real);
  return SL_OK;
}

static enum sl_status keep_metrics(const struct sl_study *study, struct sl_record *record, struct sl_error *err)
{
  enum sl_status code = SL_OK;
  for (size_t i = 0; i < study->metric_count && code == SL_OK; i++)
    code = sl_record_keep_metric(record, study->metrics[i].name, sl_expression_text(study->metrics[i].expression), err);
  return code;
}

/* Above the progress line. */
static void warn(void *context, const char *sentence)
{
  struct sweep *sweep = context;
  sl_progress_hide(&sweep->progress);
  sl_print(stderr, "simtlab: %s\n", sentence);
}

static enum sl_status run_on_cluster(struct sweep *sweep, const struct sl_plan *plan, struct sl_record *record,
                                     struct sl_sweep_state *state, struct sl_error *err)
{
  const struct sl_slurm_options options = {.spool = sweep->spool,
                                           .command = OWN_FILE,
                                           .partition = sweep->partition,
                                           .poll = sweep->poll != NULL ? strtod(sweep->poll, NULL) : 2,
                                           .again = sweep->retry != NULL,
                                           .any_build = sweep->any_build,
                                           .tick = tick,
                                           .warn = warn,
                                           .context = sweep};
  return sl_slurm_sweep(plan, record, &options, state, err);
}

static enum sl_status run_here(struct sweep *sweep, const struct sl_plan *plan, struct sl_record *record,
                               struct sl_sweep_state *state, struct sl_error *err)
{
  const char *const worker[] = {OWN_FILE, "sweep", "--worker", sweep->spool, "local", NULL};
  const struct sl_sweep_options options = {.spool = sweep->spool,
                                           .worker = worker,
                                           .jobs = (unsigned)sweep->jobs,
                                           .megabytes = sweep->megabytes,
                                           .again = sweep->retry != NULL,
                                           .any_build = sweep->any_build,
                                           .tick = tick,
                                           .context = sweep};
  return sl_sweep(plan, record, &options, state, err);
}

static enum sl_status run_study(struct sweep *sweep, const struct sl_plan *plan, struct sl_record *record,
                                struct sl_error *err)
{
  struct sl_sweep_state state;
  enum sl_status code = make_spool(sweep, err);
  if (code == SL_OK)
    code = keep_metrics(plan->study, record, err);
  if (code != SL_OK)
    return code;
  sl_interruption_begin(&sweep->interruption);
  sl_progress_init(&sweep->progress, stderr, sweep->quiet);
  code = (sweep->slurm ? run_on_cluster : run_here)(sweep, plan, record, &state, err);
  sl_progress_hide(&sweep->progress);
  if (code == SL_STOPPED)
    code = sl_interrupted_status(&sweep->interruption, err, "%" PRIu64 " runs are done; %s", state.done,
                                 sweep->slurm ? "the jobs go on: start again to collect their results, or end them "
                                                "with --cancel"
                                              : "start again to go on");
  sl_interruption_end(&sweep->interruption);
  if (code != SL_OK)
    return code;
  sl_spool_close(sweep->spool);
  if (!sweep->quiet)
    print_summary(sweep, &state);
  return state.failed == 0 ? SL_OK : sl_fail(err, SL_CHECK_FAILED, "%s", "");
}

/* Without a database, everything is to run. */
static enum sl_status estimate_study(struct sweep *sweep, const struct sl_plan *plan, struct sl_error *err)
{
  struct sl_record *record = NULL;
  struct sl_sweep_estimate estimate;
  enum sl_status code = SL_OK;
  if (access(sweep->path, F_OK) == 0)
    code = sl_record_open(&record, sweep->path, false, err);
  if (code == SL_OK)
    code = sl_sweep_estimate(plan, record, sweep->retry != NULL, sweep->any_build, &estimate, err);
  if (code == SL_OK)
    print_estimate(sweep, &estimate);
  sl_record_close(record);
  return code;
}

static enum sl_status cancel_jobs(const struct sweep *sweep, struct sl_error *err)
{
  unsigned jobs;
  const enum sl_status code = sl_slurm_cancel(sweep->spool, &jobs, err);
  if (code == SL_OK && !sweep->quiet)
    printf("%u jobs ended\n", jobs);
  return code;
}

static enum sl_status sweep_study(struct sweep *sweep, struct sl_error *err)
{
  struct sl_study study;
  struct sl_plan plan = {.study = &study};
  struct sl_record *record = NULL;
  struct sl_lab_build build;
  struct utsname host;
  char built[SL_RECORD_PATH + 16];
  if (sweep->database != NULL)
    snprintf(sweep->path, sizeof sweep->path, "%s", sweep->database);
  snprintf(built, sizeof built, "%s.programs", sweep->spool_folder != NULL ? sweep->spool_folder : sweep->path);
  if (sweep->spool_folder != NULL || sweep->database != NULL)
    sweep->choice.built = built;
  enum sl_status code = sl_study_read(&study, sweep->study_path, &sweep->choice, err);
  if (code == SL_OK)
    code = describe_build(&build, &host, err);
  if (code == SL_OK)
    code = sl_plan_open(&plan, &study, &build, err);
  if (code == SL_OK && !sweep->cancel && !sweep->dry_run)
    code = build_programs(sweep, &plan, err);
  if (code == SL_OK)
    code = sl_plan_make(&plan, err);
  if (code == SL_OK)
    code = choose_paths(sweep, &study, err);
  if (code == SL_OK && sweep->cancel) {
    code = cancel_jobs(sweep, err);
  } else if (code == SL_OK && sweep->dry_run) {
    code = estimate_study(sweep, &plan, err);
  } else if (code == SL_OK) {
    code = sl_record_open(&record, sweep->path, true, err);
    if (code == SL_OK)
      code = run_study(sweep, &plan, record, err);
    sl_record_close(record);
  }
  sl_plan_free(&plan);
  sl_study_free(&study);
  return code;
}

/* A worker ends with the sweep that has started it. Its errors go to that sweep. */
static enum sl_status work(const char *spool, bool local, struct sl_error *err)
{
  struct sl_lab_build build;
  struct utsname host;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  export_command();
  enum sl_status code = describe_build(&build, &host, err);
  if (code == SL_OK)
    code = sl_work(stdin, stdout, spool, !local, &build, err);
  else
    printf("stop %s\n", err->text);
  err->text[0] = '\0';
  return code;
}

static enum sl_status sweep_command(const struct sl_command *command, int argc, char **argv, struct sl_error *err)
{
  struct sweep sweep = {.jobs = sl_processors(), .interruption.file = -1};
  const struct sl_option options[] = {
      SL_STUDY_OPTIONS(sweep.choice),
      {0, "sample", SL_OPTION_TEXT, "PLAN", "time samples only: U,W,K[,SEED] or auto[,SEED]", &sweep.choice.sample},
      {'d', "database", SL_OPTION_TEXT, "FILE", "record of all runs [results/NAME.db]", &sweep.database},
      {'j', "jobs", SL_OPTION_NUMBER, "N", "runs at a time [number of processors]", &sweep.jobs},
      {0, "memory", SL_OPTION_NUMBER, "MB", "of all runs together [what the computer has]", &sweep.megabytes},
      {0, "dry-run", SL_OPTION_FLAG, NULL, "only tell how many runs there are, and how long they take", &sweep.dry_run},
      {0, "retry", SL_OPTION_TEXT, "failed", "also start runs again that are recorded as failed", &sweep.retry},
      {0, "any-build", SL_OPTION_FLAG, NULL, "count runs that passed on other builds of simtlab, too",
       &sweep.any_build},
      {0, "slurm", SL_OPTION_FLAG, NULL, "run on a cluster, as array jobs of Slurm", &sweep.slurm},
      {0, "partition", SL_OPTION_TEXT, "NAME", "--slurm: partition of the jobs", &sweep.partition},
      {0, "spool", SL_OPTION_TEXT, "DIR", "results on their way; --slurm: a shared folder [DATABASE.spool]",
       &sweep.spool_folder},
      {0, "poll", SL_OPTION_TEXT, "SECONDS", "--slurm: time between looks at the queue [2]", &sweep.poll},
      {0, "cancel", SL_OPTION_FLAG, NULL, "--slurm: end the jobs that earlier sweeps have left", &sweep.cancel},
      {'q', "quiet", SL_OPTION_FLAG, NULL, "no progress and no summary", &sweep.quiet},
      {0},
  };
  if (argc >= 3 && strcmp(argv[1], "--worker") == 0)
    return work(argv[2], argc == 4 && strcmp(argv[3], "local") == 0, err);
  struct sl_operands operands;
  enum sl_status code = sl_options_parse(command, options, argc, argv, &operands, err);
  if (code != SL_OK || operands.help)
    return code;
  if (operands.count != 1)
    return sl_fail(err, SL_USAGE, "sweep takes one study file: simtlab sweep STUDY.yaml");
  if (sweep.retry != NULL && strcmp(sweep.retry, "failed") != 0)
    return sl_fail(err, SL_USAGE, "--retry takes 'failed', not '%.80s'", sweep.retry);
  if (sweep.jobs > SL_SWEEP_JOBS_MOST)
    return sl_fail(err, SL_USAGE, "--jobs is at most %d", SL_SWEEP_JOBS_MOST);
  if (sweep.poll != NULL && !(strtod(sweep.poll, NULL) >= 0.01 && strtod(sweep.poll, NULL) <= 3600))
    return sl_fail(err, SL_USAGE, "--poll takes seconds from 0.01 to 3600, not '%.80s'", sweep.poll);
  if (!sweep.slurm && (sweep.partition != NULL || sweep.poll != NULL))
    return sl_fail(err, SL_USAGE, "%s needs --slurm", sweep.partition != NULL ? "--partition" : "--poll");
  sweep.study_path = operands.items[0];
  export_command();
  return sweep_study(&sweep, err);
}

const struct sl_command sl_sweep_command = {
    .name = "sweep",
    .operands = "[OPTION]... STUDY.yaml",
    .summary = "Run a study: machines, keys and programs in all combinations",
    .details = "A run that the database has is not run again. Interrupt at any time; the same command goes on.\n"
               "docs/how-to/studies.md describes study files.\n",
    .run = sweep_command,
};
