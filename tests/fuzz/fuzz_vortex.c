/* A whole short run of an arbitrary program on a small Vortex GPU. Input: byte 0 has the flags below, the rest is the
 * program, after a prologue that starts the warps and puts addresses into registers.
 *
 * However the program behaves, a run ends with an outcome and a sentence, invariants hold (in builds that check them),
 * the lane functions of every build level give the same cycles, counters and memory, and where only one warp can be at
 * work the functional mode gives the same memory. */
#include <string.h>

#include "encode.h"
#include "gpu/device.h"
#include "harness.h"
#include "warp/extensions/streams.h"

enum {
  SIMX = 1 << 0,
  WARPS = 1 << 1,    /* 4 warps, else 1 */
  LANES = 3 << 2,    /* 4, 1, 16 or 32 */
  EXTENDED = 1 << 4, /* hardware loops and streams */
  CORES = 1 << 5,    /* 2 cores, else 1 */
  ROWS = 1 << 6,     /* five bytes choose a row and its operands, else four are a word */
  OLD = 1 << 7       /* encoding 1.x */
};

enum { MOST_CYCLES = 4000, MOST_OUTPUT = 1 << 12, CODE_WORDS = 256, PROLOGUE = 13, DATA = 0x80001000 };

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
  if (flags & OLD)
    set(config, "encoding=1.x");
  REQUIRE(sl_config_check(config, &err) == SL_OK);
}

/* All warps and lanes at what follows, with addresses of data, local memory and I/O in registers. */
static void write_prologue(uint32_t *code, bool old)
{
  const uint32_t spawn = old ? 0x0000106b : 0x0000100b, tmc = old ? 0x0000006b : 0x0000000b;
  const uint32_t words[PROLOGUE] = {
      0x00400293,                  /* li t0, 4 */
      0x00000317,                  /* auipc t1, 0 */
      0x00c30313,                  /* addi t1, t1, 12 */
      spawn | 5u << 15 | 6u << 20, /* wspawn t0, t1 */
      0xfff00293,                  /* li t0, -1 */
      tmc | 5u << 15,              /* tmc t0 */
      0x80001437,                  /* lui s0, DATA */
      0xffff04b7,                  /* lui s1, local memory */
      0xf1402573,                  /* csrr a0, mhartid */
      0x00251593,                  /* slli a1, a0, 2 */
      0x008585b3,                  /* add a1, a1, s0 */
      0x00151613,                  /* slli a2, a0, 1 */
      0xd0057053,                  /* fcvt.s.w ft0, a0 */
  };
  memcpy(code, words, sizeof words);
}

/* Registers and CSRs that programs of rows use; those that tell the time would differ between modes. */
static uint8_t a_register(unsigned byte, bool floats)
{
  static const uint8_t some[8] = {0, 1, 8, 9, 10, 11, 12, 5};
  return (uint8_t)(floats && byte & 8 ? 32 + (byte & 7) : some[byte & 7]);
}

static uint16_t a_csr(unsigned byte)
{
  static const uint16_t some[] = {0x001, 0x002, 0x003, 0x340, 0xcc0, 0xcc1, 0xcc2, 0xcc4, 0xfc0, 0xfc3, 0xf14};
  const unsigned count = sizeof some / sizeof some[0];
  return byte & 0x80 ? (uint16_t)(SL_EXTENSION_CSRS | (byte & 0x40) << 1 | (byte & 0x1f)) : some[byte % count];
}

static uint32_t row(const uint8_t *b, unsigned sets)
{
  const struct sl_op_info *info = sl_op_info(1u + b[0] % (SL_OP_COUNT - 1));
  const bool floats = ((unsigned)info->set & SL_ISA_F) != 0;
  struct sl_insn in = {.op = (uint8_t)(1u + b[0] % (SL_OP_COUNT - 1)),
                       .rd = a_register(b[1], floats),
                       .rs1 = a_register(b[1] >> 4, floats),
                       .rs2 = a_register(b[2], floats),
                       .csr = a_csr(b[4]),
                       .imm = (uint32_t)(int8_t)b[3] * 4};
  uint32_t word, given;
  if (((unsigned)info->set & sets) == 0)
    return UINT32_C(0x13) | (uint32_t)b[3] << 20; /* nothing */
  if (info->format == SL_FORMAT_R4M || info->format == SL_FORMAT_R4)
    in.imm = b[4] & 31u;
  if (info->format == SL_FORMAT_U)
    in.imm = (uint32_t)b[3] << 12;
  return sl_encode(&in, &word, &given) ? word : info->match;
}

static size_t write_program(uint32_t *code, unsigned flags, const uint8_t *bytes, size_t size)
{
  const unsigned sets = SL_ISA_I | SL_ISA_M | SL_ISA_A | SL_ISA_ZICSR | SL_ISA_F |
                        (flags & OLD ? (unsigned)SL_ISA_WARP1 : (unsigned)SL_ISA_WARP2);
  const size_t each = flags & ROWS ? 5 : 4;
  size_t count = PROLOGUE;
  write_prologue(code, flags & OLD);
  for (; size >= each && count < CODE_WORDS - 1; bytes += each, size -= each) {
    if (flags & ROWS)
      code[count++] = row(bytes, sets);
    else
      memcpy(&code[count++], bytes, sizeof *code);
  }
  code[count++] = flags & OLD ? 0x0000006b : 0x0000000b; /* tmc x0 */
  return count;
}

enum { CYCLES = 0, FAST = 1, PORTABLE = 2 };

static struct outcome run(const struct sl_config *config, const struct sl_program *program, unsigned how)
{
  struct outcome outcome = {0};
  const struct sl_device_options options = {
      .console = {&outcome, NULL, put_byte},
      .fast = how & FAST,
      .portable_lanes = how & PORTABLE,
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

/* One warp that ended: what is in memory does not depend on timing, unless the program asks for it. */
static bool is_timeless(unsigned flags, const struct outcome *cycle, const struct outcome *fast)
{
  return (flags & ROWS) && !(flags & (WARPS | CORES)) && cycle->code != SL_LIMIT && fast->code != SL_LIMIT;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  const unsigned flags = size > 0 ? data[0] : 0;
  uint32_t code[CODE_WORDS];
  struct sl_program *program = NULL;
  struct sl_config config;
  struct sl_error err = {0};
  const size_t count = write_program(code, flags, data + (size > 0), size > 0 ? size - 1 : 0);
  REQUIRE(sl_program_parse("fuzz.bin", code, count * sizeof *code, &program, &err) == SL_OK);
  configure(&config, flags);
  const struct outcome cycle = run(&config, program, CYCLES), portable = run(&config, program, PORTABLE);
  const struct outcome fast = run(&config, program, FAST);
  require_same(&cycle, &portable);
  REQUIRE(cycle.counters == portable.counters);
  if (is_timeless(flags, &cycle, &fast))
    require_same(&cycle, &fast);
  sl_config_close(&config);
  sl_program_free(program);
  return 0;
}
