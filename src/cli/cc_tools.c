#include "cli/cc_tools.h"

#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

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

static void print_word(const char *word)
{
  static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=.,/:@%";
  if (word[0] != '\0' && word[strspn(word, plain)] == '\0') {
    fputs(word, stderr);
    return;
  }
  putc('\'', stderr);
  for (; *word != '\0'; word++)
    if (*word == '\'')
      fputs("'\\''", stderr);
    else
      putc(*word, stderr);
  putc('\'', stderr);
}

static void print_words(const struct sl_words *words)
{
  for (size_t i = 0; i < words->count; i++) {
    if (i > 0)
      putc(' ', stderr);
    print_word(words->items[i]);
  }
  putc('\n', stderr);
}

static enum sl_code not_started(const char *tool, int reason, struct sl_error *err)
{
  if (reason != ENOENT)
    return sl_fail(err, SL_USAGE, "%s cannot be started (%s)", tool, strerror(reason));
  const char *package = strncmp(tool, "riscv64-", 8) == 0 ? "gcc-riscv64-unknown-elf" : tool;
  return sl_fail(err, SL_USAGE, "%s is not installed; install the Debian package %s", tool, package);
}

enum sl_code sl_words_run(const struct sl_words *words, bool shown, struct sl_error *err)
{
  extern char **environ;
  if (words->overflow)
    return sl_fail(err, SL_USAGE, "more than %d words on the compiler's command line", SL_WORDS_MOST);
  if (shown)
    print_words(words);
  pid_t child;
  int status;
  /* posix_spawnp takes the words as not const for historical reasons only. */
  int reason = posix_spawnp(&child, words->items[0], NULL, NULL, (char *const *)(uintptr_t)words->items, environ);
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

enum sl_code sl_make_folder(char *path, size_t size, struct sl_error *err)
{
  const char *parent = getenv("TMPDIR");
  if (parent == NULL || parent[0] == '\0')
    parent = "/tmp";
  int n = snprintf(path, size, "%s/simtlab-cc-XXXXXX", parent);
  if (n < 0 || (size_t)n >= size || mkdtemp(path) == NULL)
    return sl_fail(err, SL_USAGE, "no folder for temporary files can be made in %.200s (%s)", parent, strerror(errno));
  return SL_OK;
}
