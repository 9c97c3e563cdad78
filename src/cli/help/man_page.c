#include "cli/help/man_page.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "cli/help/conventions.h"
#include "cli/help/help_text.h"

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

void sl_man_command(const struct sl_command *command, const struct sl_option *options)
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

void sl_man_overview(const struct sl_command *const *commands)
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
