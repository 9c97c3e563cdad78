/* A comparison as a table, as JSON and as a page. */
#include "cli/compare.h"

#include <string.h>

#include "observe/html.h"
#include "observe/json.h"
#include "observe/report.h"
#include "observe/svg.h"
#include "observe/table.h"

/* Room for the text of a number. */
struct cell {
  char text[32];
};

double sl_compare_utilisation(const struct sl_compare_row *row)
{
  const struct sl_soc soc = row->config.machine->soc(row->config.spec);
  if (!row->warp_instructions.known || !row->thread_instructions.known || row->warp_instructions.value == 0)
    return -1;
  return (double)row->thread_instructions.value / ((double)row->warp_instructions.value * soc.lanes);
}

/* A program that did not end has no cycles to compare. */
static bool ended(const struct sl_compare_row *row)
{
  return (row->code == SL_OK || row->code == SL_CHECK_FAILED) && row->cycles.known;
}

double sl_compare_ratio(const struct sl_comparison *c, const struct sl_compare_row *row)
{
  const struct sl_compare_row *first = &c->rows[0];
  if (!ended(row) || !ended(first) || first->cycles.value == 0)
    return -1;
  return (double)row->cycles.value / (double)first->cycles.value;
}

const char *sl_compare_outcome(const struct sl_compare_row *row)
{
  return sl_outcome(row->code, row->status);
}

/* ---- table ------------------------------------------------------------------------------------------------------- */

static const char *count_text(struct sl_known known, struct cell *cell)
{
  return known.known ? sl_grouped(known.value, cell->text) : "-";
}

static const char *ratio_text(double value, struct cell *cell)
{
  if (value < 0)
    return "-";
  snprintf(cell->text, sizeof cell->text, "%.3f", value);
  return cell->text;
}

static const char *percent_text(double value, struct cell *cell)
{
  if (value < 0)
    return "-";
  snprintf(cell->text, sizeof cell->text, "%.1f %%", 100 * value);
  return cell->text;
}

enum { COLUMNS = 8 };

static const char *const titles[COLUMNS + 1] = {"machine",
                                                ">outcome",
                                                ">cycles",
                                                ">ratio",
                                                ">instructions",
                                                ">thread instrs",
                                                ">lane utilisation",
                                                ">memory transactions",
                                                NULL};

/* The texts of a row, in the order of the titles. What did not end shows what there was until then, but no ratio. */
static void row_texts(const struct sl_comparison *c, const struct sl_compare_row *row, const char *text[COLUMNS],
                      struct cell cells[COLUMNS])
{
  text[0] = row->name;
  text[1] = sl_compare_outcome(row);
  text[2] = count_text(row->cycles, &cells[2]);
  text[3] = ratio_text(sl_compare_ratio(c, row), &cells[3]);
  text[4] = count_text(row->warp_instructions, &cells[4]);
  text[5] = count_text(row->thread_instructions, &cells[5]);
  text[6] = percent_text(sl_compare_utilisation(row), &cells[6]);
  text[7] = count_text(row->transactions, &cells[7]);
}

bool sl_compare_print(const struct sl_comparison *c, FILE *file)
{
  struct sl_table table;
  sl_table_init(&table, titles);
  for (const struct sl_compare_row *row = c->rows; row < c->rows + c->count; row++) {
    const char *text[COLUMNS];
    struct cell cells[COLUMNS];
    row_texts(c, row, text, cells);
    for (size_t i = 0; i < COLUMNS; i++)
      sl_table_cell(&table, "%s", text[i]);
  }
  const bool ok = sl_table_print(&table, file);
  sl_table_free(&table);
  return ok;
}

/* ---- JSON -------------------------------------------------------------------------------------------------------- */

static json_t *real_json(double value)
{
  return value >= 0 ? json_real(value) : json_null();
}

static json_t *counters_json(const struct sl_compare_row *row)
{
  const struct sl_counters *table = row->config.machine->counters;
  json_t *json = json_object();
  for (size_t i = 0; i < table->count; i++)
    sl_json_put(&json, table->counter[i].name, sl_json_count(row->counters[i]));
  return json;
}

static json_t *row_json(const struct sl_comparison *c, const struct sl_compare_row *row)
{
  const bool finished = row->code == SL_OK || row->code == SL_CHECK_FAILED;
  json_t *json = json_object();
  sl_json_put(&json, "name", sl_json_text(row->name));
  sl_json_put(&json, "machine", sl_config_json(&row->config));
  sl_json_put(&json, "outcome", json_string(sl_compare_outcome(row)));
  sl_json_put(&json, "message", row->code == SL_OK ? json_null() : sl_json_text(row->error.text));
  sl_json_put(&json, "status", finished ? json_integer(row->status) : json_null());
  sl_json_put(&json, "launches", sl_json_count(row->launches));
  sl_json_put(&json, "cycles", sl_json_known(row->cycles));
  sl_json_put(&json, "cycles_ratio", real_json(sl_compare_ratio(c, row)));
  sl_json_put(&json, "warp_instrs", sl_json_known(row->warp_instructions));
  sl_json_put(&json, "thread_instrs", sl_json_known(row->thread_instructions));
  sl_json_put(&json, "lane_utilisation", real_json(sl_compare_utilisation(row)));
  sl_json_put(&json, "memory_transactions", sl_json_known(row->transactions));
  sl_json_put(&json, "counters", counters_json(row));
  sl_json_put(&json, "kernels", sl_kernel_sums_json(&row->kernels));
  return json;
}

json_t *sl_compare_json(const struct sl_comparison *c)
{
  json_t *json = json_object(), *arguments = json_array(), *rows = json_array();
  for (int i = 1; i < c->argc; i++)
    sl_json_append(&arguments, sl_json_text(c->argv[i]));
  for (const struct sl_compare_row *row = c->rows; row < c->rows + c->count; row++)
    sl_json_append(&rows, row_json(c, row));
  sl_json_put(&json, "schema", json_integer(1));
  sl_json_put(&json, "simtlab", json_string(SL_VERSION));
  sl_json_put(&json, "program", sl_program_json(c->program));
  sl_json_put(&json, "arguments", arguments);
  sl_json_put(&json, "machines", rows);
  return json;
}

/* ---- page -------------------------------------------------------------------------------------------------------- */

static void put_introduction(const struct sl_comparison *c, FILE *f)
{
  fputs("<p><code>", f);
  for (int i = 0; i < c->argc; i++) {
    fputs(i > 0 ? " " : "", f);
    sl_html_text(f, c->argv[i]);
  }
  fprintf(f,
          "</code> on %zu machine%s, by simtlab %s. Ratio: cycles by those of the first machine. Instructions are of "
          "warps. Lane utilisation: lanes that were active, of all lanes of the instructions.</p>\n",
          c->count, c->count == 1 ? "" : "s", SL_VERSION);
}

static void put_table(const struct sl_comparison *c, FILE *f)
{
  fputs("<div class=\"wide\"><table class=\"figures\">\n<thead><tr>", f);
  for (size_t i = 0; i < COLUMNS; i++)
    fprintf(f, "<th>%s</th>", titles[i] + (titles[i][0] == '>'));
  fputs("</tr></thead>\n<tbody>\n", f);
  for (const struct sl_compare_row *row = c->rows; row < c->rows + c->count; row++) {
    const char *text[COLUMNS];
    struct cell cells[COLUMNS];
    row_texts(c, row, text, cells);
    fputs("<tr>", f);
    for (size_t i = 0; i < COLUMNS; i++) {
      fputs("<td>", f);
      sl_html_text(f, text[i]);
      fputs("</td>", f);
    }
    fputs("</tr>\n", f);
    if (row->code == SL_OK)
      continue;
    fprintf(f, "<tr><td class=\"text soft\" colspan=\"%d\">", COLUMNS);
    sl_html_text(f, row->error.text);
    fputs("</td></tr>\n", f);
  }
  fputs("</tbody></table></div>\n", f);
}

enum { LABEL = 24 /* letters of a name below a bar */ };

/* A name, or its end, which is where machines of one name differ. */
static void shorten(const char *name, char label[LABEL + 1])
{
  const size_t length = strlen(name);
  if (length <= LABEL)
    snprintf(label, LABEL + 1, "%s", name);
  else
    snprintf(label, LABEL + 1, "...%s", name + length - (LABEL - 3));
}

/* A bar per machine; one that has no value has none. */
static void put_chart(const struct sl_comparison *c, struct sl_chart chart, const char *caption, FILE *f)
{
  chart.group_title = "machine";
  chart.group_count = c->count;
  chart.series_count = 1;
  char labels[SL_COMPARE_MOST][LABEL + 1];
  for (size_t i = 0; i < c->count; i++) {
    shorten(c->rows[i].name, labels[i]);
    chart.groups[i] = labels[i];
  }
  fputs("<figure>\n", f);
  sl_svg_chart(f, &chart);
  fprintf(f, "<figcaption>%s</figcaption>\n</figure>\n", caption);
}

static double bar(double value, double scale)
{
  return value >= 0 ? value * scale : 0;
}

static void put_charts(const struct sl_comparison *c, FILE *f)
{
  struct sl_chart cycles = {
      .id = "cycles", .title = "Cycles by machine", .unit = "cycles / first", .series[0].name = "cycles"};
  struct sl_chart lanes = {
      .id = "lanes", .title = "Lane utilisation by machine", .unit = "%", .series[0].name = "lane utilisation"};
  for (size_t i = 0; i < c->count; i++) {
    cycles.series[0].value[i] = bar(sl_compare_ratio(c, &c->rows[i]), 1);
    lanes.series[0].value[i] = ended(&c->rows[i]) ? bar(sl_compare_utilisation(&c->rows[i]), 100) : 0;
  }
  put_chart(c, cycles, "Cycles, by those of the first machine.", f);
  put_chart(c, lanes, "Active lanes, of all lanes of the instructions.", f);
}

void sl_compare_html(const struct sl_comparison *c, FILE *file)
{
  char title[300];
  snprintf(title, sizeof title, "%.200s on %zu machine%s", sl_program_name(c->program), c->count,
           c->count == 1 ? "" : "s");
  sl_html_begin(file, title);
  put_introduction(c, file);
  put_table(c, file);
  put_charts(c, file);
  sl_html_end(file);
}
