/* The public interface: compiling. */
#include <stdio.h>
#include <stdlib.h>

#include "api/api_types.h"
#include "toolchain/compile.h"

enum { PATH_MOST = 4096 };

static enum sl_status find_runtime(const struct simtlab_compile *compile, char path[PATH_MOST], struct sl_error *err)
{
  const char *home = getenv("SIMTLAB_HOME");
  int n = compile->runtime != NULL ? snprintf(path, PATH_MOST, "%s", compile->runtime)
          : home != NULL           ? snprintf(path, PATH_MOST, "%s/runtime", home)
                                   : -1;
  if (n < 0 || n >= PATH_MOST)
    return sl_fail(err, SL_USAGE, "no folder of the runtime library: name it, or set SIMTLAB_HOME");
  return SL_OK;
}

enum simtlab_status simtlab_compile(const struct simtlab_compile *compile, char **log, struct simtlab_error *error)
{
  struct sl_error e;
  struct sl_log said = {0};
  char runtime[PATH_MOST];
  struct sl_compile_order order = {.files = compile->files,
                                   .output = compile->output,
                                   .runtime = runtime,
                                   .flags = compile->flags,
                                   .link_flags = compile->link_flags,
                                   .vortex = compile->vortex,
                                   .fp = compile->fp,
                                   .rv32e = compile->rv32e,
                                   .clang = compile->clang,
                                   .no_marks = compile->no_marks,
                                   .auto_marks = compile->auto_marks,
                                   .marks_tool = compile->marks_tool,
                                   .cfm = compile->cfm,
                                   .dmsl = compile->dmsl};
  while (compile->files != NULL && compile->files[order.file_count] != NULL)
    order.file_count++;
  enum sl_status code = find_runtime(compile, runtime, &e);
  if (code == SL_OK)
    code = sl_compile(&order, &said, &e);
  if (log != NULL) {
    sl_log_add(&said, "", 0);
    *log = said.text;
  } else
    sl_log_free(&said);
  return sl_api_report(code, &e, error);
}
