/* Measures a device of a host program against its gates, and prints a table: MEASURE [MACHINE]. Exit status 1: a gate
 * fails. Times are the least of several runs. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "host/host_device.h"

static const char text[] = ".version 6.0\n.target sm_70\n.address_size 64\n"
                           ".visible .entry empty() {\nret;\n}\n"
                           ".visible .entry one(.param .u64 p) {\n.reg .b64 %d<2>;\nld.param.u64 %d1, [p];\n"
                           "st.global.u32 [%d1], 1;\nret;\n}\n";

struct bench {
  struct sl_host_device device;
  struct sl_queue *queue;
  struct sl_error err;
  bool failed;
};

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double resident(void)
{
  long all = 0, pages = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  if (file != NULL && fscanf(file, "%ld %ld", &all, &pages) != 2)
    pages = 0;
  if (file != NULL)
    fclose(file);
  return (double)pages * (double)sysconf(_SC_PAGESIZE) / 1e6;
}

static void require(struct bench *b, enum sl_status code)
{
  if (code == SL_OK)
    return;
  fprintf(stderr, "%s\n", b->err.text);
  exit(2);
}

static void open_bench(struct bench *b, const char *machine, const char *mode)
{
  struct sl_host_options options = {.mode = ""};
  struct sl_gpu_module *module;
  *b = (struct bench){.failed = false};
  snprintf(options.mode, sizeof options.mode, "%s", mode);
  require(b, sl_host_open(&b->device, &options, machine, 1 << 20, &b->err));
  require(b, sl_queue_open(b->device.timeline, &b->queue, &b->err));
  require(b,
          sl_host_load(&b->device, "bench.ptx", &(struct sl_host_code){text, sizeof text - 1, NULL}, &module, &b->err));
}

static void launch(struct bench *b, uint32_t blocks, uint32_t threads)
{
  const struct sl_gpu_launch empty = {.kernel = "empty", .grid = {blocks}, .block = {threads}};
  require(b, sl_host_launch(&b->device, b->queue, &empty, NULL, 0, NULL, &b->err));
}

/* Seconds of a launch, the median of many; *beyond: without simulation. */
static int by_value(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double launch_seconds(struct bench *b, uint32_t blocks, uint32_t threads, size_t runs)
{
  double *took = calloc(runs, sizeof *took);
  if (took == NULL)
    exit(2);
  launch(b, blocks, threads);
  for (size_t i = 0; i < runs; i++) {
    const double start = now();
    launch(b, blocks, threads);
    took[i] = now() - start;
  }
  qsort(took, runs, sizeof *took, by_value);
  const double middle = took[runs / 2];
  free(took);
  return middle;
}

static void row(struct bench *b, const char *what, double value, double gate, const char *unit, bool least)
{
  const bool good = least ? value >= gate : value <= gate;
  printf("%-44s %10.3g %s %10.3g %-5s %s\n", what, value, least ? ">=" : "<=", gate, unit, good ? "ok" : "FAILS");
  b->failed |= !good;
}

static void launches(struct bench *b, bool timed)
{
  if (timed) {
    row(b, "empty timed launch", 1e6 * launch_seconds(b, 1, 1, 200), 50, "us", false);
    row(b, "empty timed launch of 640 x 256", 1e3 * launch_seconds(b, 640, 256, 5), 6, "ms", false);
  } else {
    row(b, "empty fast launch", 1e6 * launch_seconds(b, 1, 1, 1000), 10, "us", false);
  }
}

static void memory(struct bench *b)
{
  enum { COPY = 64 << 20 };
  uint64_t address, copy;
  struct sl_command command = {.kind = SL_COMMAND_WRITE, .size = COPY};
  double start = now(), up = 1e9, down = 1e9;
  require(b, sl_gpu_alloc(b->device.gpu, UINT64_C(1) << 30, &address, &b->err));
  row(b, "1 GiB allocated", 1e3 * (now() - start), 1, "ms", false);
  require(b, sl_gpu_alloc(b->device.gpu, COPY, &copy, &b->err));
  uint8_t *bytes = malloc(COPY);
  if (bytes == NULL)
    exit(2);
  memset(bytes, 7, COPY);
  for (int i = 0; i < 5; i++) {
    command = (struct sl_command){.kind = SL_COMMAND_WRITE, .size = COPY, .to = copy, .host = bytes};
    start = now();
    require(b, sl_queue_add(b->queue, &command, NULL, &b->err));
    up = now() - start < up ? now() - start : up;
    command = (struct sl_command){.kind = SL_COMMAND_READ, .size = COPY, .from = copy, .host = bytes};
    start = now();
    require(b, sl_queue_add(b->queue, &command, NULL, &b->err));
    down = now() - start < down ? now() - start : down;
  }
  row(b, "copy to the GPU", 1e-9 * COPY / up, 1, "GB/s", true);
  row(b, "copy from the GPU", 1e-9 * COPY / down, 1, "GB/s", true);
  free(bytes);
}

static void many(struct bench *b, unsigned count)
{
  launch(b, 1, 32);
  const double before = resident();
  for (unsigned i = 0; i < count; i++)
    launch(b, 1, 32);
  row(b, "growth of memory over 100,000 launches", resident() - before, 1, "MB", false);
}

int main(int argc, char **argv)
{
  const char *machine = argc > 1 ? argv[1] : "sm7";
  struct bench b;
  bool failed = false;
  for (int timed = 0; timed < 2; timed++) {
    open_bench(&b, machine, timed ? "timed" : "fast");
    launches(&b, timed != 0);
    if (timed)
      memory(&b);
    many(&b, 100000);
    failed |= b.failed;
    sl_host_close(&b.device);
  }
  return failed;
}
