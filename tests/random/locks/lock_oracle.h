/* An oracle of test builds: the memory that a program with locks leaves, by one thread of control per lane. */
#ifndef RND_LOCK_ORACLE_H
#define RND_LOCK_ORACLE_H

#include "lock_program.h"

struct lock_memory {
  uint32_t data[LOCK_LOCKS], flag_data[LOCK_PLACES], out[LOCK_THREADS];
};

/* Executes the program, one step of a random thread after the other. Returns false if it does not end. */
bool lock_oracle_run(const struct lock_program *program, uint64_t seed, struct lock_memory *memory);

#endif
