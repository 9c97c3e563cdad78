#include "lab/slurm/slurm.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/whole_file.h"
#include "lab/process.h"

enum { MOST_FOLDERS = 100000, LEAST_MARGIN_MINUTES = 2 };

void sl_slurm_job_free(struct sl_slurm_job *job)
{
  for (size_t i = 0; i < job->count; i++)
    free(job->tasks[i].runs);
  free(job->tasks);
  *job = (struct sl_slurm_job){0};
}

/* ---- commands ---------------------------------------------------------------------------------------------------- */

/* Runs a command of Slurm and gives each line of its output and errors to `line`. Returns its exit status; 127: it
 * cannot be started. */
static int run(const char *const *words, void (*line)(void *context, const char *text), void *context)
{
  const char *command[24] = {"/bin/sh", "-c", "exec \"$@\" 2>&1 </dev/null", "sh"};
  struct sl_worker_process process;
  struct sl_error ignored;
  const char *text;
  for (unsigned i = 0; words[i] != NULL; i++)
    command[4 + i] = words[i];
  if (sl_worker_start(&process, command, &ignored) != SL_OK)
    return 127;
  for (bool open = true; open;) {
    open = sl_worker_read(&process);
    while ((text = sl_worker_line(&process)) != NULL)
      line(context, text);
  }
  const int status = sl_worker_end(&process);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 127;
}

/* The last line of an output. */
struct last {
  char *text;
  size_t size;
};

static void keep_last(void *context, const char *text)
{
  const struct last *last = context;
  snprintf(last->text, last->size, "%s", text);
}

struct config {
  unsigned long tasks;
};

static void read_config(void *context, const char *text)
{
  struct config *config = context;
  sscanf(text, "MaxArraySize = %lu", &config->tasks);
}

size_t sl_slurm_most_tasks(void)
{
  struct config config = {0};
  const int status = run((const char *[]){"scontrol", "show", "config", NULL}, read_config, &config);
  return status == 0 && config.tasks > 0 && config.tasks < SL_SLURM_TASKS ? config.tasks : SL_SLURM_TASKS;
}

struct complaint {
  char *text;
  size_t size, length;
};

/* "NODE REASON" */
static void add_complaint(void *context, const char *text)
{
  struct complaint *c = context;
  const size_t node = strcspn(text, " ");
  if (c->length + 1 < c->size && text[node] == ' ')
    c->length +=
        (size_t)snprintf(c->text + c->length, c->size - c->length,
                         "%snode %.*s does not run jobs (%s); an administrator resumes it with scontrol update "
                         "nodename=%.*s state=resume",
                         c->length > 0 ? "; " : "", (int)node, text, text + node + 1, (int)node, text);
}

void sl_slurm_complaint(char *text, size_t size)
{
  struct complaint complaint = {text, size, 0};
  text[0] = '\0';
  run((const char *[]){"sinfo", "-R", "-h", "-o", "%n %E", NULL}, add_complaint, &complaint);
}

static void name_file(char *path, size_t size, const char *folder, size_t task, const char *ending)
{
  if (task == SIZE_MAX)
    snprintf(path, size, "%s/%s", folder, ending);
  else
    snprintf(path, size, "%s/%zu%s", folder, task, ending);
}

/* Reads a text of a job's folder, up to the first white space. */
static bool read_word(const char *folder, const char *ending, char word[SL_SLURM_NAME])
{
  FILE *file = sl_slurm_open(folder, SIZE_MAX, ending);
  const bool found = file != NULL && fscanf(file, "%63s", word) == 1;
  if (file != NULL)
    fclose(file);
  return found;
}

bool sl_slurm_cancel_job(const char *folder)
{
  char text[200], word[SL_SLURM_NAME], name[SL_SLURM_NAME + 8];
  struct last last = {text, sizeof text};
  const bool number = read_word(folder, "job", word);
  if (!number && !read_word(folder, "name", word))
    return false;
  snprintf(name, sizeof name, "--name=%s", word);
  run((const char *[]){"scancel", number ? word : name, NULL}, keep_last, &last);
  return true;
}

enum sl_status sl_slurm_find(struct sl_slurm_job *job, struct sl_error *err)
{
  char answer[300] = "", name[SL_SLURM_NAME];
  struct last last = {answer, sizeof answer};
  if (read_word(job->folder, "job", job->number) || !read_word(job->folder, "name", name))
    return SL_OK;
  const int status = run((const char *[]){"squeue", "-h", "-n", name, "-o", "%F", NULL}, keep_last, &last);
  const size_t digits = strspn(answer, "0123456789");
  if (status != 0)
    return sl_fail(err, SL_USAGE, "squeue does not answer, so that the job of %.200s is not known (%.200s); try again",
                   job->folder, answer);
  memcpy(job->number, answer, digits < sizeof job->number ? digits : 0);
  return SL_OK;
}

struct look {
  struct sl_slurm_job *job;
  struct last last;
};

/* "NUMBER_TASK STATE REASON" */
static void find_task(void *context, const char *text)
{
  struct look *look = context;
  const size_t length = strlen(look->job->number);
  char *end;
  keep_last(&look->last, text);
  if (strncmp(text, look->job->number, length) != 0 || text[length] != '_')
    return;
  const unsigned long task = strtoul(text + length + 1, &end, 10);
  if (end != text + length + 1 && task < look->job->count)
    look->job->tasks[task].absent = 0;
}

bool sl_slurm_look(struct sl_slurm_job *job, char *text, size_t size)
{
  struct look look = {job, {text, size}};
  text[0] = '\0';
  for (size_t i = 0; i < job->count; i++)
    job->tasks[i].absent++;
  const int status =
      run((const char *[]){"squeue", "-h", "-r", "-j", job->number, "-o", "%i %T %r", NULL}, find_task, &look);
  /* Slurm forgets a job some minutes after its end. */
  const bool answers = status == 0 || strstr(text, "Invalid job id") != NULL;
  for (size_t i = 0; i < job->count && !answers; i++)
    job->tasks[i].absent = 0;
  return answers;
}

/* Whether sbatch may take the job later. */
static bool is_limit(const char *answer)
{
  static const char *const words[] = {"QOS policy", "SubmitJob",         "temporarily", "Socket timed out",
                                      "try again",  "Unable to contact", "job array"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strstr(answer, words[i]) != NULL)
      return true;
  return false;
}

static enum sl_status write_word(const char *folder, const char *name, const char *word, struct sl_error *err)
{
  char path[SL_SPOOL_PATH + 64];
  struct sl_whole_file file;
  name_file(path, sizeof path, folder, SIZE_MAX, name);
  const enum sl_status code = sl_whole_file_open(&file, path, err);
  if (code != SL_OK)
    return code;
  fprintf(file.file, "%s\n", word);
  return sl_whole_file_close(&file, true, err);
}

/* A name that no other job has: a sweep that finds the folder without a number asks for it. */
static void name_job(const char *folder, char name[SL_SLURM_NAME])
{
  char digest[SL_SHA256_TEXT], process[SL_PROCESS] = "";
  struct sl_sha256 hash;
  sl_process_name((long)getpid(), process);
  sl_sha256_begin(&hash);
  sl_sha256_text(&hash, folder);
  sl_sha256_text(&hash, process);
  sl_sha256_end(&hash, digest);
  snprintf(name, SL_SLURM_NAME, "simtlab-%.16s", digest);
}

enum sl_status sl_slurm_submit(struct sl_slurm_job *job, const char *partition, double seconds, struct sl_error *err)
{
  char array[32], time[32], script[SL_SPOOL_PATH + 8], name[SL_SLURM_NAME], named[SL_SLURM_NAME + 16], chosen[200],
      answer[300] = "";
  const char *words[] = {
      "sbatch", "--parsable", "--requeue", "--open-mode=append", "--output=/dev/null", named, array, time,
      script,   NULL,         NULL};
  struct last last = {answer, sizeof answer};
  name_job(job->folder, name);
  snprintf(named, sizeof named, "--job-name=%s", name);
  snprintf(array, sizeof array, "--array=0-%zu", job->count - 1);
  snprintf(time, sizeof time, "--time=%.0f", seconds / 60 + LEAST_MARGIN_MINUTES);
  snprintf(script, sizeof script, "%s/task", job->folder);
  if (partition != NULL) {
    snprintf(chosen, sizeof chosen, "--partition=%s", partition);
    words[8] = chosen;
    words[9] = script;
  }
  const enum sl_status code = write_word(job->folder, "name", name, err);
  if (code != SL_OK)
    return code;
  const int status = run(words, keep_last, &last);
  const size_t digits = strspn(answer, "0123456789");
  if (status == 127)
    return sl_fail(err, SL_USAGE, "sbatch is not there (%.200s); --slurm needs Slurm's commands", answer);
  if (status != 0 || digits == 0 || digits >= sizeof job->number)
    return sl_fail(err, is_limit(answer) ? SL_PAUSED : SL_USAGE, "sbatch refuses the job: %.250s", answer);
  memcpy(job->number, answer, digits);
  job->number[digits] = '\0';
  return write_word(job->folder, "job", job->number, err);
}

/* ---- the folder -------------------------------------------------------------------------------------------------- */

enum sl_status sl_slurm_make_folder(struct sl_slurm_job *job, const char *spool, struct sl_error *err)
{
  for (unsigned i = 1; i < MOST_FOLDERS; i++) {
    snprintf(job->folder, sizeof job->folder, "%.4000s/slurm.%u", spool, i);
    if (mkdir(job->folder, 0777) == 0)
      return SL_OK;
    if (errno != EEXIST)
      break;
  }
  return sl_fail(err, SL_USAGE, "%.300s: cannot be made (%s)", job->folder, strerror(errno));
}

FILE *sl_slurm_open(const char *folder, size_t task, const char *ending)
{
  char path[SL_SPOOL_PATH + 64];
  name_file(path, sizeof path, folder, task, ending);
  return fopen(path, "re");
}

enum sl_status sl_slurm_write_task(const struct sl_slurm_job *job, size_t task, json_t *const *runs,
                                   struct sl_error *err)
{
  char path[SL_SPOOL_PATH + 64];
  struct sl_whole_file file;
  const struct sl_slurm_task *t = &job->tasks[task];
  name_file(path, sizeof path, job->folder, task, ".limit");
  enum sl_status code = sl_whole_file_open(&file, path, err);
  if (code == SL_OK) {
    fprintf(file.file, "%.0f\n", t->limit);
    code = sl_whole_file_close(&file, false, err);
  }
  name_file(path, sizeof path, job->folder, task, "");
  if (code == SL_OK)
    code = sl_whole_file_open(&file, path, err);
  if (code != SL_OK)
    return code;
  for (size_t i = 0; i < t->count; i++) {
    json_dumpf(runs[i], file.file, JSON_COMPACT);
    fputc('\n', file.file);
  }
  return sl_whole_file_close(&file, true, err);
}

/* A word of the shell. */
static void put_quoted(FILE *file, const char *text)
{
  fputc('\'', file);
  for (; *text != '\0'; text++)
    fputs(*text == '\'' ? "'\\''" : (char[]){*text, '\0'}, file);
  fputc('\'', file);
}

/* timeout ends the worker before Slurm ends the task, so that the exit status tells of the limit. */
enum sl_status sl_slurm_write_script(const struct sl_slurm_job *job, const char *spool, const char *command,
                                     struct sl_error *err)
{
  char path[SL_SPOOL_PATH + 64];
  struct sl_whole_file file;
  name_file(path, sizeof path, job->folder, SIZE_MAX, "task");
  const enum sl_status code = sl_whole_file_open(&file, path, err);
  if (code != SL_OK)
    return code;
  fputs("#!/bin/sh\n# A task of a job of simtlab sweep --slurm: executes the runs of one chunk.\nchunk=", file.file);
  put_quoted(file.file, job->folder);
  fputs("/$SLURM_ARRAY_TASK_ID\n[ ! -e \"$chunk.end\" ] || exit 0\n"
        "timeout -k 5 \"$(cat \"$chunk.limit\")\" ",
        file.file);
  put_quoted(file.file, command);
  fputs(" sweep --worker ", file.file);
  put_quoted(file.file, spool);
  fputs(" <\"$chunk\" >\"$chunk.log\" 2>&1\n"
        "echo \"$? $(uname -n)\" >\"$chunk.end.$$\" && mv \"$chunk.end.$$\" \"$chunk.end\"\n",
        file.file);
  return sl_whole_file_close(&file, true, err);
}

enum sl_status sl_slurm_each(const char *spool,
                             enum sl_status (*each)(void *context, const char *folder, struct sl_error *err),
                             void *context, struct sl_error *err)
{
  DIR *folder = opendir(spool);
  const struct dirent *entry;
  char path[SL_SPOOL_PATH + 300];
  enum sl_status code = SL_OK;
  while (folder != NULL && code == SL_OK && (entry = readdir(folder)) != NULL)
    if (strncmp(entry->d_name, "slurm.", 6) == 0) {
      snprintf(path, sizeof path, "%s/%s", spool, entry->d_name);
      code = each(context, path, err);
    }
  if (folder != NULL)
    closedir(folder);
  return code;
}

void sl_slurm_remove(const char *folder)
{
  DIR *files = opendir(folder);
  const struct dirent *entry;
  char path[SL_SPOOL_PATH + 300];
  while (files != NULL && (entry = readdir(files)) != NULL) {
    snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
    if (entry->d_name[0] != '.')
      unlink(path);
  }
  if (files != NULL)
    closedir(files);
  rmdir(folder);
}
