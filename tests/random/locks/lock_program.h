/* Random programs whose threads take locks, meet and wait for flags. Any fair order of threads gives the same memory.
 *
 * A program is a list of statements for each thread t of a block. Locks are taken in ascending order, so that there is
 * never a deadlock. Statements under a lock change words by operations that commute. Threads meet only where the same
 * threads come equally often, and never under a lock. */
#ifndef RND_LOCK_PROGRAM_H
#define RND_LOCK_PROGRAM_H

#include <stdio.h>

#include "base/types.h"

enum {
  LOCK_LOCKS = 6,  /* each with a word of data */
  LOCK_PLACES = 8, /* places where threads meet; flags */
  LOCK_FUNCTIONS = 4,
  LOCK_NODES = 256,
  LOCK_THREADS = 512,
  LOCK_NESTING = 3
};

enum lock_form { LOCK_SPIN, LOCK_TRY, LOCK_TICKET }; /* the first two may take the same lock */
enum lock_operation { LOCK_ADD, LOCK_XOR, LOCK_OR, LOCK_MAX };

enum lock_statement {
  LOCK_CHANGE,  /* data[a] of a held lock: the lock's operation with value + b * t + i */
  LOCK_MIX,     /* acc = 5 * acc + value */
  LOCK_SECTION, /* takes lock a in its form; body; releases it */
  LOCK_HANDS,   /* takes locks a to a + b, each before the one before is released; one statement of body under each */
  LOCK_IF,      /* body if condition a with b holds, else other */
  LOCK_FOR,     /* body b times; a: 1 + t % b times; i counts */
  LOCK_CALL,    /* function a */
  LOCK_MEET,    /* waits at place a until b threads have arrived */
  LOCK_BARRIER, /* of the whole block */
  LOCK_FLAG     /* thread b sets flag a and a word; the others wait; acc = 5 * acc + the word */
};

enum lock_condition { LOCK_ODD, LOCK_THIRD, LOCK_BELOW, LOCK_FOURS, LOCK_IS, LOCK_TURN };

struct lock_node {
  enum lock_statement kind;
  unsigned a, b, value;
  unsigned variant;           /* of the C code; no effect on the result */
  unsigned body, other, next; /* node numbers; 0: none */
};

struct lock_program {
  struct lock_node node[LOCK_NODES];
  unsigned nodes; /* the first is unused */
  unsigned body, function[LOCK_FUNCTIONS], functions;
  enum lock_form form[LOCK_LOCKS];
  enum lock_operation operation[LOCK_LOCKS];
  unsigned block, threads; /* of the block, a power of two; those that take part */
};

/* Makes the program of a seed, for blocks of 1 to 8 warps of so many lanes. */
void lock_generate(struct lock_program *program, uint64_t seed, unsigned lanes);

/* Writes the program as kernel `number` of a C file. */
void lock_write(const struct lock_program *program, unsigned number, FILE *file);

/* Whether thread t executes the body of an IF in turn i of the innermost loop. */
static inline bool lock_holds(enum lock_condition condition, unsigned b, unsigned t, unsigned i)
{
  switch (condition) {
  case LOCK_ODD: return t % 2 == 1;
  case LOCK_THIRD: return t % 3 == 1;
  case LOCK_BELOW: return t <= b;
  case LOCK_FOURS: return (t & 4) != 0;
  case LOCK_IS: return t == b;
  default: return (t + i) % 2 == 0;
  }
}

#endif
