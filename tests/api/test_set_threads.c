/* Setting threads' registers and program counters between calls that run the device: on every machine, timed and
 * functional; SIMTight's compressed register file updates its entry. */
#include <unistd.h>

#include "common.h"

static const char source[] = "#include <simt.h>\n"
                             "SIMT_KERNEL(stay, (unsigned *, out))\n"
                             "{\n"
                             "  (void)out;\n"
                             "  __asm__ volatile(\"li s2, 7\\n li s3, 1\\n\"\n"
                             "    \".globl here\\nhere: beqz s4, here\\n\"\n"
                             "    \"li s3, 2\\n.globl there\\nthere: add s2, s2, s3\\n\"\n"
                             "    \"csrr t0, 0xf14\\n slli t0, t0, 2\\n add t0, t0, %0\\n sw s2, (t0)\\n\"\n"
                             "    : : \"r\"(out) : \"s2\", \"s3\", \"s4\", \"t0\", \"memory\");\n"
                             "}\n"
                             "int main(void) { return 0; }\n";

enum { S2 = 18, S3 = 19, S4 = 20, LANES_MOST = 32 };

struct bed {
  simtlab_config *config;
  simtlab_program *program;
  simtlab_device *device;
  uint32_t out, here, there;
  unsigned lanes;
};

static struct bed open_bed(const char *machine, bool fast)
{
  struct simtlab_error error = {0};
  struct bed b = {.config = simtlab_config_open(machine, &error)};
  char command[1200], path[300];
  uint64_t out;
  snprintf(path, sizeof path, "threads-%ld.elf", (long)getpid());
  FILE *file = fopen("threads.c", "w");
  assert_non_null(file);
  fputs(source, file);
  fclose(file);
  snprintf(command, sizeof command, "%s/simtlab cc --target %s -o %s threads.c", getenv("BUILD"),
           strcmp(machine, "vortex") == 0 ? "vortex --marks=user" : "simt", path);
  assert_int_equal(system(command), 0);
  b.program = simtlab_program_load(path, &error);
  remove(path);
  b.device = simtlab_device_create(b.config, &(struct simtlab_options){.fast = fast}, &error);
  if (b.device == NULL || simtlab_device_add(b.device, b.program, &error) != SIMTLAB_OK ||
      simtlab_device_alloc(b.device, 4 * LANES_MOST, &out, &error) != SIMTLAB_OK)
    fail_msg("%s", error.text);
  b.out = (uint32_t)out;
  assert_true(simtlab_program_symbol(b.program, "here", &b.here));
  assert_true(simtlab_program_symbol(b.program, "there", &b.there));
  b.lanes = simtlab_device_lanes(b.device);
  const struct simtlab_launch launch = {
      .kernel = "stay", .grid = {1}, .block = {b.lanes}, .arguments = &b.out, .argument_bytes = sizeof b.out};
  if (simtlab_device_start(b.device, &launch, &error) != SIMTLAB_OK)
    fail_msg("%s", error.text);
  for (unsigned i = 0; i < 30 && simtlab_device_pc(b.device, 0, 0) != b.here; i++)
    assert_int_equal(simtlab_device_wait_for(b.device, 3000, NULL), SIMTLAB_PAUSED);
  assert_int_equal(simtlab_device_pc(b.device, 0, 0), b.here); /* the loop of warp 0 */
  return b;
}

static void close_bed(struct bed *b)
{
  simtlab_device_free(b->device);
  simtlab_program_free(b->program);
  simtlab_config_free(b->config);
}

/* At the first opportunity, which comes soon. */
static void set_register(struct bed *b, unsigned lane, unsigned reg, uint32_t value)
{
  for (unsigned i = 0; i < 100; i++) {
    if (simtlab_device_set_register(b->device, 0, lane, reg, value, NULL) == SIMTLAB_OK) {
      assert_int_equal(simtlab_device_register(b->device, 0, lane, reg), reg == 0 ? 0 : value);
      return;
    }
    assert_int_equal(simtlab_device_wait_for(b->device, 1, NULL), SIMTLAB_PAUSED);
  }
  fail_msg("register %u of lane %u cannot be set", reg, lane);
}

static void set_pc(struct bed *b, unsigned lane, uint32_t pc)
{
  for (unsigned i = 0; i < 100; i++) {
    if (simtlab_device_set_pc(b->device, 0, lane, pc, NULL) == SIMTLAB_OK) {
      assert_int_equal(simtlab_device_pc(b->device, 0, lane), pc);
      return;
    }
    assert_int_equal(simtlab_device_wait_for(b->device, 1, NULL), SIMTLAB_PAUSED);
  }
  fail_msg("the pc of lane %u cannot be set", lane);
}

static void expect_out(struct bed *b, const uint32_t expected[LANES_MOST])
{
  struct simtlab_error error;
  uint32_t out[LANES_MOST];
  if (simtlab_device_wait(b->device, &error) != SIMTLAB_OK)
    fail_msg("%s", error.text);
  assert_int_equal(simtlab_device_read(b->device, b->out, out, sizeof out, NULL), SIMTLAB_OK);
  for (unsigned l = 0; l < b->lanes; l++)
    assert_int_equal(out[l], expected[l]);
}

static const struct {
  const char *name;
  bool fast;
} machines[] = {{"simtight", false},    {"simtight", true},         {"simtight-rfc", false},
                {"simtight-rfc", true}, {"simtight-rfc-pp", false}, {"simtight-rfc-pp-sb", false},
                {"simty-plus", false},  {"simty-plus", true},       {"vortex", false},
                {"vortex", true}};

enum { MACHINES = sizeof machines / sizeof machines[0] };

/* Sets some lanes' s2, then every lane's s4, which ends the loop. */
static void registers_are_set(void **state)
{
  (void)state;
  for (unsigned m = 0; m < MACHINES; m++) {
    struct bed b = open_bed(machines[m].name, machines[m].fast);
    uint32_t expected[LANES_MOST];
    for (unsigned l = 0; l < b.lanes; l++) {
      expected[l] = 7 + 2;
      if (l % 3 == 0) {
        set_register(&b, l, S2, 1000 * l);
        expected[l] = 1000 * l + 2;
      }
    }
    set_register(&b, 5, 0, 9);
    for (unsigned l = 0; l < b.lanes; l++)
      set_register(&b, l, S4, 1);
    expect_out(&b, expected);
    close_bed(&b);
  }
}

/* A vector is recompressed when its values are uniform or affine. */
static void a_uniform_or_affine_register_is_recompressed(void **state)
{
  (void)state;
  struct bed b = open_bed("simtight-rfc", false);
  uint32_t expected[LANES_MOST];
  for (unsigned l = 0; l < b.lanes; l++)
    set_register(&b, l, S2, 4 * l);
  for (unsigned l = 0; l < b.lanes; l++)
    set_register(&b, l, S3, l == 3 ? 5 : 1);
  set_register(&b, 3, S3, 1);
  for (unsigned l = 0; l < b.lanes; l++) {
    set_register(&b, l, S4, 1);
    expected[l] = 4 * l + 2;
  }
  expect_out(&b, expected);
  close_bed(&b);
}

/* Lanes leave the loop one by one, to `there` after the instruction that sets s3: all, or some while s4 ends the loop
 * for the others. */
static void program_counters_are_set(void **state)
{
  (void)state;
  for (unsigned m = 0; m < 2 * MACHINES; m++) {
    if (m % 2 == 1 && strcmp(machines[m / 2].name, "vortex") == 0)
      continue; /* its warps have a single program counter */
    struct bed b = open_bed(machines[m / 2].name, machines[m / 2].fast);
    const unsigned step = m % 2 ? 2 : 1;
    uint32_t expected[LANES_MOST];
    for (unsigned l = 0; l < b.lanes; l++)
      expected[l] = l % step == 0 ? 7 + 1 : 7 + 2;
    if (step == 2)
      for (unsigned l = 1; l < b.lanes; l += 2)
        set_register(&b, l, S4, 1);
    for (unsigned l = 0; l < b.lanes; l += step)
      set_pc(&b, l, b.there);
    expect_out(&b, expected);
    close_bed(&b);
  }
}

static void missing_registers_and_threads_cannot_be_set(void **state)
{
  (void)state;
  struct bed b = open_bed("simtight", false);
  struct simtlab_error error;
  assert_int_equal(simtlab_device_set_register(b.device, 64, 0, 1, 0, &error), SIMTLAB_USAGE);
  assert_int_equal(simtlab_device_set_register(b.device, 0, 32, 1, 0, &error), SIMTLAB_USAGE);
  assert_int_equal(simtlab_device_set_register(b.device, 0, 0, 32, 0, &error), SIMTLAB_USAGE);
  assert_int_equal(simtlab_device_set_pc(b.device, 0, 32, 0, &error), SIMTLAB_USAGE);
  assert_int_equal(simtlab_device_set_pc(b.device, 0, 0, 2, &error), SIMTLAB_USAGE);
  assert_non_null(strstr(error.text, "multiple of 4"));
  close_bed(&b);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(registers_are_set),
      cmocka_unit_test(a_uniform_or_affine_register_is_recompressed),
      cmocka_unit_test(program_counters_are_set),
      cmocka_unit_test(missing_registers_and_threads_cannot_be_set),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
