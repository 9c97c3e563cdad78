/* Figures of the evaluation: the paper's figures and tables, with the paper's kinds of means. */
#ifndef SL_CLI_PAPER_R2D2_FIGURES_H
#define SL_CLI_PAPER_R2D2_FIGURES_H

#include "cli/paper/r2d2/paper_r2d2.h"
#include "observe/chart.h"
#include "observe/energy/energy.h"

/* A number of the summary; `number` computes it for the chosen programs. */
struct sl_r2d2_measure {
  const char *what, *where;
  double published; /* 0: not published */
  double (*number)(const struct sl_r2d2_runs *runs, const struct sl_r2d2_measure *measure);
  enum sl_r2d2_machine base, machine;
  bool varied; /* not at size small */
};

enum { SL_R2D2_MEASURES = 33 };
extern const struct sl_r2d2_measure sl_r2d2_measures[SL_R2D2_MEASURES];

bool sl_r2d2_is_measured(const struct sl_r2d2_runs *runs, const struct sl_r2d2_measure *measure);

/* A program's saved warp instructions and shares, in percent, and its speedup. */
double sl_r2d2_less(const struct sl_r2d2_runs *runs, size_t program, enum sl_r2d2_machine base,
                    enum sl_r2d2_machine machine, const char *counter);
double sl_r2d2_speed(const struct sl_r2d2_runs *runs, size_t program, enum sl_r2d2_machine base,
                     enum sl_r2d2_machine machine);

/* Energy with the set titanv. */
void sl_r2d2_energy(const struct sl_r2d2_runs *runs, size_t program, enum sl_r2d2_machine machine,
                    struct sl_energy *energy);
double sl_r2d2_share(const struct sl_r2d2_runs *runs, enum sl_r2d2_machine machine, enum sl_energy_event event);

/* Table 3: both kernels of backprop with the n-th number of blocks; reduction of warp instructions, and speedup. */
struct sl_r2d2_grid {
  unsigned blocks;
  double less, speed;
};
struct sl_r2d2_grid sl_r2d2_grid(const struct sl_r2d2_runs *runs, size_t n);

/* The same, as means over the programs of one-dimensional blocks with the n-th block size. */
struct sl_r2d2_size {
  unsigned threads;
  double less, speed;
};
struct sl_r2d2_size sl_r2d2_size(const struct sl_r2d2_runs *runs, size_t n);

enum { SL_R2D2_CHARTS = 6 };
void sl_r2d2_draw(const struct sl_r2d2_runs *runs, struct sl_chart charts[SL_R2D2_CHARTS]);

#endif
