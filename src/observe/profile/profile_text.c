/* The profile for a terminal: a summary, then source lines with their instructions, hottest first. */
#include <inttypes.h>
#include <string.h>

#include "observe/launch_table.h"
#include "observe/profile/profile_advice.h"
#include "observe/profile/profile_columns.h"
#include "observe/profile/profile_roofline.h"
#include "observe/report.h"
#include "observe/table.h"
#include "program/source.h"

enum { COLUMNS = 119, CELL = 32 }; /* columns without the first of a heading's two blanks */

/* A list of those of several numbers that are not 0: "memory 39.0 %, unit 1.0 %". */
struct list {
  FILE *file;
  const char *separator;
};

static void print_share(struct list *list, const char *name, uint64_t value, uint64_t sum)
{
  if (value == 0)
    return;
  fprintf(list->file, "%s%s %.1f %%", list->separator, name, sl_percent(value, sum));
  list->separator = ", ";
}

static void print_kinds(const struct sl_profile_column *column, const struct sl_profile_sum *total, FILE *file)
{
  const uint64_t *counts = column->kinds(total), sum = counts[SL_UNIFORM] + counts[SL_AFFINE] + counts[SL_GENERAL];
  struct list list = {file, " "};
  fprintf(file, "%s:", column->title);
  for (size_t i = 0; i < SL_REGULARITY_COUNT; i++)
    print_share(&list, sl_regularity_names[i], counts[i], sum);
  fprintf(file, "%s\n", sum == 0 ? " none" : "");
}

static void print_causes(const struct sl_profile_report *report, FILE *file)
{
  const struct sl_causes *causes = sl_profile_causes(report);
  const struct sl_profile_sum *total = &report->total;
  struct list list = {file, " "};
  for (size_t i = 0; i < causes->count; i++)
    print_share(&list, causes->cause[i].name, total->row.cycles[i], total->cycles);
  fprintf(file, "%s\n", total->cycles == 0 ? " none" : "");
}

static void print_events(const struct sl_profile_report *report, FILE *file)
{
  enum { WIDTH = 80 };
  const char *separator = "events: ";
  int used = 0;
  for (size_t i = 0; i < sl_profile_column_count; i++) {
    const struct sl_profile_column *column = &sl_profile_columns[i];
    char number[32], text[WIDTH];
    if (column->event == NULL || !sl_profile_has(report, column->needs) || column->part(&report->total) == 0)
      continue;
    const int length =
        snprintf(text, sizeof text, "%s %s", sl_grouped(column->part(&report->total), number), column->event);
    const bool fits = used + length + 2 <= WIDTH;
    used = fits ? used : 0;
    used += fprintf(file, "%s%s", fits ? separator : ",\n  ", text);
    separator = ", ";
  }
  if (separator[0] == ',')
    fprintf(file, "\n");
}

/* An entry of a list, in lines of 80 columns. */
static void print_wrapped(const char *text, FILE *file)
{
  enum { WIDTH = 78 };
  const char *indent = "* ";
  while (*text != '\0') {
    size_t length = strlen(text);
    if (length > WIDTH) {
      length = WIDTH;
      while (length > 0 && text[length] != ' ')
        length--;
    }
    if (length == 0) /* a word that fills more than a line */
      length = strcspn(text, " ");
    fprintf(file, "%s%.*s\n", indent, (int)length, text);
    text += length + strspn(text + length, " ");
    indent = "  ";
  }
}

static void print_advice(const struct sl_profile_report *report, FILE *file)
{
  struct sl_advice_item item[SL_ADVICE_MOST];
  const size_t count = sl_profile_advice(report, item);
  if (count > 0)
    fprintf(file, "advice:\n");
  for (size_t i = 0; i < count; i++) {
    char text[SL_ADVICE_TEXT + 40];
    snprintf(text, sizeof text, "%s (%s).", item[i].text, item[i].rule);
    print_wrapped(text, file);
  }
}

static void print_summary(const struct sl_profile_report *report, FILE *file)
{
  const struct sl_profile_run *run = &report->run;
  const struct sl_profile_sum *total = &report->total;
  const uint32_t lanes = run->config->machine->soc(run->config->spec).lanes;
  char cycles[32], attributed[32], issues[32];
  fprintf(file, "%s on %s: %s\n", sl_program_name(run->program), run->config->name,
          sl_outcome(run->error->code, run->result->status));
  fprintf(file, "%zu launch%s, %s cycles, IPC %.2f\n", report->launch_count, report->launch_count == 1 ? "" : "es",
          sl_grouped(report->figures.cycles, cycles), report->figures.ipc);
  if (report->launch_count > 1)
    sl_launches_print(run->config->machine, run->program, report->launches, report->launch_count, file);
  fprintf(file, "%s warp instructions with %.1f of %" PRIu32 " lanes active", sl_grouped(total->issues, issues),
          sl_ratio(total->row.active_lanes, total->issues), lanes);
  if (sl_profile_has(report, SL_PROFILE_SCALAR))
    fprintf(file, ", %.1f %% of them in the scalar pipeline", sl_percent(total->row.scalar_issues, total->issues));
  fprintf(file, "\n");
  for (size_t i = 0; i < sl_profile_column_count; i++)
    if (sl_profile_columns[i].form == SL_COLUMN_REGULARITY && sl_profile_has(report, sl_profile_columns[i].needs))
      print_kinds(&sl_profile_columns[i], total, file);
  print_events(report, file);
  fprintf(file, "where %s of %s cycles went:", sl_grouped(total->cycles, attributed),
          sl_grouped(report->figures.cycles * sl_profile_cores(report), cycles));
  print_causes(report, file);
  print_advice(report, file);
}

/* The greatest cause but that it issued, and its share: "memory 39 %". */
static void other_cause(const struct sl_profile_report *report, const struct sl_profile_sum *sum, char text[CELL])
{
  const struct sl_causes *causes = sl_profile_causes(report);
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

/* Whole percents; rounded down or up so that they add up to 100. */
static void regularity(const uint64_t *operands, char text[CELL])
{
  const uint64_t sum = operands[SL_UNIFORM] + operands[SL_AFFINE] + operands[SL_GENERAL];
  const int uniform = (int)(sl_percent(operands[SL_UNIFORM], sum) + 0.5);
  const int not_general = (int)(sl_percent(operands[SL_UNIFORM] + operands[SL_AFFINE], sum) + 0.5);
  if (sum > 0)
    snprintf(text, CELL, "%d/%d/%d", uniform, not_general - uniform, 100 - not_general);
}

static void print_titles(const struct sl_profile_report *report, FILE *file)
{
  for (size_t line = 0; line < 2; line++) {
    const char *separator = "\n";
    for (size_t i = 0; i < sl_profile_column_count; i++) {
      const struct sl_profile_column *column = &sl_profile_columns[i];
      if (column->text[line] == NULL || !sl_profile_has(report, column->needs))
        continue;
      /* What is to the left is the last, and has nothing to stand over in the second line. */
      if (column->width > 0)
        fprintf(file, "%s%*s", separator, column->width, column->text[line]);
      else if (line == 0)
        fprintf(file, "  %*s  instruction", column->width, column->text[line]);
      separator = " ";
    }
  }
  fprintf(file, "\n");
}

static void cell(const struct sl_profile_report *report, const struct sl_profile_column *column,
                 const struct sl_profile_sum *sum, char text[CELL])
{
  double figure;
  text[0] = '\0';
  if (column->form == SL_COLUMN_OTHER_CAUSE)
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

static void print_figures(const struct sl_profile_report *report, const struct sl_profile_sum *sum, FILE *file)
{
  const char *separator = "";
  for (size_t i = 0; i < sl_profile_column_count; i++) {
    const struct sl_profile_column *column = &sl_profile_columns[i];
    char text[CELL];
    if (column->text[0] == NULL || !sl_profile_has(report, column->needs))
      continue;
    cell(report, column, sum, text);
    fprintf(file, "%s%*s", column->width < 0 ? "  " : separator, column->width, text);
    separator = " ";
  }
}

/* A line of source as far as it fits, without what a terminal would obey. */
static void print_source(const char *text, size_t room, FILE *file)
{
  text += strspn(text, " \t");
  size_t columns = 0;
  for (; *text != '\0'; text++) {
    const unsigned char c = (unsigned char)*text;
    columns += (c & 0xc0) != 0x80; /* the later bytes of a character take no column */
    if (columns > room)
      break;
    fputc(c < 0x20 || c == 0x7f ? ' ' : c, file);
  }
}

/* The file read last; lines of one file often come together. */
struct reader {
  const char *name;
  struct sl_source source;
};

static enum sl_status print_heading(const struct sl_profile_line *line, struct reader *reader, FILE *file,
                                    struct sl_error *err)
{
  char name[SL_LINE_NAME];
  int used = fprintf(file, "\n%s", sl_profile_line_name(&line->at, name));
  if (line->at.file != NULL && (reader->name == NULL || strcmp(reader->name, line->at.file) != 0)) {
    sl_source_free(&reader->source);
    reader->name = line->at.file;
    enum sl_status code = sl_source_read(&reader->source, reader->name, err);
    if (code != SL_OK)
      return code;
  }
  const char *text = line->at.file != NULL ? sl_source_line(&reader->source, line->at.line) : NULL;
  if (text != NULL && used > 0 && used < COLUMNS) {
    fprintf(file, "  ");
    print_source(text, (size_t)(COLUMNS - used), file);
  }
  fprintf(file, "\n");
  return SL_OK;
}

/* The line's own row, then its instructions; one alone stands in the line's row. */
static void print_insns(const struct sl_profile_report *report, const struct sl_profile_line *line, size_t most,
                        FILE *file)
{
  char text[SL_INSN_TEXT];
  if (line->count > 1) {
    print_figures(report, &line->sum, file);
    fprintf(file, "  %s%zu instructions\n", line->count > most ? "all " : "", line->count);
  }
  for (size_t i = 0; i < line->count && i < most; i++) {
    const struct sl_profile_insn *insn = line->by_cycles[i];
    print_figures(report, &insn->sum, file);
    fprintf(file, "  %" PRIx32 " %s\n", insn->pc, sl_profile_insn_text(insn, text));
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
  if (lines > 0)
    print_titles(report, file);
  for (size_t i = 0; i < lines && code == SL_OK; i++) {
    code = print_heading(report->hottest[i], &reader, file, err);
    print_insns(report, report->hottest[i], extent->insns, file);
  }
  if (lines > 0 && code == SL_OK)
    print_end(report, lines, file);
  sl_source_free(&reader.source);
  return code;
}
