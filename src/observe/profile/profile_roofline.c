#include "observe/profile/profile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "observe/html.h"
#include "observe/json.h"
#include "observe/terminal.h"

/* Maximum operations per cycle at a point's operational intensity, and its bound: "lanes", "dram" or "scratchpad". */
struct sl_roof {
  double operations;
  const char *bound;
};

/* A launch, or the sum of a kernel's launches. */
struct sl_roof_point {
  const char *kernel;
  char text[SL_KERNEL_TEXT]; /* used if the function is unknown */
  size_t number;             /* number of the launch */
  size_t launches;
  uint64_t cycles, operations, dram_bytes, scratchpad_bytes;
};

struct sl_roofline {
  struct sl_peaks peaks;
  /* Kernels in the order of first launches. */
  struct sl_roof_point *kernel, *launch;
  size_t kernels, launches;
};

/* ---- points ----------------------------------------------------------------------------------------------------- */

static struct sl_roof_point point_of(const struct sl_profile_report *report, const struct sl_peaks *peaks,
                                     const struct sl_launch *launch)
{
  const struct sl_machine *machine = report->run.config->machine;
  const struct sl_figures figures = sl_figures_of(machine, launch, 1);
  const enum sl_counter_role traffic = (enum sl_counter_role)peaks->traffic_role;
  return (struct sl_roof_point){
      .number = launch->number,
      .launches = 1,
      .cycles = figures.cycles,
      .operations = figures.thread_instructions,
      .dram_bytes = sl_role_total(machine, traffic, launch, 1).value * peaks->traffic_bytes,
      .scratchpad_bytes = 4 * sl_role_total(machine, SL_COUNTER_SCRATCHPAD_WORDS, launch, 1).value,
  };
}

static void add_to_kernel(struct sl_roofline *roofline, const struct sl_roof_point *launch)
{
  size_t k = 0;
  while (k < roofline->kernels && strcmp(roofline->kernel[k].kernel, launch->kernel) != 0)
    k++;
  struct sl_roof_point *kernel = &roofline->kernel[k];
  if (k == roofline->kernels) {
    *kernel = *launch;
    roofline->kernels++;
    return;
  }
  kernel->launches++;
  kernel->cycles += launch->cycles;
  kernel->operations += launch->operations;
  kernel->dram_bytes += launch->dram_bytes;
  kernel->scratchpad_bytes += launch->scratchpad_bytes;
}

static void roofline_free(struct sl_roofline *roofline)
{
  free(roofline->kernel);
  free(roofline->launch);
  *roofline = (struct sl_roofline){0};
}

static enum sl_status roofline_create(struct sl_roofline *roofline, const struct sl_profile_report *report,
                                      struct sl_error *err)
{
  const struct sl_config *config = report->run.config;
  const size_t most = report->launch_count > 0 ? report->launch_count : 1;
  *roofline = (struct sl_roofline){.peaks = config->machine->peaks(config->spec),
                                   .kernel = calloc(most, sizeof *roofline->kernel),
                                   .launch = calloc(most, sizeof *roofline->launch)};
  if (roofline->kernel == NULL || roofline->launch == NULL) {
    roofline_free(roofline);
    return sl_no_memory(err, 2 * most * sizeof *roofline->kernel);
  }
  for (size_t i = 0; i < report->launch_count; i++) {
    struct sl_roof_point *launch = &roofline->launch[roofline->launches++];
    *launch = point_of(report, &roofline->peaks, &report->launches[i]);
    launch->kernel = sl_kernel_name(report->run.program, report->launches[i].entry, launch->text);
    add_to_kernel(roofline, launch);
  }
  return SL_OK;
}

/* operations / bytes; negative without bytes. */
static double roof_intensity(const struct sl_roof_point *point, uint64_t bytes)
{
  return bytes > 0 ? sl_ratio(point->operations, bytes) : -1;
}

static void lower(struct sl_roof *roof, double intensity, const struct sl_peak *peak, const char *bound)
{
  if (intensity >= 0 && intensity * peak->per_cycle < roof->operations)
    *roof = (struct sl_roof){intensity * peak->per_cycle, bound};
}

static struct sl_roof roof_of(const struct sl_peaks *peaks, const struct sl_roof_point *point)
{
  struct sl_roof roof = {peaks->operations.per_cycle, "lanes"};
  lower(&roof, roof_intensity(point, point->dram_bytes), &peaks->dram, "dram");
  lower(&roof, roof_intensity(point, point->scratchpad_bytes), &peaks->scratchpad, "scratchpad");
  return roof;
}

/* ---- text ------------------------------------------------------------------------------------------------------- */

enum { NAME = 16, ROWS = 12 };

static void add_intensity(struct sl_table *table, double intensity)
{
  if (intensity < 0)
    sl_table_cell(table, "-");
  else
    sl_table_cell(table, "%.2f", intensity);
}

static void add_row(struct sl_table *table, const struct sl_peaks *peaks, const struct sl_roof_point *point,
                    const char *launch)
{
  const struct sl_roof roof = roof_of(peaks, point);
  const double reached = sl_ratio(point->operations, point->cycles);
  sl_table_cell(table, "%s", launch);
  sl_table_cell(table, "%.*s", NAME, point->kernel);
  sl_table_cell(table, "%.2f", reached);
  add_intensity(table, roof_intensity(point, point->dram_bytes));
  add_intensity(table, roof_intensity(point, point->scratchpad_bytes));
  sl_table_cell(table, "%.2f", roof.operations);
  sl_table_cell(table, "%.1f", 100 * reached / roof.operations);
  sl_table_cell(table, "%s", strcmp(roof.bound, "scratchpad") == 0 ? "pad" : roof.bound);
}

static void print_points(const struct sl_roofline *roofline, FILE *file)
{
  static const char *const titles[] = {">launch", "kernel", ">ops/cycle", ">ops/DRAM B", ">ops/pad B",
                                       ">roof",   ">%",     "bound",      NULL};
  struct sl_table table;
  char text[32];
  sl_table_init(&table, titles);
  for (size_t i = 0; i < roofline->kernels; i++) {
    snprintf(text, sizeof text, "all %zu", roofline->kernel[i].launches);
    add_row(&table, &roofline->peaks, &roofline->kernel[i], roofline->launches > roofline->kernels ? text : "");
  }
  for (size_t i = 0; i < roofline->launches && i < ROWS && roofline->launches > roofline->kernels; i++) {
    snprintf(text, sizeof text, "%zu", roofline->launch[i].number);
    add_row(&table, &roofline->peaks, &roofline->launch[i], text);
  }
  sl_table_print(&table, file);
  sl_table_free(&table);
}

static void print_peak(const char *what, const struct sl_peak *peak, FILE *file)
{
  if (peak->per_cycle > 0)
    sl_print(file, "roof: %g %s per cycle (%s)\n", peak->per_cycle, what, peak->keys);
}

enum sl_status sl_roofline_print(const struct sl_profile_report *report, FILE *file, struct sl_error *err)
{
  struct sl_roofline roofline;
  const enum sl_status code = roofline_create(&roofline, report, err);
  if (code != SL_OK)
    return code;
  const struct sl_peaks *p = &roofline.peaks;
  print_peak("operations", &p->operations, file);
  print_peak("bytes of DRAM", &p->dram, file);
  print_peak("bytes of scratchpad", &p->scratchpad, file);
  print_points(&roofline, file);
  roofline_free(&roofline);
  return SL_OK;
}

/* ---- JSON ------------------------------------------------------------------------------------------------------- */

static json_t *peak_json(const struct sl_peak *peak)
{
  json_t *json = json_object();
  if (peak->per_cycle <= 0) {
    json_decref(json);
    return json_null();
  }
  sl_json_put(&json, "per_cycle", json_real(peak->per_cycle));
  sl_json_put(&json, "keys", json_string(peak->keys));
  return json;
}

static json_t *intensity_json(double intensity)
{
  return intensity < 0 ? json_null() : json_real(intensity);
}

static json_t *point_json(const struct sl_peaks *peaks, const struct sl_roof_point *point, bool launch)
{
  const struct sl_roof roof = roof_of(peaks, point);
  const double reached = sl_ratio(point->operations, point->cycles);
  json_t *json = json_object();
  if (launch)
    sl_json_put(&json, "launch", sl_json_count(point->number));
  sl_json_put(&json, "kernel", sl_json_text(point->kernel));
  if (!launch)
    sl_json_put(&json, "launches", sl_json_count(point->launches));
  SL_JSON_ADD(&json, {"cycles", sl_json_count(point->cycles)}, {"operations", sl_json_count(point->operations)},
              {"dram_bytes", sl_json_count(point->dram_bytes)},
              {"scratchpad_bytes", sl_json_count(point->scratchpad_bytes)},
              {"operations_per_cycle", json_real(reached)},
              {"operations_per_dram_byte", intensity_json(roof_intensity(point, point->dram_bytes))},
              {"operations_per_scratchpad_byte", intensity_json(roof_intensity(point, point->scratchpad_bytes))},
              {"roof", json_real(roof.operations)},
              {"share_of_roof", json_real(roof.operations > 0 ? reached / roof.operations : 0)},
              {"bound", json_string(roof.bound)});
  return json;
}

json_t *sl_roofline_json(const struct sl_profile_report *report)
{
  struct sl_roofline roofline;
  if (roofline_create(&roofline, report, NULL) != SL_OK)
    return NULL;
  json_t *json = json_object(), *peaks = json_object(), *kernels = json_array(), *launches = json_array();
  sl_json_put(&peaks, "operations", peak_json(&roofline.peaks.operations));
  sl_json_put(&peaks, "dram_bytes", peak_json(&roofline.peaks.dram));
  sl_json_put(&peaks, "scratchpad_bytes", peak_json(&roofline.peaks.scratchpad));
  for (size_t i = 0; i < roofline.kernels; i++)
    sl_json_append(&kernels, point_json(&roofline.peaks, &roofline.kernel[i], false));
  for (size_t i = 0; i < roofline.launches; i++)
    sl_json_append(&launches, point_json(&roofline.peaks, &roofline.launch[i], true));
  SL_JSON_ADD(&json, {"peaks", peaks}, {"kernels", kernels}, {"launches", launches});
  roofline_free(&roofline);
  return json;
}

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
      widen(x, roof_intensity(p, p->dram_bytes));
    if (p->scratchpad_bytes > 0)
      widen(x, roof_intensity(p, p->scratchpad_bytes));
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
  const double intensity = roof_intensity(p, bytes), reached = sl_ratio(p->operations, p->cycles);
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
  const struct sl_roof roof = roof_of(peaks, p);
  const double reached = sl_ratio(p->operations, p->cycles);
  char text[32];
  fprintf(f, "<tr><td class=\"number\">%zu</td><td>", number);
  sl_html_text(f, p->kernel);
  fprintf(f, "</td><td class=\"number\" data-v=\"%zu\">%s</td>", p->launches, sl_grouped(p->launches, text));
  put_number(reached, f);
  put_number(roof_intensity(p, p->dram_bytes), f);
  put_number(roof_intensity(p, p->scratchpad_bytes), f);
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
  const enum sl_status code = roofline_create(&roofline, report, err);
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
  roofline_free(&roofline);
  return SL_OK;
}
