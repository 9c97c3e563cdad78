#include "machine/sm7/sm7_scalar.h"

#include <stdlib.h>

#include "compiler/linear/linear_code.h"
#include "compiler/linear/linear_vectors.h"
#include "ptx/oracle/ptx_redundancy.h"

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

enum sl_status sl_sm7_scalar_find(bool **scalar, const struct sl_ptx_launch *launch, struct sl_error *err)
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
