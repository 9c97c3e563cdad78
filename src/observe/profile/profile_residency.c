#include "observe/profile/profile.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "observe/figures.h"
#include "observe/html.h"
#include "observe/json.h"
#include "observe/terminal.h"

enum { LEFT = 76, TOP = 16, WIDTH = 700, HEIGHT = 180, RIGHT = 24, BOTTOM = 46, STEPS = 4 };

void sl_residency_add(struct sl_residency *r, size_t number, uint32_t entry, const struct sl_series *series)
{
  if (r->count == SL_RESIDENCY_LAUNCHES || !SL_GROW(r->launch, r->count))
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

enum { TEXT = 400 };

void sl_occupancies_add(struct sl_occupancies *all, const struct sl_occupancy_launch *launch)
{
  if (SL_GROW(all->launch, all->count))
    all->launch[all->count++] = *launch;
}

void sl_occupancies_free(struct sl_occupancies *all)
{
  free(all->launch);
  *all = (struct sl_occupancies){0};
}

unsigned sl_occupancy_limits(const struct sl_occupancies *all)
{
  unsigned limits = all->count > 0 ? ~0u : 0;
  for (size_t i = 0; i < all->count; i++)
    limits &= all->launch[i].occupancy.limits;
  return limits;
}

static bool alike(const struct sl_occupancy_launch *a, const struct sl_occupancy_launch *b)
{
  return a->entry == b->entry && a->occupancy.blocks == b->occupancy.blocks &&
         a->occupancy.warps == b->occupancy.warps && a->occupancy.limits == b->occupancy.limits;
}

/* Whether no earlier launch has the same kernel and occupancy. */
static bool is_first(const struct sl_occupancies *all, size_t launch)
{
  bool first = true;
  for (size_t i = 0; i < launch && first; i++)
    first = !alike(&all->launch[i], &all->launch[launch]);
  return first;
}

static void name_limits(unsigned limits, char *text, size_t size)
{
  size_t used = 0;
  text[0] = '\0';
  for (unsigned i = 0; i < SL_OCCUPANCY_LIMITS; i++)
    if ((limits >> i & 1) && used < size)
      used += (size_t)snprintf(text + used, size - used, "%s%s", used > 0 ? " and " : "",
                               sl_occupancy_limit_name((enum sl_occupancy_limit)(1u << i)));
}

static const char *sentence(const struct sl_occupancy_launch *launch, const struct sl_program *program, char text[TEXT])
{
  const struct sl_occupancy *o = &launch->occupancy;
  char kernel[SL_KERNEL_TEXT], limits[120];
  name_limits(o->limits, limits, sizeof limits);
  snprintf(text, TEXT, "%.200s %u block%s on a core at a time, %u of its %u warps (limited by %s)",
           sl_kernel_name(program, launch->entry, kernel), (unsigned)o->blocks, o->blocks == 1 ? "" : "s",
           (unsigned)o->warps, (unsigned)o->most_warps, limits);
  return text;
}

void sl_occupancy_print(const struct sl_occupancies *all, const struct sl_program *program, FILE *file)
{
  char text[TEXT];
  for (size_t i = 0; i < all->count; i++)
    if (is_first(all, i))
      sl_print_lines(file, 2, "occupancy: %s", sentence(&all->launch[i], program, text));
}

void sl_occupancy_html(const struct sl_occupancies *all, const struct sl_program *program, FILE *file)
{
  char text[TEXT];
  for (size_t i = 0; i < all->count; i++)
    if (is_first(all, i)) {
      fputs(i == 0 ? "<p>Occupancy: " : "; ", file);
      sl_html_text(file, sentence(&all->launch[i], program, text));
    }
  fputs(all->count > 0 ? ".</p>\n" : "", file);
}

json_t *sl_occupancy_json(const struct sl_occupancies *all, const struct sl_program *program)
{
  json_t *json = json_array();
  for (size_t i = 0; i < all->count; i++) {
    const struct sl_occupancy_launch *launch = &all->launch[i];
    char kernel[SL_KERNEL_TEXT];
    json_t *one = json_object(), *limits = json_array();
    for (unsigned k = 0; k < SL_OCCUPANCY_LIMITS; k++)
      if (launch->occupancy.limits >> k & 1)
        sl_json_append(&limits, json_string(sl_occupancy_limit_name((enum sl_occupancy_limit)(1u << k))));
    SL_JSON_ADD(&one, {"launch", sl_json_count(launch->number)},
                {"kernel", sl_json_text(sl_kernel_name(program, launch->entry, kernel))},
                {"blocks_per_core", sl_json_count(launch->occupancy.blocks)},
                {"warps_per_core", sl_json_count(launch->occupancy.warps)},
                {"most_warps", sl_json_count(launch->occupancy.most_warps)}, {"limited_by", limits});
    sl_json_append(&json, one);
  }
  return json;
}
