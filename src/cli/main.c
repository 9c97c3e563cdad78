/* simtlab: a RISC-V SIMT GPGPU laboratory. */
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/help/help.h"
#include "cli/options.h"
#include "isa/host_level.h"

static const struct sl_command *const commands[] = {
#define COMMAND(name) &sl_##name##_command,
#include "cli/commands.def"
#undef COMMAND
    NULL};

static enum sl_status dispatch(int argc, char **argv, struct sl_error *err)
{
  const char *lacks = sl_host_lacks();
  if (lacks != NULL)
    return sl_fail(err, SL_USAGE,
                   "this build needs a processor with %s, which this computer does not have; build simtlab here, or "
                   "with -DSIMTLAB_LEVELS=all, which runs on any x86-64",
                   lacks);
  if (argc < 2)
    return sl_fail(err, SL_USAGE, "which command? simtlab --help lists them");
  const char *name = argv[1];
  if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0) {
    const struct sl_provenance p = sl_provenance();
    printf("simtlab %s (commit %s, compiler %s, build %s)\n", p.version, p.commit, p.compiler, p.build);
    return SL_OK;
  }
  const bool help = strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0;
  const struct sl_command *command = help ? &sl_help_command : sl_command_find(commands, name, err);
  if (command == NULL)
    return err->code;
  struct sl_command chosen = *command;
  chosen.all = commands;
  return chosen.run(&chosen, argc - 1, argv + 1, err);
}

/* Reports that standard output could not be written. For a listing, a closed pipe is not an error. */
static bool matters(int argc, char **argv)
{
  struct sl_error none;
  const struct sl_command *command = argc > 1 ? sl_command_find(commands, argv[1], &none) : NULL;
  return errno != EPIPE || (command != NULL && !command->listing);
}

/* Replaces closed standard files by the null device. Otherwise the next opened file would become standard output, and
 * the console would write into it. */
static void open_standard_files(void)
{
  for (int file = STDIN_FILENO; file <= STDERR_FILENO; file++)
    if (fcntl(file, F_GETFD) < 0 && errno == EBADF)
      open("/dev/null",
           file == STDIN_FILENO ? O_RDONLY : O_WRONLY); /* open() returns the lowest free number, which is this one */
}

/* Lets the heap grow in large steps, of which the host's kernel can make large pages: a GPU of 80 SMs is 5,000 small
 * pages, and each page fault of a virtual machine may take 10 us. */
static void set_heap(void)
{
  enum { MIB = 1 << 20 };
  mallopt(M_TOP_PAD, 64 * MIB);
  mallopt(M_MMAP_THRESHOLD, MIB / 2); /* it and the next would adapt if none were set */
  mallopt(M_TRIM_THRESHOLD, 128 * MIB);
}

int main(int argc, char **argv)
{
  set_heap();
  open_standard_files();
  /* A closed pipe and a file beyond the size limit become write errors, like a full disk. */
  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_IGN);
  struct sl_error err = {0};
  enum sl_status code = dispatch(argc, argv, &err);
  errno = 0;
  const bool lost = fflush(stdout) != 0 || ferror(stdout);
  if (lost && errno == 0) { /* an earlier write failed; another write gives the reason */
    putchar('\n');
    fflush(stdout);
  }
  if (lost && code == SL_OK && matters(argc, argv))
    code = sl_fail(&err, SL_USAGE, "standard output: cannot be written (%s)", strerror(errno != 0 ? errno : EIO));
  if (code != SL_OK && err.text[0] != '\0')
    fprintf(stderr, "simtlab: %s\n", err.text);
  return (int)code;
}
