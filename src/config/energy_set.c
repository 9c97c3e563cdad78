#include "config/config.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "config/yaml.h"

#define FIGURES "picojoules."
#define WATTS "watts."

const char *const sl_power_kinds[SL_POWER_KINDS] = {
#define POWER(id, name, meaning) [SL_POWER_##id] = name,
#include "config/power_kinds.def"
#undef POWER
};

static const struct {
  const char *name, *text;
} sets[] = {
#include "energy_sets.inc"
};

size_t sl_energy_set_count(void)
{
  return sizeof sets / sizeof sets[0];
}

const char *sl_energy_set_name(size_t i)
{
  return sets[i].name;
}

static enum sl_status unknown_event(const char *name, struct sl_error *err)
{
  struct sl_nearest nearest;
  sl_nearest_begin(&nearest, name);
  for (unsigned i = 0; i < SL_ENERGY_EVENTS; i++)
    sl_nearest_offer(&nearest, sl_energy_events[i].name);
  if (nearest.name != NULL)
    return sl_fail(err, SL_USAGE, "no event '%.80s'; did you mean '%s'?", name, nearest.name);
  return sl_fail(err, SL_USAGE, "no event '%.80s'; docs/explanation/energy.md lists them", name);
}

static enum sl_status set_figure(struct sl_energy_set *set, const char *name, const char *value, struct sl_error *err)
{
  unsigned event = 0;
  while (event < SL_ENERGY_EVENTS && strcmp(sl_energy_events[event].name, name) != 0)
    event++;
  if (event == SL_ENERGY_EVENTS)
    return unknown_event(name, err);
  char *end;
  const double figure = strtod(value, &end);
  if (end == value || *end != '\0' || !isfinite(figure) || figure < 0)
    return sl_fail(err, SL_USAGE, "'%.80s' is not an energy in picojoules, such as 14.2", value);
  set->known[event] = true;
  set->picojoules[event] = figure;
  return SL_OK;
}

/* The place of a figure of power, such as "constant" or "float.first"; NULL: there is none. */
static double *power_figure(struct sl_power_set *power, const char *name)
{
  const char *dot = strchr(name, '.');
  if (dot == NULL)
    return strcmp(name, "sms") == 0        ? &power->sms
           : strcmp(name, "constant") == 0 ? &power->constant
           : strcmp(name, "idle_sm") == 0  ? &power->idle_sm
                                           : NULL;
  for (unsigned i = 0; i < SL_POWER_KINDS; i++)
    if (strncmp(name, sl_power_kinds[i], (size_t)(dot - name)) == 0 && sl_power_kinds[i][dot - name] == '\0')
      return strcmp(dot, ".first") == 0 ? &power->first[i] : strcmp(dot, ".further") == 0 ? &power->further[i] : NULL;
  return NULL;
}

static enum sl_status set_power(struct sl_energy_set *set, const char *name, const char *value, struct sl_error *err)
{
  double *figure = power_figure(&set->power, name);
  char *end;
  if (figure == NULL)
    return sl_fail(err, SL_USAGE, "no power '%.80s'; docs/explanation/energy.md lists them", name);
  *figure = strtod(value, &end);
  if (end == value || *end != '\0' || !isfinite(*figure) || *figure < 0)
    return sl_fail(err, SL_USAGE, "'%.80s' is not a power in watts, such as 32.3", value);
  set->power.known = true;
  return SL_OK;
}

static enum sl_status apply(struct sl_energy_set *set, const struct sl_yaml_entry *entry, struct sl_error *err)
{
  if (strncmp(entry->name, FIGURES, sizeof FIGURES - 1) == 0)
    return set_figure(set, entry->name + sizeof FIGURES - 1, entry->value, err);
  if (strncmp(entry->name, WATTS, sizeof WATTS - 1) == 0)
    return set_power(set, entry->name + sizeof WATTS - 1, entry->value, err);
  if (strcmp(entry->name, "summary") == 0)
    snprintf(set->summary, sizeof set->summary, "%s", entry->value);
  else if (strcmp(entry->name, "source") == 0)
    snprintf(set->source, sizeof set->source, "%s", entry->value);
  else
    return sl_fail(err, SL_USAGE, "unknown name '%s'; a set of energies has summary, source, picojoules and watts",
                   entry->name);
  return SL_OK;
}

/* Rejects energies without a source. */
static enum sl_status check(const struct sl_energy_set *set, const char *origin, struct sl_error *err)
{
  bool any = false;
  for (unsigned i = 0; i < SL_ENERGY_EVENTS; i++)
    any |= set->known[i];
  if (!any)
    return sl_fail(err, SL_USAGE, "%.200s: has no energies; write them below 'picojoules:'", origin);
  if (set->power.known && set->power.sms < 1)
    return sl_fail(err, SL_USAGE, "%.200s: watts without the number of SMs; write 'sms: ...'", origin);
  if (set->source[0] == '\0')
    return sl_fail(err, SL_USAGE, "%.200s: names no source of its energies; write 'source: ...'", origin);
  return SL_OK;
}

/* Opens a set from text. Messages use `origin` as the file name. */
static enum sl_status energy_set_parse(struct sl_energy_set *set, const char *origin, const char *text, size_t size,
                                       struct sl_error *err)
{
  struct sl_yaml yaml;
  *set = (struct sl_energy_set){0};
  sl_name_of_file(origin, set->name);
  enum sl_status code = sl_yaml_read(&yaml, origin, text, size, err);
  for (size_t i = 0; code == SL_OK && i < yaml.count; i++) {
    code = apply(set, &yaml.entries[i], err);
    if (code != SL_OK)
      sl_error_prefix(err, "%.200s:%zu: ", origin, yaml.entries[i].line);
  }
  sl_yaml_free(&yaml);
  return code == SL_OK ? check(set, origin, err) : code;
}

static enum sl_status unknown_set(const char *name, struct sl_error *err)
{
  char all[200] = "";
  for (size_t i = 0; i < sl_energy_set_count(); i++) {
    const size_t used = strlen(all);
    snprintf(all + used, sizeof all - used, "%s%s", used > 0 ? ", " : "", sets[i].name);
  }
  return sl_fail(err, SL_USAGE,
                 "no set of energies named '%.80s'; there are %s. A file needs a '/' or .yaml in its name", name, all);
}

enum sl_status sl_energy_set_open(struct sl_energy_set *set, const char *name_or_file, struct sl_error *err)
{
  for (size_t i = 0; i < sl_energy_set_count(); i++)
    if (strcmp(sets[i].name, name_or_file) == 0)
      return energy_set_parse(set, sets[i].name, sets[i].text, strlen(sets[i].text), err);
  if (!sl_is_file_name(name_or_file))
    return unknown_set(name_or_file, err);
  char *text;
  size_t size;
  enum sl_status code = sl_read_text(name_or_file, &text, &size, err);
  if (code == SL_OK)
    code = energy_set_parse(set, name_or_file, text, size, err);
  free(text);
  return code;
}
