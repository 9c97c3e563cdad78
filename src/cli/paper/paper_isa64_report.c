/* Published numbers, charts, tables and page of the reproduction. */
#include <string.h>

#include "cli/paper/paper_isa64.h"
#include "observe/html.h"

/* ---- published numbers ------------------------------------------------------------------------------------------- */

/* The paper's compilers (baseline, bank-unaware, bank-aware), and the corresponding ones of simtlab: stock, unaware,
 * first-fit. */
enum { PUBLISHED = 3 };

static const struct measure {
  const char *what, *where;
  enum sl_isa64_part part;
  const char *counter; /* NULL: static conflicts of the program */
  double published[PUBLISHED];
  const char *remark; /* why simtlab's numbers differ */
} measures[] = {
    {"vecadd, conflicts in the code",
     "Table 1",
     SL_ISA64_VECADD,
     NULL,
     {1, 0, 0},
     "As published. The authors' public programs have 0, 0 and 1. One address that all of the unrolled accesses begin "
     "from decides."},
    {"gemm, conflicts in the code",
     "Table 1",
     SL_ISA64_GEMM,
     NULL,
     {12, 18, 4},
     "Without regard for banks the number depends on the allocation order, which is arbitrary, and the source follows "
     "the paper's text because the authors' is not public. The comparison is how few conflicts remain when the "
     "allocator knows the banks."},
    {"gemm, lane instructions",
     "not printed",
     SL_ISA64_GEMM,
     "thread_instrs",
     {749448, 744568, 744728},
     "The published columns come from the authors' programs, simulated again; the paper prints only the rows that "
     "follow. Their inner loop has 1.6 instructions more per iteration than the one that Clang 19 makes of our "
     "source."},
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
     "registers our temporaries suffice in first-fit; theirs used saved registers, which must be loaded again."},
    {"gemm, stores of the stack", "Figure 4", SL_ISA64_GEMM, "stack_writes", {1844, 4, 68}, "As loads."},
};

enum { MEASURES = sizeof measures / sizeof measures[0], CONFLICTS = 3, READS, LOADS };

/* ---- values ------------------------------------------------------------------------------------------------------ */

static const struct sl_paper_run *find_tile(const struct sl_paper_runs *runs, unsigned tile, unsigned floats,
                                            enum sl_isa64_compiler c)
{
  return sl_isa64_find(runs, "%s%u-%s", floats != 0 ? "floats" : "words", tile, sl_isa64_compilers[c]);
}

/* A kernel of bench-vortex/ by compiler, registers and banks; stock code has 32 registers. */
static const struct sl_paper_run *find_kernel(const struct sl_paper_runs *runs, enum sl_isa64_part part,
                                              enum sl_isa64_compiler c, unsigned registers, unsigned banks)
{
  return c == SL_ISA64_STOCK
             ? sl_isa64_find(runs, "%s-stock-b%u", sl_isa64_parts[part], banks)
             : sl_isa64_find(runs, "%s-%s-r%u-b%u", sl_isa64_parts[part], sl_isa64_compilers[c], registers, banks);
}

static const struct sl_paper_run *find_rv32(const struct sl_paper_runs *runs, enum sl_isa64_part part)
{
  return sl_isa64_find(runs, "%s-rv32-b%d", sl_isa64_parts[part], SL_ISA64_USUAL_BANKS);
}

static uint64_t measured(const struct sl_paper_runs *runs, const struct measure *m, enum sl_isa64_compiler c)
{
  const struct sl_paper_run *run = sl_isa64_find(runs, "%s-%s", sl_isa64_parts[m->part], sl_isa64_compilers[c]);
  if (run == NULL)
    return 0;
  return m->counter != NULL ? sl_paper_counter(run, m->counter) : sl_isa64_program(runs, run)->conflicts;
}

/* Loads and stores of the stack. */
static uint64_t stack(const struct sl_paper_run *run)
{
  return sl_paper_counter(run, "stack_reads") + sl_paper_counter(run, "stack_writes");
}

/* A kernel's cycles relative to RV32 on `vortex` with the usual number of banks, in percent. */
static double time_of(const struct sl_paper_runs *runs, enum sl_isa64_part part, const struct sl_paper_run *run)
{
  return sl_paper_quotient(100 * (double)sl_paper_counter(run, "cycles"),
                           (double)sl_paper_counter(find_rv32(runs, part), "cycles"));
}

static double mean_time(const struct sl_paper_runs *runs, enum sl_isa64_compiler c, unsigned registers, unsigned banks)
{
  double sum = 0, count = 0;
  for (enum sl_isa64_part p = SL_ISA64_KERNELS; p < SL_ISA64_PARTS; p++)
    if (runs->chosen[p]) {
      sum += time_of(runs, p, find_kernel(runs, p, c, registers, banks));
      count++;
    }
  return sl_paper_quotient(sum, count);
}

static bool has_paper(const struct sl_paper_runs *runs)
{
  return runs->chosen[SL_ISA64_VECADD] || runs->chosen[SL_ISA64_GEMM];
}

static bool has_tiles(const struct sl_paper_runs *runs)
{
  return runs->chosen[SL_ISA64_TILES];
}

static bool has_calls(const struct sl_paper_runs *runs)
{
  return runs->chosen[SL_ISA64_CALLS];
}

static bool has_kernels(const struct sl_paper_runs *runs)
{
  return memchr(runs->chosen + SL_ISA64_KERNELS, true, SL_ISA64_PARTS - SL_ISA64_KERNELS) != NULL;
}

/* ---- charts ------------------------------------------------------------------------------------------------------ */

SL_HOLDS(SL_CHART_SERIES, SL_ISA64_COMPILERS, "a bar of each compiler");
SL_HOLDS(SL_CHART_GROUPS, SL_ISA64_STEPS, "steps of a list");
SL_HOLDS(SL_CHART_GROUPS, SL_ISA64_PARTS, "kernels");

/* A series for each compiler. */
static void add_compilers(struct sl_chart *chart)
{
  chart->series_count = SL_ISA64_COMPILERS;
  for (unsigned c = 0; c < SL_ISA64_COMPILERS; c++) {
    chart->series[c].name = sl_isa64_compilers[c];
    chart->series[c].colour = 1 + c;
  }
}

/* Figures 2 to 4, in thousands. */
static void draw_figure(const struct sl_paper_runs *runs, struct sl_chart *chart, const struct measure *m, size_t count)
{
  static const char *const names[] = {"loads", "stores"};
  chart->group_count = SL_ISA64_COMPILERS;
  chart->series_count = count;
  for (size_t s = 0; s < count; s++) {
    chart->series[s].name = count > 1 ? names[s] : "gemm";
    for (enum sl_isa64_compiler c = 0; c < SL_ISA64_COMPILERS; c++) {
      chart->groups[c] = sl_isa64_compilers[c];
      chart->series[s].value[c] = (double)measured(runs, &m[s], c) / 1000;
      if ((unsigned)c < PUBLISHED)
        chart->series[s].published[c] = (struct sl_chart_published){m[s].published[c] / 1000, true};
    }
  }
}

static void draw_paper(const struct sl_paper_runs *runs, struct sl_paper_charts *charts)
{
  static const char *const figures[][3] = {{"figure2", "Bank conflicts of gemm", "thousand conflicts"},
                                           {"figure3", "Register reads of gemm", "thousand registers"},
                                           {"figure4", "Stack accesses of gemm", "thousand accesses"}};
  for (size_t i = 0; i < 3; i++) {
    const char *const *text = figures[i];
    draw_figure(runs, &sl_paper_add_chart(charts, SL_ISA64_GEMM, text[0], text[1], text[2], "compiler")->chart,
                &measures[CONFLICTS + i], CONFLICTS + i == LOADS ? 2 : 1);
  }
}

/* gemm by tile: stack accesses, conflicts and lane instructions per multiplication. */
static void draw_tiles(const struct sl_paper_runs *runs, struct sl_paper_charts *charts)
{
  static const char *const ids[2][3] = {{"tiles-words-stack", "tiles-words-conflicts", "tiles-words-instructions"},
                                        {"tiles-floats-stack", "tiles-floats-conflicts", "tiles-floats-instructions"}};
  static const char *const titles[] = {"Stack accesses by tile", "Bank conflicts by tile", "Instructions by tile"};
  static const char *const units[] = {"accesses per product", "conflicts per product", "instructions per product"};
  for (unsigned floats = 0; floats < 2; floats++)
    for (unsigned kind = 0; kind < 3; kind++) {
      struct sl_paper_chart *added =
          sl_paper_add_chart(charts, SL_ISA64_TILES, ids[floats][kind], titles[kind], units[kind], "tile");
      struct sl_chart *chart = &added->chart;
      const struct sl_isa64_step *t = sl_isa64_step(runs, sl_isa64_tiles);
      added->of = floats != 0 ? ", floats" : ", words";
      add_compilers(chart);
      for (; t->word != NULL; t = sl_isa64_step(runs, t + 1), chart->group_count++) {
        const double size = t->value * SL_ISA64_TILES_ACROSS;
        chart->groups[chart->group_count] = t->word;
        for (enum sl_isa64_compiler c = 0; c < SL_ISA64_COMPILERS; c++) {
          const struct sl_paper_run *run = find_tile(runs, t->value, floats, c);
          const uint64_t value =
              kind == 0 ? stack(run) : sl_paper_counter(run, kind == 1 ? "bank_conflicts" : "thread_instrs");
          chart->series[c].value[chart->group_count] = (double)value / (size * size * SL_ISA64_DEPTH);
        }
      }
    }
}

static void draw_calls(const struct sl_paper_runs *runs, struct sl_paper_charts *charts)
{
  static const char *const figures[][3] = {
      {"calls-instructions", "Instructions by number of saved registers", "% of those with 48 saved"},
      {"calls-stack", "Stack accesses by number of saved registers", "% of instructions with 48 saved"}};
  for (unsigned kind = 0; kind < 2; kind++) {
    const char *const *text = figures[kind];
    struct sl_chart *chart =
        &sl_paper_add_chart(charts, SL_ISA64_CALLS, text[0], text[1], text[2], "saved registers")->chart;
    const struct sl_isa64_step *s = sl_isa64_step(runs, sl_isa64_saved);
    chart->series_count = 2;
    for (; s->word != NULL; s = sl_isa64_step(runs, s + 1), chart->group_count++)
      for (size_t k = 0; k < 2; k++) {
        const char *name = sl_isa64_callers[k];
        const struct sl_paper_run *run = sl_isa64_find(runs, "%s-cost-s%u", name, s->value);
        const struct sl_paper_run *usual = sl_isa64_find(runs, "%s-cost-s%d", name, SL_ISA64_USUAL_SAVED);
        const uint64_t value = kind == 0 ? sl_paper_counter(run, "thread_instrs") : stack(run);
        chart->groups[chart->group_count] = s->word;
        chart->series[k].name = name;
        chart->series[k].value[chart->group_count] =
            sl_paper_quotient(100 * (double)value, (double)sl_paper_counter(usual, "thread_instrs"));
      }
  }
}

/* Time, and conflict cycles per instruction, of each kernel with the usual register file. */
static void draw_kernels(const struct sl_paper_runs *runs, struct sl_paper_charts *charts)
{
  static const char *const figures[][3] = {
      {"kernels-time", "Cycles with 128 registers in 4 banks", "% of RV32's"},
      {"kernels-conflicts", "Conflicts with 128 registers in 4 banks", "cycles per 100 instructions"}};
  for (unsigned kind = 0; kind < 2; kind++) {
    const char *const *text = figures[kind];
    struct sl_chart *chart =
        &sl_paper_add_chart(charts, SL_ISA64_KERNELS, text[0], text[1], text[2], "benchmark")->chart;
    add_compilers(chart);
    for (enum sl_isa64_part p = SL_ISA64_KERNELS; p < SL_ISA64_PARTS; p++) {
      if (!runs->chosen[p])
        continue;
      for (enum sl_isa64_compiler c = 0; c < SL_ISA64_COMPILERS; c++) {
        const struct sl_paper_run *run = find_kernel(runs, p, c, SL_ISA64_USUAL_REGISTERS, SL_ISA64_USUAL_BANKS);
        chart->series[c].value[chart->group_count] = kind == 0
                                                         ? time_of(runs, p, run)
                                                         : 100 * (double)sl_paper_counter(run, "operands.conflicts") /
                                                               (double)sl_paper_counter(run, "warp_instrs");
      }
      chart->groups[chart->group_count++] = sl_isa64_parts[p];
    }
  }
}

/* Mean time by number of registers, then by number of banks. */
static void draw_shapes(const struct sl_paper_runs *runs, struct sl_paper_charts *charts)
{
  static const char *const figures[][4] = {
      {"kernels-registers", "Mean cycles by registers", "% of RV32's", "registers"},
      {"kernels-banks", "Mean cycles by banks", "% of RV32's", "banks"}};
  for (unsigned kind = 0; kind < 2; kind++) {
    const char *const *text = figures[kind];
    struct sl_chart *chart = &sl_paper_add_chart(charts, SL_ISA64_KERNELS, text[0], text[1], text[2], text[3])->chart;
    const struct sl_isa64_step *s = sl_isa64_step(runs, kind == 0 ? sl_isa64_registers : sl_isa64_banks);
    add_compilers(chart);
    for (; s->word != NULL; s = sl_isa64_step(runs, s + 1), chart->group_count++) {
      chart->groups[chart->group_count] = s->word;
      for (enum sl_isa64_compiler c = 0; c < SL_ISA64_COMPILERS; c++)
        chart->series[c].value[chart->group_count] = mean_time(runs, c, kind == 0 ? s->value : SL_ISA64_USUAL_REGISTERS,
                                                               kind == 0 ? SL_ISA64_USUAL_BANKS : s->value);
    }
  }
}

static void draw(const struct sl_paper_runs *runs, struct sl_paper_charts *charts)
{
  if (runs->chosen[SL_ISA64_GEMM])
    draw_paper(runs, charts);
  if (has_tiles(runs))
    draw_tiles(runs, charts);
  if (has_calls(runs))
    draw_calls(runs, charts);
  if (has_kernels(runs)) {
    draw_kernels(runs, charts);
    draw_shapes(runs, charts);
  }
}

/* ---- tables ------------------------------------------------------------------------------------------------------ */

static void put_counters(struct sl_sheet *sheet, const struct sl_paper_run *run, const char *const *counters)
{
  for (; *counters != NULL; counters++)
    sl_sheet_count(sheet, sl_paper_counter(run, *counters));
}

static void put_measure(struct sl_sheet *sheet, const struct sl_paper_runs *runs, const struct measure *m)
{
  const bool text = sheet->form == SL_SHEET_TEXT;
  if (sheet->form == SL_SHEET_PAGE)
    sl_sheet_text(sheet, "%s (%s)", m->what, m->where);
  else
    sl_sheet_text(sheet, "%s", m->what);
  if (sheet->form == SL_SHEET_FILE)
    sl_sheet_text(sheet, "%s", m->where);
  for (enum sl_isa64_compiler c = 0; c < SL_ISA64_COMPILERS; c++)
    sl_sheet_count(sheet, measured(runs, m, c));
  if (text)
    sl_sheet_text(sheet, "  %s", m->counter != NULL && m->where[0] == 'n' ? "theirs, run again" : "paper");
  for (size_t p = 0; p < PUBLISHED; p++)
    sl_sheet_count(sheet, (uint64_t)m->published[p]);
  if (text)
    sl_sheet_text(sheet, "-");
  sl_sheet_end_row(sheet);
}

static void put_measure_rows(struct sl_sheet *sheet, const struct sl_paper_runs *runs)
{
  for (const struct measure *m = measures; m < measures + MEASURES; m++) {
    if (!runs->chosen[m->part])
      continue;
    put_measure(sheet, runs, m);
    if (sheet->form != SL_SHEET_PAGE)
      continue;
    sl_sheet_begin_remark(sheet);
    sl_html_text(sheet->file, m->remark);
    sl_sheet_end_remark(sheet);
  }
}

/* The runs of bare programs of a part. In a file the name is divided. */
static void put_bare_rows(struct sl_sheet *sheet, const struct sl_paper_runs *runs, enum sl_isa64_part part)
{
  static const char *const all[] = {"thread_instrs", "register_reads", "bank_conflicts",
                                    "stack_reads",   "stack_writes",   NULL};
  static const char *const shown[] = {"thread_instrs", "bank_conflicts", "stack_reads", "stack_writes", NULL};
  const bool file = sheet->form == SL_SHEET_FILE;
  for (const struct sl_paper_run *run = runs->runs; run < runs->runs + runs->count; run++) {
    if (run->part != part)
      continue;
    const struct sl_isa64_program *program = sl_isa64_program(runs, run);
    if (!file) {
      sl_sheet_text(sheet, "%s", run->name);
    } else if (part == SL_ISA64_TILES) {
      sl_sheet_count(sheet, program->tile);
      sl_sheet_word(sheet, "%s", program->floats ? "floats" : "words");
      sl_sheet_word(sheet, "%s", sl_isa64_compilers[program->compiler]);
    } else {
      sl_sheet_word(sheet, "%.*s", (int)strcspn(run->name, "-"), run->name);
      sl_sheet_word(sheet, "%s", sl_isa64_compilers[program->compiler]);
      sl_sheet_word(sheet, "%s", program->saved != NULL ? program->saved : "RISC-V");
    }
    sl_sheet_count(sheet, program->instructions);
    if (file)
      sl_sheet_count(sheet, program->conflicts);
    put_counters(sheet, run, file ? all : shown);
    sl_sheet_end_row(sheet);
  }
}

static void put_tile_rows(struct sl_sheet *sheet, const struct sl_paper_runs *runs)
{
  put_bare_rows(sheet, runs, SL_ISA64_TILES);
}

static void put_call_rows(struct sl_sheet *sheet, const struct sl_paper_runs *runs)
{
  put_bare_rows(sheet, runs, SL_ISA64_CALLS);
}

static void put_kernel_file_rows(struct sl_sheet *sheet, const struct sl_paper_runs *runs)
{
  static const char *const counters[] = {"cycles",       "warp_instrs",   "thread_instrs",   "operands.conflicts",
                                         "icache.reads", "icache.misses", "dcache.reads",    "dcache.writes",
                                         "dram.reads",   "dram.writes",   "cycles.operands", NULL};
  for (const struct sl_paper_run *run = runs->runs; run < runs->runs + runs->count; run++) {
    if (run->part < SL_ISA64_KERNELS)
      continue;
    sl_sheet_word(sheet, "%s", sl_isa64_parts[run->part]);
    sl_sheet_word(sheet, "%s", run->name);
    sl_sheet_word(sheet, "%s", run->config->preset);
    sl_sheet_word(sheet, "%s", sl_isa64_program(runs, run) == NULL ? "64" : strchr(run->config->set[0], '=') + 1);
    sl_sheet_word(sheet, "%s", strchr(run->config->set[1], '=') + 1);
    put_counters(sheet, run, counters);
    sl_sheet_end_row(sheet);
  }
}

static void put_kernel_row(struct sl_sheet *sheet, const struct sl_paper_runs *runs, const struct sl_paper_run *run,
                           enum sl_isa64_part part, const char *compiler)
{
  static const char *const counters[] = {"warp_instrs",        "icache.reads",    "icache.misses",
                                         "operands.conflicts", "cycles.operands", NULL};
  sl_sheet_text(sheet, "%s, %s", sl_isa64_parts[part], compiler);
  sl_sheet_count(sheet, sl_paper_counter(run, "cycles"));
  sl_sheet_number(sheet, 1, time_of(runs, part, run));
  put_counters(sheet, run, counters);
  sl_sheet_end_row(sheet);
}

static void put_kernel_rows(struct sl_sheet *sheet, const struct sl_paper_runs *runs)
{
  for (enum sl_isa64_part p = SL_ISA64_KERNELS; p < SL_ISA64_PARTS; p++) {
    if (!runs->chosen[p])
      continue;
    put_kernel_row(sheet, runs, find_rv32(runs, p), p, "RV32");
    for (enum sl_isa64_compiler c = 0; c < SL_ISA64_COMPILERS; c++)
      put_kernel_row(sheet, runs, find_kernel(runs, p, c, SL_ISA64_USUAL_REGISTERS, SL_ISA64_USUAL_BANKS), p,
                     sl_isa64_compilers[c]);
  }
}

static void print_tiles(struct sl_sheet *sheet, const struct sl_paper_runs *runs, unsigned tile)
{
  for (unsigned floats = 0; floats < 2; floats++)
    for (unsigned kind = 0; kind < 2; kind++) {
      sl_sheet_text(sheet, "%ux%u %s, %s", tile, tile, floats != 0 ? "floats" : "words",
                    kind == 0 ? "stack" : "conflicts");
      for (enum sl_isa64_compiler c = 0; c < SL_ISA64_COMPILERS; c++) {
        const struct sl_paper_run *run = find_tile(runs, tile, floats, c);
        sl_sheet_count(sheet, kind == 0 ? stack(run) : sl_paper_counter(run, "bank_conflicts"));
      }
    }
}

static void print_calls(struct sl_sheet *sheet, const struct sl_paper_runs *runs, const char *name)
{
  const struct sl_isa64_step *s = sl_isa64_step(runs, sl_isa64_saved);
  for (; s->word != NULL; s = sl_isa64_step(runs, s + 1)) {
    sl_sheet_text(sheet, "%s, stack, %u saved", name, s->value);
    sl_sheet_count(sheet, stack(sl_isa64_find(runs, "%s-stock", name)));
    for (enum sl_isa64_compiler c = SL_ISA64_UNAWARE; c < SL_ISA64_COMPILERS; c++)
      sl_sheet_count(sheet, stack(sl_isa64_find(runs, "%s-%s-s%u", name, sl_isa64_compilers[c], s->value)));
  }
}

static void print_rows(struct sl_sheet *sheet, const struct sl_paper_runs *runs)
{
  const struct sl_isa64_step *t = sl_isa64_step(runs, sl_isa64_tiles);
  put_measure_rows(sheet, runs);
  for (; has_tiles(runs) && t->word != NULL; t = sl_isa64_step(runs, t + 1))
    print_tiles(sheet, runs, t->value);
  for (size_t k = 0; k < 2 && has_calls(runs); k++)
    print_calls(sheet, runs, sl_isa64_callers[k]);
  for (enum sl_isa64_part p = SL_ISA64_KERNELS; p < SL_ISA64_PARTS; p++) {
    if (!runs->chosen[p])
      continue;
    sl_sheet_text(sheet, "%s, %% of RV32's cycles", sl_isa64_parts[p]);
    for (enum sl_isa64_compiler c = 0; c < SL_ISA64_COMPILERS; c++)
      sl_sheet_number(sheet, 1,
                      time_of(runs, p, find_kernel(runs, p, c, SL_ISA64_USUAL_REGISTERS, SL_ISA64_USUAL_BANKS)));
  }
}

/* ---- page -------------------------------------------------------------------------------------------------------- */

static void introduce(FILE *f, const struct sl_paper_runs *runs)
{
  const struct sl_isa64_state *state = runs->state;
  fprintf(f, ", section 4, with extensions: %zu programs, %zu runs at the %s sizes, by simtlab %s.</p>\n",
          state->program_count, runs->count, runs->order->size, SL_VERSION);
  fputs("<p class=\"soft\">Four compilers: <b>stock</b>, Clang 19's code for the 32 registers of RISC-V, each "
        "instruction translated to one word (the paper's baseline); <b>unaware</b>, for 128 registers without regard "
        "for banks; <b>first-fit</b>, the paper's rule: the first free register whose bank differs from those of the "
        "same instructions' operands (its bank-aware); <b>cost</b>, the register with the least cost of conflicts, "
        "copies and saves (ours). The last three start from the same selected and scheduled instructions. Results are "
        "checked: the report checks bare programs, the others check themselves.</p>\n",
        f);
  if (memchr(runs->chosen, false, SL_ISA64_PARTS) != NULL)
    fputs("<p>Not all parts were run: missing parts were not chosen.</p>\n", f);
}

#define CODE                                                                                                           \
  "\"instructions in the code\",\"conflicts in the code\",\"lane instructions\",\"register reads\",\"bank "            \
  "conflicts\",\"stack loads\",\"stack stores\""
#define BARE                                                                                                           \
  SL_PAPER_TITLES("program", "instructions in the code", "lane instructions", "bank conflicts", "stack loads",         \
                  "stack stores")

static const struct sl_paper_table
    printed = {.titles = SL_PAPER_TITLES("", ">stock", ">unaware", ">first-fit", ">cost"), .rows = print_rows},
    summary = {SL_PAPER_TITLES("", "stock", "unaware", "first-fit", "cost", "paper: baseline", "bank-unaware",
                               "bank-aware"),
               "measure,place,stock,unaware,first-fit,cost,\"paper: baseline\",\"paper: bank-unaware\",\"paper: "
               "bank-aware\"",
               0, put_measure_rows},
    tiles = {BARE, "tile,elements,compiler," CODE, 0, put_tile_rows},
    calls = {BARE, "kernel,compiler,saved," CODE, 0, put_call_rows},
    kernel_file = {NULL,
                   "kernel,run,machine,registers,banks,cycles,warp_instrs,thread_instrs,operands.conflicts,"
                   "icache.reads,icache.misses,dcache.reads,dcache.writes,dram.reads,dram.writes,cycles.operands",
                   0, put_kernel_file_rows},
    kernels = {.titles = SL_PAPER_TITLES(
                   "128 registers, 4 banks", "cycles", "% of RV32's", "warp instructions", "instruction cache requests",
                   "misses", "cycles by which conflicts lengthen collection", "cycles in which collection was full"),
               .rows = put_kernel_rows};

static const struct sl_paper_section sections[] = {
    {"The paper's measurements",
     "On <code>cyclotron</code>, its emulator: 4 warps of 4 lanes, 128 registers in 4 banks; the first warp that "
     "returns ends the run. The authors' own gemm for 128 registers, compiled by them with their bank-aware "
     "allocation, gives all published counts exactly on this machine. The programs below are compiled by this command "
     "from sources that follow the paper's text. Static conflicts are those of instructions with three registers only, "
     "as in its Table 1.",
     .table = &summary, .notes = "Numbers: <a href=\"summary.csv\">summary.csv</a>.", .charts = SL_ISA64_GEMM,
     .shown = has_paper},
    {"Larger tiles",
     "The paper's gemm with larger tiles. The result has 8 x 8 tiles, so every thread computes four; each element is a "
     "sum of 64 products. Fused multiply-adds have three sources. All warps run to their end. A tile of 10 x 10 keeps "
     "100 sums and reads 20 elements: it fills 128 registers, and hardly any choice is left to the banks; one of 12 x "
     "12 does not fit.",
     .charts = SL_ISA64_TILES, .shown = has_tiles},
    {.table = &tiles, .notes = "Numbers: <a href=\"tiles.csv\">tiles.csv</a>.", .shown = has_tiles},
    {"Saved and temporary registers",
     "The paper leaves the best division of 128 registers to a larger kernel. It depends on which function needs "
     "registers: <b>blocks</b> often calls a function that fills the register file and must save every callee-saved "
     "register; <b>steps</b> keeps 48 values over each call of a small function, and spills those that are not "
     "callee-saved to the stack. The numbers are saved registers beyond the 12 of RISC-V; the paper has 48. The charts "
     "use <b>cost</b>.",
     .charts = SL_ISA64_CALLS, .shown = has_calls},
    {.table = &calls, .notes = "Numbers: <a href=\"calls.csv\">calls.csv</a>.", .shown = has_calls},
    {"Time on a pipeline",
     "The paper's emulator has no timing. This section runs the kernels of <code>bench-vortex/</code> (plain variants) "
     "on <code>vortex64</code>, beside RV32 with floating-point registers on <code>vortex</code> with 4 banks. The "
     "counts cover the kernel only, not filling and checking its arrays. GCC compiled the RV32 programs and Clang the "
     "others, so instruction counts differ, too; compare stock with the others for the effect of registers. Words are "
     "twice as long, so a line of the instruction cache holds half as many. Where stock code saves registers on the "
     "stack, each lane accesses its own line of memory.",
     .charts = SL_ISA64_KERNELS, .shown = has_kernels},
    {.table = &kernels,
     .notes = "All numbers of registers and banks: <a href=\"kernels.csv\">kernels.csv</a>; all counters of the runs: "
              "<code>runs/</code>; the programs: <code>programs/</code>.",
     .shown = has_kernels},
    {.heading = NULL},
};

static const struct sl_paper_file files[] = {{"summary.csv", &summary, has_paper},
                                             {"tiles.csv", &tiles, has_tiles},
                                             {"calls.csv", &calls, has_calls},
                                             {"kernels.csv", &kernel_file, has_kernels},
                                             {NULL, NULL, NULL}};

const struct sl_paper_report sl_paper_isa64_report = {.title = "Redesigning the Vortex GPU ISA, reproduced",
                                                      .draw = draw,
                                                      .drawings = true,
                                                      .introduce = introduce,
                                                      .sections = sections,
                                                      .files = files,
                                                      .summary = &printed};
