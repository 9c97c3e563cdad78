/* An oracle of test builds: interprets programs with locks, with one thread of control per lane.
 *
 * It knows nothing of warps. Each step is an action of one thread that no other thread can interrupt: a read, a write,
 * an atomic, a test. Each thread that has not ended is as likely as any other to execute the next one. */
#include "lock_oracle.h"

#include <stdlib.h>
#include <string.h>

#include "../rng.h"

enum { FRAMES = 32, STEPS = 400000000 };

struct frame {
  unsigned node, stage; /* the statement and what has been done of it; node 0: the list has ended */
  uint32_t i;           /* turn of the innermost loop around it */
  uint32_t turn, count, value;
};

struct thread {
  struct frame frame[FRAMES];
  unsigned frames;
  uint32_t acc;
};

struct run {
  const struct lock_program *p;
  struct lock_memory *memory;
  uint32_t locked[LOCK_LOCKS], drawn[LOCK_LOCKS], served[LOCK_LOCKS], met[LOCK_PLACES], flag[LOCK_PLACES], barrier;
  struct thread thread[LOCK_THREADS];
};

static void enter_list(struct thread *th, unsigned node, uint32_t i)
{
  th->frame[th->frames++] = (struct frame){.node = node, .i = i};
}

static void finish(const struct run *r, struct frame *f)
{
  *f = (struct frame){.node = r->p->node[f->node].next, .i = f->i};
}

static uint32_t changed(enum lock_operation operation, uint32_t old, uint32_t by)
{
  switch (operation) {
  case LOCK_ADD: return old + by;
  case LOCK_XOR: return old ^ by;
  case LOCK_OR: return old | by;
  default: return old > by ? old : by;
  }
}

/* A step towards the lock. `drawn`: the thread has its ticket in f->value. Returns true when it has the lock. */
static bool take(struct run *r, struct frame *f, unsigned lock, bool drawn)
{
  if (r->p->form[lock] == LOCK_TICKET) {
    if (drawn)
      return r->served[lock] == f->value;
    f->value = r->drawn[lock]++;
    return false;
  }
  const bool was = r->locked[lock];
  r->locked[lock] = 1;
  return !was;
}

static void release(struct run *r, unsigned lock)
{
  if (r->p->form[lock] == LOCK_TICKET)
    r->served[lock]++;
  else
    r->locked[lock] = 0;
}

static void step_section(struct run *r, struct thread *th, struct frame *f, const struct lock_node *n)
{
  if (f->stage < 2) {
    f->stage = take(r, f, n->a, f->stage == 1) ? 2 : 1;
  } else if (f->stage == 2) {
    f->stage = 3;
    enter_list(th, n->body, f->i);
  } else {
    release(r, n->a);
    finish(r, f);
  }
}

/* turn: the link of the chain; count: the node of its statement. */
static void step_hands(struct run *r, struct frame *f, const struct lock_node *n, unsigned t)
{
  const struct lock_node *one = &r->p->node[f->count == 0 ? n->body : f->count];
  const unsigned lock = n->a + f->turn;
  switch (f->stage) {
  case 0:
  case 1: f->stage = take(r, f, lock, f->stage == 1) ? 2 : 1; break;
  case 2:
    if (f->turn > 0)
      release(r, lock - 1);
    f->stage = 3;
    break;
  case 3:
    f->value = r->memory->data[one->a];
    f->stage = 4;
    break;
  default:
    r->memory->data[one->a] = changed(r->p->operation[one->a], f->value, one->value + one->b * t + f->i);
    f->stage = 0;
    f->count = one->next;
    if (f->turn++ == n->b) {
      release(r, lock);
      finish(r, f);
    }
  }
}

static void step_loop(struct run *r, struct thread *th, struct frame *f, const struct lock_node *n, unsigned t)
{
  const uint32_t count = n->a ? 1 + t % n->b : n->b;
  if (f->turn == count)
    finish(r, f);
  else
    enter_list(th, n->body, f->turn++);
}

static void step_meet(struct run *r, struct frame *f, uint32_t *arrived, unsigned all)
{
  if (f->stage == 0) {
    f->value = (*arrived / all + 1) * all;
    ++*arrived;
    f->stage = 1;
  } else if (*arrived >= f->value) {
    finish(r, f);
  }
}

static void step_flag(struct run *r, struct thread *th, struct frame *f, const struct lock_node *n, unsigned t)
{
  if (t == n->b && f->stage == 0) {
    r->memory->flag_data[n->a] = n->value;
    f->stage = 1;
  } else if (t == n->b && f->stage == 1) {
    r->flag[n->a] = 1;
    f->stage = 2;
  } else if (r->flag[n->a] != 0) {
    th->acc = 5 * th->acc + r->memory->flag_data[n->a];
    finish(r, f);
  }
}

static void step(struct run *r, unsigned t)
{
  struct thread *th = &r->thread[t];
  struct frame *f = &th->frame[th->frames - 1];
  const struct lock_node *n = &r->p->node[f->node];
  if (f->node == 0) {
    if (--th->frames == 0)
      r->memory->out[t] = th->acc;
    return;
  }
  switch (n->kind) {
  case LOCK_CHANGE:
    if (f->stage++ == 0) {
      f->value = r->memory->data[n->a];
    } else {
      r->memory->data[n->a] = changed(r->p->operation[n->a], f->value, n->value + n->b * t + f->i);
      finish(r, f);
    }
    break;
  case LOCK_MIX:
    th->acc = 5 * th->acc + n->value;
    finish(r, f);
    break;
  case LOCK_SECTION: step_section(r, th, f, n); break;
  case LOCK_HANDS: step_hands(r, f, n, t); break;
  case LOCK_IF: {
    const unsigned body = lock_holds(n->a, n->b, t, f->i) ? n->body : n->other;
    finish(r, f);
    enter_list(th, body, f->i);
    break;
  }
  case LOCK_FOR: step_loop(r, th, f, n, t); break;
  case LOCK_CALL:
    finish(r, f);
    enter_list(th, r->p->function[n->a], f->i);
    break;
  case LOCK_MEET: step_meet(r, f, &r->met[n->a], n->b); break;
  case LOCK_BARRIER: step_meet(r, f, &r->barrier, r->p->threads); break;
  case LOCK_FLAG: step_flag(r, th, f, n, t); break;
  }
}

bool lock_oracle_run(const struct lock_program *program, uint64_t seed, struct lock_memory *memory)
{
  struct run *r = calloc(1, sizeof *r);
  struct rng rng = {seed};
  unsigned live[LOCK_THREADS], lives = program->threads;
  memset(memory, 0, sizeof *memory);
  if (r == NULL)
    return false;
  r->p = program;
  r->memory = memory;
  for (unsigned t = 0; t < lives; t++) {
    live[t] = t;
    r->thread[t].acc = t;
    enter_list(&r->thread[t], program->body, 0);
  }
  for (unsigned steps = 0; lives > 0 && steps < STEPS; steps++) {
    const unsigned n = rng_below(&rng, lives);
    step(r, live[n]);
    if (r->thread[live[n]].frames == 0)
      live[n] = live[--lives];
  }
  free(r);
  return lives == 0;
}
