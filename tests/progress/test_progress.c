/* A model checker of the convergence schemes: their production code schedules the lanes of small programs, and is
 * compared with the free interleaving of the same lanes. `test_progress full` checks more programs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "check.h"
#include "generate.h"
#include "random.h"

/* How many programs. */
struct sizes {
  unsigned all, all_of_two_warps, all_with_barriers, all_trees, all_trees_with_hazards; /* greatest length */
  unsigned random, random_trees;
};

static const struct sizes part = {.all = 5,
                                  .all_of_two_warps = 3,
                                  .all_with_barriers = 4,
                                  .all_trees = 5,
                                  .all_trees_with_hazards = 6,
                                  .random = 500,
                                  .random_trees = 300};
static const struct sizes full = {.all = 6,
                                  .all_of_two_warps = 4,
                                  .all_with_barriers = 6,
                                  .all_trees = 7,
                                  .all_trees_with_hazards = 7,
                                  .random = 100000,
                                  .random_trees = 30000};

/* The table has a row for each scheme that runs programs whose branches part lanes. */
static const struct setting flat[] = {
    {.name = "nesting", .scheme = SL_CONVERGENCE_NESTING},
    {.name = "depth-pc", .scheme = SL_CONVERGENCE_DEPTH_PC},
    {.name = "sorted-paths", .scheme = SL_CONVERGENCE_SORTED_PATHS},
    {.name = "nesting fair", .scheme = SL_CONVERGENCE_NESTING, .period = 3, .fair = true, .retries = true},
    {.name = "depth-pc fair", .scheme = SL_CONVERGENCE_DEPTH_PC, .period = 2, .fair = true, .retries = true},
    {.name = "sorted-paths fair", .scheme = SL_CONVERGENCE_SORTED_PATHS, .period = 3, .fair = true, .retries = true},
    {.name = "its", .scheme = SL_CONVERGENCE_ITS, .room = 1, .yields = true, .fair = true},
    {.name = "its yield=false", .scheme = SL_CONVERGENCE_ITS, .yields = true},
    {.name = "stack", .scheme = SL_CONVERGENCE_SIMT_STACK, .retries = true},
    {.name = "sm7 its", .scheme = SL_CONVERGENCE_SIMT_ITS, .period = 3, .fair = true, .retries = true},
    {.name = "hanoi", .scheme = SL_CONVERGENCE_SIMT_HANOI, .period = 3, .fair = true, .retries = true},
    {.name = "depth-pc fair 16", .scheme = SL_CONVERGENCE_DEPTH_PC, .period = 16, .fair = true},
    {.name = "sorted-paths fair 16", .scheme = SL_CONVERGENCE_SORTED_PATHS, .period = 16, .fair = true},
};

enum {
  FLAT_OF_PATHS = 6,
  FLAT = sizeof flat / sizeof flat[0],
  FLAT_OF_ALL = FLAT - 2 /* the last two take half of the states */
};

static const struct setting with_barriers[] = {
    {.name = "its", .scheme = SL_CONVERGENCE_ITS, .room = 1, .yields = true, .fair = true},
    {.name = "its yield=false", .scheme = SL_CONVERGENCE_ITS, .yields = true},
};

enum { BARRIERS = sizeof with_barriers / sizeof with_barriers[0] };

/* Programs with marks. */
static const struct setting marked[] = {
    {.name = "nesting", .scheme = SL_CONVERGENCE_NESTING},
    {.name = "nesting fair", .scheme = SL_CONVERGENCE_NESTING, .period = 3, .fair = true, .retries = true},
    {.name = "ipdom", .scheme = SL_CONVERGENCE_IPDOM},
    {.name = "ipdom smaller", .scheme = SL_CONVERGENCE_IPDOM, .smaller = true},
    {.name = "scs", .scheme = SL_CONVERGENCE_SCS, .room = 4, .smaller = true, .fair = true},
    {.name = "scs larger", .scheme = SL_CONVERGENCE_SCS, .room = 4, .fair = true},
    {.name = "scs list", .scheme = SL_CONVERGENCE_SCS, .room = 4, .nests = true, .smaller = true, .fair = true},
    {.name = "scs split", .scheme = SL_CONVERGENCE_SCS_SPLITS, .room = 4, .smaller = true, .fair = true},
    {.name = "its", .scheme = SL_CONVERGENCE_ITS, .room = 1, .fair = true},
    {.name = "its yield=false", .scheme = SL_CONVERGENCE_ITS},
    {.name = "stack", .scheme = SL_CONVERGENCE_SIMT_STACK},
    {.name = "sm7 its", .scheme = SL_CONVERGENCE_SIMT_ITS, .period = 3, .fair = true},
    {.name = "hanoi", .scheme = SL_CONVERGENCE_SIMT_HANOI, .period = 3, .fair = true},
};

enum { MARKED = sizeof marked / sizeof marked[0] };

/* One instruction of each kind: for all programs. */
static const struct alphabet small = {7,
                                      {{.op = OP_EXCH},
                                       {.op = OP_STORE},
                                       {.op = OP_BRANCH, .condition = ALWAYS},
                                       {.op = OP_BRANCH, .condition = LANE_BIT},
                                       {.op = OP_BRANCH, .condition = REGISTER},
                                       {.op = OP_BRANCH, .condition = WORD},
                                       {.op = OP_COMMAND}}};

static const struct alphabet barriers = {5,
                                         {{.op = OP_BARRIER},
                                          {.op = OP_WAIT},
                                          {.op = OP_EXCH},
                                          {.op = OP_BRANCH, .condition = LANE_BIT},
                                          {.op = OP_BRANCH, .condition = WORD}}};

static const struct alphabet large = {16,
                                      {{.op = OP_EXCH},
                                       {.op = OP_EXCH, .arg = 1},
                                       {.op = OP_STORE},
                                       {.op = OP_STORE, .arg = 1},
                                       {.op = OP_STORE, .arg = 2},
                                       {.op = OP_ADD, .arg = 2},
                                       {.op = OP_ADD, .arg = 1},
                                       {.op = OP_LOAD},
                                       {.op = OP_LOAD, .arg = 2},
                                       {.op = OP_BRANCH, .condition = ALWAYS},
                                       {.op = OP_BRANCH, .condition = LANE_BIT},
                                       {.op = OP_BRANCH, .condition = LANE_BIT, .arg = 1},
                                       {.op = OP_BRANCH, .condition = REGISTER},
                                       {.op = OP_BRANCH, .condition = REGISTER, .negate = 1},
                                       {.op = OP_BRANCH, .condition = WORD},
                                       {.op = OP_BRANCH, .condition = WORD, .arg = 1, .negate = 1}}};

static const struct alphabet large_barriers = {10,
                                               {{.op = OP_EXCH},
                                                {.op = OP_STORE},
                                                {.op = OP_ADD, .arg = 1},
                                                {.op = OP_BRANCH, .condition = LANE_BIT},
                                                {.op = OP_BRANCH, .condition = REGISTER},
                                                {.op = OP_BRANCH, .condition = WORD},
                                                {.op = OP_BARRIER},
                                                {.op = OP_WAIT},
                                                {.op = OP_BARRIER, .arg = 1},
                                                {.op = OP_WAIT, .arg = 1}}};

/* Of random program n: mostly two, because the states of the free lanes are many. */
static unsigned lanes_of(unsigned n)
{
  return n % 64 == 0 ? 4 : n % 8 == 0 ? 3 : 2;
}

static void use(void *context, const struct program *p)
{
  struct program yielding = *p;
  if (program_add_yields(&yielding))
    check_program(context, p, &yielding);
}

/* Yields open barriers, so the free lanes must see them. */
static void use_yielding(void *context, const struct program *p)
{
  struct program yielding = *p;
  if (program_add_yields(&yielding))
    check_program(context, &yielding, NULL);
}

static void finish(struct check *c, const char *what)
{
  check_print(c, what);
  check_free(c);
  assert_int_equal(c->contradictions, 0);
}

/* A scheme that is not fair keeps some program from its end that every order of the lanes ends. */
static void expect_livelocks(const struct check *c)
{
  for (unsigned i = 0; i < c->settings; i++)
    assert_true(c->setting[i].fair || c->seen[i].livelocks > 0);
}

/* ---- branches part lanes ------------------------------------------------------------------------------------------
 */

static void all_short_programs(void **state)
{
  const struct sizes *sizes = *state;
  struct check c;
  assert_true(check_make(&c, flat, FLAT_OF_ALL, 1));
  for (unsigned length = 2; length <= sizes->all; length++)
    generate_all(&small, length, 2, use, &c);
  expect_livelocks(&c);
  finish(&c, "all short programs, 2 lanes");
}

static void all_short_programs_of_two_warps(void **state)
{
  const struct sizes *sizes = *state;
  struct check c;
  assert_true(check_make(&c, flat, FLAT, 2));
  for (unsigned length = 2; length <= sizes->all_of_two_warps; length++)
    generate_all(&small, length, 4, use, &c);
  finish(&c, "all short programs, 2 warps of 2 lanes");
}

static void random_programs(void **state)
{
  const struct sizes *sizes = *state;
  struct check c;
  uint64_t seed = 1;
  assert_true(check_make(&c, flat, FLAT, 1));
  for (unsigned n = 0; n < sizes->random; n++) {
    struct program p = {.lanes = lanes_of(n)};
    generate_random(&large, 12, &seed, &p);
    use(&c, &p);
  }
  finish(&c, "random programs of 12 instructions, 2 to 4 lanes");
}

/* Lanes end at several places: not on SIMTight and Simty, whose warps end as a whole. */
static void random_programs_with_exits(void **state)
{
  const struct sizes *sizes = *state;
  struct alphabet a = large;
  struct check c;
  uint64_t seed = 6;
  a.insn[0] = (struct insn){.op = OP_END};
  assert_true(check_make(&c, flat + FLAT_OF_PATHS, FLAT_OF_ALL - FLAT_OF_PATHS, 1));
  for (unsigned n = 0; n < sizes->random / 5; n++) {
    struct program p = {.lanes = lanes_of(n)};
    generate_random(&a, 12, &seed, &p);
    use(&c, &p);
  }
  finish(&c, "random programs with exits, 2 to 4 lanes");
}

static void programs_with_barriers_of_lanes(void **state)
{
  const struct sizes *sizes = *state;
  struct check c;
  uint64_t seed = 2;
  assert_true(check_make(&c, with_barriers, BARRIERS, 1));
  for (unsigned length = 2; length <= sizes->all_with_barriers; length++)
    generate_all(&barriers, length, 2, use_yielding, &c);
  for (unsigned n = 0; n < sizes->random / 10; n++) {
    struct program p = {.lanes = 2 + n % 2};
    generate_random(&large_barriers, 10, &seed, &p);
    use_yielding(&c, &p);
  }
  finish(&c, "programs with convergence barriers");
}

/* ---- marks part lanes ---------------------------------------------------------------------------------------------
 */

static void use_tree(void *context, const uint8_t *statement, unsigned count)
{
  struct program p = {.lanes = 2};
  for (enum tree_yields yields = YIELD_BEFORE_BRANCH; yields <= YIELD_AT_BACK_EDGE; yields++)
    if (tree_lower(&p, statement, count, yields, false))
      check_program(context, &p, NULL);
}

static void use_barrier_tree(void *context, const uint8_t *statement, unsigned count)
{
  struct program p = {.lanes = 2};
  if (tree_lower(&p, statement, count, YIELD_AT_BACK_EDGE, true))
    check_program(context, &p, NULL);
}

static void all_short_statements(void **state)
{
  const struct sizes *sizes = *state;
  struct check c;
  assert_true(check_make(&c, marked, MARKED, 1));
  for (unsigned length = 1; length <= sizes->all_trees; length++)
    generate_all_trees(length, use_tree, &c);
  expect_livelocks(&c);
  finish(&c, "all programs of few statements, 2 lanes");
}

static void all_short_statements_of_two_warps(void **state)
{
  const struct sizes *sizes = *state;
  struct check c;
  assert_true(check_make(&c, marked, MARKED, 2));
  for (unsigned length = 1; length + 2 <= sizes->all_trees; length++)
    generate_all_trees(length, use_tree, &c);
  finish(&c, "all programs of few statements, 2 warps of 2 lanes");
}

static void random_tree(uint64_t *seed, unsigned n, enum tree_yields yields, bool waits, struct program *p)
{
  uint8_t statement[TREE_MOST];
  p->lanes = lanes_of(n);
  do {
    generate_random_tree(seed, statement);
  } while (!tree_lower(p, statement, TREE_MOST, yields, waits));
}

static void random_statements(void **state)
{
  const struct sizes *sizes = *state;
  struct check c;
  uint64_t seed = 3;
  assert_true(check_make(&c, marked, MARKED, 1));
  for (unsigned n = 0; n < sizes->random_trees; n++) {
    struct program p;
    random_tree(&seed, n, YIELD_BEFORE_BRANCH + n % 2, false, &p);
    check_program(&c, &p, NULL);
  }
  finish(&c, "random programs of 12 statements, 2 to 4 lanes");
}

static void statements_with_barriers_of_lanes(void **state)
{
  const struct sizes *sizes = *state;
  struct check c;
  uint64_t seed = 4;
  assert_true(check_make(&c, with_barriers, BARRIERS, 1));
  generate_all_trees(sizes->all_trees - 1, use_barrier_tree, &c);
  for (unsigned n = 0; n < sizes->random_trees / 4; n++) {
    struct program p;
    random_tree(&seed, n, YIELD_BEFORE_BRANCH + n % 2, true, &p);
    check_program(&c, &p, NULL);
  }
  finish(&c, "statements with convergence barriers, 2 to 4 lanes");
}

/* ---- hazards of scs -----------------------------------------------------------------------------------------------
 */

/* Programs for which the guarded scheme reports a fault, and what the hardware does with them. */
struct hazard {
  const char *name;
  enum outcome fault;
  unsigned seen, harmful;
};

struct hazards {
  struct explorer explorer;
  struct hazard hazard[3];
  unsigned parked_in_lists;
};

static void show(struct hazard *h, const struct program *p, const char *wrong)
{
  if (h->harmful++ > 0)
    return;
  printf("%s: %s\n", h->name, wrong);
  program_print(p, stdout);
}

/* A program in which the guarded scheme reports only this fault, with the effect of the hardware. */
static void try_unguarded(struct hazards *h, struct hazard *hazard, const struct program *p)
{
  static const struct setting set = {
      .name = "scs silent", .scheme = SL_CONVERGENCE_SCS, .room = 4, .smaller = true, .unguarded = true};
  const struct warp_run run = {.set = &set, .program = p, .warps = 1, .lanes = p->lanes};
  struct free_runs all;
  struct runs runs;
  if (!free_explore(&h->explorer.free, p, &all))
    return;
  hazard->seen++;
  explore(&h->explorer, &run, &runs);
  const char *wrong = runs_contradict(&set, &all, &runs, true);
  if (wrong != NULL)
    show(hazard, p, wrong);
}

/* A pool of one group, if it was full in the program. */
static void try_full_pool(struct hazards *h, const struct program *p)
{
  static const struct setting set = {.name = "scs pool=1",
                                     .scheme = SL_CONVERGENCE_SCS,
                                     .room = 1,
                                     .nests = true,
                                     .unguarded = true,
                                     .smaller = true,
                                     .fair = true};
  const struct warp_run run = {.set = &set, .program = p, .warps = 1, .lanes = p->lanes};
  struct free_runs all;
  struct runs runs;
  explore(&h->explorer, &run, &runs);
  if (!runs.filled || runs.held || !free_explore(&h->explorer.free, p, &all))
    return;
  assert_null(runs.broken); /* it drops nothing */
  h->hazard[2].seen++;
  const char *wrong = runs_contradict(&set, &all, &runs, true);
  if (wrong != NULL)
    show(&h->hazard[2], p, wrong);
}

static void try_hazards(struct hazards *h, const struct program *p)
{
  static const struct setting guarded = {
      .name = "scs", .scheme = SL_CONVERGENCE_SCS, .room = 4, .smaller = true, .fair = true};
  static const struct setting lists = {
      .name = "scs list", .scheme = SL_CONVERGENCE_SCS, .room = 4, .nests = true, .smaller = true};
  const struct warp_run run = {.set = &guarded, .program = p, .warps = 1, .lanes = p->lanes};
  const struct warp_run run_lists = {.set = &lists, .program = p, .warps = 1, .lanes = p->lanes};
  struct runs runs, runs_lists;
  explore(&h->explorer, &run, &runs);
  explore(&h->explorer, &run_lists, &runs_lists);
  assert_null(runs.broken); /* with faults no lane is lost, or runs twice */
  if (program_has(p, OP_YIELD) && !runs.held)
    assert_int_equal(runs.starved, 0);
  h->parked_in_lists += runs_lists.faults >> FAULT_PARKED & 1;
  for (unsigned i = 0; i < 2; i++)
    if (runs.faults == 1u << h->hazard[i].fault)
      try_unguarded(h, &h->hazard[i], p);
  if (program_has(p, OP_YIELD))
    try_full_pool(h, p);
}

static void use_hazards(void *context, const uint8_t *statement, unsigned count)
{
  struct program p = {.lanes = 3};
  for (enum tree_yields yields = NO_YIELDS; yields <= YIELD_AT_BACK_EDGE; yields++)
    if (tree_lower(&p, statement, count, yields, false))
      try_hazards(context, &p);
}

static void each_hazard_is_found(void **state)
{
  const struct sizes *sizes = *state;
  struct hazards h = {
      .hazard = {{.name = "lanes leave a loop while those of another one are pending", .fault = FAULT_PARKED},
                 {.name = "lanes change between a split and its join", .fault = FAULT_OPEN},
                 {.name = "the pool is full"}}};
  uint64_t seed = 5;
  assert_true(explorer_make(&h.explorer));
  for (unsigned length = 1; length <= sizes->all_trees_with_hazards; length++)
    generate_all_trees(length, use_hazards, &h);
  for (unsigned n = 0; n < sizes->random_trees; n++) {
    struct program p;
    random_tree(&seed, 8, (enum tree_yields)(n % 3), false, &p);
    try_hazards(&h, &p);
  }
  for (unsigned i = 0; i < 3; i++)
    printf("%s: %u programs, wrong results in %u\n", h.hazard[i].name, h.hazard[i].seen, h.hazard[i].harmful);
  explorer_free(&h.explorer);
  for (unsigned i = 0; i < 3; i++)
    assert_true(h.hazard[i].harmful > 0);
  assert_int_equal(h.parked_in_lists, 0);
}

int main(int argc, char **argv)
{
  static struct sizes sizes;
  sizes = argc > 1 && strcmp(argv[1], "full") == 0 ? full : part;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_prestate(all_short_programs, &sizes),
      cmocka_unit_test_prestate(all_short_programs_of_two_warps, &sizes),
      cmocka_unit_test_prestate(random_programs, &sizes),
      cmocka_unit_test_prestate(random_programs_with_exits, &sizes),
      cmocka_unit_test_prestate(programs_with_barriers_of_lanes, &sizes),
      cmocka_unit_test_prestate(all_short_statements, &sizes),
      cmocka_unit_test_prestate(all_short_statements_of_two_warps, &sizes),
      cmocka_unit_test_prestate(random_statements, &sizes),
      cmocka_unit_test_prestate(statements_with_barriers_of_lanes, &sizes),
      cmocka_unit_test_prestate(each_hazard_is_found, &sizes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
