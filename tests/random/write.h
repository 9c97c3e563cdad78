/* Writing assembly, shared by the writers. */
#ifndef RND_WRITE_H
#define RND_WRITE_H

#include "program.h"

struct writer {
  const struct rnd_program *program;
  FILE *file;
  const char *broken; /* mnemonic with a wrong result on the SM in loops, or NULL */
  unsigned *labels;   /* used so far in this file */
};

static inline unsigned rnd_new_label(const struct writer *w)
{
  return (*w->labels)++;
}

void rnd_write_statements(const struct writer *w);

#endif
