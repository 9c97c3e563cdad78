/* Runs other programs: command, output, folder for intermediate files. */
#ifndef SL_TOOLCHAIN_TOOLS_H
#define SL_TOOLCHAIN_TOOLS_H

#include <stddef.h>

#include "base/error.h"
#include "base/types.h"
#include "base/whole_file.h"

/* Growing list of command-line words, which owns their text. */

struct sl_words {
  char **items; /* NULL-terminated; NULL while empty */
  size_t count, capacity;
  bool lost; /* memory for a word was exhausted */
};

void sl_words_add(struct sl_words *words, const char *word);
void sl_words_add_all(struct sl_words *words, const char *const *more);
void sl_words_add_text(struct sl_words *words, const char *format, ...) __attribute__((format(printf, 2, 3)));
void sl_words_free(struct sl_words *words);

/* A growing text; NULL while it is empty. */
struct sl_log {
  char *text;
  size_t length, capacity;
};

void sl_log_add(struct sl_log *log, const char *bytes, size_t size);
void sl_log_free(struct sl_log *log);

/* Appends the words in shell quoting, separated by blanks. */
void sl_log_add_words(struct sl_log *log, const struct sl_words *words);

struct sl_tools {
  struct sl_log *log;
  bool shown;                     /* commands go into the log, too */
  bool dry;                       /* commands are shown but not run */
  bool refused;                   /* a tool ran and rejected its input, as opposed to its command line */
  bool (*stopped)(void *context); /* called before each command: true ends the work with SL_LIMIT; NULL: never */
  void *context;
};

enum sl_tool_output {
  SL_OUTPUT_LOGGED, /* the tool's output is added to the log */
  SL_OUTPUT_PASSED, /* its standard output is this process's, as the caller requested */
};

/* Runs the command and waits for it. SL_USAGE: it fails, or cannot be found; then the message names its package. */
enum sl_status sl_tools_run(struct sl_tools *tools, const struct sl_words *words, enum sl_tool_output output,
                            struct sl_error *err);

/* Creates a new folder for temporary files, below $TMPDIR or /tmp. */
enum sl_status sl_make_folder(char *path, size_t size, struct sl_error *err);

/* Response files: @FILE stands for the words in FILE, as compilers read it. */

/* Adds a word, or the words of the file that it names. A word @FILE remains if there is no such file. */
enum sl_status sl_words_add_expanded(struct sl_words *words, const char *word, struct sl_error *err);

/* Atomic output of a tool: the tool writes a temporary file, which is renamed when the tool has succeeded. After an
 * error the previous file remains (base/whole_file.h). */

struct sl_staged_output {
  struct sl_whole_file whole;
  const char *path; /* path to pass to the tool */
};

/* Creates the temporary file, except for NULL, "-", devices and pipes. SL_USAGE: the path cannot be written. */
enum sl_status sl_staged_output_begin(struct sl_staged_output *output, const struct sl_tools *tools, const char *path,
                                      struct sl_error *err);

/* Renames the temporary file if `code`, the tool's status, is SL_OK; else deletes it. Returns `code` unless the rename
 * fails. */
enum sl_status sl_staged_output_end(struct sl_staged_output *output, enum sl_status code, struct sl_error *err);

/* Returns the next word of a text, unquoted in place as a shell does; NULL at the end. */
char *sl_next_word(char **rest);

#endif
