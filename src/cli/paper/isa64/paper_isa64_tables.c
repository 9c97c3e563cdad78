/* The evaluation's numbers as CSV, and its summary as text. */
#include <inttypes.h>
#include <string.h>

#include "cli/paper/isa64/paper_isa64_figures.h"
#include "observe/table.h"

void sl_isa64_put_paper(FILE *file, const void *context)
{
  fputs(
      "measure,place,stock,unaware,first-fit,cost,\"paper: baseline\",\"paper: bank-unaware\",\"paper: bank-aware\"\n",
      file);
  for (const struct sl_isa64_measure *m = sl_isa64_measures; m < sl_isa64_measures + SL_ISA64_MEASURES; m++) {
    const struct sl_isa64_runs *runs = context;
    if (!runs->chosen[m->part])
      continue;
    fprintf(file, "\"%s\",\"%s\"", m->what, m->where);
    for (enum sl_isa64_compiler c = 0; c < SL_ISA64_COMPILERS; c++)
      fprintf(file, ",%.0f", sl_isa64_measured(runs, m, c));
    fprintf(file, ",%.0f,%.0f,%.0f\n", m->published[0], m->published[1], m->published[2]);
  }
}

static void put_counters(FILE *file, const struct sl_isa64_runs *runs, const struct sl_isa64_run *run)
{
  static const char *const counters[] = {"thread_instrs", "register_reads", "bank_conflicts", "stack_reads",
                                         "stack_writes"};
  fprintf(file, ",%u,%u", runs->programs[run->program].instructions, runs->programs[run->program].conflicts);
  for (size_t i = 0; i < sizeof counters / sizeof counters[0]; i++)
    fprintf(file, ",%" PRIu64, sl_isa64_counter(runs, run, counters[i]));
  fputc('\n', file);
}

#define COUNTER_TITLES                                                                                                 \
  "\"instructions in the code\",\"conflicts in the code\",\"lane instructions\",\"register reads\",\"bank "            \
  "conflicts\",\"stack loads\",\"stack stores\"\n"

void sl_isa64_put_tiles(FILE *file, const void *context)
{
  const struct sl_isa64_runs *runs = context;
  fputs("tile,elements,compiler," COUNTER_TITLES, file);
  for (const struct sl_isa64_run *run = runs->runs; run < runs->runs + runs->count; run++)
    if (run->part == SL_ISA64_TILES) {
      const struct sl_isa64_program *program = &runs->programs[run->program];
      fprintf(file, "%u,%s,%s", program->tile, program->floats ? "floats" : "words",
              sl_isa64_compilers[program->compiler]);
      put_counters(file, runs, run);
    }
}

void sl_isa64_put_calls(FILE *file, const void *context)
{
  const struct sl_isa64_runs *runs = context;
  fputs("kernel,compiler,saved," COUNTER_TITLES, file);
  for (const struct sl_isa64_run *run = runs->runs; run < runs->runs + runs->count; run++)
    if (run->part == SL_ISA64_CALLS) {
      const struct sl_isa64_program *program = &runs->programs[run->program];
      fprintf(file, "%.*s,%s,%s", (int)strcspn(run->name, "-"), run->name, sl_isa64_compilers[program->compiler],
              program->saved != NULL ? program->saved : "RISC-V");
      put_counters(file, runs, run);
    }
}

void sl_isa64_put_kernels(FILE *file, const void *context)
{
  static const char *const counters[] = {"cycles",       "warp_instrs",   "thread_instrs",  "operands.conflicts",
                                         "icache.reads", "icache.misses", "dcache.reads",   "dcache.writes",
                                         "dram.reads",   "dram.writes",   "cycles.operands"};
  const struct sl_isa64_runs *runs = context;
  fputs("kernel,run,machine,registers,banks", file);
  for (size_t i = 0; i < sizeof counters / sizeof counters[0]; i++)
    fprintf(file, ",%s", counters[i]);
  fputc('\n', file);
  for (const struct sl_isa64_run *run = runs->runs; run < runs->runs + runs->count; run++) {
    if (run->part < SL_ISA64_KERNELS)
      continue;
    const bool rv32 = run->program == SL_ISA64_RV32_PROGRAM;
    const size_t at = run->machine - (rv32 ? SL_ISA64_RV32 : SL_ISA64_WIDE);
    fprintf(file, "%s,%s,%s", sl_isa64_parts[run->part], run->name, rv32 ? "vortex" : "vortex64");
    fprintf(file, ",%u,%u", rv32 ? 64 : runs->ranges.registers.value[at / SL_ISA64_STEPS],
            runs->ranges.banks.value[at % SL_ISA64_STEPS]);
    for (size_t i = 0; i < sizeof counters / sizeof counters[0]; i++)
      fprintf(file, ",%" PRIu64, sl_isa64_counter(runs, run, counters[i]));
    fputc('\n', file);
  }
}

/* ---- summary ----------------------------------------------------------------------------------------------------- */

static void add_count(struct sl_table *table, double value)
{
  char text[32];
  sl_table_cell(table, "%s", sl_grouped((uint64_t)value, text));
}

static void add_measures(struct sl_table *table, const struct sl_isa64_runs *runs)
{
  for (const struct sl_isa64_measure *m = sl_isa64_measures; m < sl_isa64_measures + SL_ISA64_MEASURES; m++) {
    if (!runs->chosen[m->part])
      continue;
    sl_table_cell(table, "%s", m->what);
    for (enum sl_isa64_compiler c = 0; c < SL_ISA64_COMPILERS; c++)
      add_count(table, sl_isa64_measured(runs, m, c));
    sl_table_cell(table, "  %s", m->counter != NULL && m->where[0] == 'n' ? "theirs, run again" : "paper");
    for (size_t p = 0; p < SL_ISA64_PUBLISHED; p++)
      add_count(table, m->published[p]);
    sl_table_cell(table, "-");
  }
}

static void add_tiles(struct sl_table *table, const struct sl_isa64_runs *runs)
{
  static const char *const elements[] = {"words", "floats"};
  for (size_t t = 0; runs->chosen[SL_ISA64_TILES] && t < runs->ranges.tiles.count; t++)
    for (size_t e = 0; e < 2; e++)
      for (unsigned kind = 0; kind < 2; kind++) {
        const unsigned tile = runs->ranges.tiles.value[t];
        sl_table_cell(table, "%ux%u %s, %s", tile, tile, elements[e], kind == 0 ? "stack" : "conflicts");
        for (enum sl_isa64_compiler c = 0; c < SL_ISA64_COMPILERS; c++) {
          const struct sl_isa64_run *run = sl_isa64_find(runs, "%s%u-%s", elements[e], tile, sl_isa64_compilers[c]);
          add_count(table,
                    (double)(kind == 0 ? sl_isa64_stack(runs, run) : sl_isa64_counter(runs, run, "bank_conflicts")));
        }
      }
}

static void add_calls(struct sl_table *table, const struct sl_isa64_runs *runs)
{
  static const char *const kernels[] = {"blocks", "steps"};
  for (size_t k = 0; runs->chosen[SL_ISA64_CALLS] && k < 2; k++)
    for (size_t s = 0; s < runs->ranges.saved.count; s++) {
      const unsigned saved = runs->ranges.saved.value[s];
      sl_table_cell(table, "%s, stack, %u saved", kernels[k], saved);
      add_count(table, (double)sl_isa64_stack(runs, sl_isa64_find(runs, "%s-stock", kernels[k])));
      for (enum sl_isa64_compiler c = SL_ISA64_UNAWARE; c < SL_ISA64_COMPILERS; c++)
        add_count(table, (double)sl_isa64_stack(
                             runs, sl_isa64_find(runs, "%s-%s-s%u", kernels[k], sl_isa64_compilers[c], saved)));
    }
}

static void add_kernels(struct sl_table *table, const struct sl_isa64_runs *runs)
{
  for (enum sl_isa64_part p = SL_ISA64_KERNELS; p < SL_ISA64_PARTS; p++)
    if (runs->chosen[p]) {
      sl_table_cell(table, "%s, %% of RV32's cycles", sl_isa64_parts[p]);
      for (enum sl_isa64_compiler c = 0; c < SL_ISA64_COMPILERS; c++)
        sl_table_cell(table, "%.1f", sl_isa64_time(runs, p, c, SL_ISA64_USUAL_REGISTERS, SL_ISA64_USUAL_BANKS));
    }
}

void sl_isa64_print(const struct sl_isa64_runs *runs)
{
  static const char *const titles[] = {"", ">stock", ">unaware", ">first-fit", ">cost", NULL};
  struct sl_table table;
  sl_table_init(&table, titles);
  add_measures(&table, runs);
  add_tiles(&table, runs);
  add_calls(&table, runs);
  add_kernels(&table, runs);
  sl_table_print(&table, stdout); /* main reports a failed write to standard output */
  sl_table_free(&table);
}
