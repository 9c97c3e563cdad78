/* Structured programs: a string of statements, and how they become instructions with the marks of the schemes. */
#ifndef SL_TESTS_PROGRESS_TREE_H
#define SL_TESTS_PROGRESS_TREE_H

#include "program.h"

enum statement {
  DO_EXCH,      /* r = word 0, word 0 = 1 */
  DO_STORE,     /* word 0 = 0 */
  DO_ADD,       /* r = word 1, word 1 = word 1 + 1 */
  DO_LOAD,      /* r = word 0 */
  IF_LANE,      /* if the lane's number is odd */
  IF_REGISTER,  /* if r != 0 */
  LOOP_NONZERO, /* do ... while (r != 0) */
  LOOP_ZERO,    /* do ... while (r == 0) */
  CLOSE,        /* the end of the latest statement with others in it */
  STATEMENTS,
  ELSE = STATEMENTS, /* of an if; in random programs only */
  ALL_STATEMENTS
};

enum { TREE_MOST = 12 };

enum tree_yields { NO_YIELDS, YIELD_BEFORE_BRANCH, YIELD_AT_BACK_EDGE };

/* Returns false if the statements are no program, or are too many. */
bool tree_lower(struct program *p, const uint8_t *statement, unsigned count, enum tree_yields yields, bool barriers);

#endif
