/* A function at the stages of the back end's pass pipeline. */
#ifndef BACKEND_STAGES_H
#define BACKEND_STAGES_H

#include "compiler/isa64/allocate/allocate.h"
#include "compiler/isa64/lir/lir.h"
#include "golden.h"

struct stages {
  struct sl_registers registers;
  struct sl_lir before, after;
  struct sl_allocation_facts facts;
};

/* Before allocation only. */
static inline struct sl_lir selected(struct sl_mir_module *module, const char *name)
{
  struct sl_lir lir;
  struct sl_error err = {0};
  if (sl_lir_select(module, function_of(module, name), &lir, &err) != SL_OK)
    fail_msg("%s: %s", name, err.text);
  assert_true(sl_lir_fold(&lir));
  return lir;
}

static inline struct stages staged(struct sl_mir_module *module, const char *name, unsigned registers,
                                   enum sl_allocation allocation)
{
  struct stages s = {.before = selected(module, name)};
  struct sl_error err = {0};
  assert_int_equal(sl_registers_init(&s.registers, registers, 4, NULL, NULL, &err), SL_OK);
  if (sl_allocate(&s.before, &s.registers, allocation, &s.after, &s.facts, &err) != SL_OK)
    fail_msg("%s: %s", name, err.text);
  return s;
}

static inline void free_stages(struct stages *s)
{
  sl_lir_free(&s->before);
  sl_lir_free(&s->after);
}

#endif
