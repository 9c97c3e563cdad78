#include "cli/check_host.h"

#include <inttypes.h>
#include <stdio.h>

#include "cli/host_program.h"
#include "observe/terminal.h"

enum { FINDINGS = 119 /* the exit status that the runtimes give a program with findings */ };

enum sl_status sl_check_host(const struct sl_check_host *o, const struct sl_operands *operands, struct sl_error *err)
{
  unsigned found = 0;
  const char *program = o->program != NULL ? o->program : operands->items[0];
  if (o->json != NULL && o->schedules > 0)
    return sl_fail(err, SL_USAGE, "--json takes the findings of one run of a host program: leave --schedules out");
  if (sl_host_command_prepare(program, o->machine, err) != SL_OK)
    return err->code;
  sl_host_command_set("MODE", o->timed ? "timed" : "fast");
  sl_host_command_number("CHECK", o->all ? 2 : 1);
  sl_host_command_number("CHECK_EXIT", FINDINGS);
  sl_host_command_set("CHECK_EQUAL", o->equal ? "1" : NULL);
  sl_host_command_set("CHECK_BARRIERS", o->strict_barriers ? "1" : NULL);
  sl_host_command_set("CHECK_JSON", o->json);
  sl_host_command_set("CHECK_SUPPRESS", o->suppress);
  if (o->max_cycles > 0)
    sl_host_command_number("MAX_CYCLES", o->max_cycles);
  for (uint64_t seed = 0; seed <= o->schedules; seed++) {
    int status;
    sl_host_command_number("CHECK_SCHEDULE", seed);
    if (sl_host_command_run(program, operands, seed > 0, &status, err) != SL_OK)
      return err->code;
    if (status != 0 && status != FINDINGS)
      return sl_fail(err, SL_CHECK_FAILED, "%.300s: exit status %d", operands->items[0], status);
    found += status == FINDINGS;
  }
  if (found > 0)
    return sl_fail(err, SL_CHECK_FAILED, "%.300s: findings in %u of %" PRIu64 " run%s", operands->items[0], found,
                   o->schedules + 1, o->schedules > 0 ? "s" : "");
  if (!o->quiet)
    sl_print(stderr, "no findings\n");
  return SL_OK;
}
