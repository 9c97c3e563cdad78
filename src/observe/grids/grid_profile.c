#include "observe/grids/grid_profile.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "machine/sm7/sm7.h"
#include "ptx/run/ptx_block.h"
#include "ptx/text/ptx_module.h"

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
  for (unsigned c = 0; c < SL_SM7_STALL_REASONS; c++)
    sum->slots.cause[c] += more->slots.cause[c];
  sum->slots.thread_instructions += more->slots.thread_instructions;
  sum->all += more->all;
}

static struct sl_grid_row row_of(const struct sl_grid_rows *collected, uint32_t pc)
{
  struct sl_grid_row row = {.pc = pc};
  if (collected->slots != NULL)
    row.slots = collected->slots[pc];
  for (unsigned c = 0; c < SL_SM7_STALL_REASONS; c++)
    row.all += row.slots.cause[c];
  return row;
}

static void place(const struct sl_ptx_module *m, const struct sl_ptx_function *function, struct sl_grid_row *row)
{
  const struct sl_ptx_insn *in = &m->code[row->pc];
  const struct sl_ptx_source *source = in->source > 0 ? &m->sources[in->source - 1] : NULL;
  const bool known = source != NULL && source->file < m->file_count && m->files[source->file][0] != '\0';
  row->function = function->name;
  row->file = known ? m->files[source->file] : m->path;
  row->line = known ? source->line : in->line;
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
  enum sl_status code = sl_ptx_load(&p->module, run->module, NULL, err);
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
