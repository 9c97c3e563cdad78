/* The words that complete a command line. The scripts of the shells ask `simtlab help --complete` for them. */
#include "cli/help/help.h"

#include <stdio.h>
#include <string.h>

#include "cli/bench/bench.h"
#include "config/config.h"
#include "observe/commits.h"

/* ---- the scripts ------------------------------------------------------------------------------------------------- */

/* A word may have three parts: readline splits at '='. */
static const char bash[] =
    "_simtlab() {\n"
    "  local lines word=${2#=}\n"
    "  mapfile -t lines < <(\"$1\" help --complete -- \"${COMP_WORDS[@]:1:COMP_CWORD}\" 2>/dev/null)\n"
    "  COMPREPLY=(\"${lines[@]:1}\")\n"
    "  COMPREPLY=(\"${COMPREPLY[@]%%$'\\t'*}\")\n"
    "  case ${lines[0]} in *[an]*) compopt -o nospace ;; esac\n"
    "  case ${lines[0]} in *n*) word=${2##*,} ;; esac\n"
    "  case ${lines[0]} in *[fd]*)\n"
    "    compopt -o filenames\n"
    "    mapfile -t -O \"${#COMPREPLY[@]}\" COMPREPLY < <(compgen -P \"${2%\"$word\"}\" -${lines[0]:1:1} -- \"$word\") "
    ";;\n"
    "  esac\n"
    "}\n"
    "complete -F _simtlab simtlab\n";

static const char zsh[] =
    "#compdef simtlab\n"
    "_simtlab() {\n"
    "  local -a lines space\n"
    "  lines=(\"${(@f)$($words[1] help --complete -- \"${(@)words[2,CURRENT]}\" 2>/dev/null)}\")\n"
    "  local what=$lines[1]\n"
    "  lines=(\"${(@)lines[2,-1]//:/\\\\:}\")\n"
    "  lines=(\"${(@)lines/$'\\t'/:}\")\n"
    "  case $what in *[an]*) space=(-S '') ;; esac\n"
    "  _describe word lines $space\n"
    "  case $what in *f*) _files ;; *d*) _files -/ ;; esac\n"
    "}\n"
    "_simtlab \"$@\"\n";

static const char fish[] = "function __simtlab_words\n"
                           "  set -l words (commandline -opc) (commandline -ct)\n"
                           "  set -l lines (command $words[1] help --complete -- $words[2..-1] 2>/dev/null)\n"
                           "  printf '%s\\n' $lines[2..-1]\n"
                           "  switch \"$lines[1]\"\n"
                           "    case '*f*'\n"
                           "      __fish_complete_path (commandline -ct)\n"
                           "    case '*d*'\n"
                           "      __fish_complete_directories (commandline -ct)\n"
                           "  end\n"
                           "end\n"
                           "complete -c simtlab -f -a '(__simtlab_words)'\n";

static const struct shell {
  const char *name, *script;
} shells[] = {{"bash", bash}, {"zsh", zsh}, {"fish", fish}};

enum { SHELLS = sizeof shells / sizeof shells[0] };

enum sl_status sl_completion_print(const char *shell, struct sl_error *err)
{
  const char *names[SHELLS];
  for (size_t i = 0; i < SHELLS; i++) {
    names[i] = shells[i].name;
    if (strcmp(names[i], shell) == 0) {
      fputs(shells[i].script, stdout);
      return SL_OK;
    }
  }
  return sl_unknown(err, "shell", shell, names, SHELLS);
}

/* ---- lists of words ---------------------------------------------------------------------------------------------- */

/* Offers complete `word`, which ends the argument that begins at `argument`. */
struct offers {
  const struct sl_command *const *commands;
  const char *argument, *word;
  const char *back; /* follows each */
  bool meanings;    /* after tabs */
};

static void offer(const struct offers *o, const char *name, const char *meaning)
{
  const bool meant = o->meanings && meaning != NULL;
  if (strncmp(name, o->word, strlen(o->word)) == 0)
    printf("%.*s%s%s%s%s\n", (int)(o->word - o->argument), o->argument, name, o->back, meant ? "\t" : "",
           meant ? meaning : "");
}

static void offer_machines(const struct offers *o)
{
  for (size_t i = 0; i < sl_preset_count(); i++)
    offer(o, sl_preset_name(i), NULL);
  struct sl_machine_files files;
  sl_machine_files_read(&files, NULL);
  for (size_t i = 0; i < files.count; i++)
    if (!files.file[i].hidden)
      offer(o, files.file[i].name, NULL);
  sl_machine_files_free(&files);
}

static void offer_energies(const struct offers *o)
{
  for (size_t i = 0; i < sl_energy_set_count(); i++)
    offer(o, sl_energy_set_name(i), NULL);
}

/* Keys of all pipelines, each once. */
static void offer_keys(const struct offers *o)
{
  for (size_t m = 0; sl_machines[m] != NULL; m++)
    for (size_t k = 0; k < sl_machines[m]->keys->count; k++) {
      const char *name = sl_machines[m]->keys->key[k].name;
      bool earlier = false;
      for (size_t e = 0; e < m; e++)
        earlier = earlier || sl_key_find(sl_machines[e]->keys, name) != NULL;
      if (!earlier)
        offer(o, name, NULL);
    }
}

static void offer_benchmarks(const struct offers *o)
{
  for (size_t i = 0; i < sl_every_suite.count; i++)
    offer(o, sl_every_suite.benchmark[i].name, NULL);
}

static void offer_fields(const struct offers *o)
{
  for (unsigned f = 0; f < SL_COMMIT_FIELDS; f++)
    offer(o, sl_commit_field_names[f], NULL);
}

static void offer_papers(const struct offers *o)
{
  for (size_t i = 0; sl_papers[i] != NULL; i++)
    offer(o, sl_papers[i], NULL);
}

/* Terms of one word, because completions split at blanks. */
static void offer_term(void *context, const struct sl_term *term)
{
  const struct offers *o = context;
  if (strchr(term->name[0], ' ') == NULL)
    offer(o, term->name[0], NULL);
}

static void offer_terms(const struct offers *o)
{
  sl_terms_visit(offer_term, (void *)(uintptr_t)o);
}

static void offer_commands(const struct offers *o)
{
  for (size_t i = 0; o->commands[i] != NULL; i++)
    offer(o, o->commands[i]->name, o->commands[i]->summary);
}

static const struct list {
  const char *name;
  void (*offer)(const struct offers *o);
} lists[] = {{"machines", offer_machines},     {"energies", offer_energies}, {"keys", offer_keys},
             {"benchmarks", offer_benchmarks}, {"fields", offer_fields},     {"papers", offer_papers},
             {"commands", offer_commands},     {"terms", offer_terms}};

enum { LISTS = sizeof lists / sizeof lists[0] };

static const struct list *list_of(const char *name)
{
  for (size_t i = 0; i < LISTS; i++)
    if (strcmp(lists[i].name, name) == 0)
      return &lists[i];
  return NULL;
}

enum sl_status sl_print_list(const char *name, const struct sl_command *const *commands, struct sl_error *err)
{
  const char *names[LISTS];
  const struct list *list = list_of(name);
  for (size_t i = 0; i < LISTS; i++)
    names[i] = lists[i].name;
  if (list == NULL)
    return sl_unknown(err, "list", name, names, LISTS);
  list->offer(&(struct offers){commands, "", "", "", false});
  return SL_OK;
}

/* ---- values ------------------------------------------------------------------------------------------------------ */

/* What a value can be, by the placeholder in the help: words of a list; `also`: f files, d folders, n further words
 * after a comma, a a value after '='. */
static const struct values {
  const char *argument, *list, *also;
} all[] = {
    {"NAME|FILE", "machines", "f"},
    {"MACHINE", "machines", "f"},
    {"SET|FILE", "energies", "f"},
    {"M,M,...", "machines", "fn"},
    {"KEY=VALUE", "keys", "a"},
    {"KEY", "keys", ""},
    {"KEY,...", "keys", "n"},
    {"NAME,...", "benchmarks", "n"},
    {"FIELD", "fields", ""},
    {"PAPER", "papers", ""},
    {"COMMAND", "commands", ""},
    {"TERM", "terms", ""},
    {"DIR", NULL, "d"},
    {"FILE", NULL, "f"},
    {"NAME=FILE", NULL, "f"},
    {"WHERE FILE", NULL, "f"},
};

/* A placeholder in lower case with | is its own list of choices. */
static bool is_choice(const char *argument)
{
  return strchr(argument, '|') != NULL && strspn(argument, "abcdefghijklmnopqrstuvwxyz-|") == strlen(argument);
}

static void offer_choices(const struct offers *o, const char *argument)
{
  char words[128];
  snprintf(words, sizeof words, "%s", argument);
  char *rest = words;
  for (const char *word; (word = strtok_r(rest, "|", &rest)) != NULL;)
    offer(o, word, NULL);
}

/* First the letters of `also`, after a '-'. */
static void offer_values(struct offers o, const char *argument)
{
  const struct values *values = all, *end = all + sizeof all / sizeof all[0];
  while (values < end && strcmp(values->argument, argument) != 0)
    values++;
  const char *also = values < end ? values->also : "", *comma = strrchr(o.word, ',');
  printf("-%s\n", also);
  if (strchr(also, 'n') != NULL && comma != NULL)
    o.word = comma + 1;
  if (strchr(also, 'a') != NULL)
    o.back = "=";
  if (is_choice(argument))
    offer_choices(&o, argument);
  else if (values < end && values->list != NULL)
    list_of(values->list)->offer(&o);
}

/* ---- command lines ----------------------------------------------------------------------------------------------- */

/* The words after the command. The last one is to be completed. */
struct line {
  const struct sl_command *const *commands;
  char *const *word;
  int count;
};

static bool is_option(const struct sl_option *option, const char *word)
{
  const size_t length = strcspn(word, "=");
  if (word[0] == '-' && word[1] == '-')
    return option->name[0] != '\0' && strlen(option->name) + 2 == length &&
           strncmp(option->name, word + 2, length - 2) == 0;
  return option->letter != 0 && word[0] == '-' && word[1] == option->letter && length == 2;
}

/* The placeholder of the value that a word awaits, NULL if none. */
static const char *awaits(const struct sl_command *command, const struct sl_option *options, const char *word)
{
  const struct sl_option *const tables[] = {options, sl_common_options(command)};
  for (size_t i = 0; i < 2; i++)
    for (const struct sl_option *o = tables[i]; o->name != NULL; o++)
      if (o->kind != SL_OPTION_FLAG && is_option(o, word))
        return o->argument;
  return NULL;
}

static void offer_options(const struct offers *o, const struct sl_option *option)
{
  for (; option->name != NULL; option++) {
    char word[80];
    if (option->letter != 0) {
      snprintf(word, sizeof word, "-%c", option->letter);
      offer(o, word, option->help);
    }
    if (option->name[0] != '\0') {
      snprintf(word, sizeof word, "--%s", option->name);
      offer(o, word, option->help);
    }
  }
}

/* The placeholder of the operand that the last word is. */
static const char *operand_of(const struct line *l, const struct sl_command *command, const struct sl_option *options)
{
  unsigned number = 0;
  for (int i = 0; i < l->count - 1; i++)
    if (strcmp(l->word[i], "=") == 0 ||
        (strchr(l->word[i], '=') == NULL && awaits(command, options, l->word[i]) != NULL &&
         strcmp(l->word[i + 1], "=") != 0))
      i++;
    else if (l->word[i][0] != '-')
      number++;
  const char *argument = command->operand[number < SL_NAMED_OPERANDS ? number : SL_NAMED_OPERANDS - 1];
  return argument != NULL ? argument : "FILE";
}

static void complete(void *context, const struct sl_command *command, const struct sl_option *options)
{
  const struct line *l = context;
  const char *last = l->word[l->count - 1], *before = l->count > 1 ? l->word[l->count - 2] : "";
  struct offers o = {l->commands, last, last, "", true};
  if (strcmp(last, "=") == 0)
    o.argument = o.word = "";
  else if (strcmp(before, "=") == 0)
    before = l->count > 2 ? l->word[l->count - 3] : "";
  const char *value = strchr(before, '=') == NULL ? awaits(command, options, before) : NULL;
  if (value == NULL && strncmp(last, "--", 2) == 0 && strchr(last, '=') != NULL) {
    value = awaits(command, options, last);
    o.word = strchr(last, '=') + 1;
  }
  if (value == NULL && last[0] == '-') {
    puts("-");
    offer_options(&o, options);
    offer_options(&o, sl_common_options(command));
  } else {
    offer_values(o, value != NULL ? value : operand_of(l, command, options));
  }
}

enum sl_status sl_complete(char *const *words, int count, const struct sl_command *const *commands,
                           struct sl_error *err)
{
  static const char *const own[] = {"--help", "--version", "-V"};
  if (count < 2) {
    const char *word = count > 0 ? words[0] : "";
    const struct offers o = {commands, word, word, "", true};
    puts("-");
    offer_commands(&o);
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
      offer(&o, own[i], NULL);
    return SL_OK;
  }
  struct line line = {commands, words + 1, count - 1};
  const struct sl_command *command = sl_command_find(commands, words[0], err);
  return command != NULL ? sl_read_options(command, commands, &(struct sl_option_reader){complete, &line}, err)
                         : err->code;
}
