/* Running other programs: their words, what they say, the folder for their intermediate files. */
#ifndef SL_TOOLCHAIN_TOOLS_H
#define SL_TOOLCHAIN_TOOLS_H

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

/* A text that grows; NULL while it is empty. */
struct sl_log {
  char *text;
  size_t length, capacity;
};

void sl_log_add(struct sl_log *log, const char *bytes, size_t size);
void sl_log_free(struct sl_log *log);

/* Runs the command and waits for it. What it writes is added to the log, behind its words as a shell would take them if
 * they are to be shown. SL_USAGE when it cannot be found, with the package that has it, or fails. */
enum sl_status sl_words_run(const struct sl_words *words, bool shown, struct sl_log *log, struct sl_error *err);

/* Makes a new folder for temporary files, below $TMPDIR or /tmp. */
enum sl_status sl_make_folder(char *path, size_t size, struct sl_error *err);

#endif
