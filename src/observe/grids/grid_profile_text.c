/* Profile of grids for a terminal: source lines with their instructions, by descending number of slots. */
#include <inttypes.h>
#include <string.h>

#include "observe/grids/grid_profile.h"
#include "observe/report.h"
#include "observe/table.h"
#include "observe/terminal.h"
#include "observe/wrapped_text.h"

static double percent(uint64_t part, uint64_t whole)
{
  return whole > 0 ? 100 * (double)part / (double)whole : 0;
}

static void print_causes(const struct sl_grid_profile *p, FILE *file)
{
  const struct sl_stall_reasons *causes = sl_gpu_config(p->run->gpu)->machine->causes;
  char slots[32];
  struct sl_list_line list;
  sl_list_begin(&list, file, 2, "where %s issue slots went:", sl_grouped(p->total.all, slots));
  for (size_t i = 0; i < causes->count; i++)
    if (p->total.slots.cause[i] > 0)
      sl_list_item(&list, "%s %.1f %%", causes->cause[i].name, percent(p->total.slots.cause[i], p->total.all));
  if (p->total.all == 0)
    sl_list_item(&list, "none");
  sl_list_end(&list);
}

/* Prints the largest stall reason other than "issued". */
static void print_figures(const struct sl_grid_profile *p, const struct sl_grid_row *row, FILE *file)
{
  const struct sl_stall_reasons *causes = sl_gpu_config(p->run->gpu)->machine->causes;
  const uint64_t issued = row->slots.cause[SL_SM7_STALL_REASON_ISSUED];
  size_t most = 0;
  char issues[32], cause[40] = "";
  for (size_t i = 1; i < causes->count; i++)
    if (row->slots.cause[i] > (most > 0 ? row->slots.cause[most] : 0))
      most = i;
  if (most > 0)
    snprintf(cause, sizeof cause, "%s %.0f %%", causes->cause[most].name, percent(row->slots.cause[most], row->all));
  sl_print(file, "%5.1f %12s %5.1f  %-20s", percent(row->all, p->total.all), sl_grouped(issued, issues),
           issued > 0 ? (double)row->slots.thread_instructions / (double)issued : 0.0, cause);
}

static enum sl_status print_heading(const struct sl_grid_row *row, FILE *file, struct sl_error *err)
{
  const char *slash = strrchr(row->file, '/');
  struct sl_source source;
  const enum sl_status code = sl_source_read(&source, row->file, err);
  if (code != SL_OK)
    return code;
  const char *text = sl_source_line(&source, row->line);
  text = text != NULL ? text + strspn(text, " \t") : "";
  sl_print(file, "\n%.60s:%u  ", slash != NULL ? slash + 1 : row->file, row->line);
  for (size_t n = 0; text[n] != '\0' && n < 90; n++)
    fputc((unsigned char)text[n] < 0x20 || text[n] == 0x7f ? ' ' : text[n], file);
  fputc('\n', file);
  sl_source_free(&source);
  return SL_OK;
}

static enum sl_status print_line(const struct sl_grid_profile *p, const struct sl_grid_line *line, size_t most,
                                 FILE *file, struct sl_error *err)
{
  char text[SL_GRID_TEXT];
  const enum sl_status code = print_heading(&line->sum, file, err);
  if (line->count > 1) {
    print_figures(p, &line->sum, file);
    sl_print(file, "  %s%zu instructions\n", line->count > most ? "all " : "", line->count);
  }
  for (size_t i = 0; i < line->count && i < most; i++) {
    print_figures(p, &line->row[i], file);
    sl_print(file, "  %" PRIu32 " %s\n", line->row[i].pc, sl_grid_row_text(p, line->row[i].pc, text));
  }
  return code;
}

enum sl_status sl_grid_profile_print(const struct sl_grid_profile *p, size_t lines, size_t instructions, FILE *file,
                                     struct sl_error *err)
{
  const struct sl_grid_report *run = p->run;
  enum sl_status code = SL_OK;
  uint64_t shown = 0;
  size_t n = 0;
  sl_print_lines(file, 2, "%s on %s: %s", run->file, sl_gpu_config(run->gpu)->name, sl_outcome(run->error->code, 0));
  sl_grid_launches_print(run->gpu, file);
  print_causes(p, file);
  if (p->line_count > 0)
    sl_print(file, "\n%5s %12s %5s  %-20s\n%5s %12s %5s  %-20s  instruction\n", "% of", "", "lanes", "most of the",
             "slots", "issued", "of 32", "others");
  for (; n < p->line_count && n < lines && code == SL_OK; n++) {
    code = print_line(p, &p->lines[n], instructions, file, err);
    shown += p->lines[n].sum.all;
  }
  fprintf(file, "\n%zu of %zu source lines, with %.1f %% of the slots; %.1f %% are of no instruction\n", n,
          p->line_count, percent(shown, p->total.all), percent(p->nowhere.all, p->total.all));
  return code;
}
