#include "cli/linear/linear_html.h"

#include <inttypes.h>
#include <string.h>

#include "cli/help/provenance.h"
#include "observe/html.h"

void sl_linear_html_begin(const struct sl_linear_input *input, FILE *file)
{
  char title[300];
  snprintf(title, sizeof title, "Linear combinations in %.250s", input->path);
  sl_html_begin(file, title);
  fputs("<p>Each instruction with its treatment, its coefficient vector (constant; thread x, y, z; block x, y, z) or "
        "the reason why it has none, and its replaced operands.</p>\n",
        file);
}

void sl_linear_html_end(FILE *file)
{
  sl_provenance_html_end(file);
}

static void heading(const struct sl_linear_kernel *kernel, FILE *file)
{
  sl_html_element(file, "h2", kernel->name);
  fputc('\n', file);
}

void sl_linear_html_refusal(const struct sl_linear_kernel *kernel, const char *why, FILE *file)
{
  heading(kernel, file);
  fputs("<p>It is kept unchanged: ", file);
  sl_html_text(file, why);
  fputs(".</p>\n", file);
}

static void sums(const struct sl_linear_report *r, FILE *file)
{
  const struct sl_linear_plan *p = r->plan;
  fprintf(file,
          "<p>%" PRIu32 " instructions, %" PRIu32 " linear; %" PRIu32 " go, %" PRIu32 " come. Registers: %" PRIu32
          " linear, %" PRIu32 " of threads, %" PRIu32 " coefficients, %" PRIu32 " uniform.</p>\n",
          p->reached, p->linear, p->gone, p->added, p->lrs, p->trs, p->crs, p->urs);
}

static void cell(FILE *file, const char *text)
{
  fputs("<td class=\"code\">", file);
  sl_html_text(file, text);
  fputs("</td>", file);
}

/* A table of texts; tables of numbers have another class (observe/html.h). */
static void begin_table(FILE *file, const char *const *titles)
{
  fputs("<div class=\"wide\"><table>\n<thead><tr>", file);
  for (; *titles != NULL; titles++)
    sl_html_element(file, "th", *titles);
  fputs("</tr></thead>\n<tbody>\n", file);
}

static void registers(const struct sl_linear_report *r, FILE *file)
{
  static const char *const titles[] = {"register", "holds", "is", "uses", NULL};
  const struct sl_linear_plan *p = r->plan;
  char text[SL_LINEAR_TEXT], name[16], sum[48];
  if (p->lrs == 0)
    return;
  begin_table(file, titles);
  for (uint32_t i = 0; i < p->lrs; i++) {
    struct sl_linear_vector v = {.reason = SL_LINEAR_YES, .constant = p->lr[i].constant};
    memcpy(v.index, p->lr[i].index, sizeof v.index);
    snprintf(name, sizeof name, "lr%" PRIu32, i);
    if (p->lr[i].tr == SL_LINEAR_NONE)
      snprintf(sum, sizeof sum, "br%" PRIu32, i);
    else
      snprintf(sum, sizeof sum, "tr%u+br%" PRIu32, p->lr[i].tr, i);
    fputs("<tr>", file);
    cell(file, name);
    cell(file, sl_linear_vector_text(r->analysis, &v, text));
    cell(file, sum);
    fprintf(file, "<td>%" PRIu32 "</td></tr>\n", p->lr[i].uses);
  }
  sl_html_end_table(file);
}

/* The source line, with number and file name, if it differs from the previous instruction's. */
struct shown {
  struct sl_source source;
  const char *file;
  uint32_t line;
};

static void source_cell(const struct sl_linear_report *r, uint32_t insn, struct shown *shown, FILE *file)
{
  const char *name;
  const uint32_t line = sl_linear_insn_source(r->input, r->kernel, insn, &name);
  fputs("<td class=\"code\" style=\"white-space:pre-wrap;min-width:22rem\">", file);
  if (name != NULL && (shown->file == NULL || strcmp(shown->file, name) != 0 || line != shown->line)) {
    if (shown->file == NULL || strcmp(shown->file, name) != 0) {
      sl_source_free(&shown->source);
      sl_source_read(&shown->source, name, NULL);
    }
    shown->file = name;
    shown->line = line;
    const char *slash = strrchr(name, '/'), *text = sl_source_line(&shown->source, line);
    fputs("<span class=\"faint\">", file);
    sl_html_text(file, slash != NULL ? slash + 1 : name);
    fprintf(file, ":%" PRIu32 "</span> ", line);
    sl_html_text(file, text != NULL ? text : "");
  }
  fputs("</td>", file);
}

static void instructions(const struct sl_linear_report *r, FILE *file)
{
  static const char *const titles[] = {"source", "at", "instruction", "fate", "vector", NULL};
  char place[SL_LINEAR_PLACE_TEXT], insn[SL_LINEAR_INSN_TEXT], remark[SL_LINEAR_REMARK];
  struct shown shown = {.file = NULL};
  begin_table(file, titles);
  for (uint32_t i = 0; i < r->analysis->code->count; i++) {
    fprintf(file, "<tr class=\"%s\">", r->plan->fate[i] == SL_LINEAR_STAYS ? "kept" : "faint");
    source_cell(r, i, &shown, file);
    cell(file, sl_linear_insn_place(r->input, r->kernel, i, place));
    cell(file, sl_linear_insn_text(r->input, r->kernel, i, insn));
    cell(file, sl_linear_fate_text(r->plan->fate[i]));
    cell(file, sl_linear_remark(r, i, remark));
    fputs("</tr>\n", file);
  }
  sl_html_end_table(file);
  sl_source_free(&shown.source);
}

void sl_linear_html_kernel(const struct sl_linear_report *report, FILE *file)
{
  heading(report->kernel, file);
  sums(report, file);
  registers(report, file);
  instructions(report, file);
}
