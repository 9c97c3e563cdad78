#include "machine/sm7/sm7_ptx.h"

#include <stdlib.h>
#include <string.h>

#include "compiler/linear/linear_code.h"
#include "compiler/linear/linear_vectors.h"
#include "ptx/oracle/ptx_oracle.h"
#include "ptx/run/ptx_linear.h"

/* ---- the scalar pipeline ----------------------------------------------------------------------------------------- */

/* Selects the instructions of a kernel that the scalar pipeline executes, on the baseline machine of R2D2 (ISCA 2023):
 * those whose operands are known before the run to be equal in all threads of a block. Such operands are constants,
 * parameters, sizes, the block index, and linear combinations of these (compiler/linear/linear_vectors.h). */

static bool is_same_in_block(const struct sl_linear_vector *v)
{
  bool same = v->reason == SL_LINEAR_YES;
  for (unsigned i = SL_LINEAR_TX; i <= SL_LINEAR_TZ; i++)
    same &= v->index[i] == SL_POLY_ZERO;
  return same;
}

static bool is_scalar(struct sl_linear_analysis *a, uint32_t insn, const struct sl_ptx_insn *in)
{
  const struct sl_linear_flow *flow = &a->flow;
  if (sl_ptx_sort_of(in) != SL_PTX_SORT_VALUE || sl_ptx_reads_lanes(in) ||
      flow->dominators.place[flow->block_of[insn]] == SL_NO_NODE)
    return false;
  for (unsigned k = 0; k < a->code->insn[insn].srcs; k++) {
    const struct sl_linear_vector v = sl_linear_operand_vector(a, insn, k);
    if (!is_same_in_block(&v))
      return false;
  }
  return true;
}

static bool is_same_register(const struct sl_ptx_linear *l, uint16_t id)
{
  if (id == SL_PTX_NO_REG)
    return true;
  for (unsigned i = 0; i < l->sums; i++)
    if ((l->sum[i].id == id && l->sum[i].tr == SL_PTX_LINEAR_NONE) || l->sum[i].ur_id == id)
      return true;
  return false;
}

/* After the three earlier phases. */
static void find_with_linear_registers(bool *scalar, const struct sl_ptx_module *m, const struct sl_ptx_linear *l)
{
  for (uint32_t pc = l->start[SL_PTX_PHASE_REST]; pc < l->kernel->end; pc++) {
    const struct sl_ptx_insn *in = &m->code[pc];
    scalar[pc] = sl_ptx_sort_of(in) == SL_PTX_SORT_VALUE && !sl_ptx_reads_lanes(in) && in->guard.id == SL_PTX_NO_REG;
    for (unsigned k = 0; k < in->srcs; k++)
      scalar[pc] &= is_same_register(l, in->src[k].id);
  }
}

static enum sl_status find_by_analysis(bool *scalar, const struct sl_ptx_launch *launch, struct sl_error *err)
{
  const struct sl_linear_options options = {.strict = false};
  const struct sl_ptx_module *m = launch->module;
  struct sl_linear_code code;
  struct sl_linear_analysis analysis = {.code = NULL};
  struct sl_error refusal;
  enum sl_status status = sl_linear_from_ptx(&code, m, launch->kernel, err);
  if (status != SL_OK)
    return status == SL_USAGE ? SL_OK : status;
  status = sl_linear_analyse(&analysis, &code, &options, &refusal);
  for (uint32_t i = 0; i < code.count && status == SL_OK; i++)
    scalar[launch->kernel->begin + i] = is_scalar(&analysis, i, &m->code[launch->kernel->begin + i]);
  if (status != SL_OK && status != SL_USAGE)
    *err = refusal;
  sl_linear_analysis_free(&analysis);
  sl_linear_code_free(&code);
  return status == SL_USAGE ? SL_OK : status;
}

/* By PC of the module; the caller frees it, also after a failure. A kernel that cannot be analysed has none. */
static enum sl_status find_scalar(bool **scalar, const struct sl_ptx_launch *launch, struct sl_error *err)
{
  const size_t count = launch->module->code_count + (size_t)1;
  *scalar = calloc(count, sizeof **scalar);
  if (*scalar == NULL)
    return sl_no_memory(err, count);
  if (launch->linear == NULL)
    return find_by_analysis(*scalar, launch, err);
  find_with_linear_registers(*scalar, launch->module, launch->linear);
  return SL_OK;
}

/* ---- the oracle -------------------------------------------------------------------------------------------------- */

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
    code = find_scalar(&o->scalar, launch, err);
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
