/* simtlab help: prints a command's help as text, as a manual page, or as shell completions. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "cli/help/help.h"
#include "cli/options.h"

/* Manual pages in man(7) macros. */

/* Escapes text: hyphens stay copyable, and no line looks like a macro. */
static void print_text(const char *text)
{
  if (*text == '.' || *text == '\'')
    fputs("\\&", stdout);
  for (; *text != '\0'; text++)
    switch (*text) {
    case '\\': fputs("\\e", stdout); break;
    case '-': fputs("\\-", stdout); break;
    default: putchar(*text);
    }
}

static void print_title(const char *name)
{
  printf(".\\\" Written by `simtlab help --man`.\n.TH ");
  for (const char *c = name; *c != '\0'; c++)
    putchar(toupper((unsigned char)*c));
  printf(" 1 \"\" \"simtlab %s\" \"User Commands\"\n.SH NAME\n", SL_VERSION);
  print_text(name);
  fputs(" \\- ", stdout);
}

static void print_option(const struct sl_option *option)
{
  printf(".TP\n");
  if (option->letter != 0)
    printf("\\fB\\-%c\\fR%s", option->letter, option->name[0] != '\0' ? ", " : "");
  if (option->name[0] != '\0') {
    fputs("\\fB\\-\\-", stdout);
    print_text(option->name);
    fputs("\\fR", stdout);
  }
  if (option->argument != NULL) {
    fputs(option->letter != 0 || option->name[0] != '\0' ? " \\fI" : "\\fI", stdout);
    print_text(option->argument);
    fputs("\\fR", stdout);
  }
  putchar('\n');
  print_text(option->help);
  printf(".\n");
}

static void print_options(const struct sl_option *options)
{
  for (; options->name != NULL; options++)
    print_option(options);
}

static void print_item(const char *name, const char *meaning)
{
  printf(".TP\n\\fB");
  print_text(name);
  printf("\\fR\n");
  print_text(meaning);
  printf(".\n");
}

/* A list item is a name and, after two blanks, its description; other lines are printed unchanged. */
static void print_list_item(char *text)
{
  char *name = text + strspn(text, " "), *gap = strstr(name, "  ");
  if (gap == NULL) {
    printf(".PP\n.nf\n");
    print_text(text);
    printf("\n.fi\n");
    return;
  }
  *gap = '\0';
  print_item(name, gap + 1 + strspn(gap + 1, " "));
}

static void print_details(const char *details)
{
  char text[SL_PARAGRAPH];
  while ((details = sl_help_paragraph(details, text)) != NULL)
    if (text[0] == ' ') {
      print_list_item(text);
    } else if (text[0] != '\0') {
      printf(".PP\n");
      print_text(text);
      putchar('\n');
    }
}

/* Prints simtlab-COMMAND(1), or simtlab(1) with the list of commands, to standard output. */
static void man_command(const struct sl_command *command, const struct sl_option *options)
{
  char name[64];
  snprintf(name, sizeof name, "simtlab-%s", command->name);
  print_title(name);
  print_text(command->summary);
  printf("\n.SH SYNOPSIS\n\\fBsimtlab ");
  print_text(command->name);
  printf("\\fR ");
  print_text(command->operands);
  printf("\n.SH DESCRIPTION\n");
  print_text(command->summary);
  printf(".\n");
  if (command->details != NULL)
    print_details(command->details);
  printf(".SH OPTIONS\n");
  print_options(options);
  print_options(sl_common_options(command));
  printf(".SH EXIT STATUS\nAs of\n.BR simtlab (1).\n.SH SEE ALSO\n.BR simtlab (1)\n");
}

static void man_overview(const struct sl_command *const *commands)
{
  print_title("simtlab");
  printf("run compiled kernels on cycle\\-accurate models of RISC\\-V GPGPUs\n.SH SYNOPSIS\n"
         "\\fBsimtlab\\fR \\fICOMMAND\\fR [\\fIOPTION\\fR]... [\\fIOPERAND\\fR]...\n.SH DESCRIPTION\n"
         "simtlab runs RISC\\-V SIMT kernels on cycle\\-accurate models of published GPGPUs, and attributes\n"
         "every cycle to a stall reason.\n.SH COMMANDS\n");
  for (; *commands != NULL; commands++) {
    printf(".TP\n\\fBsimtlab\\-");
    print_text((*commands)->name);
    printf("\\fR(1)\n");
    print_text((*commands)->summary);
    printf(".\n");
  }
  printf(".SH OPTIONS\n");
  print_options(sl_common_options(NULL));
  print_item("-V, --version", "version, and the compiler it was built with");
  printf(".SH EXIT STATUS\n");
  for (const struct sl_convention *status = sl_exit_statuses; status->name != NULL; status++)
    print_item(status->name, status->meaning);
  printf(".SH ENVIRONMENT\n");
  for (const struct sl_convention *variable = sl_environment; variable->name != NULL; variable++)
    print_item(variable->name, variable->meaning);
  printf(".SH SEE ALSO\nThe pages docs/README.md and docs/reference/ in simtlab's folder below /usr/share/doc.\n");
}

static void read_page(void *context, const struct sl_command *command, const struct sl_option *options)
{
  (void)context;
  man_command(command, options);
}

static enum sl_status help_command(const struct sl_command *command, int argc, char **argv, struct sl_error *err)
{
  static const struct sl_option_reader page = {read_page, NULL};
  bool man = false, complete = false;
  const char *shell = NULL, *list = NULL;
  const struct sl_option options[] = {
      {0, "man", SL_OPTION_FLAG, NULL, "as a manual page, for man -l", &man},
      {0, "completion", SL_OPTION_TEXT, "bash|zsh|fish", "print completions for this shell", &shell},
      {0, "complete", SL_OPTION_FLAG, NULL, "words that complete a line (-- WORD...)", &complete},
      {0, "list", SL_OPTION_TEXT, "LIST", "words: machines, keys, benchmarks, fields, papers, commands, terms", &list},
      {0},
  };
  struct sl_operands operands;
  enum sl_status code = sl_options_parse(command, options, argc, argv, &operands, err);
  if (code != SL_OK || operands.help)
    return code;
  if (complete)
    return sl_complete(operands.items, operands.count, command->all, err);
  if (operands.count > 1)
    return sl_fail(err, SL_USAGE, "help is about one command at a time, not '%.80s' too", operands.items[1]);
  if (shell != NULL)
    return sl_completion_print(shell, err);
  if (list != NULL)
    return sl_print_list(list, command->all, err);
  if (operands.count > 0) {
    const struct sl_command *about = sl_command_find(command->all, operands.items[0], err);
    return about != NULL ? sl_read_options(about, command->all, man ? &page : NULL, err) : err->code;
  }
  if (man)
    man_overview(command->all);
  else
    sl_help_overview(command->all);
  return SL_OK;
}

const struct sl_command sl_help_command = {
    .name = "help",
    .operands = "[COMMAND] [OPTION]...",
    .operand = {"COMMAND"},
    .summary = "Show the help of a command, like --help",
    .details = "Manual pages and shell completions come from the same tables. To use them without installing:\n"
               "\n  simtlab help --man run | man -l -\n  source <(simtlab help --completion bash)\n",
    .listing = true,
    .run = help_command,
};
