#include "engine/sampling.h"

#include <stdlib.h>

enum {
  LOOK_PERIOD = 256, /* instructions between looks at how many warps there are */
  TAIL_PART = 20,    /* of a launch as long as the one before */
  /* The automatic plan. Windows and their warm-up are long enough for every warp to wait for memory some times, and the
   * first stratum for warps to drift apart. */
  MEASURED_PER_WARP = 16,
  WARM_PER_WARP = 32,
  FIRST_WINDOWS = 20,
  SKIPPED_PART = 32 /* of what the kernel has executed */
};

static size_t counter_of(const struct sl_machine *machine, enum sl_counter_role role)
{
  size_t i = 0;
  while (machine->counters->counter[i].role != role)
    i++;
  return i;
}

enum sl_status sl_sampler_open(struct sl_sampler *s, const struct sl_sampling *plan, const struct sl_machine *machine,
                               unsigned warps, struct sl_error *err)
{
  *s = (struct sl_sampler){
      .plan = *plan,
      .automatic = plan->measured == 0,
      .first = plan->measured + plan->warm,
      .random = plan->seed,
      .cycles = counter_of(machine, SL_COUNTER_CYCLES),
      .instructions = counter_of(machine, SL_COUNTER_WARP_INSTRUCTIONS),
      .issued = calloc(warps, sizeof *s->issued),
  };
  if (s->automatic) {
    s->plan.measured = (uint64_t)MEASURED_PER_WARP * warps;
    s->plan.warm = (uint64_t)WARM_PER_WARP * warps;
    s->first = FIRST_WINDOWS * (s->plan.measured + s->plan.warm);
  }
  if (!sl_warp_shares_open(&s->shares, warps) || s->issued == NULL)
    return sl_no_memory(err, warps * sizeof *s->issued);
  return SL_OK;
}

void sl_sampler_close(struct sl_sampler *s)
{
  sl_warp_shares_close(&s->shares);
  free(s->issued);
}

/* splitmix64 (Steele et al.). */
uint64_t sl_sampler_draw(struct sl_sampler *s, uint64_t most)
{
  uint64_t z = s->random += 0x9e3779b97f4a7c15;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
  z = (z ^ z >> 27) * 0x94d049bb133111eb;
  return most < UINT64_MAX ? (z ^ z >> 31) % (most + 1) : z ^ z >> 31;
}

static uint64_t executed(const struct sl_sampler *s, const struct sl_sm *sm)
{
  return sm->machine->view.counter(sm, s->instructions);
}

static void note(const struct sl_sm *sm, struct sl_counter_values *values)
{
  for (size_t i = 0; i < sm->machine->counters->count; i++)
    values->of[i] = sm->machine->view.counter(sm, i);
}

static const uint64_t *issued(struct sl_sampler *s, const struct sl_sm *sm)
{
  for (unsigned w = 0; w < s->shares.warps; w++)
    s->issued[w] = sm->machine->sampling.issued(sm, w);
  return s->issued;
}

/* Fewer warps run than did, or by the launch before they soon will. More: that is how many there are now. */
static bool nearly_over(struct sl_sampler *s, const struct sl_sm *sm)
{
  const unsigned population = sm->machine->sampling.population(sm);
  if (population > s->population)
    s->population = population;
  return population < s->population || (s->expected > 0 && executed(s, sm) >= s->expected - s->expected / TAIL_PART);
}

static void enter(struct sl_sampler *s, const struct sl_sm *sm, enum sl_sampling_phase phase, uint64_t instructions)
{
  s->phase = phase;
  s->goal = executed(s, sm) + instructions;
}

/* From here on what is counted counts as it is. */
static void enter_exact(struct sl_sampler *s, const struct sl_sm *sm, uint64_t instructions)
{
  note(sm, &s->since);
  enter(s, sm, SL_SAMPLING_EXACT, instructions);
}

static void add_exact(struct sl_sampler *s, const struct sl_sm *sm)
{
  struct sl_counter_values now;
  note(sm, &now);
  for (size_t i = 0; i < sm->machine->counters->count; i++)
    s->exact.of[i] += now.of[i] - s->since.of[i];
  if (s->skipped == 0)
    return;
  s->tail_cycles += now.of[s->cycles] - s->since.of[s->cycles];
  s->tail_instructions += now.of[s->instructions] - s->since.of[s->instructions];
}

void sl_sampler_begin(struct sl_sampler *s, const struct sl_sm *sm, uint64_t earlier, uint64_t expected, bool whole,
                      struct sl_window_sums *sums)
{
  s->earlier = earlier;
  s->expected = expected;
  s->skipped = s->mark = s->population = 0;
  s->tail_cycles = s->tail_instructions = 0;
  s->exact = (struct sl_counter_values){0};
  s->sums = sums;
  sl_warp_shares_start(&s->shares);
  sl_warp_shares_begin(&s->shares, issued(s, sm));
  /* An automatic plan knows the kernel by its earlier launches, and needs to see how this one begins only. */
  const uint64_t window = s->plan.measured + s->plan.warm;
  enter_exact(s, sm, s->automatic && earlier > s->first ? window : s->first);
  if (whole)
    s->phase = SL_SAMPLING_WHOLE;
}

static void end_exact(struct sl_sampler *s, const struct sl_sm *sm)
{
  const unsigned population = s->population;
  const bool over = nearly_over(s, sm);
  if (s->population > population && population > 0) {
    s->goal = executed(s, sm) + s->first;
  } else if (over) {
    s->goal = executed(s, sm) + LOOK_PERIOD;
  } else {
    add_exact(s, sm);
    s->mark = executed(s, sm);
    s->phase = SL_SAMPLING_DRAIN;
  }
}

static void begin_skip(struct sl_sampler *s, struct sl_sm *sm)
{
  const uint64_t window = s->plan.measured + s->plan.warm, so_far = (s->earlier + executed(s, sm)) / SKIPPED_PART;
  const uint64_t mean = !s->automatic ? s->plan.skipped : so_far > window ? so_far : window;
  const uint64_t length = mean / 2 + sl_sampler_draw(s, mean);
  sl_warp_shares_end(&s->shares, issued(s, sm));
  sl_warp_shares_deal(&s->shares, (double)length / s->shares.warps);
  s->phase = SL_SAMPLING_SKIP;
  sm->machine->life.set_timing(sm, false);
}

/* A timed phase has come to its end: the next one. */
static void next_phase(struct sl_sampler *s, struct sl_sm *sm)
{
  struct sl_counter_values end;
  switch (s->phase) {
  case SL_SAMPLING_EXACT: end_exact(s, sm); break;
  case SL_SAMPLING_DRAIN: begin_skip(s, sm); break;
  case SL_SAMPLING_WARM:
    note(sm, &s->begin);
    enter(s, sm, SL_SAMPLING_EARLY, s->plan.measured / 2);
    break;
  case SL_SAMPLING_EARLY:
    note(sm, &s->middle);
    enter(s, sm, SL_SAMPLING_LATE, s->plan.measured - s->plan.measured / 2);
    break;
  case SL_SAMPLING_LATE:
    if (nearly_over(s, sm)) {
      enter_exact(s, sm, LOOK_PERIOD);
      break;
    }
    note(sm, &end);
    sl_window_sums_add(s->sums, (double)(executed(s, sm) - s->mark), &s->begin, &s->middle, &end,
                       sm->machine->counters->count, s->instructions);
    s->mark = executed(s, sm);
    s->phase = SL_SAMPLING_DRAIN;
    break;
  default: break;
  }
}

/* Until the goal, and hardly beyond: an SM issues a few instructions in a cycle at most. */
static void run_timed(struct sl_sampler *s, struct sl_sm *sm, uint64_t budget)
{
  const uint64_t now = executed(s, sm), left = s->goal > now ? s->goal - now : 1;
  sl_engine_run(&sl_engine_timed, sm, left < budget ? left : budget);
  if (executed(s, sm) >= s->goal)
    next_phase(s, sm);
}

/* Gives every warp what is left of its share, in turns, until fewer or more warps run. True: none can go on, for it has
 * had its share, ended or waits. */
static bool share_out(struct sl_sampler *s, struct sl_sm *sm, uint64_t budget)
{
  const struct sl_machine_steps *steps = &sm->machine->steps;
  const unsigned population = sm->machine->sampling.population(sm);
  const uint64_t end = executed(s, sm) + budget;
  unsigned idle = 0;
  while (idle < s->shares.warps && executed(s, sm) < end && sm->machine->view.state(sm) == SL_SM_RUNNING) {
    const int warp = steps->next(sm, s->last);
    if (warp < 0) {
      steps->none(sm);
      return true;
    }
    struct sl_warp_share *share = &s->shares.warp[warp];
    s->last = (unsigned)warp;
    if (share->left == 0) {
      idle++;
      continue;
    }
    idle = 0;
    share->left -= steps->run_warp(sm, s->last, share->left < steps->turn ? share->left : steps->turn);
    if (sm->machine->sampling.population(sm) != population)
      return true;
  }
  return idle >= s->shares.warps;
}

static void run_skip(struct sl_sampler *s, struct sl_sm *sm, uint64_t budget)
{
  const uint64_t before = executed(s, sm);
  const bool done = share_out(s, sm, budget);
  s->skipped += executed(s, sm) - before;
  if (!done || sm->machine->view.state(sm) != SL_SM_RUNNING)
    return;
  const unsigned population = s->population;
  const bool over = nearly_over(s, sm);
  sm->machine->life.set_timing(sm, true);
  sl_warp_shares_begin(&s->shares, issued(s, sm));
  if (over || s->population > population)
    enter_exact(s, sm, over ? LOOK_PERIOD : s->first);
  else
    enter(s, sm, SL_SAMPLING_WARM, s->plan.warm);
}

static void run_whole(struct sl_sampler *s, struct sl_sm *sm, uint64_t budget)
{
  const uint64_t before = executed(s, sm);
  sl_engine_run(&sl_engine_stepwise, sm, budget);
  s->skipped += executed(s, sm) - before;
}

static void run_drain(struct sl_sampler *s, struct sl_sm *sm, uint64_t budget)
{
  const uint64_t before = sm->machine->view.counter(sm, s->cycles);
  const bool drained = sm->machine->sampling.drain(sm, budget);
  s->drained += sm->machine->view.counter(sm, s->cycles) - before;
  s->drains += drained;
  if (drained)
    next_phase(s, sm);
}

static void run_phase(struct sl_sampler *s, struct sl_sm *sm, uint64_t budget)
{
  switch (s->phase) {
  case SL_SAMPLING_WHOLE: run_whole(s, sm, budget); break;
  case SL_SAMPLING_SKIP: run_skip(s, sm, budget); break;
  case SL_SAMPLING_DRAIN: run_drain(s, sm, budget); break;
  default: run_timed(s, sm, budget); break;
  }
}

enum sl_sm_state sl_sampler_run(struct sl_sampler *s, struct sl_sm *sm, uint64_t budget, uint64_t *spent)
{
  const struct sl_machine *m = sm->machine;
  const uint64_t begin = m->view.counter(sm, s->cycles) + s->skipped, end = begin + budget;
  uint64_t now = begin;
  while (now < end && m->view.state(sm) == SL_SM_RUNNING) {
    run_phase(s, sm, end - now);
    now = m->view.counter(sm, s->cycles) + s->skipped;
  }
  *spent += now - begin;
  return m->view.state(sm);
}

bool sl_sampler_end(struct sl_sampler *s, const struct sl_sm *sm, struct sl_counter_values *exact)
{
  if (s->phase == SL_SAMPLING_EXACT)
    add_exact(s, sm);
  *exact = s->exact;
  return s->skipped == 0;
}
