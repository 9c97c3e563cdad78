#include "batch.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "device/device.h"

enum { SANDBOX = 0x10000000, PROGRAM_BITS = 20, MOST_CYCLES = 1000000000 };

static const char *const files[] = {"batch.s", "sm.elf",   "grid.elf",  "grid_host.o", "hosted.elf",
                                    "results", "messages", "sm_host.o", "lane_host.o"};

static const char *march(const struct rnd_bench *bench)
{
  return bench->floats ? "rv32ima_zicsr_zfinx" : "rv32ima_zicsr";
}

/* Runs a shell command in the folder; its messages become part of the error. */
static enum sl_status run_tool(const struct rnd_bench *bench, const char *command, struct sl_error *err)
{
  char line[4096], text[800] = "";
  const int n = snprintf(line, sizeof line, "cd '%s' && { %s; } 2>messages", bench->folder, command);
  if (n < 0 || (size_t)n >= sizeof line)
    return sl_fail(err, SL_INTERNAL, "a command line is too long");
  if (system(line) == 0)
    return SL_OK;
  snprintf(line, sizeof line, "%s/messages", bench->folder);
  FILE *file = fopen(line, "r");
  if (file != NULL) {
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
  }
  return sl_fail(err, SL_INTERNAL, "%.150s: failed: %.750s", command, text);
}

enum sl_status rnd_bench_open(struct rnd_bench *bench, struct sl_error *err)
{
  char command[2048];
  const char *parent = getenv("TMPDIR");
  snprintf(bench->folder, sizeof bench->folder, "%.200s/simtlab-random-XXXXXX", parent != NULL ? parent : "/tmp");
  if (mkdtemp(bench->folder) == NULL)
    return sl_fail(err, SL_INTERNAL, "%s: cannot be made", bench->folder);
  snprintf(command, sizeof command,
           "for host in lane_host sm_host; do %s -march=%s -mabi=ilp32 -O2 -mcmodel=medany -ffreestanding "
           "-fno-builtin -c '%s'/$host.c || exit 1; done; "
           "%s -march=%s -mabi=ilp32 -O2 -mcmodel=medany -ffreestanding -fno-builtin -DGRID -c -o grid_host.o "
           "'%s'/sm_host.c",
           bench->gcc, march(bench), bench->sources, bench->gcc, march(bench), bench->sources);
  return run_tool(bench, command, err);
}

void rnd_bench_close(struct rnd_bench *bench)
{
  char path[512];
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    snprintf(path, sizeof path, "%s/%s", bench->folder, files[i]);
    unlink(path);
  }
  rmdir(bench->folder);
}

static enum sl_status build(const struct rnd_bench *bench, const struct rnd_program *const *programs, unsigned count,
                            struct sl_error *err)
{
  char path[512], command[2048];
  snprintf(path, sizeof path, "%s/batch.s", bench->folder);
  FILE *file = fopen(path, "w");
  if (file == NULL)
    return sl_fail(err, SL_INTERNAL, "%s: cannot be written", path);
  rnd_write_batch(programs, count, bench->broken, file);
  if (fclose(file) != 0)
    return sl_fail(err, SL_INTERNAL, "%s: cannot be written", path);
  snprintf(command, sizeof command,
           "%s -march=%s -mabi=ilp32 -nostdlib -static -T '%s' -o sm.elf sm_host.o batch.s && "
           "%s -march=%s -mabi=ilp32 -nostdlib -static -Wa,--defsym,HOSTED=1 -o hosted.elf lane_host.o batch.s && "
           "%s -march=%s -mabi=ilp32 -nostdlib -static -Wa,--defsym,GRID=1 -Wl,--defsym=__instr_size=0x40000 "
           "-Wl,--defsym=__simt_grid=1 -T '%s' -o grid.elf grid_host.o batch.s",
           bench->gcc, march(bench), bench->link_script, bench->gcc, march(bench), bench->gcc, march(bench),
           bench->grid_script);
  return run_tool(bench, command, err);
}

/* The processor's final memory, areas one after the other; the caller frees it. */
static enum sl_status run_processor(const struct rnd_bench *bench, size_t size, uint8_t **bytes, struct sl_error *err)
{
  char text[512];
  snprintf(text, sizeof text, "timeout 300 %s -cpu rv32%s ./hosted.elf >results", bench->qemu,
           bench->floats ? ",f=off,d=off,zfinx=on" : "");
  enum sl_status code = run_tool(bench, text, err);
  if (code != SL_OK)
    return code;
  *bytes = malloc(size);
  if (*bytes == NULL)
    return sl_no_memory(err, size);
  snprintf(text, sizeof text, "%s/results", bench->folder);
  FILE *file = fopen(text, "rb");
  const size_t got = file != NULL ? fread(*bytes, 1, size, file) : 0;
  if (file != NULL)
    fclose(file);
  if (got == size)
    return SL_OK;
  free(*bytes);
  return sl_fail(err, SL_INTERNAL, "%s: %zu bytes instead of %zu", text, got, size);
}

/* The machines of the programs. Compressed register files have as few slots as possible, so that every program spills;
 * ended warps free theirs, since otherwise the last ones could not continue. */
struct way {
  const char *text;
  const char *preset;
  const char *settings[3]; /* NULL-terminated */
  bool fast;
  bool grid; /* the machine has a block scheduler */
};

#define FEWEST                                                                                                         \
  {                                                                                                                    \
    "registers.slots=256", "registers.free_ended=true"                                                                 \
  }

static const struct way ways[] = {
    {"fast", "simtight", {NULL}, true, false},
    {"cycle by cycle", "simtight", {NULL}, false, false},
    {"with all registers compressed", "simtight-rfc", {"registers.slots=0"}, false, false},
    {"spilling registers", "simtight-rfc", FEWEST, false, false},
    {"with a scalar pipeline and a stack cache", "simtight-rfc-pp-sb", FEWEST, false, false},
    {"of sm7, fast", "sm7-4", {NULL}, true, true},
    {"of sm7, cycle by cycle", "sm7-4", {NULL}, false, true},
};

static enum sl_status open_machine(const struct way *way, bool floats, struct sl_config *config, struct sl_error *err)
{
  enum sl_status code = sl_config_open(config, way->preset, err);
  if (code == SL_OK && floats && !way->grid)
    code = sl_config_set(config, "fpu=true", err);
  for (size_t i = 0; code == SL_OK && way->settings[i] != NULL; i++)
    code = sl_config_set(config, way->settings[i], err);
  return code;
}

/* Runs the batch on our SM; the caller reads the device's memory. */
static enum sl_status run_sm(const struct rnd_bench *bench, const struct sl_program *elf, const struct way *way,
                             struct sl_device **device, struct sl_error *err)
{
  const struct sl_device_options options = {.fast = way->fast, .max_cycles = MOST_CYCLES};
  struct sl_config config = {0};
  enum sl_status code = open_machine(way, bench->floats, &config, err);
  if (code == SL_OK)
    code = sl_device_create(&config, &options, device, err);
  if (code == SL_OK)
    code = sl_device_load(*device, elf, 1, (const char *const[]){"batch"}, err);
  if (code == SL_OK)
    code = sl_device_run(*device, err);
  sl_config_close(&config);
  return code;
}

/* The name of a word of the area, in words: "x19", "stack word 3" and the lane. */
static unsigned place_of(const struct rnd_program *p, size_t offset, char *text, size_t size)
{
  static const uint8_t pool[] = {1, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31};
  const size_t n = (size_t)1 << p->stride_bits;
  if (offset < RND_AREA_RESULTS * n) {
    snprintf(text, size, "DRAM word %zu", offset / 4 / n);
    return (unsigned)(offset / 4 % n);
  }
  if (offset < RND_AREA_BLOCKS * n) {
    const size_t word = (offset - RND_AREA_RESULTS * n) / 4, result = word / n;
    if (result < RND_RESULT_SCRATCH)
      snprintf(text, size, "register x%u", pool[result]);
    else if (result < RND_RESULT_STACK)
      snprintf(text, size, "scratchpad word %zu", result - RND_RESULT_SCRATCH);
    else
      snprintf(text, size, "stack word %zu", result - RND_RESULT_STACK);
    return (unsigned)(word % n);
  }
  if (offset < RND_AREA_HALVES * n) {
    offset -= RND_AREA_BLOCKS * n;
    snprintf(text, size, "DRAM block word %zu", offset % 64 / 4);
    return (unsigned)(offset / 64);
  }
  const bool halves = offset < RND_AREA_BYTES * n;
  const size_t item = halves ? (offset - RND_AREA_HALVES * n) / 2 : offset - RND_AREA_BYTES * n;
  snprintf(text, size, "DRAM %s %zu", halves ? "halfwords, number" : "bytes, number", item / n);
  return (unsigned)(item % n);
}

static uint32_t word_at(const uint8_t *bytes)
{
  uint32_t word;
  memcpy(&word, bytes, 4);
  return word;
}

/* The first difference: in the results if there is one, since they say more. */
static void describe(const struct rnd_program *p, const uint8_t *ours, const uint8_t *theirs, const struct way *way,
                     struct rnd_verdict *verdict)
{
  const size_t n = (size_t)1 << p->stride_bits, size = RND_AREA * n;
  size_t at = RND_AREA_RESULTS * n;
  while (at < RND_AREA_BLOCKS * n && ours[at] == theirs[at])
    at++;
  if (at == RND_AREA_BLOCKS * n)
    at = 0;
  while (at < size && ours[at] == theirs[at])
    at++;
  at &= ~(size_t)3;
  char place[64];
  const unsigned hart = place_of(p, at, place, sizeof place);
  verdict->outcome = RND_DIFFERENT;
  snprintf(verdict->text, sizeof verdict->text,
           "seed %" PRIu64 ", warp %u, lane %u, %s: 0x%08" PRIx32 " on the SM (%s), 0x%08" PRIx32 " on qemu-riscv32",
           p->seed, hart / 32, hart % 32, place, word_at(ours + at), way->text, word_at(theirs + at));
}

static enum sl_status compare_areas(const struct sl_device *device, const struct rnd_program *const *programs,
                                    unsigned count, const uint8_t *theirs, const struct way *way,
                                    struct rnd_verdict *verdicts, struct sl_error *err)
{
  uint8_t *ours = malloc(1 << PROGRAM_BITS);
  if (ours == NULL)
    return sl_no_memory(err, 1 << PROGRAM_BITS);
  for (unsigned i = 0; i < count; i++) {
    const size_t size = (size_t)RND_AREA << programs[i]->stride_bits;
    sl_device_read(device, SANDBOX + (i << PROGRAM_BITS), ours, size);
    if (verdicts[i].outcome == RND_EQUAL && memcmp(ours, theirs, size) != 0)
      describe(programs[i], ours, theirs, way, &verdicts[i]);
    theirs += size;
  }
  free(ours);
  return SL_OK;
}

static enum sl_status run_all_ways(const struct rnd_bench *bench, const struct rnd_program *const *programs,
                                   unsigned count, const uint8_t *theirs, struct rnd_verdict *verdicts,
                                   struct sl_error *err)
{
  static const char *const names[] = {"sm.elf", "grid.elf"};
  struct sl_program *elf[2] = {NULL, NULL};
  enum sl_status code = SL_OK;
  for (unsigned i = 0; i < 2 && code == SL_OK; i++) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s", bench->folder, names[i]);
    code = sl_program_load(path, &elf[i], err);
  }
  for (size_t i = 0; i < sizeof ways / sizeof *ways && code == SL_OK; i++) {
    struct sl_device *device = NULL;
    code = run_sm(bench, elf[ways[i].grid], &ways[i], &device, err);
    if (code == SL_OK)
      code = compare_areas(device, programs, count, theirs, &ways[i], verdicts, err);
    sl_device_destroy(device);
  }
  sl_program_free(elf[0]);
  sl_program_free(elf[1]);
  return code;
}

static enum sl_status run_batch(const struct rnd_bench *bench, const struct rnd_program *const *programs,
                                unsigned count, struct rnd_verdict *verdicts, struct sl_error *err)
{
  uint8_t *theirs = NULL;
  size_t size = 0;
  for (unsigned i = 0; i < count; i++) {
    verdicts[i] = (struct rnd_verdict){.outcome = RND_EQUAL};
    size += (size_t)RND_AREA << programs[i]->stride_bits;
  }
  enum sl_status code = build(bench, programs, count, err);
  if (code == SL_OK)
    code = run_processor(bench, size, &theirs, err);
  if (code == SL_OK)
    code = run_all_ways(bench, programs, count, theirs, verdicts, err);
  free(theirs);
  return code;
}

enum sl_status rnd_compare(struct rnd_bench *bench, const struct rnd_program *const *programs, unsigned count,
                           struct rnd_verdict *verdicts, struct sl_error *err)
{
  enum sl_status code = run_batch(bench, programs, count, verdicts, err);
  if (code != SL_FAULT && code != SL_LIMIT)
    return code;
  /* A fault ends the batch: finds the program that caused it. */
  for (unsigned i = 0; i < count; i++) {
    code = run_batch(bench, &programs[i], 1, &verdicts[i], err);
    if (code == SL_FAULT || code == SL_LIMIT) {
      verdicts[i].outcome = RND_FAULT;
      snprintf(verdicts[i].text, sizeof verdicts[i].text, "seed %" PRIu64 ": %.1000s", programs[i]->seed, err->text);
    } else if (code != SL_OK) {
      return code;
    }
  }
  return SL_OK;
}
