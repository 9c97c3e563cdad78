/* The glossary (docs/glossary.md): terms, table columns and statuses that no other table declares. */
#ifndef SL_CLI_WORDS_H
#define SL_CLI_WORDS_H

#include "cli/explain/terms.h"

struct sl_word {
  enum sl_term_kind kind;
  const char *name;
  const char *meaning;
  const char *elsewhere; /* synonyms, separated by commas, each with its users in parentheses; may be empty */
  const char *page;      /* page of the documentation; may be empty */
};

/* The list ends with a NULL name. */
extern const struct sl_word sl_words[];

#endif
