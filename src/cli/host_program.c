#include "cli/session.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "config/config.h"
#include "host/runtimes.h"
#include "program/program.h"

extern char **environ;

bool sl_is_host_program(const char *path)
{
  Elf64_Ehdr header = {.e_type = 0};
  FILE *file = fopen(path, "rb");
  const size_t bytes = file != NULL ? fread(&header, 1, sizeof header, file) : 0;
  if (file != NULL)
    fclose(file);
  if (bytes > 2 && memcmp(header.e_ident, "#!", 2) == 0)
    return true;
  return bytes == sizeof header && memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 &&
         header.e_ident[EI_CLASS] == ELFCLASS64 && (header.e_machine == EM_X86_64 || header.e_machine == EM_AARCH64);
}

void sl_host_command_set(const char *option, const char *value)
{
  char name[80];
  for (size_t i = 0; i < SL_RUNTIMES && value != NULL; i++) {
    snprintf(name, sizeof name, "%s%s", sl_runtimes[i].prefix, option);
    setenv(name, value, 1);
  }
}

void sl_host_command_number(const char *option, uint64_t value)
{
  char text[32];
  snprintf(text, sizeof text, "%" PRIu64, value);
  sl_host_command_set(option, text);
}

/* simtlab's runtimes come before the system's. A variable that names one file keeps the user's choice. */
static void find_runtimes(void)
{
  char library[SL_PATH], found[3 * SL_PATH];
  struct sl_error none;
  for (size_t i = 0; i < SL_RUNTIMES; i++) {
    const struct sl_runtime *runtime = &sl_runtimes[i];
    if ((!runtime->finder_is_path && getenv(runtime->finder) != NULL) ||
        sl_find_data(runtime->library, library, &none) != SL_OK)
      continue;
    sl_runtime_finder(runtime, library, found, sizeof found);
    setenv(runtime->finder, found, 1);
  }
}

enum sl_status sl_host_command_run(const char *program, const struct sl_operands *operands, bool quiet, int *status,
                                   struct sl_error *err)
{
  char path[SL_PATH], **arguments = calloc((size_t)operands->count + 1, sizeof *arguments);
  posix_spawn_file_actions_t actions;
  pid_t child;
  int ended;
  if (arguments == NULL || posix_spawn_file_actions_init(&actions) != 0) {
    free(arguments);
    return sl_no_memory(err, sizeof actions);
  }
  memcpy(arguments, operands->items, (size_t)operands->count * sizeof *arguments);
  snprintf(path, sizeof path, "%s%s", strchr(program, '/') != NULL ? "" : "./", program);
  if (quiet)
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  fflush(NULL);
  const int reason = posix_spawn(&child, path, &actions, NULL, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  free(arguments);
  if (reason != 0)
    return sl_fail(err, SL_USAGE, "%.300s: cannot be run (%s)", path, strerror(reason));
  while (waitpid(child, &ended, 0) < 0)
    if (errno != EINTR)
      return sl_fail(err, SL_USAGE, "%.300s: its exit status is lost (%s)", path, strerror(errno));
  *status = WIFSIGNALED(ended) ? 128 + WTERMSIG(ended) : WEXITSTATUS(ended);
  return SL_OK;
}

static bool has(const char *bytes, size_t size, const char *text)
{
  const size_t length = strlen(text);
  for (const char *at = bytes, *end = bytes + size; at != NULL && (size_t)(end - at) >= length; at++) {
    at = memchr(at, text[0], (size_t)(end - at) - length + 1);
    if (at == NULL || memcmp(at, text, length) == 0)
      return at != NULL;
  }
  return false;
}

/* Whether the program names libraries of runtimes that also run on machines without PTX, and no others. */
static bool runs_riscv(const char *path)
{
  char *bytes = NULL;
  size_t size = 0;
  bool some = false, all = true;
  struct sl_error none;
  if (sl_file_bytes_read(path, &bytes, &size, &none) != SL_OK)
    return false;
  for (size_t i = 0; i < SL_RUNTIMES; i++)
    if (has(bytes, size, sl_runtimes[i].trace)) {
      some = true;
      all &= sl_runtimes[i].runs_riscv;
    }
  free(bytes);
  return some && all;
}

/* A program might go on without the GPU that it cannot get. */
static enum sl_status check_machine(const char *name, const char *program, struct sl_error *err)
{
  struct sl_config config;
  if (name == NULL || runs_riscv(program))
    return SL_OK;
  enum sl_status code = sl_config_open(&config, name, err);
  if (code == SL_OK && config.machine->ptx == NULL)
    code = sl_fail(err, SL_USAGE, "machine %.100s does not execute PTX: choose sm7", name);
  sl_config_close(&config);
  return code;
}

enum sl_status sl_host_command_prepare(const char *program, const char *machine, struct sl_error *err)
{
  const enum sl_status code = check_machine(machine, program, err);
  find_runtimes();
  sl_host_command_set("MACHINE", machine);
  sl_host_command_set("DEVICES", machine); /* its other name */
  return code;
}

static bool join(char path[SL_PATH], const char *folder, const char *relative)
{
  int n = snprintf(path, SL_PATH, "%s/%s", folder, relative);
  return n > 0 && n < SL_PATH && access(path, R_OK) == 0;
}

/* The folder of the running command. */
static bool command_folder(char folder[SL_PATH])
{
  ssize_t length = readlink("/proc/self/exe", folder, SL_PATH - 1);
  if (length <= 0)
    return false;
  folder[length] = '\0';
  char *slash = strrchr(folder, '/');
  if (slash == NULL)
    return false;
  *slash = '\0';
  return true;
}

enum sl_status sl_find_data(const char *relative, char path[SL_PATH], struct sl_error *err)
{
  const char *home = getenv("SIMTLAB_HOME");
  if (home != NULL && home[0] != '\0')
    return join(path, home, relative)
               ? SL_OK
               : sl_fail(err, SL_USAGE, "%.200s is not in %.500s, where SIMTLAB_HOME points", relative, home);
  char folder[SL_PATH], shared[SL_PATH];
  if (!command_folder(folder))
    return sl_fail(err, SL_USAGE, "the command's own folder cannot be found; set SIMTLAB_HOME to the folder of %.200s",
                   relative);
  if (join(path, folder, relative))
    return SL_OK;
  int n = snprintf(shared, sizeof shared, "%s/../share/simtlab", folder);
  if (n > 0 && (size_t)n < sizeof shared && join(path, shared, relative))
    return SL_OK;
  return sl_fail(err, SL_USAGE,
                 "%.200s is neither in %.300s nor in its ../share/simtlab; build it with make, or set SIMTLAB_HOME",
                 relative, folder);
}

void sl_find_helper(const char *name, char path[SL_PATH])
{
  const char *home = getenv("SIMTLAB_HOME");
  char folder[SL_PATH], installed[SL_PATH + 32];
  if (home != NULL && home[0] != '\0' && join(path, home, name))
    return;
  if (!command_folder(folder))
    snprintf(path, SL_PATH, "%s", name);
  else {
    snprintf(installed, sizeof installed, "%s/../libexec/simtlab", folder);
    if (!join(path, installed, name))
      join(path, folder, name);
  }
}
