/* The vocabulary of simtlab: glossary terms, keys, counters, stall reasons, columns and statuses, each with the text of
 * the table that declares it. */
#ifndef SL_CLI_TERMS_H
#define SL_CLI_TERMS_H

#include "machine/machine.h"

enum sl_term_kind {
  SL_TERM_WORD,
  SL_TERM_KEY,
  SL_TERM_COUNTER,
  SL_TERM_STALL_REASON,
  SL_TERM_PROFILE,
  SL_TERM_TABLE,
  SL_TERM_STATUS
};

enum { SL_TERM_KINDS = SL_TERM_STATUS + 1, SL_TERM_NAMES = 4 };

/* A term with the same text on several machines appears once. Fields that do not apply are NULL. */
struct sl_term {
  enum sl_term_kind kind;
  const char *name[SL_TERM_NAMES]; /* main name, and synonyms */
  const char *meaning;
  const char *elsewhere; /* names in other vocabularies: "wavefront (AMD), subgroup (OpenCL)" */
  const char *page;      /* page of the documentation */
  const char *unit;
  const char *source;
  const struct sl_key *key; /* for SL_TERM_KEY: the key, for its range */
  unsigned machines;        /* set of indices into sl_machines; 0: not specific to machines */
};

/* Plural and singular of a kind: "keys", "key". */
extern const char *const sl_term_plurals[SL_TERM_KINDS], *const sl_term_singulars[SL_TERM_KINDS];

/* Calls `visit` for every term, kind by kind. */
void sl_terms_visit(void (*visit)(void *context, const struct sl_term *term), void *context);

/* Whether a word is a name of a term; ignores case, blanks, '-' and '_'. */
bool sl_term_is(const struct sl_term *term, const char *word);

#endif
