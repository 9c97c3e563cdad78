/* PTX modules through the public interface. */
#include "common.h"

enum { N = 16384 };

/* As saxpy of reference/ptx has them. */
struct arguments {
  uint64_t y, x;
  float a;
  uint32_t n;
};

struct saxpy {
  simtlab_config *config;
  simtlab_ptx *ptx;
  struct arguments arguments;
  struct simtlab_ptx_launch launch;
  float data[N];
};

static struct simtlab_error last;

static struct saxpy *open_saxpy(bool fast, uint64_t limit)
{
  char path[600];
  struct saxpy *s = calloc(1, sizeof *s);
  assert_non_null(s);
  snprintf(path, sizeof path, "%s/reference/ptx/kernels/saxpy.ptx", getenv("SOURCE"));
  s->config = simtlab_config_open("sm7", &last);
  assert_non_null(s->config);
  s->ptx = simtlab_ptx_create(s->config, path, fast, limit, &last);
  assert_non_null(s->ptx);
  s->arguments = (struct arguments){.a = 2.5f, .n = N};
  s->launch = (struct simtlab_ptx_launch){.kernel = "saxpy",
                                          .grid = {N / 256},
                                          .block = {256},
                                          .arguments = &s->arguments,
                                          .argument_bytes = sizeof s->arguments};
  uint64_t *const buffers[] = {&s->arguments.y, &s->arguments.x};
  for (int i = 0; i < N; i++)
    s->data[i] = (float)i;
  for (int i = 0; i < 2; i++) {
    assert_int_equal(simtlab_ptx_alloc(s->ptx, sizeof s->data, buffers[i], &last), SIMTLAB_OK);
    assert_int_equal(simtlab_ptx_write(s->ptx, *buffers[i], s->data, sizeof s->data, &last), SIMTLAB_OK);
  }
  return s;
}

static void close_saxpy(struct saxpy *s)
{
  simtlab_ptx_free(s->ptx);
  simtlab_config_free(s->config);
  free(s);
}

static uint64_t counter(const struct saxpy *s, const char *name)
{
  uint64_t value = 0;
  assert_true(simtlab_ptx_counter(s->ptx, name, &value));
  return value;
}

/* y = 2.5 i + i, with a single rounding, as all values are exact. */
static void assert_values(struct saxpy *s)
{
  assert_int_equal(simtlab_ptx_read(s->ptx, s->arguments.y, s->data, sizeof s->data, &last), SIMTLAB_OK);
  for (int i = 0; i < N; i++)
    if (s->data[i] != 3.5f * (float)i)
      fail_msg("y[%d] is %g", i, (double)s->data[i]);
}

struct heard {
  simtlab_ptx *uses, *stops; /* after the first; NULL: continues */
  uint64_t commits, lanes, last_cycle;
  bool backwards, elsewhere;
};

static void hear(void *context, const struct simtlab_ptx_commit *commit)
{
  struct heard *h = context;
  h->commits++;
  h->lanes += (uint64_t)__builtin_popcount(commit->active);
  h->backwards |= commit->cycle < h->last_cycle;
  h->last_cycle = commit->cycle;
  h->elsewhere |= strcmp(commit->kernel, "saxpy") != 0 || commit->block[0] >= N / 256 || commit->block[1] != 0 ||
                  commit->warp >= 8 || commit->line == 0 || (commit->width != 0) != (commit->address != NULL);
  if (h->uses != NULL) {
    uint64_t address;
    assert_int_equal(simtlab_ptx_alloc(h->uses, 4, &address, &last), SIMTLAB_USAGE);
    simtlab_ptx_free(h->uses);
  }
  if (h->stops != NULL)
    simtlab_ptx_stop(h->stops, "enough was seen");
}

/* Observers see each instruction once: as many as the counters have. */
static void observers_see_instructions(void **state)
{
  (void)state;
  for (int fast = 0; fast < 2; fast++) {
    struct saxpy *s = open_saxpy(fast, 0);
    struct heard h = {0};
    simtlab_ptx_listen(s->ptx, hear, &h);
    assert_int_equal(simtlab_ptx_run(s->ptx, &s->launch, &last), SIMTLAB_OK);
    assert_values(s);
    assert_int_equal(h.commits, counter(s, "warp_instrs"));
    assert_int_equal(h.lanes, counter(s, "thread_instrs"));
    assert_false(h.elsewhere);
    if (!fast) {
      assert_int_equal(counter(s, "cycles"), 849);
      assert_false(h.backwards);
      assert_true(h.last_cycle < 849);
    }
    simtlab_ptx_listen(s->ptx, NULL, NULL);
    assert_int_equal(simtlab_ptx_run(s->ptx, &s->launch, &last), SIMTLAB_OK);
    assert_int_equal(2 * h.commits, counter(s, "warp_instrs"));
    close_saxpy(s);
  }
}

static void an_observer_cannot_use_the_module(void **state)
{
  (void)state;
  struct saxpy *s = open_saxpy(false, 0);
  struct heard h = {.uses = s->ptx};
  simtlab_ptx_listen(s->ptx, hear, &h);
  assert_int_equal(simtlab_ptx_run(s->ptx, &s->launch, &last), SIMTLAB_OK);
  assert_int_equal(h.commits, counter(s, "warp_instrs"));
  assert_values(s);
  close_saxpy(s);
}

static void missing_things_are_reported(void **state)
{
  (void)state;
  struct saxpy *s = open_saxpy(true, 0);
  struct simtlab_ptx_launch none = {.kernel = NULL}, no_arguments = s->launch;
  uint64_t value;
  no_arguments.arguments = NULL;
  assert_null(simtlab_ptx_create(NULL, "x.ptx", true, 0, &last));
  assert_string_equal(last.text, "simtlab_ptx_create: config is NULL");
  assert_null(simtlab_ptx_create(s->config, NULL, true, 0, &last));
  assert_int_equal(simtlab_ptx_alloc(NULL, 4, &value, &last), SIMTLAB_USAGE);
  assert_int_equal(simtlab_ptx_alloc(s->ptx, 4, NULL, &last), SIMTLAB_USAGE);
  assert_int_equal(simtlab_ptx_write(NULL, 0, &value, 4, NULL), SIMTLAB_USAGE);
  assert_int_equal(simtlab_ptx_write(s->ptx, s->arguments.y, NULL, 4, &last), SIMTLAB_USAGE);
  assert_int_equal(simtlab_ptx_read(s->ptx, s->arguments.y, NULL, 4, &last), SIMTLAB_USAGE);
  assert_int_equal(simtlab_ptx_run(NULL, &s->launch, &last), SIMTLAB_USAGE);
  assert_int_equal(simtlab_ptx_run(s->ptx, NULL, &last), SIMTLAB_USAGE);
  assert_int_equal(simtlab_ptx_run(s->ptx, &none, &last), SIMTLAB_USAGE);
  assert_int_equal(simtlab_ptx_run(s->ptx, &no_arguments, &last), SIMTLAB_USAGE);
  assert_string_equal(last.text, "simtlab_ptx_run: launch->arguments is NULL");
  assert_false(simtlab_ptx_variable(NULL, "x", &value, &value));
  assert_false(simtlab_ptx_variable(s->ptx, NULL, &value, &value));
  assert_false(simtlab_ptx_counter(NULL, "cycles", &value));
  assert_false(simtlab_ptx_counter(s->ptx, "cycles", NULL));
  simtlab_ptx_listen(NULL, NULL, NULL);
  simtlab_ptx_stop(NULL, NULL);
  simtlab_ptx_free(NULL);
  close_saxpy(s);
}

static void an_observer_can_stop_the_run(void **state)
{
  (void)state;
  struct saxpy *s = open_saxpy(false, 0);
  struct heard h = {.stops = s->ptx};
  simtlab_ptx_stop(s->ptx, "between runs");
  simtlab_ptx_listen(s->ptx, hear, &h);
  assert_int_equal(simtlab_ptx_run(s->ptx, &s->launch, &last), SIMTLAB_STOPPED);
  assert_string_equal(last.text, "enough was seen");
  assert_int_equal(h.commits, 1);
  simtlab_ptx_listen(s->ptx, NULL, NULL);
  assert_int_equal(simtlab_ptx_run(s->ptx, &s->launch, &last), SIMTLAB_OK);
  close_saxpy(s);
}

/* GPGPU-Sim takes 849 cycles and 10240 warp instructions for this kernel at this size, as recorded. */
static void a_kernel_takes_the_recorded_cycles(void **state)
{
  (void)state;
  struct saxpy *s = open_saxpy(false, 0);
  assert_int_equal(simtlab_ptx_run(s->ptx, &s->launch, &last), SIMTLAB_OK);
  assert_values(s);
  assert_int_equal(counter(s, "cycles"), 849);
  assert_int_equal(counter(s, "warp_instrs"), 10240);
  close_saxpy(s);
}

static void functional_runs_give_the_same_values(void **state)
{
  (void)state;
  struct saxpy *s = open_saxpy(true, 0);
  assert_int_equal(simtlab_ptx_run(s->ptx, &s->launch, &last), SIMTLAB_OK);
  assert_values(s);
  assert_int_equal(counter(s, "cycles"), 0);
  assert_int_equal(counter(s, "warp_instrs"), 10240);
  assert_int_equal(simtlab_ptx_run(s->ptx, &s->launch, &last), SIMTLAB_OK);
  assert_int_equal(counter(s, "warp_instrs"), 20480);
  close_saxpy(s);
}

static void a_limit_ends_a_launch(void **state)
{
  (void)state;
  struct saxpy *s = open_saxpy(false, 100);
  assert_int_equal(simtlab_ptx_run(s->ptx, &s->launch, &last), SIMTLAB_LIMIT);
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
    struct heard h = {.stops = s->ptx};
    for (int again = 0; again < 2; again++) {
      if (end % ENDS == STOP)
        simtlab_ptx_listen(s->ptx, hear, &h);
      s->arguments.x = end % ENDS == FAULT ? 64 : x;
      assert_int_equal(simtlab_ptx_run(s->ptx, &s->launch, &last), end % ENDS == FAULT   ? SIMTLAB_FAULT
                                                                   : end % ENDS == LIMIT ? SIMTLAB_LIMIT
                                                                                         : SIMTLAB_STOPPED);
      simtlab_ptx_listen(s->ptx, NULL, NULL);
      s->arguments.x = x;
      for (int i = 0; i < N; i++)
        s->data[i] = (float)i;
      assert_int_equal(simtlab_ptx_write(s->ptx, s->arguments.y, s->data, sizeof s->data, &last), SIMTLAB_OK);
      s->launch.grid[0] = N / 2 / 256;
      s->arguments.n = N / 2;
      const uint64_t before = counter(s, "warp_instrs"), cycles = counter(s, "cycles");
      assert_int_equal(simtlab_ptx_run(s->ptx, &s->launch, &last), SIMTLAB_OK);
      assert_int_equal(counter(s, "warp_instrs") - before, 5120);
      assert_true(fast == (counter(s, "cycles") == cycles));
      assert_int_equal(simtlab_ptx_read(s->ptx, s->arguments.y, s->data, sizeof s->data, &last), SIMTLAB_OK);
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
  struct simtlab_ptx_launch wrong = s->launch;
  wrong.kernel = "nothing";
  assert_int_equal(simtlab_ptx_run(s->ptx, &wrong, &last), SIMTLAB_USAGE);
  assert_non_null(strstr(last.text, "has no kernel 'nothing'"));
  wrong = s->launch;
  wrong.argument_bytes -= 8;
  assert_int_equal(simtlab_ptx_run(s->ptx, &wrong, &last), SIMTLAB_USAGE);
  assert_non_null(strstr(last.text, "takes 24 bytes of parameters, but 16 were given"));
  wrong = s->launch;
  wrong.block[1] = 5; /* 1280 threads */
  assert_int_equal(simtlab_ptx_run(s->ptx, &wrong, &last), SIMTLAB_USAGE);
  assert_int_equal(simtlab_ptx_write(s->ptx, s->arguments.x + 4, s->data, sizeof s->data, &last), SIMTLAB_USAGE);
  assert_int_equal(simtlab_ptx_read(s->ptx, 64, s->data, 4, &last), SIMTLAB_USAGE);
  assert_false(simtlab_ptx_counter(s->ptx, "nothing", &value));
  assert_false(simtlab_ptx_variable(s->ptx, "nothing", &value, &value));
  s->arguments.x = 64; /* no buffer: a fault, after which it continues */
  assert_int_equal(simtlab_ptx_run(s->ptx, &s->launch, &last), SIMTLAB_FAULT);
  assert_non_null(strstr(last.text, "is outside global memory"));
  close_saxpy(s);
}

static void a_variable_is_found(void **state)
{
  (void)state;
  uint64_t address = 0, size = 0;
  int32_t word = 0;
  FILE *file = fopen("variable.ptx", "w");
  assert_non_null(file);
  fputs(".version 6.4\n.target sm_70\n.address_size 64\n.global .align 4 .u32 seven[2] = {7, 8};\n"
        ".visible .entry k() { ret; }\n",
        file);
  fclose(file);
  simtlab_config *config = simtlab_config_open("sm7-1", &last);
  simtlab_ptx *ptx = simtlab_ptx_create(config, "variable.ptx", true, 0, &last);
  assert_non_null(ptx);
  assert_true(simtlab_ptx_variable(ptx, "seven", &address, &size));
  assert_int_equal(size, 8);
  assert_int_equal(simtlab_ptx_read(ptx, address + 4, &word, 4, &last), SIMTLAB_OK);
  assert_int_equal(word, 8);
  simtlab_ptx_free(ptx);
  simtlab_config_free(config);
}

static void another_machine_or_module_is_refused(void **state)
{
  (void)state;
  simtlab_config *simtight = simtlab_config_open("simtight", &last), *sm7 = simtlab_config_open("sm7-1", &last);
  assert_null(simtlab_ptx_create(simtight, "variable.ptx", false, 0, &last));
  assert_int_equal(last.status, SIMTLAB_USAGE);
  assert_null(simtlab_ptx_create(sm7, "missing.ptx", false, 0, &last));
  assert_non_null(strstr(last.text, "missing.ptx"));
  simtlab_config_free(simtight);
  simtlab_config_free(sm7);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(observers_see_instructions),
      cmocka_unit_test(an_observer_can_stop_the_run),
      cmocka_unit_test(an_observer_cannot_use_the_module),
      cmocka_unit_test(missing_things_are_reported),
      cmocka_unit_test(a_kernel_takes_the_recorded_cycles),
      cmocka_unit_test(functional_runs_give_the_same_values),
      cmocka_unit_test(a_limit_ends_a_launch),
      cmocka_unit_test(a_module_continues_after_any_end),
      cmocka_unit_test(arguments_that_do_not_fit_are_refused),
      cmocka_unit_test(a_variable_is_found),
      cmocka_unit_test(another_machine_or_module_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
