/* Where a result comes from: what made it, of which sources, how it was called, on what and when. The machine with all
 * its keys and the program with its hash are beside it in every file. */
#ifndef SL_OBSERVE_PROVENANCE_H
#define SL_OBSERVE_PROVENANCE_H

enum { SL_COMMAND_LINE_MAX = 2000 };

struct sl_provenance {
  const char *version, *compiler;
  const char *commit; /* with "+changes" when the sources had some, "unknown" outside a repository */
  char command[SL_COMMAND_LINE_MAX];
  char system[256]; /* of the host: operating system, its release, architecture */
  char date[32];    /* UTC, as in 2026-01-31T12:00:00Z */
};

#endif
