/* Measures what a device costs beside simulation, on sm7 with PTX: MEASURE prints the host time of empty launches,
 * allocations and copies, and the memory that 100,000 launches take. For developers; no test uses it. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "simtlab/simtlab.h"

static const char empty[] = ".version 6.4\n.target sm_70\n.address_size 64\n.visible .entry k() { ret; }\n";

static double seconds(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void check(enum simtlab_status status, const struct simtlab_error *error)
{
  if (status == SIMTLAB_OK)
    return;
  fprintf(stderr, "%s\n", error->text);
  exit(1);
}

static simtlab_device *open_device(simtlab_config *config, bool fast)
{
  struct simtlab_error error;
  simtlab_device *device = simtlab_device_create(config, &(struct simtlab_options){.ptx = true, .fast = fast}, &error);
  if (device == NULL || simtlab_module_parse(device, "empty.ptx", empty, sizeof empty - 1, &error) == NULL)
    check(SIMTLAB_USAGE, &error);
  return device;
}

/* Microseconds of a launch, over `count` after as many. */
static double launches(simtlab_device *device, uint32_t blocks, uint32_t threads, unsigned count)
{
  struct simtlab_error error;
  const struct simtlab_launch launch = {.kernel = "k", .grid = {blocks}, .block = {threads}};
  double start = 0;
  for (unsigned i = 0; i < 2 * count; i++) {
    if (i == count)
      start = seconds();
    check(simtlab_device_start(device, &launch, &error), &error);
    check(simtlab_device_wait(device, &error), &error);
    simtlab_device_forget(device, &error);
  }
  return 1e6 * (seconds() - start) / count;
}

static long resident_kilobytes(void)
{
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

static void measure(simtlab_config *config, bool fast)
{
  enum { BYTES = 1 << 28 };
  const char *mode = fast ? "fast" : "timed";
  simtlab_device *device = open_device(config, fast);
  struct simtlab_error error;
  uint64_t address;
  printf("%s: empty launch, 1 block of 32 threads: %.1f us\n", mode, launches(device, 1, 32, 200));
  printf("%s: empty launch, 640 blocks of 256 threads: %.0f us\n", mode, launches(device, 640, 256, 20));
  double start = seconds();
  check(simtlab_device_alloc(device, UINT64_C(1) << 30, &address, &error), &error);
  printf("%s: 1 GiB allocated in %.3f ms\n", mode, 1e3 * (seconds() - start));
  void *data = calloc(1, BYTES);
  if (data == NULL)
    exit(1);
  memset(data, 1, BYTES);
  for (int i = 0; i < 2; i++) { /* then with pages that exist */
    start = seconds();
    check(simtlab_device_write(device, address, data, BYTES, &error), &error);
    printf("%s: write %.2f GB/s\n", mode, 1e-9 * BYTES / (seconds() - start));
  }
  start = seconds();
  check(simtlab_device_read(device, address, data, BYTES, &error), &error);
  printf("%s: read %.2f GB/s\n", mode, 1e-9 * BYTES / (seconds() - start));
  free(data);
  const long before = resident_kilobytes();
  launches(device, 1, 32, fast ? 50000 : 5000);
  printf("%s: %d launches took %ld KiB more\n", mode, fast ? 100000 : 10000, resident_kilobytes() - before);
  simtlab_device_free(device);
}

int main(void)
{
  struct simtlab_error error;
  simtlab_config *config = simtlab_config_open("sm7", &error);
  if (config == NULL)
    check(SIMTLAB_USAGE, &error);
  measure(config, false);
  measure(config, true);
  simtlab_config_free(config);
  return 0;
}
