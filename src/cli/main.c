/* simtlab: a RISC-V SIMT GPGPU laboratory. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "cli/command.h"
#include "cli/options.h"

static const struct sl_command *const commands[] = {&sl_run_command,          &sl_profile_command, &sl_compare_command,
                                                    &sl_bench_command,        &sl_verify_command,  &sl_paper_command,
                                                    &sl_machines_command,     &sl_show_command,    &sl_disasm_command,
                                                    &sl_diff_commits_command, &sl_cc_command};

enum { COMMANDS = sizeof commands / sizeof commands[0] };

static void print_overview(void)
{
  printf("usage: simtlab COMMAND [OPTION]... [OPERAND]...\n\n"
         "Runs RISC-V SIMT kernels, cycle for cycle, on models of published GPGPUs.\n\ncommands:\n");
  for (size_t i = 0; i < COMMANDS; i++)
    printf("  %-12s %s\n", commands[i]->name, commands[i]->summary);
  printf("\nsimtlab COMMAND --help tells about a command; --version about this program.\n"
         "Exit status: 0 ok, 1 the program's own check failed, 2 usage or configuration,\n"
         "3 program fault, 4 limit reached, 70 internal error.\n");
}

static enum sl_status unknown_command(const char *name, struct sl_error *err)
{
  const char *names[COMMANDS];
  for (size_t i = 0; i < COMMANDS; i++)
    names[i] = commands[i]->name;
  return sl_unknown(err, name[0] == '-' ? "option" : "command", name, names, COMMANDS);
}

static const struct sl_command *find_command(const char *name)
{
  for (size_t i = 0; i < COMMANDS; i++)
    if (strcmp(name, commands[i]->name) == 0)
      return commands[i];
  return NULL;
}

/* simtlab help COMMAND, as simtlab COMMAND --help. */
static enum sl_status help(const char *name, struct sl_error *err)
{
  static char word[] = "--help";
  const struct sl_command *command = find_command(name);
  char *argv[] = {NULL, word, NULL};
  return command != NULL ? command->run(command, 2, argv, err) : unknown_command(name, err);
}

static enum sl_status dispatch(int argc, char **argv, struct sl_error *err)
{
  if (argc < 2)
    return sl_fail(err, SL_USAGE, "which command? simtlab --help lists them");
  const char *name = argv[1];
  if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || strcmp(name, "help") == 0) {
    if (argc > 2)
      return help(argv[2], err);
    print_overview();
    return SL_OK;
  }
  if (strcmp(name, "--version") == 0) {
    printf("simtlab %s (%s)\n", SL_VERSION, __VERSION__);
    return SL_OK;
  }
  const struct sl_command *command = find_command(name);
  return command != NULL ? command->run(command, argc - 1, argv + 1, err) : unknown_command(name, err);
}

/* Standard output could not be written. Whoever reads a list and goes has read enough. */
static bool matters(int argc, char **argv)
{
  const struct sl_command *command = argc > 1 ? find_command(argv[1]) : NULL;
  return errno != EPIPE || (command != NULL && !command->listing);
}

int main(int argc, char **argv)
{
  /* A closed pipe is an error of the write, like a full disk. */
  signal(SIGPIPE, SIG_IGN);
  struct sl_error err = {0};
  enum sl_status code = dispatch(argc, argv, &err);
  errno = 0;
  const bool lost = fflush(stdout) != 0 || ferror(stdout);
  if (lost && errno == 0) { /* an earlier write has failed: another one says why */
    putchar('\n');
    fflush(stdout);
  }
  if (lost && code == SL_OK && matters(argc, argv))
    code = sl_fail(&err, SL_USAGE, "standard output: cannot be written (%s)", strerror(errno != 0 ? errno : EIO));
  if (code != SL_OK && err.text[0] != '\0')
    fprintf(stderr, "simtlab: %s\n", err.text);
  return (int)code;
}
