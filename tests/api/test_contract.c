/* Guarantees of the header about NULL arguments, order and repetition of calls, and calls from callbacks. */
#include "common.h"

static void every_null_is_an_error(void **state)
{
  (void)state;
  struct simtlab_error error;
  struct bench b = open_bench("VecAdd", NULL);
  uint64_t buffer;
  uint32_t address;
  uint64_t value;
  char text[8];
  struct simtlab_fault fault;
  const struct simtlab_launch launch = {.kernel = "vec_add", .argument_bytes = 4};
  const struct simtlab_compile nothing = {0};
  assert_null(simtlab_config_open(NULL, &error));
  assert_string_equal(error.text, "simtlab_config_open: name_or_file is NULL");
  assert_int_equal(simtlab_config_set(NULL, "lanes=16", &error), SIMTLAB_USAGE);
  assert_int_equal(simtlab_config_set(b.config, NULL, &error), SIMTLAB_USAGE);
  assert_null(simtlab_program_load(NULL, &error));
  assert_null(simtlab_program_parse(NULL, text, 1, &error));
  assert_null(simtlab_program_parse("name", NULL, 1, &error));
  assert_false(simtlab_program_symbol(NULL, "main", &address));
  assert_false(simtlab_program_symbol(b.program, NULL, &address));
  assert_false(simtlab_program_symbol(b.program, "main", NULL));
  assert_int_equal(simtlab_program_locate(NULL, 0, text, sizeof text), 0);
  assert_int_equal(simtlab_program_locate(b.program, 0, NULL, 0), 0);
  assert_null(simtlab_device_create(NULL, NULL, &error));
  assert_int_equal(simtlab_device_load(NULL, b.program, 0, NULL, &error), SIMTLAB_USAGE);
  assert_int_equal(simtlab_device_load(b.device, NULL, 0, NULL, &error), SIMTLAB_USAGE);
  assert_int_equal(simtlab_device_load(b.device, b.program, 1, NULL, &error), SIMTLAB_USAGE);
  assert_int_equal(simtlab_device_load(b.device, b.program, 1, (const char *const[]){NULL}, &error), SIMTLAB_USAGE);
  assert_int_equal(simtlab_device_run(NULL, &error), SIMTLAB_USAGE);
  assert_int_equal(simtlab_device_run_for(NULL, 1, NULL), SIMTLAB_USAGE);
  assert_int_equal(simtlab_device_exit_status(NULL), 0);
  assert_false(simtlab_device_warning(NULL, text, sizeof text));
  assert_int_equal(simtlab_device_launches(NULL), 0);
  assert_int_equal(simtlab_device_counters(NULL), 0);
  assert_null(simtlab_counter_name(NULL, 0));
  assert_null(simtlab_counter_unit(NULL, 0));
  assert_int_equal(simtlab_counter_value(NULL, 0, 0), 0);
  assert_false(simtlab_counter_total(NULL, "cycles", &value));
  assert_false(simtlab_counter_total(b.device, NULL, &value));
  assert_false(simtlab_counter_total(b.device, "cycles", NULL));
  assert_int_equal(simtlab_device_lanes(NULL) + simtlab_device_warps(NULL), 0);
  assert_int_equal(simtlab_device_register(NULL, 0, 0, 0) + simtlab_device_pc(NULL, 0, 0), 0);
  assert_int_equal(simtlab_device_set_register(NULL, 0, 0, 1, 1, &error), SIMTLAB_USAGE);
  assert_int_equal(simtlab_device_set_pc(NULL, 0, 0, 0, &error), SIMTLAB_USAGE);
  assert_int_equal(simtlab_device_host_register(NULL, 1) + simtlab_device_host_pc(NULL), 0);
  assert_int_equal(simtlab_device_read(NULL, 0, text, 1, &error), SIMTLAB_USAGE);
  assert_int_equal(simtlab_device_read(b.device, 0x90000000, NULL, 1, &error), SIMTLAB_USAGE);
  assert_int_equal(simtlab_device_write(NULL, 0, text, 1, &error), SIMTLAB_USAGE);
  assert_int_equal(simtlab_device_write(b.device, 0x90000000, NULL, 1, &error), SIMTLAB_USAGE);
  assert_int_equal(simtlab_device_memory_hash(NULL), 0);
  assert_int_equal(simtlab_device_add(NULL, b.program, &error), SIMTLAB_USAGE);
  assert_int_equal(simtlab_device_add(b.device, NULL, &error), SIMTLAB_USAGE);
  assert_int_equal(simtlab_device_alloc(NULL, 4, &buffer, &error), SIMTLAB_USAGE);
  assert_int_equal(simtlab_device_alloc(b.device, 4, NULL, &error), SIMTLAB_USAGE);
  assert_int_equal(simtlab_device_release(NULL, 0, &error), SIMTLAB_USAGE);
  assert_int_equal(simtlab_device_start(NULL, &launch, &error), SIMTLAB_USAGE);
  assert_int_equal(simtlab_device_start(b.device, NULL, &error), SIMTLAB_USAGE);
  assert_int_equal(simtlab_device_start(b.device, &launch, &error), SIMTLAB_USAGE);
  assert_string_equal(error.text, "simtlab_device_start: launch->arguments is NULL");
  assert_int_equal(simtlab_device_start_entry(NULL, 0, 0, 1, &error), SIMTLAB_USAGE);
  assert_int_equal(simtlab_device_wait(NULL, &error), SIMTLAB_USAGE);
  simtlab_device_abandon(NULL);
  assert_false(simtlab_device_last_fault(NULL, &fault));
  assert_false(simtlab_device_last_fault(b.device, NULL));
  assert_int_equal(simtlab_device_save(NULL, "file", &error), SIMTLAB_USAGE);
  assert_int_equal(simtlab_device_save(b.device, NULL, &error), SIMTLAB_USAGE);
  assert_int_equal(simtlab_device_restore(NULL, "file", &error), SIMTLAB_USAGE);
  assert_int_equal(simtlab_device_restore(b.device, NULL, &error), SIMTLAB_USAGE);
  assert_int_equal(simtlab_compile(NULL, NULL, &error), SIMTLAB_USAGE);
  assert_int_equal(simtlab_compile(&nothing, NULL, &error), SIMTLAB_USAGE);
  simtlab_device_stop(NULL, NULL);
  simtlab_device_free(NULL);
  simtlab_program_free(NULL);
  simtlab_config_free(NULL);
  assert_int_equal(simtlab_device_run(b.device, &error), SIMTLAB_OK); /* none of that has changed it */
  assert_int_equal(simtlab_device_exit_status(b.device), 0);
  close_bench(&b);
}

static void running_needs_a_program(void **state)
{
  (void)state;
  struct simtlab_error error;
  simtlab_config *config = simtlab_config_open("simtight", NULL);
  simtlab_device *device = simtlab_device_create(config, NULL, NULL);
  assert_int_equal(simtlab_device_run(device, &error), SIMTLAB_USAGE);
  assert_non_null(strstr(error.text, "no program has been loaded"));
  assert_int_equal(simtlab_device_save(device, "/dev/null", &error), SIMTLAB_USAGE);
  assert_int_equal(simtlab_device_launches(device), 0);
  simtlab_device_free(device);
  simtlab_config_free(config);
}

static void a_second_program_runs_as_on_a_new_device(void **state)
{
  (void)state;
  uint64_t once, again;
  struct bench fresh = open_bench("Reduce", NULL), b = open_bench("VecAdd", NULL);
  assert_int_equal(simtlab_device_run(b.device, NULL), SIMTLAB_OK);
  assert_int_equal(simtlab_device_load(b.device, fresh.program, 2, (const char *const[]){"Reduce", "small"}, NULL),
                   SIMTLAB_OK);
  assert_int_equal(simtlab_device_launches(b.device), 0);
  assert_int_equal(simtlab_device_run(b.device, NULL), SIMTLAB_OK);
  assert_int_equal(simtlab_device_run(fresh.device, NULL), SIMTLAB_OK);
  assert_int_equal(simtlab_device_memory_hash(b.device), simtlab_device_memory_hash(fresh.device));
  assert_true(simtlab_counter_total(fresh.device, "cycles", &once));
  assert_true(simtlab_counter_total(b.device, "cycles", &again));
  assert_int_equal(once, again);
  close_bench(&b);
  close_bench(&fresh);
}

/* Actions of callbacks on their device. */
struct caller {
  simtlab_device *device;
  const simtlab_program *program;
  enum { REENTERS, STOPS, STOPS_AT_THE_CONSOLE, FREES } does;
  unsigned calls;
  struct simtlab_error error;
};

static void on_commit(void *context, const struct simtlab_commit *commit)
{
  struct caller *c = context;
  uint64_t buffer;
  (void)commit;
  if (c->calls++ != 100)
    return;
  switch (c->does) {
  case REENTERS:
    assert_int_equal(simtlab_device_run(c->device, &c->error), SIMTLAB_USAGE);
    assert_non_null(strstr(c->error.text, "called inside a callback of the device"));
    assert_int_equal(simtlab_device_run_for(c->device, 10, NULL), SIMTLAB_USAGE);
    assert_int_equal(simtlab_device_wait(c->device, NULL), SIMTLAB_USAGE);
    assert_int_equal(simtlab_device_load(c->device, c->program, 0, NULL, NULL), SIMTLAB_USAGE);
    assert_int_equal(simtlab_device_add(c->device, c->program, NULL), SIMTLAB_USAGE);
    assert_int_equal(simtlab_device_alloc(c->device, 4, &buffer, NULL), SIMTLAB_USAGE);
    assert_int_equal(simtlab_device_save(c->device, "/dev/null", NULL), SIMTLAB_USAGE);
    assert_int_equal(simtlab_device_restore(c->device, "/dev/null", NULL), SIMTLAB_USAGE);
    assert_int_equal(simtlab_device_set_register(c->device, 0, 0, 5, 1, NULL), SIMTLAB_USAGE);
    assert_true(simtlab_device_launches(c->device) > 0); /* reading is allowed */
    break;
  case STOPS: simtlab_device_stop(c->device, "a hundred instructions are enough"); break;
  case FREES: simtlab_device_free(c->device); break;
  case STOPS_AT_THE_CONSOLE: break;
  }
}

static int on_put(void *context, uint8_t byte)
{
  struct caller *c = context;
  (void)byte;
  if (c->does == STOPS_AT_THE_CONSOLE)
    simtlab_device_stop(c->device, NULL);
  return 0;
}

static struct bench open_caller(struct caller *c)
{
  const struct simtlab_options options = {.callbacks = {.context = c, .commit = on_commit, .console_put = on_put}};
  struct bench b = open_bench("VecAdd", &options);
  c->device = b.device;
  c->program = b.program;
  return b;
}

static void a_callback_cannot_run_or_change_its_device(void **state)
{
  (void)state;
  uint64_t cycles, undisturbed;
  struct caller c = {.does = REENTERS};
  struct bench b = open_caller(&c), other = open_bench("VecAdd", NULL);
  assert_int_equal(simtlab_device_run(b.device, NULL), SIMTLAB_OK);
  assert_true(c.calls > 100);
  assert_int_equal(simtlab_device_run(other.device, NULL), SIMTLAB_OK);
  assert_true(simtlab_counter_total(b.device, "cycles", &cycles));
  assert_true(simtlab_counter_total(other.device, "cycles", &undisturbed));
  assert_int_equal(cycles, undisturbed);
  close_bench(&b);
  close_bench(&other);
}

static void a_callback_ends_the_run_with_its_reason(void **state)
{
  (void)state;
  struct caller c = {.does = STOPS};
  struct bench b = open_caller(&c);
  simtlab_device_stop(b.device, "not now"); /* nothing runs */
  assert_int_equal(simtlab_device_run(b.device, &c.error), SIMTLAB_STOPPED);
  assert_string_equal(c.error.text, "a hundred instructions are enough");
  assert_int_equal(c.error.status, SIMTLAB_STOPPED);
  assert_int_equal(c.calls, 101);
  assert_int_equal(simtlab_device_run(b.device, &c.error), SIMTLAB_OK); /* and continues */
  assert_int_equal(simtlab_device_exit_status(b.device), 0);
  close_bench(&b);
  c = (struct caller){.does = STOPS_AT_THE_CONSOLE};
  b = open_caller(&c);
  assert_int_equal(simtlab_device_run(b.device, &c.error), SIMTLAB_STOPPED);
  assert_string_equal(c.error.text, "stopped by a callback");
  close_bench(&b);
}

/* The sanitizers detect any use after that. */
static void a_callback_may_free_its_device(void **state)
{
  (void)state;
  struct caller c = {.does = FREES};
  struct bench b = open_caller(&c);
  assert_int_not_equal(simtlab_device_run(b.device, NULL), SIMTLAB_OK);
  assert_int_equal(c.calls, 101);
  b.device = NULL;
  close_bench(&b);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_null_is_an_error),
      cmocka_unit_test(running_needs_a_program),
      cmocka_unit_test(a_second_program_runs_as_on_a_new_device),
      cmocka_unit_test(a_callback_cannot_run_or_change_its_device),
      cmocka_unit_test(a_callback_ends_the_run_with_its_reason),
      cmocka_unit_test(a_callback_may_free_its_device),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
