#include "lab/sweep.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "observe/terminal.h"

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
