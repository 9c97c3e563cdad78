/* Zsh completion: a function with specifications for _arguments. */
#include <stdio.h>
#include <string.h>

#include "cli/help/completion.h"
#include "cli/help/conventions.h"
#include "cli/help/values.h"

/* Quotes text in single quotes and removes characters special to _arguments. */
static void print_quoted(const char *text, const char *special)
{
  for (; *text != '\0'; text++)
    if (*text == '\'')
      fputs("'\\''", stdout);
    else
      printf(strchr(special, *text) != NULL ? "\\%c" : "%c", *text);
}

static void begin(const struct sl_command *const *commands)
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

static void print_value(const char *argument, const struct sl_values *values)
{
  char words[128];
  putchar(':');
  print_quoted(argument, "\\:[]");
  putchar(':');
  if (sl_is_choice(argument))
    printf("(%s)", sl_choice_words(argument, words));
  else if (values != NULL && values->list != NULL)
    printf(" _simtlab_list %s -%s%s%s", values->list, values->files ? "f" : "", values->several ? "s" : "",
           values->assigned ? "a" : "");
  else if (values != NULL)
    fputs(values->folders ? "_files -/" : "_files", stdout);
}

static void print_option(const struct sl_option *option)
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
  print_quoted(option->help, "\\:[]");
  putchar(']');
  if (!flag)
    print_value(option->argument, sl_values_of(option->argument));
  putchar('\'');
}

static void command_row(const struct sl_command *command, const struct sl_option *options)
{
  printf("  %s)\n    _arguments -s -S", command->name);
  for (const struct sl_option *option = options; option->name != NULL; option++)
    print_option(option);
  for (const struct sl_option *option = sl_common_options(command); option->name != NULL; option++)
    print_option(option);
  for (unsigned i = 0; i < SL_NAMED_OPERANDS; i++) {
    const struct sl_values *values = sl_operand_values(command, i);
    printf(" \\\n      '%u", i + 1);
    print_value(values->argument, values);
    printf("'");
  }
  printf(" \\\n      '*:FILE:_files' ;;\n");
}

static void end(const struct sl_command *const *commands)
{
  printf("  esac\n}\n\n_simtlab() {\n  local _simtlab_command=$words[1] command=$words[2]\n"
         "  if ((CURRENT == 2)); then\n    local -a commands\n    commands=(\n");
  for (; *commands != NULL; commands++) {
    printf("      '%s:", (*commands)->name);
    print_quoted((*commands)->summary, "\\:");
    printf("'\n");
  }
  printf("    )\n    _describe command commands\n    return\n  fi\n"
         "  shift words\n  ((CURRENT--))\n  _simtlab_options $command\n}\n\n_simtlab \"$@\"\n");
}

const struct sl_shell sl_zsh = {"zsh", begin, command_row, end};
