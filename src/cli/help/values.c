#include "cli/help/values.h"

#include <stdio.h>
#include <string.h>

#include "cli/explain/terms.h"
#include "cli/paper/paper.h"
#include "config/energy_set.h"
#include "config/machine_files.h"
#include "observe/commit_log.h"

static const struct sl_values all[] = {
    {.argument = "NAME|FILE", .list = "machines", .files = true},
    {.argument = "MACHINE", .list = "machines", .files = true},
    {.argument = "SET|FILE", .list = "energies", .files = true},
    {.argument = "M,M,...", .list = "machines", .files = true, .several = true},
    {.argument = "KEY=VALUE", .list = "keys", .assigned = true},
    {.argument = "KEY", .list = "keys"},
    {.argument = "KEY,...", .list = "keys", .several = true},
    {.argument = "NAME,...", .list = "benchmarks", .several = true},
    {.argument = "FIELD", .list = "fields"},
    {.argument = "PAPER", .list = "papers"},
    {.argument = "COMMAND", .list = "commands"},
    {.argument = "TERM", .list = "terms"},
    {.argument = "DIR", .folders = true},
    {.argument = "FILE", .files = true},
    {.argument = "NAME=FILE", .files = true},
    {.argument = "WHERE FILE", .files = true},
};

const struct sl_values *sl_values_of(const char *argument)
{
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
    if (strcmp(all[i].argument, argument) == 0)
      return &all[i];
  return NULL;
}

const struct sl_values *sl_operand_values(const struct sl_command *command, unsigned number)
{
  static const struct sl_values files = {.argument = "FILE", .files = true};
  const char *argument = number < SL_NAMED_OPERANDS ? command->operand[number] : NULL;
  return argument != NULL ? sl_values_of(argument) : &files;
}

bool sl_is_choice(const char *argument)
{
  return strchr(argument, '|') != NULL && strspn(argument, "abcdefghijklmnopqrstuvwxyz-|") == strlen(argument);
}

const char *sl_choice_words(const char *argument, char words[128])
{
  words[0] = '\0';
  if (argument == NULL || !sl_is_choice(argument))
    return words;
  snprintf(words, 128, "%s", argument);
  for (char *c = words; *c != '\0'; c++)
    if (*c == '|')
      *c = ' ';
  return words;
}

static void print_machines(const struct sl_command *const *commands)
{
  (void)commands;
  for (size_t i = 0; i < sl_preset_count(); i++)
    puts(sl_preset_name(i));
  struct sl_machine_files files;
  sl_machine_files_read(&files, NULL);
  for (size_t i = 0; i < files.count; i++)
    if (!files.file[i].hidden)
      puts(files.file[i].name);
  sl_machine_files_free(&files);
}

static void print_energies(const struct sl_command *const *commands)
{
  (void)commands;
  for (size_t i = 0; i < sl_energy_set_count(); i++)
    puts(sl_energy_set_name(i));
}

/* Keys of all pipelines, each once. */
static void print_keys(const struct sl_command *const *commands)
{
  (void)commands;
  for (size_t m = 0; sl_machines[m] != NULL; m++)
    for (size_t k = 0; k < sl_machines[m]->keys->count; k++) {
      const char *name = sl_machines[m]->keys->key[k].name;
      bool earlier = false;
      for (size_t e = 0; e < m; e++)
        earlier = earlier || sl_key_find(sl_machines[e]->keys, name) != NULL;
      if (!earlier)
        puts(name);
    }
}

static void print_benchmarks(const struct sl_command *const *commands)
{
  (void)commands;
  for (size_t i = 0; i < sl_every_suite.count; i++)
    puts(sl_every_suite.benchmark[i].name);
}

static void print_fields(const struct sl_command *const *commands)
{
  (void)commands;
  for (unsigned f = 0; f < SL_COMMIT_FIELDS; f++)
    puts(sl_commit_field_names[f]);
}

static void print_papers(const struct sl_command *const *commands)
{
  (void)commands;
  for (size_t i = 0; sl_papers[i] != NULL; i++)
    puts(sl_papers[i]->name);
}

/* Terms of one word, because completions split at blanks. */
static void print_term(void *context, const struct sl_term *term)
{
  (void)context;
  if (strchr(term->name[0], ' ') == NULL)
    puts(term->name[0]);
}

static void print_terms(const struct sl_command *const *commands)
{
  (void)commands;
  sl_terms_visit(print_term, NULL);
}

static void print_commands(const struct sl_command *const *commands)
{
  for (; *commands != NULL; commands++)
    puts((*commands)->name);
}

static const struct list {
  const char *name;
  void (*print)(const struct sl_command *const *commands);
} lists[] = {{"machines", print_machines},     {"energies", print_energies}, {"keys", print_keys},
             {"benchmarks", print_benchmarks}, {"fields", print_fields},     {"papers", print_papers},
             {"commands", print_commands},     {"terms", print_terms}};

enum { LISTS = sizeof lists / sizeof lists[0] };

enum sl_status sl_print_list(const char *name, const struct sl_command *const *commands, struct sl_error *err)
{
  const char *names[LISTS];
  for (size_t i = 0; i < LISTS; i++) {
    names[i] = lists[i].name;
    if (strcmp(names[i], name) == 0) {
      lists[i].print(commands);
      return SL_OK;
    }
  }
  return sl_unknown(err, "list", name, names, LISTS);
}
