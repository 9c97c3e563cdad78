/* The public interface: compiling. */
#include <stdio.h>
#include <stdlib.h>

#include "api/api_types.h"
#include "compiler/cc/compile.h"

enum { PATH_MOST = 4096 };

static enum sl_status find_runtime(const struct simtlab_compile *compile, char path[PATH_MOST], struct sl_error *err)
{
  const char *home = getenv("SIMTLAB_HOME");
  int n = compile->runtime != NULL ? snprintf(path, PATH_MOST, "%s", compile->runtime)
          : home != NULL           ? snprintf(path, PATH_MOST, "%s/runtime", home)
                                   : -1;
  if (n < 0 || n >= PATH_MOST)
    return sl_fail(err, SL_USAGE, "the runtime library's folder is unknown: set `runtime` or SIMTLAB_HOME");
  return SL_OK;
}

static size_t count(const char *const *list)
{
  size_t n = 0;
  while (list != NULL && list[n] != NULL)
    n++;
  return n;
}

/* Lists the files, then the linker's arguments; the caller frees the list. */
static struct sl_input *make_inputs(const struct simtlab_compile *compile, size_t *number, struct sl_error *err)
{
  const size_t files = count(compile->files), links = count(compile->link_flags);
  struct sl_input *inputs = calloc(files + links + 1, sizeof *inputs);
  *number = files + links;
  if (inputs == NULL)
    sl_no_memory(err, (files + links + 1) * sizeof *inputs);
  for (size_t i = 0; inputs != NULL && i < *number; i++)
    inputs[i] = i < files ? (struct sl_input){.word = compile->files[i]}
                          : (struct sl_input){.word = compile->link_flags[i - files], .of_linker = true};
  return inputs;
}

/* Formats the options as command-line words, so that one parser reads both. */
static enum sl_status read_code(const struct simtlab_compile *compile, struct sl_wide_options *code,
                                struct sl_error *err)
{
  char registers[16], banks[16];
  snprintf(registers, sizeof registers, "%u", compile->registers);
  snprintf(banks, sizeof banks, "%u", compile->banks);
  const struct sl_wide_words words = {.allocation = compile->allocation,
                                      .registers = compile->registers != 0 ? registers : NULL,
                                      .banks = compile->banks != 0 ? banks : NULL,
                                      .map = compile->bank_map,
                                      .saved = compile->saved_registers};
  const char *given = sl_wide_words_given(&words);
  if (given != NULL && !compile->vortex64)
    return sl_fail(err, SL_USAGE, "%s applies only to programs of 64-bit words: set vortex64", given);
  return sl_wide_options_read(code, &words, err);
}

enum simtlab_status simtlab_compile(const struct simtlab_compile *compile, char **log, struct simtlab_error *error)
{
  SL_API_NEEDS(compile, error);
  if (compile->files == NULL)
    return sl_api_null(__func__, "compile->files", error);
  if (compile->output == NULL)
    return sl_api_null(__func__, "compile->output", error);
  struct sl_error e;
  struct sl_log said = {0};
  char runtime[PATH_MOST];
  struct sl_tools tools = {.log = &said};
  struct sl_compile_order order = {.output = compile->output,
                                   .runtime = runtime,
                                   .flags = compile->flags,
                                   .vortex = compile->vortex || compile->vortex64,
                                   .wide = compile->vortex64,
                                   .fp = compile->fp || compile->vortex64,
                                   .rv32e = compile->rv32e,
                                   .clang = compile->clang,
                                   .no_marks = compile->no_marks,
                                   .auto_marks = compile->auto_marks,
                                   .marks_tool = compile->marks_tool,
                                   .cfm = compile->cfm,
                                   .dmsl = compile->dmsl};
  struct sl_input *inputs = make_inputs(compile, &order.input_count, &e);
  order.inputs = inputs;
  enum sl_status code = inputs != NULL ? find_runtime(compile, runtime, &e) : SL_INTERNAL;
  if (code == SL_OK)
    code = read_code(compile, &order.code, &e);
  if (code == SL_OK)
    code = sl_compile(&order, &tools, &e);
  free(inputs);
  if (log != NULL) {
    sl_log_add(&said, "", 0);
    *log = said.text;
  } else
    sl_log_free(&said);
  return sl_api_report(code, &e, error);
}
