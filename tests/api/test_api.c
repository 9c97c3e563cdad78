/* The public interface: one behaviour per test. */
#include "common.h"

static int count_bytes(void *context, uint8_t byte)
{
  (void)byte;
  ++*(unsigned *)context;
  return 0;
}

static void a_program_runs_to_its_end_and_passes(void **state)
{
  (void)state;
  struct bench b = open_bench("VecAdd", NULL);
  assert_int_equal(simtlab_device_run(b.device, NULL), SIMTLAB_OK);
  assert_int_equal(simtlab_device_exit_status(b.device), 0);
  assert_int_equal(simtlab_device_launches(b.device), 1);
  close_bench(&b);
}

static void console_output_reaches_the_callback(void **state)
{
  (void)state;
  unsigned bytes = 0;
  struct bench b =
      open_bench("VecAdd", &(struct simtlab_options){.callbacks = {&bytes, NULL, count_bytes, NULL, NULL}});
  assert_int_equal(simtlab_device_run(b.device, NULL), SIMTLAB_OK);
  assert_int_equal(bytes, strlen("VecAdd: PASSED\n"));
  close_bench(&b);
}

static int refuse(void *context, uint8_t byte)
{
  (void)context, (void)byte;
  return -1;
}

static void console_output_that_cannot_be_written_is_an_error(void **state)
{
  (void)state;
  struct simtlab_error error;
  struct bench b = open_bench("VecAdd", &(struct simtlab_options){.callbacks = {.console_put = refuse}});
  assert_int_equal(simtlab_device_run(b.device, &error), SIMTLAB_USAGE);
  assert_non_null(strstr(error.text, "console"));
  close_bench(&b);
}

struct seen {
  uint64_t commits, thread_instructions, accesses;
  bool backwards;
  uint64_t last;
};

static void see_commit(void *context, const struct simtlab_commit *commit)
{
  struct seen *seen = context;
  seen->commits++;
  seen->thread_instructions += (unsigned)__builtin_popcountll(commit->active);
  seen->backwards |= commit->cycle < seen->last;
  seen->last = commit->cycle;
}

static void see_access(void *context, const struct simtlab_access *access)
{
  struct seen *seen = context;
  seen->accesses++;
  assert_true(access->width == 1 || access->width == 2 || access->width == 4);
}

static void the_commit_callback_sees_every_instruction_in_order(void **state)
{
  (void)state;
  struct seen seen = {0};
  const struct simtlab_options options = {.callbacks = {.context = &seen, .commit = see_commit, .access = see_access}};
  struct bench b = open_bench("VecAdd", &options);
  assert_int_equal(simtlab_device_run(b.device, NULL), SIMTLAB_OK);
  uint64_t warp_instructions, thread_instructions;
  assert_true(simtlab_counter_total(b.device, "warp_instrs", &warp_instructions));
  assert_true(simtlab_counter_total(b.device, "thread_instrs", &thread_instructions));
  assert_int_equal(seen.commits, warp_instructions);
  assert_int_equal(seen.thread_instructions, thread_instructions);
  assert_false(seen.backwards);
  assert_true(seen.accesses > 0 && seen.accesses < seen.commits);
  close_bench(&b);
}

/* Events in batches equal the callbacks, and filters select among them. */
static void batches_have_the_events_of_the_callbacks(void **state)
{
  (void)state;
  struct seen seen = {0};
  const struct simtlab_options options = {.callbacks = {.context = &seen, .commit = see_commit, .access = see_access}};
  struct bench b = open_bench("VecAdd", &options);
  struct simtlab_error error;
  assert_int_equal(simtlab_device_collect(b.device, &(struct simtlab_filter){0}, &error), SIMTLAB_USAGE);
  assert_non_null(strstr(error.text, "already"));
  simtlab_device_free(b.device);
  const struct simtlab_filter filters[] = {{0},
                                           {.kinds = SIMTLAB_COMMIT_EVENT},
                                           {.kinds = SIMTLAB_STORE_EVENT | SIMTLAB_LOAD_EVENT},
                                           {.one_warp = true, .warp = 3}};
  uint64_t count[4] = {0}, commits = 0, wrong = 0;
  for (unsigned i = 0; i < 4; i++) {
    seen = (struct seen){0};
    b.device = simtlab_device_create(b.config, &options, &error);
    assert_int_equal(simtlab_device_collect(b.device, &filters[i], &error), SIMTLAB_OK);
    assert_int_equal(simtlab_device_load(b.device, b.program, 2, (const char *const[]){"VecAdd", "small"}, &error), 0);
    for (bool ended = false; !ended;) {
      ended = simtlab_device_run_for(b.device, 3000, &error) == SIMTLAB_OK;
      const struct simtlab_event *event;
      const size_t events = simtlab_device_events(b.device, &event);
      count[i] += events;
      for (size_t e = 0; e < events; e++) {
        commits += i == 0 && event[e].kind == SIMTLAB_COMMIT_EVENT;
        wrong += (i == 2 && (event[e].kind == SIMTLAB_COMMIT_EVENT || event[e].width != 4 || event[e].address == 0)) ||
                 (i == 3 && event[e].warp != 3);
      }
    }
    if (i < 3)
      simtlab_device_free(b.device);
  }
  assert_int_equal(wrong, 0);
  assert_int_equal(commits, seen.commits);
  assert_int_equal(count[0], seen.commits + seen.accesses);
  assert_int_equal(count[1], seen.commits);
  assert_int_equal(count[2], seen.accesses);
  assert_in_range(count[3], 1, count[0] / 32);
  close_bench(&b);
}

static void pauses_do_not_change_results(void **state)
{
  (void)state;
  static char whole[1 << 16], paused[1 << 16];
  struct bench a = open_bench("Reduce", NULL), b = open_bench("Reduce", NULL);
  assert_int_equal(simtlab_device_run(a.device, NULL), SIMTLAB_OK);
  enum simtlab_status status;
  do
    status = simtlab_device_run_for(b.device, 7, NULL);
  while (status == SIMTLAB_PAUSED);
  assert_int_equal(status, SIMTLAB_OK);
  describe(a.device, whole, sizeof whole);
  describe(b.device, paused, sizeof paused);
  assert_string_equal(paused, whole);
  close_bench(&a);
  close_bench(&b);
}

static void single_cycles_show_program_counters(void **state)
{
  (void)state;
  struct bench b = open_bench("VecAdd", NULL);
  while (simtlab_device_launches(b.device) == 0)
    assert_int_equal(simtlab_device_run_for(b.device, 1, NULL), SIMTLAB_PAUSED);
  const uint32_t entry = simtlab_device_pc(b.device, 0, 0);
  char place[128];
  assert_true(simtlab_program_locate(b.program, entry, place, sizeof place) > 0);
  assert_non_null(strstr(place, "vec_add"));
  assert_int_equal(simtlab_device_run_for(b.device, 20, NULL), SIMTLAB_PAUSED);
  assert_int_not_equal(simtlab_device_pc(b.device, 0, 0), entry);
  assert_int_equal(simtlab_device_register(b.device, 0, 0, 0), 0);
  assert_int_equal(simtlab_device_register(b.device, 64, 0, 1), 0);
  close_bench(&b);
}

static void memory_can_be_written_and_read(void **state)
{
  (void)state;
  struct bench b = open_bench("VecAdd", NULL);
  const char text[] = "across a page";
  char back[sizeof text];
  assert_int_equal(simtlab_device_write(b.device, 0x2000fffa, text, sizeof text, NULL), SIMTLAB_OK);
  assert_int_equal(simtlab_device_read(b.device, 0x2000fffa, back, sizeof back, NULL), SIMTLAB_OK);
  assert_string_equal(back, text);
  close_bench(&b);
}

static void mapped_memory_shows_what_was_written(void **state)
{
  (void)state;
  struct bench b = open_bench("VecAdd", NULL);
  const char text[] = "across a page";
  assert_int_equal(simtlab_device_write(b.device, 0x2000fffa, text, sizeof text, NULL), SIMTLAB_OK);
  for (size_t done = 0, size; done < sizeof text; done += size) {
    const void *pointer;
    size = sizeof text - done;
    assert_int_equal(simtlab_device_map(b.device, 0x2000fffa + done, &size, &pointer, NULL), SIMTLAB_OK);
    assert_memory_equal(pointer, text + done, size);
  }
  size_t outside = 2;
  const void *pointer;
  assert_int_equal(simtlab_device_map(b.device, 0xffffffff, &outside, &pointer, NULL), SIMTLAB_USAGE);
  close_bench(&b);
}

static void the_registers_of_a_warp_equal_those_of_its_threads(void **state)
{
  (void)state;
  struct bench b = open_bench("VecAdd", NULL);
  uint32_t values[64];
  assert_int_equal(simtlab_device_run(b.device, NULL), SIMTLAB_OK);
  assert_true(simtlab_device_registers(b.device, 1, 2, values));
  for (unsigned lane = 0; lane < simtlab_device_lanes(b.device); lane++)
    assert_int_equal(values[lane], simtlab_device_register(b.device, 1, lane, 2));
  assert_false(simtlab_device_registers(b.device, 1, 32, values));
  assert_false(simtlab_device_registers(b.device, simtlab_device_warps(b.device), 2, values));
  close_bench(&b);
}

static void a_limit_reports_the_place_of_the_kernel(void **state)
{
  (void)state;
  struct simtlab_error error;
  struct bench b = open_bench("MatMul", &(struct simtlab_options){.max_cycles = 200000});
  assert_int_equal(simtlab_device_run(b.device, &error), SIMTLAB_LIMIT);
  assert_non_null(strstr(error.text, "200000 cycles"));
  close_bench(&b);
}

static void invalid_arguments_give_error_messages(void **state)
{
  (void)state;
  struct simtlab_error error;
  assert_null(simtlab_config_open("simtigth", &error));
  assert_int_equal(error.status, SIMTLAB_USAGE);
  assert_non_null(strstr(error.text, "simtight"));
  simtlab_config *config = simtlab_config_open("simtight", NULL);
  assert_int_equal(simtlab_config_set(config, "lane=3", &error), SIMTLAB_USAGE);
  assert_non_null(strstr(error.text, "lanes"));
  assert_int_equal(simtlab_config_set(config, "lanes=3", NULL), SIMTLAB_USAGE);
  assert_null(simtlab_program_load("/nonexistent", &error));
  assert_non_null(strstr(error.text, "/nonexistent"));
  assert_null(simtlab_program_parse("bytes", "\177ELF", 4, &error));
  simtlab_config_free(config);
}

static void machines_can_be_listed(void **state)
{
  (void)state;
  size_t n = 0;
  bool found = false;
  for (; simtlab_machine_name(n) != NULL; n++)
    found |= strcmp(simtlab_machine_name(n), "simtight") == 0;
  assert_true(found && n >= 2);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_program_runs_to_its_end_and_passes),
      cmocka_unit_test(console_output_reaches_the_callback),
      cmocka_unit_test(console_output_that_cannot_be_written_is_an_error),
      cmocka_unit_test(the_commit_callback_sees_every_instruction_in_order),
      cmocka_unit_test(batches_have_the_events_of_the_callbacks),
      cmocka_unit_test(pauses_do_not_change_results),
      cmocka_unit_test(single_cycles_show_program_counters),
      cmocka_unit_test(memory_can_be_written_and_read),
      cmocka_unit_test(mapped_memory_shows_what_was_written),
      cmocka_unit_test(the_registers_of_a_warp_equal_those_of_its_threads),
      cmocka_unit_test(a_limit_reports_the_place_of_the_kernel),
      cmocka_unit_test(invalid_arguments_give_error_messages),
      cmocka_unit_test(machines_can_be_listed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
