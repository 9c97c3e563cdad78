/* The profile for a terminal: a summary, then source lines with their instructions, hottest first. */
#include <inttypes.h>
#include <string.h>

#include "observe/profile/profile.h"
#include "observe/report.h"
#include "observe/terminal.h"
#include "program/program.h"

enum { CELL = 32, GAP = 2, LEAST_TEXT = 24 /* of an instruction */ };

/* Prints one non-zero share of a list: "memory 39.0 %, unit 1.0 %". */
static void print_share(struct sl_list_line *list, const char *name, uint64_t value, uint64_t sum)
{
  if (value > 0)
    sl_list_item(list, "%s %.1f %%", name, sl_percent(value, sum));
}

static void print_kinds(const struct sl_profile_column *column, const struct sl_profile_sum *total, FILE *file)
{
  const uint64_t *counts = column->kinds(total), sum = counts[SL_UNIFORM] + counts[SL_AFFINE] + counts[SL_GENERAL];
  struct sl_list_line list;
  sl_list_begin(&list, file, 2, "%s:", column->title);
  for (size_t i = 0; i < SL_REGULARITY_COUNT; i++)
    print_share(&list, sl_regularity_names[i], counts[i], sum);
  if (sum == 0)
    sl_list_item(&list, "none");
  sl_list_end(&list);
}

static void print_causes(const struct sl_profile_report *report, FILE *file)
{
  const struct sl_stall_reasons *causes = sl_profile_stall_reasons(report);
  const struct sl_profile_sum *total = &report->total;
  char cycles[32], attributed[32];
  struct sl_list_line list;
  sl_list_begin(&list, file, 2, "where %s of %s cycles went:", sl_grouped(total->cycles, attributed),
                sl_grouped(report->figures.cycles * sl_profile_cores(report), cycles));
  for (size_t i = 0; i < causes->count; i++)
    print_share(&list, causes->cause[i].name, total->row.cycles[i], total->cycles);
  if (total->cycles == 0)
    sl_list_item(&list, "none");
  sl_list_end(&list);
}

static void print_events(const struct sl_profile_report *report, FILE *file)
{
  struct sl_list_line list = {0};
  for (size_t i = 0; i < sl_profile_column_count; i++) {
    const struct sl_profile_column *column = &sl_profile_columns[i];
    char text[32];
    if (column->event == NULL || !sl_profile_has(report, column->needs) || column->part(&report->total) == 0)
      continue;
    if (list.items == 0)
      sl_list_begin(&list, file, 2, "events:");
    sl_list_item(&list, "%s %s", sl_grouped(column->part(&report->total), text), column->event);
  }
  if (list.items > 0)
    sl_list_end(&list);
}

static void print_advice(const struct sl_profile_report *report, FILE *file)
{
  struct sl_advice_item item[SL_ADVICE_MOST];
  const size_t count = sl_profile_advice(report, item);
  if (count > 0)
    fprintf(file, "advice:\n");
  for (size_t i = 0; i < count; i++)
    sl_print_lines(file, 2, "* %s (%s).", item[i].text, item[i].rule);
}

static void print_summary(const struct sl_profile_report *report, FILE *file)
{
  const struct sl_profile_run *run = &report->run;
  const struct sl_profile_sum *total = &report->total;
  const uint32_t lanes = run->config->machine->soc(run->config->spec).lanes;
  char cycles[32], issues[32];
  sl_print_lines(file, 2, "%s on %s: %s", sl_program_name(run->program), run->config->name,
                 sl_outcome(run->error->code, run->result->status));
  sl_print(file, "%zu launch%s, %s cycles, IPC %.2f\n", report->launch_count, report->launch_count == 1 ? "" : "es",
           sl_grouped(report->figures.cycles, cycles), report->figures.ipc);
  if (report->launch_count > 1)
    sl_launches_print(run->config->machine, run->program, report->launches, report->launch_count, file);
  struct sl_list_line line;
  sl_list_begin(&line, file, 2, "%s warp instructions with", sl_grouped(total->issues, issues));
  sl_list_item(&line, "%.1f of %" PRIu32 " lanes active", sl_ratio(total->row.active_lanes, total->issues), lanes);
  if (sl_profile_has(report, SL_PROFILE_SCALAR))
    sl_list_item(&line, "%.1f %% of them in the scalar pipeline", sl_percent(total->row.scalar_issues, total->issues));
  sl_list_end(&line);
  for (size_t i = 0; i < sl_profile_column_count; i++)
    if (sl_profile_columns[i].form == SL_COLUMN_REGULARITY && sl_profile_has(report, sl_profile_columns[i].needs))
      print_kinds(&sl_profile_columns[i], total, file);
  print_events(report, file);
  if (run->occupancies != NULL)
    sl_occupancy_print(run->occupancies, run->program, file);
  print_causes(report, file);
  print_advice(report, file);
}

/* Prints the largest stall reason other than "issued", and its share: "memory 39 %". */
static void other_cause(const struct sl_profile_report *report, const struct sl_profile_sum *sum, char text[CELL])
{
  const struct sl_stall_reasons *causes = sl_profile_stall_reasons(report);
  const char *most = NULL;
  uint64_t cycles = 0;
  for (size_t i = 1; i < causes->count; i++)
    if (sum->row.cycles[i] > cycles) {
      cycles = sum->row.cycles[i];
      most = causes->cause[i].name;
    }
  text[0] = '\0';
  if (most != NULL)
    snprintf(text, CELL, "%s %.0f %%", most, sl_percent(cycles, sum->cycles));
}

/* Whole percents, rounded so that their sum is 100. */
static void regularity(const uint64_t *operands, char text[CELL])
{
  const uint64_t sum = operands[SL_UNIFORM] + operands[SL_AFFINE] + operands[SL_GENERAL];
  const int uniform = (int)(sl_percent(operands[SL_UNIFORM], sum) + 0.5);
  const int not_general = (int)(sl_percent(operands[SL_UNIFORM] + operands[SL_AFFINE], sum) + 0.5);
  if (sum > 0)
    snprintf(text, CELL, "%d/%d/%d", uniform, not_general - uniform, 100 - not_general);
}

/* Layout of the printed table: terminal width, and the columns that fit. */
struct layout {
  const struct sl_profile_report *report;
  size_t columns;
  int most_spare; /* largest of the columns shown */
  bool colour;
};

static bool is_shown(const struct layout *layout, const struct sl_profile_column *column)
{
  return column->text[0] != NULL && sl_column_has_figures(column, layout->report) &&
         column->spare <= layout->most_spare;
}

static size_t width_of_figures(const struct layout *layout)
{
  size_t width = 0;
  for (size_t i = 0; i < sl_profile_column_count; i++) {
    const int own = sl_profile_columns[i].width;
    if (is_shown(layout, &sl_profile_columns[i]))
      width += own < 0 ? GAP + (size_t)-own : 1 + (size_t)own;
  }
  return width;
}

/* Selects the columns that fit next to the printed instructions. */
static struct layout lay_out(const struct sl_profile_report *report, const struct sl_profile_extent *extent, FILE *file)
{
  const struct sl_terminal terminal = sl_terminal_of(file);
  struct layout layout = {report, terminal.columns, 0, terminal.colour};
  size_t longest = sizeof "all 999 instructions";
  for (size_t l = 0; l < report->line_count && l < extent->lines; l++)
    for (size_t i = 0; i < report->hottest[l]->count && i < extent->insns; i++) {
      char text[SL_INSN_TEXT];
      const size_t length = strlen(sl_profile_insn_text(report->hottest[l]->by_cycles[i], text)) + sizeof "80000000";
      longest = length > longest ? length : longest;
    }
  for (size_t i = 0; i < sl_profile_column_count; i++)
    if (sl_profile_columns[i].spare > layout.most_spare)
      layout.most_spare = sl_profile_columns[i].spare;
  while (layout.most_spare > 1 && width_of_figures(&layout) + GAP + longest > layout.columns)
    layout.most_spare--;
  /* The columns that decide stay before the whole of a long instruction does. */
  if (layout.most_spare == 1 && width_of_figures(&layout) + GAP + LEAST_TEXT > layout.columns)
    layout.most_spare = 0;
  return layout;
}

/* Lists the columns that do not fit. */
static void print_left_out(const struct layout *layout, FILE *file)
{
  struct sl_list_line list = {0};
  for (size_t i = 0; i < sl_profile_column_count; i++) {
    const struct sl_profile_column *column = &sl_profile_columns[i];
    if (column->text[0] == NULL || !sl_column_has_figures(column, layout->report) || is_shown(layout, column))
      continue;
    if (list.items == 0)
      sl_list_begin(&list, file, 2, "without room in %zu columns:", layout->columns);
    sl_list_item(&list, "%s%s%s", column->text[0], column->text[1][0] != '\0' ? " " : "", column->text[1]);
  }
  if (list.items > 0)
    sl_list_end(&list);
}

static void print_titles(const struct layout *layout, FILE *file)
{
  for (size_t line = 0; line < 2; line++) {
    const char *separator = layout->colour ? "\n\033[1m" : "\n";
    for (size_t i = 0; i < sl_profile_column_count; i++) {
      const struct sl_profile_column *column = &sl_profile_columns[i];
      if (!is_shown(layout, column))
        continue;
      /* Left-aligned text is the last column and has no second title line. */
      if (column->width > 0)
        fprintf(file, "%s%*s", separator, column->width, column->text[line]);
      else if (line == 0)
        fprintf(file, "  %*s  instruction", column->width, column->text[line]);
      separator = " ";
    }
    fputs(layout->colour ? "\033[0m" : "", file);
  }
  fprintf(file, "\n");
}

static void cell(const struct sl_profile_report *report, const struct sl_profile_column *column,
                 const struct sl_profile_sum *sum, char text[CELL])
{
  double figure;
  text[0] = '\0';
  if (column->form == SL_COLUMN_OTHER_STALL_REASON)
    other_cause(report, sum, text);
  else if (column->form == SL_COLUMN_REGULARITY)
    regularity(column->kinds(sum), text);
  else if (!sl_column_figure(column, report, sum, &figure))
    return;
  else if (column->form == SL_COLUMN_COUNT)
    sl_grouped(column->part(sum), text);
  else
    snprintf(text, CELL, "%.*f", column->digits, figure);
}

static void print_figures(const struct layout *layout, const struct sl_profile_sum *sum, FILE *file)
{
  const char *separator = "";
  for (size_t i = 0; i < sl_profile_column_count; i++) {
    const struct sl_profile_column *column = &sl_profile_columns[i];
    char text[CELL];
    if (!is_shown(layout, column))
      continue;
    cell(layout->report, column, sum, text);
    sl_print(file, "%s%*s", column->width < 0 ? "  " : separator, column->width, text);
    separator = " ";
  }
}

/* Prints a source line, truncated to fit and without terminal control characters. */
static void print_source(const char *text, size_t room, FILE *file)
{
  text += strspn(text, " \t");
  size_t columns = 0;
  for (; *text != '\0'; text++) {
    const unsigned char c = (unsigned char)*text;
    columns += (c & 0xc0) != 0x80; /* continuation bytes of a character take no column */
    if (columns > room)
      break;
    fputc(c < 0x20 || c == 0x7f ? ' ' : c, file);
  }
}

/* The most recently read file; lines of one file are often adjacent. */
struct reader {
  const char *name;
  struct sl_source source;
};

static enum sl_status print_heading(const struct sl_profile_line *line, size_t columns, struct reader *reader,
                                    FILE *file, struct sl_error *err)
{
  char name[SL_LINE_NAME];
  const int used = sl_print(file, "\n%s", sl_profile_line_name(&line->at, name));
  if (line->at.file != NULL && (reader->name == NULL || strcmp(reader->name, line->at.file) != 0)) {
    sl_source_free(&reader->source);
    reader->name = line->at.file;
    enum sl_status code = sl_source_read(&reader->source, reader->name, err);
    if (code != SL_OK)
      return code;
  }
  const char *text = line->at.file != NULL ? sl_source_line(&reader->source, line->at.line) : NULL;
  const size_t taken = (size_t)used - 1 + GAP; /* without the preceding line end */
  if (text != NULL && used > 0 && taken < columns) {
    fprintf(file, "  ");
    print_source(text, columns - taken, file);
  }
  fprintf(file, "\n");
  return SL_OK;
}

/* Prints the line's own row, then its instructions; a single instruction shares the line's row. */
static void print_insns(const struct layout *layout, const struct sl_profile_line *line, size_t most, FILE *file)
{
  char text[SL_INSN_TEXT];
  if (line->count > 1) {
    print_figures(layout, &line->sum, file);
    sl_print(file, "  %s%zu instructions\n", line->count > most ? "all " : "", line->count);
  }
  for (size_t i = 0; i < line->count && i < most; i++) {
    const struct sl_profile_insn *insn = line->by_cycles[i];
    print_figures(layout, &insn->sum, file);
    char shown[SL_INSN_TEXT + sizeof "80000000 "];
    const size_t used = width_of_figures(layout) + GAP;
    snprintf(shown, sizeof shown, "%" PRIx32 " %s", insn->pc, sl_profile_insn_text(insn, text));
    sl_print(file, "  %.*s\n", (int)sl_text_fitting(shown, layout->columns > used ? layout->columns - used : 1), shown);
  }
}

static void print_end(const struct sl_profile_report *report, size_t shown, FILE *file)
{
  uint64_t cycles = 0;
  for (size_t i = 0; i < shown; i++)
    cycles += report->hottest[i]->sum.cycles;
  fprintf(file, "\n%zu of %zu source lines, with %.1f %% of the cycles\n", shown, report->line_count,
          sl_percent(cycles, report->total.cycles));
}

enum sl_status sl_profile_print(const struct sl_profile_report *report, const struct sl_profile_extent *extent,
                                FILE *file, struct sl_error *err)
{
  struct reader reader = {0};
  enum sl_status code = SL_OK;
  const size_t lines = extent->lines < report->line_count ? extent->lines : report->line_count;
  print_summary(report, file);
  if (extent->roofline)
    code = sl_roofline_print(report, file, err);
  const struct layout layout = lay_out(report, extent, file);
  if (lines > 0)
    print_titles(&layout, file);
  for (size_t i = 0; i < lines && code == SL_OK; i++) {
    code = print_heading(report->hottest[i], layout.columns, &reader, file, err);
    print_insns(&layout, report->hottest[i], extent->insns, file);
  }
  if (lines > 0 && code == SL_OK) {
    print_end(report, lines, file);
    print_left_out(&layout, file);
  }
  sl_source_free(&reader.source);
  return code;
}
