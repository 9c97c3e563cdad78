#include "lab/worker.h"

#include <stdlib.h>

#include "lab/memory_room.h"
#include "lab/result_line.h"
#include "lab/run/execute.h"
#include "observe/json.h"

static enum sl_status work_on(struct sl_executor *executor, const char *line, bool lasting, FILE *out,
                              struct sl_error *err)
{
  json_error_t error;
  json_t *run = json_loads(line, 0, &error), *result = NULL;
  const char *hash = sl_run_text(run, "hash");
  enum sl_status code = SL_OK;
  if (run == NULL || hash[0] == '\0')
    code = sl_fail(err, SL_USAGE, "a line is no description of a run (%.100s)", error.text);
  else if (!sl_spool_has(executor->spool, hash))
    code = sl_execute(executor, run, &result, err);
  const bool quick = !lasting && result != NULL && json_number_value(json_object_get(result, "seconds")) < SL_QUICK_RUN;
  if (result != NULL && !quick)
    sl_json_put(&result, "megabytes", json_integer((json_int_t)sl_memory_taken()));
  if (quick)
    fputs("data ", out);
  if (quick && !sl_result_put(result, out))
    code = sl_fail(err, SL_USAGE, "the sweep has ended");
  if (quick)
    json_decref(result);
  else if (result != NULL)
    code = sl_spool_write(executor->spool, result, lasting, err);
  if (quick)
    fputc('\n', out);
  else if (code == SL_OK)
    fprintf(out, "done %s\n", hash);
  else
    fprintf(out, "stop %s\n", err->text);
  json_decref(run);
  return fflush(out) != 0 && code == SL_OK ? sl_fail(err, SL_USAGE, "the sweep has ended") : code;
}

enum sl_status sl_work(FILE *in, FILE *out, const char *spool, bool lasting, const struct sl_lab_build *build,
                       struct sl_error *err)
{
  struct sl_executor executor;
  char *line = NULL;
  size_t size = 0;
  enum sl_status code = SL_OK;
  sl_executor_init(&executor, build, spool);
  while (code == SL_OK && getline(&line, &size, in) > 0)
    code = work_on(&executor, line, lasting, out, err);
  free(line);
  sl_executor_free(&executor);
  return code;
}
