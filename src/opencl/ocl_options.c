#include "opencl/ocl_options.h"

#include <stdlib.h>
#include <string.h>

#include "compiler/cc/tools.h"

static bool is_one_of(const char *word, const char *const *list)
{
  for (; *list != NULL; list++)
    if (strcmp(word, *list) == 0)
      return true;
  return false;
}

static void say(struct sl_log *log, const char *text, const char *word, const char *rest)
{
  sl_log_add(log, text, strlen(text));
  sl_log_add(log, word, strlen(word));
  sl_log_add(log, rest, strlen(rest));
}

/* Takes an option; `rest`: the words after it. */
static bool take(struct ocl_options *o, const char *word, char **rest, bool linker, struct sl_log *log)
{
  static const char *const passed[] = {"-cl-single-precision-constant",
                                       "-cl-denorms-are-zero",
                                       "-cl-fp32-correctly-rounded-divide-sqrt",
                                       "-cl-mad-enable",
                                       "-cl-no-signed-zeros",
                                       "-cl-unsafe-math-optimizations",
                                       "-cl-finite-math-only",
                                       "-cl-fast-relaxed-math",
                                       "-cl-std=CL1.0",
                                       "-cl-std=CL1.1",
                                       "-cl-std=CL1.2",
                                       "-cl-std=CL2.0",
                                       "-cl-std=CL3.0",
                                       "-w",
                                       "-Werror",
                                       NULL};
  static const char *const ignored[] = {
      "-cl-kernel-arg-info",         "-g", "-cl-strict-aliasing", "-O0", "-O1", "-O2", "-O3",
      "-cl-uniform-work-group-size", NULL};
  if (strcmp(word, "-D") == 0 || strcmp(word, "-I") == 0 || strcmp(word, "-U") == 0) {
    const char *value = sl_next_word(rest);
    if (value != NULL)
      sl_words_add_text(&o->flags, "%s%s", word, value);
    return value != NULL;
  }
  if (strncmp(word, "-D", 2) == 0 || strncmp(word, "-I", 2) == 0 || strncmp(word, "-U", 2) == 0 ||
      is_one_of(word, passed)) {
    sl_words_add(&o->flags, word);
    o->strict |= strcmp(word, "-Werror") == 0;
    return true;
  }
  if (strcmp(word, "-cl-opt-disable") == 0) {
    o->optimised = false;
    return true;
  }
  if (linker && (strcmp(word, "-create-library") == 0 || strcmp(word, "-enable-link-options") == 0)) {
    o->library |= word[1] == 'c';
    return true;
  }
  if (strncmp(word, "-cl-nv-", 7) == 0)
    say(log, "warning: option ", word, " has no effect\n");
  return strncmp(word, "-cl-nv-", 7) == 0 || is_one_of(word, ignored);
}

enum sl_status sl_ocl_options_read(struct ocl_options *options, const char *text, bool linker, struct sl_log *log)
{
  char *copy = strdup(text != NULL ? text : ""), *rest = copy, *word;
  bool known = copy != NULL;
  *options = (struct ocl_options){.optimised = true};
  while (known && (word = sl_next_word(&rest)) != NULL)
    if (!take(options, word, &rest, linker, log)) {
      say(log, "error: option ", word, " is not known, or lacks its value\n");
      known = false;
    }
  free(copy);
  return known ? SL_OK : SL_USAGE;
}

void sl_ocl_options_free(struct ocl_options *options)
{
  sl_words_free(&options->flags);
}
