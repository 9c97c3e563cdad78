#include "cli/silicon/silicon.h"

#include <math.h>

#include "observe/json.h"
#include "observe/report.h"
#include "observe/table.h"
#include "observe/terminal.h"
#include "observe/wrapped_text.h"

static enum sl_tone tone_of(double error, double bound)
{
  return fabs(error) <= bound ? SL_TONE_GOOD : SL_TONE_BAD;
}

static void put_figure(struct sl_table *table, double model, double silicon, double bound)
{
  char text[32];
  const double error = sl_silicon_error(model, silicon);
  sl_table_cell(table, "%s", sl_grouped((uint64_t)(model + 0.5), text));
  sl_table_cell(table, "%s", sl_grouped((uint64_t)(silicon + 0.5), text));
  if (silicon > 0) {
    sl_table_cell(table, "%+.1f", error);
    sl_table_tone(table, tone_of(error, bound));
  } else {
    sl_table_cell(table, "%s", "");
  }
}

static void print_cycles(const struct sl_silicon *s, FILE *file)
{
  enum { BAR = 12 };
  static const char *const titles[] = {"kernel", ">model", ">silicon", ">%", "counters", NULL};
  struct sl_table table;
  sl_table_init(&table, titles);
  for (size_t i = 0; i < s->count; i++) {
    const struct sl_silicon_kernel *k = &s->kernels[i];
    if (k->failed)
      continue;
    sl_table_cell(&table, "%s", k->name);
    put_figure(&table, k->model[SL_SILICON_CYCLES], k->silicon[SL_SILICON_CYCLES], BAR);
    sl_table_cell(&table, "%s", k->same ? "same" : "not the same kernel");
    sl_table_tone(&table, k->same ? SL_TONE_GOOD : SL_TONE_BAD);
  }
  sl_print(file, "cycles\n");
  sl_table_print(&table, file);
  sl_table_free(&table);
}

static void print_counters(const struct sl_silicon *s, FILE *file)
{
  static const char *const titles[] = {"kernel", "figure", ">model", ">silicon", ">%", NULL};
  struct sl_table table;
  sl_table_init(&table, titles);
  for (size_t i = 0; i < s->count; i++)
    for (unsigned f = SL_SILICON_CYCLES + 1; f < SL_SILICON_FIGURES && !s->kernels[i].failed; f++) {
      const struct sl_silicon_kernel *k = &s->kernels[i];
      if (k->model[f] < 0.5 && k->silicon[f] < 0.5)
        continue;
      sl_table_cell(&table, "%s", k->name);
      sl_table_cell(&table, "%s", sl_silicon_figures[f].name);
      put_figure(&table, k->model[f], k->silicon[f], SL_SILICON_SAME);
    }
  sl_print(file, "\ncounters of a launch, without those that are 0 on both sides\n");
  sl_table_print(&table, file);
  sl_table_free(&table);
}

void sl_silicon_print(const struct sl_silicon *s, bool brief, FILE *file)
{
  print_cycles(s, file);
  if (!brief)
    print_counters(s, file);
  for (size_t i = 0; i < s->run_count; i++)
    if (s->runs[i].code != SL_OK)
      sl_print(file, "%s: %s\n", s->runs[i].name, s->runs[i].error.text);
  sl_print(file, "\n");
  sl_print_lines(file, 2,
                 "%s against a Quadro V100: mean error of cycles %.1f %%, median %.1f %%, of the %zu of %zu "
                 "kernels whose sectors of L2 and reads of DRAM are within %d %%; mean of all %.1f %%",
                 s->config->name, s->mean, s->median, s->compared, s->count, SL_SILICON_SAME, s->mean_of_all);
}

static json_t *kernel_json(const struct sl_silicon_kernel *k)
{
  json_t *figures = json_object();
  for (unsigned f = 0; f < SL_SILICON_FIGURES && !k->failed; f++)
    sl_json_put(&figures, sl_silicon_figures[f].name,
                SL_JSON({"model", json_real(k->model[f])}, {"silicon", json_real(k->silicon[f])},
                        {"error_percent",
                         k->silicon[f] > 0 ? json_real(sl_silicon_error(k->model[f], k->silicon[f])) : json_null()}));
  json_t *json = SL_JSON({"name", json_string(k->name)}, {"suite", json_string(k->suite)},
                         {"same", json_boolean(k->same)}, {"figures", figures});
  for (size_t i = 0; i < k->count; i++)
    if (k->runs[i].code != SL_OK) {
      sl_json_put(&json, "message", sl_json_text(k->runs[i].error.text));
      break;
    }
  return json;
}

json_t *sl_silicon_json(const struct sl_silicon *s)
{
  json_t *kernels = json_array();
  for (size_t i = 0; i < s->count; i++)
    sl_json_append(&kernels, kernel_json(&s->kernels[i]));
  return SL_JSON({"schema", json_integer(1)}, {"simtlab", json_string(SL_VERSION)},
                 {"machine", sl_config_json(s->config)}, {"gpu", json_deep_copy(json_object_get(s->record, "gpu"))},
                 {"source", json_deep_copy(json_object_get(s->record, "source"))}, {"kernels", kernels},
                 {"compared", json_integer((json_int_t)s->compared)}, {"mean_error_percent", json_real(s->mean)},
                 {"median_error_percent", json_real(s->median)},
                 {"mean_error_percent_of_all", json_real(s->mean_of_all)});
}
