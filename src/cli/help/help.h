/* What simtlab tells about itself: help texts, completions, its vocabulary. */
#ifndef SL_CLI_HELP_HELP_H
#define SL_CLI_HELP_HELP_H

#include <jansson.h>
#include <stdio.h>

#include "cli/options.h"
#include "machine/machine.h"

/* ---- help texts -------------------------------------------------------------------------------------------------- */

/* The --help texts of simtlab and of its commands, wrapped to the terminal's width. */

void sl_help_print(const struct sl_command *command, const struct sl_option *options);

/* Prints the commands and their conventions; the list ends with NULL. */
void sl_help_overview(const struct sl_command *const *commands);

enum { SL_PARAGRAPH = 2048 };

/* Takes the next paragraph of a command's details, joined into one line; NULL at the end. An indented line, as in a
 * list, is a paragraph of its own and keeps its indent. */
const char *sl_help_paragraph(const char *details, char text[SL_PARAGRAPH]);

/* Conventions of all commands, for --help and the manual pages: common options, exit statuses, environment. */

struct sl_convention {
  const char *name;
  const char *meaning;
};

/* The options that a command shares with others; all of them for NULL. */
const struct sl_option *sl_common_options(const struct sl_command *command);

/* Each list ends with a NULL name. */
extern const struct sl_convention sl_exit_statuses[], sl_environment[];

/* ---- completions ------------------------------------------------------------------------------------------------- */

/* Shell completions: commands, options, and their values. */

/* Prints the script for "bash", "zsh" or "fish". */
enum sl_status sl_completion_print(const char *shell, struct sl_error *err);

/* Prints what completes the last of the words after `simtlab`: a line with '-' and the letters of what else can, f for
 * files, d for folders, n for a list with commas, a for a name before '='; then the words, with their meanings after
 * tabs. The list of commands ends with NULL. */
enum sl_status sl_complete(char *const *words, int count, const struct sl_command *const *commands,
                           struct sl_error *err);

/* Prints the words of a list, one per line. */
enum sl_status sl_print_list(const char *name, const struct sl_command *const *commands, struct sl_error *err);

/* ---- vocabulary -------------------------------------------------------------------------------------------------- */

/* The vocabulary of simtlab: glossary terms, keys, counters, stall reasons, columns and statuses, each with the text of
 * the table that declares it. */

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

/* ---- papers ------------------------------------------------------------------------------------------------------ */

/* Names of the papers; ends with NULL. */
extern const char *const sl_papers[];

/* Provenance of results (JSON, HTML) and the text of --version. */

/* Provenance: build, sources, command line, host and time. Each result file also records the machine's keys and the
 * program's hash. */
enum { SL_COMMAND_LINE_MAX = 2000 };

struct sl_provenance {
  const char *version, *compiler;
  const char *build;  /* build type and enabled checks */
  const char *commit; /* with "+changes" if the sources were modified; "unknown" outside a repository */
  char command[SL_COMMAND_LINE_MAX];
  char system[256]; /* host's operating system, release, and architecture */
  char date[32];    /* UTC, for example 2026-01-31T12:00:00Z */
};

/* SOURCE_DATE_EPOCH overrides the date, so results can be reproduced bit for bit. */
struct sl_provenance sl_provenance(void);

/* Adds the provenance to a JSON result under "host"; equal runs differ only there. Returns the result, also if it is
 * NULL for lack of memory. */
json_t *sl_with_provenance(json_t *result);

/* Formats the provenance as one line. */
struct sl_origin {
  char text[SL_COMMAND_LINE_MAX + 800];
};
struct sl_origin sl_provenance_text(void);

/* Ends an HTML page (observe/html.h) with the provenance. */
void sl_provenance_html_end(FILE *file);

#endif
