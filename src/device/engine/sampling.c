#include "device/engine/sampling.h"

#include <math.h>
#include <stdlib.h>

enum {
  FEW_PART = 4,      /* "few" warps: at most this part of all warps */
  FEW_ROUNDS = 16,   /* rounds in which only few warps had time slices */
  LOOK_PERIOD = 256, /* instructions between checks of the number of warps */
  TAIL_PART = 20,    /* last part of a launch as long as the previous one */
  /* The automatic plan, in instructions. The first interval is long enough for warps to drift apart; in the warm-up
   * every warp waits for memory several times. Windows grow with the number of executed instructions of the kernel,
   * because blocks that share a memory relax slowly: after a skip, they need as long to drift apart again. */
  AUTO_PROGRAM = 262144, /* shorter programs are not worth an estimate */
  AUTO_FIRST = 61440,    /* first interval of every kernel */
  AUTO_WARM = 2048,
  AUTO_MEASURED_LEAST = 1024,
  AUTO_MEASURED_MOST = 8192,
  MEASURED_PART = 512, /* fraction of the kernel's executed instructions */
  SKIPPED_PART = 16,   /* likewise */
  LAUNCH_WINDOWS = 4   /* minimum, for a launch as long as the previous one */
};

/* Remaining fraction of an interval when it ends early because most warps have had their share or wait. */
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

/* Executed warp instructions of the program. */
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

/* Issued warp instructions per instruction of a full warp. */
static double issued_of_one(const struct sl_sampler *s)
{
  return s->way_progress > 0 ? s->shares.ways * s->shares.warps * s->unit / (double)s->way_progress : 1;
}

/* Whether fewer warps run than before, or soon will according to the previous launch. If more run, it updates the
 * population. */
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

/* Starts an exact stratum: counters count directly. */
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

/* Maximum length of a window and the skip before it, so that the launch has enough windows. */
static uint64_t longest_step(const struct sl_sampler *s)
{
  return s->expected > 0 ? s->expected / s->unit / LAUNCH_WINDOWS : UINT64_MAX;
}

/* Whether a launch is too short for that. The automatic plan then skips whole launches of its kind. */
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
  /* The automatic plan knows the kernel from its earlier launches and only needs the beginning of this one. */
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

/* Adapts the plan to the number of instructions that the kernel has executed so far. */
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
  s->last = s->shares.warps - 1; /* the first time slice starts a round */
  s->in_round = s->shares.warps;
  s->rounds_of_few = 0;
  s->skip_begin = sl_sampler_progress(s, sm);
  warm(sm, true);
  sm->machine->life.set_timing(sm, false);
}

/* Ends a timed phase and starts the next phase. */
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

/* Runs until the goal or slightly beyond it: an SM issues at most a few instructions per cycle. */
static void run_timed(struct sl_sampler *s, struct sl_sm *sm, uint64_t budget)
{
  const uint64_t now = executed(s, sm), left = s->goal > now ? s->goal - now : 1;
  sl_engine_run(&sl_engine_timed, sm, left < budget ? left : budget);
  if (executed(s, sm) >= s->goal)
    next_phase(s, sm);
}

/* Counts a time slice. Returns whether only few warps have had slices for some rounds, because most wait for them. */
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

/* Executes the remaining shares of all warps in time slices, until `end` instructions have been executed. Returns true
 * if the interval ends early: no warp can continue (its share is spent, or it has ended or waits), the number of
 * running warps has changed, or only few run. */
static bool take_turns(struct sl_sampler *s, struct sl_sm *sm, uint64_t end)
{
  const struct sl_machine_steps *steps = &sm->machine->steps;
  const unsigned population = sm->machine->sampling.population(sm);
  unsigned idle = 0;
  while (idle < s->shares.warps && executed(s, sm) < end && sm->state == SL_SM_RUNNING) {
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
    struct sl_time_slice slice = {.warp = s->last, .left = share->left < steps->slice ? share->left : steps->slice};
    share->left -= steps->run_warp(sm, &slice, slice.left);
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

/* Counts the instructions executed without timing since the last call. */
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

/* Runs a skip, in which the launch may end. */
static void run_skip(struct sl_sampler *s, struct sl_sm *sm, uint64_t budget)
{
  const bool done = take_turns(s, sm, executed(s, sm) + budget);
  if (!skips(s))
    return;
  add_skipped(s, sm);
  if (done && sm->state == SL_SM_RUNNING)
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

/* Runs code between launches. A launch may start in it; instructions until then belong to the program. */
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

/* The machine stops at the start and the end of a launch, where the phase changes. */
enum sl_sm_state sl_sampler_run(struct sl_sampler *s, struct sl_sm *sm, uint64_t budget, uint64_t *spent)
{
  const struct sl_machine *m = sm->machine;
  const uint64_t begin = m->view.counter(sm, s->cycles) + s->untimed, end = begin + budget;
  uint64_t now = begin;
  while (now < end && sm->state == SL_SM_RUNNING) {
    run_phase(s, sm, end - now);
    if (sm->state == SL_SM_STOPPED)
      sm->state = SL_SM_RUNNING;
    now = m->view.counter(sm, s->cycles) + s->untimed;
  }
  *spent += now - begin;
  return sm->state;
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

bool sl_warp_shares_open(struct sl_warp_shares *shares, unsigned warps)
{
  *shares = (struct sl_warp_shares){.warps = warps, .warp = calloc(warps, sizeof *shares->warp)};
  return shares->warp != NULL;
}

void sl_warp_shares_close(struct sl_warp_shares *shares)
{
  free(shares->warp);
  shares->warp = NULL;
}

void sl_warp_shares_start(struct sl_warp_shares *shares)
{
  shares->spans = 0;
  shares->ways = shares->squares = 0;
  for (unsigned w = 0; w < shares->warps; w++)
    shares->warp[w].leads = 0;
}

void sl_warp_shares_begin(struct sl_warp_shares *shares, const uint64_t *issued)
{
  for (unsigned w = 0; w < shares->warps; w++)
    shares->warp[w].begin = issued[w];
}

/* Ignores a lead of one instruction: it depends on where in the time slices the interval ended. */
static double beyond_one(double lead)
{
  return lead > 1 ? lead - 1 : lead < -1 ? lead + 1 : 0;
}

void sl_warp_shares_end(struct sl_warp_shares *shares, const uint64_t *issued)
{
  uint64_t all = 0;
  for (unsigned w = 0; w < shares->warps; w++)
    all += issued[w] - shares->warp[w].begin;
  if (all == 0)
    return;
  const double way = (double)all / shares->warps;
  shares->spans++;
  shares->ways += way;
  for (unsigned w = 0; w < shares->warps; w++) {
    const double lead = beyond_one((double)(issued[w] - shares->warp[w].begin) - way);
    shares->warp[w].leads += lead;
    shares->squares += lead * lead / way;
  }
}

/* The statistically significant fraction of the warps' mean leads, 0 to 1. */
static double steady(const struct sl_warp_shares *shares)
{
  double means = 0; /* over all warps: squared mean lead times the number of instructions */
  for (unsigned w = 0; w < shares->warps; w++)
    means += shares->warp[w].leads * shares->warp[w].leads / shares->ways;
  if (shares->spans < 2 || !(means > 0))
    return 0;
  const double chance = (shares->squares - means) / (shares->spans - 1);
  return chance < means ? 1 - chance / means : 0;
}

void sl_warp_shares_deal(struct sl_warp_shares *shares, double way)
{
  const double known = shares->ways > 0 ? steady(shares) / shares->ways : 0;
  shares->dealt = 0;
  for (unsigned w = 0; w < shares->warps; w++) {
    shares->warp[w].left = (uint64_t)llround(way * (1 + known * shares->warp[w].leads));
    shares->dealt += shares->warp[w].left;
  }
}

double sl_warp_shares_left(const struct sl_warp_shares *shares)
{
  uint64_t left = 0;
  for (unsigned w = 0; w < shares->warps; w++)
    left += shares->warp[w].left;
  return shares->dealt > 0 ? (double)left / (double)shares->dealt : 0;
}

/* A counter may be a level and decrease. */
static double rate(const struct sl_counter_values *from, const struct sl_counter_values *to, size_t counter,
                   size_t instructions)
{
  const uint64_t n = to->of[instructions] - from->of[instructions];
  return n > 0 ? (double)(int64_t)(to->of[counter] - from->of[counter]) / (double)n : 0;
}

void sl_window_sums_add(struct sl_window_sums *sums, double weight, const struct sl_counter_values *begin,
                        const struct sl_counter_values *middle, const struct sl_counter_values *end, size_t counters,
                        size_t instructions)
{
  const double square = weight * weight;
  sums->windows++;
  sums->weights += weight;
  sums->squares += square;
  for (size_t i = 0; i < counters; i++) {
    struct sl_rate_sums *c = &sums->counter[i];
    const double all = rate(begin, end, i, instructions);
    const double drift = rate(middle, end, i, instructions) - rate(begin, middle, i, instructions);
    c->rate += weight * all;
    c->once += square * all;
    c->twice += square * all * all;
    c->drift += weight * drift;
    c->drift_once += square * drift;
    c->drift_twice += square * drift * drift;
  }
}

double sl_window_student(double freedom)
{
  return 1.95996 + 2.3722 / freedom + 2.8225 / (freedom * freedom) + 2.5558 / (freedom * freedom * freedom);
}

/* Half of the 95 % confidence interval of a weighted mean, from sums weighted with the squared weights. */
static double half_interval(const struct sl_window_sums *sums, double mean, double once, double twice)
{
  const double alike = sums->weights * sums->weights / sums->squares; /* effective number of windows */
  if (sums->windows < SL_WINDOWS_MIN || alike <= 2)
    return INFINITY;
  const double residuals = twice - 2 * mean * once + mean * mean * sums->squares; /* rounding may make it negative */
  const double variance = (residuals > 0 ? residuals : 0) / (sums->weights * sums->weights) * alike / (alike - 1);
  return sl_window_student(alike - 1) * sqrt(variance);
}

struct sl_ratio sl_window_sums_ratio(const struct sl_window_sums *sums, size_t counter)
{
  const struct sl_rate_sums *c = &sums->counter[counter];
  struct sl_ratio ratio = {.chance = INFINITY, .drift_chance = INFINITY};
  if (sums->windows == 0)
    return ratio;
  ratio.value = c->rate / sums->weights;
  ratio.drift = c->drift / sums->weights;
  ratio.bias = fabs(ratio.drift);
  ratio.chance = half_interval(sums, ratio.value, c->once, c->twice);
  ratio.drift_chance = half_interval(sums, ratio.drift, c->drift_once, c->drift_twice);
  return ratio;
}
