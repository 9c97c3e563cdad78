/* simtlab machines lists the machines; simtlab show lists the keys of one. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/options.h"
#include "config/config.h"
#include "observe/figures.h"
#include "observe/terminal.h"

/* A row; an unusable machine shows the error instead of its summary. */
static void add_row(struct sl_table *table, const char *name, const char *file, const char *from, bool hidden)
{
  struct sl_config config;
  struct sl_error error = {0};
  const enum sl_status code = sl_config_open(&config, file, &error);
  sl_table_cell(table, "%s", name);
  sl_table_tone(table, code == SL_OK && !hidden ? SL_TONE_STRONG : SL_TONE_BAD);
  sl_table_cell(table, "%s", code == SL_OK ? config.machine->name : "");
  if (from != NULL)
    sl_table_cell(table, "%s", from);
  if (hidden)
    sl_table_cell(table, "not used: the name is taken");
  else
    sl_table_cell(table, "%s", code == SL_OK ? config.summary : error.text);
  if (code == SL_OK)
    sl_config_close(&config);
}

static int compare_names(const void *a, const void *b)
{
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static enum sl_status add_presets(struct sl_table *table, const char *from, struct sl_error *err)
{
  size_t count = sl_preset_count();
  const char **names = calloc(count, sizeof *names);
  if (names == NULL)
    return sl_no_memory(err, count * sizeof *names);
  for (size_t i = 0; i < count; i++)
    names[i] = sl_preset_name(i);
  qsort(names, count, sizeof *names, compare_names);
  for (size_t i = 0; i < count; i++)
    add_row(table, names[i], names[i], from, false);
  free(names);
  return SL_OK;
}

static bool is_preset(const char *name)
{
  for (size_t i = 0; i < sl_preset_count(); i++)
    if (strcmp(sl_preset_name(i), name) == 0)
      return true;
  return false;
}

static void add_files(struct sl_table *table, const struct sl_machine_files *files)
{
  for (size_t i = 0; i < files->count; i++) {
    const struct sl_machine_file *file = &files->file[i];
    char path[SL_MACHINE_PATH];
    snprintf(path, sizeof path, "%s/%s.yaml", file->folder, file->name);
    add_row(table, file->name, path, file->folder, file->hidden || is_preset(file->name));
  }
}

/* Shows where machines come from only if the user has some. */
static enum sl_status list_machines(struct sl_error *err)
{
  static const char *const titles[] = {"machine", "pipeline", "summary", NULL};
  static const char *const all_titles[] = {"machine", "pipeline", "from", "summary", NULL};
  struct sl_machine_files files;
  struct sl_table table;
  struct sl_error unread = {0};
  const enum sl_status read = sl_machine_files_read(&files, &unread);
  sl_table_init(&table, files.count > 0 ? all_titles : titles);
  enum sl_status code = add_presets(&table, files.count > 0 ? "preset" : NULL, err);
  add_files(&table, &files);
  if (code == SL_OK)
    sl_table_print(&table, stdout);
  sl_table_free(&table);
  sl_machine_files_free(&files);
  if (code == SL_OK && read != SL_OK)
    *err = unread;
  return code == SL_OK ? read : code;
}

static enum sl_status machines_command(const struct sl_command *command, int argc, char **argv, struct sl_error *err)
{
  static const struct sl_option options[] = {{0}};
  struct sl_operands operands;
  enum sl_status code = sl_options_parse(command, options, argc, argv, &operands, err);
  if (code != SL_OK || operands.help)
    return code;
  if (operands.count > 0)
    return sl_fail(err, SL_USAGE, "machines takes no operand; simtlab show %.80s lists the keys of one",
                   operands.items[0]);
  return list_machines(err);
}

struct shown_key {
  char value[64], range[160];
};

static struct shown_key describe(const struct sl_key *key, const struct sl_config *config)
{
  struct shown_key shown;
  sl_key_format(key, sl_key_value(key, config->spec), shown.value, sizeof shown.value);
  sl_key_range(key, shown.range, sizeof shown.range);
  return shown;
}

static void show_key(const struct sl_key *key, const struct sl_config *config)
{
  struct shown_key shown = describe(key, config);
  char fallback[64];
  sl_key_format(key, key->fallback, fallback, sizeof fallback);
  const char *const lines[][2] = {{"key", key->name},     {"value", shown.value}, {"unit", key->unit},
                                  {"range", shown.range}, {"default", fallback},  {"meaning", key->meaning},
                                  {"source", key->source}};
  for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
    sl_print_lines(stdout, 9, "%s:%*s%s", lines[i][0], (int)(8 - strlen(lines[i][0])), "", lines[i][1]);
}

/* Storage of the register file, if the machine's keys define it. */
static void show_storage(const struct sl_config *config)
{
  struct sl_register_storage file;
  char bits[32];
  if (!sl_storage_of(config, &file))
    return;
  sl_print(stdout, "register file storage: %s bits", sl_grouped(sl_storage_bits(&file), bits));
  if (file.compressed) {
    const double compressed = (double)sl_storage_bits(&file);
    file.compressed = false;
    sl_print(stdout, " (%.0f %% of a plain one's %s)", 100 * compressed / (double)sl_storage_bits(&file),
             sl_grouped(sl_storage_bits(&file), bits));
  }
  putchar('\n');
}

/* Two lines per key: a table with the meanings would not fit a terminal. */
static void show_all(const struct sl_config *config)
{
  const struct sl_keys *keys = config->machine->keys;
  sl_print_lines(stdout, 2, "%s: %s", config->name, config->summary);
  sl_print(stdout, "pipeline %s, %zu keys\n", config->machine->name, keys->count);
  show_storage(config);
  putchar('\n');
  for (size_t i = 0; i < keys->count; i++) {
    const struct sl_key *key = &keys->key[i];
    struct shown_key shown = describe(key, config);
    char value[96];
    snprintf(value, sizeof value, "%s %s", shown.value, key->unit);
    sl_print_lines(stdout, 4, "%-25s = %-20s (%s)", key->name, value, shown.range);
    sl_print_lines(stdout, 4, "    %s [%s]", key->meaning, key->source);
  }
}

/* Prints every key with its value, as a machine file. */
static void show_yaml(const struct sl_config *config)
{
  const struct sl_keys *keys = config->machine->keys;
  sl_print(stdout, "machine: %s\nsummary: \"%s\"\nkeys:\n", config->machine->name, config->summary);
  for (size_t i = 0; i < keys->count; i++) {
    const struct sl_key *key = &keys->key[i];
    struct shown_key shown = describe(key, config);
    sl_print(stdout, "  %s: %s\n", key->name, shown.value);
  }
}

static enum sl_status show(const struct sl_config *config, const char *name, struct sl_error *err)
{
  const struct sl_keys *keys = config->machine->keys;
  if (name == NULL) {
    show_all(config);
    return SL_OK;
  }
  const struct sl_key *key = sl_key_find(keys, name);
  const struct sl_key *nearest = key == NULL ? sl_key_nearest(keys, name) : NULL;
  if (nearest != NULL)
    return sl_fail(err, SL_USAGE, "machine '%s' has no key '%.80s'; did you mean '%s'?", config->name, name,
                   nearest->name);
  if (key == NULL)
    return sl_fail(err, SL_USAGE, "machine '%s' has no key '%.80s'; simtlab show %s lists its keys", config->name, name,
                   config->name);
  show_key(key, config);
  return SL_OK;
}

static enum sl_status show_command(const struct sl_command *command, int argc, char **argv, struct sl_error *err)
{
  struct sl_machine_choice choice = {0};
  bool yaml = false;
  const struct sl_option options[] = {
      SL_SET_OPTION(choice),
      {'y', "yaml", SL_OPTION_FLAG, NULL, "write a machine file with all keys", &yaml},
      {0},
  };
  struct sl_operands operands;
  struct sl_config config;
  enum sl_status code = sl_options_parse(command, options, argc, argv, &operands, err);
  if (code != SL_OK || operands.help)
    return code;
  if (operands.count < 1 || operands.count > 2)
    return sl_fail(err, SL_USAGE, "which machine? simtlab show MACHINE [KEY]; simtlab machines lists them");
  choice.machine = operands.items[0];
  code = sl_open_machine(&choice, &config, err);
  if (code != SL_OK)
    return code;
  if (yaml)
    show_yaml(&config);
  else
    code = show(&config, operands.count == 2 ? operands.items[1] : NULL, err);
  sl_config_close(&config);
  return code;
}

const struct sl_command sl_machines_command = {
    .name = "machines",
    .operands = "",
    .summary = "List the machines",
    .details = "The presets of simtlab, and the machine files in the folders of SIMTLAB_MACHINES.\n",
    .listing = true,
    .run = machines_command,
};

const struct sl_command sl_show_command = {
    .name = "show",
    .operands = "MACHINE|FILE [KEY] [OPTION]...",
    .operand = {"MACHINE", "KEY"},
    .summary = "Show a machine's keys: value, unit, range, meaning, source",
    .listing = true,
    .run = show_command,
};
