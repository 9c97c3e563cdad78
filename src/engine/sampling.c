#include "engine/sampling.h"

#include <stdlib.h>

enum {
  FEW_PART = 4,      /* of all warps are few, */
  FEW_ROUNDS = 16,   /* if they alone have had so many turns each */
  LOOK_PERIOD = 256, /* instructions between looks at how many warps there are */
  TAIL_PART = 20,    /* of a launch as long as the one before */
  /* The automatic plan, in instructions. The first are enough for warps to drift apart, the warm-up for every warp to
   * wait for memory some times. Windows grow with what the kernel has executed, for what they measure relaxes slowly
   * where blocks share a memory: blocks that were out of step in their own way need as long to be so again. */
  AUTO_PROGRAM = 262144, /* of the program: what is shorter is not worth an estimate; */
  AUTO_FIRST = 61440,    /* and of every kernel */
  AUTO_WARM = 2048,
  AUTO_MEASURED_LEAST = 1024,
  AUTO_MEASURED_MOST = 8192,
  MEASURED_PART = 512, /* of what the kernel has executed */
  SKIPPED_PART = 16,   /* likewise */
  LAUNCH_WINDOWS = 4   /* at least, in a launch as long as the one before */
};

/* So much of a stretch was left to warps that wait for those who have had their share. */
static const double UNEVEN = 0.25;

static size_t counter_of(const struct sl_machine *machine, enum sl_counter_role role)
{
  size_t i = 0;
  while (machine->counters->counter[i].role != role)
    i++;
  return i;
}

enum sl_status sl_sampler_open(struct sl_sampler *s, const struct sl_sampling *plan, const struct sl_machine *machine,
                               unsigned warps, unsigned lanes, struct sl_error *err)
{
  *s = (struct sl_sampler){
      .plan = *plan,
      .automatic = plan->measured == 0,
      .first = plan->measured + plan->warm,
      .random = plan->seed,
      .cycles = counter_of(machine, SL_COUNTER_CYCLES),
      .progress = counter_of(machine, machine->sampling.progress),
      .unit = machine->sampling.progress == SL_COUNTER_THREAD_INSTRUCTIONS ? lanes : 1,
      .issued = calloc(warps, sizeof *s->issued),
  };
  if (s->automatic) {
    s->plan.measured = AUTO_MEASURED_LEAST;
    s->plan.warm = AUTO_WARM;
    s->first = AUTO_FIRST;
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

uint64_t sl_sampler_progress(const struct sl_sampler *s, const struct sl_sm *sm)
{
  return sm->machine->view.counter(sm, s->progress) - s->base;
}

/* Likewise, in instructions of warps. */
static uint64_t executed(const struct sl_sampler *s, const struct sl_sm *sm)
{
  return sl_sampler_progress(s, sm) / s->unit;
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

static void begin_ways(struct sl_sampler *s, const struct sl_sm *sm)
{
  sl_warp_shares_begin(&s->shares, issued(s, sm));
  s->way_begin = sl_sampler_progress(s, sm);
}

/* What warps issue, so that they come to an instruction of a whole warp. */
static double issued_of_one(const struct sl_sampler *s)
{
  return s->way_progress > 0 ? s->shares.ways * s->shares.warps * s->unit / (double)s->way_progress : 1;
}

/* Fewer warps run than did, or by the launch before they soon will. More: that is how many there are now. */
static bool nearly_over(struct sl_sampler *s, const struct sl_sm *sm)
{
  const unsigned population = sm->machine->sampling.population(sm);
  if (population > s->population)
    s->population = population;
  return population < s->population ||
         (s->expected > 0 && sl_sampler_progress(s, sm) >= s->expected - s->expected / TAIL_PART);
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
  if (s->mark == 0 || s->phase == SL_SAMPLING_UNEVEN)
    return;
  s->tail_cycles += now.of[s->cycles] - s->since.of[s->cycles];
  s->tail_progress += now.of[s->progress] - s->since.of[s->progress];
}

static uint64_t within(uint64_t least, uint64_t value, uint64_t most)
{
  return value < least ? least : value > most ? most : value;
}

/* What a window and the skip before it may come to, so that the launch has enough of them. */
static uint64_t longest_step(const struct sl_sampler *s)
{
  return s->expected > 0 ? s->expected / s->unit / LAUNCH_WINDOWS : UINT64_MAX;
}

/* Too short for that: what the automatic plan leaves out are whole launches like it. */
static bool too_short(const struct sl_sampler *s)
{
  return s->automatic && longest_step(s) < 2 * (s->plan.warm + AUTO_MEASURED_LEAST);
}

void sl_sampler_begin(struct sl_sampler *s, const struct sl_sm *sm, uint64_t earlier, uint64_t expected, bool whole,
                      struct sl_window_sums *sums)
{
  s->earlier = earlier;
  s->base = 0;
  s->base = sl_sampler_progress(s, sm);
  s->expected = expected;
  s->begun_untimed = s->phase == SL_SAMPLING_OUTSIDE && s->outside_untimed;
  s->skipped = s->skip_begin = s->mark = s->population = 0;
  s->tail_cycles = s->tail_progress = 0;
  s->exact = (struct sl_counter_values){0};
  s->sums = sums;
  s->way_progress = 0;
  sl_warp_shares_start(&s->shares);
  begin_ways(s, sm);
  /* An automatic plan knows the kernel by its earlier launches, and needs to see how this one begins only. */
  const uint64_t window = s->plan.measured + s->plan.warm, known = earlier > s->first ? window : s->first;
  const uint64_t begin = s->program < AUTO_PROGRAM ? AUTO_PROGRAM - s->program : 0;
  const bool timing = s->phase == SL_SAMPLING_OUTSIDE && !s->outside_untimed;
  enter_exact(s, sm, too_short(s) ? UINT32_MAX : !s->automatic ? s->first : begin > known ? begin : known);
  if (whole && !timing)
    s->phase = SL_SAMPLING_WHOLE;
}

void sl_sampler_outside(struct sl_sampler *s)
{
  s->outside_untimed = s->phase == SL_SAMPLING_SKIP || s->phase == SL_SAMPLING_WHOLE;
  s->phase = SL_SAMPLING_OUTSIDE;
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
    s->mark = sl_sampler_progress(s, sm);
    s->phase = SL_SAMPLING_DRAIN;
  }
}

/* By what the kernel has executed so far. */
static void plan_on(struct sl_sampler *s, uint64_t so_far)
{
  const uint64_t step = longest_step(s);
  s->plan.measured = within(AUTO_MEASURED_LEAST, so_far / MEASURED_PART, AUTO_MEASURED_MOST);
  s->plan.measured = within(AUTO_MEASURED_LEAST, s->plan.measured, step / 2 - s->plan.warm);
  const uint64_t window = s->plan.measured + s->plan.warm;
  s->plan.skipped = within(window, so_far / SKIPPED_PART, step - window);
}

static void warm(struct sl_sm *sm, bool warm_up_follows)
{
  if (sm->machine->sampling.warm != NULL)
    sm->machine->sampling.warm(sm, warm_up_follows);
}

static void begin_skip(struct sl_sampler *s, struct sl_sm *sm)
{
  if (s->automatic)
    plan_on(s, s->earlier + executed(s, sm));
  const uint64_t length = s->plan.skipped / 2 + sl_sampler_draw(s, s->plan.skipped);
  sl_warp_shares_end(&s->shares, issued(s, sm));
  s->way_progress += sl_sampler_progress(s, sm) - s->way_begin;
  sl_warp_shares_deal(&s->shares, (double)length * issued_of_one(s) / s->shares.warps);
  s->phase = SL_SAMPLING_SKIP;
  s->last = s->shares.warps - 1; /* whoever is first begins a round */
  s->in_round = s->shares.warps;
  s->rounds_of_few = 0;
  s->skip_begin = sl_sampler_progress(s, sm);
  warm(sm, true);
  sm->machine->life.set_timing(sm, false);
}

/* A timed phase has come to its end: the next one. */
static void next_phase(struct sl_sampler *s, struct sl_sm *sm)
{
  struct sl_counter_values end;
  switch (s->phase) {
  case SL_SAMPLING_EXACT:
  case SL_SAMPLING_UNEVEN: end_exact(s, sm); break;
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
    sl_window_sums_add(s->sums, (double)(end.of[s->progress] - s->base - s->mark), &s->begin, &s->middle, &end,
                       sm->machine->counters->count, s->progress);
    s->mark = end.of[s->progress] - s->base;
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

/* A warp has a turn: whether for some rounds of turns now hardly any has had one, since most wait for the few. */
static bool few_run(struct sl_sampler *s, unsigned warp)
{
  if (warp <= s->last) {
    s->rounds_of_few = s->in_round * FEW_PART < s->shares.warps ? s->rounds_of_few + 1 : 0;
    s->in_round = 0;
  }
  s->in_round++;
  s->last = warp;
  return s->rounds_of_few >= FEW_ROUNDS;
}

/* Gives every warp what is left of its share, in turns, until so many instructions have been executed. True: the
 * stretch ends, since no warp can go on, for it has had its share, ended or waits; since fewer or more warps run; or
 * since only few do. */
static bool take_turns(struct sl_sampler *s, struct sl_sm *sm, uint64_t end)
{
  const struct sl_machine_steps *steps = &sm->machine->steps;
  const unsigned population = sm->machine->sampling.population(sm);
  unsigned idle = 0;
  while (idle < s->shares.warps && executed(s, sm) < end && sm->machine->view.state(sm) == SL_SM_RUNNING) {
    const int warp = steps->next(sm, s->last);
    if (warp < 0) {
      steps->none(sm);
      return true;
    }
    struct sl_warp_share *share = &s->shares.warp[warp];
    if (few_run(s, (unsigned)warp))
      return true;
    if (share->left == 0) {
      idle++;
      continue;
    }
    idle = 0;
    struct sl_turn turn = {.warp = s->last, .left = share->left < steps->turn ? share->left : steps->turn};
    share->left -= steps->run_warp(sm, &turn, turn.left);
    if (sm->machine->sampling.population(sm) != population)
      return true;
  }
  return idle >= s->shares.warps;
}

static void end_skip(struct sl_sampler *s, struct sl_sm *sm)
{
  const unsigned population = s->population;
  const bool over = nearly_over(s, sm);
  sm->machine->life.set_timing(sm, true);
  begin_ways(s, sm);
  if (over || s->population > population) {
    enter_exact(s, sm, over ? LOOK_PERIOD : s->first);
  } else if (s->rounds_of_few >= FEW_ROUNDS || sl_warp_shares_left(&s->shares) > UNEVEN) {
    enter_exact(s, sm, s->plan.warm + s->plan.measured);
    s->phase = SL_SAMPLING_UNEVEN;
  } else {
    enter(s, sm, SL_SAMPLING_WARM, s->plan.warm);
  }
}

/* What has been executed without timing since it was last asked. */
static void add_skipped(struct sl_sampler *s, const struct sl_sm *sm)
{
  const uint64_t now = sl_sampler_progress(s, sm);
  s->untimed += now / s->unit - s->skip_begin / s->unit;
  s->skipped += now - s->skip_begin;
  s->skip_begin = now;
}

static bool skips(const struct sl_sampler *s)
{
  return s->phase == SL_SAMPLING_SKIP || s->phase == SL_SAMPLING_WHOLE;
}

/* The launch may end with it. */
static void run_skip(struct sl_sampler *s, struct sl_sm *sm, uint64_t budget)
{
  const bool done = take_turns(s, sm, executed(s, sm) + budget);
  if (!skips(s))
    return;
  add_skipped(s, sm);
  if (done && sm->machine->view.state(sm) == SL_SM_RUNNING)
    end_skip(s, sm);
}

static void run_whole(struct sl_sampler *s, struct sl_sm *sm, uint64_t budget)
{
  warm(sm, true);
  sl_engine_run(&sl_engine_stepwise, sm, budget);
  if (skips(s))
    add_skipped(s, sm);
}

static void run_drain(struct sl_sampler *s, struct sl_sm *sm, uint64_t budget)
{
  const uint64_t before = sm->machine->view.counter(sm, s->cycles);
  const bool drained = sm->machine->sampling.drain(sm, budget);
  s->drained += sm->machine->view.counter(sm, s->cycles) - before;
  s->drains += drained;
  if (drained && s->phase == SL_SAMPLING_OUTSIDE)
    s->outside_untimed = true;
  else if (drained)
    next_phase(s, sm);
}

/* A launch may begin with it: what is counted from here on is that of the program. */
static void run_outside(struct sl_sampler *s, struct sl_sm *sm, uint64_t budget)
{
  s->base = 0;
  const uint64_t before = executed(s, sm), timed = s->automatic ? AUTO_PROGRAM : s->first;
  if (s->outside_untimed) {
    warm(sm, false);
    sl_engine_run(&sl_engine_stepwise, sm, budget);
    s->untimed += (s->base + sl_sampler_progress(s, sm)) / s->unit - before;
  } else if (before < timed) {
    sl_engine_run(&sl_engine_timed, sm, timed - before < budget ? timed - before : budget);
  } else {
    run_drain(s, sm, budget);
  }
}

static void run_phase(struct sl_sampler *s, struct sl_sm *sm, uint64_t budget)
{
  switch (s->phase) {
  case SL_SAMPLING_WHOLE: run_whole(s, sm, budget); break;
  case SL_SAMPLING_SKIP: run_skip(s, sm, budget); break;
  case SL_SAMPLING_DRAIN: run_drain(s, sm, budget); break;
  case SL_SAMPLING_OUTSIDE: run_outside(s, sm, budget); break;
  default: run_timed(s, sm, budget); break;
  }
}

/* The machine stops where a launch begins or ends: then there is another phase. */
enum sl_sm_state sl_sampler_run(struct sl_sampler *s, struct sl_sm *sm, uint64_t budget, uint64_t *spent)
{
  const struct sl_machine *m = sm->machine;
  const uint64_t begin = m->view.counter(sm, s->cycles) + s->untimed, end = begin + budget;
  uint64_t now = begin;
  while (now < end && m->view.state(sm) == SL_SM_RUNNING) {
    run_phase(s, sm, end - now);
    if (m->view.state(sm) == SL_SM_STOPPED)
      m->life.resume(sm);
    now = m->view.counter(sm, s->cycles) + s->untimed;
  }
  *spent += now - begin;
  return m->view.state(sm);
}

bool sl_sampler_end(struct sl_sampler *s, const struct sl_sm *sm, struct sl_counter_values *exact)
{
  if (s->phase == SL_SAMPLING_EXACT || s->phase == SL_SAMPLING_UNEVEN)
    add_exact(s, sm);
  else if (skips(s))
    add_skipped(s, sm);
  *exact = s->exact;
  s->program += executed(s, sm);
  return s->skipped == 0 && s->mark == 0;
}
