/* Bash completion: two functions with tables, and one that parses the words. */
#include <stdio.h>
#include <string.h>

#include "cli/help/completion.h"
#include "cli/help/conventions.h"
#include "cli/help/values.h"

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

static void begin(const struct sl_command *const *commands)
{
  printf("# Completion of simtlab for bash, written by `simtlab help --completion bash`.\n\n"
         "# The options of a command, and what the value of one (--NAME) or an operand (number) can be.\n"
         "_simtlab_table() {\n  case $1 in\n  '') echo ");
  for (; *commands != NULL; commands++)
    printf("%s ", (*commands)->name);
  printf("--help --version -V ;;\n");
}

static void print_options(const char *command, const struct sl_option *option)
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

static void command_rows(const struct sl_command *command, const struct sl_option *options)
{
  printf("  %s) echo ", command->name);
  print_options(command->name, options);
  print_options(command->name, sl_common_options(command));
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

static void end(const struct sl_command *const *commands)
{
  (void)commands;
  fputs(functions, stdout);
}

const struct sl_shell sl_bash = {"bash", begin, command_rows, end};
