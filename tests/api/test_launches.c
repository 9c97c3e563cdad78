/* Launches without a host program, through the public interface, on every machine that supports them, timed and
 * functional. */
#include <unistd.h>

#include "common.h"

static const char source[] = "#include <simt.h>\n"
                             "static int calls = FIRST;\n"
                             "SIMT_KERNEL(scale, (int, n), (int, by), (const int *, from), (int *, to))\n"
                             "{\n"
                             "  SIMT_FOR (int i = (int)(blockIdx.x * blockDim.x + threadIdx.x), i < n,\n"
                             "            i += (int)(gridDim.x * blockDim.x))\n"
                             "    to[i] = by * from[i];\n"
                             "}\n"
                             "SIMT_KERNEL(count, (int *, to))\n"
                             "{\n"
                             "  SIMT_IF (blockIdx.x == 0 && threadIdx.x == 0)\n"
                             "    *to = ++calls;\n"
                             "  SIMT_ENDIF\n"
                             "}\n"
                             "SIMT_KERNEL(wild, (int *, p)) { p[threadIdx.x] = 1; }\n"
                             "SIMT_KERNEL(gives_up) { simt_fail(); }\n"
                             "SIMT_KERNEL(endless, (int *, p))\n"
                             "{\n"
                             "  while (*(volatile int *)p == 0)\n"
                             "    p[1]++;\n"
                             "}\n"
                             "int main(void) { return 0; }\n";

enum { N = 1000 };

struct bed {
  simtlab_config *config;
  simtlab_program *program;
  simtlab_device *device;
};

static const struct machine {
  const char *name, *target;
  bool fast;
} machines[] = {
    {"simtight", "simt", false},   {"simtight", "simt", true},   {"simtight-rfc-pp-sb", "simt", false},
    {"simty-plus", "simt", false}, {"simty-plus", "simt", true}, {"vortex", "vortex", false},
    {"vortex", "vortex", true},    {"sm7-1", "sm7", false},      {"sm7-1", "sm7", true},
};

enum { MACHINES = sizeof machines / sizeof machines[0] };

/* Programs of each target, whose `calls` starts at 0 or 100; devices share them. */
static const char *const targets[] = {"simt", "vortex", "sm7"};
static simtlab_program *built[3][2];

static simtlab_program *program_of(const char *target, bool other)
{
  char command[1200], path[300];
  struct simtlab_error error;
  unsigned number = 0;
  while (strcmp(targets[number], target) != 0)
    number++;
  simtlab_program **program = &built[number][other];
  if (*program != NULL)
    return *program;
  snprintf(path, sizeof path, "launches-%ld.elf", (long)getpid());
  FILE *file = fopen("launches.c", "w");
  assert_non_null(file);
  fputs(source, file);
  fclose(file);
  snprintf(command, sizeof command, "%s/simtlab cc --target %s -DFIRST=%d -o %s launches.c", getenv("BUILD"), target,
           other ? 100 : 0, path);
  assert_int_equal(system(command), 0);
  *program = simtlab_program_load(path, &error);
  if (*program == NULL)
    fail_msg("%s", error.text);
  remove(path);
  return *program;
}

static int free_programs(void **state)
{
  (void)state;
  for (unsigned i = 0; i < 6; i++)
    simtlab_program_free(built[i / 2][i % 2]);
  return 0;
}

static struct bed open_bed(const struct machine *m)
{
  struct simtlab_error error = {0};
  struct bed b = {.config = simtlab_config_open(m->name, &error)};
  b.device = simtlab_device_create(b.config, &(struct simtlab_options){.fast = m->fast}, &error);
  b.program = program_of(m->target, false);
  if (simtlab_device_add(b.device, b.program, &error) != SIMTLAB_OK)
    fail_msg("%s", error.text);
  return b;
}

static void close_bed(struct bed *b)
{
  simtlab_device_free(b->device);
  simtlab_config_free(b->config);
}

static uint32_t alloc(struct bed *b, uint64_t size)
{
  uint64_t address = 0;
  assert_int_equal(simtlab_device_alloc(b->device, size, &address, NULL), SIMTLAB_OK);
  return (uint32_t)address;
}

struct scale_arguments {
  int32_t n, by;
  uint32_t from, to;
};

static struct simtlab_launch scale(const struct scale_arguments *a)
{
  return (struct simtlab_launch){
      .kernel = "scale", .grid = {4}, .block = {64}, .arguments = a, .argument_bytes = sizeof *a};
}

static enum simtlab_status launch(struct bed *b, const struct simtlab_launch *l, struct simtlab_error *error)
{
  const enum simtlab_status status = simtlab_device_start(b->device, l, error);
  return status == SIMTLAB_OK ? simtlab_device_wait(b->device, error) : status;
}

/* Scales 0 to N - 1 and checks every result. */
static void check_scale(struct bed *b, int by)
{
  struct simtlab_error error;
  int32_t data[N];
  const struct scale_arguments a = {N, by, alloc(b, sizeof data), alloc(b, sizeof data)};
  for (int i = 0; i < N; i++)
    data[i] = i;
  simtlab_device_write(b->device, a.from, data, sizeof data, NULL);
  const struct simtlab_launch l = scale(&a);
  if (launch(b, &l, &error) != SIMTLAB_OK)
    fail_msg("%s", error.text);
  simtlab_device_read(b->device, a.to, data, sizeof data, NULL);
  for (int i = 0; i < N; i++)
    assert_int_equal(data[i], by * i);
  assert_int_equal(simtlab_device_release(b->device, a.from, NULL), SIMTLAB_OK);
  assert_int_equal(simtlab_device_release(b->device, a.to, NULL), SIMTLAB_OK);
}

static void a_kernel_can_be_launched_repeatedly(void **state)
{
  (void)state;
  for (unsigned m = 0; m < MACHINES; m++) {
    struct bed b = open_bed(&machines[m]);
    for (int i = 1; i < 4; i++)
      check_scale(&b, i);
    assert_int_equal(simtlab_device_launches(b.device), 3);
    close_bed(&b);
  }
}

/* Launches that are forgotten take no place, and count in totals as those that are kept. */
static void forgotten_launches_count_in_totals(void **state)
{
  (void)state;
  for (unsigned m = 0; m < MACHINES; m++) {
    struct bed forgets = open_bed(&machines[m]), keeps = open_bed(&machines[m]);
    for (int i = 1; i < 5; i++) {
      check_scale(&forgets, i);
      check_scale(&keeps, i);
      if (i < 4)
        assert_int_equal(simtlab_device_forget(forgets.device, NULL), SIMTLAB_OK);
    }
    assert_int_equal(simtlab_device_launches(keeps.device), 4);
    assert_int_equal(simtlab_device_launches(forgets.device), 1);
    for (size_t c = 0; c < simtlab_device_counters(keeps.device); c++) {
      const char *name = simtlab_counter_name(keeps.device, c);
      uint64_t kept = 0, total = 1;
      assert_true(simtlab_counter_total(keeps.device, name, &kept));
      assert_true(simtlab_counter_total(forgets.device, name, &total));
      assert_int_equal(total, kept);
      assert_int_equal(simtlab_counter_value(forgets.device, 0, c), simtlab_counter_value(keeps.device, 3, c));
    }
    close_bed(&forgets);
    close_bed(&keeps);
  }
}

static void a_fault_is_returned_and_the_device_continues(void **state)
{
  (void)state;
  for (unsigned m = 0; m < MACHINES; m++) {
    struct bed b = open_bed(&machines[m]);
    struct simtlab_error error;
    struct simtlab_fault fault;
    const uint32_t wild = 2;
    assert_false(simtlab_device_last_fault(b.device, &fault));
    assert_int_equal(
        launch(&b,
               &(struct simtlab_launch){
                   .kernel = "wild", .grid = {1}, .block = {32}, .arguments = &wild, .argument_bytes = sizeof wild},
               &error),
        SIMTLAB_FAULT);
    assert_non_null(strstr(error.text, "wild"));
    assert_true(simtlab_device_last_fault(b.device, &fault));
    assert_true(fault.kind == SIMTLAB_FAULT_MISALIGNED || fault.kind == SIMTLAB_FAULT_ADDRESS);
    assert_int_equal(strncmp(fault.kernel, "wild (", 6), 0);
    assert_true(fault.lanes != 0);
    assert_true(fault.address < 2 + 4 * 32);
    char where[100];
    simtlab_program_locate(b.program, fault.pc, where, sizeof where);
    assert_int_equal(strncmp(where, "wild", 4), 0);
    check_scale(&b, 5);
    assert_false(simtlab_device_last_fault(b.device, &fault));
    close_bed(&b);
  }
}

static void a_failure_is_not_a_fault(void **state)
{
  (void)state;
  for (unsigned m = 0; m < MACHINES; m++) {
    struct bed b = open_bed(&machines[m]);
    struct simtlab_error error;
    struct simtlab_fault fault;
    assert_int_equal(launch(&b, &(struct simtlab_launch){.kernel = "gives_up", .grid = {1}, .block = {32}}, &error),
                     SIMTLAB_FAILED);
    assert_non_null(strstr(error.text, "gives_up"));
    assert_false(simtlab_device_last_fault(b.device, &fault));
    check_scale(&b, 2);
    close_bed(&b);
  }
}

static void an_endless_kernel_stops_at_the_limit(void **state)
{
  (void)state;
  for (unsigned m = 0; m < MACHINES; m++) {
    struct bed b = open_bed(&machines[m]);
    const uint32_t p = alloc(&b, 8);
    const struct simtlab_launch l = {
        .kernel = "endless", .grid = {1}, .block = {32}, .arguments = &p, .argument_bytes = sizeof p};
    assert_int_equal(simtlab_device_start(b.device, &l, NULL), SIMTLAB_OK);
    assert_int_equal(simtlab_device_wait_for(b.device, 5000, NULL), SIMTLAB_PAUSED);
    assert_int_equal(simtlab_device_start(b.device, &l, NULL), SIMTLAB_USAGE); /* one at a time */
    assert_int_equal(simtlab_device_wait_for(b.device, 5000, NULL), SIMTLAB_PAUSED);
    simtlab_device_abandon(b.device);
    assert_int_equal(simtlab_device_wait(b.device, NULL), SIMTLAB_USAGE);
    check_scale(&b, 7);
    close_bed(&b);
  }
}

static void stop_at_once(void *context, const struct simtlab_commit *commit)
{
  (void)commit;
  simtlab_device_stop(*(simtlab_device **)context, "enough");
}

/* After any end of a launch every function may be called, and the next launch starts like the first. */
static void every_call_works_after_a_limit_and_a_stop(void **state)
{
  (void)state;
  for (unsigned m = 0; m < 2 * MACHINES; m++) {
    const struct machine *machine = &machines[m / 2];
    const bool stops = m % 2;
    struct simtlab_error error;
    struct simtlab_fault fault;
    struct bed b = {.config = simtlab_config_open(machine->name, &error)};
    const struct simtlab_options options = {.fast = machine->fast,
                                            .max_cycles = stops ? 0 : 20000,
                                            .callbacks = {.context = &b.device, .commit = stops ? stop_at_once : NULL}};
    b.device = simtlab_device_create(b.config, &options, &error);
    b.program = program_of(machine->target, false);
    assert_int_equal(simtlab_device_add(b.device, b.program, &error), SIMTLAB_OK);
    const uint32_t p = alloc(&b, 8);
    const struct simtlab_launch l = {
        .kernel = "endless", .grid = {1}, .block = {32}, .arguments = &p, .argument_bytes = sizeof p};
    for (unsigned again = 0; again < 3; again++) {
      assert_int_equal(launch(&b, &l, &error), stops ? SIMTLAB_STOPPED : SIMTLAB_LIMIT);
      assert_false(simtlab_device_last_fault(b.device, &fault));
      (void)simtlab_device_pc(b.device, 0, 0);
      (void)simtlab_device_register(b.device, 0, 0, 5);
      (void)simtlab_device_set_register(b.device, 0, 0, 5, 1, NULL);
      (void)simtlab_device_set_pc(b.device, 0, 0, simtlab_device_pc(b.device, 0, 0), NULL);
      (void)simtlab_device_save(b.device, "after.checkpoint", NULL);
      (void)simtlab_device_memory_hash(b.device);
      (void)alloc(&b, 16);
      if (again == 1)
        (void)simtlab_device_wait_for(b.device, 10, NULL);
      simtlab_device_abandon(b.device);
    }
    remove("after.checkpoint");
    close_bed(&b);
  }
}

static void pausing_does_not_change_the_outcome(void **state)
{
  (void)state;
  for (unsigned m = 0; m < MACHINES; m++) {
    char text[2][4096];
    for (unsigned stepped = 0; stepped < 2; stepped++) {
      struct bed b = open_bed(&machines[m]);
      const struct scale_arguments a = {N, 3, alloc(&b, 4 * N), alloc(&b, 4 * N)};
      const struct simtlab_launch l = scale(&a);
      assert_int_equal(simtlab_device_start(b.device, &l, NULL), SIMTLAB_OK);
      while (simtlab_device_wait_for(b.device, stepped ? 100 : UINT64_MAX, NULL) == SIMTLAB_PAUSED)
        assert_true(stepped);
      describe(b.device, text[stepped], sizeof text[stepped]);
      close_bed(&b);
    }
    assert_string_equal(text[0], text[1]);
  }
}

/* Both are linked to the same addresses. */
static void programs_alternate(void **state)
{
  (void)state;
  for (unsigned m = 0; m < MACHINES; m++) {
    struct bed b = open_bed(&machines[m]);
    simtlab_program *const other = program_of(machines[m].target, true);
    const uint32_t p = alloc(&b, 4);
    static const struct {
      bool other;
      int32_t result;
    } turns[] = {{true, 101}, {true, 102}, {false, 1}, {false, 2}, {true, 101}};
    assert_int_equal(simtlab_device_add(b.device, other, NULL), SIMTLAB_OK);
    for (size_t i = 0; i < sizeof turns / sizeof turns[0]; i++) {
      int32_t result = 0;
      assert_int_equal(launch(&b,
                              &(struct simtlab_launch){.program = turns[i].other ? other : b.program,
                                                       .kernel = "count",
                                                       .grid = {1},
                                                       .block = {32},
                                                       .arguments = &p,
                                                       .argument_bytes = sizeof p},
                              NULL),
                       SIMTLAB_OK);
      simtlab_device_read(b.device, p, &result, sizeof result, NULL);
      assert_int_equal(result, turns[i].result);
    }
    close_bed(&b);
  }
}

static void invalid_launches_give_error_messages(void **state)
{
  (void)state;
  struct bed b = open_bed(&machines[0]);
  struct simtlab_error error;
  const struct scale_arguments a = {0};
  const struct {
    struct simtlab_launch launch;
    const char *says;
  } wrong[] = {
      {{.kernel = "skale", .grid = {1}, .block = {32}}, "did you mean 'scale'?"},
      {{.kernel = "scale", .grid = {1}, .block = {32}, .arguments = &a, .argument_bytes = 12}, "takes 4 arguments"},
      {{.kernel = "scale", .block = {32}, .arguments = &a, .argument_bytes = 16}, "a grid of 0 blocks"},
      {{.kernel = "scale", .grid = {1}, .block = {4096}, .arguments = &a, .argument_bytes = 16}, "exceeds the 2048"},
      {{.kernel = "scale", .grid = {1, 1, 1}, .block = {8, 2}, .arguments = &a, .argument_bytes = 16}, "a warp of 32"},
      {{.entry = 0x40, .grid = {1}, .block = {32}}, "no loaded program has code at 0x00000040"},
  };
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    assert_int_equal(simtlab_device_start(b.device, &wrong[i].launch, &error), SIMTLAB_USAGE);
    if (strstr(error.text, wrong[i].says) == NULL)
      fail_msg("'%s' does not say '%s'", error.text, wrong[i].says);
  }
  uint64_t address;
  assert_int_equal(simtlab_device_alloc(b.device, UINT64_C(1) << 40, &address, &error), SIMTLAB_USAGE);
  assert_int_equal(simtlab_device_release(b.device, 0x1234, &error), SIMTLAB_USAGE);
  assert_int_equal(simtlab_device_save(b.device, "none.checkpoint", &error), SIMTLAB_USAGE);
  check_scale(&b, 4);
  close_bed(&b);
}

/* A complete hand-made closure equals the runtime's. */
static void an_entry_is_launched_with_its_closure(void **state)
{
  (void)state;
  struct bed b = open_bed(&machines[0]);
  uint32_t entry;
  assert_true(simtlab_program_symbol(b.program, "count", &entry));
  const uint32_t closure = alloc(&b, 256), p = alloc(&b, 4);
  const uint32_t words[] = {1, 1, 1, 32, 1, 1, 1, 5, 5, 5, 0, 0, 1, 0, 0x10000, 0x10000, 65536, 0, p};
  simtlab_device_write(b.device, closure, words, sizeof words, NULL);
  assert_int_equal(simtlab_device_start_entry(b.device, entry, closure, 1, NULL), SIMTLAB_OK);
  assert_int_equal(simtlab_device_wait(b.device, NULL), SIMTLAB_OK);
  int32_t result;
  simtlab_device_read(b.device, p, &result, sizeof result, NULL);
  assert_int_equal(result, 1);
  close_bed(&b);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_kernel_can_be_launched_repeatedly),
      cmocka_unit_test(forgotten_launches_count_in_totals),
      cmocka_unit_test(a_fault_is_returned_and_the_device_continues),
      cmocka_unit_test(a_failure_is_not_a_fault),
      cmocka_unit_test(an_endless_kernel_stops_at_the_limit),
      cmocka_unit_test(every_call_works_after_a_limit_and_a_stop),
      cmocka_unit_test(pausing_does_not_change_the_outcome),
      cmocka_unit_test(programs_alternate),
      cmocka_unit_test(invalid_launches_give_error_messages),
      cmocka_unit_test(an_entry_is_launched_with_its_closure),
  };
  return cmocka_run_group_tests(tests, NULL, free_programs);
}
