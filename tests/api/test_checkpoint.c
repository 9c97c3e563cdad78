/* Checkpoints: a run that is saved at any cycle and resumed in another process gives the same results. */
#include "common.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TEXT = 1 << 16 };

static const char *checkpoint_path(void)
{
  static char path[512];
  snprintf(path, sizeof path, "%s/checkpoint-%d.bin", getenv("BUILD"), (int)getpid());
  return path;
}

/* Runs a benchmark in another process from a checkpoint to its end; its results go to `text`. */
static void continue_elsewhere(const char *machine, const char *setting, const char *name, bool fast, const char *path,
                               char *text)
{
  int ends[2];
  assert_int_equal(pipe(ends), 0);
  const pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    static char result[TEXT];
    const char *const settings[] = {setting, NULL};
    struct bench b = open_bench_on(machine, settings, name, &(struct simtlab_options){.fast = fast});
    struct simtlab_error error;
    if (simtlab_device_restore(b.device, path, &error) || simtlab_device_run(b.device, &error))
      snprintf(result, sizeof result, "%s", error.text);
    else
      describe(b.device, result, sizeof result);
    close_bench(&b);
    exit(write(ends[1], result, strlen(result)) < 0);
  }
  close(ends[1]);
  size_t used = 0;
  for (ssize_t n; (n = read(ends[0], text + used, TEXT - 1 - used)) > 0;)
    used += (size_t)n;
  text[used] = '\0';
  close(ends[0]);
  waitpid(child, NULL, 0);
}

static void check_continuation_on(const char *machine, const char *setting, const char *name, bool fast,
                                  uint64_t cycles)
{
  static char whole[TEXT], continued[TEXT];
  const struct simtlab_options options = {.fast = fast};
  const char *const settings[] = {setting, NULL};
  struct bench a = open_bench_on(machine, settings, name, &options);
  struct bench b = open_bench_on(machine, settings, name, &options);
  assert_int_equal(simtlab_device_run(a.device, NULL), SIMTLAB_OK);
  describe(a.device, whole, sizeof whole);
  assert_int_equal(simtlab_device_run_for(b.device, cycles, NULL), SIMTLAB_PAUSED);
  assert_int_equal(simtlab_device_save(b.device, checkpoint_path(), NULL), SIMTLAB_OK);
  close_bench(&a);
  close_bench(&b);
  continue_elsewhere(machine, setting, name, fast, checkpoint_path(), continued);
  remove(checkpoint_path());
  assert_string_equal(continued, whole);
}

/* A checkpoint in memory goes back to its moment, as often as wanted; a damaged one is refused. */
static void a_checkpoint_in_memory_can_be_restored(void **state)
{
  static char whole[TEXT], again[TEXT];
  struct simtlab_error error;
  struct bench b = open_bench("VecAdd", NULL);
  void *bytes = NULL;
  size_t size = 0;
  (void)state;
  assert_int_equal(simtlab_device_run_for(b.device, 20000, NULL), SIMTLAB_PAUSED);
  assert_int_equal(simtlab_device_save_memory(b.device, &bytes, &size, &error), SIMTLAB_OK);
  assert_int_equal(simtlab_device_run(b.device, NULL), SIMTLAB_OK);
  describe(b.device, whole, sizeof whole);
  for (int i = 0; i < 2; i++) {
    assert_int_equal(simtlab_device_restore_memory(b.device, bytes, size, &error), SIMTLAB_OK);
    assert_int_equal(simtlab_device_run(b.device, NULL), SIMTLAB_OK);
    describe(b.device, again, sizeof again);
    assert_string_equal(again, whole);
  }
  assert_int_equal(simtlab_device_restore_memory(b.device, bytes, size - 1, &error), SIMTLAB_USAGE);
  assert_int_equal(simtlab_device_restore_memory(b.device, bytes, 8, &error), SIMTLAB_USAGE);
  uint8_t *byte = bytes;
  for (size_t at = 0; at < size; at += 1 + size / 60) {
    byte[at] ^= (uint8_t)(1 << at % 8);
    assert_int_equal(simtlab_device_restore_memory(b.device, bytes, size, &error), SIMTLAB_USAGE);
    assert_non_null(strstr(error.text, "the checkpoint in memory cannot be used"));
    byte[at] ^= (uint8_t)(1 << at % 8);
  }
  describe(b.device, again, sizeof again);
  assert_string_equal(again, whole);
  free(bytes);
  close_bench(&b);
}

static void check_continuation(const char *name, bool fast, uint64_t cycles)
{
  check_continuation_on("simtight", NULL, name, fast, cycles);
}

static void resumes_before_the_first_kernel(void **state)
{
  (void)state;
  check_continuation("Scan-variant", false, 100);
}

/* The host executes about 80,000 instructions before it launches the first kernel of Scan-variant, which runs for
 * 40,000 cycles. */
static void resumes_at_any_cycle_of_a_kernel(void **state)
{
  (void)state;
  for (uint64_t cycle = 60000; cycle < 120000; cycle += 7919)
    check_continuation("Scan-variant", false, cycle);
}

static void resumes_in_fast_mode(void **state)
{
  (void)state;
  check_continuation("Scan-variant", true, 70001);
}

static void resumes_with_divisions_in_flight_and_divergence(void **state)
{
  (void)state;
  for (uint64_t cycle = 5000; cycle < 18000; cycle += 997)
    check_continuation("VecGCD", false, cycle);
}

/* With the fewest slots, registers are spilled and read back all the time. The host executes about 150,000 instructions
 * in total, the kernel of MotionEst-variant takes twice as many cycles and that of BitonicSortSmall-variant, which hits
 * the stack cache, 250,000. */
static void resumes_with_compressed_registers(void **state)
{
  (void)state;
  for (uint64_t cycle = 160000; cycle < 330000; cycle += 37003) {
    check_continuation_on("simtight-rfc-pp-sb", "registers.slots=256", "MotionEst-variant", false, cycle);
    check_continuation_on("simtight-rfc-pp-sb", "registers.slots=256", "BitonicSortSmall-variant", false, cycle);
  }
  for (uint64_t cycle = 5000; cycle < 18000; cycle += 3989)
    check_continuation_on("simtight-rfc-pp", NULL, "VecGCD", false, cycle);
}

/* Operations in flight of a machine without a host CPU: instructions, lines, requests to DRAM. */
static void resumes_with_full_caches_and_queues(void **state)
{
  (void)state;
  for (uint64_t cycle = 1; cycle < 700; cycle += 41) {
    check_continuation_on("vortex", "cores=4", "../tests/vortex/spawn-2", false, cycle);
    check_continuation_on("vortex-simx", "l2=true", "../tests/vortex/spawn-2", false, cycle);
    check_continuation_on("vortex", "cores=2", "../tests/vortex/spawn-2", true, cycle);
  }
}

/* In loops, with elements of streams in flight. */
static void resumes_with_active_loops_and_streams(void **state)
{
  (void)state;
  for (uint64_t cycle = 500; cycle < 6000; cycle += 499)
    check_continuation_on("vortex-cfm-dmsl", "cores=2", "../bench-vortex/saxpy-cfm-dmsl", false, cycle);
  check_continuation_on("vortex-cfm-dmsl", NULL, "../bench-vortex/saxpy-cfm-dmsl", true, 1501);
}

/* A checkpoint of VecAdd, and a device that tries to use it. */
static void refused(const char *program, const char *key, const char *because)
{
  struct simtlab_error error;
  struct bench b = open_bench("VecAdd", NULL), c = {0};
  assert_int_equal(simtlab_device_run_for(b.device, 1000, NULL), SIMTLAB_PAUSED);
  assert_int_equal(simtlab_device_save(b.device, checkpoint_path(), NULL), SIMTLAB_OK);
  close_bench(&b);
  c.config = simtlab_config_open("simtight", NULL);
  if (key != NULL)
    assert_int_equal(simtlab_config_set(c.config, key, NULL), SIMTLAB_OK);
  c.program = simtlab_program_load(program_path(program), NULL);
  c.device = simtlab_device_create(c.config, NULL, NULL);
  assert_int_equal(simtlab_device_load(c.device, c.program, 0, NULL, NULL), SIMTLAB_OK);
  assert_int_equal(simtlab_device_restore(c.device, checkpoint_path(), &error), SIMTLAB_USAGE);
  assert_non_null(strstr(error.text, because));
  close_bench(&c);
  remove(checkpoint_path());
}

static void a_checkpoint_of_another_program_is_refused(void **state)
{
  (void)state;
  refused("Reduce", NULL, "another program");
}

static void a_checkpoint_of_another_configuration_is_refused(void **state)
{
  (void)state;
  refused("VecAdd", "dram.latency=31", "different keys");
}

static void a_truncated_checkpoint_is_refused(void **state)
{
  (void)state;
  struct simtlab_error error;
  struct bench b = open_bench("VecAdd", NULL);
  assert_int_equal(simtlab_device_save(b.device, checkpoint_path(), NULL), SIMTLAB_OK);
  for (long size = 0; size < 200000; size = size * 3 + 5) {
    assert_int_equal(truncate(checkpoint_path(), size), 0);
    assert_int_equal(simtlab_device_restore(b.device, checkpoint_path(), &error), SIMTLAB_USAGE);
  }
  close_bench(&b);
  remove(checkpoint_path());
}

/* A checkpoint with one flipped bit does not change the device, which continues as before. */
static void a_damaged_checkpoint_changes_nothing(void **state)
{
  (void)state;
  static char whole[TEXT], continued[TEXT];
  struct bench a = open_bench("VecAdd", NULL), b = open_bench("VecAdd", NULL);
  assert_int_equal(simtlab_device_run_for(a.device, 9000, NULL), SIMTLAB_PAUSED);
  assert_int_equal(simtlab_device_save(a.device, checkpoint_path(), NULL), SIMTLAB_OK);
  assert_int_equal(simtlab_device_run_for(b.device, 3000, NULL), SIMTLAB_PAUSED);
  FILE *file = fopen(checkpoint_path(), "r+b");
  assert_non_null(file);
  assert_int_equal(fseek(file, 0, SEEK_END), 0);
  const long size = ftell(file);
  for (long at = 0; at < size; at += 1 + size / 60) {
    for (int bit = 1; bit >= 0; bit--) { /* flipped, and flipped back */
      assert_int_equal(fseek(file, at, SEEK_SET), 0);
      const int byte = fgetc(file);
      assert_int_equal(fseek(file, at, SEEK_SET), 0);
      assert_true(fputc(byte ^ 1 << at % 8, file) >= 0 && fflush(file) == 0);
      if (bit == 1)
        assert_int_equal(simtlab_device_restore(b.device, checkpoint_path(), NULL), SIMTLAB_USAGE);
    }
  }
  fclose(file);
  assert_int_equal(simtlab_device_run(b.device, NULL), SIMTLAB_OK);
  describe(b.device, continued, sizeof continued);
  assert_int_equal(simtlab_device_restore(a.device, checkpoint_path(), NULL), SIMTLAB_OK);
  assert_int_equal(simtlab_device_run(a.device, NULL), SIMTLAB_OK);
  describe(a.device, whole, sizeof whole);
  assert_string_equal(continued, whole);
  close_bench(&a);
  close_bench(&b);
  remove(checkpoint_path());
}

/* A save that fails in the middle, by a limit on the file size. */
static void a_failed_save_keeps_the_previous_checkpoint(void **state)
{
  (void)state;
  struct simtlab_error error;
  struct rlimit limit, before;
  struct bench b = open_bench("VecAdd", NULL);
  assert_int_equal(simtlab_device_save(b.device, checkpoint_path(), NULL), SIMTLAB_OK);
  assert_int_equal(simtlab_device_run_for(b.device, 9000, NULL), SIMTLAB_PAUSED);
  assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
  limit = before;
  limit.rlim_cur = 4096;
  signal(SIGXFSZ, SIG_IGN);
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
  const enum simtlab_status failed = simtlab_device_save(b.device, checkpoint_path(), &error);
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
  assert_int_equal(failed, SIMTLAB_USAGE);
  assert_non_null(strstr(error.text, "cannot be written (File too large); the previous file is unchanged"));
  assert_int_equal(simtlab_device_restore(b.device, checkpoint_path(), NULL), SIMTLAB_OK);
  close_bench(&b);
  remove(checkpoint_path());
}

static void a_full_disk_is_an_error(void **state)
{
  (void)state;
  struct simtlab_error error;
  struct bench b = open_bench("VecAdd", NULL);
  assert_int_equal(simtlab_device_save(b.device, "/dev/full", &error), SIMTLAB_USAGE);
  assert_non_null(strstr(error.text, "cannot be written"));
  close_bench(&b);
}

/* A thread's pc is set outside the program. */
static void a_faulted_run_cannot_be_saved(void **state)
{
  (void)state;
  const struct simtlab_options options = {.fast = true};
  struct simtlab_error error;
  struct bench b = open_bench("VecAdd", &options);
  enum simtlab_status set = SIMTLAB_USAGE;
  for (unsigned i = 0; i < 1000 && set != SIMTLAB_OK; i++) {
    assert_int_equal(simtlab_device_run_for(b.device, 1000, NULL), SIMTLAB_PAUSED);
    if (simtlab_device_launches(b.device) > 0)
      set = simtlab_device_set_pc(b.device, 1, 0, 0x40, NULL);
  }
  assert_int_equal(set, SIMTLAB_OK);
  assert_int_equal(simtlab_device_run(b.device, NULL), SIMTLAB_FAULT);
  assert_int_equal(simtlab_device_save(b.device, checkpoint_path(), &error), SIMTLAB_USAGE);
  assert_non_null(strstr(error.text, "ended with a fault"));
  close_bench(&b);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_checkpoint_in_memory_can_be_restored),
      cmocka_unit_test(a_faulted_run_cannot_be_saved),
      cmocka_unit_test(resumes_before_the_first_kernel),
      cmocka_unit_test(resumes_at_any_cycle_of_a_kernel),
      cmocka_unit_test(resumes_in_fast_mode),
      cmocka_unit_test(resumes_with_divisions_in_flight_and_divergence),
      cmocka_unit_test(resumes_with_compressed_registers),
      cmocka_unit_test(resumes_with_full_caches_and_queues),
      cmocka_unit_test(resumes_with_active_loops_and_streams),
      cmocka_unit_test(a_checkpoint_of_another_program_is_refused),
      cmocka_unit_test(a_checkpoint_of_another_configuration_is_refused),
      cmocka_unit_test(a_truncated_checkpoint_is_refused),
      cmocka_unit_test(a_damaged_checkpoint_changes_nothing),
      cmocka_unit_test(a_failed_save_keeps_the_previous_checkpoint),
      cmocka_unit_test(a_full_disk_is_an_error),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
