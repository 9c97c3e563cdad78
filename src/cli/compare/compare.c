#include "cli/compare/compare.h"

#include <stdio.h>
#include <string.h>

#include "cli/help/help.h"
#include "observe/chart.h"
#include "observe/figures.h"
#include "observe/html.h"
#include "observe/json.h"
#include "observe/report.h"
#include "observe/terminal.h"

enum { SL_COMPARE_STALL_REASONS = 120 };
struct sl_compare_stall_reasons {
  size_t count;
  const char *name[SL_COMPARE_STALL_REASONS];
  enum sl_stall_reason_kind kind[SL_COMPARE_STALL_REASONS];
  double share[SL_COMPARE_MOST][SL_COMPARE_STALL_REASONS];
};

/* Cells of a comparison's table, for text and HTML. */

/* Size of a number's text. */
struct sl_compare_cell {
  char text[32];
};

enum { SL_COMPARE_OUTCOME = 2, SL_COMPARE_COLUMNS = 9 };

/* Active lanes per instruction and lane of the machine, 0 to 1; below 0 if unknown. */
static double compare_utilisation(const struct sl_compare_row *row)
{
  const struct sl_soc soc = row->config.machine->soc(row->config.spec);
  if (!row->warp_instructions.known || !row->thread_instructions.known || row->warp_instructions.value == 0)
    return -1;
  return (double)row->thread_instructions.value / ((double)row->warp_instructions.value * soc.lanes);
}

/* The row's cycles are valid only if its program ended. */
static bool compare_ended(const struct sl_compare_row *row)
{
  return (row->code == SL_OK || row->code == SL_CHECK_FAILED) && row->cycles.known;
}

/* Names the reference of ratios, as the end of a sentence. */
static const char *compare_base_words(const struct sl_comparison *c)
{
  if (c->programs == 1)
    return "those on the first machine";
  return c->count == c->programs ? "those of the first program" : "those of the same program on the first machine";
}

/* Cycles of a row divided by those of its reference run; below 0 if either did not end. */
static double compare_ratio(const struct sl_comparison *c, const struct sl_compare_row *row)
{
  const struct sl_compare_row *first = &c->rows[sl_compare_base(c, (size_t)(row - c->rows))];
  if (!compare_ended(row) || !compare_ended(first) || first->cycles.value == 0)
    return -1;
  return (double)row->cycles.value / (double)first->cycles.value;
}

/* "passed", "check failed", "fault", ... */
static const char *compare_outcome(const struct sl_compare_row *row)
{
  return sl_outcome(row->code, row->status);
}

static const char *compare_count_text(struct sl_known known, struct sl_compare_cell *cell)
{
  return known.known ? sl_grouped(known.value, cell->text) : "-";
}

static const char *compare_ratio_text(double value, struct sl_compare_cell *cell)
{
  if (value < 0)
    return "-";
  snprintf(cell->text, sizeof cell->text, "%.3f", value);
  return cell->text;
}

static const char *percent_text(double value, struct sl_compare_cell *cell)
{
  if (value < 0)
    return "-";
  snprintf(cell->text, sizeof cell->text, "%.1f %%", 100 * value);
  return cell->text;
}

SL_HOLDS(SL_CHART_GROUPS, SL_COMPARE_MOST, "a group for each run");

SL_HOLDS(SL_TABLE_COLUMNS, SL_COMPARE_COLUMNS, "columns of the table");

/* Column titles; the first column, the program, appears only with several programs. */
static const char *const sl_compare_titles[SL_COMPARE_COLUMNS + 1] = {"program",
                                                                      "machine",
                                                                      ">outcome",
                                                                      ">cycles",
                                                                      ">ratio",
                                                                      ">instructions",
                                                                      ">thread instrs",
                                                                      ">lane utilisation",
                                                                      ">memory transactions",
                                                                      NULL};

/* Formats a row's cells in the order of the titles. A run that did not end shows its counts so far, but no ratio. */
static void compare_row_texts(const struct sl_comparison *c, const struct sl_compare_row *row,
                              const char *text[SL_COMPARE_COLUMNS], struct sl_compare_cell cells[SL_COMPARE_COLUMNS])
{
  text[0] = row->file;
  text[1] = row->name;
  text[SL_COMPARE_OUTCOME] = compare_outcome(row);
  text[3] = compare_count_text(row->cycles, &cells[3]);
  text[4] = compare_ratio_text(compare_ratio(c, row), &cells[4]);
  text[5] = compare_count_text(row->warp_instructions, &cells[5]);
  text[6] = compare_count_text(row->thread_instructions, &cells[6]);
  text[7] = percent_text(compare_utilisation(row), &cells[7]);
  text[8] = compare_count_text(row->transactions, &cells[8]);
}

static size_t compare_first_column(const struct sl_comparison *c)
{
  return c->programs == 1;
}

/* Geometric mean, over the programs that ended on both machines, of cycles relative to the first machine; below 0 if
 * there is none. Rows are ordered by program. */
static double mean_ratio(const struct sl_comparison *c, size_t machine)
{
  const size_t machines = c->count / c->programs;
  double ratio[SL_COMPARE_MOST];
  size_t n = 0;
  for (size_t first = 0; first < c->count; first += machines) {
    const struct sl_compare_row *own = &c->rows[first + machine], *base = &c->rows[first];
    if (compare_ended(own) && compare_ended(base) && own->cycles.value > 0 && base->cycles.value > 0)
      ratio[n++] = (double)own->cycles.value / (double)base->cycles.value;
  }
  return n > 0 ? sl_geometric_mean(ratio, n) : -1;
}

/* ---- stall reasons ----------------------------------------------------------------------------------------------- */

static enum sl_stall_reason_kind kind_of(const struct sl_machine *machine, const char *name)
{
  for (size_t i = 0; i < machine->causes->count; i++)
    if (strcmp(machine->causes->cause[i].name, name) == 0)
      return machine->causes->cause[i].kind;
  return SL_STALL_REASON_LOST;
}

static size_t find_cause(struct sl_compare_stall_reasons *causes, const struct sl_machine *machine, const char *name)
{
  size_t i = 0;
  while (i < causes->count && strcmp(causes->name[i], name) != 0)
    i++;
  if (i == causes->count && causes->count < SL_COMPARE_STALL_REASONS) {
    causes->name[i] = name;
    causes->kind[i] = kind_of(machine, name);
    causes->count++;
  }
  return i;
}

SL_HOLDS(SL_COMPARE_STALL_REASONS, 5 * SL_MAX_STALL_REASONS, "stall reasons of every kind of machine");

/* Issue-slot cycles by stall reason: collects the reasons that occur in some row into name[], and each row's shares
 * into share[row][]. Machines with the same name for a reason share its column. */
static void stall_reasons(const struct sl_comparison *c, struct sl_compare_stall_reasons *causes)
{
  *causes = (struct sl_compare_stall_reasons){0};
  for (size_t r = 0; r < c->count; r++) {
    const struct sl_compare_row *row = &c->rows[r];
    const struct sl_counters *table = row->config.machine->counters;
    uint64_t all = 0;
    for (size_t i = 0; i < table->count; i++)
      all += table->counter[i].role == SL_COUNTER_STALL_REASON ? row->counters[i] : 0;
    for (size_t i = 0; i < table->count; i++) {
      if (table->counter[i].role != SL_COUNTER_STALL_REASON || row->counters[i] == 0)
        continue;
      const size_t cause = find_cause(causes, row->config.machine, table->counter[i].cause);
      if (cause < SL_COMPARE_STALL_REASONS)
        causes->share[r][cause] = (double)row->counters[i] / (double)all;
    }
  }
}

/* One line per run: its stall reasons of at least 0.1 %. */
static void print_causes(const struct sl_comparison *c, FILE *file)
{
  struct sl_compare_stall_reasons causes;
  stall_reasons(c, &causes);
  if (causes.count == 0)
    return;
  fputs("\nwhere the cycles went, in percent:\n", file);
  for (size_t r = 0; r < c->count; r++) {
    struct sl_list_line line;
    sl_list_begin(&line, file, 4, "  %s%s%s:", c->programs > 1 ? c->rows[r].file : "", c->programs > 1 ? " on " : "",
                  c->rows[r].name);
    for (size_t i = 0; i < causes.count; i++)
      if (causes.share[r][i] >= 0.001)
        sl_list_item(&line, "%s %.1f", causes.name[i], 100 * causes.share[r][i]);
    sl_list_end(&line);
  }
}

/* Several programs on several machines: geometric mean of each machine's cycles relative to the first. */
static void print_means(const struct sl_comparison *c, FILE *file)
{
  const size_t machines = c->count / c->programs;
  if (c->programs == 1 || machines == 1)
    return;
  sl_print(file, "\ncycles relative to %s, geometric mean over %zu programs\n", c->rows[0].name, c->programs);
  for (size_t m = 0; m < machines; m++) {
    struct sl_compare_cell cell;
    sl_print(file, "  %-24s %s\n", c->rows[m].name, compare_ratio_text(mean_ratio(c, m), &cell));
  }
}

bool sl_compare_print(const struct sl_comparison *c, FILE *file)
{
  struct sl_table table;
  sl_table_init(&table, sl_compare_titles + compare_first_column(c));
  for (const struct sl_compare_row *row = c->rows; row < c->rows + c->count; row++) {
    const char *text[SL_COMPARE_COLUMNS];
    struct sl_compare_cell cells[SL_COMPARE_COLUMNS];
    compare_row_texts(c, row, text, cells);
    for (size_t i = compare_first_column(c); i < SL_COMPARE_COLUMNS; i++) {
      sl_table_cell(&table, "%s", text[i]);
      if (i == SL_COMPARE_OUTCOME)
        sl_table_tone(&table, row->code == SL_OK ? SL_TONE_GOOD : SL_TONE_BAD);
    }
  }
  const bool ok = sl_table_print(&table, file);
  sl_table_free(&table);
  print_causes(c, file);
  print_means(c, file);
  return ok && ferror(file) == 0;
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

static json_t *program_json(const struct sl_compare_row *row)
{
  return SL_JSON({"file", sl_json_text(row->file)},
                 {"hash", row->program != NULL ? sl_json_hex(sl_program_hash(row->program), 16) : json_null()});
}

static json_t *causes_json(const struct sl_compare_row *row)
{
  const struct sl_counters *table = row->config.machine->counters;
  json_t *json = json_object();
  for (size_t i = 0; i < table->count; i++)
    if (table->counter[i].role == SL_COUNTER_STALL_REASON)
      sl_json_put(&json, table->counter[i].cause, sl_json_count(row->counters[i]));
  return json;
}

static json_t *row_json(const struct sl_comparison *c, const struct sl_compare_row *row)
{
  const bool finished = row->code == SL_OK || row->code == SL_CHECK_FAILED;
  json_t *json = SL_JSON({"name", sl_json_text(row->name)}, {"program", program_json(row)},
                         {"machine", sl_config_json(&row->config)}, {"outcome", json_string(compare_outcome(row))},
                         {"message", row->code == SL_OK ? json_null() : sl_json_text(row->error.text)},
                         {"status", finished ? json_integer(row->status) : json_null()},
                         {"launches", sl_json_count(row->launches)}, {"cycles", sl_json_known(row->cycles)},
                         {"cycles_ratio", real_json(compare_ratio(c, row))},
                         {"warp_instrs", sl_json_known(row->warp_instructions)},
                         {"thread_instrs", sl_json_known(row->thread_instructions)},
                         {"lane_utilisation", real_json(compare_utilisation(row))},
                         {"memory_transactions", sl_json_known(row->transactions)}, {"counters", counters_json(row)},
                         {"cycles_by_cause", causes_json(row)}, {"kernels", sl_kernel_sums_json(&row->kernels)});
  if (row->sampled.settled)
    sl_json_put(&json, "sampled", sl_sampled_json(row->config.machine, &row->sampled, row->cycles.value));
  return json;
}

static json_t *means_json(const struct sl_comparison *c)
{
  json_t *json = json_array();
  for (size_t m = 0; m < c->count / c->programs; m++)
    sl_json_append(&json, real_json(mean_ratio(c, m)));
  return json;
}

json_t *sl_compare_json(const struct sl_comparison *c)
{
  json_t *json = json_object(), *arguments = json_array(), *rows = json_array();
  for (int i = 1; i < c->argc; i++)
    sl_json_append(&arguments, sl_json_text(c->argv[i]));
  for (const struct sl_compare_row *row = c->rows; row < c->rows + c->count; row++)
    sl_json_append(&rows, row_json(c, row));
  SL_JSON_ADD(&json, {"schema", json_integer(1)}, {"simtlab", json_string(SL_VERSION)},
              {"program", program_json(&c->rows[0])}, {"arguments", arguments}, {"machines", rows},
              {"mean_ratios", means_json(c)}, {"lines", sl_line_changes_json(c)});
  return json;
}

static void put_introduction(const struct sl_comparison *c, FILE *f)
{
  const size_t machines = c->count / c->programs;
  fputs("<p>By <code>simtlab compare --machines ", f);
  for (size_t i = 0; i < machines; i++) {
    fputs(i > 0 ? "," : "", f);
    sl_html_text(f, c->rows[i].name);
  }
  for (size_t p = 0; p < c->programs; p++) {
    fputs(" ", f);
    sl_html_text(f, c->rows[p * machines].file);
  }
  for (int i = 1; i < c->argc; i++) {
    fputs(i == 1 ? " -- " : " ", f);
    sl_html_text(f, c->argv[i]);
  }
  fprintf(f,
          "</code>, simtlab %s. Ratio: cycles by %s. Instructions are of warps. Lane utilisation: "
          "lanes that were active, of all lanes of the instructions.</p>\n<ul>\n",
          SL_VERSION, compare_base_words(c));
  for (size_t i = 0; i < c->count; i++) {
    fputs("<li>", f);
    sl_html_text(f, c->rows[i].file);
    fputs(" for ", f);
    sl_html_text(f, c->rows[i].name);
    if (c->rows[i].program != NULL)
      fprintf(f, ": program hash <code>%016llx</code>", (unsigned long long)sl_program_hash(c->rows[i].program));
    fputs("</li>\n", f);
  }
  fputs("</ul>\n", f);
}

static void put_table(const struct sl_comparison *c, FILE *f)
{
  fputs("<div class=\"wide\"><table class=\"figures\">\n<thead><tr>", f);
  for (size_t i = compare_first_column(c); i < SL_COMPARE_COLUMNS; i++)
    fprintf(f, "<th>%s</th>", sl_compare_titles[i] + (sl_compare_titles[i][0] == '>'));
  fputs("</tr></thead>\n<tbody>\n", f);
  for (const struct sl_compare_row *row = c->rows; row < c->rows + c->count; row++) {
    const char *text[SL_COMPARE_COLUMNS];
    struct sl_compare_cell cells[SL_COMPARE_COLUMNS];
    compare_row_texts(c, row, text, cells);
    fputs("<tr>", f);
    for (size_t i = compare_first_column(c); i < SL_COMPARE_COLUMNS; i++) {
      fputs("<td>", f);
      sl_html_text(f, text[i]);
      fputs("</td>", f);
    }
    fputs("</tr>\n", f);
    if (row->code == SL_OK)
      continue;
    fprintf(f, "<tr><td class=\"text soft\" colspan=\"%d\">", SL_COMPARE_COLUMNS);
    sl_html_text(f, row->error.text);
    fputs("</td></tr>\n", f);
  }
  fputs("</tbody></table></div>\n", f);
}

enum { LABEL = 24 /* text columns below a bar */ };

/* Fits a name into the given columns; removes the middle of a longer one. */
static void shorten(const char *name, size_t columns, char *label, size_t size)
{
  size_t left = sl_text_columns(name);
  if (left <= columns) {
    snprintf(label, size, "%s", name);
    return;
  }
  const size_t begin = sl_text_fitting(name, (columns - 2) / 2);
  const char *end = name + begin;
  while ((left = sl_text_columns(end)) > columns - 2 - sl_text_columns(name) + sl_text_columns(name + begin))
    end += sl_text_fitting(end, 1) > 0 ? sl_text_fitting(end, 1) : sl_text_fitting(end, 2);
  snprintf(label, size, "%.*s..%s", (int)begin, name, end);
}

/* "program machine": each gets half of the label, and the space that the other leaves. The program is its file's name.
 */
static void label_run(const struct sl_comparison *c, size_t run, char *label, size_t size)
{
  const char *slash = strrchr(c->rows[run].file, '/'), *file = slash != NULL ? slash + 1 : c->rows[run].file;
  const char *machine = c->rows[run].name;
  if (c->programs == 1) {
    shorten(machine, LABEL, label, size);
    return;
  }
  char one[SL_COMPARE_NAME], other[SL_COMPARE_NAME];
  const size_t room = LABEL - 1, half = room / 2, of_file = sl_text_columns(file),
               of_machine = sl_text_columns(machine);
  shorten(file, of_machine < half ? room - of_machine : half, one, sizeof one);
  shorten(machine, of_file < half ? room - of_file : room - half, other, sizeof other);
  snprintf(label, size, "%s %s", one, other);
}

/* One bar per machine; none if the value is unknown. */
static void put_chart(const struct sl_comparison *c, struct sl_chart chart, const char *caption, FILE *f)
{
  chart.group_title = "run";
  chart.group_count = c->count;
  chart.series_count = 1;
  static const size_t room = 2 * SL_COMPARE_NAME; /* characters may have several bytes */
  char labels[SL_COMPARE_MOST][2 * SL_COMPARE_NAME];
  for (size_t i = 0; i < c->count; i++) {
    label_run(c, i, labels[i], room);
    chart.groups[i] = labels[i];
  }
  fputs("<figure>\n", f);
  sl_svg_chart(f, &chart);
  fprintf(f, "<figcaption>%s</figcaption>\n</figure>\n", caption);
}

/* A bar as long as the run's cycles, divided by stall reason, with its numbers. */
static void put_causes_row(const struct sl_comparison *c, const struct sl_compare_stall_reasons *causes, size_t run,
                           double most, FILE *f)
{
  const double ratio = compare_ratio(c, &c->rows[run]);
  const char *separator = "";
  struct sl_compare_cell cell;
  fputs("<tr><th>", f);
  if (c->programs > 1)
    sl_html_text(f, c->rows[run].file);
  fputs(" ", f);
  sl_html_text(f, c->rows[run].name);
  fprintf(f, "</th><td class=\"text\"><span class=\"bar long\" style=\"width:%.1f%%\">",
          ratio > 0 ? 100 * ratio / most : 0);
  for (size_t i = 0; i < causes->count; i++)
    if (causes->share[run][i] > 0)
      fprintf(f, "<i class=\"k%u\" style=\"width:%.2f%%\" title=\"%s %.1f %%\"></i>", (unsigned)causes->kind[i],
              100 * causes->share[run][i], causes->name[i], 100 * causes->share[run][i]);
  fputs("</span><br><span class=\"faint\">", f);
  for (size_t i = 0; i < causes->count; i++)
    if (causes->share[run][i] >= 0.001) {
      fprintf(f, "%s%s %.1f&nbsp;%%", separator, causes->name[i], 100 * causes->share[run][i]);
      separator = ", ";
    }
  fprintf(f, "</span></td><td class=\"number\">%s</td>", compare_count_text(c->rows[run].cycles, &cell));
  fprintf(f, "<td class=\"number\">%s</td></tr>\n", compare_ratio_text(ratio, &cell));
}

/* A colour for each kind of stall reason, with its names on all machines. */
static void put_causes_key(const struct sl_compare_stall_reasons *causes, FILE *f)
{
  fputs("<p>", f);
  for (unsigned kind = 0; kind < SL_STALL_REASON_KINDS; kind++) {
    const char *separator = "";
    for (size_t i = 0; i < causes->count; i++)
      if ((unsigned)causes->kind[i] == kind) {
        if (separator[0] == '\0')
          fprintf(f, "<span class=\"key\"><i class=\"k%u\"></i>", kind);
        fprintf(f, "%s%s", separator, causes->name[i]);
        separator = ", ";
      }
    fputs(separator[0] != '\0' ? "</span> " : "", f);
  }
  fputs("</p>\n", f);
}

static void put_causes(const struct sl_comparison *c, FILE *f)
{
  struct sl_compare_stall_reasons causes;
  double most = 0;
  stall_reasons(c, &causes);
  for (size_t r = 0; r < c->count; r++)
    most = compare_ratio(c, &c->rows[r]) > most ? compare_ratio(c, &c->rows[r]) : most;
  if (causes.count == 0 || most <= 0)
    return;
  fputs("<h2>Where the cycles went</h2>\n<div class=\"wide\"><table>\n", f);
  for (size_t r = 0; r < c->count; r++)
    put_causes_row(c, &causes, r, most, f);
  fputs("</table></div>\n", f);
  put_causes_key(&causes, f);
}

static double bar(double value, double scale)
{
  return value >= 0 ? value * scale : 0;
}

static void put_charts(const struct sl_comparison *c, FILE *f)
{
  struct sl_chart cycles = {
      .id = "cycles", .title = "Cycles by machine", .unit = "cycles / base", .series[0].name = "cycles"};
  struct sl_chart lanes = {
      .id = "lanes", .title = "Lane utilisation by machine", .unit = "%", .series[0].name = "lane utilisation"};
  for (size_t i = 0; i < c->count; i++) {
    cycles.series[0].value[i] = bar(compare_ratio(c, &c->rows[i]), 1);
    lanes.series[0].value[i] = compare_ended(&c->rows[i]) ? bar(compare_utilisation(&c->rows[i]), 100) : 0;
  }
  char caption[100];
  snprintf(caption, sizeof caption, "Cycles, by %s.", compare_base_words(c));
  put_chart(c, cycles, caption, f);
  put_chart(c, lanes, "Active lanes divided by all lanes of the instructions.", f);
}

enum sl_status sl_compare_html(const struct sl_comparison *c, FILE *file, struct sl_error *err)
{
  char title[300];
  const size_t machines = c->count / c->programs;
  if (c->programs == 1)
    snprintf(title, sizeof title, "%.200s on %zu machine%s", c->rows[0].file, machines, machines == 1 ? "" : "s");
  else
    snprintf(title, sizeof title, "%zu programs on %zu machine%s", c->programs, machines, machines == 1 ? "" : "s");
  sl_html_begin(file, title);
  put_introduction(c, file);
  put_table(c, file);
  put_causes(c, file);
  put_charts(c, file);
  const enum sl_status code = sl_line_changes_html(c, file, err);
  sl_provenance_html_end(file);
  return code;
}
