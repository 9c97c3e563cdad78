/* Helpers for the tests of the public interface: a device with a loaded benchmark. */
#ifndef TESTS_API_COMMON_H
#define TESTS_API_COMMON_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "simtlab/simtlab.h"

struct bench {
  simtlab_config *config;
  simtlab_program *program;
  simtlab_device *device;
};

static inline const char *program_path(const char *name)
{
  static _Thread_local char path[512];
  snprintf(path, sizeof path, "%s/bench/%s.elf", getenv("BUILD"), name);
  return path;
}

/* Opens a device of that machine with a benchmark of the small size; the settings, up to a NULL, change its keys. */
static inline struct bench open_bench_on(const char *machine, const char *const *settings, const char *name,
                                         const struct simtlab_options *options)
{
  struct simtlab_error error = {0};
  struct bench b = {0};
  b.config = simtlab_config_open(machine, &error);
  for (; b.config != NULL && *settings != NULL && error.status == SIMTLAB_OK; settings++)
    simtlab_config_set(b.config, *settings, &error);
  if (b.config != NULL && error.status == SIMTLAB_OK)
    b.program = simtlab_program_load(program_path(name), &error);
  if (b.program != NULL)
    b.device = simtlab_device_create(b.config, options, &error);
  if (b.device == NULL || simtlab_device_load(b.device, b.program, 2, (const char *const[]){name, "small"}, &error)) {
    fprintf(stderr, "%s\n", error.text);
    exit(1);
  }
  return b;
}

static inline struct bench open_bench(const char *name, const struct simtlab_options *options)
{
  return open_bench_on("simtight", (const char *const[]){NULL}, name, options);
}

static inline void close_bench(struct bench *b)
{
  simtlab_device_free(b->device);
  simtlab_program_free(b->program);
  simtlab_config_free(b->config);
}

/* All results of a run as text: all counters of all launches and the memory hash. */
static inline void describe(const simtlab_device *device, char *text, size_t size)
{
  size_t used = 0;
  for (size_t launch = 0; launch < simtlab_device_launches(device); launch++)
    for (size_t i = 0; i < simtlab_device_counters(device); i++)
      used += (size_t)snprintf(text + used, size - used, "%llu ",
                               (unsigned long long)simtlab_counter_value(device, launch, i));
  snprintf(text + used, size - used, "%016llx", (unsigned long long)simtlab_device_memory_hash(device));
}

#endif
