/* Command-line options in GNU style: --name VALUE, --name=VALUE, -n VALUE; "--" ends them. Each sub-command has a table
 * of its options. Parsing, --help, manual pages and shell completions use the table. */
#ifndef SL_CLI_OPTIONS_H
#define SL_CLI_OPTIONS_H

#include "base/error.h"
#include "base/types.h"
#include "config/config.h"

/* A sub-command: its help texts and its function. */

enum { SL_NAMED_OPERANDS = 2, SL_COMMANDS_MOST = 32 };

struct sl_option;
struct sl_command;

/* Receives the options of a command instead of running it. Manual pages and completions use it. */
struct sl_option_reader {
  void (*read)(void *context, const struct sl_command *command, const struct sl_option *options);
  void *context;
};

struct sl_command {
  const char *name;
  const char *operands;                   /* for the usage line: "[OPTION]... PROGRAM.elf [ARGUMENT]..." */
  const char *summary;                    /* one line, for the list of commands */
  const char *details;                    /* further lines of the command's help, or NULL */
  const char *operand[SL_NAMED_OPERANDS]; /* kinds of the first operands (help/completion.c); NULL: files */
  bool no_tables;                         /* prints no tables, so --color does not apply */
  bool listing;                           /* only prints: a closed pipe is not an error */
  /* The caller sets both. With a reader, --help passes the options to it instead of printing them. `all` lists the
   * commands and ends with NULL. */
  const struct sl_option_reader *reader;
  const struct sl_command *const *all;
  /* argv[0] is the sub-command. An error with an empty sentence only sets the exit status. */
  enum sl_status (*run)(const struct sl_command *command, int argc, char **argv, struct sl_error *err);
};

/* Finds a command by name in a list that ends with NULL. Returns NULL with an error if there is none. */
const struct sl_command *sl_command_find(const struct sl_command *const *commands, const char *name,
                                         struct sl_error *err);

#define COMMAND(name) extern const struct sl_command sl_##name##_command;
#include "cli/commands.def"
#undef COMMAND

enum sl_option_kind {
  SL_OPTION_FLAG,    /* target: bool */
  SL_OPTION_TEXT,    /* target: const char * */
  SL_OPTION_NUMBER,  /* target: uint64_t, at least 1 */
  SL_OPTION_LIST,    /* target: struct sl_list; the option may be repeated */
  SL_OPTION_OUTPUT,  /* like a text: an output file */
  SL_OPTION_OUTPUTS, /* like a list: each item has an output file after "=" */
  SL_OPTION_PAIR     /* target: struct sl_pair; two words, the second is an output file */
};

enum { SL_LIST_MOST = 128 };

struct sl_list {
  const char *items[SL_LIST_MOST];
  size_t count;
};

struct sl_pair {
  const char *first, *second; /* NULL: not given */
};

struct sl_option {
  char letter;      /* 0: none */
  const char *name; /* "": the option has only a letter */
  enum sl_option_kind kind;
  const char *argument; /* placeholder in the help; completions derive the values from it (help/completion.c) */
  const char *help;
  void *target;
};

/* Whether the option may be repeated. */
static inline bool sl_is_list_option(const struct sl_option *option)
{
  return option->kind == SL_OPTION_LIST || option->kind == SL_OPTION_OUTPUTS;
}

/* Words that remain after the options. */
struct sl_operands {
  char **items;
  int count;
  int first; /* number of operands before "--", or count */
  bool help; /* --help was given and printed; the command has nothing more to do */
};

/* Parses argv[1..] and reorders argv. The table ends with a NULL name. */
enum sl_status sl_options_parse(const struct sl_command *command, const struct sl_option *options, int argc,
                                char **argv, struct sl_operands *operands, struct sl_error *err);

/* Prints the help of a sub-command to standard output, or passes its options to the command's reader. */
void sl_print_help(const struct sl_command *command, const struct sl_option *options);

/* Makes a command pass its options to the reader, or print its help; `all` lists the commands. */
enum sl_status sl_read_options(const struct sl_command *command, const struct sl_command *const *all,
                               const struct sl_option_reader *reader, struct sl_error *err);

/* The error for an invalid word: "unknown WHAT 'WORD'; did you mean 'NEAREST'?", or "there are ..." if no valid word is
 * near. */
enum sl_status sl_unknown(struct sl_error *err, const char *what, const char *word, const char *const *valid,
                          size_t count);

/* The options --machine and --set, and the configuration that they select; sl_open_machine() checks it. */
struct sl_machine_choice {
  const char *machine;
  struct sl_list set;
};

/* What the options of a study's commands choose of it (lab/study/study.h). */
#define SL_STUDY_OPTIONS(choice)                                                                                       \
  {0, "scale", SL_OPTION_TEXT, "NAME", "of the sizes, where the study has several", &(choice).scale},                  \
  {                                                                                                                    \
    0, "only", SL_OPTION_TEXT, "NAME,...", "only these programs", &(choice).only                                       \
  }

#define SL_MACHINE_OPTION(choice)                                                                                      \
  {                                                                                                                    \
    'm', "machine", SL_OPTION_TEXT, "NAME|FILE", "preset (simtlab machines) or YAML file [simtight]",                  \
        &(choice).machine                                                                                              \
  }
#define SL_SET_OPTION(choice)                                                                                          \
  {                                                                                                                    \
    's', "set", SL_OPTION_LIST, "KEY=VALUE", "change a key (simtlab show MACHINE)", &(choice).set                      \
  }

/* What to count of a program that launches its kernels itself. */
struct sl_counting {
  bool whole_program;
  const char *region;
};

#define SL_WHOLE_OPTION(counting)                                                                                      \
  {                                                                                                                    \
    0, "whole-program", SL_OPTION_FLAG, NULL, "also count main, where it runs on the GPU", &(counting).whole_program   \
  }
#define SL_REGION_OPTION(counting)                                                                                     \
  {                                                                                                                    \
    0, "region", SL_OPTION_TEXT, "FUNCTION", "main on the GPU: count calls of a function", &(counting).region          \
  }
#define SL_KERNEL_OPTION(choice)                                                                                       \
  {                                                                                                                    \
    'k', "kernel", SL_OPTION_TEXT, "NAME", "count only the launches of this kernel", &(choice).kernel                  \
  }

#define SL_THREADS_OPTION(threads)                                                                                     \
  {                                                                                                                    \
    0, "threads", SL_OPTION_NUMBER, "N", "threads that simulate vortex or sm7 [1]", &(threads)                         \
  }

/* Execution mode of --fast. All modes give identical results; `instructions` is the plain interpreter, for comparison.
 */
#define SL_ENGINE_OPTION(name)                                                                                         \
  {                                                                                                                    \
    0, "engine", SL_OPTION_TEXT, "NAME", "--fast: emitted|avx2|blocks|instructions [emitted]", &(name)                 \
  }

/* Parses the option's value; NULL if it was not given. */
enum sl_status sl_choose_engine(const char *name, bool fast, enum sl_execution_mode *mode, struct sl_error *err);

enum sl_status sl_open_machine(const struct sl_machine_choice *choice, struct sl_config *config, struct sl_error *err);

#endif
