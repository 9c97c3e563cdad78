#include "observe/grid_report.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "device/engine/launch_sampling.h"
#include "observe/json.h"
#include "observe/profile/profile.h"
#include "observe/report.h"
#include "observe/terminal.h"
#include "ptx/ptx.h"

/* What limits the blocks on an SM, by enum sl_occupancy_limit, in the words of CUDA. */
static const char *const limit_names[] = {"threads", "shared memory", "registers", "blocks"};
enum { LIMITS = sizeof limit_names / sizeof *limit_names };

static void name_limits(unsigned limited, char *text, size_t size)
{
  size_t used = 0;
  text[0] = '\0';
  for (unsigned i = 0; i < LIMITS; i++)
    if ((limited >> i & 1) && used < size) {
      const int n = snprintf(text + used, size - used, "%s%s", used ? ", " : "", limit_names[i]);
      used += n > 0 ? (size_t)n : 0;
    }
}

static uint64_t of_role(const struct sl_gpu *gpu, const struct sl_launch *launch, enum sl_counter_role role)
{
  return sl_role_total(sl_gpu_config(gpu)->machine, role, launch, 1).value;
}

/* Prints one row per launch: cycles, instructions, resident blocks per SM, and the limiting resource. */
static void grid_launches_print(const struct sl_gpu *gpu, FILE *file)
{
  static const char *const titles[] = {"kernel",  ">cycles",         ">warp instrs", ">thread instrs",
                                       ">blocks", ">per SM at most", "by",           NULL};
  const bool fast = sl_gpu_fast(gpu);
  struct sl_table table;
  size_t blocks = 0;
  sl_counter_find(sl_gpu_config(gpu)->machine, "blocks", &blocks);
  sl_table_init(&table, titles);
  for (size_t i = 0; i < sl_gpu_record_count(gpu); i++) {
    const struct sl_gpu_record *l = sl_gpu_record(gpu, i);
    char limits[80];
    name_limits(l->limits, limits, sizeof limits);
    sl_table_cell(&table, "%s", l->kernel);
    if (fast)
      sl_table_cell(&table, "%s", "-");
    else
      sl_table_cell(&table, "%" PRIu64, of_role(gpu, &l->launch, SL_COUNTER_CYCLES));
    sl_table_cell(&table, "%" PRIu64, of_role(gpu, &l->launch, SL_COUNTER_WARP_INSTRUCTIONS));
    sl_table_cell(&table, "%" PRIu64, of_role(gpu, &l->launch, SL_COUNTER_THREAD_INSTRUCTIONS));
    sl_table_cell(&table, "%" PRIu64, l->launch.counters[blocks]);
    sl_table_cell(&table, "%u", l->fits);
    sl_table_cell(&table, "%s", limits);
  }
  sl_table_print(&table, file);
  sl_table_free(&table);
}

/* Prints the non-zero counters; issue slots also as a share of all slots. */
static void print_counters(const struct sl_gpu *gpu, FILE *file)
{
  static const char *const titles[] = {"counter", ">value", ">%", NULL};
  const struct sl_counters *counters = sl_gpu_config(gpu)->machine->counters;
  struct sl_table table;
  uint64_t slots = 0;
  for (size_t i = 0; i < counters->count; i++)
    slots += counters->counter[i].role == SL_COUNTER_STALL_REASON ? sl_gpu_total(gpu, i) : 0;
  sl_table_init(&table, titles);
  for (size_t i = 0; i < counters->count; i++) {
    const struct sl_counter *c = &counters->counter[i];
    const uint64_t value = sl_gpu_total(gpu, i);
    if (value == 0)
      continue;
    sl_table_cell(&table, "%s", c->name);
    sl_table_cell(&table, "%" PRIu64, value);
    if (c->role == SL_COUNTER_STALL_REASON)
      sl_table_cell(&table, "%.1f", 100 * (double)value / (double)slots);
    else
      sl_table_cell(&table, "%s", "");
  }
  sl_table_print(&table, file);
  sl_table_free(&table);
}

static uint64_t sum_of_role(const struct sl_gpu *gpu, enum sl_counter_role role)
{
  uint64_t sum = 0;
  for (size_t i = 0; i < sl_gpu_record_count(gpu); i++)
    sum += of_role(gpu, &sl_gpu_record(gpu, i)->launch, role);
  return sum;
}

static void energy_of(const struct sl_grid_report *report, struct sl_energy *energy)
{
  uint64_t counters[SL_MAX_COUNTERS];
  for (size_t i = 0; i < sl_gpu_config(report->gpu)->machine->counters->count; i++)
    counters[i] = sl_gpu_total(report->gpu, i);
  sl_energy_of(energy, report->energy, sl_gpu_config(report->gpu), counters);
}

void sl_grid_report_energy(const struct sl_grid_report *report, FILE *file)
{
  struct sl_energy energy;
  if (report->energy == NULL || sl_gpu_record_count(report->gpu) == 0)
    return;
  energy_of(report, &energy);
  sl_energy_print(&energy, file);
}

static json_t *energy_json(const struct sl_grid_report *report)
{
  struct sl_energy energy;
  energy_of(report, &energy);
  return sl_energy_json(&energy);
}

void sl_grid_report_print(const struct sl_grid_report *report, FILE *file)
{
  const struct sl_gpu *gpu = report->gpu;
  const double seconds = sl_gpu_seconds(gpu);
  if (sl_gpu_record_count(gpu) == 0) {
    fprintf(file, "no kernel was launched\n");
    return;
  }
  grid_launches_print(gpu, file);
  if (!sl_gpu_fast(gpu))
    print_counters(gpu, file);
  if (sl_gpu_sampled(gpu) != NULL)
    sl_sampled_print(sl_gpu_config(gpu)->machine, sl_gpu_sampled(gpu), sum_of_role(gpu, SL_COUNTER_CYCLES), file);
  sl_grid_report_energy(report, file);
  fprintf(file, "host: %.1f M thread instrs/s",
          1e-6 * sl_rate(sum_of_role(gpu, SL_COUNTER_THREAD_INSTRUCTIONS), seconds));
  if (!sl_gpu_fast(gpu))
    fprintf(file, ", %.2f M cycles/s", 1e-6 * sl_rate(sum_of_role(gpu, SL_COUNTER_CYCLES), seconds));
  fprintf(file, " (%.3f s simulating the kernels)\n", seconds);
}

static json_t *extent_json(const uint32_t extent[3])
{
  json_t *json = json_array();
  for (unsigned i = 0; i < 3; i++)
    sl_json_append(&json, sl_json_count(extent[i]));
  return json;
}

static json_t *limits_json(unsigned limited)
{
  json_t *json = json_array();
  for (unsigned i = 0; i < LIMITS; i++)
    if (limited >> i & 1)
      sl_json_append(&json, json_string(limit_names[i]));
  return json;
}

/* Counters of one launch; NULL: of all. Without timing only those with a functional value. */
static json_t *counters_json(const struct sl_gpu *gpu, const struct sl_launch *launch)
{
  const struct sl_counters *counters = sl_gpu_config(gpu)->machine->counters;
  json_t *json = json_object();
  for (size_t i = 0; i < counters->count; i++) {
    const uint64_t value = launch != NULL ? launch->counters[i] : sl_gpu_total(gpu, i);
    if (value > 0 || !sl_gpu_fast(gpu))
      sl_json_put(&json, counters->counter[i].name, sl_counter_json(&counters->counter[i], value));
  }
  return json;
}

static json_t *launch_json(const struct sl_gpu *gpu, const struct sl_gpu_record *l)
{
  return SL_JSON({"entry", sl_json_hex(l->launch.entry, 8)}, {"function", sl_json_text(l->kernel)},
                 {"grid", extent_json(l->grid)}, {"block", extent_json(l->block)},
                 {"warps_per_block", sl_json_count(l->launch.warps_per_block)},
                 {"registers", sl_json_count(l->registers)}, {"shared_bytes", sl_json_count(l->shared_bytes)},
                 {"blocks_per_sm", sl_json_count(l->fits)}, {"limited_by", limits_json(l->limits)},
                 {"resident", sl_json_count(l->resident)}, {"succeeded", json_boolean(l->launch.succeeded)},
                 {"counters", counters_json(gpu, &l->launch)});
}

static json_t *totals_json(const struct sl_gpu *gpu)
{
  const uint64_t threads = sum_of_role(gpu, SL_COUNTER_THREAD_INSTRUCTIONS);
  const uint64_t cycles = sum_of_role(gpu, SL_COUNTER_CYCLES);
  return SL_JSON({"launches", sl_json_count(sl_gpu_record_count(gpu))}, {"counters", counters_json(gpu, NULL)},
                 {"ipc", json_real(cycles > 0 ? (double)threads / (double)cycles : 0)});
}

static json_t *host_json(const struct sl_grid_report *report)
{
  const double seconds = sl_gpu_seconds(report->gpu);
  return SL_JSON({"seconds", json_real(report->seconds)}, {"kernel_seconds", json_real(seconds)},
                 {"cycles_per_second", json_real(sl_rate(sum_of_role(report->gpu, SL_COUNTER_CYCLES), seconds))});
}

static json_t *sampled_json(const struct sl_gpu *gpu)
{
  json_t *json = sl_sampled_json(sl_gpu_config(gpu)->machine, sl_gpu_sampled(gpu), sum_of_role(gpu, SL_COUNTER_CYCLES));
  if (sl_gpu_launch_sampler(gpu) != NULL)
    sl_json_put(&json, "clusters", sl_launch_clusters_json(gpu));
  return json;
}

json_t *sl_grid_report_json(const struct sl_grid_report *report)
{
  const struct sl_gpu *gpu = report->gpu;
  const struct sl_error *error = report->error;
  json_t *json = json_object(), *program = json_object(), *launches = json_array();
  sl_json_put(&program, "file", sl_json_text(report->file));
  sl_json_put(&program, "module", sl_json_text(report->module));
  for (size_t i = 0; i < sl_gpu_record_count(gpu); i++)
    sl_json_append(&launches, launch_json(gpu, sl_gpu_record(gpu, i)));
  SL_JSON_ADD(&json, {"schema", json_integer(1)}, {"simtlab", json_string(report->version)},
              {"machine", sl_config_json(sl_gpu_config(gpu))}, {"program", program},
              {"mode", json_string(sl_gpu_fast(gpu)              ? "fast"
                                   : sl_gpu_sampled(gpu) != NULL ? "sampled"
                                                                 : "cycle")},
              {"outcome", json_string(sl_outcome(error->code, 0))});
  if (error->code != SL_OK)
    sl_json_put(&json, "message", sl_json_text(error->text));
  SL_JSON_ADD(&json, {"status", error->code <= SL_CHECK_FAILED ? json_integer(error->code) : json_null()},
              {"launches", launches}, {"totals", totals_json(gpu)});
  if (sl_gpu_sampled(gpu) != NULL)
    sl_json_put(&json, "sampled", sampled_json(gpu));
  if (report->energy != NULL)
    sl_json_put(&json, "energy", energy_json(report));
  sl_json_put(&json, "sums", json_deep_copy(report->sums));
  sl_json_put(&json, "host", host_json(report));
  return json;
}

/* A kernel's first block tells how many instructions the module has. */
static bool make_rows(struct sl_grid_rows *rows, const struct sl_ptx_module *module)
{
  if (rows->slots != NULL || rows->lost)
    return !rows->lost;
  rows->slots = calloc((size_t)module->code_count + 1, sizeof *rows->slots);
  rows->count = module->code_count;
  rows->lost = rows->slots == NULL;
  return !rows->lost;
}

static bool hear(void *context, const struct sl_probe *p)
{
  struct sl_grid_rows *rows = context;
  if (p->kind == SL_PROBE_BEGUN)
    return make_rows(rows, p->ptx_block->launch->module);
  if (rows->slots == NULL || p->pc >= rows->count || p->idle == SL_PROBE_NO_BLOCK)
    return true; /* the machine counts no slots of SMs without a block */
  struct sl_grid_slots *slots = &rows->slots[p->idle == SL_PROBE_NO_WARP ? rows->count : p->pc];
  if (p->kind == SL_PROBE_WAITED)
    slots->cause[p->cause] += (uint64_t)p->count;
  else
    slots->thread_instructions += sl_count(p->active);
  return true;
}

struct sl_probes sl_grid_rows_probes(struct sl_grid_rows *rows)
{
  return (struct sl_probes){
      .wanted = SL_PROBE_BEGUN | SL_PROBE_ISSUED | SL_PROBE_WAITED, .tell = hear, .context = rows};
}

static void add(struct sl_grid_row *sum, const struct sl_grid_row *more)
{
  for (unsigned c = 0; c < SL_MAX_STALL_REASONS; c++)
    sum->slots.cause[c] += more->slots.cause[c];
  sum->slots.thread_instructions += more->slots.thread_instructions;
  sum->all += more->all;
}

static struct sl_grid_row row_of(const struct sl_grid_rows *collected, uint32_t pc)
{
  struct sl_grid_row row = {.pc = pc};
  if (collected->slots != NULL)
    row.slots = collected->slots[pc];
  for (unsigned c = 0; c < SL_MAX_STALL_REASONS; c++)
    row.all += row.slots.cause[c];
  return row;
}

static void place(const struct sl_ptx_module *m, const struct sl_ptx_function *function, struct sl_grid_row *row)
{
  const struct sl_ptx_source *source = sl_ptx_source_of(m, row->pc);
  row->function = function->name;
  row->file = source != NULL ? m->files[source->file] : m->path;
  row->line = source != NULL ? source->line : m->code[row->pc].line;
}

static int compare_places(const struct sl_grid_row *a, const struct sl_grid_row *b)
{
  const int order = strcmp(a->file, b->file);
  return order != 0 ? order : (a->line > b->line) - (a->line < b->line);
}

static int by_place(const void *a, const void *b)
{
  const struct sl_grid_row *x = a, *y = b;
  const int order = compare_places(x, y);
  if (order != 0)
    return order;
  return x->all != y->all ? (x->all < y->all) - (x->all > y->all) : (x->pc > y->pc) - (x->pc < y->pc);
}

static int by_slots(const void *a, const void *b)
{
  const struct sl_grid_line *x = a, *y = b;
  if (x->sum.all != y->sum.all)
    return (x->sum.all < y->sum.all) - (x->sum.all > y->sum.all);
  return compare_places(&x->sum, &y->sum);
}

static void find_rows(struct sl_grid_profile *p)
{
  const struct sl_ptx_module *m = p->module;
  for (unsigned f = 0; f < m->function_count; f++)
    for (uint32_t pc = m->functions[f].begin; m->functions[f].defined && pc < m->functions[f].end; pc++) {
      struct sl_grid_row row = row_of(p->collected, pc);
      place(m, &m->functions[f], &row);
      add(&p->total, &row);
      if (row.all > 0)
        p->rows[p->row_count++] = row;
    }
  p->nowhere = row_of(p->collected, m->code_count);
  add(&p->total, &p->nowhere);
  qsort(p->rows, p->row_count, sizeof *p->rows, by_place);
}

static void find_lines(struct sl_grid_profile *p)
{
  for (size_t i = 0; i < p->row_count; i++) {
    struct sl_grid_line *last = p->line_count > 0 ? &p->lines[p->line_count - 1] : NULL;
    if (last == NULL || compare_places(&last->sum, &p->rows[i]) != 0) {
      last = &p->lines[p->line_count++];
      *last = (struct sl_grid_line){.sum = p->rows[i], .row = &p->rows[i], .count = 1};
    } else {
      add(&last->sum, &p->rows[i]);
      last->count++;
    }
  }
  qsort(p->lines, p->line_count, sizeof *p->lines, by_slots);
}

enum sl_status sl_grid_profile_create(struct sl_grid_profile *p, const struct sl_grid_report *run,
                                      const struct sl_grid_rows *rows, struct sl_error *err)
{
  *p = (struct sl_grid_profile){.run = run, .collected = rows};
  const struct sl_config *config = sl_gpu_config(run->gpu);
  struct sl_ptx_options options = {0}; /* the code that the machine ran */
  if (config->machine->ptx != NULL)
    config->machine->ptx->parse(config->spec, &options);
  enum sl_status code = sl_ptx_load(&p->module, run->module, &options, err);
  if (code == SL_OK)
    code = sl_source_read(&p->text, run->module, err);
  if (code != SL_OK)
    return code;
  if (rows->lost)
    return sl_no_memory(err, p->module->code_count * sizeof *rows->slots);
  if (rows->slots != NULL && rows->count != p->module->code_count)
    return sl_fail(err, SL_USAGE, "%s has changed since it was run; profile it again", run->module);
  p->rows = calloc(p->module->code_count + 1, sizeof *p->rows);
  p->lines = calloc(p->module->code_count + 1, sizeof *p->lines);
  if (p->rows == NULL || p->lines == NULL)
    return sl_no_memory(err, p->module->code_count * sizeof *p->rows);
  find_rows(p);
  find_lines(p);
  return SL_OK;
}

void sl_grid_profile_free(struct sl_grid_profile *p)
{
  free(p->rows);
  free(p->lines);
  sl_source_free(&p->text);
  if (p->module != NULL)
    sl_ptx_free(p->module);
}

enum sl_status sl_grid_profile_check(const struct sl_grid_profile *p, struct sl_error *err)
{
  const struct sl_counters *counters = sl_gpu_config(p->run->gpu)->machine->counters;
  unsigned cause = 0;
  for (size_t i = 0; i < counters->count; i++) {
    if (counters->counter[i].role != SL_COUNTER_STALL_REASON)
      continue;
    const uint64_t counted = sl_gpu_total(p->run->gpu, i);
    if (counted != p->total.slots.cause[cause])
      return sl_fail(err, SL_INTERNAL,
                     "the instructions have %" PRIu64 " slots of stall reason %s, but the machine counts %" PRIu64
                     "; please report this with the launch script",
                     p->total.slots.cause[cause], counters->counter[i].cause, counted);
    cause++;
  }
  return SL_OK;
}

const char *sl_grid_row_text(const struct sl_grid_profile *p, uint32_t pc, char text[SL_GRID_TEXT])
{
  const struct sl_ptx_insn *in = &p->module->code[pc];
  const char *line = sl_source_line(&p->text, in->line);
  const char *start = line != NULL && strlen(line) >= in->column ? line + in->column - 1 : "";
  size_t n = 0;
  if (strchr("};", *start) != NULL)
    start = "ret"; /* the implicit ret at a function's end */
  for (; *start != '\0' && *start != ';' && n < SL_GRID_TEXT - 1; start++)
    text[n++] = (unsigned char)*start < 0x20 ? ' ' : *start;
  text[n] = '\0';
  return text;
}

static void put_slots(json_t **json, const struct sl_grid_profile *p, const struct sl_grid_row *row)
{
  const struct sl_stall_reasons *causes = sl_gpu_config(p->run->gpu)->machine->causes;
  json_t *slots = json_object();
  for (size_t i = 0; i < causes->count; i++)
    sl_json_put(&slots, causes->cause[i].name, sl_json_count(row->slots.cause[i]));
  sl_json_put(json, "thread_instrs", sl_json_count(row->slots.thread_instructions));
  sl_json_put(json, "slots", slots);
}

static void put_place(json_t **json, const struct sl_grid_row *row)
{
  SL_JSON_ADD(json, {"function", sl_json_text(row->function)}, {"file", sl_json_text(row->file)},
              {"line", sl_json_count(row->line)});
}

static json_t *lines_json(const struct sl_grid_profile *p)
{
  json_t *lines = json_array();
  for (size_t i = 0; i < p->line_count; i++) {
    json_t *line = json_object(), *pcs = json_array();
    for (size_t k = 0; k < p->lines[i].count; k++)
      sl_json_append(&pcs, sl_json_count(p->lines[i].row[k].pc));
    put_place(&line, &p->lines[i].sum);
    sl_json_put(&line, "instructions", pcs);
    put_slots(&line, p, &p->lines[i].sum);
    sl_json_append(&lines, line);
  }
  return lines;
}

static json_t *instructions_json(const struct sl_grid_profile *p)
{
  json_t *instructions = json_array();
  for (size_t i = 0; i < p->row_count; i++) {
    char text[SL_GRID_TEXT];
    json_t *json = json_object();
    sl_json_put(&json, "pc", sl_json_count(p->rows[i].pc));
    put_place(&json, &p->rows[i]);
    sl_json_put(&json, "ptx_line", sl_json_count(p->module->code[p->rows[i].pc].line));
    sl_json_put(&json, "disassembly", sl_json_text(sl_grid_row_text(p, p->rows[i].pc, text)));
    put_slots(&json, p, &p->rows[i]);
    sl_json_append(&instructions, json);
  }
  return instructions;
}

json_t *sl_grid_profile_json(const struct sl_grid_profile *p)
{
  json_t *json = sl_grid_report_json(p->run), *nowhere = json_object(), *total = json_object();
  put_slots(&nowhere, p, &p->nowhere);
  put_slots(&total, p, &p->total);
  SL_JSON_ADD(&json, {"total", total}, {"no_instruction", nowhere}, {"lines", lines_json(p)},
              {"instructions", instructions_json(p)});
  return json;
}

static void print_causes(const struct sl_grid_profile *p, FILE *file)
{
  const struct sl_stall_reasons *causes = sl_gpu_config(p->run->gpu)->machine->causes;
  char slots[32];
  struct sl_list_line list;
  sl_list_begin(&list, file, 2, "where %s issue slots went:", sl_grouped(p->total.all, slots));
  for (size_t i = 0; i < causes->count; i++)
    if (p->total.slots.cause[i] > 0)
      sl_list_item(&list, "%s %.1f %%", causes->cause[i].name, sl_percent(p->total.slots.cause[i], p->total.all));
  if (p->total.all == 0)
    sl_list_item(&list, "none");
  sl_list_end(&list);
}

/* Prints the largest stall reason other than "issued". */
static void print_figures(const struct sl_grid_profile *p, const struct sl_grid_row *row, FILE *file)
{
  const struct sl_stall_reasons *causes = sl_gpu_config(p->run->gpu)->machine->causes;
  const uint64_t issued = row->slots.cause[SL_STALL_REASON_ISSUED];
  size_t most = 0;
  char issues[32], cause[40] = "";
  for (size_t i = 1; i < causes->count; i++)
    if (row->slots.cause[i] > (most > 0 ? row->slots.cause[most] : 0))
      most = i;
  if (most > 0)
    snprintf(cause, sizeof cause, "%s %.0f %%", causes->cause[most].name, sl_percent(row->slots.cause[most], row->all));
  sl_print(file, "%5.1f %12s %5.1f  %-20s", sl_percent(row->all, p->total.all), sl_grouped(issued, issues),
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
  grid_launches_print(run->gpu, file);
  print_causes(p, file);
  if (p->line_count > 0)
    sl_print(file, "\n%5s %12s %5s  %-20s\n%5s %12s %5s  %-20s  instruction\n", "% of", "", "lanes", "most of the",
             "slots", "issued", "of 32", "others");
  for (; n < p->line_count && n < lines && code == SL_OK; n++) {
    code = print_line(p, &p->lines[n], instructions, file, err);
    shown += p->lines[n].sum.all;
  }
  fprintf(file, "\n%zu of %zu source lines, with %.1f %% of the slots; %.1f %% are of no instruction\n", n,
          p->line_count, sl_percent(shown, p->total.all), sl_percent(p->nowhere.all, p->total.all));
  return code;
}

static size_t cycles_of(const struct sl_gpu *gpu)
{
  const struct sl_counters *counters = sl_gpu_config(gpu)->machine->counters;
  size_t i = 0;
  while (counters->counter[i].role != SL_COUNTER_CYCLES)
    i++;
  return i;
}

static json_t *cluster_json(const struct sl_launch_cluster *c, struct sl_launch_sum cycles)
{
  json_t *block = json_array(), *blocks = json_array();
  for (unsigned i = 0; i < 3; i++)
    sl_json_append(&block, sl_json_count(c->block[i] > 0 ? c->block[i] : 1));
  sl_json_append(&blocks, sl_json_count(c->least_blocks));
  sl_json_append(&blocks, sl_json_count(c->most_blocks));
  return SL_JSON({"kernel", sl_json_text(c->kernel)}, {"block", block}, {"shared", sl_json_count(c->shared)},
                 {"blocks", blocks}, {"launches", sl_json_count(c->launches)}, {"timed", sl_json_count(c->timed)},
                 {"warp_instrs", sl_json_count(c->warp_instructions)}, {"cycles", json_real(cycles.value)},
                 {"interval", isfinite(cycles.bar) ? json_real(cycles.bar) : json_null()});
}

json_t *sl_launch_clusters_json(const struct sl_gpu *gpu)
{
  const struct sl_launch_sampler *sampler = sl_gpu_launch_sampler(gpu);
  const size_t cycles = cycles_of(gpu);
  json_t *json = json_array();
  for (size_t i = 0; i < sl_launch_sampler_clusters(sampler); i++) {
    const struct sl_launch_cluster c = sl_launch_sampler_cluster(sampler, i);
    if (c.timed > 0)
      sl_json_append(&json, cluster_json(&c, sl_launch_sampler_of_cluster(sampler, i, cycles)));
  }
  return json;
}
