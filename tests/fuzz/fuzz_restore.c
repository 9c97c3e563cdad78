/* Untrusted checkpoints: a checkpoint with changes that its checksum does not show.
 *
 * Input: byte 0 selects machine and mode, bytes 1 and 2 the time of the checkpoint, byte 3 the number of changes of
 * eight bytes each; the rest makes the program (whole_program.h or vortex_program.h).
 *
 * Without changes another run has the same checkpoint, and the run continues to the same end. With changes the
 * checkpoint is refused, with a message and an unchanged device, or the run continues with wrong results: without a
 * crash, and to an end within its limit. */
#include <string.h>

#include "device/checkpoint.h"
#include "device/device_state.h"
#include "grid_program.h"
#include "harness.h"
#include "vortex_program.h"
#include "whole_program.h"

enum { MOST_CYCLES = 4000, AFTERWARDS = 3000, MOST_CHANGES = 16, CHANGE = 8, HEAD = 4, FAST = 0x80 };

/* Whether a host runs the program, on SIMTight's SM or on a machine with a block scheduler; else it is one of a Vortex
 * GPU, in words of 32 or 64 bits. */
enum host { HOST, GRID, NO_HOST, NO_HOST_WIDE };

struct machine {
  const char *preset;
  enum host host;
  const char *keys[12];
};

#define HOSTED "code.words=512", "scratchpad.bytes=4096", "scratchpad.banks=4", "lanes=4", "warps=4"

#define SMALL "lanes=4", "warps=4", "atomics=true", "icache.start=4", "dcache.bytes=1024"

#define SM7                                                                                                            \
  "warps=8", "channels=1", "l2.sets=4", "l2.ways=2", "storage.bytes=8192", "launch.cycles=20", "shared.bytes=1024"

static const struct machine machines[] = {
    {"simtight", HOST, {HOSTED, "stack.bytes=1024"}},
    {"simtight-rfc-pp-sb-fp", HOST, {HOSTED, "stack.bytes=1024", "registers.slots=32"}},
    {"simtight-rfc-pp", HOST, {HOSTED, "stack.bytes=1024", "registers.slots=128", "convergence=sorted-paths"}},
    {"simty-plus", HOST, {HOSTED, "stack.bytes=1024"}},
    {"vortex", NO_HOST, {SMALL}},
    {"vortex-simx", NO_HOST, {SMALL}},
    {"vortex-cfm-dmsl", NO_HOST, {SMALL}},
    {"vortex-simx-cfm-dmsl", NO_HOST, {SMALL}},
    {"vortex", NO_HOST, {SMALL, "cores=2", "socket.cores=2", "l2=true"}},
    {"vortex-simx", NO_HOST, {SMALL, "cores=4", "clusters=2", "l2=true", "l3=true"}},
    {"cyclotron", NO_HOST_WIDE, {"lanes=4", "warps=4"}},
    {"sm7-1", GRID, {SM7}},
    {"sm7-1", GRID, {SM7, "sms_per_cluster=2", "icache=on", "ccache=on", "issue.most=2"}},
    {"sm7-1", GRID, {SM7, "dram.scheduler=fifo", "membar=waits", "scheduler=two-level"}},
};

enum { MACHINES = sizeof machines / sizeof *machines };

static int put_byte(void *context, uint8_t byte)
{
  (void)byte;
  unsigned *printed = context;
  return ++*printed < 1 << 12 ? 0 : SL_CONSOLE_FAILED;
}

static void configure(struct sl_config *config, const struct machine *machine)
{
  struct sl_error err = {0};
  REQUIRE(sl_config_open(config, machine->preset, &err) == SL_OK);
  for (unsigned i = 0; machine->keys[i] != NULL; i++) {
    const enum sl_status code = sl_config_set(config, machine->keys[i], &err);
    if (code != SL_OK)
      fprintf(stderr, "%s\n", err.text);
    REQUIRE(code == SL_OK);
  }
  REQUIRE(sl_config_check(config, &err) == SL_OK);
}

static struct sl_device *make(const struct sl_config *config, const struct sl_program *program, bool fast,
                              unsigned *printed)
{
  const struct sl_device_options options = {
      .console = {printed, NULL, put_byte}, .fast = fast, .max_cycles = MOST_CYCLES + AFTERWARDS};
  const char *const argv[] = {"fuzz"};
  struct sl_device *device = NULL;
  struct sl_error err = {0};
  REQUIRE(sl_device_create(config, &options, &device, &err) == SL_OK);
  const enum sl_status loaded = sl_device_load(device, program, 1, argv, &err);
  if (loaded != SL_OK)
    fprintf(stderr, "%s\n", err.text);
  REQUIRE(loaded == SL_OK);
  return device;
}

/* A change at a random place, more often near the start, where the counts and indices are. */
static void change(struct sl_checkpoint *checkpoint, const uint8_t *b)
{
  uint32_t where = (uint32_t)b[1] | (uint32_t)b[2] << 8 | (uint32_t)b[3] << 16;
  uint32_t value;
  memcpy(&value, b + 4, sizeof value);
  const uint64_t state = checkpoint->header.sm_bytes < checkpoint->size ? checkpoint->header.sm_bytes : 1;
  const size_t place = b[0] & 0x80 ? where % checkpoint->size : where % state;
  uint8_t *bytes = checkpoint->bytes + place;
  const size_t room = checkpoint->size - place;
  switch (b[0] & 7) {
  case 0: *bytes = (uint8_t)value; break;
  case 1: *bytes = (uint8_t)(*bytes + 1); break;
  case 2: *bytes = (uint8_t)(*bytes - 1); break;
  case 3: *bytes = UINT8_MAX; break;
  case 4: memcpy(bytes, &value, room < 4 ? room : 4); break;
  case 5: *bytes ^= (uint8_t)(1u << (value & 7)); break;
  case 6: memset(bytes, value & 1 ? 0xff : 0, room < 8 ? room : 8); break;
  default: memmove(bytes, checkpoint->bytes + value % (checkpoint->size - (room < 8 ? 0 : 7)), room < 8 ? 1 : 8); break;
  }
}

/* Runs to the end, or for this many cycles. Builds that check invariants may find one broken by a change. */
static void go_on(struct sl_device *device, bool changed)
{
  struct sl_error err = {0};
  const enum sl_status code = sl_device_run_for(device, AFTERWARDS, &err);
  REQUIRE(code == SL_OK || code == SL_USAGE || code == SL_FAULT || code == SL_LIMIT || code == SL_PAUSED ||
          (changed && code == SL_INTERNAL));
  REQUIRE(code == SL_OK || code == SL_PAUSED || err.text[0] != '\0');
}

static bool are_equal(const struct sl_checkpoint *a, const struct sl_checkpoint *b)
{
  return a->size == b->size && memcmp(a->bytes, b->bytes, a->size) == 0;
}

/* Another run of the program has the same checkpoint, but for the host's time that launches took. */
static void run_again(const struct sl_config *config, const struct sl_program *program, bool fast, unsigned moment,
                      const struct sl_checkpoint *checkpoint, const struct sl_device *first)
{
  unsigned printed = 0;
  struct sl_error err = {0};
  struct sl_checkpoint again = {0};
  struct sl_device *device = make(config, program, fast, &printed);
  REQUIRE(sl_device_run_for(device, moment, &err) == SL_PAUSED);
  REQUIRE(device->result.launch_count == first->result.launch_count);
  for (size_t i = 0; i < device->result.launch_count; i++)
    device->launches[i].host_seconds = first->launches[i].host_seconds;
  REQUIRE(sl_checkpoint_fill(device, &again, &err) == SL_OK);
  REQUIRE(are_equal(&again, checkpoint));
  sl_checkpoint_free(&again);
  sl_device_destroy(device);
}

static void try(const struct sl_config *config, const struct sl_program *program, bool fast,
                struct sl_checkpoint *checkpoint, const struct sl_device *original, bool changed)
{
  unsigned printed = 0;
  struct sl_error err = {0};
  struct sl_device *device = make(config, program, fast, &printed);
  const uint64_t before = sl_device_memory_hash(device);
  const enum sl_status code = sl_checkpoint_apply(device, checkpoint, "fuzz", &err);
  REQUIRE(code == SL_OK || code == SL_USAGE);
  REQUIRE(changed || code == SL_OK);
  if (code != SL_OK)
    REQUIRE(err.text[0] != '\0' && sl_device_memory_hash(device) == before);
  if (!changed)
    REQUIRE(sl_device_memory_hash(device) == sl_device_memory_hash(original));
  go_on(device, changed);
  sl_device_destroy(device);
}

static struct sl_program *make_program(enum host host, const uint8_t *data, size_t size)
{
  struct sl_whole_program image;
  struct sl_grid_program grid;
  uint32_t code[SL_VORTEX_WORDS];
  uint64_t wide[SL_VORTEX_WORDS];
  struct sl_program *program = NULL;
  struct sl_error err = {0};
  size_t count;
  switch (host) {
  case HOST:
    sl_whole_program(&image, data, size);
    REQUIRE(sl_program_parse("fuzz.elf", &image, sizeof image, &program, &err) == SL_OK);
    break;
  case GRID:
    sl_grid_program(&grid, data, size);
    REQUIRE(sl_program_parse("fuzz.elf", &grid, sizeof grid, &program, &err) == SL_OK);
    break;
  case NO_HOST:
    count = sl_vortex_program(code, SL_VORTEX_ROWS, data, size);
    REQUIRE(sl_program_parse("fuzz.bin", code, count * sizeof *code, &program, &err) == SL_OK);
    break;
  case NO_HOST_WIDE:
    count = sl_vortex_wide_program(wide, data, size);
    REQUIRE(sl_program_parse("fuzz.bin", wide, count * sizeof *wide, &program, &err) == SL_OK);
    break;
  }
  return program;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  if (size < HEAD)
    return 0;
  const bool fast = data[0] & FAST;
  const unsigned moment = 1 + (data[1] | (unsigned)data[2] << 8) % MOST_CYCLES;
  unsigned changes = data[3] % (MOST_CHANGES + 1), printed = 0;
  if (changes * CHANGE > size - HEAD)
    changes = (unsigned)(size - HEAD) / CHANGE;
  const size_t used = HEAD + changes * CHANGE;
  const struct machine *machine = &machines[(data[0] & ~FAST) % MACHINES];
  struct sl_program *program = make_program(machine->host, data + used, size - used);
  struct sl_config config;
  struct sl_error err = {0};
  struct sl_checkpoint checkpoint = {0};
  configure(&config, machine);
  struct sl_device *device = make(&config, program, fast, &printed);
  if (sl_device_run_for(device, moment, &err) == SL_PAUSED) {
    REQUIRE(sl_checkpoint_fill(device, &checkpoint, &err) == SL_OK);
    for (unsigned i = 0; i < changes; i++)
      change(&checkpoint, data + HEAD + i * CHANGE);
    if (changes == 0)
      run_again(&config, program, fast, moment, &checkpoint, device);
    try(&config, program, fast, &checkpoint, device, changes > 0);
  }
  sl_checkpoint_free(&checkpoint);
  sl_device_destroy(device);
  sl_config_close(&config);
  sl_program_free(program);
  return 0;
}
