#include "lab/sweep.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "lab/run/execute.h"
#include "observe/json.h"
#include "observe/terminal.h"

/* ---- room in memory for runs ------------------------------------------------------------------------------------ */

enum { UNKNOWN = 256, LEAST = 32, KEPT = 256, KILOBYTES = 1024, DEEPEST = 6 };

#define LOOK_SECONDS 0.5

enum sl_status sl_memory_room_open(struct sl_memory_room *room, const struct sl_plan *plan, struct sl_record *record,
                                   uint64_t limit, struct sl_error *err)
{
  const size_t count = plan->study->program_count * plan->study->machines.count;
  *room = (struct sl_memory_room){.plan = plan,
                                  .record = record,
                                  .limit = limit,
                                  .peak = calloc(count + 1, sizeof *room->peak),
                                  .asked = calloc(count + 1, sizeof *room->asked)};
  return room->peak != NULL && room->asked != NULL ? SL_OK : sl_no_memory(err, count * sizeof *room->peak);
}

void sl_memory_room_close(struct sl_memory_room *room)
{
  free(room->peak);
  free(room->asked);
}

/* ---- what there is ----------------------------------------------------------------------------------------------- */

/* A number in kB of a file like /proc/meminfo; 0 if it has none. */
static uint64_t line_of(const char *path, const char *name)
{
  char line[128];
  unsigned long long kilobytes = 0;
  bool found = false;
  FILE *file = fopen(path, "re");
  while (file != NULL && !found && fgets(line, sizeof line, file) != NULL)
    found = strncmp(line, name, strlen(name)) == 0 && sscanf(line + strlen(name), "%llu", &kilobytes) == 1;
  if (file != NULL)
    fclose(file);
  return kilobytes;
}

/* The number in a file of the control group; the greatest if there is none. */
static uint64_t group_number(const char *path)
{
  uint64_t number = UINT64_MAX;
  FILE *file = fopen(path, "re");
  if (file != NULL && fscanf(file, "%" SCNu64, &number) != 1)
    number = UINT64_MAX; /* "max" */
  if (file != NULL)
    fclose(file);
  return number;
}

/* What the computer, or the control group of a container, has left. */
static uint64_t available(void)
{
  const uint64_t megabytes = line_of("/proc/meminfo", "MemAvailable:") / KILOBYTES;
  const uint64_t most = group_number("/sys/fs/cgroup/memory.max"), used = group_number("/sys/fs/cgroup/memory.current");
  const uint64_t group = most == UINT64_MAX || used == UINT64_MAX ? UINT64_MAX
                         : most > used                            ? (most - used) / KILOBYTES / KILOBYTES
                                                                  : 0;
  return megabytes == 0 || group < megabytes ? group : megabytes;
}

/* What a process takes now, with those that it has started. */
static uint64_t taken_by(long process, unsigned depth)
{
  char path[80];
  long child;
  snprintf(path, sizeof path, "/proc/%ld/status", process);
  uint64_t sum = line_of(path, "VmRSS:") / KILOBYTES;
  snprintf(path, sizeof path, "/proc/%ld/task/%ld/children", process, process);
  FILE *file = depth < DEEPEST ? fopen(path, "re") : NULL;
  while (file != NULL && fscanf(file, "%ld", &child) == 1)
    sum += taken_by(child, depth + 1);
  if (file != NULL)
    fclose(file);
  return sum;
}

uint64_t sl_memory_taken(void)
{
  struct rusage children;
  const uint64_t own = line_of("/proc/self/status", "VmHWM:");
  FILE *file = fopen("/proc/self/clear_refs", "we");
  if (file != NULL) {
    fputs("5", file); /* begins a new maximum */
    fclose(file);
  }
  const long largest = getrusage(RUSAGE_CHILDREN, &children) == 0 ? children.ru_maxrss : 0;
  return (own + (uint64_t)largest) / KILOBYTES;
}

void sl_memory_room_look(struct sl_memory_room *room, const struct sl_worker_process *workers, unsigned count)
{
  uint64_t growth = 0, reserved = 0;
  if (sl_seconds() < room->looked + LOOK_SECONDS)
    return;
  room->looked = sl_seconds();
  const uint64_t there = available();
  for (unsigned i = 0; i < count; i++) {
    if (workers[i].process == 0 || workers[i].megabytes == 0)
      continue;
    const uint64_t taken = taken_by(workers[i].process, 0), own = workers[i].megabytes;
    growth += own > taken ? own - taken : 0;
    reserved += own > taken ? own : taken;
  }
  room->left = there == UINT64_MAX ? INT64_MAX : (int64_t)there - KEPT - (int64_t)growth;
  if (room->limit > 0 && (int64_t)room->limit - (int64_t)reserved < room->left)
    room->left = (int64_t)room->limit - (int64_t)reserved;
}

/* ---- what runs need ---------------------------------------------------------------------------------------------- */

static uint64_t *peak_of(struct sl_memory_room *room, size_t run, uint64_t **first)
{
  const struct sl_study *study = room->plan->study;
  const struct sl_study_point point = sl_study_point(study, room->plan->runs[run].point);
  *first = &room->peak[point.program * study->machines.count];
  return &(*first)[point.machine];
}

static uint64_t need_of(struct sl_memory_room *room, size_t run)
{
  uint64_t *first, *peak = peak_of(room, run, &first), most = 0;
  if (*peak == 0 && !room->asked[peak - room->peak]) {
    room->asked[peak - room->peak] = true;
    *peak = sl_record_megabytes(room->record, sl_plan_program(room->plan, run), sl_plan_pipeline(room->plan, run));
  }
  for (uint64_t i = 0; i < room->plan->study->machines.count; i++)
    most = first[i] > most ? first[i] : most;
  return *peak > 0 ? *peak : most > 0 ? most : UNKNOWN;
}

bool sl_memory_room_take(struct sl_memory_room *room, struct sl_worker_process *worker, size_t run, bool alone)
{
  const uint64_t need = need_of(room, run);
  const int64_t more = need > worker->megabytes ? (int64_t)(need - worker->megabytes) : 0;
  if (!alone && more > room->left)
    return false;
  worker->megabytes += (uint64_t)more;
  room->left -= room->left == INT64_MAX ? 0 : more;
  return true;
}

void sl_memory_room_learn(struct sl_memory_room *room, size_t run, uint64_t megabytes)
{
  uint64_t *first, *peak = peak_of(room, run, &first);
  const uint64_t least = megabytes > LEAST ? megabytes : LEAST;
  *peak = *peak > least ? *peak : least;
}

void sl_memory_room_give(struct sl_memory_room *room, struct sl_worker_process *worker)
{
  if (room->left != INT64_MAX)
    room->left += (int64_t)worker->megabytes;
  worker->megabytes = 0;
}

/* ---- results on the pipe ----------------------------------------------------------------------------------------- */

/* The names, separated by blanks; the caller frees it. */
static char *join(const json_t *list)
{
  size_t size = 1, used = 0, i;
  json_t *name;
  json_array_foreach(list, i, name) size += json_string_length(name) + 1;
  char *text = malloc(size);
  if (text == NULL)
    return NULL;
  text[0] = '\0';
  json_array_foreach(list, i, name) used +=
      (size_t)snprintf(text + used, size - used, "%s%s", i > 0 ? " " : "", json_string_value(name));
  return text;
}

static json_t *split(const char *text)
{
  json_t *list = json_array();
  for (size_t length; list != NULL && *text != '\0'; text += length + (text[length] == ' ')) {
    length = strcspn(text, " ");
    json_array_append_new(list, json_stringn(text, length));
  }
  return list;
}

/* Writes a result, which loses its keys and names. False: there is no memory, or nobody reads. */
static bool result_put(json_t *result, FILE *file)
{
  json_t *machine = json_object_get(result, "machine");
  char *keys = json_dumps(json_object_get(machine, "keys"), JSON_COMPACT),
       *names = join(json_object_get(result, "counters"));
  json_object_del(machine, "keys");
  json_object_del(result, "counters");
  const bool written = keys != NULL && names != NULL && fprintf(file, "%s\t%s\t", keys, names) > 0 &&
                       json_dumpf(result, file, JSON_COMPACT) == 0;
  free(keys);
  free(names);
  return written;
}

/* The names as a list; that of the last result if they are the same. */
static json_t *list_of(struct sl_counter_names *names, const char *text, size_t length)
{
  if (names->text == NULL || strncmp(names->text, text, length) != 0 || names->text[length] != '\0') {
    sl_counter_names_free(names);
    names->text = strndup(text, length);
    names->list = names->text != NULL ? split(names->text) : NULL;
  }
  return names->list;
}

json_t *sl_result_take(const char *line, struct sl_counter_names *names)
{
  const char *first = strchr(line, '\t'), *second = first != NULL ? strchr(first + 1, '\t') : NULL;
  json_t *result = second != NULL ? json_loads(second + 1, 0, NULL) : NULL;
  if (result == NULL)
    return NULL;
  json_t *keys = json_stringn_nocheck(line, (size_t)(first - line)),
         *list = list_of(names, first + 1, (size_t)(second - first - 1));
  if (keys != NULL && list != NULL && json_object_set_new(json_object_get(result, "machine"), "keys", keys) == 0 &&
      json_object_set(result, "counters", list) == 0)
    return result;
  json_decref(result);
  return NULL;
}

void sl_counter_names_free(struct sl_counter_names *names)
{
  free(names->text);
  json_decref(names->list);
  *names = (struct sl_counter_names){NULL, NULL};
}

/* ---- runs -------------------------------------------------------------------------------------------------------- */

static enum sl_status work_on(struct sl_executor *executor, const char *line, bool lasting, FILE *out,
                              struct sl_error *err)
{
  json_error_t error;
  json_t *run = json_loads(line, 0, &error), *result = NULL;
  const char *hash = sl_run_text(run, "hash");
  enum sl_status code = SL_OK;
  if (run == NULL || hash[0] == '\0')
    code = sl_fail(err, SL_USAGE, "a line is no description of a run (%.100s)", error.text);
  else if (!sl_spool_has(executor->spool, hash))
    code = sl_execute(executor, run, &result, err);
  const bool quick = !lasting && result != NULL && json_number_value(json_object_get(result, "seconds")) < SL_QUICK_RUN;
  if (result != NULL && !quick)
    sl_json_put(&result, "megabytes", json_integer((json_int_t)sl_memory_taken()));
  if (quick)
    fputs("data ", out);
  if (quick && !result_put(result, out))
    code = sl_fail(err, SL_USAGE, "the sweep has ended");
  if (quick)
    json_decref(result);
  else if (result != NULL)
    code = sl_spool_write(executor->spool, result, lasting, err);
  if (quick)
    fputc('\n', out);
  else if (code == SL_OK)
    fprintf(out, "done %s\n", hash);
  else
    fprintf(out, "stop %s\n", err->text);
  json_decref(run);
  return fflush(out) != 0 && code == SL_OK ? sl_fail(err, SL_USAGE, "the sweep has ended") : code;
}

enum sl_status sl_work(FILE *in, FILE *out, const char *spool, bool lasting, const struct sl_lab_build *build,
                       struct sl_error *err)
{
  struct sl_executor executor;
  char *line = NULL;
  size_t size = 0;
  enum sl_status code = SL_OK;
  sl_executor_init(&executor, build, spool);
  while (code == SL_OK && getline(&line, &size, in) > 0)
    code = work_on(&executor, line, lasting, out, err);
  free(line);
  sl_executor_free(&executor);
  return code;
}
