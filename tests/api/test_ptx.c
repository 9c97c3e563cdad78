/* Modules of PTX by the public interface. */
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

/* y = 2.5 i + i, in a single step of rounding as all values are exact. */
static void assert_values(struct saxpy *s)
{
  assert_int_equal(simtlab_ptx_read(s->ptx, s->arguments.y, s->data, sizeof s->data, &last), SIMTLAB_OK);
  for (int i = 0; i < N; i++)
    if (s->data[i] != 3.5f * (float)i)
      fail_msg("y[%d] is %g", i, (double)s->data[i]);
}

/* GPGPU-Sim was recorded to take 849 cycles for this kernel at this size, and 10240 warp instructions. */
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

static void without_timing_values_are_the_same(void **state)
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

static void what_does_not_fit_is_refused(void **state)
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
  assert_non_null(strstr(last.text, "has 24 bytes of parameters and is given 16"));
  wrong = s->launch;
  wrong.block[1] = 5; /* 1280 threads */
  assert_int_equal(simtlab_ptx_run(s->ptx, &wrong, &last), SIMTLAB_USAGE);
  assert_int_equal(simtlab_ptx_write(s->ptx, s->arguments.x + 4, s->data, sizeof s->data, &last), SIMTLAB_USAGE);
  assert_int_equal(simtlab_ptx_read(s->ptx, 64, s->data, 4, &last), SIMTLAB_USAGE);
  assert_false(simtlab_ptx_counter(s->ptx, "nothing", &value));
  assert_false(simtlab_ptx_variable(s->ptx, "nothing", &value, &value));
  s->arguments.x = 64; /* no buffer: a fault, after which it goes on */
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
      cmocka_unit_test(a_kernel_takes_the_recorded_cycles),
      cmocka_unit_test(without_timing_values_are_the_same),
      cmocka_unit_test(a_limit_ends_a_launch),
      cmocka_unit_test(what_does_not_fit_is_refused),
      cmocka_unit_test(a_variable_is_found),
      cmocka_unit_test(another_machine_or_module_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
