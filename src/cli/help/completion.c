#include "cli/help/completion.h"

#include <stdio.h>
#include <string.h>

#include "cli/explain/terms.h"
#include "cli/help/help_text.h"
#include "cli/paper/paper.h"
#include "config/config.h"
#include "config/energy_set.h"
#include "observe/commit_log.h"

/* Parts of a shell's script: the prologue, one option of a command, and so on. */
struct shell {
  const char *name;
  void (*begin)(const struct sl_command *const *commands);
  void (*command)(const struct sl_command *command, const struct sl_option *options);
  void (*end)(const struct sl_command *const *commands);
};

/* Values of an option or operand, by the placeholder in the help. */
struct sl_values {
  const char *argument; /* placeholder in the help */
  const char *list;     /* list for `simtlab help --list`, such as "machines"; NULL: none */
  bool files;           /* a file is valid too */
  bool folders;         /* a folder is valid too */
  bool several;         /* a comma-separated list */
  bool assigned;        /* '=' and a value follow */
};

static bool is_choice(const char *argument)
{
  return strchr(argument, '|') != NULL && strspn(argument, "abcdefghijklmnopqrstuvwxyz-|") == strlen(argument);
}

/* The choices of "small|paper", separated by blanks; "" if the placeholder lists none. */
static const char *choice_words(const char *argument, char words[128])
{
  words[0] = '\0';
  if (argument == NULL || !is_choice(argument))
    return words;
  snprintf(words, 128, "%s", argument);
  for (char *c = words; *c != '\0'; c++)
    if (*c == '|')
      *c = ' ';
  return words;
}

/* Values of an option: "list machines f" or "words small paper". */
static void print_values(const char *argument, const struct sl_values *values)
{
  char words[128];
  if (argument != NULL && is_choice(argument))
    printf("echo words %s", choice_words(argument, words));
  else if (values == NULL)
    printf("echo none");
  else
    printf("echo list %s %s%s%s%s", values->list != NULL ? values->list : "-", values->files ? "f" : "",
           values->folders ? "d" : "", values->several ? "s" : "", values->assigned ? "a" : "");
}

static void bash_begin(const struct sl_command *const *commands)
{
  printf("# Completion of simtlab for bash, written by `simtlab help --completion bash`.\n\n"
         "# The options of a command, and what the value of one (--NAME) or an operand (number) can be.\n"
         "_simtlab_table() {\n  case $1 in\n  '') echo ");
  for (; *commands != NULL; commands++)
    printf("%s ", (*commands)->name);
  printf("--help --version -V ;;\n");
}

static void bash_options(const char *command, const struct sl_option *option)
{
  (void)command;
  for (; option->name != NULL; option++) {
    if (option->letter != 0)
      printf("-%c ", option->letter);
    if (option->name[0] != '\0')
      printf("--%s ", option->name);
  }
}

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

/* Finds a placeholder; NULL: any text. A placeholder in lower case with | is its own list of choices. */
static const struct sl_values *values_of(const char *argument)
{
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
    if (strcmp(all[i].argument, argument) == 0)
      return &all[i];
  return NULL;
}

static void print_option_values(const char *command, const struct sl_option *option)
{
  for (; option->name != NULL; option++) {
    if (option->kind == SL_OPTION_FLAG || (option->letter == 0 && option->name[0] == '\0'))
      continue;
    printf("  ");
    if (option->letter != 0)
      printf("%s/-%c", command, option->letter);
    if (option->name[0] != '\0')
      printf("%s%s/--%s", option->letter != 0 ? " | " : "", command, option->name);
    printf(") ");
    print_values(option->argument, values_of(option->argument));
    printf(" ;;\n");
  }
}

/* The value of a command's operand, numbered from 0. */
static const struct sl_values *operand_values(const struct sl_command *command, unsigned number)
{
  static const struct sl_values files = {.argument = "FILE", .files = true};
  const char *argument = number < SL_NAMED_OPERANDS ? command->operand[number] : NULL;
  return argument != NULL ? values_of(argument) : &files;
}

static void bash_command_rows(const struct sl_command *command, const struct sl_option *options)
{
  printf("  %s) echo ", command->name);
  bash_options(command->name, options);
  bash_options(command->name, sl_common_options(command));
  printf(";;\n");
  print_option_values(command->name, options);
  print_option_values(command->name, sl_common_options(command));
  for (unsigned i = 0; i < SL_NAMED_OPERANDS; i++) {
    printf("  %s/%u) ", command->name, i);
    print_values(NULL, operand_values(command, i));
    printf(" ;;\n");
  }
}

/* A word may have three parts: readline splits at '='. */
static const char functions[] =
    "  esac\n"
    "}\n\n"
    "_simtlab_words() { # SIMTLAB WORD KIND...\n"
    "  local command=$1 word=$2 front='' back=''\n"
    "  case $3 in\n"
    "  words) shift 3; COMPREPLY=($(compgen -W \"$*\" -- \"$word\")) ;;\n"
    "  list)\n"
    "    case $5 in *s*) case $word in *,*) front=${word%,*}, word=${word##*,} ;; esac ;; esac\n"
    "    case $5 in *a*) back='='; compopt -o nospace ;; esac\n"
    "    case $5 in *s*) compopt -o nospace ;; esac\n"
    "    [ \"$4\" = - ] ||\n"
    "      COMPREPLY=($(compgen -P \"$front\" -S \"$back\" -W \"$(\"$command\" help --list \"$4\" 2>/dev/null)\" -- "
    "\"$word\"))\n"
    "    case $5 in\n"
    "    *f*) compopt -o filenames; COMPREPLY+=($(compgen -P \"$front\" -f -- \"$word\")) ;;\n"
    "    *d*) compopt -o filenames; COMPREPLY+=($(compgen -d -- \"$word\")) ;;\n"
    "    esac ;;\n"
    "  esac\n"
    "}\n\n"
    "_simtlab() {\n"
    "  local IFS=$' \\t\\n' word=${COMP_WORDS[COMP_CWORD]} option=$3 command=${COMP_WORDS[1]} kind='' i number=0\n"
    "  COMPREPLY=()\n"
    "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
    "    COMPREPLY=($(compgen -W \"$(_simtlab_table '')\" -- \"$word\"))\n"
    "    return\n"
    "  fi\n"
    "  [ \"$option\" != = ] || option=${COMP_WORDS[COMP_CWORD - 2]}\n"
    "  [ \"$word\" != = ] || option=${COMP_WORDS[COMP_CWORD - 1]} word=\n"
    "  case $option in -*) kind=$(_simtlab_table \"$command/$option\") ;; esac\n"
    "  if [ -z \"$kind\" ]; then\n"
    "    case $word in -*)\n"
    "      COMPREPLY=($(compgen -W \"$(_simtlab_table \"$command\")\" -- \"$word\"))\n"
    "      return ;;\n"
    "    esac\n"
    "    for ((i = 2; i < COMP_CWORD; i++)); do\n"
    "      case ${COMP_WORDS[i]} in\n"
    "      =) i=$((i + 1)) ;;\n"
    "      -*) [ -z \"$(_simtlab_table \"$command/${COMP_WORDS[i]}\")\" ] || [ \"${COMP_WORDS[i + 1]}\" = = ] || "
    "i=$((i + 1)) ;;\n"
    "      *) number=$((number + 1)) ;;\n"
    "      esac\n"
    "    done\n"
    "    kind=$(_simtlab_table \"$command/$((number < 1 ? number : 1))\")\n"
    "  fi\n"
    "  _simtlab_words \"$1\" \"$word\" $kind\n"
    "}\n"
    "complete -F _simtlab simtlab\n";

static void bash_end(const struct sl_command *const *commands)
{
  (void)commands;
  fputs(functions, stdout);
}

static const struct shell bash = {"bash", bash_begin, bash_command_rows, bash_end};

static void print_quoted(const char *text)
{
  putchar('\'');
  for (; *text != '\0'; text++)
    printf(*text == '\'' || *text == '\\' ? "\\%c" : "%c", *text);
  putchar('\'');
}

static void fish_begin(const struct sl_command *const *commands)
{
  printf("# Completion of simtlab for fish, written by `simtlab help --completion fish`.\n\n"
         "function __simtlab_list\n  set -l words (commandline -opc)\n  command $words[1] help --list $argv[1] "
         "2>/dev/null\nend\n\n"
         "# A comma-separated list: the present words and one more.\n"
         "function __simtlab_several\n"
         "  set -l front (string match -r '^.*,' -- (commandline -ct))\n"
         "  __simtlab_list $argv[1] | string replace -r '^' -- \"$front\"\nend\n\n");
  for (; *commands != NULL; commands++) {
    printf("complete -c simtlab -n __fish_use_subcommand -f -a %s -d ", (*commands)->name);
    print_quoted((*commands)->summary);
    putchar('\n');
  }
}

static void print_value(const char *argument, const struct sl_values *values)
{
  char words[128];
  const bool files = values != NULL && (values->files || values->folders);
  fputs(files ? " -r -F" : " -x", stdout);
  if (is_choice(argument))
    printf(" -a '%s'", choice_words(argument, words));
  else if (values != NULL && values->list != NULL)
    printf(" -a '(__simtlab_%s %s)%s'", values->several ? "several" : "list", values->list,
           values->assigned ? "=" : "");
}

static void fish_options(const struct sl_command *command, const struct sl_option *option)
{
  for (; option->name != NULL; option++) {
    if (option->letter == 0 && option->name[0] == '\0')
      continue;
    printf("complete -c simtlab -n '__fish_seen_subcommand_from %s'", command->name);
    if (option->letter != 0)
      printf(" -s %c", option->letter);
    if (option->name[0] != '\0')
      printf(" -l %s", option->name);
    if (option->kind != SL_OPTION_FLAG)
      print_value(option->argument, values_of(option->argument));
    fputs(" -d ", stdout);
    print_quoted(option->help);
    putchar('\n');
  }
}

static void fish_command_rows(const struct sl_command *command, const struct sl_option *options)
{
  const struct sl_values *values = operand_values(command, 0);
  fish_options(command, options);
  fish_options(command, sl_common_options(command));
  if (values->list != NULL)
    printf("complete -c simtlab -n '__fish_seen_subcommand_from %s' %s -a '(__simtlab_list %s)'\n", command->name,
           values->files ? "-F" : "-f", values->list);
}

static void fish_end(const struct sl_command *const *commands)
{
  (void)commands;
}

static const struct shell fish = {"fish", fish_begin, fish_command_rows, fish_end};

/* Quotes text in single quotes and removes characters special to _arguments. */
static void zsh_quoted(const char *text, const char *special)
{
  for (; *text != '\0'; text++)
    if (*text == '\'')
      fputs("'\\''", stdout);
    else
      printf(strchr(special, *text) != NULL ? "\\%c" : "%c", *text);
}

static void zsh_begin(const struct sl_command *const *commands)
{
  (void)commands;
  printf("#compdef simtlab\n# Completion of simtlab for zsh, written by `simtlab help --completion zsh`.\n\n"
         "_simtlab_list() { # LIST FLAGS: machines f\n"
         "  local -a found\n"
         "  found=(${(f)\"$(_call_program list $_simtlab_command help --list $1 2>/dev/null)\"})\n"
         "  case $2 in\n"
         "  *s*) compset -P '*,'; compadd -S '' -a found ;;\n"
         "  *a*) compset -P '*=' || compadd -S '=' -a found ;;\n"
         "  *) compadd -a found ;;\n"
         "  esac\n"
         "  case $2 in *f*) _files ;; esac\n"
         "}\n\n"
         "_simtlab_options() { # COMMAND\n  case $1 in\n");
}

static void zsh_value(const char *argument, const struct sl_values *values)
{
  char words[128];
  putchar(':');
  zsh_quoted(argument, "\\:[]");
  putchar(':');
  if (is_choice(argument))
    printf("(%s)", choice_words(argument, words));
  else if (values != NULL && values->list != NULL)
    printf(" _simtlab_list %s -%s%s%s", values->list, values->files ? "f" : "", values->several ? "s" : "",
           values->assigned ? "a" : "");
  else if (values != NULL)
    fputs(values->folders ? "_files -/" : "_files", stdout);
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
    puts(sl_papers[i]);
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

static void zsh_option(const struct sl_option *option)
{
  const bool flag = option->kind == SL_OPTION_FLAG, list = sl_is_list_option(option);
  char letter[8] = "", name[80] = "";
  if (option->letter == 0 && option->name[0] == '\0')
    return;
  if (option->letter != 0)
    snprintf(letter, sizeof letter, "-%c%s", option->letter, flag ? "" : "+");
  if (option->name[0] != '\0')
    snprintf(name, sizeof name, "--%s%s", option->name, flag ? "" : "=");
  printf(" \\\n      ");
  if (list)
    printf("'*'");
  if (letter[0] != '\0' && name[0] != '\0')
    printf("{%s,%s}'[", letter, name);
  else
    printf("%s%s'[", letter, name);
  zsh_quoted(option->help, "\\:[]");
  putchar(']');
  if (!flag)
    zsh_value(option->argument, values_of(option->argument));
  putchar('\'');
}

static void command_row(const struct sl_command *command, const struct sl_option *options)
{
  printf("  %s)\n    _arguments -s -S", command->name);
  for (const struct sl_option *option = options; option->name != NULL; option++)
    zsh_option(option);
  for (const struct sl_option *option = sl_common_options(command); option->name != NULL; option++)
    zsh_option(option);
  for (unsigned i = 0; i < SL_NAMED_OPERANDS; i++) {
    const struct sl_values *values = operand_values(command, i);
    printf(" \\\n      '%u", i + 1);
    zsh_value(values->argument, values);
    printf("'");
  }
  printf(" \\\n      '*:FILE:_files' ;;\n");
}

static void zsh_end(const struct sl_command *const *commands)
{
  printf("  esac\n}\n\n_simtlab() {\n  local _simtlab_command=$words[1] command=$words[2]\n"
         "  if ((CURRENT == 2)); then\n    local -a commands\n    commands=(\n");
  for (; *commands != NULL; commands++) {
    printf("      '%s:", (*commands)->name);
    zsh_quoted((*commands)->summary, "\\:");
    printf("'\n");
  }
  printf("    )\n    _describe command commands\n    return\n  fi\n"
         "  shift words\n  ((CURRENT--))\n  _simtlab_options $command\n}\n\n_simtlab \"$@\"\n");
}

static const struct shell zsh = {"zsh", zsh_begin, command_row, zsh_end};

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

static void read_command(void *context, const struct sl_command *command, const struct sl_option *options)
{
  const struct shell *shell = context;
  shell->command(command, options);
}

enum sl_status sl_completion_print(const char *shell, const struct sl_command *const *commands, struct sl_error *err)
{
  static const struct shell *const shells[] = {&bash, &zsh, &fish};
  static const char *const names[] = {"bash", "zsh", "fish"};
  size_t which = 0;
  while (which < 3 && strcmp(shells[which]->name, shell) != 0)
    which++;
  if (which == 3)
    return sl_unknown(err, "shell", shell, names, 3);
  struct shell chosen = *shells[which];
  const struct sl_option_reader reader = {read_command, &chosen};
  enum sl_status code = SL_OK;
  chosen.begin(commands);
  for (size_t i = 0; commands[i] != NULL && code == SL_OK; i++)
    code = sl_read_options(commands[i], commands, &reader, err);
  chosen.end(commands);
  return code;
}
