/* A complete short run of an arbitrary program on a small Vortex GPU. Input: byte 0 has the flags below, the rest is
 * the program, after a prologue that starts the warps and puts addresses into registers.
 *
 * Whatever the program does, a run ends with an outcome and a message, invariants hold (in builds that check them), and
 * the lane functions of every build level give the same cycles, counters and memory. If only one warp can be active,
 * the functional mode gives the same memory, by basic blocks and by single instructions. */
#include <string.h>

#include "device/device.h"
#include "harness.h"
#include "vortex_program.h"

enum {
  SIMX = 1 << 0,
  WARPS = 1 << 1,    /* 4 warps, else 1 */
  LANES = 3 << 2,    /* 4, 1, 16 or 32 */
  EXTENDED = 1 << 4, /* hardware loops and streams */
  CORES = 1 << 5     /* 2 cores, else 1 */
};

enum { MOST_CYCLES = 4000, MOST_OUTPUT = 1 << 12 };

struct outcome {
  enum sl_status code;
  char text[1024];
  int status;
  uint64_t memory, counters, console;
  size_t printed;
};

static uint64_t mix(uint64_t hash, uint64_t value)
{
  return (hash ^ value) * UINT64_C(0x100000001b3);
}

static int put_byte(void *context, uint8_t byte)
{
  struct outcome *outcome = context;
  outcome->console = mix(outcome->console, byte);
  return ++outcome->printed < MOST_OUTPUT ? 0 : SL_CONSOLE_FAILED;
}

static void set(struct sl_config *config, const char *assignment)
{
  struct sl_error err = {0};
  enum sl_status code = sl_config_set(config, assignment, &err);
  REQUIRE(code == SL_OK);
}

static void configure(struct sl_config *config, unsigned flags)
{
  static const char *const lanes[] = {"lanes=4", "lanes=1", "lanes=16", "lanes=32"};
  static const char *const presets[] = {"vortex", "vortex-simx", "vortex-cfm-dmsl", "vortex-simx-cfm-dmsl"};
  struct sl_error err = {0};
  REQUIRE(sl_config_open(config, presets[(flags & SIMX) | (flags & EXTENDED ? 2 : 0)], &err) == SL_OK);
  set(config, lanes[(flags & LANES) >> 2]);
  set(config, flags & WARPS ? "warps=4" : "warps=1");
  set(config, flags & CORES ? "cores=2" : "cores=1");
  set(config, "atomics=true");
  set(config, "icache.start=4");
  set(config, "dcache.bytes=1024");
  if (flags & SL_VORTEX_OLD)
    set(config, "encoding=1.x");
  REQUIRE(sl_config_check(config, &err) == SL_OK);
}

enum { CYCLES = 0, FAST = 1, PORTABLE = 2, BY_INSTRUCTION = 4 };

static struct outcome run(const struct sl_config *config, const struct sl_program *program, unsigned how)
{
  struct outcome outcome = {0};
  const struct sl_device_options options = {
      .console = {&outcome, NULL, put_byte},
      .fast = how & FAST,
      .portable_lanes = how & PORTABLE,
      .mode = how & BY_INSTRUCTION ? SL_MODE_INSTRUCTIONS : SL_MODE_EAGER,
      .max_cycles = MOST_CYCLES,
  };
  const char *const argv[] = {"fuzz", "argument"};
  struct sl_device *device = NULL;
  struct sl_error err = {0};
  REQUIRE(sl_device_create(config, &options, &device, &err) == SL_OK);
  outcome.code = sl_device_load(device, program, 2, argv, &err);
  if (outcome.code == SL_OK)
    outcome.code = sl_device_run(device, &err);
  REQUIRE(outcome.code == SL_OK || outcome.code == SL_USAGE || outcome.code == SL_FAULT || outcome.code == SL_LIMIT);
  if (outcome.code != SL_OK) {
    REQUIRE(err.text[0] != '\0' && memchr(err.text, '\0', sizeof err.text) != NULL);
    memcpy(outcome.text, err.text, sizeof outcome.text);
  }
  const struct sl_result *result = sl_device_result(device);
  outcome.status = result->status;
  outcome.memory = sl_device_memory_hash(device);
  for (size_t c = 0; result->launch_count > 0 && c < config->machine->counters->count; c++)
    outcome.counters = mix(outcome.counters, result->launches[0].counters[c]);
  sl_device_destroy(device);
  return outcome;
}

static void require_same(const struct outcome *a, const struct outcome *b)
{
  REQUIRE(a->code == b->code && strcmp(a->text, b->text) == 0);
  REQUIRE(a->status == b->status && a->memory == b->memory);
  REQUIRE(a->console == b->console && a->printed == b->printed);
}

/* A limit, or a livelock that is found there, stops each engine at a place of its own. */
static bool ended(const struct outcome *o)
{
  return o->code != SL_LIMIT && strstr(o->text, "livelock") == NULL;
}

/* One warp that ended: memory does not depend on timing, unless the program reads the time. */
static bool is_timeless(unsigned flags, const struct outcome *cycle, const struct outcome *fast)
{
  return (flags & SL_VORTEX_ROWS) && !(flags & (WARPS | CORES)) && ended(cycle) && ended(fast);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  const unsigned flags = size > 0 ? data[0] : 0;
  uint32_t code[SL_VORTEX_WORDS];
  struct sl_program *program = NULL;
  struct sl_config config;
  struct sl_error err = {0};
  const size_t count = sl_vortex_program(code, flags, data + (size > 0), size > 0 ? size - 1 : 0);
  REQUIRE(sl_program_parse("fuzz.bin", code, count * sizeof *code, &program, &err) == SL_OK);
  configure(&config, flags);
  const struct outcome cycle = run(&config, program, CYCLES), portable = run(&config, program, PORTABLE);
  const struct outcome fast = run(&config, program, FAST), single = run(&config, program, FAST | BY_INSTRUCTION);
  require_same(&cycle, &portable);
  REQUIRE(cycle.counters == portable.counters);
  require_same(&fast, &single);
  REQUIRE(fast.counters == single.counters);
  if (is_timeless(flags, &cycle, &fast))
    require_same(&cycle, &fast);
  sl_config_close(&config);
  sl_program_free(program);
  return 0;
}
