/* Consistency of observed events with each other and with the counters: issued instructions execute and retire, warps
 * that arrive at a barrier are released, and the waits sum to all cycles. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/device.h"

enum { KINDS = 19, PLACES = 1 << 16 };

/* State of an instruction. */
struct place {
  uint64_t fetched, issued, issued_lanes, executed_lanes, retired_lanes, retried;
};

struct heard {
  const char *run;
  uint64_t count[KINDS];
  uint64_t waited, last_cycle;
  bool backwards; /* timed */
  uint32_t base;
  uint64_t elsewhere; /* executed outside the code */
  int at_barrier[SL_MAX_WARPS * 64];
  bool overtaken;  /* released before it arrived */
  uint64_t unheld; /* cycles in a queue for a unit without a known holder */
  bool misplaced;  /* its holder has not issued */
  struct place *place;
};

static unsigned failures;

static void check(const struct heard *h, bool holds, const char *what)
{
  if (holds)
    return;
  fprintf(stderr, "FAILED, %s: %s\n", h->run, what);
  failures++;
}

/* The record of an address. */
static struct place *place_of(struct heard *h, uint32_t pc)
{
  static struct place nowhere;
  const uint32_t index = (pc - h->base) / 4;
  return index < PLACES ? &h->place[index] : &nowhere;
}

static void hear_queued(struct heard *h, const struct sl_probe *p)
{
  h->unheld += p->holder == 0;
  h->misplaced |= p->count != 1 || (p->holder != 0 && place_of(h, p->holder)->issued == 0);
}

static bool hear(void *context, const struct sl_probe *p)
{
  struct heard *h = context;
  struct place *at = place_of(h, p->pc);
  h->count[__builtin_ctz(p->kind)]++;
  h->backwards |= p->kind != SL_PROBE_LAUNCHED && p->kind != SL_PROBE_ENDED && p->cycle < h->last_cycle;
  h->last_cycle = p->cycle;
  switch (p->kind) {
  case SL_PROBE_FETCHED: at->fetched++; break;
  case SL_PROBE_ISSUED:
    at->issued++;
    at->issued_lanes += sl_count(p->active);
    break;
  case SL_PROBE_EXECUTED:
    h->elsewhere += (p->pc - h->base) / 4 >= PLACES;
    at->executed_lanes += sl_count(p->active);
    break;
  case SL_PROBE_RETIRED: at->retired_lanes += sl_count(p->active); break;
  case SL_PROBE_RETRIED: at->retried++; break;
  case SL_PROBE_WAITED: h->waited += (uint64_t)p->count; break;
  case SL_PROBE_ARRIVED: h->at_barrier[p->warp]++; break;
  case SL_PROBE_QUEUED: hear_queued(h, p); break;
  case SL_PROBE_RELEASED: h->overtaken |= --h->at_barrier[p->warp] < 0; break;
  default: break;
  }
  return true;
}

static uint64_t count(const struct heard *h, enum sl_probe_kind kind)
{
  return h->count[__builtin_ctz(kind)];
}

static uint64_t cycles_of(const struct sl_device *device)
{
  const struct sl_result *result = sl_device_result(device);
  uint64_t sum = 0;
  for (size_t i = 0; i < result->launch_count; i++)
    sum += result->launches[i].counters[0];
  return sum;
}

static void run(const struct sl_config *config, const struct sl_program *program, bool fast, struct heard *h)
{
  struct sl_error err = {0};
  struct sl_device *device = NULL;
  const struct sl_soc soc = config->machine->soc(config->spec);
  const struct sl_device_options options = {
      .whole_program = true, .fast = fast, .probes = {.wanted = ~0u, .tell = hear, .context = h}};
  h->run = fast ? "without timing" : "with timing";
  h->base = soc.code_base;
  h->place = calloc(PLACES, sizeof *h->place);
  if (h->place == NULL || sl_device_create(config, &options, &device, &err) != SL_OK ||
      sl_device_load(device, program, 1, (const char *const[]){"p"}, &err) != SL_OK ||
      sl_device_run(device, &err) != SL_OK) {
    fprintf(stderr, "%s\n", err.text);
    exit(2);
  }
  const unsigned cores = soc.cores > 0 ? soc.cores : 1;
  check(h, count(h, SL_PROBE_LAUNCHED) == sl_device_result(device)->launch_count, "launches are told of");
  check(h, count(h, SL_PROBE_LAUNCHED) == count(h, SL_PROBE_ENDED), "and so are their ends");
  if (!fast)
    check(h, h->waited == cycles_of(device) * cores, "the cycles waited are the cycles of all cores");
  check(h, count(h, SL_PROBE_EXECUTED) > 0 && h->elsewhere == 0, "instructions are executed");
  check(h, h->unheld == 0 || count(h, SL_PROBE_SPILLED) > 0, "who waits for memory does so behind somebody");
  check(h, !h->misplaced, "who holds memory has issued");
  check(h, !h->backwards, "time does not run backwards");
  check(h, !h->overtaken && count(h, SL_PROBE_ARRIVED) == count(h, SL_PROBE_RELEASED), "whoever arrives is released");
  sl_device_destroy(device);
}

/* Checks each instruction. If lanes are left pending, it was issued for all of them and is issued again. */
static void check_places(const struct heard *h)
{
  bool retired = true, fetched = true, issued = true;
  for (size_t i = 0; i < PLACES; i++) {
    const struct place *p = &h->place[i];
    retired &= p->executed_lanes == p->retired_lanes;
    fetched &= p->fetched >= p->issued;
    issued &= p->issued_lanes == p->executed_lanes || (p->retried > 0 && p->issued_lanes > p->executed_lanes);
  }
  check(h, issued, "what is issued is executed");
  check(h, retired, "what is executed retires");
  check(h, fetched, "what is issued has been fetched");
}

static void check_kinds(const struct heard *timed, const struct heard *fast)
{
  for (unsigned i = __builtin_ctz(SL_PROBE_FETCHED); i < KINDS; i++)
    check(fast, 1u << i == SL_PROBE_ENDED || fast->count[i] == 0, "without timing there are no stages");
  check(timed, count(timed, SL_PROBE_ARRIVED) == count(fast, SL_PROBE_ARRIVED), "barriers are those without timing");
  check(timed, count(timed, SL_PROBE_SPILLED) == count(timed, SL_PROBE_EVICTED), "what is spilled is evicted");
  check(timed, count(timed, SL_PROBE_FILLED) <= count(timed, SL_PROBE_SPILLED), "what is read back was spilled");
}

int main(int argc, char **argv)
{
  static const char *const names[KINDS] = {
      "launched", "executed",   "accessed", "arrived", "released", "fetched", "issued", "retried", "aborted", "retired",
      "waited",   "transacted", "banked",   "values",  "spilled",  "evicted", "filled", "ended",   "queued"};
  struct sl_error err;
  struct sl_config config;
  struct sl_program *program;
  static struct heard timed, fast;
  if (argc < 3 || sl_config_open(&config, argv[1], &err) != SL_OK || sl_program_load(argv[2], &program, &err) != SL_OK)
    return 2;
  for (int i = 3; i < argc; i++)
    if (sl_config_set(&config, argv[i], &err) != SL_OK)
      return 2;
  run(&config, program, false, &timed);
  run(&config, program, true, &fast);
  check_places(&timed);
  check_kinds(&timed, &fast);
  for (unsigned i = 0; i < KINDS; i++)
    printf("%s %" PRIu64 "\n", names[i], timed.count[i]);
  free(timed.place);
  free(fast.place);
  sl_program_free(program);
  sl_config_close(&config);
  return failures > 0;
}
