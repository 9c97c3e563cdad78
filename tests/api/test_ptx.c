/* PTX modules through the public interface. */
#include "common.h"

enum { N = 16384 };

/* As saxpy of reference/ptx has them. */
struct arguments {
  uint64_t y, x;
  float a;
  uint32_t n;
};

/* What a callback sees, and what it does. */
struct heard {
  bool listens, uses, stops;
  simtlab_device *device;
  uint64_t commits, lanes, last_cycle, accesses;
  bool backwards, elsewhere;
};

struct saxpy {
  simtlab_config *config;
  simtlab_device *device;
  struct heard heard;
  struct arguments arguments;
  struct simtlab_launch launch;
  float data[N];
};

static struct simtlab_error last;

static void hear(void *context, const struct simtlab_commit *commit)
{
  struct heard *h = context;
  if (!h->listens)
    return;
  h->commits++;
  h->lanes += (uint64_t)__builtin_popcountll(commit->active);
  h->backwards |= commit->cycle < h->last_cycle;
  h->last_cycle = commit->cycle;
  h->elsewhere |= strcmp(commit->kernel, "saxpy") != 0 || commit->block[0] >= N / 256 || commit->block[1] != 0 ||
                  commit->warp >= 8 || commit->line == 0;
  if (h->uses) {
    uint64_t address;
    assert_int_equal(simtlab_device_alloc(h->device, 4, &address, &last), SIMTLAB_USAGE);
  }
  if (h->stops)
    simtlab_device_stop(h->device, "enough was seen");
}

static void hear_access(void *context, const struct simtlab_access *access)
{
  struct heard *h = context;
  h->accesses += h->listens && access->width == 4 && access->address != NULL;
}

static struct saxpy *open_saxpy(bool fast, uint64_t limit)
{
  char path[600];
  struct saxpy *s = calloc(1, sizeof *s);
  assert_non_null(s);
  snprintf(path, sizeof path, "%s/reference/ptx/kernels/saxpy.ptx", getenv("SOURCE"));
  s->config = simtlab_config_open("sm7", &last);
  assert_non_null(s->config);
  const struct simtlab_options options = {
      .callbacks = {.context = &s->heard, .commit = hear, .access = hear_access},
      .ptx = true,
      .fast = fast,
      .max_cycles = limit,
  };
  s->device = s->heard.device = simtlab_device_create(s->config, &options, &last);
  assert_non_null(s->device);
  assert_non_null(simtlab_module_load(s->device, path, &last));
  s->arguments = (struct arguments){.a = 2.5f, .n = N};
  s->launch = (struct simtlab_launch){.kernel = "saxpy",
                                      .grid = {N / 256},
                                      .block = {256},
                                      .arguments = &s->arguments,
                                      .argument_bytes = sizeof s->arguments};
  uint64_t *const buffers[] = {&s->arguments.y, &s->arguments.x};
  for (int i = 0; i < N; i++)
    s->data[i] = (float)i;
  for (int i = 0; i < 2; i++) {
    assert_int_equal(simtlab_device_alloc(s->device, sizeof s->data, buffers[i], &last), SIMTLAB_OK);
    assert_int_equal(simtlab_device_write(s->device, *buffers[i], s->data, sizeof s->data, &last), SIMTLAB_OK);
  }
  return s;
}

static enum simtlab_status run(struct saxpy *s, const struct simtlab_launch *launch)
{
  const enum simtlab_status status = simtlab_device_start(s->device, launch, &last);
  return status == SIMTLAB_OK ? simtlab_device_wait(s->device, &last) : status;
}

static void close_saxpy(struct saxpy *s)
{
  simtlab_device_free(s->device);
  simtlab_config_free(s->config);
  free(s);
}

static uint64_t counter(const struct saxpy *s, const char *name)
{
  uint64_t value = 0;
  assert_true(simtlab_counter_total(s->device, name, &value));
  return value;
}

/* y = 2.5 i + i, with a single rounding, as all values are exact. */
static void assert_values(struct saxpy *s)
{
  assert_int_equal(simtlab_device_read(s->device, s->arguments.y, s->data, sizeof s->data, &last), SIMTLAB_OK);
  for (int i = 0; i < N; i++)
    if (s->data[i] != 3.5f * (float)i)
      fail_msg("y[%d] is %g", i, (double)s->data[i]);
}

/* Observers see each instruction once: as many as the counters have. */
static void observers_see_instructions(void **state)
{
  (void)state;
  for (int fast = 0; fast < 2; fast++) {
    struct saxpy *s = open_saxpy(fast, 0);
    const struct heard *h = &s->heard;
    s->heard.listens = true;
    assert_int_equal(run(s, &s->launch), SIMTLAB_OK);
    assert_values(s);
    assert_int_equal(h->commits, counter(s, "warp_instrs"));
    assert_int_equal(h->lanes, counter(s, "thread_instrs"));
    assert_int_equal(h->accesses, N / 32 * 5); /* two loads, a store, and two parameters of 4 bytes */
    assert_false(h->elsewhere);
    if (!fast) {
      assert_int_equal(counter(s, "cycles"), 849);
      assert_false(h->backwards);
      assert_true(h->last_cycle < 849);
    }
    close_saxpy(s);
  }
}

static void an_observer_cannot_use_the_device(void **state)
{
  (void)state;
  struct saxpy *s = open_saxpy(false, 0);
  s->heard.listens = s->heard.uses = true;
  assert_int_equal(run(s, &s->launch), SIMTLAB_OK);
  assert_int_equal(s->heard.commits, counter(s, "warp_instrs"));
  assert_values(s);
  close_saxpy(s);
}

static void missing_things_are_reported(void **state)
{
  (void)state;
  struct saxpy *s = open_saxpy(true, 0);
  const struct simtlab_launch none = {.kernel = NULL};
  struct simtlab_launch no_arguments = s->launch;
  struct simtlab_kernel kernel;
  struct simtlab_symbol symbol;
  no_arguments.arguments = NULL;
  assert_null(simtlab_module_load(NULL, "x.ptx", &last));
  assert_string_equal(last.text, "simtlab_module_load: device is NULL");
  assert_null(simtlab_module_load(s->device, NULL, &last));
  assert_null(simtlab_module_parse(s->device, "x", NULL, 1, &last));
  assert_int_equal(run(s, &none), SIMTLAB_USAGE);
  assert_int_equal(run(s, &no_arguments), SIMTLAB_USAGE);
  assert_string_equal(last.text, "simtlab_device_start: launch->arguments is NULL");
  assert_false(simtlab_module_symbol(NULL, "x", &symbol));
  assert_false(simtlab_module_kernel(NULL, "x", &kernel));
  assert_int_equal(simtlab_device_run(s->device, &last), SIMTLAB_USAGE);
  assert_non_null(strstr(last.text, "executes PTX"));
  assert_int_equal(simtlab_device_register(s->device, 0, 0, 1), 0);
  close_saxpy(s);
}

static void an_observer_can_stop_the_run(void **state)
{
  (void)state;
  struct saxpy *s = open_saxpy(false, 0);
  simtlab_device_stop(s->device, "between runs");
  s->heard.listens = s->heard.stops = true;
  assert_int_equal(run(s, &s->launch), SIMTLAB_STOPPED);
  assert_string_equal(last.text, "enough was seen");
  assert_true(s->heard.commits > 0 && s->heard.commits < 10240);
  s->heard.stops = false;
  assert_int_equal(simtlab_device_wait(s->device, &last), SIMTLAB_OK); /* it resumes */
  assert_int_equal(s->heard.commits, 10240);
  assert_int_equal(counter(s, "cycles"), 849);
  assert_values(s);
  close_saxpy(s);
}

/* A launch in steps takes the cycles of a whole one. */
static void a_launch_can_be_divided(void **state)
{
  (void)state;
  for (int fast = 0; fast < 2; fast++) {
    struct saxpy *s = open_saxpy(fast, 0);
    enum simtlab_status status;
    unsigned steps = 0;
    assert_int_equal(simtlab_device_start(s->device, &s->launch, &last), SIMTLAB_OK);
    do {
      status = simtlab_device_wait_for(s->device, 100, &last);
      steps++;
    } while (status == SIMTLAB_PAUSED);
    assert_int_equal(status, SIMTLAB_OK);
    assert_true(steps > 5);
    assert_values(s);
    assert_int_equal(counter(s, "cycles"), fast ? 0 : 849);
    assert_int_equal(counter(s, "warp_instrs"), 10240);
    /* 1200 MHz; 80 SMs issue four instructions of 32 lanes in a cycle */
    assert_int_equal(simtlab_device_picoseconds(s->device, 0) / 1000,
                     fast ? counter(s, "thread_instrs") * 10 / (80 * 4 * 32 * 12) : 707);
    close_saxpy(s);
  }
}

/* GPGPU-Sim takes 849 cycles and 10240 warp instructions for this kernel at this size, as recorded. */
static void a_kernel_takes_the_recorded_cycles(void **state)
{
  (void)state;
  struct saxpy *s = open_saxpy(false, 0);
  assert_int_equal(run(s, &s->launch), SIMTLAB_OK);
  assert_values(s);
  assert_int_equal(counter(s, "cycles"), 849);
  assert_int_equal(counter(s, "warp_instrs"), 10240);
  close_saxpy(s);
}

static void functional_runs_give_the_same_values(void **state)
{
  (void)state;
  struct saxpy *s = open_saxpy(true, 0);
  assert_int_equal(run(s, &s->launch), SIMTLAB_OK);
  assert_values(s);
  assert_int_equal(counter(s, "cycles"), 0);
  assert_int_equal(counter(s, "warp_instrs"), 10240);
  assert_int_equal(run(s, &s->launch), SIMTLAB_OK);
  assert_int_equal(counter(s, "warp_instrs"), 20480);
  close_saxpy(s);
}

static void a_limit_ends_a_launch(void **state)
{
  (void)state;
  struct saxpy *s = open_saxpy(false, 100);
  assert_int_equal(run(s, &s->launch), SIMTLAB_LIMIT);
  assert_int_equal(counter(s, "cycles"), 100);
  close_saxpy(s);
}

/* A fault, a limit and a stop leave the GPU in the middle of a kernel. The next kernel and copies are unaffected. */
static void a_module_continues_after_any_end(void **state)
{
  (void)state;
  enum { FAULT, LIMIT, STOP, ENDS };
  for (int end = 0; end < 2 * ENDS; end++) {
    const bool fast = end >= ENDS;
    struct saxpy *s = open_saxpy(fast, end % ENDS == LIMIT ? fast ? 10000 : 800 : 0);
    const uint64_t x = s->arguments.x;
    for (int again = 0; again < 2; again++) {
      s->heard.listens = s->heard.stops = end % ENDS == STOP;
      s->arguments.x = end % ENDS == FAULT ? 64 : x;
      assert_int_equal(run(s, &s->launch), end % ENDS == FAULT   ? SIMTLAB_FAULT
                                           : end % ENDS == LIMIT ? SIMTLAB_LIMIT
                                                                 : SIMTLAB_STOPPED);
      s->heard.listens = false;
      simtlab_device_abandon(s->device);
      s->arguments.x = x;
      for (int i = 0; i < N; i++)
        s->data[i] = (float)i;
      assert_int_equal(simtlab_device_write(s->device, s->arguments.y, s->data, sizeof s->data, &last), SIMTLAB_OK);
      s->launch.grid[0] = N / 2 / 256;
      s->arguments.n = N / 2;
      const uint64_t before = counter(s, "warp_instrs"), cycles = counter(s, "cycles");
      assert_int_equal(run(s, &s->launch), SIMTLAB_OK);
      assert_int_equal(counter(s, "warp_instrs") - before, 5120);
      assert_true(fast == (counter(s, "cycles") == cycles));
      assert_int_equal(simtlab_device_read(s->device, s->arguments.y, s->data, sizeof s->data, &last), SIMTLAB_OK);
      for (int i = 0; i < N; i++)
        assert_true(s->data[i] == (i < N / 2 ? 3.5f : 1.0f) * (float)i);
      s->launch.grid[0] = N / 256;
      s->arguments.n = N;
    }
    close_saxpy(s);
  }
}

static void arguments_that_do_not_fit_are_refused(void **state)
{
  (void)state;
  struct saxpy *s = open_saxpy(true, 0);
  uint64_t value;
  struct simtlab_launch wrong = s->launch;
  wrong.kernel = "nothing";
  assert_int_equal(run(s, &wrong), SIMTLAB_USAGE);
  assert_non_null(strstr(last.text, "has no kernel 'nothing'"));
  wrong = s->launch;
  wrong.argument_bytes -= 8;
  assert_int_equal(run(s, &wrong), SIMTLAB_USAGE);
  assert_non_null(strstr(last.text, "takes 24 bytes of parameters, but 16 were given"));
  wrong = s->launch;
  wrong.block[1] = 5; /* 1280 threads */
  assert_int_equal(run(s, &wrong), SIMTLAB_USAGE);
  assert_int_equal(simtlab_device_write(s->device, s->arguments.x + 4, s->data, sizeof s->data, &last), SIMTLAB_USAGE);
  assert_int_equal(simtlab_device_read(s->device, 64, s->data, 4, &last), SIMTLAB_USAGE);
  assert_false(simtlab_counter_total(s->device, "nothing", &value));
  s->arguments.x = 64; /* no buffer: a fault, after which it continues */
  assert_int_equal(run(s, &s->launch), SIMTLAB_FAULT);
  assert_non_null(strstr(last.text, "is outside global memory"));
  struct simtlab_fault fault;
  assert_true(simtlab_device_last_fault(s->device, &fault));
  assert_int_equal(fault.kind, SIMTLAB_FAULT_ADDRESS);
  assert_string_equal(fault.kernel, "saxpy");
  assert_int_equal(fault.address, 64);
  assert_true(fault.line > 0 && fault.in_grid && fault.buffer_bytes == 0);
  close_saxpy(s);
}

static const char variables[] =
    ".version 6.4\n.target sm_70\n.address_size 64\n.global .align 4 .u32 seven[2] = {7, 8};\n"
    ".const .align 4 .u32 factor = 3;\n"
    ".visible .entry k(.param .u64 p, .param .u32 n) {\n.reg .b32 %r<4>;\n.reg .b64 %d<3>;\n"
    "ld.param.u64 %d1, [p];\nld.const.u32 %r1, [factor];\nld.param.u32 %r2, [n];\nmul.lo.u32 %r3, %r1, %r2;\n"
    "st.global.u32 [%d1], %r3;\nret;\n}\n";

static simtlab_device *small_device(simtlab_config **config, bool fast)
{
  const struct simtlab_options options = {.ptx = true, .fast = fast};
  *config = simtlab_config_open("sm7-1", &last);
  simtlab_device *device = simtlab_device_create(*config, &options, &last);
  assert_non_null(device);
  return device;
}

/* Modules from memory, with names in common, on one device. */
static void modules_share_a_device(void **state)
{
  (void)state;
  for (int fast = 0; fast < 2; fast++) {
    simtlab_config *config;
    simtlab_device *device = small_device(&config, fast);
    struct simtlab_symbol symbol[2];
    struct simtlab_kernel kernel;
    struct simtlab_parameter parameter;
    simtlab_module *module[2];
    for (uint32_t m = 0; m < 2; m++) {
      const uint32_t factor = 3 + 2 * m;
      int32_t word = 0;
      module[m] = simtlab_module_parse(device, "twice.ptx", variables, sizeof variables - 1, &last);
      assert_non_null(module[m]);
      assert_true(simtlab_module_symbol(module[m], "seven", &symbol[m]));
      assert_int_equal(symbol[m].size, 8);
      assert_int_equal(simtlab_device_read(device, symbol[m].address + 4, &word, 4, &last), SIMTLAB_OK);
      assert_int_equal(word, 8);
      assert_int_equal(simtlab_module_write(module[m], "factor", 0, &factor, 4, &last), SIMTLAB_OK);
      assert_int_equal(simtlab_module_write(module[m], "factor", 4, &factor, 4, &last), SIMTLAB_USAGE);
    }
    assert_true(symbol[0].address != symbol[1].address);
    assert_true(simtlab_module_kernel(module[1], "k", &kernel));
    assert_int_equal(kernel.argument_bytes, 12);
    assert_true(simtlab_module_parameter(module[1], "k", 1, &parameter));
    assert_string_equal(parameter.name, "n");
    assert_int_equal(parameter.offset, 8);
    for (unsigned m = 0; m < 2; m++) { /* each stores to the other's variable */
      struct {
        uint64_t p;
        uint32_t n;
      } arguments = {symbol[1 - m].address, 10};
      const struct simtlab_launch launch = {.module = module[m],
                                            .kernel = "k",
                                            .grid = {1},
                                            .block = {1},
                                            .arguments = &arguments,
                                            .argument_bytes = sizeof arguments};
      uint32_t word = 0;
      assert_int_equal(simtlab_device_start(device, &launch, &last), SIMTLAB_OK);
      assert_int_equal(simtlab_device_wait(device, &last), SIMTLAB_OK);
      assert_int_equal(simtlab_module_read(module[1 - m], "seven", 0, &word, 4, &last), SIMTLAB_OK);
      assert_int_equal(word, 10 * (3 + 2 * m));
    }
    assert_int_equal(simtlab_device_launches(device), 2);
    assert_int_equal(simtlab_device_forget(device, &last), SIMTLAB_OK);
    assert_int_equal(simtlab_device_launches(device), 0);
    simtlab_device_free(device);
    simtlab_config_free(config);
  }
}

/* Released memory reads as zeros when it is used again, and takes no host memory. */
static void memory_is_released_and_filled(void **state)
{
  (void)state;
  simtlab_config *config;
  simtlab_device *device = small_device(&config, false);
  const uint16_t pattern = 0x1234;
  uint64_t a, b;
  uint8_t bytes[8] = {0};
  assert_int_equal(simtlab_device_alloc(device, UINT64_C(24) << 30, &a, &last), SIMTLAB_OK);
  assert_int_equal(simtlab_device_alloc(device, 1000, &b, &last), SIMTLAB_OK);
  assert_true(b >= a + (UINT64_C(24) << 30));
  assert_int_equal(simtlab_device_fill(device, a + 4096, &pattern, 2, 6, &last), SIMTLAB_OK);
  assert_int_equal(simtlab_device_fill(device, a, &pattern, 3, 6, &last), SIMTLAB_USAGE);
  assert_int_equal(simtlab_device_copy(device, b, a + 4096, 8, &last), SIMTLAB_OK);
  assert_int_equal(simtlab_device_copy(device, b + 2, b, 6, &last), SIMTLAB_OK); /* they overlap */
  assert_int_equal(simtlab_device_read(device, b, bytes, sizeof bytes, &last), SIMTLAB_OK);
  assert_memory_equal(bytes, "\x34\x12\x34\x12\x34\x12\x34\x12", 8);
  assert_int_equal(simtlab_device_copy(device, b, a, UINT64_C(1) << 40, &last), SIMTLAB_USAGE);
  assert_int_equal(simtlab_device_release(device, a, &last), SIMTLAB_OK);
  assert_int_equal(simtlab_device_release(device, a, &last), SIMTLAB_USAGE);
  assert_int_equal(simtlab_device_alloc(device, UINT64_C(20) << 30, &a, &last), SIMTLAB_OK); /* the same place */
  assert_true(a < b);
  assert_int_equal(simtlab_device_read(device, a + 4096, bytes, sizeof bytes, &last), SIMTLAB_OK);
  assert_memory_equal(bytes, "\0\0\0\0\0\0\0\0", 8);
  simtlab_device_free(device);
  simtlab_config_free(config);
}

static void another_machine_or_module_is_refused(void **state)
{
  (void)state;
  const struct simtlab_options options = {.ptx = true};
  simtlab_config *simtight = simtlab_config_open("simtight", &last), *config;
  simtlab_device *device = small_device(&config, true);
  assert_null(simtlab_device_create(simtight, &options, &last));
  assert_int_equal(last.status, SIMTLAB_USAGE);
  assert_null(simtlab_module_load(device, "missing.ptx", &last));
  assert_non_null(strstr(last.text, "missing.ptx"));
  assert_null(simtlab_module_parse(device, "text.ptx", "nonsense", 8, &last));
  assert_non_null(strstr(last.text, "text.ptx:1:1"));
  simtlab_device_free(device);
  simtlab_config_free(simtight);
  simtlab_config_free(config);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(observers_see_instructions),
      cmocka_unit_test(an_observer_can_stop_the_run),
      cmocka_unit_test(an_observer_cannot_use_the_device),
      cmocka_unit_test(missing_things_are_reported),
      cmocka_unit_test(a_kernel_takes_the_recorded_cycles),
      cmocka_unit_test(functional_runs_give_the_same_values),
      cmocka_unit_test(a_limit_ends_a_launch),
      cmocka_unit_test(a_module_continues_after_any_end),
      cmocka_unit_test(arguments_that_do_not_fit_are_refused),
      cmocka_unit_test(a_launch_can_be_divided),
      cmocka_unit_test(modules_share_a_device),
      cmocka_unit_test(memory_is_released_and_filled),
      cmocka_unit_test(another_machine_or_module_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
