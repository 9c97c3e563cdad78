/* Sampled timing of a program of many launches: some are timed, the others execute without timing, after PKA (Baddouh
 * et al., MICRO 2021) and Sieve (Naderan-Tahan et al., ISPASS 2023), with random instead of representative launches.
 *
 * A cluster is the launches of one kernel with one block size, one amount of shared memory and one power of four of
 * blocks, rounded down. Its first launches, F of them, are timed. Then intervals of launches follow, each of the
 * launches before it divided by F and one more. One launch of each interval is timed, at a place drawn from the seed.
 * So the number of timed launches grows with the logarithm of the launches, and the length of the program need not be
 * known.
 *
 * What a launch executes is known when it has ended. Its work is its warp instructions and, so that divergence counts,
 * its thread instructions divided by 32. The counters of an untimed launch are the means of the timed launches with the
 * same work. If there are none, they are interpolated between the means of the nearest
 * timed launches below and above, SL_NEIGHBOURS each and those that are equal to them. Means are weighted with the
 * untimed launches of intervals. So a cluster needs no division into strata, whose borders would depend on the samples.
 *
 * The sum of predictions is linear in the timed launches. Its 95 % interval is that of a prediction with Student's t.
 * The variance of a timed launch is its squared difference from what the other timed launches predict for it (the
 * jackknife; Efron and Stein, Annals of Statistics 9, 1981), so that it includes the error of interpolation. The
 * degrees of freedom are Satterthwaite's. The interval also has a bias: how much launches that are timed after a
 * skip differ from those before the first skip. A skip changes open rows, the age of lines and the turns
 * of SMs, which a program that repeats itself brings into a rhythm.
 *
 * A timed launch needs in L2 what the untimed ones before it have accessed. So untimed launches tell L2 their accesses
 * while the next launch of a cluster is one to be timed. */
#ifndef SL_ENGINE_LAUNCH_SAMPLING_H
#define SL_ENGINE_LAUNCH_SAMPLING_H

#include "machine/machine.h"

enum {
  SL_LAUNCHES_FIRST = 12, /* of the automatic plan: launches of a cluster that are timed at first */
  SL_NEIGHBOURS = 2,
  SL_CLUSTER_NAME = 256
};

/* What is known of a launch before it begins. */
struct sl_launch_key {
  const void *module;
  const char *kernel;
  uint32_t grid[3], block[3], shared;
};

/* A cluster so far. */
struct sl_launch_cluster {
  char kernel[SL_CLUSTER_NAME];
  uint32_t block[3], shared;
  uint64_t least_blocks, most_blocks;
  uint64_t launches, timed, warp_instructions;
};

/* A counter over launches, and half of its 95 % confidence interval; not finite: unknown. */
struct sl_launch_sum {
  double value, bar;
};

struct sl_launch_sampler;

/* `first`: launches of a cluster that are timed at first, from 1. SL_INTERNAL: out of memory. */
enum sl_status sl_launch_sampler_open(struct sl_launch_sampler **sampler, const struct sl_counters *counters,
                                      uint64_t first, uint64_t seed, struct sl_error *err);
void sl_launch_sampler_close(struct sl_launch_sampler *sampler);

/* Begins a launch: whether it is timed. */
bool sl_launch_sampler_begin(struct sl_launch_sampler *sampler, const struct sl_launch_key *key);

/* Whether an untimed launch that begins now tells L2 its accesses. */
bool sl_launch_sampler_warms(const struct sl_launch_sampler *sampler);

/* Ends the launch with its counters, which are those of functional execution if it was not timed; NULL: it has failed
 * and is no sample. Returns the cycles of an untimed launch as the launches so far predict them; else 0. */
double sl_launch_sampler_end(struct sl_launch_sampler *sampler, uint64_t warp_instructions, const uint64_t *counters);

/* Predicts by all launches so far. The functions below use them. */
void sl_launch_sampler_settle(struct sl_launch_sampler *sampler);

size_t sl_launch_sampler_clusters(const struct sl_launch_sampler *sampler);
struct sl_launch_cluster sl_launch_sampler_cluster(const struct sl_launch_sampler *sampler, size_t cluster);
uint64_t sl_launch_sampler_untimed(const struct sl_launch_sampler *sampler); /* launches */

/* Replaces the counters of launch `number` by predictions, if it was untimed; returns whether it was. Counters that
 * functional execution counts as well stay as they are. */
bool sl_launch_sampler_predict(const struct sl_launch_sampler *sampler, size_t number, uint64_t *counters);

/* A counter over the launches of a cluster, and over all. */
struct sl_launch_sum sl_launch_sampler_of_cluster(const struct sl_launch_sampler *sampler, size_t cluster,
                                                  size_t counter);
struct sl_launch_sum sl_launch_sampler_sum(const struct sl_launch_sampler *sampler, size_t counter);

#endif
