#include "cli/silicon/silicon.h"

#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/keys.h"
#include "cli/session.h"
#include "machine/sm7/sm7_spec.h"
#include "observe/energy/energy.h"
#include "observe/json.h"
#include "observe/terminal.h"

/* ---- mechanisms -------------------------------------------------------------------------------------------------- */

static const struct {
  const char *name, *keys;
} mechanisms[] = {
#define MECHANISM(name, keys) {name, keys},
#include "cli/silicon/silicon_mechanisms.def"
#undef MECHANISM
};
static const char AS_IT_IS[] = "(as the machine is)";
enum { MECHANISMS = sizeof mechanisms / sizeof *mechanisms };

static bool is_of(const char *key, const char *patterns)
{
  char pattern[64];
  for (size_t length; *patterns != '\0'; patterns += length + (patterns[length] == ' ')) {
    length = strcspn(patterns, " ");
    snprintf(pattern, sizeof pattern, "%.*s", (int)length, patterns);
    if (fnmatch(pattern, key, 0) == 0)
      return true;
  }
  return false;
}

/* Sets the mechanism's keys to their defaults; false: they are. */
static bool switch_off(struct sl_config *config, const char *patterns)
{
  const struct sl_keys *keys = config->machine->keys;
  bool any = false;
  for (size_t i = 0; i < keys->count; i++) {
    uint32_t *value = (uint32_t *)((char *)config->spec + keys->key[i].offset);
    if (!is_of(keys->key[i].name, patterns) || *value == keys->key[i].fallback)
      continue;
    *value = keys->key[i].fallback;
    any = true;
  }
  return any;
}

static enum sl_status load(struct sl_silicon_mechanism *m, const struct sl_silicon *with, const char *only,
                           struct sl_error *err)
{
  enum sl_status code = sl_config_check(&m->config, err);
  m->silicon = (struct sl_silicon){.config = &m->config, .energies = with->energies};
  return code == SL_OK ? sl_silicon_load(&m->silicon, only, err) : code;
}

enum sl_status sl_silicon_mechanisms_load(struct sl_silicon_mechanisms *all, const struct sl_silicon *with,
                                          const struct sl_machine_choice *choice, const char *only,
                                          struct sl_error *err)
{
  *all = (struct sl_silicon_mechanisms){.with = with, .mechanism = calloc(MECHANISMS, sizeof *all->mechanism)};
  if (all->mechanism == NULL)
    return sl_no_memory(err, MECHANISMS * sizeof *all->mechanism);
  for (size_t i = 0; i < MECHANISMS; i++) {
    struct sl_silicon_mechanism *m = &all->mechanism[all->count];
    enum sl_status code = sl_open_machine(choice, &m->config, err);
    if (code != SL_OK)
      return code;
    if (!switch_off(&m->config, mechanisms[i].keys)) {
      sl_config_close(&m->config);
      continue;
    }
    m->name = mechanisms[i].name;
    m->keys = mechanisms[i].keys;
    all->count++;
    code = load(m, with, only, err);
    if (code != SL_OK)
      return code;
  }
  return SL_OK;
}

void sl_silicon_mechanisms_free(struct sl_silicon_mechanisms *m)
{
  for (size_t i = 0; i < m->count; i++) {
    sl_silicon_free(&m->mechanism[i].silicon);
    sl_config_close(&m->mechanism[i].config);
  }
  free(m->mechanism);
}

/* Rows are printed one at a time, so the width of the names comes first. */
static int width(const struct sl_silicon_mechanisms *m)
{
  size_t most = strlen(AS_IT_IS);
  for (size_t i = 0; i < m->count; i++)
    most = strlen(m->mechanism[i].name) > most ? strlen(m->mechanism[i].name) : most;
  return (int)most;
}

static void print(FILE *file, int names, const char *name, const struct sl_silicon *s, const char *change)
{
  const struct sl_silicon_errors *e = &s->cycles_of_all;
  sl_print(file, "%-*s  %13.1f  %6s  %6.1f  %zu of %zu\n", names, name, e->mean, change, e->median, s->cycles.count,
           e->count);
}

void sl_silicon_mechanisms_title(const struct sl_silicon_mechanisms *m, FILE *file)
{
  const int names = width(m);
  sl_print(file, "\n%-*s  %13s  %6s  %6s  %s\n", names, "without", "mean error, %", "change", "median", "same kernels");
  print(file, names, AS_IT_IS, m->with, "");
}

void sl_silicon_mechanism_print(const struct sl_silicon_mechanisms *m, size_t index, FILE *file)
{
  const struct sl_silicon *s = &m->mechanism[index].silicon;
  char change[16];
  snprintf(change, sizeof change, "%+.1f", s->cycles_of_all.mean - m->with->cycles_of_all.mean);
  print(file, width(m), m->mechanism[index].name, s, change);
}

json_t *sl_silicon_mechanisms_json(const struct sl_silicon_mechanisms *m)
{
  json_t *rows = json_array();
  for (size_t i = 0; i < m->count; i++) {
    const struct sl_silicon *s = &m->mechanism[i].silicon;
    sl_json_append(&rows,
                   SL_JSON({"without", json_string(m->mechanism[i].name)}, {"keys", json_string(m->mechanism[i].keys)},
                           {"kernels", json_integer((json_int_t)s->cycles_of_all.count)},
                           {"same", json_integer((json_int_t)s->cycles.count)},
                           {"mean", json_real(s->cycles_of_all.mean)}, {"median", json_real(s->cycles_of_all.median)}));
  }
  return rows;
}

/* ---- records of runs --------------------------------------------------------------------------------------------- */

const struct sl_silicon_words sl_silicon_figures[SL_SILICON_FIGURES] = {
#define FIGURE(id, name, plus, minus, identifies) {name, plus, minus, identifies},
#include "cli/silicon/silicon_figures.def"
#undef FIGURE
};

static enum sl_status add(struct sl_silicon *s, const json_t *record, struct sl_error *err)
{
  const json_t *figures = json_object_get(record, "figures"), *launches = json_object_get(record, "launches");
  struct sl_silicon_kernel *k = &s->kernels[s->count++];
  *k = (struct sl_silicon_kernel){.name = json_string_value(json_object_get(record, "name")),
                                  .suite = json_string_value(json_object_get(record, "suite")),
                                  .runs = &s->runs[s->run_count],
                                  .count = json_array_size(launches),
                                  .silicon_watts = json_number_value(json_object_get(record, "watts"))};
  for (unsigned f = 0; f < SL_SILICON_FIGURES; f++)
    k->silicon[f] = json_number_value(json_object_get(figures, sl_silicon_figures[f].name));
  for (size_t i = 0; i < k->count; i++)
    s->runs[s->run_count++].name = json_string_value(json_array_get(launches, i));
  for (size_t i = 0; i < k->count; i++)
    if (k->runs[i].name == NULL)
      k->count = 0;
  return k->name != NULL && k->suite != NULL && k->count > 0
             ? SL_OK
             : sl_fail(err, SL_USAGE, "reference/silicon/v100.json: kernel %zu has no name, suite or launches",
                       s->count);
}

enum sl_status sl_silicon_load(struct sl_silicon *s, const char *only, struct sl_error *err)
{
  char path[SL_PATH];
  json_error_t json_error;
  enum sl_status code = sl_find_data("reference/silicon/v100.json", path, err);
  if (code != SL_OK)
    return code;
  s->record = json_load_file(path, 0, &json_error);
  if (s->record == NULL)
    return sl_fail(err, SL_USAGE, "%.300s:%d: %s; install the records again", path, json_error.line, json_error.text);
  const json_t *kernels = json_object_get(s->record, "kernels");
  size_t i, runs = 1;
  json_t *record;
  json_array_foreach(kernels, i, record) runs += json_array_size(json_object_get(record, "launches"));
  s->kernels = calloc(json_array_size(kernels) + 1, sizeof *s->kernels);
  s->runs = calloc(runs, sizeof *s->runs);
  if (s->kernels == NULL || s->runs == NULL)
    return sl_no_memory(err, runs * sizeof *s->runs);
  json_array_foreach(kernels, i, record)
  {
    const char *name = json_string_value(json_object_get(record, "name"));
    const bool brief = !json_is_true(json_object_get(record, "long"));
    if (code == SL_OK && (only == NULL ? brief : name == NULL || fnmatch(only, name, 0) == 0))
      code = add(s, record, err);
  }
  if (code == SL_OK && s->count == 0)
    code = sl_fail(err, SL_USAGE, "no kernel's name matches '%.100s'; simtlab silicon --list lists them",
                   only != NULL ? only : "*");
  return code;
}

void sl_silicon_free(struct sl_silicon *s)
{
  free(s->kernels);
  free(s->runs);
  json_decref(s->record);
}

double sl_silicon_error(double model, double silicon)
{
  return silicon > 0 ? 100 * (model / silicon - 1) : 0;
}

static double counter_of(const struct sl_config *config, const struct sl_silicon_run *run, const char *name)
{
  size_t counter;
  return sl_counter_find(config->machine, name, &counter) ? (double)run->counters[counter] : 0;
}

/* Traffic below a hundredth of the kernel's is no mark of it. */
static bool is_same(const struct sl_silicon_kernel *k)
{
  bool same = true;
  for (unsigned f = 0; f < SL_SILICON_FIGURES; f++)
    if (sl_silicon_figures[f].identifies && k->silicon[f] > k->silicon[SL_SILICON_L2] / 100)
      same &= fabs(sl_silicon_error(k->model[f], k->silicon[f])) <= SL_SILICON_SAME;
  return same;
}

static int ascending(const void *a, const void *b)
{
  const double *x = a, *y = b;
  return *x < *y ? -1 : *x > *y;
}

static double of_cycles(const struct sl_silicon_kernel *k)
{
  return sl_silicon_error(k->model[SL_SILICON_CYCLES], k->silicon[SL_SILICON_CYCLES]);
}

static double of_watts(const struct sl_silicon_kernel *k)
{
  return sl_silicon_error(k->watts, k->silicon_watts);
}

static struct sl_silicon_errors errors(const struct sl_silicon *s, double (*of)(const struct sl_silicon_kernel *),
                                       bool all)
{
  enum { MOST = 64 };
  double error[MOST];
  struct sl_silicon_errors e = {0};
  for (size_t i = 0; i < s->count && e.count < MOST; i++)
    if (s->kernels[i].same || (all && !s->kernels[i].failed))
      error[e.count++] = fabs(of(&s->kernels[i]));
  if (e.count == 0)
    return e;
  qsort(error, e.count, sizeof *error, ascending);
  e.median = (error[(e.count - 1) / 2] + error[e.count / 2]) / 2;
  for (size_t i = 0; i < e.count; i++)
    e.mean += error[i] / (double)e.count;
  return e;
}

/* Mean power over the runs of a kernel. Power was measured in an endless loop, whose launches overlap with kernels, so
 * the cycles before the first block do not count. */
static double watts_of(const struct sl_silicon *s, const struct sl_silicon_kernel *k)
{
  const uint64_t launch = ((const struct sl_sm7_spec *)s->config->spec)->launch_cycles;
  double joules = 0, seconds = 0;
  for (size_t r = 0; r < k->count; r++) {
    struct sl_energy energy;
    uint64_t counters[SL_MAX_COUNTERS];
    size_t cycles;
    memcpy(counters, k->runs[r].counters, sizeof counters);
    if (sl_counter_find(s->config->machine, "cycles", &cycles))
      counters[cycles] -= counters[cycles] > launch ? launch : 0;
    sl_energy_of(&energy, &s->energies, s->config, counters);
    joules += energy.total * 1e-12;
    seconds += energy.seconds;
  }
  return seconds > 0 ? joules / seconds : 0;
}

void sl_silicon_compare(struct sl_silicon *s)
{
  for (size_t i = 0; i < s->count; i++) {
    struct sl_silicon_kernel *k = &s->kernels[i];
    for (size_t r = 0; r < k->count; r++) {
      k->failed |= k->runs[r].code != SL_OK;
      for (unsigned f = 0; f < SL_SILICON_FIGURES; f++)
        k->model[f] += (counter_of(s->config, &k->runs[r], sl_silicon_figures[f].plus) -
                        counter_of(s->config, &k->runs[r], sl_silicon_figures[f].minus)) /
                       (double)k->count;
    }
    k->watts = watts_of(s, k);
    k->same = !k->failed && is_same(k);
  }
  s->cycles = errors(s, of_cycles, false);
  s->cycles_of_all = errors(s, of_cycles, true);
  s->watts = errors(s, of_watts, false);
  s->watts_of_all = errors(s, of_watts, true);
}
