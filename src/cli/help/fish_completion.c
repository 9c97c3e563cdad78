/* Fish completion: one `complete` per option. */
#include <stdio.h>
#include <string.h>

#include "cli/help/completion.h"
#include "cli/help/conventions.h"
#include "cli/help/values.h"

static void print_quoted(const char *text)
{
  putchar('\'');
  for (; *text != '\0'; text++)
    printf(*text == '\'' || *text == '\\' ? "\\%c" : "%c", *text);
  putchar('\'');
}

static void begin(const struct sl_command *const *commands)
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

static void print_options(const struct sl_command *command, const struct sl_option *option)
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

static void command_rows(const struct sl_command *command, const struct sl_option *options)
{
  const struct sl_values *values = sl_operand_values(command, 0);
  print_options(command, options);
  print_options(command, sl_common_options(command));
  if (values->list != NULL)
    printf("complete -c simtlab -n '__fish_seen_subcommand_from %s' %s -a '(__simtlab_list %s)'\n", command->name,
           values->files ? "-F" : "-f", values->list);
}

static void end(const struct sl_command *const *commands)
{
  (void)commands;
}

const struct sl_shell sl_fish = {"fish", begin, command_rows, end};
