/* The configurations of a paper, from its study in studies/, which is part of the command. */
#ifndef SL_CLI_PAPER_STUDY_H
#define SL_CLI_PAPER_STUDY_H

#include "base/error.h"
#include "base/types.h"

enum { SL_PAPER_SETS = 6 };

/* A configuration: a machine with changed keys, and the variant of the programs that it runs. */
struct sl_paper_config {
  const char *name, *about;
  const char *preset, *form;
  const char *set[SL_PAPER_SETS]; /* KEY=VALUE, ending with NULL */
  unsigned benchmarks;            /* set of benchmarks that it runs; 0: all */
  unsigned base;                  /* the configuration that it is compared with */
};

struct sl_paper_study;

/* Reads the study of that name, whose `count` machines are the configurations. `choice` names the benchmarks of their
 * sets; NULL: they have none. Close it also after an error. */
enum sl_status sl_paper_study_open(struct sl_paper_study **from, const char *name, size_t count,
                                   const char *(*choice)(size_t index), struct sl_error *err);
const struct sl_paper_config *sl_paper_study_configs(const struct sl_paper_study *from);
void sl_paper_study_close(struct sl_paper_study *from);

#endif
