#include "device/engine/launch_sampling.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/shuffle.h"
#include "device/engine/sampling.h"

enum {
  TIMED = UINT32_MAX, /* instead of the cluster of an untimed launch */
  SETTLED = 16        /* timed launches in succession, after which no skip disturbs the next one */
};

/* A timed launch. */
struct sample {
  uint64_t begin; /* the first launch of its interval, from 1 */
  double work;
  double weight; /* untimed launches of its interval */
  bool after;    /* it follows a skip */
  double of[SL_MAX_COUNTERS];
};

/* The timed launches with the same work. */
struct point {
  double work;
  double weight, mean[SL_MAX_COUNTERS];
  size_t count;
  double share; /* of it in the sum of predictions */
};

/* A sum of predictions. */
struct sum {
  double value, variance;
  double per_freedom; /* of clusters: the sum of squared variances, each divided by its degrees of freedom */
  double predicted;   /* part of the value */
  double bias;        /* below 0: unknown */
};

struct cluster {
  const void *module;
  unsigned size; /* power of four of blocks */
  struct sl_launch_cluster is;
  uint64_t begin, end, goal; /* launches of the interval, and the one that is timed */
  uint64_t latest, period;   /* launches of the program: the latest of this cluster, and from the one before to it */
  double *untimed;           /* work of the untimed launches */
  size_t untimed_count;
  struct sample *sample;
  size_t count;
  struct point *point; /* in the order of work */
  size_t points, seen; /* seen: samples in them */
  struct sum sum[SL_MAX_COUNTERS];
};

struct sl_launch_sampler {
  const struct sl_counters *counters;
  size_t cycles;
  uint64_t first, random, untimed;
  struct cluster **cluster;
  size_t clusters;
  uint32_t *cluster_of; /* of each launch */
  size_t launches;
  size_t current;  /* cluster of the current launch */
  bool timed;      /* the current launch */
  uint64_t streak; /* timed launches in succession before it; since the program's start: more than any number */
  bool lost;       /* no memory for a launch */
  bool exact[SL_MAX_COUNTERS];
};

enum sl_status sl_launch_sampler_open(struct sl_launch_sampler **sampler, const struct sl_counters *counters,
                                      uint64_t first, uint64_t seed, struct sl_error *err)
{
  struct sl_launch_sampler *s = *sampler = calloc(1, sizeof *s);
  if (s == NULL)
    return sl_no_memory(err, sizeof *s);
  s->counters = counters;
  s->first = first;
  s->random = seed;
  s->streak = UINT64_MAX;
  for (size_t i = 0; i < counters->count; i++) {
    s->exact[i] = counters->counter[i].role == SL_COUNTER_GREATEST;
    if (counters->counter[i].role == SL_COUNTER_CYCLES)
      s->cycles = i;
  }
  return SL_OK;
}

void sl_launch_sampler_close(struct sl_launch_sampler *s)
{
  if (s == NULL)
    return;
  for (size_t i = 0; i < s->clusters; i++) {
    free(s->cluster[i]->sample);
    free(s->cluster[i]->untimed);
    free(s->cluster[i]->point);
    free(s->cluster[i]);
  }
  free(s->cluster);
  free(s->cluster_of);
  free(s);
}

/* ---- choice of launches ------------------------------------------------------------------------------------------ */

static unsigned power_of_two(uint64_t n)
{
  return n == 0 ? 0 : 63 - (unsigned)__builtin_clzll(n);
}

/* Plans the interval from launch `begin` of the cluster on. */
static void plan(struct sl_launch_sampler *s, struct cluster *c, uint64_t begin)
{
  const uint64_t length = begin <= s->first ? 1 : 1 + (begin - 1) / s->first;
  c->begin = begin;
  c->end = begin + length - 1;
  c->goal = begin + (length > 1 ? sl_mixed(s->random++) % length : 0);
}

static bool add_cluster(struct sl_launch_sampler *s, const struct sl_launch_key *key, unsigned size)
{
  if (!SL_GROW(s->cluster, s->clusters))
    return false;
  struct cluster *c = s->cluster[s->clusters] = calloc(1, sizeof *c);
  if (c == NULL)
    return false;
  s->clusters++;
  c->module = key->module;
  c->size = size;
  c->period = 1;
  c->is.shared = key->shared;
  c->is.least_blocks = UINT64_MAX;
  snprintf(c->is.kernel, sizeof c->is.kernel, "%s", key->kernel);
  memcpy(c->is.block, key->block, sizeof c->is.block);
  plan(s, c, 1);
  return true;
}

/* The index of the launch's cluster; that behind the last: no memory. */
static size_t find_cluster(struct sl_launch_sampler *s, const struct sl_launch_key *key, uint64_t blocks)
{
  const unsigned size = power_of_two(blocks) / 2;
  for (size_t i = 0; i < s->clusters; i++) {
    const struct cluster *c = s->cluster[i];
    if (c->module == key->module && c->size == size && c->is.shared == key->shared &&
        memcmp(c->is.block, key->block, sizeof c->is.block) == 0 &&
        strncmp(c->is.kernel, key->kernel, sizeof c->is.kernel - 1) == 0)
      return i;
  }
  return add_cluster(s, key, size) ? s->clusters - 1 : s->clusters;
}

bool sl_launch_sampler_begin(struct sl_launch_sampler *s, const struct sl_launch_key *key)
{
  uint64_t blocks = 1;
  for (unsigned i = 0; i < 3; i++)
    blocks *= key->grid[i] > 0 ? key->grid[i] : 1;
  s->current = find_cluster(s, key, blocks);
  s->timed = true;
  s->lost |= s->current == s->clusters || !SL_GROW(s->cluster_of, s->launches);
  if (s->lost)
    return true;
  struct cluster *c = s->cluster[s->current];
  const uint64_t number = ++c->is.launches;
  if (s->launches > 0)
    s->streak = s->cluster_of[s->launches - 1] != TIMED ? 0 : s->streak + (s->streak < UINT64_MAX);
  s->timed = number == c->goal;
  s->cluster_of[s->launches++] = s->timed ? TIMED : (uint32_t)s->current;
  c->period = number > 1 ? s->launches - c->latest : 1;
  c->latest = s->launches;
  c->is.least_blocks = blocks < c->is.least_blocks ? blocks : c->is.least_blocks;
  c->is.most_blocks = blocks > c->is.most_blocks ? blocks : c->is.most_blocks;
  return s->timed;
}

/* A cluster whose launches no longer come is forgotten after a while. */
bool sl_launch_sampler_warms(const struct sl_launch_sampler *s)
{
  for (size_t i = 0; i < s->clusters; i++) {
    const struct cluster *c = s->cluster[i];
    const bool next = c->is.launches + 1 == c->goal || c->is.launches == c->end;
    if (next && s->launches - c->latest <= 2 * c->period + 1)
      return true;
  }
  return false;
}

/* Warp instructions, and thread instructions in full warps. */
static double work_of(const struct sl_launch_sampler *s, const uint64_t *counters)
{
  enum { LANES = 32 };
  uint64_t work = 0;
  for (size_t i = 0; i < s->counters->count; i++) {
    const enum sl_counter_role role = s->counters->counter[i].role;
    work += role == SL_COUNTER_WARP_INSTRUCTIONS     ? LANES * counters[i]
            : role == SL_COUNTER_THREAD_INSTRUCTIONS ? counters[i]
                                                     : 0;
  }
  return (double)work / LANES;
}

static void add_sample(struct sl_launch_sampler *s, struct cluster *c, double work, const uint64_t *counters)
{
  if (!SL_GROW(c->sample, c->count)) {
    s->lost = true;
    return;
  }
  struct sample *sample = &c->sample[c->count++];
  *sample = (struct sample){.begin = c->begin, .work = work, .after = s->streak < SETTLED};
  for (size_t i = 0; i < s->counters->count; i++)
    sample->of[i] = (double)counters[i];
  c->is.timed++;
}

/* ---- prediction -------------------------------------------------------------------------------------------------- */

/* A timed launch stands for the untimed ones of its interval. The last interval is as long as it has become; where its
 * launch has not come, that of the one before stands for it. The launches that are timed one by one stand for none:
 * their small weight only matters where no other launch executes alike. */
static void weigh(struct cluster *c)
{
  const double least = 0.05;
  for (size_t i = 0; i < c->count; i++) {
    const uint64_t end = i + 1 < c->count ? c->sample[i + 1].begin : c->is.launches + 1;
    c->sample[i].weight = fmax(least, (double)(end - c->sample[i].begin - 1));
  }
}

/* The first point with at least as many instructions. */
static size_t find_point(const struct cluster *c, double work)
{
  size_t low = 0, high = c->points;
  while (low < high) {
    const size_t middle = (low + high) / 2;
    if (c->point[middle].work < work)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static bool add_point(struct cluster *c, size_t at, double work)
{
  if (at < c->points && c->point[at].work == work)
    return true;
  if (!SL_GROW(c->point, c->points))
    return false;
  memmove(&c->point[at + 1], &c->point[at], (c->points - at) * sizeof *c->point);
  c->point[at] = (struct point){.work = work};
  c->points++;
  return true;
}

/* Makes the points of the samples so far. */
static bool make_points(struct cluster *c, size_t counters)
{
  c->points = 0;
  c->seen = c->count;
  weigh(c);
  for (size_t i = 0; i < c->count; i++) {
    const struct sample *s = &c->sample[i];
    const size_t at = find_point(c, s->work);
    if (!add_point(c, at, s->work))
      return false;
    struct point *p = &c->point[at];
    p->count++;
    p->weight += s->weight;
    for (size_t k = 0; k < counters; k++)
      p->mean[k] += (s->of[k] - p->mean[k]) * s->weight / p->weight;
  }
  return true;
}

/* Points and their shares in a prediction. */
struct neighbours {
  size_t point[2 * SL_NEIGHBOURS + 2];
  double share[2 * SL_NEIGHBOURS + 2];
  unsigned count;
};

/* Points on one side. */
struct side {
  size_t point[SL_NEIGHBOURS];
  double weight[SL_NEIGHBOURS], all, mean; /* mean: work */
  unsigned points;
};

/* From a point on, upwards or downwards, until there are enough samples. */
static struct side side_of(const struct cluster *c, size_t from, int step)
{
  struct side side = {.points = 0};
  size_t samples = 0;
  for (size_t i = from; i < c->points && samples < SL_NEIGHBOURS; i += (size_t)step) { /* below 0 it wraps around */
    const struct point *p = &c->point[i];
    samples += p->count;
    side.point[side.points] = i;
    side.weight[side.points++] = p->weight;
    side.all += p->weight;
    side.mean += p->weight * p->work;
  }
  side.mean /= side.all;
  return side;
}

static void take(struct neighbours *n, const struct side *side, double share)
{
  for (unsigned i = 0; i < side->points; i++) {
    n->point[n->count] = side->point[i];
    n->share[n->count++] = share * side->weight[i] / side->all;
  }
}

/* The neighbours that predict a launch; `without`: one that is left out, or NULL. No neighbours: there is no timed
 * launch. */
static struct neighbours find_neighbours(const struct cluster *c, double work, const struct sample *without)
{
  struct neighbours n = {.count = 0};
  const size_t at = find_point(c, work);
  const bool same = at < c->points && c->point[at].work == work;
  if (same && c->point[at].count > (without != NULL)) {
    n.point[n.count] = at;
    n.share[n.count++] = 1;
    return n;
  }
  const struct side below = side_of(c, at - 1, -1), above = side_of(c, same ? at + 1 : at, 1);
  if (below.points > 0 && above.points > 0) {
    const double part = (work - below.mean) / (above.mean - below.mean);
    take(&n, &below, 1 - part);
    take(&n, &above, part);
  } else { /* halfway between a constant and proportion */
    take(&n, &below, (1 + work / below.mean) / 2);
    take(&n, &above, (1 + work / above.mean) / 2);
  }
  return n;
}

/* The prediction; without a sample, of its point the others are left. */
static double predict(const struct cluster *c, const struct neighbours *n, size_t counter, const struct sample *without)
{
  double value = 0;
  for (unsigned i = 0; i < n->count; i++) {
    const struct point *p = &c->point[n->point[i]];
    double mean = p->mean[counter];
    if (without != NULL && p->work == without->work)
      mean += (mean - without->of[counter]) * without->weight / (p->weight - without->weight);
    value += n->share[i] * mean;
  }
  return value;
}

static int ascending(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* The share of each point in the sum of predictions. */
static void sum_shares(struct cluster *c)
{
  struct neighbours n = {.count = 0};
  if (c->untimed_count > 0)
    qsort(c->untimed, c->untimed_count, sizeof *c->untimed, ascending);
  for (size_t i = 0; i < c->untimed_count; i++) {
    if (i == 0 || c->untimed[i] != c->untimed[i - 1])
      n = find_neighbours(c, c->untimed[i], NULL);
    for (unsigned k = 0; k < n.count; k++)
      c->point[n.point[k]].share += n.share[k];
  }
}

/* Residuals of timed launches, [1] of those after a skip. */
struct residuals {
  double count[2], sum[2][SL_MAX_COUNTERS];
};

/* Adds a sample, and what is predicted by it, to the cluster's sums. The first launches find cold caches, and take time
 * to settle into a rhythm: they have no residual. */
static void add_sums(struct cluster *c, const struct sample *s, double share, struct residuals *r, uint64_t cold,
                     size_t counters)
{
  const struct neighbours n = find_neighbours(c, s->work, s);
  const double variants = share * share + share; /* of the prediction, and of the untimed launches around it */
  const bool counts = n.count > 0 && s->begin > cold;
  r->count[s->after] += counts;
  for (size_t k = 0; k < counters; k++) {
    const double residual = n.count > 0 ? s->of[k] - predict(c, &n, k, s) : INFINITY;
    c->sum[k].value += (1 + share) * s->of[k];
    c->sum[k].predicted += share * s->of[k];
    c->sum[k].variance += share > 0 ? variants * residual * residual : 0;
    r->sum[s->after][k] += counts ? residual : 0;
  }
}

/* How much launches after a skip differ from the others; below 0: unknown. */
static double bias_of(const struct residuals *r, size_t counter)
{
  enum { LEAST = 2 };
  if (r->count[0] < LEAST || r->count[1] < LEAST)
    return -1;
  return fabs(r->sum[1][counter] / r->count[1] - r->sum[0][counter] / r->count[0]);
}

static void settle(struct cluster *c, uint64_t cold, size_t counters)
{
  double all = 0, squares = 0;
  struct residuals residuals = {.count = {0}};
  memset(c->sum, 0, sizeof c->sum);
  sum_shares(c);
  for (size_t i = 0; i < c->count; i++) {
    const struct sample *s = &c->sample[i];
    const struct point *p = &c->point[find_point(c, s->work)];
    const double share = p->share * s->weight / p->weight;
    all += share * share + share;
    squares += (share * share + share) * (share * share + share);
    add_sums(c, s, share, &residuals, cold, counters);
  }
  for (size_t k = 0; k < counters; k++) {
    struct sum *sum = &c->sum[k];
    const double freedom = squares > 0 ? all * all / squares - 1 : 1;
    sum->variance = c->count == 0 && c->untimed_count > 0 ? INFINITY : sum->variance;
    sum->per_freedom = sum->variance * sum->variance / fmax(freedom, 1);
    sum->bias = bias_of(&residuals, k) * ((double)c->untimed_count + residuals.count[1]);
  }
}

double sl_launch_sampler_end(struct sl_launch_sampler *s, uint64_t warp_instructions, const uint64_t *counters)
{
  if (s->lost)
    return 0;
  struct cluster *c = s->cluster[s->current];
  const double work = counters != NULL ? work_of(s, counters) : 0;
  c->is.warp_instructions += warp_instructions;
  if (s->timed && counters != NULL)
    add_sample(s, c, work, counters);
  if (c->is.launches == c->end)
    plan(s, c, c->end + 1);
  if (s->timed)
    return 0;
  s->lost |= !SL_GROW(c->untimed, c->untimed_count) || (c->seen != c->count && !make_points(c, s->counters->count));
  if (s->lost)
    return 0;
  s->untimed++;
  c->untimed[c->untimed_count++] = work;
  for (size_t i = 0; i < s->counters->count && counters != NULL; i++)
    s->exact[i] |= counters[i] > 0;
  const struct neighbours n = find_neighbours(c, work, NULL);
  return predict(c, &n, s->cycles, NULL);
}

/* Clusters without launches before a skip have the same part of bias as the others. */
static void share_bias(struct sl_launch_sampler *s, size_t counter)
{
  double bias = 0, predicted = 0;
  for (size_t i = 0; i < s->clusters; i++) {
    const struct sum *sum = &s->cluster[i]->sum[counter];
    bias += fmax(0, sum->bias);
    predicted += sum->bias >= 0 ? sum->predicted : 0;
  }
  for (size_t i = 0; i < s->clusters; i++) {
    struct sum *sum = &s->cluster[i]->sum[counter];
    if (sum->bias < 0)
      sum->bias = predicted > 0 ? bias / predicted * sum->predicted : 0;
  }
}

/* ---- results ----------------------------------------------------------------------------------------------------- */

void sl_launch_sampler_settle(struct sl_launch_sampler *s)
{
  for (size_t i = 0; i < s->clusters; i++)
    if (make_points(s->cluster[i], s->counters->count))
      settle(s->cluster[i], s->first / 2, s->counters->count);
    else
      s->lost = true;
  for (size_t k = 0; k < s->counters->count; k++)
    share_bias(s, k);
}

size_t sl_launch_sampler_clusters(const struct sl_launch_sampler *s)
{
  return s->clusters;
}

struct sl_launch_cluster sl_launch_sampler_cluster(const struct sl_launch_sampler *s, size_t cluster)
{
  return s->cluster[cluster]->is;
}

uint64_t sl_launch_sampler_untimed(const struct sl_launch_sampler *s)
{
  return s->untimed;
}

bool sl_launch_sampler_predict(const struct sl_launch_sampler *s, size_t number, uint64_t *counters)
{
  if (s->lost || number >= s->launches || s->cluster_of[number] == TIMED)
    return false;
  const struct cluster *c = s->cluster[s->cluster_of[number]];
  const struct neighbours n = find_neighbours(c, work_of(s, counters), NULL);
  for (size_t i = 0; i < s->counters->count && n.count > 0; i++)
    if (!s->exact[i])
      counters[i] = (uint64_t)llround(predict(c, &n, i, NULL));
  return true;
}

/* The 97.5 % quantile of Student's t. */
static double student(double freedom)
{
  static const double few[] = {12.706, 4.303, 3.182, 2.776, 2.571};
  enum { FEW = sizeof few / sizeof *few };
  if (freedom >= FEW)
    return sl_window_student(freedom);
  if (freedom <= 1)
    return few[0];
  const size_t below = (size_t)freedom; /* linear in 1 / freedom */
  const double part = (1 / (double)below - 1 / freedom) / (1 / (double)below - 1 / (double)(below + 1));
  return few[below - 1] + part * (few[below] - few[below - 1]);
}

static struct sl_launch_sum sum_of(const struct sl_launch_sampler *s, const struct sum *sum, size_t counter)
{
  struct sl_launch_sum result = {.value = sum->value};
  if (s->lost || !isfinite(sum->variance))
    result.bar = INFINITY;
  else if (!s->exact[counter])
    result.bar =
        sum->bias +
        (sum->variance > 0 ? student(sum->variance * sum->variance / sum->per_freedom) * sqrt(sum->variance) : 0);
  return result;
}

struct sl_launch_sum sl_launch_sampler_of_cluster(const struct sl_launch_sampler *s, size_t cluster, size_t counter)
{
  return sum_of(s, &s->cluster[cluster]->sum[counter], counter);
}

struct sl_launch_sum sl_launch_sampler_sum(const struct sl_launch_sampler *s, size_t counter)
{
  struct sum all = {0};
  for (size_t i = 0; i < s->clusters; i++) {
    const struct sum *own = &s->cluster[i]->sum[counter];
    all.value += own->value;
    all.variance += own->variance;
    all.per_freedom += own->per_freedom;
    all.bias += own->bias;
  }
  return sum_of(s, &all, counter);
}
