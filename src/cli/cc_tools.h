/* Running other programs: their words, the folder for their intermediate files. */
#ifndef SL_CLI_CC_TOOLS_H
#define SL_CLI_CC_TOOLS_H

#include "base/error.h"
#include "base/types.h"

enum { SL_WORDS_MOST = 500 };

/* Words of a command line; the strings stay the caller's. */
struct sl_words {
  const char *items[SL_WORDS_MOST + 1]; /* NULL-terminated */
  size_t count;
  bool overflow; /* there were more */
};

void sl_words_add(struct sl_words *words, const char *word);
void sl_words_add_all(struct sl_words *words, const char *const *more);

/* Runs the command and waits for it; shown: prints it first, to standard error, as a shell would take it. SL_USAGE when
 * it cannot be found, with the package that has it, or fails. */
enum sl_code sl_words_run(const struct sl_words *words, bool shown, struct sl_error *err);

/* Makes a new folder for temporary files, below $TMPDIR or /tmp. */
enum sl_code sl_make_folder(char *path, size_t size, struct sl_error *err);

#endif
