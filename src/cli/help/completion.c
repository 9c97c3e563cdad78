#include "cli/help/completion.h"

#include <stdio.h>
#include <string.h>

#include "cli/help/help_text.h"
#include "cli/help/values.h"

static void read_command(void *context, const struct sl_command *command, const struct sl_option *options)
{
  const struct sl_shell *shell = context;
  shell->command(command, options);
}

enum sl_status sl_completion_print(const char *shell, const struct sl_command *const *commands, struct sl_error *err)
{
  static struct sl_shell const *const shells[] = {&sl_bash, &sl_zsh, &sl_fish};
  static const char *const names[] = {"bash", "zsh", "fish"};
  size_t which = 0;
  while (which < 3 && strcmp(shells[which]->name, shell) != 0)
    which++;
  if (which == 3)
    return sl_unknown(err, "shell", shell, names, 3);
  struct sl_shell chosen = *shells[which];
  const struct sl_option_reader reader = {read_command, &chosen};
  enum sl_status code = SL_OK;
  chosen.begin(commands);
  for (size_t i = 0; commands[i] != NULL && code == SL_OK; i++)
    code = sl_read_options(commands[i], commands, &reader, err);
  chosen.end(commands);
  return code;
}

/* Values of an option: "list machines f" or "words small paper". */
static void print_values(const char *argument, const struct sl_values *values)
{
  char words[128];
  if (argument != NULL && sl_is_choice(argument))
    printf("echo words %s", sl_choice_words(argument, words));
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
    print_values(option->argument, sl_values_of(option->argument));
    printf(" ;;\n");
  }
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
    print_values(NULL, sl_operand_values(command, i));
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

const struct sl_shell sl_bash = {"bash", bash_begin, bash_command_rows, bash_end};

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
  if (sl_is_choice(argument))
    printf(" -a '%s'", sl_choice_words(argument, words));
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
      print_value(option->argument, sl_values_of(option->argument));
    fputs(" -d ", stdout);
    print_quoted(option->help);
    putchar('\n');
  }
}

static void fish_command_rows(const struct sl_command *command, const struct sl_option *options)
{
  const struct sl_values *values = sl_operand_values(command, 0);
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

const struct sl_shell sl_fish = {"fish", fish_begin, fish_command_rows, fish_end};

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
  if (sl_is_choice(argument))
    printf("(%s)", sl_choice_words(argument, words));
  else if (values != NULL && values->list != NULL)
    printf(" _simtlab_list %s -%s%s%s", values->list, values->files ? "f" : "", values->several ? "s" : "",
           values->assigned ? "a" : "");
  else if (values != NULL)
    fputs(values->folders ? "_files -/" : "_files", stdout);
}

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
    zsh_value(option->argument, sl_values_of(option->argument));
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
    const struct sl_values *values = sl_operand_values(command, i);
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

const struct sl_shell sl_zsh = {"zsh", zsh_begin, command_row, zsh_end};
