#include "cli/host_program.h"

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

#include "cli/locations.h"
#include "config/config.h"
#include "machine/sm7/sm7.h"
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
  static const char *const prefixes[] = {"SIMTLAB_CUDA_", "SIMTLAB_OPENCL_"};
  char name[80];
  for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0] && value != NULL; i++) {
    snprintf(name, sizeof name, "%s%s", prefixes[i], option);
    setenv(name, value, 1);
  }
}

void sl_host_command_number(const char *option, uint64_t value)
{
  char text[32];
  snprintf(text, sizeof text, "%" PRIu64, value);
  sl_host_command_set(option, text);
}

/* The runtime for CUDA comes before a library of the same name. */
static void find_cuda(void)
{
  char root[SL_PATH], path[2 * SL_PATH];
  struct sl_error none;
  const char *before = getenv("LD_LIBRARY_PATH");
  if (sl_find_data("cuda", root, &none) != SL_OK)
    return;
  snprintf(path, sizeof path, "%s/lib64%s%.*s", root, before != NULL ? ":" : "", SL_PATH, before != NULL ? before : "");
  setenv("LD_LIBRARY_PATH", path, 1);
}

/* So does simtlab's OpenCL before those of the system, in a build folder. */
static void find_opencl(void)
{
  char path[SL_PATH];
  struct sl_error none;
  if (getenv("OCL_ICD_VENDORS") == NULL && sl_find_data("simtlab.icd", path, &none) == SL_OK)
    setenv("OCL_ICD_VENDORS", path, 1);
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

/* Whether the program names a library for OpenCL and none for CUDA: such a program runs on machine code, too. */
static bool is_opencl(const char *path)
{
  static const char opencl[] = "libOpenCL.so", cuda[] = "libcuda";
  char *bytes = NULL;
  size_t size = 0;
  struct sl_error none;
  if (sl_file_bytes_read(path, &bytes, &size, &none) != SL_OK)
    return false;
  const bool is = has(bytes, size, opencl) && !has(bytes, size, cuda);
  free(bytes);
  return is;
}

/* A program might go on without the GPU that it cannot get. */
static enum sl_status check_machine(const char *name, const char *program, struct sl_error *err)
{
  struct sl_config config;
  if (name == NULL || is_opencl(program))
    return SL_OK;
  enum sl_status code = sl_config_open(&config, name, err);
  if (code == SL_OK && config.machine != &sl_sm7)
    code = sl_fail(err, SL_USAGE, "machine %.100s does not execute PTX: choose sm7", name);
  sl_config_close(&config);
  return code;
}

enum sl_status sl_host_command_prepare(const char *program, const char *machine, struct sl_error *err)
{
  const enum sl_status code = check_machine(machine, program, err);
  find_cuda();
  find_opencl();
  if (machine != NULL) {
    setenv("SIMTLAB_CUDA_MACHINE", machine, 1);
    setenv("SIMTLAB_OPENCL_DEVICES", machine, 1);
  }
  return code;
}
