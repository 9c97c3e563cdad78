#define _GNU_SOURCE /* pipe2 */
#include "lab/process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- names ------------------------------------------------------------------------------------------------------- */

bool sl_process_name(long pid, char name[SL_PROCESS])
{
  char path[64], boot[40] = "", text[1024];
  unsigned long long started = 0;
  FILE *file = fopen("/proc/sys/kernel/random/boot_id", "re");
  if (file != NULL) {
    if (fscanf(file, "%39s", boot) != 1)
      boot[0] = '\0';
    fclose(file);
  }
  snprintf(path, sizeof path, "/proc/%ld/stat", pid);
  file = fopen(path, "re");
  if (file == NULL)
    return false;
  text[fread(text, 1, sizeof text - 1, file)] = '\0';
  fclose(file);
  const char *fields = strrchr(text, ')'); /* the name before it may contain anything */
  char state = 'X';
  if (fields == NULL ||
      sscanf(fields, ") %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d %llu", &state,
             &started) != 2 ||
      state == 'Z' || state == 'X')
    return false;
  snprintf(name, SL_PROCESS, "%s %ld %llu", boot, pid, started);
  return true;
}

bool sl_process_lives(const char *name)
{
  char now[SL_PROCESS];
  long pid;
  return name != NULL && sscanf(name, "%*s %ld", &pid) == 1 && sl_process_name(pid, now) && strcmp(now, name) == 0;
}

/* ---- shell commands ---------------------------------------------------------------------------------------------- */

void sl_shell_quote(const char *text, char *word, size_t size)
{
  size_t used = 0;
  word[used++] = '\'';
  for (; *text != '\0' && used + 6 < size; text++)
    if (*text == '\'')
      used += (size_t)snprintf(word + used, size - used, "'\\''");
    else
      word[used++] = *text;
  word[used++] = '\'';
  word[used] = '\0';
}

int sl_shell(const char *folder, const char *command, int (*put)(void *context, uint8_t byte), void *context)
{
  const size_t size = 4 * strlen(folder) + strlen(command) + 64;
  char *line = malloc(size);
  if (line == NULL)
    return -1;
  snprintf(line, size, "cd ");
  sl_shell_quote(folder, line + 3, size - 3);
  snprintf(line + strlen(line), size - strlen(line), " && { %s\n} </dev/null 2>&1", command);
  FILE *pipe = popen(line, "re");
  free(line);
  for (int byte; pipe != NULL && (byte = getc(pipe)) != EOF;)
    put(context, (uint8_t)byte);
  return pipe != NULL ? pclose(pipe) : -1;
}

/* ---- workers ----------------------------------------------------------------------------------------------------- */

enum { PIPE_BYTES = 65536 };

/* The child has its ends of the pipes as standard input and output. Signals have their defaults there: a terminal sends
 * an interrupt to all processes, and this one ends its workers itself. */
static int spawn(struct sl_worker_process *worker, const char *const *command, int in, int out)
{
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  sigset_t none, defaults;
  int reason = posix_spawn_file_actions_init(&actions);
  if (reason != 0)
    return reason;
  reason = posix_spawnattr_init(&attributes);
  if (reason != 0) {
    posix_spawn_file_actions_destroy(&actions);
    return reason;
  }
  sigemptyset(&none);
  sigemptyset(&defaults);
  sigaddset(&defaults, SIGPIPE);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &defaults);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
  reason = posix_spawnp(&worker->process, command[0], &actions, &attributes, (char *const *)command, environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return reason;
}

/* A pipe whose ends are closed in other workers. */
static int make_pipe(int ends[2])
{
  return pipe2(ends, O_CLOEXEC) != 0 ? errno : 0;
}

enum sl_status sl_worker_start(struct sl_worker_process *worker, const char *const *command, struct sl_error *err)
{
  int in[2], out[2];
  *worker = (struct sl_worker_process){.to = -1, .from = -1, .megabytes = worker->megabytes};
  int reason = make_pipe(in);
  if (reason == 0 && (reason = make_pipe(out)) != 0) {
    close(in[0]);
    close(in[1]);
  }
  if (reason == 0) {
    reason = spawn(worker, command, in[0], out[1]);
    close(in[0]);
    close(out[1]);
    worker->to = in[1];
    worker->from = out[0];
    if (reason != 0) {
      close(in[1]);
      close(out[0]);
      worker->process = 0;
    }
  }
  return reason == 0 ? SL_OK
                     : sl_fail(err, SL_USAGE, "a worker cannot be started (%s): %.300s", strerror(reason), command[0]);
}

void sl_worker_send(struct sl_worker_process *worker, const char *line)
{
  for (size_t left = strlen(line); left > 0;) {
    const ssize_t sent = write(worker->to, line, left);
    if (sent < 0 && errno != EINTR)
      return;
    line += sent > 0 ? sent : 0;
    left -= sent > 0 ? (size_t)sent : 0;
  }
  while (write(worker->to, "\n", 1) < 0 && errno == EINTR)
    ;
}

bool sl_worker_read(struct sl_worker_process *worker)
{
  worker->text_size -= worker->text_taken;
  if (worker->text_taken > 0)
    memmove(worker->text, worker->text + worker->text_taken, worker->text_size);
  worker->text_taken = 0;
  if (worker->text_room - worker->text_size < PIPE_BYTES) {
    char *larger = realloc(worker->text, worker->text_size + 2 * PIPE_BYTES);
    if (larger == NULL)
      return false;
    worker->text = larger;
    worker->text_room = worker->text_size + 2 * PIPE_BYTES;
  }
  const ssize_t size = read(worker->from, worker->text + worker->text_size, worker->text_room - worker->text_size);
  if (size > 0)
    worker->text_size += (size_t)size;
  return size > 0 || (size < 0 && errno == EINTR);
}

char *sl_worker_line(struct sl_worker_process *worker)
{
  const size_t left = worker->text_size - worker->text_taken;
  char *line = worker->text + worker->text_taken, *end = left > 0 ? memchr(line, '\n', left) : NULL;
  if (end == NULL)
    return NULL;
  *end = '\0';
  worker->text_taken += (size_t)(end - line) + 1;
  return line;
}

int sl_worker_end(struct sl_worker_process *worker)
{
  int status = 0;
  close(worker->to);
  close(worker->from);
  while (waitpid(worker->process, &status, 0) < 0 && errno == EINTR)
    ;
  free(worker->text);
  worker->text = NULL;
  worker->process = 0;
  worker->queued = 0;
  return status;
}
