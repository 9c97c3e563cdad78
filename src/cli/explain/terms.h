/* The words that simtlab uses for what it counts and is told: keys, counters, causes, columns and statuses, with what
 * the tables that they are declared in say of them. */
#ifndef SL_CLI_TERMS_H
#define SL_CLI_TERMS_H

#include "machine/machine.h"

enum sl_term_kind {
  SL_TERM_KEY,
  SL_TERM_COUNTER,
  SL_TERM_CAUSE,
  SL_TERM_PROFILE,
  SL_TERM_TABLE,
  SL_TERM_FIELD,
  SL_TERM_STATUS
};

enum { SL_TERM_KINDS = SL_TERM_STATUS + 1, SL_TERM_NAMES = 4 };

/* The same on several machines is one term. What it does not have is NULL. */
struct sl_term {
  enum sl_term_kind kind;
  const char *name[SL_TERM_NAMES]; /* the first, and others it goes by */
  const char *meaning;
  const char *unit;
  const char *source;
  const struct sl_key *key; /* of SL_TERM_KEY, for its range */
  unsigned machines;        /* set of numbers in sl_machines; 0: of no machine in particular */
};

/* What a kind is called: "keys", "key". */
extern const char *const sl_term_plurals[SL_TERM_KINDS], *const sl_term_singulars[SL_TERM_KINDS];

/* Tells of all terms, kind by kind. */
void sl_terms_visit(void (*visit)(void *context, const struct sl_term *term), void *context);

/* Whether a word is a name of a term; capitals, blanks, '-' and '_' do not matter. */
bool sl_term_is(const struct sl_term *term, const char *word);

#endif
