/* Running other programs: how, what they say, the folder for their intermediate files. */
#ifndef SL_TOOLCHAIN_TOOLS_H
#define SL_TOOLCHAIN_TOOLS_H

#include "base/error.h"
#include "base/types.h"
#include "toolchain/word_list.h"

/* A text that grows; NULL while it is empty. */
struct sl_log {
  char *text;
  size_t length, capacity;
};

void sl_log_add(struct sl_log *log, const char *bytes, size_t size);
void sl_log_free(struct sl_log *log);

/* The words as a shell would take them, between blanks. */
void sl_log_add_words(struct sl_log *log, const struct sl_words *words);

struct sl_tools {
  struct sl_log *log;
  bool shown;                     /* commands go into the log, too */
  bool dry;                       /* they are shown and not run */
  bool refused;                   /* a tool that ran has said no: what it was given is wrong, not how it was called */
  bool (*stopped)(void *context); /* asked before each: true ends what is under way with SL_LIMIT; NULL: never */
  void *context;
};

enum sl_tool_output {
  SL_OUTPUT_LOGGED, /* what the tool writes is added to the log */
  SL_OUTPUT_PASSED, /* its standard output is this process's own: the caller has asked for that */
};

/* Runs the command and waits for it. SL_USAGE when it cannot be found, with the package that has it, or fails. */
enum sl_status sl_tools_run(struct sl_tools *tools, const struct sl_words *words, enum sl_tool_output output,
                            struct sl_error *err);

/* Makes a new folder for temporary files, below $TMPDIR or /tmp. */
enum sl_status sl_make_folder(char *path, size_t size, struct sl_error *err);

#endif
