#include "machine/sm7/sm7_oracle.h"

#include <stdlib.h>
#include <string.h>

#include "machine/sm7/sm7_scalar.h"

/* The contents of memory before a launch; constants are not written. */
struct kept {
  uint8_t *heap, *statics;
};

static bool keep(uint8_t **kept, const struct sl_ptx_region *r)
{
  *kept = malloc(r->bytes ? r->bytes : 1);
  if (*kept != NULL && r->bytes > 0)
    memcpy(*kept, r->data, r->bytes);
  return *kept != NULL;
}

static void put_back(const uint8_t *kept, const struct sl_ptx_region *r)
{
  if (r->bytes > 0)
    memcpy(r->data, kept, r->bytes);
}

static enum sl_status refuse_checkpoints(const struct sl_ptx_bounds *bounds, struct sl_error *err)
{
  if (bounds->reached == NULL && bounds->restores == NULL)
    return SL_OK;
  return sl_fail(err, SL_USAGE, "launches with an oracle have no checkpoints; set oracle=none");
}

/* The functional run of the oracle. It has no limit; goes_on can stop it. */
static enum sl_status ask(struct sl_sm7_oracle *o, const struct sl_sm7_spec *spec, const struct sl_ptx_launch *launch,
                          const struct sl_ptx_bounds *bounds, struct sl_error *err)
{
  const struct sl_ptx_bounds own = {.goes_on = bounds->goes_on, .context = bounds->context};
  struct kept kept = {NULL, NULL};
  struct sl_ptx_counts counts = {0};
  struct sl_ptx_spared spared;
  enum sl_status code = SL_OK;
  if (!keep(&kept.heap, &launch->memory->heap) || !keep(&kept.statics, &launch->memory->statics))
    code = sl_no_memory(err, launch->memory->heap.bytes);
  if (code == SL_OK) {
    code = sl_ptx_oracle_run(spec->oracle, launch, &own, &o->marks, &counts, &spared, err);
    put_back(kept.heap, &launch->memory->heap);
    put_back(kept.statics, &launch->memory->statics);
  }
  free(kept.heap);
  free(kept.statics);
  return code;
}

static enum sl_status make(struct sl_sm7_oracle *o, const struct sl_sm7_spec *spec, const struct sl_ptx_launch *launch,
                           const struct sl_ptx_bounds *bounds, struct sl_error *err)
{
  const size_t threads = (size_t)launch->block[0] * launch->block[1] * launch->block[2];
  const size_t sms = (size_t)spec->clusters * spec->sms_per_cluster;
  enum sl_status code = SL_OK;
  o->warps = (unsigned)((threads + SL_SM7_LANES - 1) / SL_SM7_LANES);
  if (spec->scalar)
    code = sl_sm7_scalar_find(&o->scalar, launch, err);
  if (code != SL_OK || spec->oracle == SL_PTX_NO_ORACLE)
    return code;
  o->place = calloc(sms * SL_SM7_MAX_WARPS, sizeof *o->place);
  if (o->place == NULL)
    return sl_no_memory(err, sms * SL_SM7_MAX_WARPS * sizeof *o->place);
  code = refuse_checkpoints(bounds, err);
  return code == SL_OK ? ask(o, spec, launch, bounds, err) : code;
}

enum sl_status sl_sm7_oracle_ask(struct sl_sm7_oracle **oracle, const struct sl_sm7_spec *spec,
                                 const struct sl_ptx_launch *launch, const struct sl_ptx_bounds *bounds,
                                 struct sl_error *err)
{
  *oracle = NULL;
  if (spec->oracle == SL_PTX_NO_ORACLE && !spec->scalar)
    return SL_OK;
  *oracle = calloc(1, sizeof **oracle);
  return *oracle != NULL ? make(*oracle, spec, launch, bounds, err) : sl_no_memory(err, sizeof **oracle);
}

void sl_sm7_oracle_free(struct sl_sm7_oracle *o)
{
  if (o == NULL)
    return;
  sl_ptx_marks_free(&o->marks);
  free(o->place);
  free(o->scalar);
  free(o);
}

enum sl_status sl_sm7_oracle_count(const struct sl_sm7_spec *spec, const struct sl_ptx_launch *launch,
                                   const struct sl_ptx_bounds *bounds, struct sl_ptx_counts *counts,
                                   struct sl_ptx_spared *spared, struct sl_error *err)
{
  enum sl_status code = refuse_checkpoints(bounds, err);
  if (code == SL_OK)
    code = sl_ptx_oracle_run(spec->oracle, launch, bounds, NULL, counts, spared, err);
  if (code == SL_OK) {
    counts->warp_insns -= spared->warp_insns;
    counts->thread_insns -= spared->thread_insns;
  }
  return code;
}

void sl_sm7_oracle_begin(struct sl_sm7_oracle *o, unsigned sm, unsigned slot, uint64_t block)
{
  for (unsigned w = 0; w < o->warps && o->place != NULL; w++)
    *sl_sm7_oracle_at(o, sm, slot, w) = sl_ptx_marks_begin(&o->marks, block * o->warps + w);
}
