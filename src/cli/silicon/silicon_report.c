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

static void put_error(struct sl_table *table, double model, double silicon, double bound)
{
  const double error = sl_silicon_error(model, silicon);
  if (silicon > 0)
    sl_table_cell(table, "%+.1f", error);
  else
    sl_table_cell(table, "%s", "");
  sl_table_tone(table, silicon <= 0 ? SL_TONE_PLAIN : tone_of(error, bound));
}

static void put_figure(struct sl_table *table, double model, double silicon, double bound)
{
  char text[32];
  sl_table_cell(table, "%s", sl_grouped((uint64_t)(model + 0.5), text));
  sl_table_cell(table, "%s", sl_grouped((uint64_t)(silicon + 0.5), text));
  put_error(table, model, silicon, bound);
}

static void print_cycles(const struct sl_silicon *s, FILE *file)
{
  enum { BAR = 12 };
  static const char *const titles[] = {"kernel", ">cycles", ">silicon", ">%", "counters", NULL};
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
  sl_table_print(&table, file);
  sl_table_free(&table);
}

static void print_watts(const struct sl_silicon *s, FILE *file)
{
  enum { BAR = 10 };
  static const char *const titles[] = {"kernel", ">watts", ">silicon", ">%", NULL};
  struct sl_table table;
  sl_table_init(&table, titles);
  for (size_t i = 0; i < s->count; i++) {
    const struct sl_silicon_kernel *k = &s->kernels[i];
    if (k->failed)
      continue;
    sl_table_cell(&table, "%s", k->name);
    sl_table_cell(&table, "%.1f", k->watts);
    sl_table_cell(&table, "%.1f", k->silicon_watts);
    put_error(&table, k->watts, k->silicon_watts, BAR);
  }
  sl_print(file, "\n");
  sl_table_print(&table, file);
  sl_table_free(&table);
}

static void print_counters(const struct sl_silicon *s, FILE *file)
{
  static const char *const titles[] = {"kernel", "counter", ">model", ">silicon", ">%", NULL};
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
  sl_print(file, "\n");
  sl_table_print(&table, file);
  sl_table_free(&table);
}

static void print_errors(const struct sl_silicon_errors *same, const struct sl_silicon_errors *all, const char *of,
                         FILE *file)
{
  sl_print_lines(
      file, 2,
      "%s: mean error %.1f %%, median %.1f %%, of the %zu kernels that are the same; of all %zu mean %.1f %%, "
      "median %.1f %%",
      of, same->mean, same->median, same->count, all->count, all->mean, all->median);
}

void sl_silicon_print(const struct sl_silicon *s, bool brief, FILE *file)
{
  print_cycles(s, file);
  print_watts(s, file);
  if (!brief)
    print_counters(s, file);
  for (size_t i = 0; i < s->run_count; i++)
    if (s->runs[i].code != SL_OK)
      sl_print(file, "%s: %s\n", s->runs[i].name, s->runs[i].error.text);
  sl_print(file, "\n");
  sl_print_lines(file, 2,
                 "%s against a Quadro V100. A kernel is the same if its sectors of L2 and reads of DRAM are within "
                 "%d %%.",
                 s->config->name, SL_SILICON_SAME);
  print_errors(&s->cycles, &s->cycles_of_all, "cycles", file);
  print_errors(&s->watts, &s->watts_of_all, "watts", file);
}

static json_t *error_json(double model, double silicon)
{
  return SL_JSON({"model", json_real(model)}, {"silicon", json_real(silicon)},
                 {"error_percent", silicon > 0 ? json_real(sl_silicon_error(model, silicon)) : json_null()});
}

static json_t *kernel_json(const struct sl_silicon_kernel *k)
{
  json_t *figures = json_object();
  for (unsigned f = 0; f < SL_SILICON_FIGURES && !k->failed; f++)
    sl_json_put(&figures, sl_silicon_figures[f].name, error_json(k->model[f], k->silicon[f]));
  if (!k->failed)
    sl_json_put(&figures, "watts", error_json(k->watts, k->silicon_watts));
  json_t *json = SL_JSON({"name", json_string(k->name)}, {"suite", json_string(k->suite)},
                         {"same", json_boolean(k->same)}, {"figures", figures});
  for (size_t i = 0; i < k->count; i++)
    if (k->runs[i].code != SL_OK) {
      sl_json_put(&json, "message", sl_json_text(k->runs[i].error.text));
      break;
    }
  return json;
}

static json_t *errors_json(const struct sl_silicon_errors *e)
{
  return SL_JSON({"kernels", json_integer((json_int_t)e->count)}, {"mean", json_real(e->mean)},
                 {"median", json_real(e->median)});
}

json_t *sl_silicon_json(const struct sl_silicon *s)
{
  json_t *kernels = json_array();
  for (size_t i = 0; i < s->count; i++)
    sl_json_append(&kernels, kernel_json(&s->kernels[i]));
  json_t *same = SL_JSON({"cycles", errors_json(&s->cycles)}, {"watts", errors_json(&s->watts)});
  json_t *all = SL_JSON({"cycles", errors_json(&s->cycles_of_all)}, {"watts", errors_json(&s->watts_of_all)});
  return SL_JSON({"schema", json_integer(1)}, {"simtlab", json_string(SL_VERSION)},
                 {"machine", sl_config_json(s->config)}, {"energy", sl_json_text(s->energies.name)},
                 {"gpu", json_deep_copy(json_object_get(s->record, "gpu"))},
                 {"source", json_deep_copy(json_object_get(s->record, "source"))}, {"kernels", kernels},
                 {"error_percent_of_same", same}, {"error_percent_of_all", all});
}
