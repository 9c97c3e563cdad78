/* The profile for a terminal: a summary, then source lines with their instructions, hottest first. */
#include <inttypes.h>
#include <string.h>

#include "observe/profile.h"
#include "observe/report.h"
#include "observe/table.h"
#include "program/source.h"

enum { COLUMNS = 119, CELL = 32 }; /* columns without the first of a heading's two blanks */

static void print_shares(FILE *file, const char *title, const uint64_t *values, const char *const *names, size_t count)
{
  uint64_t sum = 0;
  for (size_t i = 0; i < count; i++)
    sum += values[i];
  fprintf(file, "%s", title);
  const char *separator = " ";
  for (size_t i = 0; i < count; i++) {
    if (values[i] == 0)
      continue;
    fprintf(file, "%s%s %.1f %%", separator, names[i], sl_percent(values[i], sum));
    separator = ", ";
  }
  fprintf(file, "%s\n", sum == 0 ? " none" : "");
}

/* Machines whose coalescing unit is before a cache do not count what goes to DRAM by instruction. */
static const char *transactions(const struct sl_machine *machine)
{
  size_t i;
  return sl_counter_find(machine, "dcache.reads", &i) ? "lines asked of the data cache" : "DRAM transactions";
}

static void print_events(const struct sl_machine *machine, const struct sl_profile_row *row, FILE *file)
{
  const struct {
    uint64_t count;
    const char *name;
  } events[] = {{row->retries, "retries"},
                {row->aborts, "aborts of the scalar pipeline"},
                {row->spills, "registers spilled"},
                {row->unspills, "read back"},
                {row->transactions, transactions(machine)},
                {sl_bank_conflicts(row), "cycles of scratchpad bank conflicts"}};
  const char *separator = "events: ";
  for (size_t i = 0; i < sizeof events / sizeof events[0]; i++) {
    char text[32];
    if (events[i].count == 0)
      continue;
    fprintf(file, "%s%s %s", separator, sl_grouped(events[i].count, text), events[i].name);
    separator = ", ";
  }
  if (separator[0] == ',')
    fprintf(file, "\n");
}

static void print_summary(const struct sl_profile_report *report, FILE *file)
{
  const struct sl_profile_run *run = &report->run;
  const struct sl_profile_sum *total = &report->total;
  const uint32_t lanes = run->config->machine->soc(run->config->spec).lanes;
  char cycles[32], attributed[32], issues[32];
  fprintf(file, "%s on %s: %s\n", sl_program_name(run->program), run->config->name,
          sl_outcome(run->error->code, run->result->status));
  fprintf(file, "%zu launch%s, %s cycles, IPC %.2f\n", run->result->launch_count,
          run->result->launch_count == 1 ? "" : "es", sl_grouped(report->figures.cycles, cycles), report->figures.ipc);
  fprintf(file, "%s warp instructions with %.1f of %" PRIu32 " lanes active, %.1f %% of them in the scalar pipeline\n",
          sl_grouped(total->issues, issues), sl_ratio(total->row.active_lanes, total->issues), lanes,
          sl_percent(total->row.scalar_issues, total->issues));
  print_shares(file, "operands:", total->row.operands, sl_regularity_names, SL_REGULARITY_COUNT);
  print_shares(file, "results:", total->row.results, sl_regularity_names, SL_REGULARITY_COUNT);
  print_events(run->config->machine, &total->row, file);
  fprintf(file, "where %s of %s cycles went:", sl_grouped(total->cycles, attributed),
          sl_grouped(report->figures.cycles * sl_profile_cores(report), cycles));
  print_shares(file, "", total->row.cycles, sl_cause_names, SL_CAUSE_COUNT);
}

/* The greatest reason but issue, and its share: "memory 39 %". */
static const char *other_cause(const struct sl_profile_sum *sum, char text[CELL])
{
  size_t most = SL_CAUSE_ISSUE;
  uint64_t cycles = 0;
  for (size_t c = 0; c < SL_CAUSE_COUNT; c++)
    if (c != SL_CAUSE_ISSUE && sum->row.cycles[c] > cycles)
      cycles = sum->row.cycles[most = c];
  if (cycles > 0)
    snprintf(text, CELL, "%s %.0f %%", sl_cause_names[most], sl_percent(cycles, sum->cycles));
  else
    text[0] = '\0';
  return text;
}

/* Whole percents; rounded down or up so that they add up to 100. */
static const char *regularity(const uint64_t operands[SL_REGULARITY_COUNT], char text[CELL])
{
  const uint64_t sum = operands[SL_UNIFORM] + operands[SL_AFFINE] + operands[SL_GENERAL];
  const int uniform = (int)(sl_percent(operands[SL_UNIFORM], sum) + 0.5);
  const int not_general = (int)(sl_percent(operands[SL_UNIFORM] + operands[SL_AFFINE], sum) + 0.5);
  if (sum > 0)
    snprintf(text, CELL, "%d/%d/%d", uniform, not_general - uniform, 100 - not_general);
  else
    text[0] = '\0';
  return text;
}

static void print_titles(FILE *file)
{
  fprintf(file, "\n%10s %6s %9s %6s %9s %6s %6s %7s %6s  %-14s  %s\n", "cycles", "share", "issues", "lanes", "operands",
          "scalar", "trans/", "bank", "issue", "otherwise", "instruction");
  fprintf(file, "%10s %6s %9s %6s %9s %6s %6s %7s %6s\n", "", "%", "", "active", "u/a/g %", "%", "access", "confl.",
          "%");
}

static void print_figures(const struct sl_profile_report *report, const struct sl_profile_sum *sum, FILE *file)
{
  char cycles[32], issues[32], conflicts[32], kinds[CELL], cause[CELL];
  char lanes[CELL] = "", scalar[CELL] = "", transactions[CELL] = "";
  if (sum->issues > 0) {
    snprintf(lanes, sizeof lanes, "%.1f", sl_ratio(sum->row.active_lanes, sum->issues));
    snprintf(scalar, sizeof scalar, "%.1f", sl_percent(sum->row.scalar_issues, sum->issues));
  }
  if (sum->accesses > 0)
    snprintf(transactions, sizeof transactions, "%.2f", sl_ratio(sum->row.transactions, sum->accesses));
  fprintf(file, "%10s %6.1f %9s %6s %9s %6s %6s %7s %6.1f  %-14s", sl_grouped(sum->cycles, cycles),
          sl_percent(sum->cycles, report->total.cycles), sl_grouped(sum->issues, issues), lanes,
          regularity(sum->row.operands, kinds), scalar, transactions,
          sum->row.scratchpad_requests > 0 ? sl_grouped(sl_bank_conflicts(&sum->row), conflicts) : "",
          sl_percent(sum->row.cycles[SL_CAUSE_ISSUE], sum->cycles), other_cause(sum, cause));
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

static enum sl_code print_heading(const struct sl_profile_line *line, struct reader *reader, FILE *file,
                                  struct sl_error *err)
{
  char name[SL_LINE_NAME];
  int used = fprintf(file, "\n%s", sl_profile_line_name(&line->at, name));
  if (line->at.file != NULL && (reader->name == NULL || strcmp(reader->name, line->at.file) != 0)) {
    sl_source_free(&reader->source);
    reader->name = line->at.file;
    enum sl_code code = sl_source_read(&reader->source, reader->name, err);
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

enum sl_code sl_profile_print(const struct sl_profile_report *report, const struct sl_profile_extent *extent,
                              FILE *file, struct sl_error *err)
{
  struct reader reader = {0};
  enum sl_code code = SL_OK;
  const size_t lines = extent->lines < report->line_count ? extent->lines : report->line_count;
  print_summary(report, file);
  if (lines > 0)
    print_titles(file);
  for (size_t i = 0; i < lines && code == SL_OK; i++) {
    code = print_heading(report->hottest[i], &reader, file, err);
    print_insns(report, report->hottest[i], extent->insns, file);
  }
  if (lines > 0 && code == SL_OK)
    print_end(report, lines, file);
  sl_source_free(&reader.source);
  return code;
}
