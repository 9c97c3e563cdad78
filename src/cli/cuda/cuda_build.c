#include "cli/cuda/cuda_build.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/locations.h"
#include "cli/options.h"
#include "compiler/cc/tools.h"

bool sl_is_cuda_source(const char *path)
{
  const char *dot = strrchr(path, '.');
  return dot != NULL && strcmp(dot, ".cu") == 0;
}

/* The words of the caller come last, because the last option of a kind counts. */
static enum sl_status compile(const char *source, char *words, bool checkable, const char *output, struct sl_error *err)
{
  const char *const first[] = {"cuda", "-std=c++17", "-lineinfo", "-o", output, source};
  struct sl_words all = {0};
  for (size_t i = 0; i < sizeof first / sizeof *first; i++)
    sl_words_add(&all, first[i]);
  if (checkable)
    sl_words_add(&all, "--checkable");
  for (char *word = words != NULL ? sl_next_word(&words) : NULL; word != NULL; word = sl_next_word(&words))
    sl_words_add(&all, word);
  enum sl_status code = all.lost ? sl_no_memory(err, strlen(source)) : SL_OK;
  if (code == SL_OK)
    code = sl_cuda_command.run(&sl_cuda_command, (int)all.count, all.items, err);
  sl_words_free(&all);
  return code == SL_CHECK_FAILED ? sl_fail(err, SL_USAGE, "%.300s: it does not compile", source) : code;
}

enum sl_status sl_cuda_build(const char *source, const char *words, bool checkable, char program[SL_CUDA_PROGRAM],
                             int *file, struct sl_error *err)
{
  char folder[SL_PATH], output[SL_PATH + 8], *own = words != NULL ? strdup(words) : NULL;
  *file = -1;
  if (words != NULL && own == NULL)
    return sl_no_memory(err, strlen(words));
  enum sl_status code = sl_make_folder(folder, sizeof folder, err);
  if (code != SL_OK) {
    free(own);
    return code;
  }
  snprintf(output, sizeof output, "%s/program", folder);
  code = compile(source, own, checkable, output, err);
  if (code == SL_OK && (*file = open(output, O_RDONLY | O_CLOEXEC)) < 0)
    code = sl_fail(err, SL_USAGE, "%.300s: no program came of it: leave -o, -c and -ptx out (%s)", source,
                   strerror(errno));
  snprintf(program, SL_CUDA_PROGRAM, "/proc/self/fd/%d", *file); /* the file is open, and needs no name */
  unlink(output);
  rmdir(folder);
  free(own);
  return code;
}
