#include "observe/profile/profile_residency.h"

#include <stdlib.h>

#include "observe/html.h"
#include "observe/launch_choice.h"
#include "observe/storage.h"
#include "observe/table.h"

enum { LEFT = 76, TOP = 16, WIDTH = 700, HEIGHT = 180, RIGHT = 24, BOTTOM = 46, STEPS = 4 };

void sl_residency_add(struct sl_residency *r, size_t number, uint32_t entry, const struct sl_series *series)
{
  if (r->count == r->room && r->room < SL_RESIDENCY_LAUNCHES) {
    const size_t room = r->room == 0 ? 8 : 2 * r->room;
    struct sl_residency_launch *grown = realloc(r->launch, room * sizeof *grown);
    r->launch = grown != NULL ? grown : r->launch;
    r->room = grown != NULL ? room : r->room;
  }
  if (r->count == r->room)
    r->left_out++;
  else
    r->launch[r->count++] = (struct sl_residency_launch){number, entry, *series};
}

void sl_residency_free(struct sl_residency *r)
{
  free(r->launch);
  *r = (struct sl_residency){0};
}

/* Capacity of the register file in vectors; 0: unknown. */
static unsigned capacity_of(const struct sl_config *config)
{
  struct sl_register_storage file;
  if (!sl_storage_of(config, &file))
    return 0;
  return file.slots > 0 ? file.slots : file.warps * file.registers;
}

static double y_of(double value, double most)
{
  return TOP + HEIGHT * (1 - value / most);
}

/* Draws axis, labels and titles, and the capacity line. */
static void put_frame(unsigned capacity, double most, FILE *f)
{
  char text[32];
  for (unsigned i = 0; i <= STEPS; i++) {
    const double value = most * i / STEPS;
    fprintf(f,
            "<line class=\"axis\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/><text x=\"%d\" y=\"%.1f\" "
            "text-anchor=\"end\">%s</text>\n",
            LEFT, LEFT + WIDTH, y_of(value, most), y_of(value, most), LEFT - 6, y_of(value, most) + 4,
            sl_grouped((uint64_t)value, text));
  }
  fprintf(f, "<text transform=\"translate(14 %d) rotate(-90)\" text-anchor=\"middle\">vector registers</text>\n",
          TOP + HEIGHT / 2);
  fprintf(f, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">cycles of the launch</text>\n", LEFT + WIDTH / 2,
          TOP + HEIGHT + 38);
  if (capacity > 0)
    fprintf(f,
            "<line class=\"capacity\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/><text class=\"name\" x=\"%d\" "
            "y=\"%.1f\" text-anchor=\"end\">room for %s</text>\n",
            LEFT, LEFT + WIDTH, y_of(capacity, most), y_of(capacity, most), LEFT + WIDTH - 4, y_of(capacity, most) + 15,
            sl_grouped(capacity, text));
}

/* Draws each sample in the middle of its period. */
static void put_launch(const struct sl_residency_launch *launch, bool shown, double most, FILE *f)
{
  const struct sl_series *s = &launch->series;
  unsigned greatest = 0;
  char text[32];
  for (unsigned i = 0; i < s->count; i++)
    greatest = s->value[i] > greatest ? s->value[i] : greatest;
  fprintf(f, "<g class=\"launch\" data-launch=\"%zu\"%s><title>The most in use in every %s cycles", launch->number,
          shown ? "" : " style=\"display:none\"", sl_grouped(s->period, text));
  fprintf(f, "; at most %s</title><polyline class=\"line\" points=\"", sl_grouped(greatest, text));
  for (unsigned i = 0; i < s->count; i++)
    fprintf(f, "%s%.1f,%.1f", i > 0 ? " " : "", LEFT + WIDTH * (i + 0.5) / s->count, y_of(s->value[i], most));
  fputs("\"/>", f);
  for (unsigned i = 0; i <= STEPS; i++)
    fprintf(f, "<text x=\"%d\" y=\"%d\" text-anchor=\"%s\">%s</text>", (int)(LEFT + WIDTH * i / STEPS),
            TOP + HEIGHT + 18,
            i == 0       ? "start"
            : i == STEPS ? "end"
                         : "middle",
            sl_grouped(s->period * s->count * i / STEPS, text));
  fputs("</g>\n", f);
}

static void put_choice(const struct sl_residency *r, const struct sl_program *program, FILE *f)
{
  fputs("<p><label>Launch <select data-for=\"registers\">", f);
  for (size_t i = 0; i < r->count; i++) {
    char name[SL_KERNEL_TEXT];
    fprintf(f, "<option value=\"%zu\"%s>%zu: ", r->launch[i].number, i + 1 == r->count ? " selected" : "",
            r->launch[i].number);
    sl_html_text(f, sl_kernel_name(program, r->launch[i].entry, name));
    fputs("</option>", f);
  }
  fputs("</select></label>", f);
  if (r->left_out > 0)
    fprintf(f, " %zu later launches are omitted.", r->left_out);
  fputs("</p>\n", f);
}

void sl_residency_html(const struct sl_residency *r, const struct sl_config *config, const struct sl_program *program,
                       FILE *f)
{
  const unsigned capacity = capacity_of(config);
  double most = capacity;
  if (r->count == 0)
    return;
  for (size_t l = 0; l < r->count; l++)
    for (unsigned i = 0; i < r->launch[l].series.count; i++)
      most = r->launch[l].series.value[i] > most ? r->launch[l].series.value[i] : most;
  most = most > 0 ? most : 1;
  fputs("<h2>Vector registers in use</h2>\n", f);
  if (r->count > 1)
    put_choice(r, program, f);
  fprintf(
      f,
      "<figure><svg class=\"plot\" id=\"registers\" viewBox=\"0 0 %d %d\" width=\"%d\" role=\"img\" "
      "aria-labelledby=\"registers-title\"><title id=\"registers-title\">Vector registers in use over the time of a "
      "launch</title>\n",
      LEFT + WIDTH + RIGHT, TOP + HEIGHT + BOTTOM, LEFT + WIDTH + RIGHT);
  put_frame(capacity, most, f);
  for (size_t i = 0; i < r->count; i++)
    put_launch(&r->launch[i], i + 1 == r->count, most, f);
  fputs("</svg></figure>\n", f);
}
