#include "cli/paper/r2d2/paper_r2d2.h"

#include <stdlib.h>
#include <string.h>

#include "cli/locations.h"
#include "cli/options.h"

/* Completes the chosen programs: other grids of backprop if both of its kernels were chosen, and other block sizes if
 * all programs that have them were; neither at size small. */
static void choose_varied(struct sl_r2d2_runs *runs)
{
  const bool varies = runs->machine_count == SL_R2D2_MACHINES;
  bool all = varies;
  for (size_t p = SL_R2D2_FIRST_SIZED; p < SL_R2D2_ALL; p++)
    for (size_t k = 0; k < SL_R2D2_PROGRAMS; k++)
      all &= strcmp(sl_r2d2_programs[k].name, sl_r2d2_programs[p].name) != 0 || runs->chosen[k];
  for (size_t p = SL_R2D2_PROGRAMS; p < SL_R2D2_ALL; p++)
    runs->chosen[p] = p < SL_R2D2_FIRST_SIZED ? runs->chosen[0] && runs->chosen[1] && varies : all;
}

/* Parses a list "NAME,NAME" of programs; NULL: all. */
static enum sl_status choose(struct sl_r2d2_runs *runs, struct sl_error *err)
{
  const char *names[SL_R2D2_PROGRAMS], *list = runs->order->only;
  bool any = list == NULL;
  char word[80];
  for (size_t p = 0; p < SL_R2D2_PROGRAMS; p++) {
    names[p] = sl_r2d2_programs[p].name;
    runs->chosen[p] = list == NULL;
  }
  while (list != NULL && *list != '\0') {
    const size_t length = strcspn(list, ",");
    size_t p = 0;
    snprintf(word, sizeof word, "%.*s", (int)(length < 79 ? length : 79), list);
    while (p < SL_R2D2_PROGRAMS && strcmp(names[p], word) != 0)
      p++;
    if (p == SL_R2D2_PROGRAMS)
      return sl_unknown(err, "benchmark", word, names, SL_R2D2_PROGRAMS);
    runs->chosen[p] = any = true;
    list += length + (list[length] == ',');
  }
  choose_varied(runs);
  return any ? SL_OK : sl_fail(err, SL_USAGE, "--only names no benchmark");
}

static enum sl_status print_failures(const struct sl_r2d2_runs *runs)
{
  enum sl_status worst = SL_OK;
  for (size_t p = 0; p < SL_R2D2_ALL; p++)
    for (size_t m = 0; m < runs->machine_count; m++) {
      const struct sl_r2d2_run *run = &runs->runs[p][m];
      if (run->code != SL_OK)
        fprintf(stderr, "simtlab: %s: %s\n", sl_r2d2_programs[p].name, run->error.text);
      worst = run->code > worst ? run->code : worst;
    }
  return worst;
}

static enum sl_status run_and_report(struct sl_r2d2_runs *runs, struct sl_error *err)
{
  enum sl_status code = choose(runs, err);
  if (code == SL_OK)
    code = sl_command_hash(&runs->build, err);
  if (code == SL_OK)
    code = sl_energy_set_open(&runs->energies, "titanv", err);
  if (code == SL_OK)
    code = sl_r2d2_prepare(runs, err);
  if (code == SL_OK)
    code = sl_r2d2_run(runs, err);
  if (code != SL_OK)
    return code;
  const enum sl_status worst = print_failures(runs);
  if (worst != SL_OK)
    return sl_fail(err, worst,
                   "no report is written, because it needs every run; those that passed are kept in %.300s/runs",
                   runs->order->folder);
  code = sl_r2d2_report(runs, err);
  if (code == SL_OK)
    printf("runs: %zu simulated, %zu reused\nreport: %s/index.html\n", runs->count - runs->reused, runs->reused,
           runs->order->folder);
  return code;
}

static enum sl_status reproduce(const struct sl_paper *paper, const struct sl_paper_order *order, struct sl_error *err)
{
  struct sl_r2d2_runs *runs = calloc(1, sizeof *runs);
  if (runs == NULL)
    return sl_no_memory(err, sizeof *runs);
  runs->paper = paper;
  runs->order = order;
  runs->machine_count = strcmp(order->size, "small") == 0 ? SL_R2D2_SMALL_MACHINES : SL_R2D2_MACHINES;
  const enum sl_status code = run_and_report(runs, err);
  sl_r2d2_free(runs);
  free(runs);
  return code;
}

const struct sl_paper sl_paper_r2d2 = {
    .name = "r2d2",
    .title = "D. Ha, Y. Oh and W. W. Ro, R2D2: Removing ReDunDancy Utilizing Linearity of Address Generation in GPUs",
    .reproduce = reproduce,
};
