/* Roofline chart of the profile's page: both axes logarithmic, a roof and points for DRAM and for the scratchpad. */
#include <math.h>

#include "observe/html.h"
#include "observe/profile/profile_roofline.h"
#include "observe/table.h"

enum { LEFT = 64, TOP = 16, WIDTH = 640, HEIGHT = 280, RIGHT = 24, BOTTOM = 48, STEPS = 9 };

/* Powers of two at the ends of an axis. */
struct axis {
  int low, high;
};

static void widen(struct axis *axis, double value)
{
  const int low = (int)floor(log2(value)), high = (int)ceil(log2(value));
  axis->low = low < axis->low ? low : axis->low;
  axis->high = high > axis->high ? high : axis->high;
}

static double along(const struct axis *axis, double value)
{
  return (log2(value) - axis->low) / (axis->high - axis->low);
}

static double x_of(const struct axis *axis, double value)
{
  return LEFT + WIDTH * along(axis, value);
}

static double y_of(const struct axis *axis, double value)
{
  return TOP + HEIGHT * (1 - along(axis, value));
}

/* Chooses the axes with a margin around the data. */
static void find_axes(const struct sl_roofline *r, struct axis *x, struct axis *y)
{
  const double peak = r->peaks.operations.per_cycle, ridge = peak / r->peaks.dram.per_cycle;
  *x = (struct axis){(int)floor(log2(ridge)) - 2, (int)ceil(log2(ridge)) + 3};
  *y = (struct axis){(int)floor(log2(peak)) - 2, (int)ceil(log2(peak * 1.2))};
  for (size_t i = 0; i < r->launches; i++) {
    const struct sl_roof_point *p = &r->launch[i];
    if (p->operations == 0 || p->cycles == 0)
      continue;
    widen(y, sl_ratio(p->operations, p->cycles));
    if (p->dram_bytes > 0)
      widen(x, sl_roof_intensity(p, p->dram_bytes));
    if (p->scratchpad_bytes > 0)
      widen(x, sl_roof_intensity(p, p->scratchpad_bytes));
  }
}

static void put_grid(const struct axis *x, const struct axis *y, FILE *f)
{
  const int every_x = (x->high - x->low + STEPS - 1) / STEPS, every_y = (y->high - y->low + STEPS - 1) / STEPS;
  for (int i = x->low; i <= x->high; i += every_x)
    fprintf(f,
            "<line class=\"axis\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\"/><text x=\"%.1f\" y=\"%d\" "
            "text-anchor=\"middle\">%g</text>\n",
            x_of(x, exp2(i)), x_of(x, exp2(i)), TOP, TOP + HEIGHT, x_of(x, exp2(i)), TOP + HEIGHT + 16, exp2(i));
  for (int i = y->low; i <= y->high; i += every_y)
    fprintf(f,
            "<line class=\"axis\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/><text x=\"%d\" y=\"%.1f\" "
            "text-anchor=\"end\">%g</text>\n",
            LEFT, LEFT + WIDTH, y_of(y, exp2(i)), y_of(y, exp2(i)), LEFT - 6, y_of(y, exp2(i)) + 4, exp2(i));
  fprintf(f, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">operations per byte</text>\n", LEFT + WIDTH / 2,
          TOP + HEIGHT + 38);
  fprintf(f, "<text transform=\"translate(14 %d) rotate(-90)\" text-anchor=\"middle\">operations per cycle</text>\n",
          TOP + HEIGHT / 2);
}

/* Draws the roof of a bandwidth, up to the peak of operations, from the lower or the left edge. */
static void put_roof(const struct axis *x, const struct axis *y, double peak, const struct sl_peak *bytes,
                     const char *class, FILE *f)
{
  const double first = fmax(exp2(x->low), exp2(y->low) / bytes->per_cycle), ridge = peak / bytes->per_cycle;
  if (bytes->per_cycle <= 0)
    return;
  fprintf(f, "<polyline class=\"roof %s\" points=\"%.1f,%.1f", class, x_of(x, first),
          y_of(y, fmin(peak, first * bytes->per_cycle)));
  if (ridge > first)
    fprintf(f, " %.1f,%.1f", x_of(x, ridge), y_of(y, peak));
  fprintf(f, " %d.0,%.1f\"/>\n", LEFT + WIDTH, y_of(y, peak));
}

/* Draws a point. A kernel has its number in the table next to it; launches of a kernel with several are small, without
 * a number. */
static void put_point(const struct axis *x, const struct axis *y, const struct sl_roof_point *p, uint64_t bytes,
                      const char *class, size_t number, FILE *f)
{
  const double intensity = sl_roof_intensity(p, bytes), reached = sl_ratio(p->operations, p->cycles);
  const int size = number > 0 ? 5 : 3;
  if (intensity <= 0 || reached <= 0)
    return;
  const double at = x_of(x, intensity), height = y_of(y, reached);
  if (class[0] == 'd')
    fprintf(f, "<circle class=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"%d\">", class, at, height, size);
  else
    fprintf(f, "<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%d\" height=\"%d\">", class, at - size, height - size,
            2 * size, 2 * size);
  fputs("<title>", f);
  sl_html_text(f, p->kernel);
  if (number == 0)
    fprintf(f, ", launch %zu", p->number);
  fprintf(f, ": %.2f operations per cycle, %.3g per byte of %s</title>%s\n", reached, intensity,
          class[0] == 'd' ? "DRAM" : "scratchpad", class[0] == 'd' ? "</circle>" : "</rect>");
  if (number > 0)
    fprintf(f, "<text class=\"name\" x=\"%.1f\" y=\"%.1f\">%zu</text>\n", at + size + 3, height - size, number);
}

static void put_points(const struct sl_roofline *r, const struct axis *x, const struct axis *y, FILE *f)
{
  for (size_t i = 0; i < r->launches && r->launches > r->kernels; i++) {
    put_point(x, y, &r->launch[i], r->launch[i].dram_bytes, "dram", 0, f);
    put_point(x, y, &r->launch[i], r->launch[i].scratchpad_bytes, "pad", 0, f);
  }
  for (size_t i = 0; i < r->kernels; i++) {
    put_point(x, y, &r->kernel[i], r->kernel[i].dram_bytes, "dram", i + 1, f);
    put_point(x, y, &r->kernel[i], r->kernel[i].scratchpad_bytes, "pad", i + 1, f);
  }
}

static void put_chart(const struct sl_roofline *r, FILE *f)
{
  struct axis x, y;
  find_axes(r, &x, &y);
  fprintf(f,
          "<figure><svg class=\"plot\" id=\"roofline\" viewBox=\"0 0 %d %d\" width=\"%d\" role=\"img\" "
          "aria-labelledby=\"roofline-title\"><title id=\"roofline-title\">Roofline: operations per cycle against "
          "operations per byte</title>\n",
          LEFT + WIDTH + RIGHT, TOP + HEIGHT + BOTTOM, LEFT + WIDTH + RIGHT);
  put_grid(&x, &y, f);
  put_roof(&x, &y, r->peaks.operations.per_cycle, &r->peaks.dram, "dram", f);
  put_roof(&x, &y, r->peaks.operations.per_cycle, &r->peaks.scratchpad, "pad", f);
  put_points(r, &x, &y, f);
  fputs("</svg>\n<figcaption>An operation is any thread instruction. Circles and the solid roof: "
        "bytes of DRAM",
        f);
  if (r->peaks.scratchpad.per_cycle > 0)
    fputs("; squares and the broken roof: bytes of scratchpad", f);
  fprintf(f, ". Per cycle at most %g operations (%s), %g bytes of DRAM (%s)", r->peaks.operations.per_cycle,
          r->peaks.operations.keys, r->peaks.dram.per_cycle, r->peaks.dram.keys);
  if (r->peaks.scratchpad.per_cycle > 0)
    fprintf(f, ", %g bytes of scratchpad (%s)", r->peaks.scratchpad.per_cycle, r->peaks.scratchpad.keys);
  fputs(". Small points are single launches of kernels that have several.</figcaption></figure>\n", f);
}

static void put_number(double value, FILE *f)
{
  if (value < 0)
    fputs("<td class=\"number faint\" data-v=\"-1\">-</td>", f);
  else
    fprintf(f, "<td class=\"number\" data-v=\"%.6f\">%.2f</td>", value, value);
}

static void put_row(const struct sl_peaks *peaks, const struct sl_roof_point *p, size_t number, FILE *f)
{
  const struct sl_roof roof = sl_roof_of(peaks, p);
  const double reached = sl_ratio(p->operations, p->cycles);
  char text[32];
  fprintf(f, "<tr><td class=\"number\">%zu</td><td>", number);
  sl_html_text(f, p->kernel);
  fprintf(f, "</td><td class=\"number\" data-v=\"%zu\">%s</td>", p->launches, sl_grouped(p->launches, text));
  put_number(reached, f);
  put_number(sl_roof_intensity(p, p->dram_bytes), f);
  put_number(sl_roof_intensity(p, p->scratchpad_bytes), f);
  put_number(roof.operations, f);
  put_number(100 * reached / roof.operations, f);
  fprintf(f, "<td>%s</td></tr>\n", roof.bound);
}

enum sl_status sl_roofline_html(const struct sl_profile_report *report, FILE *f, struct sl_error *err)
{
  static const char *const titles[] = {
      "number", "kernel",        "launches", "operations/cycle", "per DRAM byte", "per scratchpad byte",
      "roof",   "% of its roof", "bound by"};
  struct sl_roofline roofline;
  const enum sl_status code = sl_roofline_create(&roofline, report, err);
  if (code != SL_OK)
    return code;
  if (roofline.kernels > 0) {
    fputs("<h2>Roofline</h2>\n", f);
    put_chart(&roofline, f);
    fputs("<div class=\"wide\"><table class=\"sortable\"><thead><tr>", f);
    for (size_t i = 0; i < sizeof titles / sizeof titles[0]; i++)
      sl_html_element(f, "th", titles[i]);
    fputs("</tr></thead><tbody>\n", f);
    for (size_t i = 0; i < roofline.kernels; i++)
      put_row(&roofline.peaks, &roofline.kernel[i], i + 1, f);
    fputs("</tbody></table></div>\n", f);
  }
  sl_roofline_free(&roofline);
  return SL_OK;
}
