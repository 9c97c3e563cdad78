#include "toolchain/tools.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

void sl_words_add(struct sl_words *words, const char *word)
{
  if (words->count == SL_WORDS_MOST)
    words->overflow = true;
  else
    words->items[words->count++] = word;
}

void sl_words_add_all(struct sl_words *words, const char *const *more)
{
  for (; *more != NULL; more++)
    sl_words_add(words, *more);
}

/* A text that could not grow loses what did not fit. */
void sl_log_add(struct sl_log *log, const char *bytes, size_t size)
{
  if (log->length + size + 1 > log->capacity) {
    const size_t capacity = 2 * (log->length + size + 1);
    char *grown = realloc(log->text, capacity);
    if (grown == NULL)
      return;
    log->text = grown;
    log->capacity = capacity;
  }
  memcpy(log->text + log->length, bytes, size);
  log->length += size;
  log->text[log->length] = '\0';
}

void sl_log_free(struct sl_log *log)
{
  free(log->text);
  *log = (struct sl_log){0};
}

static void add_text(struct sl_log *log, const char *text)
{
  sl_log_add(log, text, strlen(text));
}

static void add_word(struct sl_log *log, const char *word)
{
  static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=.,/:@%";
  if (word[0] != '\0' && word[strspn(word, plain)] == '\0') {
    add_text(log, word);
    return;
  }
  add_text(log, "'");
  for (; *word != '\0'; word++)
    if (*word == '\'')
      add_text(log, "'\\''");
    else
      sl_log_add(log, word, 1);
  add_text(log, "'");
}

static void add_words(struct sl_log *log, const struct sl_words *words)
{
  for (size_t i = 0; i < words->count; i++) {
    if (i > 0)
      add_text(log, " ");
    add_word(log, words->items[i]);
  }
  add_text(log, "\n");
}

static enum sl_status not_started(const char *tool, int reason, struct sl_error *err)
{
  if (reason != ENOENT)
    return sl_fail(err, SL_USAGE, "%s cannot be started (%s)", tool, strerror(reason));
  if (strstr(tool, "simtlab-marks") != NULL)
    return sl_fail(
        err, SL_USAGE,
        "%.300s, which inserts convergence marks, is not there; install the Debian package llvm-19-dev and build "
        "simtlab again, or mark divergent statements by hand and add --marks=user",
        tool);
  const char *package = strncmp(tool, "riscv64-", 8) == 0 ? "gcc-riscv64-unknown-elf" : tool;
  return sl_fail(err, SL_USAGE, "%s is not installed; install the Debian package %s", tool, package);
}

/* Starts it with its output going into a pipe. An errno, 0 for none. */
static int start(const struct sl_words *words, const int ends[2], pid_t *child)
{
  extern char **environ;
  posix_spawn_file_actions_t actions;
  int reason = posix_spawn_file_actions_init(&actions);
  if (reason != 0)
    return reason;
  posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
  posix_spawn_file_actions_adddup2(&actions, ends[1], 2);
  posix_spawn_file_actions_addclose(&actions, ends[0]);
  posix_spawn_file_actions_addclose(&actions, ends[1]);
  /* posix_spawnp takes the words as not const for historical reasons only. */
  reason = posix_spawnp(child, words->items[0], &actions, NULL, (char *const *)(uintptr_t)words->items, environ);
  posix_spawn_file_actions_destroy(&actions);
  return reason;
}

static void listen(int end, struct sl_log *log)
{
  char bytes[4096];
  ssize_t n;
  while ((n = read(end, bytes, sizeof bytes)) > 0 || (n < 0 && errno == EINTR))
    if (n > 0)
      sl_log_add(log, bytes, (size_t)n);
}

enum sl_status sl_words_run(const struct sl_words *words, bool shown, struct sl_log *log, struct sl_error *err)
{
  pid_t child;
  int status, ends[2];
  if (words->overflow)
    return sl_fail(err, SL_USAGE, "more than %d words on the compiler's command line", SL_WORDS_MOST);
  if (shown)
    add_words(log, words);
  if (pipe(ends) != 0)
    return sl_fail(err, SL_INTERNAL, "no pipe for %s (%s)", words->items[0], strerror(errno));
  fcntl(ends[0], F_SETFD, FD_CLOEXEC); /* other threads may start tools at the same time */
  fcntl(ends[1], F_SETFD, FD_CLOEXEC);
  const int reason = start(words, ends, &child);
  close(ends[1]);
  if (reason == 0)
    listen(ends[0], log);
  close(ends[0]);
  if (reason != 0)
    return not_started(words->items[0], reason, err);
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR)
      return sl_fail(err, SL_INTERNAL, "%s got lost (%s)", words->items[0], strerror(errno));
  if (WIFSIGNALED(status))
    return sl_fail(err, SL_USAGE, "%s was ended by signal %d", words->items[0], WTERMSIG(status));
  if (WEXITSTATUS(status) != 0)
    return sl_fail(err, SL_USAGE, "%s failed (exit status %d); -v shows its command line", words->items[0],
                   WEXITSTATUS(status));
  return SL_OK;
}

enum sl_status sl_make_folder(char *path, size_t size, struct sl_error *err)
{
  const char *parent = getenv("TMPDIR");
  if (parent == NULL || parent[0] == '\0')
    parent = "/tmp";
  int n = snprintf(path, size, "%s/simtlab-cc-XXXXXX", parent);
  if (n < 0 || (size_t)n >= size || mkdtemp(path) == NULL)
    return sl_fail(err, SL_USAGE, "no folder for temporary files can be made in %.200s (%s)", parent, strerror(errno));
  return SL_OK;
}
