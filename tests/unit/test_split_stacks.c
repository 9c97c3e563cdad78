/* The schedulable stack with a stack per split (convergence/split_stacks.c): random structured programs of splits,
 * loops and yields, with lanes that change at any instruction. Each lane computes what it computes alone, whatever
 * order the scheme selects, and each lane is at one place at a time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "convergence/ipdom_stack.h"
#include "random.h"

extern const struct sl_convergence sl_convergence_scs_splits;

enum { MOST = 400, LANES = 16, VARIABLES = 24, DEEP = 4, LONGEST = 100000, WORD = 4 };

enum what { WORK, SPLIT, ELSE, JUMP, JOIN, SET, PRED, YIELD, END };

/* `variable` numbers a condition or a count; `to` is the index of a jump's target. */
struct step {
  enum what what;
  unsigned variable, to;
};

struct program {
  struct step step[MOST];
  unsigned steps, variables;
  uint64_t salt;
};

static void add(struct program *p, enum what what, unsigned variable)
{
  assert_true(p->steps < MOST);
  p->step[p->steps++] = (struct step){.what = what, .variable = variable};
}

static void statements(struct program *p, uint64_t *random, unsigned depth)
{
  for (unsigned n = 1 + random_below(random, 3); n > 0; n--) {
    const unsigned kind = depth < DEEP && p->steps < MOST / 2 && p->variables < VARIABLES ? random_below(random, 4) : 0;
    const unsigned variable = p->variables;
    p->variables += kind >= 2;
    if (kind < 2) {
      add(p, WORK, 0);
    } else if (kind == 2) { /* if (variable) ... else ... */
      add(p, SPLIT, variable);
      const unsigned otherwise = p->steps;
      add(p, ELSE, variable);
      statements(p, random, depth + 1);
      const unsigned jump = p->steps;
      add(p, JUMP, 0);
      p->step[otherwise].to = p->steps;
      if (random_below(random, 2))
        statements(p, random, depth + 1);
      p->step[jump].to = p->steps;
      add(p, JOIN, variable);
    } else { /* do ... while (--variable > 0), with a yield */
      add(p, SET, variable);
      const unsigned head = p->steps;
      statements(p, random, depth + 1);
      if (random_below(random, 2))
        add(p, YIELD, 0);
      add(p, PRED, variable);
      p->step[p->steps - 1].to = head;
    }
  }
}

/* What a lane knows. */
struct lane {
  uint64_t did;
  unsigned count[VARIABLES], turn, token[VARIABLES];
};

static unsigned value(const struct program *p, const struct lane *l, unsigned lane, unsigned variable, unsigned range)
{
  uint64_t x = p->salt ^ (l->did * 31 + lane) * UINT64_C(0x9e3779b97f4a7c15) ^ variable * UINT64_C(0xbf58476d1ce4e5b9);
  x ^= x >> 29;
  x *= UINT64_C(0x94d049bb133111eb);
  return (unsigned)(x >> 33) % range;
}

static void works(struct lane *l, unsigned at)
{
  l->did = l->did * 1099511628211u + at + 1;
}

/* A lane by itself. */
static struct lane alone(const struct program *p, unsigned lane)
{
  struct lane l = {.did = 0};
  unsigned at = 0;
  while (p->step[at].what != END) {
    const struct step *s = &p->step[at];
    switch (s->what) {
    case WORK: works(&l, at); break;
    case SET: l.count[s->variable] = 1 + value(p, &l, lane, s->variable, 3); break;
    case ELSE: at = value(p, &l, lane, s->variable, 2) ? at : s->to - 1; break;
    case JUMP: at = s->to - 1; break;
    case PRED: at = --l.count[s->variable] > 0 ? s->to - 1 : at; break;
    default: break;
    }
    at++;
  }
  return l;
}

struct run {
  const struct program *program;
  struct sl_ipdom_warp warp;
  struct lane lane[LANES];
  bool ended;
};

static enum sl_marked mark(struct run *r, enum sl_mark_kind kind, sl_lanes lanes, sl_lanes others)
{
  const struct sl_mark m = {.kind = kind, .lanes = lanes, .others = others, .room = LANES - 1, .nests = true};
  const enum sl_marked marked = sl_convergence_scs_splits.mark(&r->warp, 0, &m);
  r->ended = marked == SL_MARKED_ENDS;
  assert_true(r->ended || marked == SL_MARKED || marked == SL_MARKED_JUMPED || marked == SL_MARKED_POPPED);
  return marked;
}

static void split(struct run *r, const struct step *s)
{
  sl_lanes yes = 0;
  for (sl_lanes rest = r->warp.mask; rest; rest &= rest - 1) {
    const unsigned l = sl_lowest(rest);
    yes |= value(r->program, &r->lane[l], l, s->variable, 2) ? sl_bit(l) : 0;
    r->lane[l].token[s->variable] = r->warp.depth;
  }
  if (yes != 0 && yes != r->warp.mask)
    mark(r, SL_MARK_SPLIT, yes, r->warp.mask & ~yes);
}

/* The lanes that run agree, as those of a real program must. */
static void branch(struct run *r, const struct step *s, bool (*taken)(const struct run *, unsigned, unsigned))
{
  const bool first = taken(r, sl_lowest(r->warp.mask), s->variable);
  for (sl_lanes rest = r->warp.mask; rest; rest &= rest - 1)
    assert_int_equal(taken(r, sl_lowest(rest), s->variable), first);
  if (first)
    r->warp.pc = s->to * WORD;
}

static bool is_false(const struct run *r, unsigned lane, unsigned variable)
{
  return !value(r->program, &r->lane[lane], lane, variable, 2);
}

static bool goes_on(const struct run *r, unsigned lane, unsigned variable)
{
  return r->lane[lane].count[variable] > 0;
}

static void join(struct run *r, const struct step *s)
{
  const unsigned token = r->lane[sl_highest(r->warp.mask)].token[s->variable];
  for (sl_lanes rest = r->warp.mask; rest; rest &= rest - 1)
    assert_int_equal(r->lane[sl_lowest(rest)].token[s->variable], token);
  if (token != r->warp.depth)
    mark(r, SL_MARK_JOIN, r->warp.mask, 0);
}

/* PRED and the branch behind it, which lanes that have left the loop execute when they run again. */
static void predicate(struct run *r, const struct step *s)
{
  sl_lanes stay = 0;
  for (sl_lanes rest = r->warp.mask; rest; rest &= rest - 1)
    stay |= --r->lane[sl_lowest(rest)].count[s->variable] > 0 ? rest & -rest : 0;
  mark(r, SL_MARK_PREDICATE, stay, 0);
}

static void execute(struct run *r, uint64_t *random)
{
  const unsigned at = r->warp.pc / WORD;
  const struct step *s = &r->program->step[at];
  /* A branch follows each PRED: its place is between two steps. */
  if (r->warp.pc % WORD != 0) {
    r->warp.pc = (at + 1) * WORD;
    branch(r, s, goes_on);
    return;
  }
  r->warp.pc += s->what == PRED ? WORD / 2 : WORD;
  if (random_below(random, 16) == 0 && s->what == WORK) { /* the watchdog */
    r->warp.pc -= WORD;
    mark(r, SL_MARK_YIELD, r->warp.mask, 0);
    return;
  }
  switch (s->what) {
  case SPLIT: split(r, s); break;
  case ELSE: branch(r, s, is_false); break;
  case JUMP: r->warp.pc = s->to * WORD; break;
  case JOIN: join(r, s); break;
  case PRED: predicate(r, s); break;
  case YIELD: mark(r, SL_MARK_YIELD, r->warp.mask, 0); break;
  case END: mark(r, SL_MARK_MASK, 0, 0); break;
  case WORK:
  case SET:
    for (sl_lanes rest = r->warp.mask; rest; rest &= rest - 1) {
      const unsigned l = sl_lowest(rest);
      if (s->what == WORK)
        works(&r->lane[l], at);
      else
        r->lane[l].count[s->variable] = 1 + value(r->program, &r->lane[l], l, s->variable, 3);
    }
    break;
  }
}

static void check_places(const struct run *r)
{
  struct sl_warp_path path[SL_MAX_LANES];
  sl_lanes seen = 0;
  assert_true(sl_convergence_scs_splits.valid(&r->warp, sl_low_bits(LANES)));
  for (unsigned i = sl_convergence_scs_splits.places(&r->warp, path); i-- > 0;) {
    assert_int_equal(seen & path[i].lanes, 0);
    seen |= path[i].lanes;
  }
  assert_true(r->ended || (seen & r->warp.mask) == r->warp.mask);
}

static void make(struct program *p, uint64_t *random)
{
  *p = (struct program){.salt = random64(random)};
  statements(p, random, 0);
  statements(p, random, 0);
  add(p, END, 0);
}

static void start(struct run *r, const struct program *p)
{
  memset(r, 0, sizeof *r);
  r->program = p;
  r->warp.mask = sl_low_bits(LANES);
  sl_convergence_scs_splits.start(&r->warp);
}

static void every_lane_computes_what_it_computes_alone(void **state)
{
  static struct program program;
  static struct run run;
  uint64_t random = 7;
  (void)state;
  for (unsigned i = 0; i < 2000; i++) {
    make(&program, &random);
    start(&run, &program);
    for (unsigned n = 0; !run.ended; n++) {
      assert_true(n < LONGEST);
      execute(&run, &random);
      check_places(&run);
    }
    for (unsigned l = 0; l < LANES; l++)
      assert_int_equal(run.lane[l].did, alone(&program, l).did);
  }
}

/* A restored state is refused, or can be used: no stack is endless, and no number is out of range. */
static void changed_states_are_refused_or_harmless(void **state)
{
  static struct program program;
  static struct run run;
  uint64_t random = 11;
  unsigned refused = 0;
  (void)state;
  for (unsigned i = 0; i < 2000; i++) {
    make(&program, &random);
    start(&run, &program);
    for (unsigned n = random_below(&random, 60); n > 0 && !run.ended; n--)
      execute(&run, &random);
    const unsigned parked = random_below(&random, 150), levels = 1048 + random_below(&random, 150);
    run.warp.own[random_below(&random, 2) ? parked : levels] ^= (uint8_t)(1 + random_below(&random, 255));
    if (!sl_convergence_scs_splits.valid(&run.warp, sl_low_bits(LANES))) {
      refused++;
      continue;
    }
    struct sl_warp_path path[SL_MAX_LANES];
    assert_true(sl_convergence_scs_splits.places(&run.warp, path) <= SL_MAX_LANES);
    for (unsigned n = 0; n < 100; n++) {
      const sl_lanes lanes = run.warp.mask & random64(&random);
      const struct sl_mark m = {.kind = (enum sl_mark_kind)(SL_MARK_SPLIT + random_below(&random, 5)),
                                .lanes = lanes,
                                .others = run.warp.mask & ~lanes,
                                .room = LANES - 1};
      if (run.warp.mask != 0 && (m.kind != SL_MARK_SPLIT || (m.lanes != 0 && m.others != 0)))
        (void)sl_convergence_scs_splits.mark(&run.warp, 0, &m);
    }
  }
  assert_true(refused > 100);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_lane_computes_what_it_computes_alone),
      cmocka_unit_test(changed_states_are_refused_or_harmless),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
