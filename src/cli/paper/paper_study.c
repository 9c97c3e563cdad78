#include "cli/paper/paper_study.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab/study.h"

static const struct {
  const char *name, *text;
} studies[] = {
#include "studies.inc"
};
enum { STUDIES = sizeof studies / sizeof studies[0] };

struct sl_paper_study {
  struct sl_study study;
  struct sl_paper_config *configs;
};

static enum sl_status take(struct sl_paper_config *config, const struct sl_study *study, size_t i, struct sl_error *err)
{
  const struct sl_study_machine *machine = &study->machine[i];
  if (machine->keys.count > SL_PAPER_SETS)
    return sl_fail(err, SL_USAGE, "%.250s:%zu: a paper changes at most %d keys of a machine", study->origin,
                   machine->keys.lines[SL_PAPER_SETS], SL_PAPER_SETS);
  *config = (struct sl_paper_config){
      .name = study->machines.list[i], .about = machine->about, .preset = machine->base, .form = machine->form};
  for (size_t k = 0; k < machine->keys.count; k++)
    config->set[k] = machine->keys.list[k];
  return SL_OK;
}

/* The set of benchmarks that a machine runs, and the machine that it is compared with. */
static void complete(struct sl_paper_config *config, const struct sl_study *study, size_t i,
                     const char *(*choice)(size_t index))
{
  const struct sl_study_machine *machine = &study->machine[i];
  config->benchmarks = machine->programs.count == 0 ? ~0u : 0;
  for (uint64_t p = 0; p < machine->programs.count; p++)
    for (size_t b = 0; choice != NULL && choice(b) != NULL; b++)
      if (strcmp(choice(b), machine->programs.list[p]) == 0)
        config->benchmarks |= 1u << b;
  for (unsigned m = 0; machine->compare != NULL && m < study->machines.count; m++)
    if (strcmp(study->machines.list[m], machine->compare) == 0)
      config->base = m;
}

enum sl_status sl_paper_study_open(struct sl_paper_study **from, const char *name, size_t count,
                                   const char *(*choice)(size_t index), struct sl_error *err)
{
  char path[80];
  size_t i = 0;
  while (i < STUDIES && strcmp(studies[i].name, name) != 0)
    i++;
  if (i == STUDIES)
    return sl_fail(err, SL_USAGE, "the command has no study '%s'", name);
  struct sl_paper_study *paper = *from = calloc(1, sizeof *paper);
  if (paper == NULL)
    return sl_no_memory(err, sizeof *paper);
  snprintf(path, sizeof path, "studies/%.60s.yaml", name);
  enum sl_status code = sl_study_parse(&paper->study, path, studies[i].text, strlen(studies[i].text), NULL, err);
  if (code == SL_OK && paper->study.machines.count != count)
    code = sl_fail(err, SL_USAGE, "%s: the paper compares %zu machines", path, count);
  paper->configs = calloc(count, sizeof *paper->configs);
  if (code == SL_OK && paper->configs == NULL)
    code = sl_no_memory(err, count * sizeof *paper->configs);
  for (size_t c = 0; c < count && code == SL_OK; c++) {
    code = take(&paper->configs[c], &paper->study, c, err);
    if (code == SL_OK)
      complete(&paper->configs[c], &paper->study, c, choice);
  }
  return code;
}

const struct sl_paper_config *sl_paper_study_configs(const struct sl_paper_study *from)
{
  return from != NULL ? from->configs : NULL;
}

void sl_paper_study_close(struct sl_paper_study *from)
{
  if (from == NULL)
    return;
  free(from->configs);
  sl_study_free(&from->study);
  free(from);
}
