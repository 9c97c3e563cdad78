/* Command-line options, GNU style: --name VALUE, --name=VALUE, -n VALUE, "--" ends them. Every sub-command has a table
 * of its options; parsing, --help, manual pages and completions of shells all come from it. */
#ifndef SL_CLI_OPTIONS_H
#define SL_CLI_OPTIONS_H

#include "cli/command.h"
#include "config/config.h"

enum sl_option_kind {
  SL_OPTION_FLAG,    /* target: bool */
  SL_OPTION_TEXT,    /* target: const char * */
  SL_OPTION_NUMBER,  /* target: uint64_t, from 1 */
  SL_OPTION_LIST,    /* target: struct sl_list, may be given several times */
  SL_OPTION_OUTPUT,  /* as a text: a file that is written */
  SL_OPTION_OUTPUTS, /* as a list: each has one behind "=" */
  SL_OPTION_PAIR     /* target: struct sl_pair; two words, the second is a file that is written */
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
  const char *name; /* "": it has a letter only */
  enum sl_option_kind kind;
  const char *argument; /* its name in the help, by which completions know what can stand there (help/values.h) */
  const char *help;
  void *target;
};

/* Whether it may be given several times. */
static inline bool sl_is_list_option(const struct sl_option *option)
{
  return option->kind == SL_OPTION_LIST || option->kind == SL_OPTION_OUTPUTS;
}

/* What is left after the options. */
struct sl_operands {
  char **items;
  int count;
  int first; /* how many of them stood in front of "--", or count */
  bool help; /* --help was given and answered; the command has nothing left to do */
};

/* Parses argv[1..]; argv is reordered. The last option of the table has a NULL name. */
enum sl_status sl_options_parse(const struct sl_command *command, const struct sl_option *options, int argc,
                                char **argv, struct sl_operands *operands, struct sl_error *err);

/* Prints the help of a sub-command to standard output, or tells the command's reader of the options. */
void sl_print_help(const struct sl_command *command, const struct sl_option *options);

/* Has a command tell the reader of its options, or print its help; `all` are the commands there are. */
enum sl_status sl_read_options(const struct sl_command *command, const struct sl_command *const *all,
                               const struct sl_option_reader *reader, struct sl_error *err);

/* The error for a word that is none of the valid ones: "unknown WHAT 'WORD'; did you mean 'NEAREST'?", or, where none
 * is near, "there are ...". */
enum sl_status sl_unknown(struct sl_error *err, const char *what, const char *word, const char *const *valid,
                          size_t count);

/* The options --machine and --set, and what they come to: a checked configuration. */
struct sl_machine_choice {
  const char *machine;
  struct sl_list set;
};

#define SL_MACHINE_OPTION(choice)                                                                                      \
  {                                                                                                                    \
    'm', "machine", SL_OPTION_TEXT, "NAME|FILE", "preset (simtlab machines) or YAML file [simtight]",                  \
        &(choice).machine                                                                                              \
  }
#define SL_SET_OPTION(choice)                                                                                          \
  {                                                                                                                    \
    's', "set", SL_OPTION_LIST, "KEY=VALUE", "change a key (simtlab show MACHINE)", &(choice).set                      \
  }

/* What is counted of a program that launches its kernels itself. */
struct sl_counting {
  bool whole_program;
  const char *region;
};

#define SL_WHOLE_OPTION(counting)                                                                                      \
  {                                                                                                                    \
    0, "whole-program", SL_OPTION_FLAG, NULL, "count main too, where it runs on the GPU", &(counting).whole_program    \
  }
#define SL_REGION_OPTION(counting)                                                                                     \
  {                                                                                                                    \
    0, "region", SL_OPTION_TEXT, "FUNCTION", "there: count the calls of a function, not kernels", &(counting).region   \
  }
#define SL_KERNEL_OPTION(choice)                                                                                       \
  {                                                                                                                    \
    'k', "kernel", SL_OPTION_TEXT, "NAME", "count the launches of this kernel only", &(choice).kernel                  \
  }

#define SL_THREADS_OPTION(threads)                                                                                     \
  {                                                                                                                    \
    0, "threads", SL_OPTION_NUMBER, "N", "threads that simulate vortex or sm7 [1]", &(threads)                         \
  }

/* How --fast executes. All ways come to the same; the plain one is there to be compared with. */
#define SL_ENGINE_OPTION(name)                                                                                         \
  {                                                                                                                    \
    0, "engine", SL_OPTION_TEXT, "NAME", "--fast: emitted|avx2|blocks|instructions [emitted]", &(name)                 \
  }

/* Of the option's value, NULL where it was not given. */
enum sl_status sl_choose_engine(const char *name, bool fast, enum sl_tier *tier, struct sl_error *err);

enum sl_status sl_open_machine(const struct sl_machine_choice *choice, struct sl_config *config, struct sl_error *err);

/* A decimal number of 64 bits, without a sign; the first moves the text behind it. */
bool sl_take_digits(const char **text, uint64_t *value);
bool sl_read_number(const char *text, uint64_t *value);

#endif
