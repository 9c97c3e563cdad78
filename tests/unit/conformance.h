/* What the events of every machine have in common: an observer that checks them, for RISC-V and PTX, with timing and
 * without. Each check that fails is printed. */
#ifndef CONFORMANCE_H
#define CONFORMANCE_H

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine/machine.h"

enum { CONFORMANCE_WARPS = 1 << 14, CONFORMANCE_CORES = 1 << 8 };

/* The events of an id: how many of each kind, and the cycles plus 1 of the ordered ones. */
struct conformance_insn {
  uint8_t fetched, issued, executed, retired, ended; /* ended: retried, aborted or flushed */
  uint64_t fetch, issue, execute, retire;
  uint64_t pc;
  unsigned warp, core;
  sl_lanes executed_lanes, retired_lanes;
};

struct conformance {
  const char *run;
  bool timed;
  const struct sl_stages *stages;
  const struct sl_stall_reasons *causes;
  unsigned cores;
  uint64_t period; /* stop after so many events; 0: never */
  struct sl_probes probes;
  /* The launch. */
  bool running;
  unsigned launch;               /* its number */
  struct conformance_insn *insn; /* by id */
  uint64_t ids;                  /* entries */
  int *at_barrier;               /* by warp */
  /* All launches. */
  uint64_t count[SL_PROBE_KINDS], heard, hash;
  uint64_t waited, executed_lanes;
  uint64_t attempts; /* issued, but their unit was busy for all lanes */
  uint64_t last_cycle;
  unsigned failures;
  bool failed[32]; /* of each check: it has failed, and has been printed */
};

enum conformance_check {
  CHECK_RUNNING,
  CHECK_TIME,
  CHECK_STAGE,
  CHECK_PLACE,
  CHECK_TWICE,
  CHECK_ORDER,
  CHECK_COMPLETE,
  CHECK_LANES,
  CHECK_ENDED,
  CHECK_BARRIER,
  CHECK_WIDE,
  CHECK_UNTIMED,
  CHECK_COUNTS,
  CHECK_SLOTS,
  CHECK_RESUMED
};

static inline void conformance_expect(struct conformance *c, enum conformance_check check, bool holds, const char *what,
                                      const struct sl_probe *p)
{
  if (holds)
    return;
  c->failures++;
  if (c->failed[check])
    return;
  c->failed[check] = true;
  fprintf(stderr, "FAILED, %s: %s", c->run, what);
  if (p != NULL)
    fprintf(stderr, " (kind %d, id %" PRIu64 ", cycle %" PRIu64 ", warp %u, pc 0x%" PRIx64 ")", __builtin_ctz(p->kind),
            p->id, p->cycle, p->warp, p->pc);
  fprintf(stderr, "\n");
}

static inline uint64_t conformance_count(const struct conformance *c, enum sl_probe_kind kind)
{
  return c->count[__builtin_ctz(kind)];
}

static inline struct conformance_insn *conformance_of(struct conformance *c, uint64_t id)
{
  if (id >= c->ids) {
    uint64_t more = c->ids ? c->ids : 1024;
    while (more <= id)
      more *= 2;
    c->insn = realloc(c->insn, more * sizeof *c->insn);
    if (c->insn == NULL)
      abort();
    memset(c->insn + c->ids, 0, (more - c->ids) * sizeof *c->insn);
    c->ids = more;
  }
  return &c->insn[id];
}

static inline void conformance_mix(struct conformance *c, uint64_t value)
{
  c->hash = (c->hash ^ value) * UINT64_C(0x100000001b3);
}

/* Two runs with the same hash have reported the same events in the same order. */
static inline void conformance_hash(struct conformance *c, const struct sl_probe *p)
{
  const uint64_t words[] = {p->kind, p->stage, p->id,     p->cycle, p->launch,         p->core,
                            p->pc,   p->warp,  p->active, p->cause, (uint64_t)p->count};
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
    conformance_mix(c, words[i]);
  for (sl_lanes rest = p->active; p->wide_address != NULL && rest; rest &= rest - 1)
    conformance_mix(c, p->wide_address[sl_lowest(rest)]);
  for (sl_lanes rest = p->active; p->wide_values != NULL && rest; rest &= rest - 1)
    conformance_mix(c, p->wide_values[sl_lowest(rest)]);
}

static inline void conformance_same(struct conformance *c, struct conformance_insn *i, const struct sl_probe *p)
{
  const bool first = i->fetched + i->issued + i->executed == 0;
  if (first) {
    i->pc = p->pc;
    i->warp = p->warp;
    i->core = p->core;
  }
  conformance_expect(c, CHECK_PLACE, p->id != 0, "an event of an instruction has its id", p);
  conformance_expect(c, CHECK_PLACE, i->pc == p->pc && i->warp == p->warp && i->core == p->core,
                     "all events of an id have its pc, warp and core", p);
}

/* An event that an id has once. Returns the cycle plus 1. */
static inline uint64_t conformance_once(struct conformance *c, uint8_t *times, const struct sl_probe *p)
{
  ++*times;
  conformance_expect(c, CHECK_TWICE, *times == 1, "an id has one event of each kind", p);
  return p->cycle + 1;
}

static inline void conformance_wide(struct conformance *c, const struct sl_probe *p)
{
  bool same = (p->insn == NULL) == (p->ptx_effect != NULL);
  if (p->insn != NULL) {
    same &= (p->values == NULL) == (p->wide_values == NULL) && (p->address == NULL) == (p->wide_address == NULL);
    for (sl_lanes rest = same ? p->active : 0; rest; rest &= rest - 1) {
      const unsigned lane = sl_lowest(rest);
      same &= p->values == NULL || p->wide_values[lane] == p->values[lane];
      same &= p->address == NULL || p->wide_address[lane] == p->address[lane];
    }
  }
  conformance_expect(c, CHECK_WIDE, same, "64-bit values and addresses are those of 32 bits", p);
  conformance_expect(c, CHECK_WIDE, p->kind != SL_PROBE_ACCESSED || (p->wide_address != NULL && p->width > 0),
                     "an access has addresses and a width", p);
}

static inline void conformance_insn_event(struct conformance *c, const struct sl_probe *p)
{
  struct conformance_insn *i = conformance_of(c, p->id);
  conformance_same(c, i, p);
  switch (p->kind) {
  case SL_PROBE_FETCHED: i->fetch = conformance_once(c, &i->fetched, p); break;
  case SL_PROBE_ISSUED: i->issue = conformance_once(c, &i->issued, p); break;
  case SL_PROBE_RETIRED:
    i->retire = conformance_once(c, &i->retired, p);
    i->retired_lanes = p->active;
    break;
  case SL_PROBE_EXECUTED:
    i->execute = conformance_once(c, &i->executed, p);
    i->executed_lanes = p->active;
    c->executed_lanes += sl_count(p->active);
    break;
  case SL_PROBE_RETRIED: i->ended++; break;
  case SL_PROBE_SWITCHED: break;
  default: conformance_once(c, &i->ended, p); break;
  }
}

/* The instructions of a launch that has ended. */
static inline void conformance_launch_ended(struct conformance *c)
{
  for (uint64_t id = 0; id < c->ids; id++) {
    const struct conformance_insn *i = &c->insn[id];
    const struct sl_probe p = {.kind = 1, .id = id, .cycle = i->execute - 1, .pc = i->pc, .warp = i->warp};
    c->attempts += i->issued && !i->executed;
    if (!c->timed || i->executed == 0) {
      conformance_expect(c, CHECK_ENDED, !i->issued || i->ended, "what is issued executes or is retried", &p);
      conformance_expect(c, CHECK_ENDED, i->retired == 0 || i->executed > 0, "what retires has executed", &p);
      continue;
    }
    conformance_expect(c, CHECK_COMPLETE, i->issued == 1 && i->retired == 1,
                       "an executed instruction has one issue and one retirement", &p);
    conformance_expect(c, CHECK_LANES, i->executed_lanes == i->retired_lanes, "lanes that execute retire", &p);
    conformance_expect(c, CHECK_ORDER,
                       i->fetch <= i->issue && i->fetch <= i->execute && i->issue <= i->retire &&
                           i->execute <= i->retire,
                       "fetch, issue or execution, and retirement are in order", &p);
  }
  for (unsigned w = 0; w < CONFORMANCE_WARPS; w++)
    conformance_expect(c, CHECK_BARRIER, c->at_barrier[w] == 0, "each warp that arrives is released", NULL);
  memset(c->at_barrier, 0, CONFORMANCE_WARPS * sizeof *c->at_barrier);
  free(c->insn);
  c->insn = NULL;
  c->ids = 0;
}

static inline void conformance_barrier(struct conformance *c, const struct sl_probe *p)
{
  int *waits = &c->at_barrier[p->warp % CONFORMANCE_WARPS];
  *waits += p->kind == SL_PROBE_ARRIVED ? 1 : -1;
  conformance_expect(c, CHECK_BARRIER, *waits == 0 || *waits == 1, "a warp arrives and is then released", p);
}

static inline bool conformance_hear(void *context, const struct sl_probe *p)
{
  struct conformance *c = context;
  const unsigned of_device = SL_PROBE_ALLOCATED | SL_PROBE_FREED | SL_PROBE_WRITTEN;
  const unsigned of_insn = SL_PROBE_FETCHED | SL_PROBE_ISSUED | SL_PROBE_EXECUTED | SL_PROBE_RETIRED |
                           SL_PROBE_RETRIED | SL_PROBE_ABORTED | SL_PROBE_FLUSHED;
  const unsigned of_timing = of_insn | SL_PROBE_WAITED | SL_PROBE_STAGED;
  const unsigned staged = (of_insn & ~(unsigned)SL_PROBE_EXECUTED) | SL_PROBE_STAGED;
  c->count[__builtin_ctz(p->kind)]++;
  c->heard++;
  conformance_hash(c, p);
  if (p->kind == SL_PROBE_LAUNCHED) {
    conformance_expect(c, CHECK_RUNNING, !c->running, "launches do not overlap", p);
    c->running = true;
    c->last_cycle = 0;
    c->launch = (unsigned)conformance_count(c, SL_PROBE_LAUNCHED) - 1;
  }
  conformance_expect(c, CHECK_RUNNING, p->launch == c->launch || (p->kind & of_device), "events have their launch", p);
  conformance_expect(c, CHECK_RUNNING, c->running || (p->kind & of_device), "events are within a launch", p);
  /* A Vortex GPU may report cycles beyond the end, and takes them back. */
  conformance_expect(c, CHECK_TIME, (p->kind & (of_device | SL_PROBE_ENDED)) != 0 || p->cycle >= c->last_cycle,
                     "time does not run backwards", p);
  conformance_expect(c, CHECK_UNTIMED, c->timed || !(p->kind & of_timing & ~(unsigned)SL_PROBE_EXECUTED),
                     "without timing there are no stages", p);
  if (p->kind & staged)
    conformance_expect(c, CHECK_STAGE, p->stage < c->stages->count && (c->stages->stage[p->stage].kinds & p->kind) != 0,
                       "the stage is one that the kind tells", p);
  conformance_expect(c, CHECK_STAGE, p->cause < c->causes->count && p->core < c->cores, "causes and cores exist", p);
  c->last_cycle = p->kind & of_device ? c->last_cycle : p->cycle;
  if (p->kind & of_insn)
    conformance_insn_event(c, p);
  if (p->kind & SL_PROBE_EXECUTION)
    conformance_wide(c, p);
  if (p->kind & (SL_PROBE_ARRIVED | SL_PROBE_RELEASED))
    conformance_barrier(c, p);
  c->waited += p->kind == SL_PROBE_WAITED ? (uint64_t)p->count : 0;
  if (p->kind == SL_PROBE_ENDED) {
    conformance_launch_ended(c);
    c->running = false;
  }
  return c->period == 0 || c->heard % c->period != 0;
}

static inline void conformance_begin(struct conformance *c, const char *run, const struct sl_machine *machine,
                                     unsigned cores, bool timed, uint64_t period)
{
  *c = (struct conformance){.run = run,
                            .timed = timed,
                            .stages = machine->stages,
                            .causes = machine->causes,
                            .cores = cores,
                            .period = period,
                            .at_barrier = calloc(CONFORMANCE_WARPS, sizeof(int))};
  c->probes = (struct sl_probes){
      .wanted = ~0u, .payloads = SL_PAYLOAD_ADDRESSES | SL_PAYLOAD_RESULTS, .tell = conformance_hear, .context = c};
}

/* The counters of the run, and the slots that its launches had. */
static inline void conformance_counters(struct conformance *c, uint64_t warp_insns, uint64_t thread_insns,
                                        uint64_t slots)
{
  conformance_expect(c, CHECK_COUNTS,
                     conformance_count(c, SL_PROBE_EXECUTED) + c->attempts == warp_insns && warp_insns > 0,
                     "executions and attempts are the machine's warp instructions", NULL);
  conformance_expect(c, CHECK_COUNTS, c->executed_lanes == thread_insns, "their lanes are the thread instructions",
                     NULL);
  conformance_expect(c, CHECK_COUNTS,
                     !c->timed || conformance_count(c, SL_PROBE_RETIRED) == conformance_count(c, SL_PROBE_EXECUTED),
                     "what executes retires", NULL);
  conformance_expect(c, CHECK_SLOTS, !c->timed || c->waited == slots, "the slots are those of all cycles", NULL);
  conformance_expect(c, CHECK_RUNNING, conformance_count(c, SL_PROBE_LAUNCHED) == conformance_count(c, SL_PROBE_ENDED),
                     "each launch ends", NULL);
}

/* A run that stopped and resumed has reported the same. */
static inline void conformance_compare(struct conformance *c, const struct conformance *whole, unsigned stops)
{
  conformance_expect(c, CHECK_RESUMED, stops > 2, "the observer stops the run", NULL);
  conformance_expect(c, CHECK_RESUMED, c->heard == whole->heard && c->hash == whole->hash,
                     "a run that stops and resumes has the same events", NULL);
}

static inline unsigned conformance_end(struct conformance *c)
{
  free(c->at_barrier);
  free(c->insn);
  return c->failures;
}

#endif
