#include "config/config.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/grow.h"
#include "config/yaml.h"

enum { LONGEST_PATH = 4096, DEEPEST_BASE = 8 };

struct preset {
  const char *name;
  const char *text;
};

static const struct preset presets[] = {
#include "presets.inc"
};

size_t sl_preset_count(void)
{
  return sizeof presets / sizeof presets[0];
}

const char *sl_preset_name(size_t i)
{
  return presets[i].name;
}

static enum sl_status unknown_preset(const char *name, struct sl_error *err)
{
  static const char file[] = "A configuration file needs a '/' or .yaml in its name";
  struct sl_nearest nearest;
  sl_nearest_begin(&nearest, name);
  for (size_t i = 0; i < sl_preset_count(); i++)
    sl_nearest_offer(&nearest, presets[i].name);
  struct sl_machine_files files;
  sl_machine_files_read(&files, NULL);
  for (size_t i = 0; i < files.count; i++)
    sl_nearest_offer(&nearest, files.file[i].name);
  char meant[SL_MACHINE_NAME];
  snprintf(meant, sizeof meant, "%s", nearest.name != NULL ? nearest.name : "");
  sl_machine_files_free(&files);
  if (meant[0] != '\0')
    return sl_fail(err, SL_USAGE, "no machine named '%.80s'; did you mean '%s'? %s", name, meant, file);
  return sl_fail(err, SL_USAGE, "no machine named '%.80s'; simtlab machines lists them. %s", name, file);
}

static const struct preset *find_preset(const char *name)
{
  for (size_t i = 0; i < sl_preset_count(); i++)
    if (strcmp(presets[i].name, name) == 0)
      return &presets[i];
  return NULL;
}

/* Resolves a name: a preset, or a file in a folder of custom machines. If it is both, this is an error, because the
 * name would be ambiguous. */
static enum sl_status find_named(const char *name, const struct preset **preset, char path[SL_MACHINE_PATH],
                                 struct sl_error *err)
{
  const bool file = sl_machine_file(name, path);
  *preset = find_preset(name);
  if (*preset != NULL && file)
    return sl_fail(err, SL_USAGE,
                   "'%.80s' is both a preset and, by SIMTLAB_MACHINES, %.300s; rename the file or give its path", name,
                   path);
  return *preset != NULL || file ? SL_OK : unknown_preset(name, err);
}

static const struct sl_machine *find_machine(const char *name)
{
  for (size_t i = 0; sl_machines[i] != NULL; i++)
    if (strcmp(sl_machines[i]->name, name) == 0)
      return sl_machines[i];
  return NULL;
}

static enum sl_status unknown_pipeline(const char *name, struct sl_error *err)
{
  struct sl_nearest nearest;
  char all[200] = "";
  sl_nearest_begin(&nearest, name);
  for (size_t i = 0; sl_machines[i] != NULL; i++) {
    const size_t used = strlen(all);
    sl_nearest_offer(&nearest, sl_machines[i]->name);
    snprintf(all + used, sizeof all - used, "%s%s", used > 0 ? ", " : "", sl_machines[i]->name);
  }
  if (nearest.name != NULL)
    return sl_fail(err, SL_USAGE, "no pipeline named '%.80s'; did you mean '%s'?", name, nearest.name);
  return sl_fail(err, SL_USAGE, "no pipeline named '%.80s'; there are %s", name, all);
}

static enum sl_status start_machine(struct sl_config *config, const char *name, struct sl_error *err)
{
  const struct sl_machine *machine = find_machine(name);
  if (machine == NULL)
    return unknown_pipeline(name, err);
  config->machine = machine;
  config->spec = calloc(1, machine->spec_size);
  if (config->spec == NULL)
    return sl_no_memory(err, machine->spec_size);
  sl_keys_defaults(machine->keys, config->spec);
  return SL_OK;
}

static enum sl_status parse_text(struct sl_config *config, const char *origin, const char *text, size_t size,
                                 unsigned depth, struct sl_error *err);

/* Opens a base file; its path is relative to the folder of the file that names it. */
static enum sl_status start_file(struct sl_config *config, const char *name, const char *origin, unsigned depth,
                                 struct sl_error *err)
{
  char path[LONGEST_PATH], *text;
  size_t size;
  const char *slash = strrchr(origin, '/');
  const int folder = slash != NULL && name[0] != '/' ? (int)(slash - origin + 1) : 0;
  if (snprintf(path, sizeof path, "%.*s%s", folder, origin, name) >= (int)sizeof path)
    return sl_fail(err, SL_USAGE, "%.200s: the name is too long", name);
  enum sl_status code = sl_read_text(path, &text, &size, err);
  if (code == SL_OK)
    code = parse_text(config, path, text, size, depth + 1, err);
  free(text);
  return code;
}

static enum sl_status start_base(struct sl_config *config, const char *name, const char *origin, unsigned depth,
                                 struct sl_error *err)
{
  if (depth == DEEPEST_BASE)
    return sl_fail(err, SL_USAGE, "configurations are based on each other in a cycle");
  if (sl_is_file_name(name))
    return start_file(config, name, origin, depth, err);
  const struct preset *preset;
  char path[SL_MACHINE_PATH], file[128];
  enum sl_status code = find_named(name, &preset, path, err);
  if (code != SL_OK)
    return code;
  if (preset == NULL)
    return start_file(config, path, "", depth, err);
  snprintf(file, sizeof file, "%.100s.yaml", name);
  return parse_text(config, file, preset->text, strlen(preset->text), depth + 1, err);
}

/* Opens the base or the pipeline first, independent of the order of entries. */
static enum sl_status start_config(struct sl_config *config, const char *origin, const struct sl_yaml *yaml,
                                   unsigned depth, struct sl_error *err)
{
  const struct sl_yaml_entry *base = sl_yaml_find(yaml, "base"), *machine = sl_yaml_find(yaml, "machine");
  if (base == NULL && machine == NULL)
    return sl_fail(err, SL_USAGE, "%.200s: has neither 'machine: PIPELINE' nor 'base: MACHINE'", origin);
  enum sl_status code =
      base != NULL ? start_base(config, base->value, origin, depth, err) : start_machine(config, machine->value, err);
  if (code == SL_OK && machine != NULL && strcmp(config->machine->name, machine->value) != 0) {
    base = machine;
    code =
        sl_fail(err, SL_USAGE, "pipeline '%.80s' differs from the base's, '%s'", machine->value, config->machine->name);
  }
  if (code != SL_OK)
    sl_error_prefix(err, "%.200s:%zu: ", origin, base != NULL ? base->line : machine->line);
  return code;
}

static enum sl_status apply_entry(struct sl_config *config, const struct sl_yaml_entry *entry, struct sl_error *err)
{
  if (strncmp(entry->name, "keys.", 5) == 0)
    return sl_key_set(config->machine->keys, config->spec, entry->name + 5, entry->value, err);
  if (strcmp(entry->name, "summary") == 0) {
    snprintf(config->summary, sizeof config->summary, "%.159s", entry->value);
    return SL_OK;
  }
  if (strcmp(entry->name, "base") == 0 || strcmp(entry->name, "machine") == 0)
    return SL_OK;
  if (strcmp(entry->name, "keys") == 0 && entry->value[0] == '\0')
    return SL_OK;
  if (strcmp(entry->name, "keys") == 0)
    return sl_fail(err, SL_USAGE, "'keys' holds names and values of keys, such as 'lanes: 16', not '%.80s'",
                   entry->value);
  bool is_key = sl_key_find(config->machine->keys, entry->name) != NULL;
  return sl_fail(err, SL_USAGE, "unknown name '%s'; %s", entry->name,
                 is_key ? "it is a key and belongs under 'keys:'"
                        : "a configuration has base, machine, summary and keys");
}

static enum sl_status parse_text(struct sl_config *config, const char *origin, const char *text, size_t size,
                                 unsigned depth, struct sl_error *err)
{
  struct sl_yaml yaml;
  enum sl_status code = sl_yaml_read(&yaml, origin, text, size, err);
  if (code != SL_OK)
    return code;
  code = start_config(config, origin, &yaml, depth, err);
  for (size_t i = 0; i < yaml.count && code == SL_OK; i++) {
    code = apply_entry(config, &yaml.entries[i], err);
    if (code != SL_OK)
      sl_error_prefix(err, "%.200s:%zu: ", origin, yaml.entries[i].line);
  }
  sl_yaml_free(&yaml);
  return code;
}

enum sl_status sl_config_parse(struct sl_config *config, const char *origin, const char *text, size_t size,
                               struct sl_error *err)
{
  *config = (struct sl_config){0};
  sl_name_of_file(origin, config->name);
  enum sl_status code = parse_text(config, origin, text, size, 0, err);
  if (code != SL_OK)
    sl_config_close(config);
  return code;
}

static enum sl_status open_file(struct sl_config *config, const char *path, struct sl_error *err)
{
  char *text;
  size_t size;
  enum sl_status code = sl_read_text(path, &text, &size, err);
  if (code == SL_OK)
    code = sl_config_parse(config, path, text, size, err);
  free(text);
  return code;
}

enum sl_status sl_config_open_preset(struct sl_config *config, size_t i, struct sl_error *err)
{
  return sl_config_parse(config, presets[i].name, presets[i].text, strlen(presets[i].text), err);
}

enum sl_status sl_config_open(struct sl_config *config, const char *name_or_file, struct sl_error *err)
{
  *config = (struct sl_config){0};
  if (sl_is_file_name(name_or_file))
    return open_file(config, name_or_file, err);
  const struct preset *preset;
  char path[SL_MACHINE_PATH];
  enum sl_status code = find_named(name_or_file, &preset, path, err);
  if (code != SL_OK)
    return code;
  if (preset == NULL)
    return open_file(config, path, err);
  return sl_config_open_preset(config, (size_t)(preset - presets), err);
}

enum sl_status sl_config_set(struct sl_config *config, const char *assignment, struct sl_error *err)
{
  const char *equals = strchr(assignment, '=');
  char name[SL_YAML_NAME];
  size_t length = equals != NULL ? (size_t)(equals - assignment) : 0;
  if (length == 0)
    return sl_fail(err, SL_USAGE, "'%.80s' does not set a key; write KEY=VALUE, such as lanes=16", assignment);
  snprintf(name, sizeof name, "%.*s", (int)(length < sizeof name ? length : sizeof name - 1), assignment);
  return sl_key_set(config->machine->keys, config->spec, name, equals + 1, err);
}

enum sl_status sl_config_check(const struct sl_config *config, struct sl_error *err)
{
  return config->machine->check != NULL ? config->machine->check(config->spec, err) : SL_OK;
}

void sl_config_close(struct sl_config *config)
{
  free(config->spec);
  *config = (struct sl_config){0};
}

#define VARIABLE "SIMTLAB_MACHINES"
#define ENDING ".yaml"

static const char *all_folders(void)
{
  const char *folders = getenv(VARIABLE);
  return folders != NULL ? folders : "";
}

bool sl_machine_file(const char *name, char path[SL_MACHINE_PATH])
{
  for (const char *folder = all_folders(); *folder != '\0';) {
    const size_t length = strcspn(folder, ":");
    const int n = snprintf(path, SL_MACHINE_PATH, "%.*s/%s" ENDING, (int)length, folder, name);
    if (length > 0 && n > 0 && n < SL_MACHINE_PATH && access(path, F_OK) == 0)
      return true;
    folder += length + (folder[length] == ':');
  }
  return false;
}

static bool is_hidden(const struct sl_machine_files *files, const char *name)
{
  for (size_t i = 0; i < files->count; i++)
    if (strcmp(files->file[i].name, name) == 0)
      return true;
  return false;
}

static enum sl_status add_file(struct sl_machine_files *files, const char *folder, const char *entry,
                               struct sl_error *err)
{
  const size_t length = strlen(entry), ending = sizeof ENDING - 1;
  if (length <= ending || length - ending >= SL_MACHINE_NAME || strcmp(entry + length - ending, ENDING) != 0)
    return SL_OK;
  if (!SL_GROW(files->file, files->count))
    return sl_no_memory(err, (files->count + 1) * sizeof *files->file);
  struct sl_machine_file *file = &files->file[files->count];
  *file = (struct sl_machine_file){.folder = folder};
  memcpy(file->name, entry, length - ending);
  file->hidden = is_hidden(files, file->name);
  files->count++;
  return SL_OK;
}

static enum sl_status read_folder(struct sl_machine_files *files, const char *folder, struct sl_error *err)
{
  DIR *entries = opendir(folder);
  if (entries == NULL)
    return sl_fail(err, SL_USAGE, VARIABLE ": %.200s cannot be read (%s)", folder, strerror(errno));
  enum sl_status code = SL_OK;
  for (struct dirent *entry; code == SL_OK && (entry = readdir(entries)) != NULL;)
    code = add_file(files, folder, entry->d_name, err);
  closedir(entries);
  return code;
}

static int compare_files(const void *a, const void *b)
{
  const struct sl_machine_file *x = a, *y = b;
  const int order = strcmp(x->name, y->name);
  return order != 0 ? order : x->hidden - y->hidden;
}

enum sl_status sl_machine_files_read(struct sl_machine_files *files, struct sl_error *err)
{
  enum sl_status worst = SL_OK;
  *files = (struct sl_machine_files){.folders = strdup(all_folders())};
  if (files->folders == NULL)
    return sl_no_memory(err, strlen(all_folders()) + 1);
  char *rest = files->folders;
  for (char *folder; (folder = strtok_r(rest, ":", &rest)) != NULL;) {
    const enum sl_status code = read_folder(files, folder, worst == SL_OK ? err : NULL);
    worst = worst == SL_OK ? code : worst;
  }
  if (files->count > 0)
    qsort(files->file, files->count, sizeof *files->file, compare_files);
  return worst;
}

void sl_machine_files_free(struct sl_machine_files *files)
{
  free(files->folders);
  free(files->file);
  *files = (struct sl_machine_files){0};
}

bool sl_config_value(const struct sl_config *config, const char *key, uint32_t *value)
{
  const struct sl_key *known = sl_key_find(config->machine->keys, key);
  if (known != NULL)
    *value = sl_key_value(known, config->spec);
  return known != NULL;
}

/* ---- sets of energies -------------------------------------------------------------------------------------------- */

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
