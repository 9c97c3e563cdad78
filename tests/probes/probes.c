/* The events of a machine that runs a program: those that every machine tells (tests/unit/conformance.h), and those of
 * some machines. */
#include "conformance.h"
#include "device/device.h"

enum { PLACES = 1 << 16 };

/* What the program does on one run. */
struct heard {
  struct conformance common;
  uint32_t base;
  uint64_t *issued;   /* by place */
  uint64_t elsewhere; /* executed outside the code */
  uint64_t unheld;    /* cycles in a queue for a unit without a known holder */
  bool misplaced;     /* its holder has not issued */
  uint64_t dequeued;  /* cycles that accesses have waited in such a queue, told at its end */
};

static unsigned failures;

static void check(const struct heard *h, bool holds, const char *what)
{
  if (holds)
    return;
  fprintf(stderr, "FAILED, %s: %s\n", h->common.run, what);
  failures++;
}

static uint64_t index_of(const struct heard *h, uint64_t pc)
{
  const uint64_t index = (pc - h->base) / 4;
  return index < PLACES ? index : PLACES;
}

static bool hear(void *context, const struct sl_probe *p)
{
  struct heard *h = context;
  if (p->kind == SL_PROBE_ISSUED)
    h->issued[index_of(h, p->pc)]++;
  if (p->kind == SL_PROBE_EXECUTED)
    h->elsewhere += index_of(h, p->pc) == PLACES;
  if (p->kind == SL_PROBE_QUEUED) {
    h->unheld += p->holder == 0;
    h->misplaced |= p->count != 1 || (p->holder != 0 && h->issued[index_of(h, p->holder)] == 0);
  }
  if (p->kind == SL_PROBE_DEQUEUED)
    h->dequeued += (uint64_t)p->count;
  return conformance_hear(&h->common, p);
}

static uint64_t count(const struct heard *h, enum sl_probe_kind kind)
{
  return conformance_count(&h->common, kind);
}

/* A counter of the launches, by its role. */
static uint64_t sum_of(const struct sl_device *device, enum sl_counter_role role)
{
  const struct sl_result *result = sl_device_result(device);
  const struct sl_counters *counters = sl_device_machine(device)->counters;
  uint64_t sum = 0;
  for (size_t c = 0; c < counters->count; c++)
    for (size_t i = 0; counters->counter[c].role == role && i < result->launch_count; i++)
      sum += result->launches[i].counters[c];
  return sum;
}

/* Runs the program to its end. Returns the number of stops. */
static unsigned run(const struct sl_config *config, const struct sl_program *program, bool fast, uint64_t period,
                    struct heard *h)
{
  struct sl_error err = {0};
  struct sl_device *device = NULL;
  *h = (struct heard){0};
  const struct sl_soc soc = config->machine->soc(config->spec);
  const unsigned cores = soc.cores > 0 ? soc.cores : 1, slots = soc.issue_slots > 0 ? soc.issue_slots : 1;
  conformance_begin(&h->common, fast ? "without timing" : "with timing", config->machine, cores, !fast, period);
  h->base = soc.code_base;
  h->issued = calloc(PLACES + 1, sizeof *h->issued);
  struct sl_device_options options = {.whole_program = true, .fast = fast, .probes = h->common.probes};
  options.probes.tell = hear;
  options.probes.context = h;
  enum sl_status code = h->issued == NULL ? SL_INTERNAL : sl_device_create(config, &options, &device, &err);
  if (code == SL_OK)
    code = sl_device_load(device, program, 1, (const char *const[]){"p"}, &err);
  unsigned stops = 0;
  for (; code == SL_OK && (code = sl_device_run(device, &err)) == SL_STOPPED; code = SL_OK)
    stops++;
  if (code != SL_OK) {
    fprintf(stderr, "%s\n", err.text);
    exit(2);
  }
  conformance_counters(&h->common, sum_of(device, SL_COUNTER_WARP_INSTRUCTIONS),
                       sum_of(device, SL_COUNTER_THREAD_INSTRUCTIONS),
                       sum_of(device, SL_COUNTER_CYCLES) * cores * slots);
  check(h, count(h, SL_PROBE_LAUNCHED) == sl_device_result(device)->launch_count, "launches are reported");
  check(h, h->elsewhere == 0, "instructions are executed in the code");
  check(h, h->unheld == 0 || count(h, SL_PROBE_SPILLED) > 0, "who waits for memory does so behind somebody");
  check(h, h->dequeued == count(h, SL_PROBE_QUEUED), "waits in queues have as many cycles as accesses wait in");
  check(h, !h->misplaced, "who holds memory has issued");
  sl_device_destroy(device);
  return stops;
}

static void check_kinds(const struct heard *timed, const struct heard *fast)
{
  check(timed, count(timed, SL_PROBE_ARRIVED) == count(fast, SL_PROBE_ARRIVED), "barriers are those without timing");
  check(timed, count(timed, SL_PROBE_FENCED) == count(fast, SL_PROBE_FENCED), "fences are those without timing");
  check(timed, count(timed, SL_PROBE_BEGUN) == count(fast, SL_PROBE_BEGUN), "blocks are those without timing");
  check(timed, count(timed, SL_PROBE_SPILLED) == count(timed, SL_PROBE_EVICTED), "what is spilled is evicted");
  check(timed, count(timed, SL_PROBE_FILLED) <= count(timed, SL_PROBE_SPILLED), "what is read back was spilled");
}

/* Accesses and fences, in any order. */
struct accesses {
  uint64_t count, sum;
};

static uint64_t mix(uint64_t sum, uint64_t value)
{
  sum = (sum ^ value) * UINT64_C(0x9e3779b97f4a7c15);
  return sum ^ sum >> 29;
}

static bool hear_access(void *context, const struct sl_probe *p)
{
  struct accesses *a = context;
  uint64_t hash = mix(mix(mix(p->kind, p->pc), p->warp), p->active);
  hash = mix(mix(mix(hash, p->access), p->width), (uint64_t)p->launch << 32 | p->core);
  for (unsigned l = 0; l < p->lanes && p->kind == SL_PROBE_ACCESSED; l++)
    hash = (p->active >> l & 1) != 0 ? mix(hash, p->wide_address[l]) : hash;
  a->count++;
  a->sum += hash;
  return true;
}

/* What an observer of accesses hears without timing; `blocks`: of a machine that executes blocks. */
static struct accesses hear_accesses(const struct sl_config *config, const struct sl_program *program, bool blocks)
{
  struct accesses a = {0};
  struct sl_error err = {0};
  struct sl_device *device = NULL;
  const struct sl_device_options options = {.whole_program = true,
                                            .fast = true,
                                            .probes = {.wanted = SL_PROBE_ACCESSED | SL_PROBE_FENCED,
                                                       .payloads = SL_PAYLOAD_ADDRESSES,
                                                       .unnumbered = blocks,
                                                       .tell = hear_access,
                                                       .context = &a}};
  enum sl_status code = sl_device_create(config, &options, &device, &err);
  if (code == SL_OK)
    code = sl_device_load(device, program, 1, (const char *const[]){"p"}, &err);
  if (code == SL_OK)
    code = sl_device_run(device, &err);
  if (code != SL_OK) {
    fprintf(stderr, "%s\n", err.text);
    exit(2);
  }
  sl_device_destroy(device);
  return a;
}

static void check_blocks(const struct heard *fast, const struct sl_config *config, const struct sl_program *program)
{
  const struct accesses one = hear_accesses(config, program, false), blocks = hear_accesses(config, program, true);
  check(fast, one.count > 0, "accesses are reported");
  check(fast, one.count == blocks.count && one.sum == blocks.sum, "blocks report the accesses of their instructions");
}

static void end(struct heard *h)
{
  failures += conformance_end(&h->common);
  free(h->issued);
}

int main(int argc, char **argv)
{
  static const char *const names[SL_PROBE_KINDS] = {
      "launched", "executed", "accessed",  "arrived", "released",   "fetched",  "issued",
      "retried",  "aborted",  "retired",   "waited",  "transacted", "banked",   "values",
      "spilled",  "evicted",  "filled",    "ended",   "queued",     "flushed",  "staged",
      "fenced",   "begun",    "allocated", "freed",   "written",    "switched", "dequeued"};
  struct sl_error err;
  struct sl_config config;
  struct sl_program *program;
  static struct heard timed, fast, stopped;
  if (argc < 3 || sl_config_open(&config, argv[1], &err) != SL_OK || sl_program_load(argv[2], &program, &err) != SL_OK)
    return 2;
  for (int i = 3; i < argc; i++)
    if (sl_config_set(&config, argv[i], &err) != SL_OK)
      return 2;
  run(&config, program, false, 0, &timed);
  run(&config, program, true, 0, &fast);
  check_kinds(&timed, &fast);
  check_blocks(&fast, &config, program);
  for (unsigned mode = 0; mode < 2; mode++) {
    const struct heard *whole = mode ? &fast : &timed;
    const unsigned stops = run(&config, program, mode, whole->common.heard / 100 + 1, &stopped);
    conformance_compare(&stopped.common, &whole->common, stops);
    end(&stopped);
  }
  for (unsigned i = 0; i < SL_PROBE_KINDS; i++)
    printf("%s %" PRIu64 "\n", names[i], timed.common.count[i]);
  end(&timed);
  end(&fast);
  sl_program_free(program);
  sl_config_close(&config);
  return failures > 0;
}
