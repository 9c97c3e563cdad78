#include "cli/paper/isa64/paper_isa64_figures.h"

#include <string.h>

SL_HOLDS(SL_CHART_SERIES, SL_ISA64_COMPILERS, "a bar of each compiler");
SL_HOLDS(SL_CHART_GROUPS, SL_ISA64_STEPS, "steps of a range");
SL_HOLDS(SL_CHART_GROUPS, SL_ISA64_PARTS, "kernels");

const struct sl_isa64_measure sl_isa64_measures[SL_ISA64_MEASURES] = {
    {"vecadd, conflicts in the code",
     "Table 1",
     SL_ISA64_VECADD,
     NULL,
     {1, 0, 0},
     "As published. The authors' public programs have 0, 0 and 1. One address that all of the unrolled accesses "
     "begin from decides."},
    {"gemm, conflicts in the code",
     "Table 1",
     SL_ISA64_GEMM,
     NULL,
     {12, 18, 4},
     "Without regard for banks the number depends on the allocation order, which is arbitrary, and the source "
     "follows the paper's text because the authors' is not public. The comparison is how few conflicts remain when the "
     "allocator knows the banks."},
    {"gemm, lane instructions",
     "not printed",
     SL_ISA64_GEMM,
     "thread_instrs",
     {749448, 744568, 744728},
     "The published columns come from the authors' programs, simulated again; the paper prints only the rows that "
     "follow. Their inner loop has 1.6 instructions "
     "more per iteration than the one that Clang 19 makes of our source."},
    {"gemm, bank conflicts",
     "Figure 2",
     SL_ISA64_GEMM,
     "bank_conflicts",
     {181600, 133632, 1040},
     "The first two again depend on an arbitrary order and are close by chance. The third is the paper's rule in an "
     "allocator of our own. With `cost` no conflicts remain."},
    {"gemm, register reads",
     "Figure 3",
     SL_ISA64_GEMM,
     "register_reads",
     {1304532, 1297808, 1298036},
     "As lane instructions."},
    {"gemm, loads of the stack",
     "Figure 4",
     SL_ISA64_GEMM,
     "stack_reads",
     {3276, 0, 60},
     "Stock code of Debian's LLVM 19 spills less in our source than the authors' compiler in theirs. With 128 "
     "registers our temporaries suffice in first-fit; theirs used saved registers, which must be loaded "
     "again."},
    {"gemm, stores of the stack", "Figure 4", SL_ISA64_GEMM, "stack_writes", {1844, 4, 68}, "As loads."},
};

double sl_isa64_measured(const struct sl_isa64_runs *runs, const struct sl_isa64_measure *measure,
                         enum sl_isa64_compiler compiler)
{
  const struct sl_isa64_run *run =
      sl_isa64_find(runs, "%s-%s", sl_isa64_parts[measure->part], sl_isa64_compilers[compiler]);
  if (run == NULL)
    return 0;
  return measure->counter != NULL ? (double)sl_isa64_counter(runs, run, measure->counter)
                                  : (double)runs->programs[run->program].conflicts;
}

uint64_t sl_isa64_stack(const struct sl_isa64_runs *runs, const struct sl_isa64_run *run)
{
  return sl_isa64_counter(runs, run, "stack_reads") + sl_isa64_counter(runs, run, "stack_writes");
}

const struct sl_isa64_run *sl_isa64_kernel(const struct sl_isa64_runs *runs, enum sl_isa64_part part,
                                           enum sl_isa64_compiler compiler, unsigned registers, unsigned banks)
{
  return compiler == SL_ISA64_STOCK ? sl_isa64_find(runs, "%s-stock-b%u", sl_isa64_parts[part], banks)
                                    : sl_isa64_find(runs, "%s-%s-r%u-b%u", sl_isa64_parts[part],
                                                    sl_isa64_compilers[compiler], registers, banks);
}

double sl_isa64_time(const struct sl_isa64_runs *runs, enum sl_isa64_part part, enum sl_isa64_compiler compiler,
                     unsigned registers, unsigned banks)
{
  const struct sl_isa64_run *run = sl_isa64_kernel(runs, part, compiler, registers, banks),
                            *base = sl_isa64_find(runs, "%s-rv32-b%d", sl_isa64_parts[part], SL_ISA64_USUAL_BANKS);
  const double cycles = (double)sl_isa64_counter(runs, base, "cycles");
  return cycles > 0 ? 100 * (double)sl_isa64_counter(runs, run, "cycles") / cycles : 0;
}

double sl_isa64_mean_time(const struct sl_isa64_runs *runs, enum sl_isa64_compiler compiler, unsigned registers,
                          unsigned banks)
{
  double sum = 0;
  unsigned count = 0;
  for (enum sl_isa64_part p = SL_ISA64_KERNELS; p < SL_ISA64_PARTS; p++)
    if (runs->chosen[p]) {
      sum += sl_isa64_time(runs, p, compiler, registers, banks);
      count++;
    }
  return count > 0 ? sum / count : 0;
}

bool sl_isa64_has_kernels(const struct sl_isa64_runs *runs)
{
  bool has = false;
  for (enum sl_isa64_part p = SL_ISA64_KERNELS; p < SL_ISA64_PARTS; p++)
    has |= runs->chosen[p];
  return has;
}

/* ---- charts ------------------------------------------------------------------------------------------------------ */

static struct sl_chart *add_chart(struct sl_isa64_charts *charts, enum sl_isa64_part part, struct sl_chart chart)
{
  charts->part[charts->count] = part;
  charts->chart[charts->count] = chart;
  return &charts->chart[charts->count++];
}

/* A series for each compiler. */
static void add_compilers(struct sl_chart *chart)
{
  chart->series_count = SL_ISA64_COMPILERS;
  for (unsigned c = 0; c < SL_ISA64_COMPILERS; c++) {
    chart->series[c].name = sl_isa64_compilers[c];
    chart->series[c].colour = 1 + c;
  }
}

static void draw_figure(const struct sl_isa64_runs *runs, struct sl_isa64_charts *charts, struct sl_chart described,
                        const struct sl_isa64_measure *measures, size_t count)
{
  static const char *const names[] = {"loads", "stores"};
  struct sl_chart *chart = add_chart(charts, SL_ISA64_GEMM, described);
  chart->group_title = "compiler";
  chart->group_count = SL_ISA64_COMPILERS;
  chart->series_count = count;
  for (size_t m = 0; m < count; m++) {
    chart->series[m].name = count > 1 ? names[m] : "gemm";
    for (enum sl_isa64_compiler c = 0; c < SL_ISA64_COMPILERS; c++) {
      chart->groups[c] = sl_isa64_compilers[c];
      chart->series[m].value[c] = sl_isa64_measured(runs, &measures[m], c) / 1000;
      if ((unsigned)c < SL_ISA64_PUBLISHED)
        chart->series[m].published[c] = (struct sl_chart_published){measures[m].published[c] / 1000, true};
    }
  }
}

static void draw_paper(const struct sl_isa64_runs *runs, struct sl_isa64_charts *charts)
{
  draw_figure(runs, charts,
              (struct sl_chart){.id = "figure2", .title = "Bank conflicts of gemm", .unit = "thousand conflicts"},
              &sl_isa64_measures[3], 1);
  draw_figure(runs, charts,
              (struct sl_chart){.id = "figure3", .title = "Register reads of gemm", .unit = "thousand registers"},
              &sl_isa64_measures[4], 1);
  draw_figure(runs, charts,
              (struct sl_chart){.id = "figure4", .title = "Stack accesses of gemm", .unit = "thousand accesses"},
              &sl_isa64_measures[5], 2);
}

/* gemm by tile: stack accesses, conflicts and lane instructions per multiplication. */
static double by_products(const struct sl_isa64_runs *runs, const struct sl_isa64_run *run, unsigned kind,
                          unsigned tile)
{
  const double size = tile * SL_ISA64_TILES_ACROSS, products = size * size * SL_ISA64_DEPTH;
  const uint64_t value = kind == 0   ? sl_isa64_stack(runs, run)
                         : kind == 1 ? sl_isa64_counter(runs, run, "bank_conflicts")
                                     : sl_isa64_counter(runs, run, "thread_instrs");
  return (double)value / products;
}

static void draw_tiles(const struct sl_isa64_runs *runs, struct sl_isa64_charts *charts)
{
  static const char *const ids[2][3] = {{"tiles-words-stack", "tiles-words-conflicts", "tiles-words-instructions"},
                                        {"tiles-floats-stack", "tiles-floats-conflicts", "tiles-floats-instructions"}};
  static const char *const titles[] = {"Stack accesses by tile", "Bank conflicts by tile", "Instructions by tile"};
  static const char *const units[] = {"accesses per product", "conflicts per product", "instructions per product"};
  const struct sl_isa64_range *tiles = &runs->ranges.tiles;
  for (unsigned floats = 0; floats < 2; floats++)
    for (unsigned kind = 0; kind < 3; kind++) {
      struct sl_chart *chart = add_chart(charts, SL_ISA64_TILES,
                                         (struct sl_chart){.id = ids[floats][kind],
                                                           .title = titles[kind],
                                                           .unit = units[kind],
                                                           .group_title = "tile",
                                                           .group_count = tiles->count});
      add_compilers(chart);
      for (size_t t = 0; t < tiles->count; t++) {
        const unsigned tile = tiles->value[t];
        snprintf(charts->names[0][t], sizeof charts->names[0][t], "%u x %u", tile, tile);
        chart->groups[t] = charts->names[0][t];
        for (enum sl_isa64_compiler c = 0; c < SL_ISA64_COMPILERS; c++)
          chart->series[c].value[t] = by_products(
              runs, sl_isa64_find(runs, "%s%u-%s", floats != 0 ? "floats" : "words", tile, sl_isa64_compilers[c]), kind,
              tile);
      }
    }
}

static void draw_calls(const struct sl_isa64_runs *runs, struct sl_isa64_charts *charts)
{
  static const char *const kernels[] = {"blocks", "steps"}, *const ids[] = {"calls-instructions", "calls-stack"},
                           *const titles[] = {"Instructions by number of saved registers",
                                              "Stack accesses by number of saved registers"},
                           *const units[] = {"% of those with 48 saved", "% of instructions with 48 saved"};
  const struct sl_isa64_range *saved = &runs->ranges.saved;
  for (unsigned kind = 0; kind < 2; kind++) {
    struct sl_chart *chart = add_chart(charts, SL_ISA64_CALLS,
                                       (struct sl_chart){.id = ids[kind],
                                                         .title = titles[kind],
                                                         .unit = units[kind],
                                                         .group_title = "saved registers",
                                                         .group_count = saved->count,
                                                         .series_count = 2});
    for (size_t k = 0; k < 2; k++) {
      const struct sl_isa64_run *usual = sl_isa64_find(runs, "%s-cost-s%d", kernels[k], SL_ISA64_USUAL_SAVED);
      const double base = (double)sl_isa64_counter(runs, usual, "thread_instrs");
      chart->series[k].name = kernels[k];
      for (size_t s = 0; s < saved->count; s++) {
        const struct sl_isa64_run *run = sl_isa64_find(runs, "%s-cost-s%u", kernels[k], saved->value[s]);
        const uint64_t value = kind == 0 ? sl_isa64_counter(runs, run, "thread_instrs") : sl_isa64_stack(runs, run);
        snprintf(charts->names[1][s], sizeof charts->names[1][s], "%u", saved->value[s]);
        chart->groups[s] = charts->names[1][s];
        chart->series[k].value[s] = base > 0 ? 100 * (double)value / base : 0;
      }
    }
  }
}

/* Time, and conflict cycles per instruction, of each kernel with the usual register file. */
static void draw_kernels(const struct sl_isa64_runs *runs, struct sl_isa64_charts *charts)
{
  static const char *const ids[] = {"kernels-time", "kernels-conflicts"},
                           *const titles[] = {"Cycles with 128 registers in 4 banks",
                                              "Conflicts with 128 registers in 4 banks"},
                           *const units[] = {"% of RV32's", "cycles per 100 instructions"};
  for (unsigned kind = 0; kind < 2; kind++) {
    struct sl_chart *chart = add_chart(
        charts, SL_ISA64_KERNELS,
        (struct sl_chart){.id = ids[kind], .title = titles[kind], .unit = units[kind], .group_title = "benchmark"});
    add_compilers(chart);
    for (enum sl_isa64_part p = SL_ISA64_KERNELS; p < SL_ISA64_PARTS; p++) {
      if (!runs->chosen[p])
        continue;
      for (enum sl_isa64_compiler c = 0; c < SL_ISA64_COMPILERS; c++) {
        const struct sl_isa64_run *run = sl_isa64_kernel(runs, p, c, SL_ISA64_USUAL_REGISTERS, SL_ISA64_USUAL_BANKS);
        chart->series[c].value[chart->group_count] =
            kind == 0 ? sl_isa64_time(runs, p, c, SL_ISA64_USUAL_REGISTERS, SL_ISA64_USUAL_BANKS)
                      : 100 * (double)sl_isa64_counter(runs, run, "operands.conflicts") /
                            (double)sl_isa64_counter(runs, run, "warp_instrs");
      }
      chart->groups[chart->group_count++] = sl_isa64_parts[p];
    }
  }
}

/* Mean time by number of registers, then by number of banks. */
static void draw_shapes(const struct sl_isa64_runs *runs, struct sl_isa64_charts *charts)
{
  static const char *const registers_words[] = {"32", "64", "128", "256"}, *const banks_words[] = {"1", "2", "4", "8"};
  static const char *const small_registers[] = {"32", "128"}, *const small_banks[] = {"1", "4"};
  for (unsigned kind = 0; kind < 2; kind++) {
    const struct sl_isa64_range *range = kind == 0 ? &runs->ranges.registers : &runs->ranges.banks;
    const char *const *words =
        kind == 0 ? (runs->small ? small_registers : registers_words) : (runs->small ? small_banks : banks_words);
    struct sl_chart *chart =
        add_chart(charts, SL_ISA64_KERNELS,
                  (struct sl_chart){.id = kind == 0 ? "kernels-registers" : "kernels-banks",
                                    .title = kind == 0 ? "Mean cycles by registers" : "Mean cycles by banks",
                                    .unit = "% of RV32's",
                                    .group_title = kind == 0 ? "registers" : "banks",
                                    .group_count = range->count});
    add_compilers(chart);
    for (size_t g = 0; g < range->count; g++) {
      chart->groups[g] = words[g];
      for (enum sl_isa64_compiler c = 0; c < SL_ISA64_COMPILERS; c++)
        chart->series[c].value[g] = sl_isa64_mean_time(runs, c, kind == 0 ? range->value[g] : SL_ISA64_USUAL_REGISTERS,
                                                       kind == 0 ? SL_ISA64_USUAL_BANKS : range->value[g]);
    }
  }
}

void sl_isa64_draw(const struct sl_isa64_runs *runs, struct sl_isa64_charts *charts)
{
  if (runs->chosen[SL_ISA64_GEMM])
    draw_paper(runs, charts);
  if (runs->chosen[SL_ISA64_TILES])
    draw_tiles(runs, charts);
  if (runs->chosen[SL_ISA64_CALLS])
    draw_calls(runs, charts);
  if (sl_isa64_has_kernels(runs)) {
    draw_kernels(runs, charts);
    draw_shapes(runs, charts);
  }
}
