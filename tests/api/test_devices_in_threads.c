/* Eight devices in eight threads share one program; each gives the results of a single device. */
#include "common.h"

#include <pthread.h>

enum { THREADS = 8, TEXT = 1 << 15 };

struct job {
  const simtlab_config *config;
  const simtlab_program *program;
  char result[TEXT];
};

static void *run(void *context)
{
  struct job *job = context;
  const char *const argv[] = {"Reduce", "small"};
  simtlab_device *device = simtlab_device_create(job->config, NULL, NULL);
  if (device == NULL || simtlab_device_load(device, job->program, 2, argv, NULL) || simtlab_device_run(device, NULL))
    snprintf(job->result, sizeof job->result, "failed");
  else
    describe(device, job->result, sizeof job->result);
  simtlab_device_free(device);
  return NULL;
}

static void eight_devices_in_threads_are_independent(void **state)
{
  (void)state;
  static struct job jobs[THREADS], alone;
  simtlab_config *config = simtlab_config_open("simtight", NULL);
  simtlab_program *program = simtlab_program_load(program_path("Reduce"), NULL);
  assert_non_null(program);
  alone = (struct job){.config = config, .program = program};
  run(&alone);
  pthread_t thread[THREADS];
  for (unsigned i = 0; i < THREADS; i++) {
    jobs[i] = (struct job){.config = config, .program = program};
    assert_int_equal(pthread_create(&thread[i], NULL, run, &jobs[i]), 0);
  }
  for (unsigned i = 0; i < THREADS; i++) {
    pthread_join(thread[i], NULL);
    assert_string_equal(jobs[i].result, alone.result);
  }
  simtlab_program_free(program);
  simtlab_config_free(config);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(eight_devices_in_threads_are_independent)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
