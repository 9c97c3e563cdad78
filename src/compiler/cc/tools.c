#define _GNU_SOURCE /* pipe2 */
#include "compiler/cc/tools.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "program/program.h"

/* Takes over the text. */
static void add_own(struct sl_words *words, char *text)
{
  if (text != NULL && words->count + 1 >= words->capacity) {
    const size_t capacity = 2 * words->capacity + 64;
    char **grown = realloc(words->items, capacity * sizeof *grown);
    if (grown == NULL) {
      free(text);
      text = NULL;
    } else {
      words->items = grown;
      words->capacity = capacity;
    }
  }
  if (text == NULL) {
    words->lost = true;
    return;
  }
  words->items[words->count++] = text;
  words->items[words->count] = NULL;
}

void sl_words_add(struct sl_words *words, const char *word)
{
  add_own(words, strdup(word));
}

void sl_words_add_all(struct sl_words *words, const char *const *more)
{
  for (; more != NULL && *more != NULL; more++)
    sl_words_add(words, *more);
}

void sl_words_add_text(struct sl_words *words, const char *format, ...)
{
  va_list list;
  va_start(list, format);
  const int length = vsnprintf(NULL, 0, format, list);
  va_end(list);
  char *text = length < 0 ? NULL : malloc((size_t)length + 1);
  if (text != NULL) {
    va_start(list, format);
    vsnprintf(text, (size_t)length + 1, format, list);
    va_end(list);
  }
  add_own(words, text);
}

void sl_words_free(struct sl_words *words)
{
  for (size_t i = 0; i < words->count; i++)
    free(words->items[i]);
  free(words->items);
  *words = (struct sl_words){0};
}

/* If the text cannot grow, the excess is dropped. */
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

void sl_log_add_words(struct sl_log *log, const struct sl_words *words)
{
  for (size_t i = 0; i < words->count; i++) {
    if (i > 0)
      add_text(log, " ");
    add_word(log, words->items[i]);
  }
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
  const bool of_llvm = strncmp(tool, "llc-", 4) == 0 || strncmp(tool, "llvm-", 5) == 0;
  if (of_llvm)
    return sl_fail(err, SL_USAGE, "%s is not installed; install the Debian package llvm-19, or add --allocation stock",
                   tool);
  const char *package = strncmp(tool, "riscv64-", 8) == 0 ? "gcc-riscv64-unknown-elf" : tool;
  return sl_fail(err, SL_USAGE, "%s is not installed; install the Debian package %s", tool, package);
}

/* Starts the command with its output going into a pipe. Returns an errno, 0 for none. */
static int start(const struct sl_words *words, enum sl_tool_output output, const int ends[2], pid_t *child)
{
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  sigset_t signals;
  int reason = posix_spawn_file_actions_init(&actions);
  if (reason != 0)
    return reason;
  reason = posix_spawnattr_init(&attributes);
  if (reason != 0) {
    posix_spawn_file_actions_destroy(&actions);
    return reason;
  }
  sigemptyset(&signals); /* the parent's blocked signals and ignored SIGPIPE are not inherited */
  posix_spawnattr_setsigmask(&attributes, &signals);
  sigaddset(&signals, SIGPIPE);
  sigaddset(&signals, SIGXFSZ);
  posix_spawnattr_setsigdefault(&attributes, &signals);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
  if (output == SL_OUTPUT_LOGGED)
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
  posix_spawn_file_actions_adddup2(&actions, ends[1], 2);
  posix_spawn_file_actions_addclose(&actions, ends[0]);
  posix_spawn_file_actions_addclose(&actions, ends[1]);
  reason = posix_spawnp(child, words->items[0], &actions, &attributes, words->items, environ);
  posix_spawnattr_destroy(&attributes);
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

/* Evaluates the child's exit status. */
static enum sl_status judge(struct sl_tools *tools, const char *tool, pid_t child, struct sl_error *err)
{
  int status;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR)
      return sl_fail(err, SL_INTERNAL, "%s got lost (%s)", tool, strerror(errno));
  if (WIFSIGNALED(status))
    return sl_fail(err, SL_USAGE, "%s was ended by signal %d", tool, WTERMSIG(status));
  if (WEXITSTATUS(status) == 0)
    return SL_OK;
  tools->refused = true;
  return sl_fail(err, SL_USAGE, "%s failed (exit status %d); -v shows its command line", tool, WEXITSTATUS(status));
}

enum sl_status sl_tools_run(struct sl_tools *tools, const struct sl_words *words, enum sl_tool_output output,
                            struct sl_error *err)
{
  pid_t child;
  int ends[2];
  if (words->lost || words->count == 0)
    return sl_no_memory(err, words->capacity);
  if (tools->shown || tools->dry) {
    sl_log_add_words(tools->log, words);
    add_text(tools->log, "\n");
  }
  if (tools->dry)
    return SL_OK;
  if (tools->stopped != NULL && tools->stopped(tools->context))
    return sl_fail(err, SL_LIMIT, "stopped before %s", words->items[0]);
  /* Other threads may start tools at any time. A tool that had the end of another's pipe would keep it open. */
  if (pipe2(ends, O_CLOEXEC) != 0)
    return sl_fail(err, SL_INTERNAL, "no pipe for %s (%s)", words->items[0], strerror(errno));
  const int reason = start(words, output, ends, &child);
  close(ends[1]);
  if (reason == 0)
    listen(ends[0], tools->log);
  close(ends[0]);
  return reason != 0 ? not_started(words->items[0], reason, err) : judge(tools, words->items[0], child, err);
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

enum { DEPTH_MOST = 20 };

char *sl_next_word(char **rest)
{
  char *from = *rest, quote = '\0';
  while (isspace((unsigned char)*from))
    from++;
  if (*from == '\0')
    return NULL;
  char *const word = from, *to = from;
  for (; *from != '\0' && (quote != '\0' || !isspace((unsigned char)*from)); from++)
    if (*from == '\\' && from[1] != '\0')
      *to++ = *++from;
    else if (quote == '\0' && (*from == '"' || *from == '\''))
      quote = *from;
    else if (*from == quote)
      quote = '\0';
    else
      *to++ = *from;
  *rest = *from != '\0' ? from + 1 : from;
  *to = '\0';
  return word;
}

static enum sl_status expand(struct sl_words *words, const char *word, int depth, struct sl_error *err)
{
  char *text, *next;
  size_t size;
  if (word[0] != '@' || access(word + 1, R_OK) != 0) {
    sl_words_add(words, word);
    return SL_OK;
  }
  enum sl_status code = sl_file_bytes_read(word + 1, &text, &size, err);
  if (code != SL_OK)
    return code;
  char *rest = text;
  if (depth == DEPTH_MOST)
    code = sl_fail(err, SL_USAGE, "%.200s: files of options name each other without an end", word);
  while (code == SL_OK && (next = sl_next_word(&rest)) != NULL)
    code = expand(words, next, depth + 1, err);
  free(text);
  return code;
}

enum sl_status sl_words_add_expanded(struct sl_words *words, const char *word, struct sl_error *err)
{
  return expand(words, word, 0, err);
}

enum sl_status sl_staged_output_begin(struct sl_staged_output *output, const struct sl_tools *tools, const char *path,
                                      struct sl_error *err)
{
  struct stat status;
  *output = (struct sl_staged_output){.path = path};
  if (tools->dry || path == NULL || strcmp(path, "-") == 0 || (stat(path, &status) == 0 && !S_ISREG(status.st_mode)))
    return SL_OK;
  const enum sl_status code = sl_whole_file_open(&output->whole, path, err);
  if (code == SL_OK)
    output->path = output->whole.aside;
  return code;
}

enum sl_status sl_staged_output_end(struct sl_staged_output *output, enum sl_status code, struct sl_error *err)
{
  if (output->whole.file == NULL)
    return code;
  if (code == SL_OK)
    return sl_whole_file_close(&output->whole, false, err);
  sl_whole_file_drop(&output->whole);
  return code;
}
