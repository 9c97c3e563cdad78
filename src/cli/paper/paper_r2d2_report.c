/* Numbers of the evaluation, with the paper's kinds of means, and its report. */
#include <math.h>
#include <string.h>

#include "cli/paper/paper_r2d2.h"
#include "observe/energy/energy.h"

/* ---- of a program ------------------------------------------------------------------------------------------------ */

static double percent(double part, double whole)
{
  return whole > 0 ? 100 * part / whole : 0;
}

static double count(const struct sl_paper_runs *runs, size_t program, enum sl_r2d2_machine machine, const char *name)
{
  return (double)sl_paper_counter(sl_r2d2_run(runs, program, machine), name);
}

static double less(const struct sl_paper_runs *runs, size_t program, enum sl_r2d2_machine base,
                   enum sl_r2d2_machine machine, const char *counter)
{
  const double before = count(runs, program, base, counter);
  return percent(before - count(runs, program, machine, counter), before);
}

static double speed(const struct sl_paper_runs *runs, size_t program, enum sl_r2d2_machine base,
                    enum sl_r2d2_machine machine)
{
  return sl_paper_quotient(count(runs, program, base, "cycles"), count(runs, program, machine, "cycles"));
}

/* Energy with the set titanv. */
static struct sl_energy energy(const struct sl_paper_runs *runs, size_t program, enum sl_r2d2_machine machine)
{
  const struct sl_r2d2_state *state = runs->state;
  const struct sl_paper_run *run = sl_r2d2_run(runs, program, machine);
  struct sl_energy of;
  sl_energy_of(&of, &state->energies, run->machine, run->result.counters);
  return of;
}

/* A counter of R2D2 in percent of one of the baseline. */
static double share(const struct sl_paper_runs *runs, size_t program, const char *counter, const char *whole)
{
  return percent(count(runs, program, SL_R2D2_LINEAR, counter), count(runs, program, SL_R2D2_BASE, whole));
}

static double linear_instructions(const struct sl_paper_runs *runs, size_t program)
{
  return percent(count(runs, program, SL_R2D2_LINEAR, "linear.coefficients") +
                     count(runs, program, SL_R2D2_LINEAR, "linear.threads") +
                     count(runs, program, SL_R2D2_LINEAR, "linear.blocks"),
                 count(runs, program, SL_R2D2_BASE, "warp_instrs"));
}

static double ideal(const struct sl_paper_runs *runs, size_t program, uint64_t left)
{
  const double base = (double)((const struct sl_r2d2_state *)runs->state)->ideals[program].base;
  return percent(base - (double)left, base);
}

/* ---- measures ---------------------------------------------------------------------------------------------------- */

enum kind {
  IDEAL_WP,
  IDEAL_TB,
  IDEAL_LN,
  WARPS,   /* fewer warp instructions */
  THREADS, /* fewer thread instructions */
  SPEED,
  SLOWER,
  ENERGY,
  INSTRUCTIONS, /* linear ones, their parts, and the others */
  COEFFICIENTS,
  THREADS_PART,
  BLOCKS_PART,
  OTHER_INSTRUCTIONS,
  CYCLES,
  OTHER_CYCLES
};

/* A number of the summary: a mean over the chosen programs, of speed geometric, else arithmetic. */
struct measure {
  const char *what, *where;
  double published; /* 0: not published */
  enum kind kind;
  enum sl_r2d2_machine base, machine;
};

#define LINEAR SL_R2D2_BASE, SL_R2D2_LINEAR
#define RISCV SL_R2D2_RISCV_BASE, SL_R2D2_RISCV_LINEAR

static const struct measure measures[] = {
    {"fewer thread instructions, ideal WP, %", "Figure 4", 27, IDEAL_WP, LINEAR},
    {"fewer thread instructions, ideal TB, %", "Figure 4", 22, IDEAL_TB, LINEAR},
    {"fewer thread instructions, ideal LN, %", "Figure 4", 33, IDEAL_LN, LINEAR},
    {"fewer warp instructions, %", "Figure 12", 28, WARPS, LINEAR},
    {"fewer thread instructions, %", "not printed", 0, THREADS, LINEAR},
    {"times as fast", "Figure 13", 1.25, SPEED, LINEAR},
    {"linear instructions, % of the baseline's", "Figure 14", 1, INSTRUCTIONS, LINEAR},
    {"cycles with linear instructions, %", "Figure 15", 1, CYCLES, LINEAR},
    {"less energy, %", "Figure 16", 17, ENERGY, LINEAR},
    {"fewer warp instructions: DAC, %", "Figure 12", 20, WARPS, SL_R2D2_BASE, SL_R2D2_DAC},
    {"fewer warp instructions: DARSIE, %", "Figure 12", 18, WARPS, SL_R2D2_BASE, SL_R2D2_DARSIE},
    {"fewer warp instructions: DARSIE+Scalar, %", "Figure 12", 19, WARPS, SL_R2D2_BASE, SL_R2D2_DARSIE_SCALAR},
    {"times as fast: DAC", "Figure 13", 1.15, SPEED, SL_R2D2_BASE, SL_R2D2_DAC},
    {"times as fast: DARSIE", "Figure 13", 1.14, SPEED, SL_R2D2_BASE, SL_R2D2_DARSIE},
    {"times as fast: DARSIE+Scalar", "Figure 13", 1.14, SPEED, SL_R2D2_BASE, SL_R2D2_DARSIE_SCALAR},
    {"less energy: DAC, %", "Figure 16", 9, ENERGY, SL_R2D2_BASE, SL_R2D2_DAC},
    {"less energy: DARSIE, %", "Figure 16", 8, ENERGY, SL_R2D2_BASE, SL_R2D2_DARSIE},
    {"less energy: DARSIE+Scalar, %", "Figure 16", 9, ENERGY, SL_R2D2_BASE, SL_R2D2_DARSIE_SCALAR},
    {"fewer warp instructions: machine code, %", "not there", 0, WARPS, RISCV},
    {"fewer thread instructions: machine code, %", "not there", 0, THREADS, RISCV},
    {"times as fast: machine code", "not there", 0, SPEED, RISCV},
    {"slower with r2d2.fetch=7, %", "section 5.4", 1, SLOWER, SL_R2D2_LINEAR, SL_R2D2_FETCH},
    {"slower with r2d2.id=5, %", "section 5.4", 1, SLOWER, SL_R2D2_LINEAR, SL_R2D2_ID},
    {"slower with r2d2.add=0, %", "not printed", 0, SLOWER, SL_R2D2_LINEAR, SL_R2D2_ADD},
    {"slower with r2d2.global_wait=on, %", "not printed", 0, SLOWER, SL_R2D2_LINEAR, SL_R2D2_WAIT},
    {"fewer warp instructions, r2d2.ur=block, %", "not printed", 0, WARPS, SL_R2D2_BASE, SL_R2D2_UR_BLOCK},
    {"times as fast, r2d2.ur=block", "not printed", 0, SPEED, SL_R2D2_BASE, SL_R2D2_UR_BLOCK},
    {"fewer warp instructions, r2d2.ur=free, %", "not printed", 0, WARPS, SL_R2D2_BASE, SL_R2D2_UR_FREE},
    {"times as fast, r2d2.ur=free", "not printed", 0, SPEED, SL_R2D2_BASE, SL_R2D2_UR_FREE},
    {"times as fast, scheduler=lrr", "not printed", 0, SPEED, SL_R2D2_BASE_LRR, SL_R2D2_LINEAR_LRR},
    {"times as fast, 1 SM, twice as full", "not printed", 0, SPEED, SL_R2D2_BASE_1, SL_R2D2_LINEAR_1},
    {"times as fast, 4 SMs", "section 5.8.2", 0, SPEED, SL_R2D2_BASE_4, SL_R2D2_LINEAR_4},
    {"times as fast, 8 SMs", "section 5.8.2", 0, SPEED, SL_R2D2_BASE_8, SL_R2D2_LINEAR_8},
};

enum { MEASURES = sizeof measures / sizeof measures[0] };

static bool is_measured(const struct sl_paper_runs *runs, const struct measure *m)
{
  return !runs->small || m->machine < SL_R2D2_FETCH;
}

/* Of one program. */
static double value(const struct sl_paper_runs *runs, const struct measure *m, size_t p)
{
  const struct sl_linear_ideals *ideals = &((const struct sl_r2d2_state *)runs->state)->ideals[p];
  switch (m->kind) {
  case IDEAL_WP: return ideal(runs, p, ideals->wp);
  case IDEAL_TB: return ideal(runs, p, ideals->tb);
  case IDEAL_LN: return ideal(runs, p, ideals->ln);
  case WARPS: return less(runs, p, m->base, m->machine, "warp_instrs");
  case THREADS: return less(runs, p, m->base, m->machine, "thread_instrs");
  case ENERGY: {
    const double before = energy(runs, p, m->base).total;
    return percent(before - energy(runs, p, m->machine).total, before);
  }
  case INSTRUCTIONS: return linear_instructions(runs, p);
  case COEFFICIENTS: return share(runs, p, "linear.coefficients", "warp_instrs");
  case THREADS_PART: return share(runs, p, "linear.threads", "warp_instrs");
  case BLOCKS_PART: return share(runs, p, "linear.blocks", "warp_instrs");
  case OTHER_INSTRUCTIONS: return share(runs, p, "warp_instrs", "warp_instrs") - linear_instructions(runs, p);
  case CYCLES: return share(runs, p, "linear.cycles", "sm_cycles");
  case OTHER_CYCLES: return share(runs, p, "sm_cycles", "sm_cycles") - share(runs, p, "linear.cycles", "sm_cycles");
  default: return speed(runs, p, m->base, m->machine);
  }
}

static double number(const struct sl_paper_runs *runs, const struct measure *m)
{
  const bool geometric = m->kind == SPEED || m->kind == SLOWER;
  double sum = 0;
  unsigned programs = 0;
  for (size_t p = 0; p < SL_R2D2_PROGRAMS; p++)
    if (runs->chosen[p]) {
      const double v = value(runs, m, p);
      sum += geometric ? log(v) : v;
      programs++;
    }
  const double mean = programs == 0 ? 0 : geometric ? exp(sum / programs) : sum / programs;
  return m->kind == SLOWER ? 100 * (1 / mean - 1) : mean;
}

/* Energy of an event in percent of the baseline's, as a mean. */
static double energy_share(const struct sl_paper_runs *runs, enum sl_r2d2_machine machine, enum sl_energy_event event)
{
  double sum = 0;
  unsigned programs = 0;
  for (size_t p = 0; p < SL_R2D2_PROGRAMS; p++)
    if (runs->chosen[p]) {
      sum += percent(energy(runs, p, machine).picojoules[event], energy(runs, p, SL_R2D2_BASE).total);
      programs++;
    }
  return programs > 0 ? sum / programs : 0;
}

/* Other grids or block sizes: fewer warp instructions in percent, and speedup. */
struct varied {
  unsigned number; /* of blocks, or of threads in a block */
  double less, speed;
};

/* Table 3: both kernels of backprop with the n-th number of blocks. */
static struct varied grid(const struct sl_paper_runs *runs, size_t n)
{
  const size_t forward = SL_R2D2_PROGRAMS + 2 * n, adjust = forward + 1;
  double instructions[2], cycles[2];
  for (enum sl_r2d2_machine m = SL_R2D2_BASE; m <= SL_R2D2_LINEAR; m++) {
    instructions[m] = count(runs, forward, m, "warp_instrs") + count(runs, adjust, m, "warp_instrs");
    cycles[m] = count(runs, forward, m, "cycles") + count(runs, adjust, m, "cycles");
  }
  return (struct varied){sl_r2d2_programs[forward].blocks, percent(instructions[0] - instructions[1], instructions[0]),
                         sl_paper_quotient(cycles[0], cycles[1])};
}

/* Means over the programs of one-dimensional blocks with the n-th block size. */
static struct varied block_size(const struct sl_paper_runs *runs, size_t n)
{
  const size_t first = SL_R2D2_FIRST_SIZED + n * SL_R2D2_SIZED;
  double saved = 0, faster = 0;
  for (size_t p = first; p < first + SL_R2D2_SIZED; p++) {
    saved += less(runs, p, LINEAR, "warp_instrs");
    faster += log(speed(runs, p, LINEAR));
  }
  return (struct varied){sl_r2d2_programs[first].threads, saved / SL_R2D2_SIZED, exp(faster / SL_R2D2_SIZED)};
}

/* Table 3 as published. Its column names state input nodes from 2^4 to 2^64. */
static const struct varied published_grids[SL_R2D2_GRIDS] = {
    {4, 38.3, 1.35}, {8, 38.8, 1.35}, {16, 39.2, 1.36}, {32, 39.6, 1.36}, {64, 39.7, 1.36}};

static bool has_grids(const struct sl_paper_runs *runs)
{
  return runs->chosen[SL_R2D2_PROGRAMS];
}

static bool has_sizes(const struct sl_paper_runs *runs)
{
  return runs->chosen[SL_R2D2_FIRST_SIZED];
}

/* ---- charts ------------------------------------------------------------------------------------------------------ */

SL_HOLDS(SL_CHART_GROUPS, SL_R2D2_PROGRAMS + 1, "programs and their mean");

/* Series: a value of each program, and last their mean. Some figures have a series of each machine, others of several
 * values of R2D2. */
static const struct {
  const char *id, *title, *unit, *of;
  struct {
    const char *name; /* NULL: of each machine */
    enum kind kind;
  } series[5];
} figures[] = {
    {"figure4",
     "Thread instructions that ideal machines eliminate",
     "% of the baseline's",
     " (Figure 4)",
     {{"WP", IDEAL_WP}, {"TB", IDEAL_TB}, {"LN", IDEAL_LN}}},
    {"figure12", "Warp instructions eliminated", "% of the baseline's", " (Figure 12)", {{NULL, WARPS}}},
    {"figure13", "Speedup over the baseline", "times as fast", " (Figure 13)", {{NULL, SPEED}}},
    {"figure14",
     "Linear instructions, their parts, and the remaining instructions",
     "% of the baseline's",
     " (Figure 14)",
     {{"coefficients", COEFFICIENTS},
      {"threads' part", THREADS_PART},
      {"block's part", BLOCKS_PART},
      {"linear", INSTRUCTIONS},
      {"what is left", OTHER_INSTRUCTIONS}}},
    {"figure15",
     "Cycles of SMs with linear instructions, and without",
     "% of the baseline's",
     " (Figure 15)",
     {{"linear", CYCLES}, {"what is left", OTHER_CYCLES}}},
    {"figure16", "Energy saved", "% of the baseline's", " (Figure 16)", {{NULL, ENERGY}}},
};

static const struct {
  const char *name;
  enum sl_r2d2_machine machine;
} machines[] = {{"DAC", SL_R2D2_DAC},
                {"DARSIE", SL_R2D2_DARSIE},
                {"DARSIE+Scalar", SL_R2D2_DARSIE_SCALAR},
                {"R2D2", SL_R2D2_LINEAR}};

static double published(enum kind kind, enum sl_r2d2_machine machine)
{
  for (const struct measure *m = measures; m < measures + MEASURES; m++)
    if (m->kind == kind && m->base == SL_R2D2_BASE && m->machine == machine)
      return m->published;
  return 0;
}

static void draw_series(const struct sl_paper_runs *runs, struct sl_chart *chart, const char *name, enum kind kind,
                        enum sl_r2d2_machine machine)
{
  const struct measure measure = {.kind = kind, .base = SL_R2D2_BASE, .machine = machine};
  const double mean = published(kind, machine);
  struct sl_chart_series *to = &chart->series[chart->series_count++];
  to->name = name;
  chart->group_count = 0;
  for (size_t p = 0; p < SL_R2D2_PROGRAMS; p++)
    if (runs->chosen[p]) {
      to->value[chart->group_count] = value(runs, &measure, p);
      chart->groups[chart->group_count++] = sl_r2d2_programs[p].name;
    }
  to->value[chart->group_count] = number(runs, &measure);
  to->published[chart->group_count] = (struct sl_chart_published){mean, mean > 0};
  chart->groups[chart->group_count++] = "mean";
}

static void draw(const struct sl_paper_runs *runs, struct sl_paper_charts *charts)
{
  for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++) {
    struct sl_paper_chart *chart =
        sl_paper_add_chart(charts, 1, figures[i].id, figures[i].title, figures[i].unit, "benchmark");
    chart->of = figures[i].of;
    chart->chart.mean_last = true;
    for (size_t s = 0; s < 5 && figures[i].series[s].name != NULL; s++)
      draw_series(runs, &chart->chart, figures[i].series[s].name, figures[i].series[s].kind, SL_R2D2_LINEAR);
    for (size_t m = 0; m < 4 && figures[i].series[0].name == NULL; m++)
      draw_series(runs, &chart->chart, machines[m].name, figures[i].series[0].kind, machines[m].machine);
  }
}

/* ---- tables ------------------------------------------------------------------------------------------------------ */

/* Explains the difference of a measure from the published value, by the beginning of its name. */
static const struct {
  const char *what, *why;
} reasons[] = {
    {"fewer thread instructions, ideal LN", "These programs compute more addresses than those of the paper's suites, "
                                            "and LN eliminates address computations."},
    {"fewer warp instructions: D", "The baselines here are ideal, so they eliminate more than a real machine could."},
    {"times as fast: D", "The baselines here are ideal, and only fully occupied SMs can use the saved slots."},
    {"less energy: D", "The baselines here are ideal, so they eliminate more than a real machine could."},
    {"times as fast", "Only issue slots can be saved, and only fully occupied SMs can use them. The data sets are "
                      "small, and many programs wait for the crossbar port that two SMs share."},
    {"linear instructions",
     "The kernels are short here, and an SM executes the same number of linear instructions for any kernel length."},
    {"cycles with linear instructions",
     "The kernels are short here, and the linear part of an SM takes the same time for any kernel length. Counted are "
     "cycles of an SM in which some warp has not come to what is left of the kernel; the paper does not define its "
     "own."},
};

/* Near: within a tenth of the published value. */
static void put_reason(const struct sl_sheet *sheet, const struct measure *m, double ours)
{
  enum { NEAR_PERCENT = 10 };
  if (m->published <= 0 || 100 * fabs(ours - m->published) <= NEAR_PERCENT * m->published)
    return;
  for (size_t i = 0; i < sizeof reasons / sizeof reasons[0]; i++)
    if (strncmp(m->what, reasons[i].what, strlen(reasons[i].what)) == 0) {
      sl_sheet_begin_remark(sheet);
      fputs(reasons[i].why, sheet->file);
      sl_sheet_end_remark(sheet);
      return;
    }
}

static void put_row(struct sl_sheet *sheet, const char *what, const char *where, double ours, double paper)
{
  const bool page = sheet->form == SL_SHEET_PAGE;
  sl_sheet_text(sheet, "%s", what);
  if (!page)
    sl_sheet_word(sheet, "%s", where);
  sl_sheet_number(sheet, 2, ours);
  sl_sheet_published(sheet, paper);
  if (page)
    sl_sheet_word(sheet, "%s", where);
  sl_sheet_end_row(sheet);
}

static void put_varied(struct sl_sheet *sheet, const char *what, const char *unit, const char *where,
                       struct varied ours, const struct varied *paper)
{
  char text[80];
  snprintf(text, sizeof text, "%s of %u %s, fewer warp instructions, %%", what, ours.number, unit);
  put_row(sheet, text, where, ours.less, paper->less);
  snprintf(text, sizeof text, "%s of %u %s, times as fast", what, ours.number, unit);
  put_row(sheet, text, where, ours.speed, paper->speed);
}

static void put_summary_rows(struct sl_sheet *sheet, const struct sl_paper_runs *runs)
{
  const bool file = sheet->form == SL_SHEET_FILE;
  for (const struct measure *m = measures; m < measures + MEASURES; m++) {
    if (!is_measured(runs, m))
      continue;
    const double ours = number(runs, m);
    put_row(sheet, m->what, m->where, ours, m->published);
    if (!file)
      put_reason(sheet, m, ours);
  }
  for (size_t n = 0; n < SL_R2D2_GRIDS && file && has_grids(runs); n++)
    put_varied(sheet, "backprop", "blocks", "Table 3", grid(runs, n), &published_grids[n]);
  for (size_t n = 0; n < SL_R2D2_SIZES && file && has_sizes(runs); n++)
    put_varied(sheet, "blocks", "threads", "not printed", block_size(runs, n), &(struct varied){0});
}

static void put_energy_rows(struct sl_sheet *sheet, const struct sl_paper_runs *runs)
{
  for (enum sl_energy_event e = 0; e < SL_ENERGY_EVENTS; e++) {
    const double base = energy_share(runs, SL_R2D2_BASE, e), linear = energy_share(runs, SL_R2D2_LINEAR, e);
    if (sheet->form == SL_SHEET_PAGE && base + linear <= 0)
      continue;
    sl_sheet_word(sheet, "%s", sl_energy_events[e].name);
    sl_sheet_number(sheet, 2, base);
    sl_sheet_number(sheet, 2, linear);
    sl_sheet_end_row(sheet);
  }
}

/* A program in PTX and in machine code. */
static void put_code_rows(struct sl_sheet *sheet, const struct sl_paper_runs *runs)
{
  for (size_t p = 0; p < SL_R2D2_PROGRAMS; p++) {
    if (!runs->chosen[p])
      continue;
    sl_sheet_text(sheet, "%s", sl_r2d2_programs[p].name);
    sl_sheet_number(sheet, 1, less(runs, p, LINEAR, "warp_instrs"));
    sl_sheet_number(sheet, 2, speed(runs, p, LINEAR));
    sl_sheet_number(sheet, 1, less(runs, p, RISCV, "warp_instrs"));
    sl_sheet_number(sheet, 2, speed(runs, p, RISCV));
    sl_sheet_end_row(sheet);
  }
}

static void put_varied_cells(struct sl_sheet *sheet, const struct varied *varied)
{
  sl_sheet_count(sheet, varied->number);
  sl_sheet_number(sheet, 1, varied->less);
  sl_sheet_number(sheet, 2, varied->speed);
}

static void put_grid_rows(struct sl_sheet *sheet, const struct sl_paper_runs *runs)
{
  for (size_t n = 0; n < SL_R2D2_GRIDS; n++) {
    const struct varied g = grid(runs, n);
    put_varied_cells(sheet, &g);
    sl_sheet_published(sheet, published_grids[n].less);
    sl_sheet_published(sheet, published_grids[n].speed);
    sl_sheet_end_row(sheet);
  }
}

static void put_size_rows(struct sl_sheet *sheet, const struct sl_paper_runs *runs)
{
  for (size_t n = 0; n < SL_R2D2_SIZES; n++) {
    const struct varied s = block_size(runs, n);
    put_varied_cells(sheet, &s);
    sl_sheet_end_row(sheet);
  }
}

static void put_program_rows(struct sl_sheet *sheet, const struct sl_paper_runs *runs)
{
  static const char *const counters[] = {"warp_instrs", "cycles"};
  for (size_t p = 0; p < SL_R2D2_PROGRAMS; p++) {
    if (!runs->chosen[p])
      continue;
    sl_sheet_text(sheet, "%s", sl_r2d2_programs[p].name);
    sl_sheet_text(sheet, "%s", sl_r2d2_programs[p].suite);
    for (size_t c = 0; c < 2; c++)
      for (enum sl_r2d2_machine m = SL_R2D2_BASE; m <= SL_R2D2_LINEAR; m++)
        sl_sheet_count(sheet, sl_paper_counter(sl_r2d2_run(runs, p, m), counters[c]));
    sl_sheet_end_row(sheet);
  }
}

/* ---- report ------------------------------------------------------------------------------------------------------ */

static void introduce(FILE *f, const struct sl_paper_runs *runs)
{
  unsigned programs = 0;
  for (size_t p = 0; p < SL_R2D2_PROGRAMS; p++)
    programs += runs->chosen[p];
  fprintf(f, ", section 5 and Figure 4: %u of %d programs, %zu runs at the %s sizes, by simtlab %s.</p>\n", programs,
          SL_R2D2_PROGRAMS, runs->count, runs->order->size, SL_VERSION);
  fputs("<p class=\"soft\">The programs are simtlab's own, modelled on the suites of the paper's Table 2, compiled "
        "by Clang, with small data sets. They run on <code>sm7-r2d2</code> with two SMs; the baseline is the same "
        "with <code>r2d2=off</code>. Means of shares are arithmetic, means of speed geometric, as in the paper. Energy "
        "uses the set <code>titanv</code>, which has no figure for DRAM. Each run leaves the same memory contents "
        "as the baseline. The paper prints means and single values only.</p>\n",
        f);
  if (programs < SL_R2D2_PROGRAMS)
    fputs("<p>Not all programs were run: the means cover only those that were.</p>\n", f);
}

static const struct sl_paper_table
    summary = {SL_PAPER_TITLES("", "simtlab", "paper", "in the paper"), "measure,in the paper,simtlab,paper", -3,
               put_summary_rows},
    energies = {SL_PAPER_TITLES("% of the baseline's energy", "baseline", "R2D2"),
                "event,baseline (%),R2D2 (% of the baseline's energy)", -3, put_energy_rows},
    code = {.titles = SL_PAPER_TITLES("", "PTX: fewer warp instructions, %", "times as fast", "RISC-V: fewer, %",
                                      "times as fast"),
            .rows = put_code_rows},
    grids = {.titles = SL_PAPER_TITLES("blocks", "fewer warp instructions, %", "times as fast", "paper: fewer, %",
                                       "times as fast"),
             .rows = put_grid_rows},
    sizes = {.titles = SL_PAPER_TITLES("threads of a block", "fewer warp instructions, %", "times as fast"),
             .rows = put_size_rows},
    programs_table = {.titles =
                          SL_PAPER_TITLES("program", "suite", "warp instructions", "with R2D2", "cycles", "with R2D2"),
                      .rows = put_program_rows};

static void print(const struct sl_paper_runs *runs)
{
  printf("%-42s %8s %8s\n", "", "simtlab", "paper");
  for (const struct measure *m = measures; m < measures + MEASURES; m++) {
    if (!is_measured(runs, m))
      continue;
    printf("%-42s %8.2f ", m->what, number(runs, m));
    if (m->published > 0)
      printf("%8g\n", m->published);
    else
      puts("       -");
  }
}

static const struct sl_paper_section sections[] = {
    {"Summary", .table = &summary, .notes = "Numbers: <a href=\"summary.csv\">summary.csv</a>."},
    {"Figures", .charts = 1},
    {"Machine code", .table = &code, .notes = "The same sources, compiled to RV32. The paper has no such measurement."},
    {"Where energy goes", .table = &energies, .notes = "Numbers: <a href=\"energy.csv\">energy.csv</a>."},
    {"Blocks of backprop (Table 3)",
     "Both kernels of the program. The paper's columns are five sizes named BP_04 to BP_64, the last one misprinted; "
     "it does not state their numbers of blocks.",
     .table = &grids, .shown = has_grids},
    {"Block sizes",
     "Means of the 7 programs of one-dimensional blocks without shared memory, with the same total number of threads.",
     .table = &sizes, .shown = has_sizes},
    {"Programs (Table 2)", .table = &programs_table},
    {.heading = NULL},
};

static const struct sl_paper_file files[] = {
    {"summary.csv", &summary, NULL}, {"energy.csv", &energies, NULL}, {NULL, NULL, NULL}};

const struct sl_paper_report sl_paper_r2d2_report = {.title = "R2D2, reproduced",
                                                     .draw = draw,
                                                     .drawings = true,
                                                     .introduce = introduce,
                                                     .sections = sections,
                                                     .files = files,
                                                     .print = print};
