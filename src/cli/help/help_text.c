#include "cli/help/help.h"

#include <string.h>

#include "observe/terminal.h"

enum { OPTION_INDENT = 30, NAME_INDENT = 16 };

/* Formats "--name ARGUMENT" or "-n ARGUMENT" into `text`; returns `text`. */
static const char *option_form(const struct sl_option *option, char text[80])
{
  const char *argument = option->argument != NULL ? option->argument : "";
  const char *blank = option->argument != NULL && option->name[0] != '\0' ? " " : "";
  if (option->name[0] != '\0')
    snprintf(text, 80, "--%s%s%s", option->name, blank, argument);
  else if (option->letter != 0)
    snprintf(text, 80, "-%c %s", option->letter, argument);
  else
    snprintf(text, 80, "%s", argument);
  return text;
}

/* A line of a list: a name and, from a fixed column, its description. */
static void print_item(const char *name, const char *text, size_t indent, size_t columns)
{
  const size_t used = (size_t)printf("%s", name);
  const size_t gap = used + 1 < indent ? indent - used : 1;
  printf("%*s", (int)gap, "");
  sl_print_wrapped(stdout, text, &(struct sl_wrapping){used + gap, indent, columns});
}

static void print_option(const struct sl_option *option, size_t columns)
{
  char form[80], name[96];
  option_form(option, form);
  if (option->letter != 0 && option->name[0] != '\0')
    snprintf(name, sizeof name, "  -%c, %s", option->letter, form);
  else
    snprintf(name, sizeof name, option->letter != 0 ? "  %s" : "      %s", form);
  print_item(name, option->help, OPTION_INDENT, columns);
}

const char *sl_help_paragraph(const char *details, char text[SL_PARAGRAPH])
{
  const bool alone = details[0] == ' ' || details[0] == '\n';
  size_t used = 0;
  if (details[0] == '\0')
    return NULL;
  text[0] = '\0';
  do {
    const size_t length = strcspn(details, "\n");
    const int n = snprintf(text + used, SL_PARAGRAPH - used, "%s%.*s", used > 0 ? " " : "", (int)length, details);
    used += n > 0 && (size_t)n < SL_PARAGRAPH - used ? (size_t)n : 0;
    details += length + (details[length] == '\n');
  } while (!alone && details[0] != '\0' && details[0] != ' ' && details[0] != '\n');
  return details;
}

static void print_details(const char *details, size_t columns)
{
  char text[SL_PARAGRAPH];
  printf("\n");
  while ((details = sl_help_paragraph(details, text)) != NULL)
    sl_print_wrapped(stdout, text, &(struct sl_wrapping){0, text[0] == ' ' ? NAME_INDENT - 1 : 0, columns});
}

void sl_help_print(const struct sl_command *command, const struct sl_option *options)
{
  const size_t columns = sl_terminal_of(stdout).columns;
  char usage[256];
  const size_t used = (size_t)printf("usage: simtlab %s ", command->name);
  snprintf(usage, sizeof usage, "%s", command->operands);
  sl_print_wrapped(stdout, usage, &(struct sl_wrapping){used, used, columns});
  printf("\n%s.\n", command->summary);
  if (command->details != NULL)
    print_details(command->details, columns);
  printf("\noptions:\n");
  for (const struct sl_option *option = options; option->name != NULL; option++)
    print_option(option, columns);
  for (const struct sl_option *option = sl_common_options(command); option->name != NULL; option++)
    print_option(option, columns);
}

static void print_conventions(const struct sl_convention *list, size_t columns)
{
  for (; list->name != NULL; list++) {
    char name[64];
    snprintf(name, sizeof name, "  %s", list->name);
    print_item(name, list->meaning, NAME_INDENT, columns);
  }
}

void sl_help_overview(const struct sl_command *const *commands)
{
  const size_t columns = sl_terminal_of(stdout).columns;
  printf("usage: simtlab COMMAND [OPTION]... [OPERAND]...\n"
         "Runs RISC-V and PTX kernels on cycle-accurate models of published GPUs.\n\ncommands:\n");
  for (; *commands != NULL; commands++)
    print_conventions((struct sl_convention[]){{(*commands)->name, (*commands)->summary}, {0}}, columns);
  printf("\nexit status:\n");
  print_conventions(sl_exit_statuses, columns);
  sl_print_wrapped(stdout, "simtlab COMMAND --help describes a command; --version (-V) this program.",
                   &(struct sl_wrapping){0, 0, columns});
}

const struct sl_option *sl_common_options(const struct sl_command *command)
{
  static const struct sl_option options[] = {
      {0, "color", SL_OPTION_TEXT, "auto|always|never", "colours of tables and progress [auto]", NULL},
      {'h', "help", SL_OPTION_FLAG, NULL, "this text", NULL},
      {0},
  };
  return command != NULL && command->no_tables ? options + 1 : options;
}

const struct sl_convention sl_exit_statuses[] = {
    {"0", "ok"},
    {"1", "the program's own check failed, or compared results differ"},
    {"2", "usage or configuration"},
    {"3", "program fault"},
    {"4", "limit reached"},
    {"70", "internal error"},
    {0},
};

const struct sl_convention sl_environment[] = {
    {"SIMTLAB_HOME", "folder with the programs that commands look for, such as bench/VecAdd.elf; the default is "
                     "beside the command or in ../share/simtlab"},
    {"SIMTLAB_MACHINES", "folders, separated by colons, in which a machine NAME is looked up as NAME.yaml"},
    {"COLUMNS", "width of the output in columns, if it is not a terminal [80]"},
    {"NO_COLOR", "if set, no colours"},
    {"SIMTLAB_COLOR", "auto, always or never, as --color"},
    {"TERM", "if unset or dumb, no colours and no progress line"},
    {"TMPDIR", "folder for simtlab cc's intermediate files [/tmp]"},
    {0},
};
