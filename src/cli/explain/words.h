/* The glossary (docs/glossary.md): terms, columns of tables and statuses that no other table declares. */
#ifndef SL_CLI_WORDS_H
#define SL_CLI_WORDS_H

#include "cli/explain/terms.h"

struct sl_word {
  enum sl_term_kind kind;
  const char *name;
  const char *meaning;
  const char *elsewhere; /* other names for it, with who uses them in parentheses, between commas; may be empty */
  const char *page;      /* page of the documentation; may be empty */
};

/* Ends with a NULL name. */
extern const struct sl_word sl_words[];

#endif
