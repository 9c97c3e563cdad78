/* Random programs from a seed. */
#include <string.h>

#include "program.h"
#include "rng.h"

enum { MOST_REPEATS = 24, DEPTH = 4, LOOP_DEPTH = 2, FIRST_COUNTER = 8 };

struct generator {
  struct rng rng;
  struct rnd_program *program;
  int room;             /* instructions that may still be written */
  unsigned loops;       /* of enclosing loops */
  unsigned repeats;     /* greatest number of executions of this place */
  unsigned marks;       /* enclosing PUSH without POP */
  unsigned stack_share; /* percent of own accesses that are to the stack at a constant */
  bool diverged;        /* a warp may be partial here */
};

static bool timing(const struct generator *g)
{
  return g->program->profile == RND_TIMING;
}

static uint8_t below(struct generator *g, unsigned n)
{
  return (uint8_t)rng_below(&g->rng, n);
}

/* A register to write. */
static uint8_t destination(struct generator *g)
{
  const unsigned n = timing(g) ? 13 : 15, i = below(g, n);
  return (uint8_t)(i == 0 ? 1 : RND_FIRST_POOL + i - 1);
}

/* A register to read: mostly a written one, else zero, hart, lane or warp. */
static uint8_t source(struct generator *g)
{
  static const uint8_t fixed[] = {0, 10, 11, 12};
  return rng_chance(&g->rng, 85) ? destination(g) : fixed[below(g, sizeof fixed)];
}

static struct rnd_statement *add(struct generator *g, enum rnd_kind kind, int instructions)
{
  struct rnd_program *p = g->program;
  struct rnd_statement *s = &p->statement[p->count++];
  *s = (struct rnd_statement){.kind = (uint8_t)kind};
  if (rnd_op_count(kind) > 0)
    s->op = below(g, rnd_op_count(kind));
  g->room -= instructions;
  return s;
}

/* Corner values are as frequent as others. */
static int32_t number(struct generator *g)
{
  static const int32_t corner[] = {0, 1, -1, 2, INT32_MAX, INT32_MIN, 31, 32, 255, 0xffff, 0x55555555, 0x8000};
  if (rng_chance(&g->rng, 40))
    return corner[below(g, sizeof corner / sizeof *corner)];
  const unsigned bits = 8 + below(g, 25);
  return (int32_t)(rng_next(&g->rng) >> (64 - bits));
}

static int32_t float_number(struct generator *g)
{
  static const uint32_t corner[] = {0,          0x80000000, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000, 0x7fc00000,
                                    0x7f800001, 1,          0x807fffff, 0x00800000, 0x7f7fffff, 0x4f000000, 0xcf000000};
  if (rng_chance(&g->rng, 40))
    return (int32_t)corner[below(g, sizeof corner / sizeof *corner)];
  const uint64_t bits = rng_next(&g->rng);
  return (int32_t)(0x3e000000u + (uint32_t)(bits >> 39) + ((uint32_t)(bits & 1) << 31));
}

static void add_init(struct generator *g, uint8_t rd)
{
  struct rnd_statement *s = add(g, RND_INIT, 3);
  s->rd = rd;
  s->imm = g->program->profile == RND_FUNCTION_FLOAT && rng_chance(&g->rng, 70) ? float_number(g) : number(g);
  if (s->op == 1) /* affine: strides of 1, 2, 4, and more */
    s->imm = below(g, 5);
}

static void add_register(struct generator *g)
{
  struct rnd_statement *s = add(g, RND_REGISTER, 1);
  s->rd = rng_chance(&g->rng, 97) ? destination(g) : 0;
  s->rs1 = source(g);
  s->rs2 = source(g);
}

static void add_immediate(struct generator *g)
{
  struct rnd_statement *s = add(g, RND_IMMEDIATE, 1);
  const char *name = rnd_op_name(RND_IMMEDIATE, s->op);
  s->rd = rng_chance(&g->rng, 97) ? destination(g) : 0;
  s->rs1 = source(g);
  if (name[0] == 'l')
    s->imm = (int32_t)(rng_next(&g->rng) & 0xfffff);
  else if (name[1] == 'l' && name[2] == 'l')
    s->imm = below(g, 32);
  else if (strcmp(name, "srli") == 0 || strcmp(name, "srai") == 0)
    s->imm = below(g, 32);
  else
    s->imm = (int32_t)rng_below(&g->rng, 4096) - 2048;
}

static void add_float(struct generator *g)
{
  const bool two = rng_chance(&g->rng, 70);
  struct rnd_statement *s = add(g, two ? RND_FLOAT2 : RND_FLOAT1, 1);
  s->rd = destination(g);
  s->rs1 = source(g);
  s->rs2 = two ? source(g) : 0;
}

/* Shared places take any pattern: the index is a register's value, mostly the lane's number or a value derived from it.
 */
static void shared_access(struct generator *g, struct rnd_statement *s, unsigned width)
{
  s->rs1 = rng_chance(&g->rng, 40) ? 11 : source(g);
  s->scale = below(g, 6);
  if (1u << s->scale < width)
    s->scale = (uint8_t)(width == 4 ? 2 : 1);
  s->offset = (uint8_t)(rng_chance(&g->rng, 70) ? 0 : width * below(g, 64 / width));
}

static void own_access(struct generator *g, struct rnd_statement *s, unsigned width)
{
  s->rs1 = rng_chance(&g->rng, 50) ? source(g) : 0;
  s->imm = s->rs1 == 0 ? below(g, 16) : 0;
  s->offset = (uint8_t)(width * below(g, 4 / width));
  /* As compilers do: a word of the stack at a constant offset. */
  if (width == 4 && s->kind != RND_ATOMIC && rng_chance(&g->rng, g->stack_share)) {
    s->place = RND_STACK;
    s->rs1 = 0;
    s->imm = below(g, 4);
  }
  if (s->place == RND_HALVES)
    s->offset = (uint8_t)(width == 1 ? below(g, 2) : 0);
  else if (s->place == RND_BYTES)
    s->offset = 0;
}

/* Within one access lanes may go to one of two places. */
static void mix_places(struct generator *g, struct rnd_statement *s)
{
  s->other = s->place;
  if (s->place > RND_STACK || s->kind == RND_ATOMIC || !rng_chance(&g->rng, 15))
    return;
  s->other = below(g, RND_STACK + 1);
  s->select = source(g);
  g->room -= 8;
}

static void choose_place(struct generator *g, struct rnd_statement *s)
{
  const unsigned width = rnd_op_width((enum rnd_kind)s->kind, s->op);
  const bool store = s->kind == RND_STORE;
  if (s->kind == RND_ATOMIC)
    s->place = timing(g) && s->rd == 0 && rng_chance(&g->rng, 50) ? RND_DRAIN : RND_SCRATCH;
  else if (timing(g) && rng_chance(&g->rng, g->stack_share > 50 ? 10 : 45))
    s->place = rng_chance(&g->rng, 60) ? (store ? RND_SINK : RND_TABLE) : (store ? RND_DRAIN : RND_ZEROES);
  else
    s->place = width == 4 ? below(g, RND_STACK + 1) : width == 2 ? below(g, RND_HALVES + 1) : below(g, RND_BYTES + 1);
  if (s->place >= RND_TABLE)
    shared_access(g, s, width);
  else
    own_access(g, s, width);
  mix_places(g, s);
}

static void add_load(struct generator *g)
{
  struct rnd_statement *s = add(g, RND_LOAD, 4);
  s->op = rng_chance(&g->rng, 40) ? 0 : s->op;
  s->rd = rng_chance(&g->rng, 96) ? destination(g) : 0;
  choose_place(g, s);
}

static void add_store(struct generator *g)
{
  struct rnd_statement *s = add(g, RND_STORE, 4);
  s->op = rng_chance(&g->rng, 30) ? 0 : s->op;
  s->rs2 = g->stack_share > 50 && rng_chance(&g->rng, 30) ? 12 : source(g);
  choose_place(g, s);
  /* Results of conflicting atomics go only to registers that are never read. */
  if (s->place == RND_SINK && rng_chance(&g->rng, 20))
    s->rs2 = (uint8_t)(30 + below(g, 2));
}

static void add_atomic(struct generator *g)
{
  struct rnd_statement *s = add(g, RND_ATOMIC, 4);
  s->rd = rng_chance(&g->rng, 60) ? destination(g) : 0;
  s->rs2 = source(g);
  choose_place(g, s);
}

static void add_conflict(struct generator *g)
{
  struct rnd_statement *s = add(g, RND_CONFLICT, 7);
  s->rd = (uint8_t)(30 + below(g, 2));
  s->rs1 = source(g);
}

static void add_barrier(struct generator *g)
{
  add(g, RND_BARRIER, 3);
}

static void add_other(struct generator *g)
{
  struct rnd_statement *s;
  switch (below(g, 4)) {
  case 0: add(g, RND_FENCE, 1); break;
  case 1:
    if (g->program->wrapped && !g->diverged && g->marks == 1)
      add(g, RND_CONVERGE, 2);
    break;
  case 2:
    s = add(g, RND_CSR, 1);
    s->rd = destination(g);
    break;
  default:
    s = add(g, RND_LINK, 4);
    s->rd = destination(g);
    break;
  }
}

static void add_block(struct generator *g, unsigned depth);

static void add_if(struct generator *g, unsigned depth)
{
  const bool diverged = g->diverged, marked = g->marks == 0 || rng_chance(&g->rng, 60);
  struct rnd_statement *s = add(g, RND_IF, 6);
  s->marked = marked;
  s->rs1 = source(g);
  if (rng_chance(&g->rng, 50)) {
    s->op &= 1; /* equal, not equal */
    s->imm = 1 << below(g, 5);
  } else {
    s->rs2 = source(g);
  }
  g->diverged = true;
  g->marks += marked;
  add_block(g, depth + 1);
  if (rng_chance(&g->rng, 60)) {
    add(g, RND_ELSE, 1);
    add_block(g, depth + 1);
  }
  g->marks -= marked;
  g->diverged = diverged;
  add(g, RND_END, 1);
}

static void add_loop(struct generator *g, unsigned depth)
{
  const bool diverged = g->diverged, lanes_differ = rng_chance(&g->rng, 50);
  const bool marked = (lanes_differ && g->marks == 0) || rng_chance(&g->rng, 60);
  const unsigned repeats = g->repeats;
  struct rnd_statement *s = add(g, RND_LOOP, 6);
  s->marked = marked;
  s->rd = (uint8_t)(FIRST_COUNTER + g->loops);
  s->imm = lanes_differ ? 3 : 1 + below(g, 5);
  s->rs1 = lanes_differ ? (uint8_t)(rng_chance(&g->rng, 30) ? 11 : destination(g)) : 0;
  g->repeats *= lanes_differ ? 4 : (unsigned)s->imm;
  g->loops++;
  g->diverged = g->diverged || lanes_differ;
  g->marks += marked;
  add_block(g, depth + 1);
  g->marks -= marked;
  g->diverged = diverged;
  g->loops--;
  g->repeats = repeats;
  add(g, RND_END, 1);
}

static bool has_barriers(const struct generator *g)
{
  const struct rnd_program *p = g->program;
  const unsigned block = p->warps_per_block;
  return block == 0 ? p->active_warps == 64 : p->active_warps % block == 0;
}

static void add_statement(struct generator *g, unsigned depth)
{
  const unsigned dice = below(g, 100);
  if (dice < 10 && depth < DEPTH)
    add_if(g, depth);
  else if (dice < 16 && depth < DEPTH && g->loops < LOOP_DEPTH && g->repeats < MOST_REPEATS / 4)
    add_loop(g, depth);
  else if (dice < 19 && !g->diverged && has_barriers(g) && (g->program->wrapped ? g->marks == 1 : g->marks == 0))
    add_barrier(g);
  else if (dice < 30)
    add_load(g);
  else if (dice < 40)
    add_store(g);
  else if (dice < 45)
    add_atomic(g);
  else if (dice < 47 && timing(g))
    add_conflict(g);
  else if (dice < 51)
    add_other(g);
  else if (dice < 56)
    add_init(g, destination(g));
  else if (dice < 74 && g->program->profile == RND_FUNCTION_FLOAT)
    add_float(g);
  else if (dice < 68)
    add_immediate(g);
  else
    add_register(g);
}

static void add_block(struct generator *g, unsigned depth)
{
  const unsigned count = 1 + below(g, 8);
  for (unsigned i = 0; i < count && g->room > 0 && g->program->count + 16 < RND_MOST_STATEMENTS; i++)
    add_statement(g, depth);
}

/* Warps: all of them, one, or any number; blocks for barriers. */
static void choose_shape(struct generator *g)
{
  static const uint8_t blocks[] = {0, 1, 2, 4, 16};
  struct rnd_program *p = g->program;
  const unsigned dice = below(g, 100);
  p->warps_per_block = blocks[below(g, sizeof blocks)];
  p->active_warps = dice < 25 ? 64 : dice < 40 ? 1 : 1u + below(g, dice < 70 ? 8 : 64);
  if (rng_chance(&g->rng, 50)) {
    const unsigned block = p->warps_per_block == 0 ? 64 : p->warps_per_block;
    p->active_warps = (p->active_warps + block - 1) / block * block;
  }
  p->stride_bits = 5;
  while (1u << p->stride_bits < p->active_warps * 32)
    p->stride_bits++;
  p->scratch_by_words = rng_chance(&g->rng, 60);
  p->wrapped = rng_chance(&g->rng, 40);
}

void rnd_generate(struct rnd_program *program, enum rnd_profile profile, uint64_t seed)
{
  struct generator g = {.rng = {seed * 8 + profile}, .program = program, .repeats = 1};
  *program = (struct rnd_program){.seed = seed, .profile = profile};
  choose_shape(&g);
  g.stack_share = rng_chance(&g.rng, 15) ? 85 : 15;
  g.marks = program->wrapped;
  for (unsigned reg = 1; reg < 32; reg++)
    if (rnd_in_pool(profile, reg) && rng_chance(&g.rng, 90))
      add_init(&g, (uint8_t)reg);
  g.room = 60 + (int)rng_below(&g.rng, profile == RND_TIMING ? 240 : 200);
  while (g.room > 0 && program->count + 16 < RND_MOST_STATEMENTS)
    add_statement(&g, 0);
}
