/* Provenance of results (JSON, HTML) and the text of --version. */
#ifndef SL_CLI_HELP_PROVENANCE_H
#define SL_CLI_HELP_PROVENANCE_H

#include <jansson.h>
#include <stdio.h>

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
