#include "check.h"

#include <inttypes.h>
#include <time.h>

bool check_make(struct check *c, const struct setting *setting, unsigned settings, unsigned warps)
{
  *c = (struct check){.setting = setting, .settings = settings, .warps = warps, .began = clock()};
  return explorer_make(&c->explorer);
}

void check_free(struct check *c)
{
  explorer_free(&c->explorer);
}

static bool ends_together(const struct program *p)
{
  unsigned ends = 0;
  for (unsigned pc = 0; pc < p->count; pc++)
    ends += p->insn[pc].op == OP_END;
  return ends == 1;
}

/* Only SIMTight and Simty have commands of the warp that lanes reach alone; only its has barriers of lanes. */
static bool applies(const struct setting *set, const struct program *p)
{
  return (!program_has(p, OP_COMMAND) || sl_scheme_warps[set->scheme] == SL_SCHEME_PATHS) &&
         (!program_has(p, OP_WAIT) || set->scheme == SL_CONVERGENCE_ITS);
}

/* The first steps of a run without retries: the places of the lanes, first those that run. */
static void print_run(const struct warp_run *run)
{
  static const char *const outcomes[] = {
      "", "", "ends", "fault: command", "fault: mark", "fault: parked", "fault: open", "fault: stuck", "broken"};
  struct model m;
  enum outcome outcome = STEPPED;
  model_start(run, &m);
  for (unsigned n = 0; n < 60 && outcome <= RETRIED; n++) {
    struct sl_warp_path path[SL_MAX_LANES];
    unsigned ran;
    const unsigned count = sl_convergences[run->set->scheme]->places(&m.warp[0], path);
    for (unsigned i = 0; i < count; i++)
      printf(" %" PRIx64 " at %u", path[i].lanes, path[i].pc);
    outcome = model_step(run, &m, 0, false, &ran);
    printf(": %x executed %s; words %u %u %u\n", ran, outcomes[outcome], m.word[0], m.word[1], m.word[2]);
  }
}

static void contradiction(struct check *c, const struct warp_run *run, const char *what)
{
  if (c->contradictions++ > 2)
    return;
  printf("%s, %u lanes in %u warps: %s\n", run->set->name, run->program->lanes, c->warps, what);
  program_print(run->program, stdout);
  if (run->warps == 1)
    print_run(run);
}

static void count(struct seen *seen, const struct free_runs *all, const struct runs *runs)
{
  seen->programs++;
  seen->states += runs->states;
  seen->too_many += runs->too_many;
  seen->faults +=
      (runs->faults & (1u << FAULT_PARKED | 1u << FAULT_OPEN | 1u << FAULT_COMMAND | 1u << FAULT_STUCK)) != 0;
  if (!runs->stays)
    seen->end += runs->faults == 0 && !runs->too_many;
  else if (all->memories == 0)
    seen->deadlocks++;
  else if (all->stays)
    seen->orders++;
  else
    seen->livelocks++;
}

void check_program(struct check *c, const struct program *plain, const struct program *yielding)
{
  struct free_runs all;
  if (!free_explore(&c->explorer.free, plain, &all)) {
    c->too_many++;
    return;
  }
  c->programs++;
  c->ending += !all.stays;
  c->free_states += c->explorer.free.count;
  for (unsigned i = 0; i < c->settings; i++) {
    const struct setting *set = &c->setting[i];
    const struct program *p = set->yields && yielding != NULL ? yielding : plain;
    const struct warp_run run = {.set = set, .program = p, .warps = c->warps, .lanes = p->lanes / c->warps};
    struct runs runs;
    if (!applies(set, p))
      continue;
    explore(&c->explorer, &run, &runs);
    count(&c->seen[i], &all, &runs);
    const char *wrong = runs_contradict(set, &all, &runs, ends_together(p));
    if (wrong != NULL)
      contradiction(c, &run, wrong);
  }
}

void check_print(const struct check *c, const char *what)
{
  printf("%s: %" PRIu64 " programs, %" PRIu64 " of which end in every order; %" PRIu64 " states of the free lanes, "
         "%.1f s of CPU; too many states: %" PRIu64 " programs\n",
         what, c->programs, c->ending, c->free_states, (double)(clock() - c->began) / CLOCKS_PER_SEC, c->too_many);
  printf("  %-22s %10s %10s %10s %8s %10s %10s %9s %9s\n", "", "programs", "states", "end", "faults", "deadlocks",
         "by order", "livelocks", "too many");
  for (unsigned i = 0; i < c->settings; i++) {
    const struct seen *s = &c->seen[i];
    printf("  %-22s %10" PRIu64 " %10" PRIu64 " %10" PRIu64 " %8" PRIu64 " %10" PRIu64 " %10" PRIu64 " %9" PRIu64
           " %9" PRIu64 "\n",
           c->setting[i].name, s->programs, s->states, s->end, s->faults, s->deadlocks, s->orders, s->livelocks,
           s->too_many);
  }
}
