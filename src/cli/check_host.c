#include "cli/check_host.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/host_program.h"
#include "compiler/cc/tools.h"
#include "observe/report.h"
#include "observe/terminal.h"

enum { FINDINGS = 119 /* the exit status that the runtimes give a program with findings */ };

/* ---- the findings of several runs -------------------------------------------------------------------------------- */

static bool is_same_member(const json_t *a, const json_t *b, const char *name)
{
  return json_equal(json_object_get(a, name), json_object_get(b, name)) != 0;
}

/* Two runs may see one finding at other threads and addresses: its kind, kernel and lines tell which it is. */
static bool is_same(const json_t *a, const json_t *b)
{
  const json_t *one = json_object_get(a, "accesses"), *two = json_object_get(b, "accesses");
  if (!is_same_member(a, b, "kind") || !is_same_member(a, b, "kernel") || json_array_size(one) != json_array_size(two))
    return false;
  if (json_array_size(one) == 0)
    return is_same_member(a, b, "text");
  for (size_t i = 0; i < json_array_size(one); i++) {
    size_t k = 0;
    while (k < json_array_size(two) && !(is_same_member(json_array_get(one, i), json_array_get(two, k), "file") &&
                                         is_same_member(json_array_get(one, i), json_array_get(two, k), "line")))
      k++;
    if (k == json_array_size(two))
      return false;
  }
  return true;
}

/* Adds the findings of a run to those before. */
static void merge(json_t *all, const json_t *run)
{
  json_t *list = json_object_get(all, "list");
  const json_t *more = json_object_get(run, "list");
  json_int_t findings = json_integer_value(json_object_get(all, "findings"));
  for (size_t i = 0; i < json_array_size(more); i++) {
    json_t *finding = json_array_get(more, i), *before = NULL;
    for (size_t k = 0; k < json_array_size(list) && before == NULL; k++)
      if (is_same(json_array_get(list, k), finding))
        before = json_array_get(list, k);
    const json_int_t count = json_integer_value(json_object_get(finding, "count"));
    if (before != NULL)
      json_object_set_new(before, "count", json_integer(json_integer_value(json_object_get(before, "count")) + count));
    else {
      json_array_append(list, finding);
      findings += json_is_false(json_object_get(finding, "suppressed"));
    }
  }
  json_object_set_new(all, "findings", json_integer(findings));
}

/* The file of one run, which is deleted. */
static void take_file(const char *path, json_t **all)
{
  json_t *run = json_load_file(path, 0, NULL);
  unlink(path);
  if (*all == NULL) {
    *all = run;
    return;
  }
  merge(*all, run);
  json_decref(run);
}

/* ---- runs -------------------------------------------------------------------------------------------------------- */

static enum sl_status run_seeds(const struct sl_check_host *o, const char *program, const struct sl_operands *operands,
                                const char *file, json_t **all, unsigned *found, struct sl_error *err)
{
  for (uint64_t seed = 0; seed <= o->schedules; seed++) {
    int status;
    sl_host_command_number("CHECK_SCHEDULE", seed);
    if (sl_host_command_run(program, operands, seed > 0, &status, err) != SL_OK)
      return err->code;
    if (file != NULL)
      take_file(file, all);
    if (status != 0 && status != FINDINGS)
      return sl_fail(err, SL_CHECK_FAILED, "%.300s: exit status %d", operands->items[0], status);
    *found += status == FINDINGS;
  }
  return SL_OK;
}

/* Runs with a file for each, and writes that of all. */
static enum sl_status run_with_file(const struct sl_check_host *o, const char *program,
                                    const struct sl_operands *operands, unsigned *found, struct sl_error *err)
{
  char folder[4096], file[4096 + 16];
  json_t *all = NULL;
  struct sl_error saving = {.code = SL_OK};
  if (sl_make_folder(folder, sizeof folder, err) != SL_OK)
    return err->code;
  snprintf(file, sizeof file, "%s/run.json", folder);
  sl_host_command_set("CHECK_JSON", file);
  enum sl_status code = run_seeds(o, program, operands, file, &all, found, err);
  rmdir(folder);
  if (all != NULL && sl_json_save(all, o->json, &saving) != SL_OK && code == SL_OK) {
    *err = saving;
    return saving.code;
  }
  return code;
}

enum sl_status sl_check_host(const struct sl_check_host *o, const struct sl_operands *operands, struct sl_error *err)
{
  unsigned found = 0;
  const char *program = o->program != NULL ? o->program : operands->items[0];
  const bool several = o->json != NULL && o->schedules > 0;
  if (sl_host_command_prepare(program, o->machine, err) != SL_OK)
    return err->code;
  sl_host_command_set("MODE", o->timed ? "timed" : "fast");
  sl_host_command_number("CHECK", o->leaks ? 2 : 1);
  sl_host_command_number("CHECK_EXIT", FINDINGS);
  sl_host_command_set("CHECK_EQUAL", o->equal ? "1" : NULL);
  if (o->program != NULL) /* built here */
    sl_host_command_set("CHECK_CHECKABLE", "1");
  sl_host_command_set("CHECK_NO_UNINITIALISED", o->no_uninitialised ? "1" : NULL);
  sl_host_command_set("CHECK_BARRIERS", o->strict_barriers ? "1" : NULL);
  sl_host_command_set("CHECK_JSON", several ? NULL : o->json);
  sl_host_command_set("CHECK_SUPPRESS", o->suppress);
  if (o->max_cycles > 0)
    sl_host_command_number("MAX_CYCLES", o->max_cycles);
  const enum sl_status code = several ? run_with_file(o, program, operands, &found, err)
                                      : run_seeds(o, program, operands, NULL, NULL, &found, err);
  if (code != SL_OK)
    return code;
  if (found > 0)
    return sl_fail(err, SL_CHECK_FAILED, "%.300s: findings in %u of %" PRIu64 " run%s", operands->items[0], found,
                   o->schedules + 1, o->schedules > 0 ? "s" : "");
  if (!o->quiet)
    sl_print(stderr, "no findings\n");
  return SL_OK;
}
