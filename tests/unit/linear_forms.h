/* A kernel and its variant with linear registers leave the same memory: functionally, where each access is compared as
 * well, and timed on one and on two host threads. */
#ifndef SL_TESTS_LINEAR_FORMS_H
#define SL_TESTS_LINEAR_FORMS_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/linear/linear_code.h"
#include "compiler/linear/linear_rewrite.h"
#include "machine/sm7/sm7_engine.h"
#include "ptx/ptx.h"
#include "ptx/run/ptx_linear.h"

enum { FORMS_ENGINES = 2 };

struct forms {
  struct sl_sm7_spec spec;
  struct sl_sm7_engine engine[FORMS_ENGINES]; /* on 1 and 2 threads */
  unsigned compared, refused;                 /* kernels; `refused` have no variant */
};

/* `k` of a text, on buffers that its parameter at `out_at` points to. */
struct forms_kernel {
  const char *text;
  uint32_t grid[3], block[3];
  const uint8_t *params; /* with anything at out_at */
  size_t out_at, out_bytes;
};

static inline void forms_open(struct forms *f, unsigned sms)
{
  struct sl_error err;
  *f = (struct forms){.compared = 0};
  sl_keys_defaults(&sl_sm7_keys, &f->spec);
  f->spec.r2d2 = 1;
  f->spec.registers = 1 << 20; /* large enough for both variants */
  f->spec.clusters = sms;
  f->spec.sms_per_cluster = 1;
  for (unsigned i = 0; i < FORMS_ENGINES; i++)
    assert_int_equal(sl_sm7_engine_open(&f->engine[i], &f->spec, i + 1, &err), SL_OK);
}

static inline void forms_close(struct forms *f)
{
  for (unsigned i = 0; i < FORMS_ENGINES; i++)
    sl_sm7_engine_close(&f->engine[i]);
}

/* Returns the text with both variants, which the caller frees; NULL: there is no variant, for the reason in the
 * message. Not inline: gcc takes the stream's buffer for its variable. */
__attribute__((noinline)) static char *forms_text(const char *text, struct sl_error *refusal)
{
  struct sl_error err;
  struct sl_ptx_module *m = NULL;
  struct sl_linear_code code;
  struct sl_linear_analysis a;
  struct sl_linear_plan plan;
  char *both = NULL;
  size_t length = 0;
  if (sl_ptx_parse(&m, text, strlen(text), "k.ptx", NULL, &err) != SL_OK)
    fail_msg("%s\n%s", err.text, text);
  const struct sl_linear_original original = {
      .module = m, .kernel = sl_ptx_entry(m, "k"), .text = text, .length = strlen(text)};
  assert_int_equal(sl_linear_from_ptx(&code, m, original.kernel, &err), SL_OK);
  assert_int_equal(sl_linear_analyse(&a, &code, NULL, &err), SL_OK);
  assert_int_equal(sl_linear_plan_make(&plan, &a, &err), SL_OK);
  FILE *out = open_memstream(&both, &length);
  assert_non_null(out);
  fputs(text, out);
  const enum sl_status status = sl_linear_rewrite(out, &plan, &original, &err);
  fclose(out);
  if (status != SL_OK) {
    assert_int_equal(status, SL_USAGE);
    *refusal = err;
    free(both);
    both = NULL;
  }
  sl_linear_plan_free(&plan);
  sl_linear_analysis_free(&a);
  sl_linear_code_free(&code);
  sl_ptx_free(m);
  return both;
}

/* Memory of a launch, filled with different words, the same each time; `left` gets the hash of the final memory. */
static inline void forms_run(const struct forms_kernel *k, struct sl_ptx_launch launch,
                             const struct sl_ptx_engine *engine, uint8_t *left)
{
  struct sl_error err = {0};
  struct sl_ptx_memory memory;
  struct sl_ptx_counts counts = {0};
  struct sl_ptx_bounds bounds = {0};
  uint8_t params[64];
  uint64_t address;
  assert_int_equal(sl_ptx_memory_init(&memory, launch.module, &err), SL_OK);
  assert_int_equal(sl_ptx_memory_allocate(&memory, k->out_bytes, &address, &err), SL_OK);
  memcpy(params, k->params, launch.kernel->param_bytes);
  memcpy(params + k->out_at, &address, sizeof address);
  uint8_t *at = sl_ptx_memory_at(&memory, address, k->out_bytes);
  for (size_t i = 0; i < k->out_bytes; i++)
    at[i] = (uint8_t)(i * 37 >> 3);
  launch.params = params;
  launch.memory = &memory;
  struct sl_ptx_launch original = launch;
  if (launch.shadow != NULL) {
    original.kernel = launch.shadow->kernel;
    original.linear = NULL;
    original.shadow = NULL;
    launch.shadow = &original;
  }
  const enum sl_status status = engine != NULL ? engine->run(engine->context, &launch, &counts, &err)
                                               : sl_ptx_grid_run(&launch, &bounds, &counts, &err);
  if (status != SL_OK)
    fail_msg("%s\n%s", err.text, k->text);
  memcpy(left, sl_ptx_memory_at(&memory, address, k->out_bytes), k->out_bytes);
  sl_ptx_memory_free(&memory);
}

static inline void forms_same(const struct forms_kernel *k, const uint8_t *wanted, const uint8_t *left, const char *how)
{
  size_t at = 0;
  while (at < k->out_bytes && wanted[at] == left[at])
    at++;
  if (at < k->out_bytes)
    fail_msg("%s, byte %zu: %02x, of the original %02x\n%s", how, at, left[at], wanted[at], k->text);
}

static inline void forms_agree(struct forms *f, const struct forms_kernel *k)
{
  static const char *const how[FORMS_ENGINES] = {"timed", "timed on two threads"};
  struct sl_error err;
  struct sl_ptx_module *m = NULL;
  struct sl_ptx_linear *linear = NULL;
  char *text = forms_text(k->text, &err);
  f->refused += text == NULL;
  if (text == NULL)
    return;
  if (sl_ptx_parse(&m, text, strlen(text), "k.ptx", NULL, &err) != SL_OK)
    fail_msg("%s\n%s", err.text, text);
  uint8_t *wanted = malloc(k->out_bytes), *left = malloc(k->out_bytes);
  assert_true(wanted != NULL && left != NULL);
  struct sl_ptx_launch original = {.module = m, .kernel = sl_ptx_entry(m, "k"), .regs_per_thread = 32};
  memcpy(original.grid, k->grid, sizeof original.grid);
  memcpy(original.block, k->block, sizeof original.block);
  forms_run(k, original, NULL, wanted);
  assert_int_equal(sl_ptx_linear_find(&linear, m, original.kernel, &err), SL_OK);
  struct sl_ptx_launch other = original;
  other.kernel = linear->kernel;
  other.linear = linear;
  other.shadow = &original;
  forms_run(k, other, NULL, left);
  forms_same(k, wanted, left, "without time");
  for (unsigned i = 0; i < FORMS_ENGINES; i++) {
    const struct sl_ptx_engine engine = sl_sm7_ptx_engine(&f->engine[i]);
    const struct sl_sm7_totals before = sl_sm7_gpu_totals(f->engine[i].gpu);
    forms_run(k, original, &engine, left);
    forms_same(k, wanted, left, how[i]);
    const struct sl_sm7_totals after = sl_sm7_gpu_totals(f->engine[i].gpu);
    assert_true(after.sm.of_phase[SL_SM7_PHASE_BLOCK] > before.sm.of_phase[SL_SM7_PHASE_BLOCK]); /* that variant ran */
  }
  f->compared++;
  sl_ptx_linear_free(linear);
  sl_ptx_free(m);
  free(wanted);
  free(left);
  free(text);
}

#endif
