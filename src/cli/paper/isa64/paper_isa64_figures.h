/* What the runs of the evaluation come to: the paper's table and figures, and charts of what goes beyond it. */
#ifndef SL_CLI_PAPER_ISA64_FIGURES_H
#define SL_CLI_PAPER_ISA64_FIGURES_H

#include "cli/paper/isa64/paper_isa64.h"
#include "observe/chart.h"

/* The paper's compilers: baseline, bank-unaware, bank-aware. Ours of the same places: stock, unaware, first-fit. */
enum { SL_ISA64_PUBLISHED = 3 };

/* A row of numbers as published. */
struct sl_isa64_measure {
  const char *what, *where;
  enum sl_isa64_part part;
  const char *counter; /* NULL: conflicts in the program as it stands */
  double published[SL_ISA64_PUBLISHED];
  const char *remark; /* why ours differ */
};

enum { SL_ISA64_MEASURES = 7 };
extern const struct sl_isa64_measure sl_isa64_measures[SL_ISA64_MEASURES];

double sl_isa64_measured(const struct sl_isa64_runs *runs, const struct sl_isa64_measure *measure,
                         enum sl_isa64_compiler compiler);

/* Loads and stores of the stack. */
uint64_t sl_isa64_stack(const struct sl_isa64_runs *runs, const struct sl_isa64_run *run);

/* A kernel of bench-vortex/ by a compiler for so many registers and banks; stock code has 32 of them. */
const struct sl_isa64_run *sl_isa64_kernel(const struct sl_isa64_runs *runs, enum sl_isa64_part part,
                                           enum sl_isa64_compiler compiler, unsigned registers, unsigned banks);

/* Its cycles by those of RV32 on `vortex` with as many banks as are usual, in percent; the mean over the kernels. */
double sl_isa64_time(const struct sl_isa64_runs *runs, enum sl_isa64_part part, enum sl_isa64_compiler compiler,
                     unsigned registers, unsigned banks);
double sl_isa64_mean_time(const struct sl_isa64_runs *runs, enum sl_isa64_compiler compiler, unsigned registers,
                          unsigned banks);

/* Whether any kernel of bench-vortex/ is among those chosen. */
bool sl_isa64_has_kernels(const struct sl_isa64_runs *runs);

/* Charts of the chosen parts, in the order of the page. */
enum { SL_ISA64_CHARTS = 16 };

struct sl_isa64_charts {
  struct sl_chart chart[SL_ISA64_CHARTS];
  enum sl_isa64_part part[SL_ISA64_CHARTS]; /* which section has it */
  size_t count;
  char names[2][SL_ISA64_STEPS][16]; /* of groups: tiles; numbers */
};

void sl_isa64_draw(const struct sl_isa64_runs *runs, struct sl_isa64_charts *charts);

/* The tables as CSV; the context is the runs. */
void sl_isa64_put_paper(FILE *file, const void *runs);
void sl_isa64_put_tiles(FILE *file, const void *runs);
void sl_isa64_put_calls(FILE *file, const void *runs);
void sl_isa64_put_kernels(FILE *file, const void *runs);

/* The summary, on standard output. */
void sl_isa64_print(const struct sl_isa64_runs *runs);

/* The page. */
struct sl_isa64_page {
  const struct sl_isa64_runs *runs;
  const struct sl_isa64_charts *charts;
};
void sl_isa64_put_page(FILE *file, const void *page);

#endif
