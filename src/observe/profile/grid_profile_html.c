/* The profile of a launch script's or host program's kernels as an HTML page: launches, stall reasons, source lines and
 * instructions. */
#include <inttypes.h>
#include <string.h>

#include "observe/grid_report.h"
#include "observe/html.h"
#include "observe/profile/profile.h"

static const struct sl_stall_reasons *reasons(const struct sl_grid_profile *p)
{
  return sl_gpu_config(p->run->gpu)->machine->causes;
}

static void number_cell(uint64_t value, FILE *file)
{
  fprintf(file, "<td class=\"number\" data-v=\"%" PRIu64 "\">%" PRIu64 "</td>", value, value);
}

static void percent_cell(double percent, FILE *file)
{
  fprintf(file, "<td class=\"number heat\" data-v=\"%.6f\" style=\"--h:%.3f\">%.1f</td>", percent, percent / 125,
          percent);
}

static void launches_table(const struct sl_grid_profile *p, FILE *file)
{
  const struct sl_counters *counters = sl_gpu_config(p->run->gpu)->machine->counters;
  fputs("<h2>Launches</h2>\n<div class=\"wide\"><table class=\"sortable\"><thead><tr><th>launch</th><th>kernel</th>"
        "<th>blocks</th><th>threads of a block</th><th>registers</th><th>cycles</th><th>warp instrs</th></tr></thead>"
        "<tbody>\n",
        file);
  for (size_t i = 0; i < sl_gpu_record_count(p->run->gpu); i++) {
    const struct sl_gpu_record *r = sl_gpu_record(p->run->gpu, i);
    uint64_t cycles = 0;
    for (size_t k = 0; k < counters->count; k++)
      if (counters->counter[k].role == SL_COUNTER_CYCLES)
        cycles += r->launch.counters[k];
    fputs("<tr>", file);
    number_cell(i, file);
    sl_html_element(file, "td", r->kernel);
    fprintf(file, "<td>%u x %u x %u</td><td>%u x %u x %u</td>", r->grid[0], r->grid[1], r->grid[2], r->block[0],
            r->block[1], r->block[2]);
    number_cell(r->registers, file);
    number_cell(cycles, file);
    number_cell(r->warp_instructions, file);
    fputs("</tr>\n", file);
  }
  fputs("</tbody></table></div>\n", file);
}

static void reasons_table(const struct sl_grid_profile *p, FILE *file)
{
  fputs("<h2>Issue slots</h2>\n<div class=\"wide\"><table class=\"sortable\"><thead><tr><th>reason</th><th>slots</th>"
        "<th>%</th></tr></thead><tbody>\n",
        file);
  for (size_t i = 0; i < reasons(p)->count; i++)
    if (p->total.slots.cause[i] > 0) {
      fputs("<tr>", file);
      sl_html_element(file, "td", reasons(p)->cause[i].name);
      number_cell(p->total.slots.cause[i], file);
      percent_cell(sl_percent(p->total.slots.cause[i], p->total.all), file);
      fputs("</tr>\n", file);
    }
  fputs("</tbody></table></div>\n", file);
}

/* The shares of a row: of all slots, then of its own by stall reason. */
static void figures(const struct sl_grid_profile *p, const struct sl_grid_row *row, FILE *file)
{
  percent_cell(sl_percent(row->all, p->total.all), file);
  number_cell(row->slots.cause[SL_STALL_REASON_ISSUED], file);
  number_cell(row->slots.thread_instructions, file);
  for (size_t i = 0; i < reasons(p)->count; i++)
    if (p->total.slots.cause[i] > 0)
      percent_cell(sl_percent(row->slots.cause[i], row->all), file);
  fputs("</tr>\n", file);
}

static void begin_figures(const struct sl_grid_profile *p, const char *title, const char *first, FILE *file)
{
  sl_html_element(file, "h2", title);
  fprintf(file,
          "\n<div class=\"wide\"><table class=\"sortable\"><thead><tr>%s<th>%% of slots</th><th>issued</th>"
          "<th>thread instrs</th>",
          first);
  for (size_t i = 0; i < reasons(p)->count; i++)
    if (p->total.slots.cause[i] > 0)
      sl_html_element(file, "th", reasons(p)->cause[i].name);
  fputs("</tr></thead><tbody>\n", file);
}

static enum sl_status lines_table(const struct sl_grid_profile *p, FILE *file, struct sl_error *err)
{
  enum sl_status code = SL_OK;
  begin_figures(p, "Source lines", "<th>line</th><th>source</th>", file);
  for (size_t i = 0; i < p->line_count && code == SL_OK; i++) {
    const struct sl_grid_row *row = &p->lines[i].sum;
    const char *slash = strrchr(row->file, '/');
    struct sl_source source;
    code = sl_source_read(&source, row->file, err);
    if (code != SL_OK)
      break;
    const char *text = sl_source_line(&source, row->line);
    fputs("<tr><td>", file);
    sl_html_text(file, slash != NULL ? slash + 1 : row->file);
    fprintf(file, ":%u</td>", row->line);
    fputs("<td class=\"code\">", file);
    sl_html_text(file, text != NULL ? text : "");
    fputs("</td>", file);
    sl_source_free(&source);
    figures(p, row, file);
  }
  fputs("</tbody></table></div>\n", file);
  return code;
}

static void instructions_table(const struct sl_grid_profile *p, FILE *file)
{
  char text[SL_GRID_TEXT];
  begin_figures(p, "Instructions", "<th>pc</th><th>instruction</th><th>function</th>", file);
  for (size_t i = 0; i < p->row_count; i++) {
    const struct sl_grid_row *row = &p->rows[i];
    if (row->all == 0)
      continue;
    fputs("<tr>", file);
    number_cell(row->pc, file);
    fputs("<td class=\"code\">", file);
    sl_html_text(file, sl_grid_row_text(p, row->pc, text));
    fputs("</td>", file);
    sl_html_element(file, "td", row->function);
    figures(p, row, file);
  }
  fputs("</tbody></table></div>\n", file);
}

enum sl_status sl_grid_profile_html(const struct sl_grid_profile *p, FILE *file, struct sl_error *err)
{
  char title[300];
  snprintf(title, sizeof title, "%.200s on %.60s", p->run->file, sl_gpu_config(p->run->gpu)->name);
  sl_html_begin(file, title);
  launches_table(p, file);
  reasons_table(p, file);
  fprintf(file,
          "<p>%.1f %% of the slots are of no instruction. The columns of stall reasons are shares of a row.</p>\n",
          sl_percent(p->nowhere.all, p->total.all));
  const enum sl_status code = lines_table(p, file, err);
  instructions_table(p, file);
  sl_html_end(file, NULL);
  return code;
}
