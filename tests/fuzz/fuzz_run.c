/* A complete short run of an arbitrary program. Input: an ELF file, or bytes from which whole_program.h makes a
 * program.
 *
 * Whatever the program does, a run ends with an outcome and a message, invariants hold (in builds that check them), the
 * lane functions of every build level give the same cycles, counters and memory, and so does the functional mode if
 * only one warp can be active. With all features of dynamic scalarisation, and as few vector slots as possible, scalar
 * execution and execution on all lanes are the same, too. */
#include <string.h>

#include "device/device.h"
#include "harness.h"
#include "whole_program.h"

enum { MOST_CYCLES = 3000, MOST_OUTPUT = 1 << 12 };

struct outcome {
  enum sl_status code;
  char text[1024];
  int status;
  uint64_t memory;
  uint64_t counters; /* hash of all counters of all launches */
  uint64_t console;  /* hash */
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

static int get_byte(void *context)
{
  struct outcome *outcome = context;
  return outcome->printed % 3 == 0 ? 'x' : SL_CONSOLE_END;
}

static void set(struct sl_config *config, const char *assignment)
{
  struct sl_error err = {0};
  enum sl_status code = sl_config_set(config, assignment, &err);
  REQUIRE(code == SL_OK);
}

/* A small machine of the shape that the flags select. */
static void configure(struct sl_config *config, unsigned flags)
{
  static const char *const lanes[] = {"lanes=4", "lanes=1", "lanes=16", "lanes=32"};
  struct sl_error err = {0};
  REQUIRE(sl_config_open(config, "simtight", &err) == SL_OK);
  set(config, "code.words=512");
  set(config, "scratchpad.bytes=4096");
  set(config, "scratchpad.banks=4");
  set(config, "stack.bytes=1024");
  set(config, lanes[flags & SL_WHOLE_LANES]);
  set(config, flags & SL_WHOLE_WARPS ? "warps=4" : "warps=1");
  if (flags & SL_WHOLE_FPU)
    set(config, "fpu=true");
  if (flags & SL_WHOLE_DIVIDER)
    set(config, "divider=pipelined");
  if (flags & SL_WHOLE_QUEUES) {
    set(config, "memory.fifo=1");
    set(config, "memory.in_flight=1");
    set(config, "divider.in_flight=1");
  }
  REQUIRE(sl_config_check(config, &err) == SL_OK);
}

static void record(struct outcome *outcome, const struct sl_device *device, const struct sl_config *config)
{
  const struct sl_result *result = sl_device_result(device);
  outcome->status = result->status;
  outcome->memory = sl_device_memory_hash(device);
  for (size_t i = 0; i < result->launch_count; i++)
    for (size_t c = 0; c < config->machine->counters->count; c++)
      outcome->counters = mix(outcome->counters, result->launches[i].counters[c]);
}

/* The variation of a run among those of its input. */
enum { CYCLES = 0, FAST = 1, PORTABLE = 2, LANEWISE = 4, BY_INSTRUCTION = 8 };

static struct outcome run(const struct sl_config *config, const struct sl_program *program, unsigned how)
{
  struct outcome outcome = {0};
  const struct sl_device_options options = {
      .console = {&outcome, get_byte, put_byte},
      .fast = how & FAST,
      .portable_lanes = how & PORTABLE,
      .lanewise = how & LANEWISE,
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
  record(&outcome, device, config);
  sl_device_destroy(device);
  return outcome;
}

static void require_same(const struct outcome *a, const struct outcome *b)
{
  REQUIRE(a->code == b->code && strcmp(a->text, b->text) == 0);
  REQUIRE(a->status == b->status && a->memory == b->memory);
  REQUIRE(a->console == b->console && a->printed == b->printed);
}

/* A kernel of one warp that ended: nothing in it depends on timing. */
static bool is_timeless(unsigned flags, const struct outcome *cycle, const struct outcome *fast)
{
  return !(flags & (SL_WHOLE_WARPS | SL_WHOLE_HOST)) && cycle->code != SL_LIMIT && fast->code != SL_LIMIT;
}

static void run_compressed(const struct sl_program *program, unsigned flags)
{
  static const char *const policies[] = {"registers.spill_policy=lru", "registers.spill_policy=round-robin"};
  struct sl_config config;
  struct sl_error err = {0};
  configure(&config, flags);
  set(&config, "registers=compressed");
  set(&config, flags & SL_WHOLE_WARPS ? "registers.slots=16" : "registers.slots=4");
  set(&config, policies[(flags & SL_WHOLE_QUEUES) != 0]);
  set(&config, "scalar=true");
  set(&config, "stack_cache.entries=8");
  REQUIRE(sl_config_check(&config, &err) == SL_OK);
  const struct outcome once = run(&config, program, CYCLES), lanewise = run(&config, program, LANEWISE);
  const struct outcome fast = run(&config, program, FAST);
  require_same(&once, &lanewise);
  REQUIRE(once.counters == lanewise.counters);
  if (is_timeless(flags, &once, &fast))
    require_same(&once, &fast);
  sl_config_close(&config);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  const bool is_elf = size >= SELFMAG && memcmp(data, ELFMAG, SELFMAG) == 0;
  const unsigned flags = is_elf ? SL_WHOLE_HOST : size > 0 ? data[0] : 0;
  struct sl_whole_program whole;
  struct sl_program *program = NULL;
  struct sl_config config;
  struct sl_error err = {0};
  if (!is_elf)
    sl_whole_program(&whole, data, size);
  enum sl_status code = is_elf ? sl_program_parse("fuzz.elf", data, size, &program, &err)
                               : sl_program_parse("fuzz.elf", &whole, sizeof whole, &program, &err);
  if (code != SL_OK) {
    REQUIRE(is_elf && code == SL_USAGE);
    return 0;
  }
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
  run_compressed(program, flags);
  sl_program_free(program);
  return 0;
}
