#include "cli/check_result.h"

#include <stdio.h>

#include "device/gpu_kind.h"
#include "observe/terminal.h"

static void say(void *context, const char *sentence)
{
  (void)context;
  sl_print(stderr, "simtlab: %s\n", sentence);
}

enum sl_status sl_check_run_ended(struct sl_check *check, const struct sl_gpu_fault *fault, enum sl_status code,
                                  const struct sl_error *err)
{
  if (code == SL_FAULT && fault->kind != SL_GPU_FAULT_NONE)
    sl_check_fault(check, fault);
  else if (code == SL_FAULT)
    sl_check_error(check, err);
  sl_check_end(check);
  sl_check_say(check, say, NULL);
  return code;
}

enum sl_status sl_check_device_ended(struct sl_check *check, const struct sl_device *device, enum sl_status code,
                                     const struct sl_error *err)
{
  struct sl_gpu_fault fault = {.kind = SL_GPU_FAULT_NONE};
  if (device != NULL && code == SL_FAULT) {
    fault = sl_gpu_riscv_fault(device);
    snprintf(fault.text, sizeof fault.text, "%.*s", (int)sizeof fault.text - 1, err->text);
  }
  return sl_check_run_ended(check, &fault, code, err);
}

enum sl_status sl_check_result(const struct sl_check *check, const char *program, bool quiet, enum sl_status code,
                               struct sl_error *err)
{
  const size_t count = sl_check_count(check);
  if (code != SL_OK && code != SL_FAULT)
    return code;
  if (count == 0 && !quiet)
    sl_print(stderr, "no findings\n");
  return count == 0 ? code : sl_fail(err, SL_CHECK_FAILED, "%s: %zu finding%s", program, count, count == 1 ? "" : "s");
}
