/* Groups of a warp that take turns on the SIMT stack: each lane executes its own program, and in time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "convergence/simt_stack.h"
#include "random.h"

enum { LANES = 8, ALL = (1 << LANES) - 1, PERIOD = 16, LONGEST = (LANES - 1) * 2 * PERIOD + PERIOD };
enum { PROGRAM = 64, FUNCTION = 100, RETURN = 108, DEEPEST = 4 };

enum kind { PLAIN, CONDITION, LOOP, CALL, MEET, BARRIER };

struct place {
  enum kind kind;
  uint32_t target, reconvergence;
};

/* A lane by itself: what it must execute next. */
struct thread {
  uint32_t pc, back[DEEPEST], calls;
};

struct run {
  struct sl_simt_stack stack;
  struct place program[PROGRAM];
  struct thread thread[LANES];
  unsigned waited[LANES], longest, changes, passes, last;
  uint64_t seed;
};

/* Conditions and loops nest, so a reconvergence point is where all ways from a branch lead. */
static void write_program(struct run *r, uint32_t from, uint32_t to)
{
  for (uint32_t pc = from; pc < to;) {
    const uint32_t most = to - pc, length = most > 3 ? 3 + random32(&r->seed) % (most - 3) : 1;
    const unsigned way = random32(&r->seed) % 4;
    r->program[pc] = (struct place){.kind = PLAIN};
    if (length < 4 || way > 2) {
      const unsigned kind = random32(&r->seed) % 32;
      r->program[pc].kind = kind < 8 ? CALL : kind < 12 ? MEET : kind == 12 ? BARRIER : PLAIN;
      pc++;
      continue;
    }
    if (way == 0) { /* a loop: the branch is at its end */
      write_program(r, pc, pc + length - 1);
      r->program[pc + length - 1] = (struct place){LOOP, pc, pc + length};
    } else {
      r->program[pc] = (struct place){CONDITION, way == 1 ? pc + length : pc + 1 + length / 2, pc + length};
      write_program(r, pc + 1, pc + length);
    }
    pc += length;
  }
}

static void move(struct run *r, uint32_t lanes, uint32_t pc)
{
  for (uint32_t rest = lanes; rest != 0; rest &= rest - 1)
    r->thread[sl_lowest(rest)].pc = pc;
}

static void call(struct run *r, uint32_t lanes, uint32_t pc)
{
  for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    struct thread *t = &r->thread[sl_lowest(rest)];
    t->back[t->calls++] = pc + 1;
    t->pc = FUNCTION;
  }
  assert_true(sl_simt_stack_call(&r->stack, FUNCTION));
}

static void return_from(struct run *r, uint32_t lanes, uint32_t some)
{
  for (uint32_t rest = some; rest != 0; rest &= rest - 1) {
    struct thread *t = &r->thread[sl_lowest(rest)];
    t->pc = t->back[--t->calls];
  }
  r->stack.entries[r->stack.depth - 1].pc -= some != lanes; /* the others execute it again */
  sl_simt_stack_return(&r->stack, some);
}

static bool meets(const void *context, uint32_t pc)
{
  return ((const struct place *)context)[pc].kind == MEET;
}

static void pass_barrier(struct run *r)
{
  uint32_t lanes = 0;
  if (sl_simt_groups_park(&r->stack) || sl_simt_groups_find(&r->stack, meets, r->program))
    return;
  while (sl_simt_groups_unpark(&r->stack)) {
    lanes |= sl_simt_stack_mask(&r->stack);
    sl_simt_stack_advance(&r->stack, sl_simt_stack_pc(&r->stack) + 1);
  }
  sl_simt_groups_select(&r->stack);
  assert_int_equal(lanes, ALL);
  for (unsigned l = 0; l < LANES; l++)
    r->thread[l].pc++;
  r->passes++;
}

/* The running group executes its instruction. Returns whether it was a backward branch. */
static bool execute(struct run *r)
{
  struct sl_simt_stack *s = &r->stack;
  const uint32_t pc = sl_simt_stack_pc(s), lanes = sl_simt_stack_mask(s), some = random32(&r->seed) & lanes;
  const struct place *p = pc < PROGRAM ? &r->program[pc] : &(struct place){.kind = PLAIN};
  if (pc == RETURN) {
    return_from(r, lanes, some != 0 ? some : lanes);
  } else if (pc == PROGRAM - 1) {
    move(r, lanes, 0);
    assert_true(sl_simt_stack_branch(s, lanes, 0, PROGRAM));
  } else if (p->kind == CONDITION || p->kind == LOOP) {
    move(r, lanes, pc + 1);
    move(r, some, p->target);
    assert_true(sl_simt_stack_branch(s, some, p->target, p->reconvergence));
    return p->kind == LOOP && some != 0;
  } else if (p->kind == CALL) {
    call(r, lanes, pc);
  } else if (p->kind == BARRIER) {
    pass_barrier(r);
  } else if (p->kind != MEET || sl_simt_groups_meet(s, ALL)) {
    if (p->kind == MEET) { /* all are here, or those that are not cannot come before these go on */
      const uint32_t now = sl_simt_stack_mask(s);
      assert_int_equal(now & lanes, lanes);
      r->passes += now == ALL;
      move(r, now, pc + 1);
    } else {
      move(r, lanes, pc + 1);
    }
    sl_simt_stack_advance(s, pc + 1);
  }
  return pc == PROGRAM - 1;
}

static void check(struct run *r)
{
  const struct sl_simt_stack *s = &r->stack;
  struct sl_warp_path path[SL_MAX_LANES];
  uint32_t covered = 0;
  assert_true(s->depth > 0 && sl_simt_stack_mask(s) != 0);
  assert_true(sl_simt_groups_valid(s, ALL));
  const unsigned places = sl_convergences[SL_CONVERGENCE_SIMT_ITS]->places(s, path);
  for (unsigned i = 0; i < places; i++) {
    assert_int_equal(covered & path[i].lanes, 0);
    covered |= (uint32_t)path[i].lanes;
    for (unsigned l = 0; l < LANES; l++)
      if (path[i].lanes >> l & 1)
        assert_int_equal(r->thread[l].pc, path[i].pc);
  }
  assert_int_equal(covered, ALL);
}

static void start(struct run *r, enum sl_scheme scheme, uint64_t seed)
{
  *r = (struct run){.seed = seed};
  write_program(r, 0, PROGRAM - 1);
  sl_simt_stack_init(&r->stack, 0, ALL);
  sl_simt_groups_use(&r->stack, scheme, PERIOD);
}

static void step(struct run *r)
{
  const uint32_t lanes = sl_simt_stack_mask(&r->stack);
  for (unsigned l = 0; l < LANES; l++) {
    r->waited[l] = (lanes | r->stack.turn.parked) >> l & 1 ? 0 : r->waited[l] + 1;
    r->longest = r->waited[l] > r->longest ? r->waited[l] : r->longest;
  }
  r->changes += lanes != r->last;
  r->last = lanes;
  sl_simt_groups_count(&r->stack, execute(r));
  check(r);
}

static const enum sl_scheme schemes[] = {SL_CONVERGENCE_SIMT_ITS, SL_CONVERGENCE_SIMT_HANOI};

static void each_lane_executes_its_program(void **state)
{
  (void)state;
  unsigned changes = 0, passes = 0;
  for (unsigned s = 0; s < 2; s++)
    for (uint64_t seed = 1; seed <= 40; seed++) {
      struct run r;
      start(&r, schemes[s], seed);
      for (unsigned n = 0; n < 4000; n++)
        step(&r);
      changes += r.changes;
      passes += r.passes;
    }
  assert_in_range(changes, 10000, UINT32_MAX);
  assert_in_range(passes, 100, UINT32_MAX);
}

static void its_bounds_the_wait(void **state)
{
  (void)state;
  unsigned longest = 0;
  for (uint64_t seed = 1; seed <= 40; seed++) {
    struct run r;
    start(&r, SL_CONVERGENCE_SIMT_ITS, seed);
    for (unsigned n = 0; n < 4000; n++)
      step(&r);
    longest = r.longest > longest ? r.longest : longest;
  }
  assert_in_range(longest, PERIOD, LONGEST);
}

static bool is_same_stack(const struct sl_simt_stack *a, const struct sl_simt_stack *b)
{
  const size_t below = a->depth - 1;
  return a->depth == b->depth && memcmp(a->entries, b->entries, below * sizeof a->entries[0]) == 0 &&
         a->entries[below].mask == b->entries[below].mask &&
         a->entries[below].reconvergence == b->entries[below].reconvergence;
}

/* Instructions that do not change the stack may be counted together, as many as sl_simt_groups_quiet says. */
static void quiet_instructions_only_add(void **state)
{
  (void)state;
  unsigned added = 0, free = 0, others = 0;
  for (uint64_t seed = 1; seed <= 40; seed++) {
    struct run r;
    start(&r, SL_CONVERGENCE_SIMT_ITS, seed);
    for (unsigned n = 0; n < 4000; n++) {
      const struct sl_simt_stack before = r.stack;
      const uint64_t quiet = sl_simt_groups_quiet(&before);
      const bool back = execute(&r);
      struct sl_simt_stack wanted = r.stack;
      const bool same = quiet != 0 && is_same_stack(&before, &wanted) && before.turn.parked == wanted.turn.parked;
      sl_simt_groups_count(&r.stack, back);
      check(&r);
      if (!same) {
        others++;
        continue;
      }
      wanted.turn.turns += quiet != UINT64_MAX;
      added += quiet != UINT64_MAX;
      free += quiet == UINT64_MAX;
      assert_memory_equal(&r.stack.turn, &wanted.turn, sizeof wanted.turn);
      assert_true(is_same_stack(&r.stack, &wanted) && sl_simt_stack_pc(&r.stack) == sl_simt_stack_pc(&wanted));
    }
  }
  assert_in_range(added, 10000, UINT32_MAX);
  assert_in_range(free, 1000, UINT32_MAX);
  assert_in_range(others, 1000, UINT32_MAX);
}

/* Lanes spin in a loop; one has left it, and waits at the barrier behind it. */
static void a_barrier_is_released_when_all_groups_had_a_turn(void **state)
{
  (void)state;
  for (unsigned k = 0; k < 2; k++) {
    struct sl_simt_stack s = {0};
    unsigned n = 0;
    sl_simt_stack_init(&s, 0, ALL);
    sl_simt_groups_use(&s, schemes[k], PERIOD);
    assert_true(sl_simt_stack_branch(&s, ALL & ~1u, 0, 1));
    sl_simt_groups_count(&s, true);
    for (; sl_simt_stack_mask(&s) == (ALL & ~1u) && n < 100; n++) {
      assert_true(sl_simt_stack_branch(&s, ALL & ~1u, 0, 1));
      sl_simt_groups_count(&s, true);
    }
    assert_int_equal(sl_simt_stack_mask(&s), 1);
    assert_int_equal(sl_simt_stack_pc(&s), 1);
    assert_in_range(n, PERIOD - 1, 3 * PERIOD);
  }
}

/* The two sides of a condition have a barrier of the block each. */
static void barriers_count_lanes(void **state)
{
  (void)state;
  struct sl_simt_stack s = {0};
  sl_simt_stack_init(&s, 0, ALL);
  sl_simt_groups_use(&s, SL_CONVERGENCE_SIMT_ITS, PERIOD);
  assert_true(sl_simt_stack_branch(&s, 0x0f, 4, 8));
  assert_int_equal(sl_simt_stack_pc(&s), 4);
  assert_true(sl_simt_groups_park(&s));
  assert_int_equal(sl_simt_stack_pc(&s), 1);
  assert_int_equal(sl_simt_stack_mask(&s), 0xf0);
  assert_false(sl_simt_groups_park(&s));
  assert_int_equal(s.turn.parked, ALL);
}

/* Lanes that come to an instruction for several lanes one after the other execute it together. */
static void members_meet(void **state)
{
  (void)state;
  struct sl_simt_stack s = {0};
  sl_simt_stack_init(&s, 0, ALL);
  sl_simt_groups_use(&s, SL_CONVERGENCE_SIMT_ITS, PERIOD);
  assert_true(sl_simt_stack_branch(&s, 0x0f, 4, 8));
  assert_false(sl_simt_groups_meet(&s, 0x3f));
  sl_simt_stack_advance(&s, 2);
  assert_true(sl_simt_stack_branch(&s, 0x30, 4, 3)); /* some of the others go to the same place */
  assert_int_equal(sl_simt_stack_mask(&s), 0x30);
  assert_true(sl_simt_groups_meet(&s, 0x3f));
  assert_int_equal(sl_simt_stack_mask(&s), 0x3f);
  assert_int_equal(sl_simt_stack_pc(&s), 4);
  assert_true(sl_simt_groups_valid(&s, ALL));
}

static bool is_place(const void *context, uint32_t pc)
{
  (void)context;
  return pc <= RETURN;
}

/* A few operations on a stack of a checkpoint. */
static void operate(struct sl_simt_stack *s, uint64_t *seed)
{
  for (unsigned n = 0; n < 200 && s->depth > 0; n++) {
    const uint32_t pc = sl_simt_stack_pc(s), lanes = sl_simt_stack_mask(s), some = random32(seed) & lanes;
    switch (random32(seed) % 8) {
    case 0: (void)sl_simt_stack_branch(s, some, pc + 3, pc + 6); break;
    case 1: (void)sl_simt_stack_call(s, pc + 9); break;
    case 2: sl_simt_stack_return(s, some); break;
    case 3: sl_simt_stack_exit(s, some & random32(seed) & random32(seed)); break;
    case 4:
      if (sl_simt_groups_park(s))
        break;
      while (sl_simt_groups_unpark(s))
        sl_simt_stack_advance(s, sl_simt_stack_pc(s) + 1);
      sl_simt_groups_select(s);
      break;
    case 5:
      if (sl_simt_groups_meet(s, random32(seed)))
        sl_simt_stack_advance(s, sl_simt_stack_pc(s) + 1);
      break;
    default: sl_simt_stack_advance(s, pc + 1);
    }
    if (s->depth > 0)
      sl_simt_groups_count(s, random32(seed) % 2);
    assert_true(s->depth <= SL_SIMT_STACK_DEPTH);
  }
}

/* One field is changed: the stack is refused, or goes on within its bounds. */
static void a_changed_stack_is_refused_or_goes_on(void **state)
{
  (void)state;
  unsigned refused = 0;
  for (uint64_t seed = 1; seed <= 3000; seed++) {
    struct run r;
    start(&r, schemes[seed % 2], seed);
    for (unsigned n = 0; n < 100 + seed % 200; n++)
      step(&r);
    struct sl_simt_stack *s = &r.stack;
    struct sl_simt_stack_entry *e = &s->entries[random32(&r.seed) % s->depth];
    uint32_t *const fields[] = {&e->pc,          &e->mask,         &e->reconvergence, &s->turn.favoured,
                                &s->turn.parked, &s->turn.waiting, &s->turn.lanes,    &s->turn.turns};
    *fields[random32(&r.seed) % 8] ^= (uint32_t)sl_bit(random32(&r.seed) % 9);
    if (sl_simt_stack_valid(s, ALL, is_place, NULL) && sl_simt_groups_valid(s, ALL))
      operate(s, &r.seed);
    else
      refused++;
  }
  assert_in_range(refused, 300, 2700);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_lane_executes_its_program),
      cmocka_unit_test(its_bounds_the_wait),
      cmocka_unit_test(quiet_instructions_only_add),
      cmocka_unit_test(a_barrier_is_released_when_all_groups_had_a_turn),
      cmocka_unit_test(barriers_count_lanes),
      cmocka_unit_test(members_meet),
      cmocka_unit_test(a_changed_stack_is_refused_or_goes_on),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
