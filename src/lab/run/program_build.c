#include "lab/run/execute.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/sha256.h"
#include "base/whole_file.h"
#include "config/yaml.h"
#include "lab/process.h"

/* The hash of what makes a program. Its inputs count by size and time of their last change, as make has it. */
static void hash_of(const struct sl_study_program *program, const char *simulator, char text[SL_SHA256_TEXT])
{
  struct sl_sha256 hash;
  sl_sha256_begin(&hash);
  sl_sha256_text(&hash, simulator);
  sl_sha256_text(&hash, program->build);
  for (uint64_t i = 0; i < program->files.count; i++) {
    struct stat file = {0};
    const bool exists = stat(program->files.list[i], &file) == 0;
    const int64_t facts[] = {exists, file.st_size, file.st_mtim.tv_sec, file.st_mtim.tv_nsec};
    sl_sha256_text(&hash, program->files.list[i]);
    sl_sha256_add(&hash, facts, sizeof facts);
  }
  sl_sha256_end(&hash, text);
}

static void note_path(const struct sl_study_program *program, char path[SL_WHOLE_PATH])
{
  snprintf(path, SL_WHOLE_PATH, "%s.built", program->path);
}

bool sl_program_is_built(const struct sl_study_program *program, const char *simulator, char **printed)
{
  char path[SL_WHOLE_PATH], hash[SL_SHA256_TEXT], *text = NULL;
  size_t size = 0;
  struct sl_error ignored;
  note_path(program, path);
  if (access(program->path, R_OK) != 0 || sl_read_text(path, &text, &size, &ignored) != SL_OK)
    return false;
  hash_of(program, simulator, hash);
  const bool same = size > strlen(hash) && strncmp(text, hash, strlen(hash)) == 0;
  *printed = same ? strndup(text + strlen(hash) + 1, size - strlen(hash) - 1) : NULL;
  free(text);
  return same;
}

/* Runs the build command, and notes what it has built. */
static enum sl_status build(const struct sl_study *study, size_t number, const char *simulator, struct sl_error *err)
{
  const struct sl_study_program *program = &study->programs[number];
  char path[SL_WHOLE_PATH], hash[SL_SHA256_TEXT], folder[SL_WHOLE_PATH];
  struct sl_run_outcome outcome = {.status = 0};
  struct sl_whole_file note;
  const char *slash = strrchr(study->origin, '/');
  snprintf(folder, sizeof folder, "%.*s", slash != NULL ? (int)(slash + 1 - study->origin) : 1,
           slash != NULL ? study->origin : ".");
  hash_of(program, simulator, hash);
  note_path(program, path);
  unlink(path);
  const int status = sl_shell(folder, program->build, sl_outcome_put_byte, &outcome);
  while (outcome.output_size > 0 && outcome.output[outcome.output_size - 1] == '\n')
    outcome.output[--outcome.output_size] = '\0';
  if (status != 0)
    return sl_fail(err, SL_USAGE, "%.250s:%zu: %.80s cannot be built (%s %d): %s", study->origin, program->line,
                   program->name, WIFSIGNALED(status) ? "signal" : "exit status",
                   WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status), outcome.output);
  if (access(program->path, R_OK) != 0)
    return sl_fail(err, SL_USAGE, "%.250s:%zu: the build command has ended without %.300s", study->origin,
                   program->line, program->path);
  enum sl_status code = sl_whole_file_open(&note, path, err);
  if (code == SL_OK) {
    fprintf(note.file, "%s\n%s", hash, outcome.output);
    code = sl_whole_file_close(&note, false, err);
  }
  return code;
}

/* Sweeps that build the same program wait for each other. The lock of a sweep that is killed is free. */
enum sl_status sl_program_build(const struct sl_study *study, size_t number, const char *simulator,
                                struct sl_error *err)
{
  const struct sl_study_program *program = &study->programs[number];
  char path[SL_WHOLE_PATH], *printed = NULL;
  snprintf(path, sizeof path, "%s.lock", program->path);
  const int lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  while (lock >= 0 && flock(lock, LOCK_EX) != 0 && errno == EINTR)
    ;
  const enum sl_status code =
      sl_program_is_built(program, simulator, &printed) ? SL_OK : build(study, number, simulator, err);
  free(printed);
  if (lock >= 0)
    close(lock);
  return code;
}
