/* Words of tables, outcomes and the field that no other table declares. */
#ifndef SL_CLI_WORDS_H
#define SL_CLI_WORDS_H

#include "cli/help/conventions.h"

/* Lists that end with a NULL name. */
extern const struct sl_convention sl_table_words[], sl_field_words[], sl_outcome_words[];

#endif
