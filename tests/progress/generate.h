/* All programs of a length, and random ones. */
#ifndef SL_TESTS_PROGRESS_GENERATE_H
#define SL_TESTS_PROGRESS_GENERATE_H

#include "program.h"
#include "tree.h"

/* A set of instructions, of which branches go to each place. */
struct alphabet {
  unsigned count;
  struct insn insn[16];
};

typedef void program_use(void *context, const struct program *p);
typedef void tree_use(void *context, const uint8_t *statement, unsigned count);

/* Calls use for each program of `length` instructions in which all can be reached, no branch goes to the next place,
 * END is the last instruction only, words are numbered in the order of their use, and lanes can part. */
void generate_all(const struct alphabet *a, unsigned length, unsigned lanes, program_use *use, void *context);

/* A random program of at most `length` instructions in which all can be reached. */
void generate_random(const struct alphabet *a, unsigned length, uint64_t *seed, struct program *p);

/* Calls use for each balanced string of statements of the length in which lanes can part. */
void generate_all_trees(unsigned length, tree_use *use, void *context);

/* A random balanced string of at most TREE_MOST statements. Returns its length. */
unsigned generate_random_tree(uint64_t *seed, uint8_t statement[TREE_MOST]);

#endif
