/* Figures of the evaluation: the paper's table and figures, and further charts. */
#ifndef SL_CLI_PAPER_ISA64_FIGURES_H
#define SL_CLI_PAPER_ISA64_FIGURES_H

#include "cli/paper/isa64/paper_isa64.h"
#include "observe/chart.h"

/* The paper's compilers (baseline, bank-unaware, bank-aware), and the corresponding ones of simtlab: stock, unaware,
 * first-fit. */
enum { SL_ISA64_PUBLISHED = 3 };

/* A row of published numbers. */
struct sl_isa64_measure {
  const char *what, *where;
  enum sl_isa64_part part;
  const char *counter; /* NULL: static conflicts of the program */
  double published[SL_ISA64_PUBLISHED];
  const char *remark; /* why simtlab's numbers differ */
};

enum { SL_ISA64_MEASURES = 7 };
extern const struct sl_isa64_measure sl_isa64_measures[SL_ISA64_MEASURES];

double sl_isa64_measured(const struct sl_isa64_runs *runs, const struct sl_isa64_measure *measure,
                         enum sl_isa64_compiler compiler);

/* Loads and stores of the stack. */
uint64_t sl_isa64_stack(const struct sl_isa64_runs *runs, const struct sl_isa64_run *run);

/* A kernel of bench-vortex/ by compiler, registers and banks; stock code has 32 registers. */
const struct sl_isa64_run *sl_isa64_kernel(const struct sl_isa64_runs *runs, enum sl_isa64_part part,
                                           enum sl_isa64_compiler compiler, unsigned registers, unsigned banks);

/* Its cycles relative to RV32 on `vortex` with the usual number of banks, in percent; and the mean over the kernels. */
double sl_isa64_time(const struct sl_isa64_runs *runs, enum sl_isa64_part part, enum sl_isa64_compiler compiler,
                     unsigned registers, unsigned banks);
double sl_isa64_mean_time(const struct sl_isa64_runs *runs, enum sl_isa64_compiler compiler, unsigned registers,
                          unsigned banks);

/* Whether any kernel of bench-vortex/ was chosen. */
bool sl_isa64_has_kernels(const struct sl_isa64_runs *runs);

/* Charts of the chosen parts, in the order of the page. */
enum { SL_ISA64_CHARTS = 16 };

struct sl_isa64_charts {
  struct sl_chart chart[SL_ISA64_CHARTS];
  enum sl_isa64_part part[SL_ISA64_CHARTS]; /* section that shows it */
  size_t count;
  char names[2][SL_ISA64_STEPS][16]; /* labels of groups: tiles, numbers */
};

void sl_isa64_draw(const struct sl_isa64_runs *runs, struct sl_isa64_charts *charts);

/* Write the tables as CSV; the context is the runs. */
void sl_isa64_put_paper(FILE *file, const void *runs);
void sl_isa64_put_tiles(FILE *file, const void *runs);
void sl_isa64_put_calls(FILE *file, const void *runs);
void sl_isa64_put_kernels(FILE *file, const void *runs);

/* Prints the summary to standard output. */
void sl_isa64_print(const struct sl_isa64_runs *runs);

/* Writes the page. */
struct sl_isa64_page {
  const struct sl_isa64_runs *runs;
  const struct sl_isa64_charts *charts;
};
void sl_isa64_put_page(FILE *file, const void *page);

#endif
