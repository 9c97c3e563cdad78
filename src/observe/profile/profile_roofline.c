#include "observe/profile/profile_roofline.h"

#include <stdlib.h>
#include <string.h>

#include "observe/json.h"
#include "observe/table.h"
#include "observe/terminal.h"

/* ---- points -------------------------------------------------------------------------------------------------------
 */

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

enum sl_status sl_roofline_create(struct sl_roofline *roofline, const struct sl_profile_report *report,
                                  struct sl_error *err)
{
  const struct sl_config *config = report->run.config;
  const size_t most = report->launch_count > 0 ? report->launch_count : 1;
  *roofline = (struct sl_roofline){.peaks = config->machine->peaks(config->spec),
                                   .kernel = calloc(most, sizeof *roofline->kernel),
                                   .launch = calloc(most, sizeof *roofline->launch)};
  if (roofline->kernel == NULL || roofline->launch == NULL) {
    sl_roofline_free(roofline);
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

void sl_roofline_free(struct sl_roofline *roofline)
{
  free(roofline->kernel);
  free(roofline->launch);
  *roofline = (struct sl_roofline){0};
}

double sl_roof_intensity(const struct sl_roof_point *point, uint64_t bytes)
{
  return bytes > 0 ? sl_ratio(point->operations, bytes) : -1;
}

static void lower(struct sl_roof *roof, double intensity, const struct sl_peak *peak, const char *bound)
{
  if (intensity >= 0 && intensity * peak->per_cycle < roof->operations)
    *roof = (struct sl_roof){intensity * peak->per_cycle, bound};
}

struct sl_roof sl_roof_of(const struct sl_peaks *peaks, const struct sl_roof_point *point)
{
  struct sl_roof roof = {peaks->operations.per_cycle, "lanes"};
  lower(&roof, sl_roof_intensity(point, point->dram_bytes), &peaks->dram, "dram");
  lower(&roof, sl_roof_intensity(point, point->scratchpad_bytes), &peaks->scratchpad, "scratchpad");
  return roof;
}

/* ---- text ---------------------------------------------------------------------------------------------------------
 */

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
  const struct sl_roof roof = sl_roof_of(peaks, point);
  const double reached = sl_ratio(point->operations, point->cycles);
  sl_table_cell(table, "%s", launch);
  sl_table_cell(table, "%.*s", NAME, point->kernel);
  sl_table_cell(table, "%.2f", reached);
  add_intensity(table, sl_roof_intensity(point, point->dram_bytes));
  add_intensity(table, sl_roof_intensity(point, point->scratchpad_bytes));
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
  const enum sl_status code = sl_roofline_create(&roofline, report, err);
  if (code != SL_OK)
    return code;
  const struct sl_peaks *p = &roofline.peaks;
  print_peak("operations", &p->operations, file);
  print_peak("bytes of DRAM", &p->dram, file);
  print_peak("bytes of scratchpad", &p->scratchpad, file);
  print_points(&roofline, file);
  sl_roofline_free(&roofline);
  return SL_OK;
}

/* ---- JSON ---------------------------------------------------------------------------------------------------------
 */

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
  const struct sl_roof roof = sl_roof_of(peaks, point);
  const double reached = sl_ratio(point->operations, point->cycles);
  json_t *json = json_object();
  if (launch)
    sl_json_put(&json, "launch", sl_json_count(point->number));
  sl_json_put(&json, "kernel", sl_json_text(point->kernel));
  if (!launch)
    sl_json_put(&json, "launches", sl_json_count(point->launches));
  sl_json_put(&json, "cycles", sl_json_count(point->cycles));
  sl_json_put(&json, "operations", sl_json_count(point->operations));
  sl_json_put(&json, "dram_bytes", sl_json_count(point->dram_bytes));
  sl_json_put(&json, "scratchpad_bytes", sl_json_count(point->scratchpad_bytes));
  sl_json_put(&json, "operations_per_cycle", json_real(reached));
  sl_json_put(&json, "operations_per_dram_byte", intensity_json(sl_roof_intensity(point, point->dram_bytes)));
  sl_json_put(&json, "operations_per_scratchpad_byte",
              intensity_json(sl_roof_intensity(point, point->scratchpad_bytes)));
  sl_json_put(&json, "roof", json_real(roof.operations));
  sl_json_put(&json, "share_of_roof", json_real(roof.operations > 0 ? reached / roof.operations : 0));
  sl_json_put(&json, "bound", json_string(roof.bound));
  return json;
}

json_t *sl_roofline_json(const struct sl_profile_report *report)
{
  struct sl_roofline roofline;
  if (sl_roofline_create(&roofline, report, NULL) != SL_OK)
    return NULL;
  json_t *json = json_object(), *peaks = json_object(), *kernels = json_array(), *launches = json_array();
  sl_json_put(&peaks, "operations", peak_json(&roofline.peaks.operations));
  sl_json_put(&peaks, "dram_bytes", peak_json(&roofline.peaks.dram));
  sl_json_put(&peaks, "scratchpad_bytes", peak_json(&roofline.peaks.scratchpad));
  for (size_t i = 0; i < roofline.kernels; i++)
    sl_json_append(&kernels, point_json(&roofline.peaks, &roofline.kernel[i], false));
  for (size_t i = 0; i < roofline.launches; i++)
    sl_json_append(&launches, point_json(&roofline.peaks, &roofline.launch[i], true));
  sl_json_put(&json, "peaks", peaks);
  sl_json_put(&json, "kernels", kernels);
  sl_json_put(&json, "launches", launches);
  sl_roofline_free(&roofline);
  return json;
}
