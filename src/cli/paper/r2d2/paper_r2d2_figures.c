#include "cli/paper/r2d2/paper_r2d2_figures.h"

#include <math.h>
#include <string.h>

/* ---- of a program ------------------------------------------------------------------------------------------------ */

static double percent(double part, double whole)
{
  return whole > 0 ? 100 * part / whole : 0;
}

static double count(const struct sl_r2d2_runs *runs, size_t program, enum sl_r2d2_machine machine, const char *name)
{
  return (double)sl_r2d2_counter(runs, program, machine, name);
}

double sl_r2d2_less(const struct sl_r2d2_runs *runs, size_t program, enum sl_r2d2_machine base,
                    enum sl_r2d2_machine machine, const char *counter)
{
  const double before = count(runs, program, base, counter);
  return percent(before - count(runs, program, machine, counter), before);
}

double sl_r2d2_speed(const struct sl_r2d2_runs *runs, size_t program, enum sl_r2d2_machine base,
                     enum sl_r2d2_machine machine)
{
  const double cycles = count(runs, program, machine, "cycles");
  return cycles > 0 ? count(runs, program, base, "cycles") / cycles : 0;
}

void sl_r2d2_energy(const struct sl_r2d2_runs *runs, size_t program, enum sl_r2d2_machine machine,
                    struct sl_energy *energy)
{
  sl_energy_of(energy, &runs->energies, &runs->machines[machine], runs->runs[program][machine].counters);
}

static double less_energy(const struct sl_r2d2_runs *runs, size_t program, enum sl_r2d2_machine base,
                          enum sl_r2d2_machine machine)
{
  struct sl_energy before, after;
  sl_r2d2_energy(runs, program, base, &before);
  sl_r2d2_energy(runs, program, machine, &after);
  return percent(before.total - after.total, before.total);
}

static double linear_instructions(const struct sl_r2d2_runs *runs, size_t program)
{
  return percent(count(runs, program, SL_R2D2_LINEAR, "linear.coefficients") +
                     count(runs, program, SL_R2D2_LINEAR, "linear.threads") +
                     count(runs, program, SL_R2D2_LINEAR, "linear.blocks"),
                 count(runs, program, SL_R2D2_BASE, "warp_instrs"));
}

/* The share of each part of the linear instructions, and of the others. */
static double linear_part(const struct sl_r2d2_runs *runs, size_t program, const char *part)
{
  return percent(count(runs, program, SL_R2D2_LINEAR, part), count(runs, program, SL_R2D2_BASE, "warp_instrs"));
}

static double other_instructions(const struct sl_r2d2_runs *runs, size_t program)
{
  return linear_part(runs, program, "warp_instrs") - linear_instructions(runs, program);
}

static double linear_cycles(const struct sl_r2d2_runs *runs, size_t program)
{
  return percent(count(runs, program, SL_R2D2_LINEAR, "linear.cycles"),
                 count(runs, program, SL_R2D2_BASE, "sm_cycles"));
}

static double other_cycles(const struct sl_r2d2_runs *runs, size_t program)
{
  const double all = count(runs, program, SL_R2D2_LINEAR, "sm_cycles");
  return percent(all, count(runs, program, SL_R2D2_BASE, "sm_cycles")) - linear_cycles(runs, program);
}

static double ideal(const struct sl_r2d2_runs *runs, size_t program, unsigned machine)
{
  const struct sl_linear_ideals *i = &runs->ideals[program];
  const uint64_t left = machine == 0 ? i->wp : machine == 1 ? i->tb : i->ln;
  return percent((double)i->base - (double)left, (double)i->base);
}

/* ---- means ------------------------------------------------------------------------------------------------------- */

/* The set of programs of a mean; `which` selects within it. */
typedef double value(const struct sl_r2d2_runs *runs, const struct sl_r2d2_measure *measure, size_t program);

static double mean(const struct sl_r2d2_runs *runs, const struct sl_r2d2_measure *measure, value *of, bool geometric)
{
  double sum = 0;
  unsigned programs = 0;
  for (size_t p = 0; p < SL_R2D2_PROGRAMS; p++)
    if (runs->chosen[p]) {
      const double v = of(runs, measure, p);
      sum += geometric ? log(v) : v;
      programs++;
    }
  return programs == 0 ? 0 : geometric ? exp(sum / programs) : sum / programs;
}

/* The name of a mean, and the function that computes a program's value. */
#define MEAN(name, geometric, expression)                                                                              \
  static double name##_of(const struct sl_r2d2_runs *runs, const struct sl_r2d2_measure *m, size_t p)                  \
  {                                                                                                                    \
    (void)m;                                                                                                           \
    return expression;                                                                                                 \
  }                                                                                                                    \
  static double name(const struct sl_r2d2_runs *runs, const struct sl_r2d2_measure *m)                                 \
  {                                                                                                                    \
    return mean(runs, m, name##_of, geometric);                                                                        \
  }

MEAN(mean_wp, false, ideal(runs, p, 0))
MEAN(mean_tb, false, ideal(runs, p, 1))
MEAN(mean_ln, false, ideal(runs, p, 2))
MEAN(mean_less, false, sl_r2d2_less(runs, p, m->base, m->machine, "warp_instrs"))
MEAN(mean_threads, false, sl_r2d2_less(runs, p, m->base, m->machine, "thread_instrs"))
MEAN(mean_speed, true, sl_r2d2_speed(runs, p, m->base, m->machine))
MEAN(mean_energy, false, less_energy(runs, p, m->base, m->machine))
MEAN(mean_instructions, false, linear_instructions(runs, p))
MEAN(mean_cycles, false, linear_cycles(runs, p))
MEAN(mean_coefficients, false, linear_part(runs, p, "linear.coefficients"))
MEAN(mean_threads_part, false, linear_part(runs, p, "linear.threads"))
MEAN(mean_blocks_part, false, linear_part(runs, p, "linear.blocks"))
MEAN(mean_other_instructions, false, other_instructions(runs, p))
MEAN(mean_other_cycles, false, other_cycles(runs, p))

/* Additional cycles in percent, geometric mean. */
static double mean_slower(const struct sl_r2d2_runs *runs, const struct sl_r2d2_measure *m)
{
  return 100 * (1 / mean_speed(runs, m) - 1);
}

const struct sl_r2d2_measure sl_r2d2_measures[SL_R2D2_MEASURES] = {
    {"fewer thread instructions, ideal WP, %", "Figure 4", 27, mean_wp, SL_R2D2_BASE, SL_R2D2_BASE, false},
    {"fewer thread instructions, ideal TB, %", "Figure 4", 22, mean_tb, SL_R2D2_BASE, SL_R2D2_BASE, false},
    {"fewer thread instructions, ideal LN, %", "Figure 4", 33, mean_ln, SL_R2D2_BASE, SL_R2D2_BASE, false},
    {"fewer warp instructions, %", "Figure 12", 28, mean_less, SL_R2D2_BASE, SL_R2D2_LINEAR, false},
    {"fewer thread instructions, %", "not printed", 0, mean_threads, SL_R2D2_BASE, SL_R2D2_LINEAR, false},
    {"times as fast", "Figure 13", 1.25, mean_speed, SL_R2D2_BASE, SL_R2D2_LINEAR, false},
    {"linear instructions, % of the baseline's", "Figure 14", 1, mean_instructions, SL_R2D2_BASE, SL_R2D2_LINEAR,
     false},
    {"cycles with linear instructions, %", "Figure 15", 1, mean_cycles, SL_R2D2_BASE, SL_R2D2_LINEAR, false},
    {"less energy, %", "Figure 16", 17, mean_energy, SL_R2D2_BASE, SL_R2D2_LINEAR, false},
    {"fewer warp instructions: DAC, %", "Figure 12", 20, mean_less, SL_R2D2_BASE, SL_R2D2_DAC, false},
    {"fewer warp instructions: DARSIE, %", "Figure 12", 18, mean_less, SL_R2D2_BASE, SL_R2D2_DARSIE, false},
    {"fewer warp instructions: DARSIE+Scalar, %", "Figure 12", 19, mean_less, SL_R2D2_BASE, SL_R2D2_DARSIE_SCALAR,
     false},
    {"times as fast: DAC", "Figure 13", 1.15, mean_speed, SL_R2D2_BASE, SL_R2D2_DAC, false},
    {"times as fast: DARSIE", "Figure 13", 1.14, mean_speed, SL_R2D2_BASE, SL_R2D2_DARSIE, false},
    {"times as fast: DARSIE+Scalar", "Figure 13", 1.14, mean_speed, SL_R2D2_BASE, SL_R2D2_DARSIE_SCALAR, false},
    {"less energy: DAC, %", "Figure 16", 9, mean_energy, SL_R2D2_BASE, SL_R2D2_DAC, false},
    {"less energy: DARSIE, %", "Figure 16", 8, mean_energy, SL_R2D2_BASE, SL_R2D2_DARSIE, false},
    {"less energy: DARSIE+Scalar, %", "Figure 16", 9, mean_energy, SL_R2D2_BASE, SL_R2D2_DARSIE_SCALAR, false},
    {"fewer warp instructions: machine code, %", "not there", 0, mean_less, SL_R2D2_RISCV_BASE, SL_R2D2_RISCV_LINEAR,
     false},
    {"fewer thread instructions: machine code, %", "not there", 0, mean_threads, SL_R2D2_RISCV_BASE,
     SL_R2D2_RISCV_LINEAR, false},
    {"times as fast: machine code", "not there", 0, mean_speed, SL_R2D2_RISCV_BASE, SL_R2D2_RISCV_LINEAR, false},
    {"slower with r2d2.fetch=7, %", "section 5.4", 1, mean_slower, SL_R2D2_LINEAR, SL_R2D2_FETCH, true},
    {"slower with r2d2.id=5, %", "section 5.4", 1, mean_slower, SL_R2D2_LINEAR, SL_R2D2_ID, true},
    {"slower with r2d2.add=0, %", "not printed", 0, mean_slower, SL_R2D2_LINEAR, SL_R2D2_ADD, true},
    {"slower with r2d2.global_wait=on, %", "not printed", 0, mean_slower, SL_R2D2_LINEAR, SL_R2D2_WAIT, true},
    {"fewer warp instructions, r2d2.ur=block, %", "not printed", 0, mean_less, SL_R2D2_BASE, SL_R2D2_UR_BLOCK, true},
    {"times as fast, r2d2.ur=block", "not printed", 0, mean_speed, SL_R2D2_BASE, SL_R2D2_UR_BLOCK, true},
    {"fewer warp instructions, r2d2.ur=free, %", "not printed", 0, mean_less, SL_R2D2_BASE, SL_R2D2_UR_FREE, true},
    {"times as fast, r2d2.ur=free", "not printed", 0, mean_speed, SL_R2D2_BASE, SL_R2D2_UR_FREE, true},
    {"times as fast, scheduler=lrr", "not printed", 0, mean_speed, SL_R2D2_BASE_LRR, SL_R2D2_LINEAR_LRR, true},
    {"times as fast, 1 SM, twice as full", "not printed", 0, mean_speed, SL_R2D2_BASE_1, SL_R2D2_LINEAR_1, true},
    {"times as fast, 4 SMs", "section 5.8.2", 0, mean_speed, SL_R2D2_BASE_4, SL_R2D2_LINEAR_4, true},
    {"times as fast, 8 SMs", "section 5.8.2", 0, mean_speed, SL_R2D2_BASE_8, SL_R2D2_LINEAR_8, true},
};

bool sl_r2d2_is_measured(const struct sl_r2d2_runs *runs, const struct sl_r2d2_measure *measure)
{
  return !measure->varied || runs->machine_count == SL_R2D2_MACHINES;
}

double sl_r2d2_share(const struct sl_r2d2_runs *runs, enum sl_r2d2_machine machine, enum sl_energy_event event)
{
  struct sl_energy base, other;
  double sum = 0;
  unsigned programs = 0;
  for (size_t p = 0; p < SL_R2D2_PROGRAMS; p++)
    if (runs->chosen[p]) {
      sl_r2d2_energy(runs, p, SL_R2D2_BASE, &base);
      sl_r2d2_energy(runs, p, machine, &other);
      sum += percent(other.picojoules[event], base.total);
      programs++;
    }
  return programs > 0 ? sum / programs : 0;
}

struct sl_r2d2_grid sl_r2d2_grid(const struct sl_r2d2_runs *runs, size_t n)
{
  const size_t forward = SL_R2D2_PROGRAMS + 2 * n, adjust = forward + 1;
  double instructions[2], cycles[2];
  for (enum sl_r2d2_machine m = SL_R2D2_BASE; m <= SL_R2D2_LINEAR; m++) {
    instructions[m] = count(runs, forward, m, "warp_instrs") + count(runs, adjust, m, "warp_instrs");
    cycles[m] = count(runs, forward, m, "cycles") + count(runs, adjust, m, "cycles");
  }
  return (struct sl_r2d2_grid){sl_r2d2_programs[forward].blocks,
                               percent(instructions[0] - instructions[1], instructions[0]),
                               cycles[1] > 0 ? cycles[0] / cycles[1] : 0};
}

struct sl_r2d2_size sl_r2d2_size(const struct sl_r2d2_runs *runs, size_t n)
{
  const size_t first = SL_R2D2_FIRST_SIZED + n * SL_R2D2_SIZED;
  double less = 0, speed = 0;
  for (size_t p = first; p < first + SL_R2D2_SIZED; p++) {
    less += sl_r2d2_less(runs, p, SL_R2D2_BASE, SL_R2D2_LINEAR, "warp_instrs");
    speed += log(sl_r2d2_speed(runs, p, SL_R2D2_BASE, SL_R2D2_LINEAR));
  }
  return (struct sl_r2d2_size){sl_r2d2_programs[first].threads, less / SL_R2D2_SIZED, exp(speed / SL_R2D2_SIZED)};
}

/* ---- charts ------------------------------------------------------------------------------------------------------ */

/* A series of a chart: each program's value, and last their mean, a measure of the summary. */
static void draw_series(const struct sl_r2d2_runs *runs, struct sl_chart *chart, const char *name, value *of,
                        const struct sl_r2d2_measure *mean_of)
{
  struct sl_chart_series *s = &chart->series[chart->series_count++];
  s->name = name;
  chart->group_count = 0;
  for (size_t p = 0; p < SL_R2D2_PROGRAMS; p++)
    if (runs->chosen[p]) {
      s->value[chart->group_count] = of(runs, mean_of, p);
      chart->groups[chart->group_count++] = sl_r2d2_programs[p].name;
    }
  s->value[chart->group_count] = mean_of->number(runs, mean_of);
  s->published[chart->group_count] = (struct sl_chart_published){mean_of->published, mean_of->published > 0};
  chart->groups[chart->group_count++] = "mean";
}

static struct sl_chart begin(const char *id, const char *title, const char *unit)
{
  return (struct sl_chart){.id = id, .title = title, .unit = unit, .group_title = "benchmark", .mean_last = true};
}

/* R2D2 and its baselines: three measures of the summary. */
static void draw_rivals(const struct sl_r2d2_runs *runs, struct sl_chart *chart, value *of,
                        const struct sl_r2d2_measure *linear, const struct sl_r2d2_measure *rivals)
{
  draw_series(runs, chart, "DAC", of, &rivals[0]);
  draw_series(runs, chart, "DARSIE", of, &rivals[1]);
  draw_series(runs, chart, "DARSIE+Scalar", of, &rivals[2]);
  draw_series(runs, chart, "R2D2", of, linear);
}

SL_HOLDS(SL_CHART_GROUPS, SL_R2D2_PROGRAMS + 1, "programs and their mean");

void sl_r2d2_draw(const struct sl_r2d2_runs *runs, struct sl_chart charts[SL_R2D2_CHARTS])
{
  /* Values that only charts show. */
  static const struct sl_r2d2_measure parts[] = {
      {"coefficients", "Figure 14", 0, mean_coefficients, SL_R2D2_BASE, SL_R2D2_LINEAR, false},
      {"threads' part", "Figure 14", 0, mean_threads_part, SL_R2D2_BASE, SL_R2D2_LINEAR, false},
      {"block's part", "Figure 14", 0, mean_blocks_part, SL_R2D2_BASE, SL_R2D2_LINEAR, false},
      {"what is left", "Figure 14", 0, mean_other_instructions, SL_R2D2_BASE, SL_R2D2_LINEAR, false},
      {"what is left", "Figure 15", 0, mean_other_cycles, SL_R2D2_BASE, SL_R2D2_LINEAR, false}};
  const struct sl_r2d2_measure *m = sl_r2d2_measures;
  charts[0] = begin("figure4", "Thread instructions that ideal machines eliminate", "% of the baseline's");
  draw_series(runs, &charts[0], "WP", mean_wp_of, &m[0]);
  draw_series(runs, &charts[0], "TB", mean_tb_of, &m[1]);
  draw_series(runs, &charts[0], "LN", mean_ln_of, &m[2]);
  charts[1] = begin("figure12", "Warp instructions eliminated", "% of the baseline's");
  draw_rivals(runs, &charts[1], mean_less_of, &m[3], &m[9]);
  charts[2] = begin("figure13", "Speedup over the baseline", "times as fast");
  draw_rivals(runs, &charts[2], mean_speed_of, &m[5], &m[12]);
  charts[3] =
      begin("figure14", "Linear instructions, their parts, and the remaining instructions", "% of the baseline's");
  draw_series(runs, &charts[3], "coefficients", mean_coefficients_of, &parts[0]);
  draw_series(runs, &charts[3], "threads' part", mean_threads_part_of, &parts[1]);
  draw_series(runs, &charts[3], "block's part", mean_blocks_part_of, &parts[2]);
  draw_series(runs, &charts[3], "linear", mean_instructions_of, &m[6]);
  draw_series(runs, &charts[3], "what is left", mean_other_instructions_of, &parts[3]);
  charts[4] = begin("figure15", "Cycles of SMs with linear instructions, and without", "% of the baseline's");
  draw_series(runs, &charts[4], "linear", mean_cycles_of, &m[7]);
  draw_series(runs, &charts[4], "what is left", mean_other_cycles_of, &parts[4]);
  charts[5] = begin("figure16", "Energy saved", "% of the baseline's");
  draw_rivals(runs, &charts[5], mean_energy_of, &m[8], &m[15]);
}
