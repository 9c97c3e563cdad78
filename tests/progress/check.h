/* Checks programs under many settings, and counts what was seen. */
#ifndef SL_TESTS_PROGRESS_CHECK_H
#define SL_TESTS_PROGRESS_CHECK_H

#include <time.h>

#include "explore.h"

/* What was seen under a setting. */
struct seen {
  uint64_t programs, states;
  uint64_t end;       /* all runs end */
  uint64_t faults;    /* some run is a fault of the scheme's */
  uint64_t deadlocks; /* do not end, and no order of the lanes ends */
  uint64_t orders;    /* do not end; some orders of the lanes do */
  uint64_t livelocks; /* do not end, and every order of the lanes that lets each go on does */
  uint64_t too_many;
};

enum { MOST_SETTINGS = 24 };

struct check {
  struct explorer explorer;
  const struct setting *setting;
  unsigned settings, warps;
  clock_t began;
  struct seen seen[MOST_SETTINGS];
  uint64_t programs, free_states, too_many, contradictions;
  uint64_t ending; /* programs that end in every order of the lanes that lets each go on */
};

bool check_make(struct check *c, const struct setting *setting, unsigned settings, unsigned warps);
void check_free(struct check *c);

/* Explores the program freely and under each setting; if `yielding` is not NULL, under settings with `yields` that
 * program, which must be the same but for yields. */
void check_program(struct check *c, const struct program *plain, const struct program *yielding);

void check_print(const struct check *c, const char *what);

#endif
