/* Where a run's host time goes: samples of the calling thread's program counter, 5000 per second of its user time, by
 * part of simtlab.
 *
 * The kernel takes the samples (Linux, perf_event_open with its CPU clock, which virtual machines have), so nothing in
 * the simulation knows of them. The part follows from the symbol table of the executable. Time in a function that the
 * compiler has inlined counts for its caller. There are no shares without permission, nor without a table that names
 * source files: in a stripped executable, and after link-time optimisation. */
#ifndef SL_CLI_HOST_SHARES_H
#define SL_CLI_HOST_SHARES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum sl_host_share {
  SL_SHARE_PIPELINE,
  SL_SHARE_MEMORY,
  SL_SHARE_VALUES,
  SL_SHARE_DIVERGENCE,
  SL_SHARE_HOST,
  SL_SHARE_OTHER, /* loading, checks of results, libraries */
  SL_SHARES
};

extern const char *const sl_host_share_names[SL_SHARES];

struct sl_host_symbol {
  uint64_t first, end;
  enum sl_host_share share;
};

/* The functions of this executable in order of their addresses. */
struct sl_host_symbols {
  struct sl_host_symbol *of;
  size_t count; /* 0: not known */
};

/* Reads them; there may be none. */
void sl_host_symbols_open(struct sl_host_symbols *symbols);
void sl_host_symbols_close(struct sl_host_symbols *symbols);

struct sl_host_samples {
  int file; /* -1: not available */
  void *ring;
  uint64_t count[SL_SHARES];
  bool lost; /* the ring was full */
};

/* Prepares sampling of the calling thread, which must also resume, pause and close. Returns false if it is not
 * available. */
bool sl_host_samples_open(struct sl_host_samples *samples);
void sl_host_samples_resume(struct sl_host_samples *samples);
/* Adds the samples to the counts. */
void sl_host_samples_pause(struct sl_host_samples *samples, const struct sl_host_symbols *symbols);
void sl_host_samples_close(struct sl_host_samples *samples);

#endif
