#include "cli/silicon/silicon.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/keys.h"
#include "observe/json.h"
#include "observe/terminal.h"

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
