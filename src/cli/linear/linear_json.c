/* Kernels as JSON. */
#include <stdlib.h>
#include <string.h>

#include "cli/linear/linear_report.h"
#include "observe/json.h"

static json_t *poly_json(const struct sl_linear_analysis *a, sl_poly poly)
{
  char text[SL_LINEAR_TEXT];
  return sl_json_text(sl_poly_text(a->polys, poly, sl_linear_symbol_name, a, text, sizeof text));
}

/* Seven texts: the constant, thread x, y, z, block x, y, z. */
static json_t *vector_json(const struct sl_linear_analysis *a, const struct sl_linear_vector *v)
{
  json_t *json = json_array();
  sl_json_append(&json, poly_json(a, v->constant));
  for (unsigned i = 0; i < SL_LINEAR_INDICES; i++)
    sl_json_append(&json, poly_json(a, v->index[i]));
  return json;
}

static json_t *operands_json(const struct sl_linear_report *r, uint32_t insn)
{
  const struct sl_linear_insn *in = &r->analysis->code->insn[insn];
  char text[SL_LINEAR_OPERAND_TEXT];
  json_t *json = json_array();
  for (unsigned k = 0; k < in->srcs; k++) {
    const struct sl_linear_source *s = &r->plan->source[insn][k];
    const bool address = in->base == (int)k;
    if (s->kind == SL_LINEAR_ORDINARY)
      continue;
    json_t *operand = json_object();
    sl_json_put(&operand, "operand", sl_json_count(k + 1));
    sl_json_put(&operand, "address", json_boolean(address));
    sl_json_put(&operand, "reads", sl_json_text(sl_linear_operand_text(s, address ? in->number : 0, text)));
    sl_json_append(&json, operand);
  }
  return json;
}

/* Line of the PTX, or address; and source file and line if known. */
static void put_place(const struct sl_linear_report *r, uint32_t insn, json_t **json)
{
  char place[SL_LINEAR_PLACE_TEXT];
  const char *file;
  const uint32_t line = sl_linear_insn_source(r->input, r->kernel, insn, &file);
  sl_linear_insn_place(r->input, r->kernel, insn, place);
  if (r->kernel->function != NULL)
    sl_json_put(json, "line", sl_json_count(strtoul(place, NULL, 10)));
  else
    sl_json_put(json, "address", sl_json_text(place));
  if (file == NULL)
    return;
  json_t *source = json_object();
  sl_json_put(&source, "file", sl_json_text(file));
  sl_json_put(&source, "line", sl_json_count(line));
  sl_json_put(json, "source", source);
}

static json_t *instruction_json(const struct sl_linear_report *r, uint32_t insn)
{
  const struct sl_linear_analysis *a = r->analysis;
  char text[SL_LINEAR_INSN_TEXT];
  json_t *json = json_object();
  put_place(r, insn, &json);
  sl_json_put(&json, "text", sl_json_text(sl_linear_insn_text(r->input, r->kernel, insn, text)));
  sl_json_put(&json, "fate", sl_json_text(sl_linear_fate_text(r->plan->fate[insn])));
  const uint32_t value = a->code->insn[insn].dsts == 1 ? a->values.def[insn][0] : SL_LINEAR_NO_VALUE;
  if (value != SL_LINEAR_NO_VALUE && a->vector[value].reason == SL_LINEAR_YES)
    sl_json_put(&json, "vector", vector_json(a, &a->vector[value]));
  else if (value != SL_LINEAR_NO_VALUE)
    sl_json_put(&json, "reason", sl_json_text(sl_linear_reason_text(a->vector[value].reason)));
  sl_json_put(&json, "operands", operands_json(r, insn));
  return json;
}

static json_t *registers_json(const struct sl_linear_report *r)
{
  const struct sl_linear_plan *p = r->plan;
  const struct sl_linear_analysis *a = r->analysis;
  json_t *json = json_object(), *lrs = json_array(), *crs = json_array(), *urs = json_array();
  for (uint32_t i = 0; i < p->lrs; i++) {
    struct sl_linear_vector v = {.reason = SL_LINEAR_YES, .constant = p->lr[i].constant};
    json_t *lr = json_object();
    memcpy(v.index, p->lr[i].index, sizeof v.index);
    sl_json_put(&lr, "vector", vector_json(a, &v));
    sl_json_put(&lr, "tr", p->lr[i].tr == SL_LINEAR_NONE ? json_null() : sl_json_count(p->lr[i].tr));
    sl_json_put(&lr, "uses", sl_json_count(p->lr[i].uses));
    sl_json_append(&lrs, lr);
  }
  for (uint32_t i = 0; i < p->crs; i++)
    sl_json_append(&crs, poly_json(a, p->cr[i]));
  for (uint32_t i = 0; i < p->urs; i++) {
    json_t *ur = json_object();
    sl_json_put(&ur, "start", poly_json(a, p->ur[i].start));
    sl_json_put(&ur, "step", poly_json(a, p->ur[i].step));
    put_place(r, a->flow.first[a->flow.loop[p->ur[i].loop].header], &ur);
    sl_json_append(&urs, ur);
  }
  sl_json_put(&json, "lr", lrs);
  sl_json_put(&json, "cr", crs);
  sl_json_put(&json, "ur", urs);
  return json;
}

json_t *sl_linear_json(const struct sl_linear_report *r)
{
  json_t *json = json_object(), *instructions = json_array();
  sl_json_put(&json, "kernel", sl_json_text(r->kernel->name));
  sl_json_put(&json, "reached", sl_json_count(r->plan->reached));
  sl_json_put(&json, "linear", sl_json_count(r->plan->linear));
  sl_json_put(&json, "gone", sl_json_count(r->plan->gone));
  sl_json_put(&json, "added", sl_json_count(r->plan->added));
  sl_json_put(&json, "registers", registers_json(r));
  for (uint32_t i = 0; i < r->analysis->code->count; i++)
    sl_json_append(&instructions, instruction_json(r, i));
  sl_json_put(&json, "instructions", instructions);
  return json;
}
