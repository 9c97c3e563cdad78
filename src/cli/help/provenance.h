/* What this command says of itself in results (JSON) and with --version. */
#ifndef SL_CLI_HELP_PROVENANCE_H
#define SL_CLI_HELP_PROVENANCE_H

#include <jansson.h>
#include <stdio.h>

/* Where a result comes from: what made it, of which sources, how it was called, on what and when. The machine with all
 * its keys and the program with its hash are beside it in every file. */
enum { SL_COMMAND_LINE_MAX = 2000 };

struct sl_provenance {
  const char *version, *compiler;
  const char *build;  /* its type, and what is checked in it */
  const char *commit; /* with "+changes" when the sources had some, "unknown" outside a repository */
  char command[SL_COMMAND_LINE_MAX];
  char system[256]; /* of the host: operating system, its release, architecture */
  char date[32];    /* UTC, as in 2026-01-31T12:00:00Z */
};

/* The date is that of SOURCE_DATE_EPOCH if it is set, so that results can be made again bit for bit. */
struct sl_provenance sl_provenance(void);

/* Says it in a result, an object: under "host", which is all that two equal runs differ in. Returns the result, also
 * when it is NULL for lack of memory. */
json_t *sl_with_provenance(json_t *result);

/* All of it in one line of text. */
struct sl_origin {
  char text[SL_COMMAND_LINE_MAX + 800];
};
struct sl_origin sl_provenance_text(void);

/* Ends an HTML page (observe/html.h) with it. */
void sl_provenance_html_end(FILE *file);

#endif
