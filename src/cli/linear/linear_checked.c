#include "cli/linear/linear_checked.h"
#include "device/script_player.h"

#include <inttypes.h>
#include <stdio.h>

#include "compiler/linear/linear_check.h"
#include "observe/table.h"
#include "observe/wrapped_text.h"

enum sl_status sl_linear_tell(const char *path, const struct sl_linear_tally *tally, struct sl_error *err)
{
  char compared[32], iterated[32], wrong[32];
  if (!sl_print_lines(stdout, 2, "%s: %s values compared with their vectors, %s of them in loops, %s differ", path,
                      sl_grouped(tally->compared, compared), sl_grouped(tally->iterated, iterated),
                      sl_grouped(tally->wrong, wrong)))
    return sl_fail(err, SL_USAGE, "standard output cannot be written");
  if (tally->refused > 0)
    printf("%" PRIu64 " grids of kernels that cannot be analysed were not compared\n", tally->refused);
  return tally->wrong == 0 ? SL_OK : sl_fail(err, SL_CHECK_FAILED, "%s", tally->first);
}

enum sl_status sl_linear_checked(const char *path, const struct sl_linear_options *options, struct sl_error *err)
{
  struct sl_linear_check check = {.options = *options};
  const struct sl_ptx_engine engine = sl_linear_check_engine(&check);
  enum sl_status status = sl_script_analyse(path, &engine, err);
  if (status == SL_OK)
    status = sl_linear_tell(path, &check.tally, err);
  sl_linear_check_free(&check);
  return status;
}
