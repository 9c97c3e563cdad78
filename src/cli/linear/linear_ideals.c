#include "cli/linear/linear_ideals.h"
#include "device/script_player.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/help/provenance.h"
#include "cli/session.h"
#include "observe/json.h"
#include "observe/report.h"
#include "observe/terminal.h"
#include "observe/wrapped_text.h"

static double less(uint64_t count, uint64_t base)
{
  return base > 0 ? 100 * (1 - (double)count / (double)base) : 0;
}

static void print_row(FILE *out, const char *name, const struct sl_linear_ideals *c)
{
  sl_print(out, "%-24.24s %14" PRIu64 " %10.1f %10.1f %10.1f\n", name, c->base, less(c->wp, c->base),
           less(c->tb, c->base), less(c->ln, c->base));
}

static bool print(FILE *out, const struct sl_linear_ideal *ideal)
{
  sl_print(out, "%-24s %14s %10s %10s %10s\n", "thread instructions", "", "WP less", "TB less", "LN less");
  for (const struct sl_linear_ideal_kernel *k = ideal->kernels; k != NULL; k = k->next)
    print_row(out, k->name, &k->counts);
  if (ideal->kernels != NULL && ideal->kernels->next != NULL)
    print_row(out, "all", &ideal->sum);
  for (const struct sl_linear_ideal_kernel *k = ideal->kernels; k != NULL; k = k->next)
    if (k->refusal[0] != '\0')
      sl_print_lines(out, 2, "%s is counted for LN unchanged: %s", k->name, k->refusal);
  return fflush(out) == 0;
}

static json_t *counts_of(const struct sl_linear_ideals *c)
{
  json_t *json = json_object();
  sl_json_put(&json, "base", json_integer((json_int_t)c->base));
  sl_json_put(&json, "wp", json_integer((json_int_t)c->wp));
  sl_json_put(&json, "tb", json_integer((json_int_t)c->tb));
  sl_json_put(&json, "ln", json_integer((json_int_t)c->ln));
  return json;
}

static json_t *json_of(const char *path, const struct sl_linear_ideal *ideal)
{
  json_t *json = json_object(), *kernels = json_array();
  for (const struct sl_linear_ideal_kernel *k = ideal->kernels; k != NULL; k = k->next) {
    json_t *kernel = counts_of(&k->counts);
    sl_json_put(&kernel, "kernel", sl_json_text(k->name));
    sl_json_put(&kernel, "launches", json_integer((json_int_t)k->launches));
    if (k->refusal[0] != '\0')
      sl_json_put(&kernel, "refusal", sl_json_text(k->refusal));
    sl_json_append(&kernels, kernel);
  }
  sl_json_put(&json, "schema", sl_json_text("simtlab-linear-ideal-1"));
  sl_json_put(&json, "file", sl_json_text(path));
  sl_json_put(&json, "loads", json_boolean(ideal->loads));
  sl_json_put(&json, "kernels", kernels);
  sl_json_put(&json, "sum", counts_of(&ideal->sum));
  return json;
}

static enum sl_status tell(const char *path, const struct sl_linear_ideal *ideal, const char *json,
                           struct sl_error *err)
{
  struct sl_output output = {0};
  if (!print(json != NULL && strcmp(json, "-") == 0 ? stderr : stdout, ideal))
    return sl_fail(err, SL_USAGE, "standard output cannot be written");
  if (json == NULL)
    return SL_OK;
  enum sl_status status = sl_output_open(&output, json, err);
  if (status == SL_OK)
    status = sl_json_write(sl_with_provenance(json_of(path, ideal)), &output, err);
  return sl_finish_output(&output, status, err);
}

enum sl_status sl_linear_ideals(const char *path, bool loads, const struct sl_linear_options *options, const char *json,
                                struct sl_error *err)
{
  struct sl_linear_ideal ideal = {.options = *options, .loads = loads};
  const struct sl_ptx_engine engine = sl_linear_ideal_engine(&ideal);
  enum sl_status status = sl_script_analyse(path, &engine, err);
  if (status == SL_OK)
    status = tell(path, &ideal, json, err);
  sl_linear_ideal_free(&ideal);
  return status;
}
