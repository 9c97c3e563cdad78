#define _GNU_SOURCE /* syscall */
#include "cli/bench/host_counter.h"

#ifdef __linux__
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Data layout for the read_format below. */
struct reading {
  uint64_t value, enabled, running;
};

struct sl_host_counter sl_host_counter_open(void)
{
  enum { THIS_THREAD = 0, ANY_PROCESSOR = -1, NO_GROUP = -1 };
  struct perf_event_attr event = {
      .type = PERF_TYPE_HARDWARE,
      .size = sizeof event,
      .config = PERF_COUNT_HW_INSTRUCTIONS,
      .read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING,
      .exclude_kernel = 1,
      .exclude_hv = 1,
  };
  const long file = syscall(SYS_perf_event_open, &event, THIS_THREAD, ANY_PROCESSOR, NO_GROUP, PERF_FLAG_FD_CLOEXEC);
  return (struct sl_host_counter){(int)file};
}

void sl_host_counter_close(struct sl_host_counter *counter)
{
  if (counter->file >= 0)
    close(counter->file);
  counter->file = -1;
}

bool sl_host_counter_read(const struct sl_host_counter *counter, uint64_t *instructions)
{
  struct reading now;
  if (counter->file < 0 || read(counter->file, &now, sizeof now) != (ssize_t)sizeof now)
    return false;
  if (now.value == 0 || now.running != now.enabled)
    return false;
  *instructions = now.value;
  return true;
}

#else

struct sl_host_counter sl_host_counter_open(void)
{
  return (struct sl_host_counter){-1};
}

void sl_host_counter_close(struct sl_host_counter *counter)
{
  (void)counter;
}

bool sl_host_counter_read(const struct sl_host_counter *counter, uint64_t *instructions)
{
  (void)counter;
  (void)instructions;
  return false;
}

#endif
