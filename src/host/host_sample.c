#include "host/host_sample.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/keys.h"
#include "device/engine/sampling.h"
#include "observe/json.h"

enum {
  RANDOM_LEAST = 7, /* fewer random launches give no confidence interval */
  AUTO_LEAST = 8    /* of the automatic plan: launches of a cluster that are timed at first */
};

/* A timed launch. */
struct sample {
  double instructions, cycles, weight; /* weight: inverse of its probability */
};

struct cluster {
  struct cluster *next;
  const struct sl_gpu_module *module;
  char kernel[SL_GPU_NAME];
  uint32_t grid[3], block[3], shared;
  uint64_t launches, untimed;
  double instructions; /* warp instructions of all its launches */
  struct sample *sample;
  size_t count, room;
};

struct sl_host_sample {
  uint64_t least, random;
  struct cluster *first, **last, *current;
  double weight; /* of the current launch */
  bool lost;     /* no memory for a sample */
};

/* Cycles of a launch: fixed + each * its warp instructions. */
struct line {
  double fixed, each;
};

enum sl_status sl_host_sample_open(struct sl_host_device *device, struct sl_error *err)
{
  uint64_t least, seed = 1;
  const char *at = device->options.sample;
  if (*at == '\0')
    return SL_OK;
  const bool automatic = strncmp(at, "auto", 4) == 0;
  if (automatic) {
    least = AUTO_LEAST;
    at += 4;
  }
  if ((!automatic && !sl_take_digits(&at, &least)) || (*at == ',' && (at++, !sl_take_digits(&at, &seed))) ||
      *at != '\0' || least == 0)
    return sl_fail(
        err, SL_USAGE,
        "SAMPLE takes the number of launches that are timed at first, or auto, and a seed, such as 8, 8,2 or "
        "auto,2; not '%.80s'",
        device->options.sample);
  if (device->options.timed[0] != '\0' || strcmp(device->options.mode, "fast") == 0)
    return sl_fail(err, SL_USAGE, "SAMPLE chooses the launches that are timed; omit MODE and TIMED");
  struct sl_host_sample *s = device->sample = calloc(1, sizeof *s);
  if (s == NULL)
    return sl_no_memory(err, sizeof *s);
  s->least = least;
  s->random = seed;
  if (automatic)
    device->within_launches = (struct sl_sampling_choice){.wanted = true, .plan = {.seed = seed}};
  s->last = &s->first;
  return SL_OK;
}

void sl_host_sample_close(struct sl_host_device *device)
{
  struct sl_host_sample *s = device->sample;
  for (struct cluster *c = s != NULL ? s->first : NULL, *next; c != NULL; c = next) {
    next = c->next;
    free(c->sample);
    free(c);
  }
  free(s);
}

/* From 0 to 1; splitmix64 (Steele et al.). */
static double draw(struct sl_host_sample *s)
{
  uint64_t z = s->random += 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

static struct cluster *cluster_of(struct sl_host_sample *s, const struct sl_gpu_launch *launch)
{
  for (struct cluster *c = s->first; c != NULL; c = c->next)
    if (c->module == launch->module && c->shared == launch->shared &&
        memcmp(c->grid, launch->grid, sizeof c->grid) == 0 && memcmp(c->block, launch->block, sizeof c->block) == 0 &&
        strncmp(c->kernel, launch->kernel, sizeof c->kernel - 1) == 0)
      return c;
  struct cluster *c = calloc(1, sizeof *c);
  if (c == NULL)
    return NULL;
  c->module = launch->module;
  c->shared = launch->shared;
  snprintf(c->kernel, sizeof c->kernel, "%s", launch->kernel);
  memcpy(c->grid, launch->grid, sizeof c->grid);
  memcpy(c->block, launch->block, sizeof c->block);
  *s->last = c;
  s->last = &c->next;
  return c;
}

/* The line through the samples with the least weighted squares; level if all have the same instructions. */
static struct line fit(const struct cluster *c)
{
  double weights = 0, x = 0, y = 0, xx = 0, xy = 0;
  for (size_t i = 0; i < c->count; i++) {
    weights += c->sample[i].weight;
    x += c->sample[i].weight * c->sample[i].instructions;
    y += c->sample[i].weight * c->sample[i].cycles;
  }
  x /= weights;
  y /= weights;
  for (size_t i = 0; i < c->count; i++) {
    const double d = c->sample[i].instructions - x;
    xx += c->sample[i].weight * d * d;
    xy += c->sample[i].weight * d * (c->sample[i].cycles - y);
  }
  const double each = xx > 0 ? xy / xx : 0;
  return (struct line){y - each * x, each};
}

bool sl_host_sample_begin(struct sl_host_device *device, const struct sl_gpu_launch *launch)
{
  struct sl_host_sample *s = device->sample;
  struct cluster *c = s->current = cluster_of(s, launch);
  if (c == NULL)
    return true;
  const uint64_t number = c->launches + 1;
  const double probability = number <= s->least ? 1 : (double)s->least / (double)number;
  s->weight = 1 / probability;
  if (c->count == 0 || probability >= 1 || draw(s) < probability)
    return true;
  const struct line line = fit(c);
  sl_gpu_estimate(device->gpu, line.fixed, line.each);
  return false;
}

static bool add_sample(struct cluster *c, struct sample sample)
{
  if (c->count == c->room) {
    const size_t room = 2 * c->room + 16;
    struct sample *more = realloc(c->sample, room * sizeof *more);
    if (more == NULL)
      return false;
    c->sample = more;
    c->room = room;
  }
  c->sample[c->count++] = sample;
  return true;
}

static size_t cycles_counter(const struct sl_host_device *device)
{
  const struct sl_counters *counters = device->config.machine->counters;
  size_t i = 0;
  while (counters->counter[i].role != SL_COUNTER_CYCLES)
    i++;
  return i;
}

double sl_host_sample_end(struct sl_host_device *device, bool timed, enum sl_status code)
{
  struct sl_host_sample *s = device->sample;
  struct cluster *c = s != NULL ? s->current : NULL;
  const size_t records = sl_gpu_record_count(device->gpu);
  if (c == NULL || records == 0)
    return -1;
  const struct sl_gpu_record *r = sl_gpu_record(device->gpu, records - 1);
  const double instructions = (double)r->warp_instructions;
  s->current = NULL;
  c->launches++;
  c->instructions += instructions;
  if (timed) {
    const double cycles = (double)r->launch.counters[cycles_counter(device)];
    s->lost |= code == SL_OK && !add_sample(c, (struct sample){instructions, cycles, s->weight});
    return -1;
  }
  c->untimed++;
  const struct line line = fit(c);
  return fmax(line.fixed + line.each * instructions, 0);
}

/* Half of the 95 % interval of a cluster's cycles; infinite with too few random launches. */
static double half_interval(const struct cluster *c, struct line line)
{
  double variance = 0;
  size_t chosen = 0;
  if (c->untimed == 0)
    return 0;
  for (size_t i = 0; i < c->count; i++) {
    const struct sample *s = &c->sample[i];
    const double residual = s->cycles - line.fixed - line.each * s->instructions;
    chosen += s->weight > 1;
    variance += (1 - 1 / s->weight) * s->weight * s->weight * residual * residual;
  }
  return chosen >= RANDOM_LEAST ? sl_window_student((double)chosen - 2) * sqrt(variance) : INFINITY;
}

static json_t *real_json(double value)
{
  return isfinite(value) ? json_real(value) : json_null();
}

static json_t *extent_json(const uint32_t extent[3])
{
  json_t *json = json_array();
  for (unsigned i = 0; i < 3; i++)
    sl_json_append(&json, sl_json_count(extent[i] > 0 ? extent[i] : 1));
  return json;
}

static json_t *cluster_json(const struct cluster *c, double cycles, double half)
{
  json_t *json = json_object();
  sl_json_put(&json, "kernel", sl_json_text(c->kernel));
  sl_json_put(&json, "grid", extent_json(c->grid));
  sl_json_put(&json, "block", extent_json(c->block));
  sl_json_put(&json, "shared", sl_json_count(c->shared));
  sl_json_put(&json, "launches", sl_json_count(c->launches));
  sl_json_put(&json, "timed", sl_json_count(c->launches - c->untimed));
  sl_json_put(&json, "warp_instrs", sl_json_count((uint64_t)c->instructions));
  sl_json_put(&json, "cycles", json_real(cycles));
  sl_json_put(&json, "interval", real_json(half));
  return json;
}

json_t *sl_host_sample_json(const struct sl_host_device *device)
{
  const struct sl_host_sample *s = device->sample;
  double cycles = 0, squares = 0;
  if (s == NULL || s->lost)
    return NULL;
  json_t *json = json_object(), *clusters = json_array();
  for (const struct cluster *c = s->first; c != NULL; c = c->next) {
    if (c->count == 0)
      continue;
    const struct line line = fit(c);
    const double own = line.fixed * (double)c->launches + line.each * c->instructions, half = half_interval(c, line);
    cycles += own;
    squares += half * half;
    sl_json_append(&clusters, cluster_json(c, own, half));
  }
  const struct sl_sampled *within = sl_gpu_sampled(device->gpu);
  if (within != NULL) {
    const double half = within->bar[cycles_counter(device)];
    squares += half * half;
    sl_json_put(&json, "windows", sl_json_count(within->windows));
  }
  sl_json_put(&json, "cycles", json_real(cycles));
  sl_json_put(&json, "interval", real_json(sqrt(squares)));
  sl_json_put(&json, "clusters", clusters);
  return json;
}
