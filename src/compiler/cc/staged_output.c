#include "compiler/cc/staged_output.h"

#include <string.h>
#include <sys/stat.h>

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
