/* The validation of an allocation accepts correct allocations and rejects wrong ones. Mutants are derived
 * systematically from correct allocations. An accepted mutant must compute the same results: the test executes all of
 * these. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "compiler/isa64/compile_mir.h"
#include "interpreter.h"
#include "stages.h"

static const char *const functions[] = {"sort",   "pressure", "variable_length", "aligned",   "atomics", "bits",
                                        "choose", "pointers", "sum_of",          "ackermann", "multiply"};
enum { FUNCTIONS = sizeof functions / sizeof functions[0] };

/* All functions of mixed.c, allocated. */
struct program {
  struct sl_mir_module *module;
  struct stages *stages;
};

static struct program program(unsigned registers, enum sl_allocation allocation)
{
  struct program p = {.module = malloc(sizeof *p.module)};
  assert_non_null(p.module);
  *p.module = golden("mixed");
  p.stages = calloc(p.module->function_count, sizeof *p.stages);
  for (size_t i = 0; i < p.module->function_count; i++)
    p.stages[i] = staged(p.module, p.module->function[i].name, registers, allocation);
  return p;
}

static void free_program(struct program *p)
{
  for (size_t i = 0; i < p->module->function_count; i++)
    free_stages(&p->stages[i]);
  free(p->stages);
  sl_mir_free(p->module);
  free(p->module);
}

static struct stages *stages_of(struct program *p, const char *name)
{
  return &p->stages[function_of(p->module, name) - p->module->function];
}

static void arguments(struct interpreter *in, uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
  const uint32_t values[] = {a, b, c, d};
  memcpy(&in->x[10], values, sizeof values);
}

/* A hash of the function's results for several arguments; a value that no function gives if it cannot be executed. */
static uint32_t outcome(struct program *p, const char *name)
{
  struct sl_object64 object = {.name = strdup("mutant")};
  struct sl_unit unit;
  struct sl_error err = {0};
  assert_true(sl_unit_init(&unit, &object, p->module));
  for (size_t i = 0; i < p->module->function_count; i++)
    assert_int_equal(sl_emit(&unit, &p->stages[i].after, &p->stages[i].facts, NULL, &err), SL_OK);
  struct interpreter in;
  interpreter_init(&in, &object);
  uint32_t hash = 1;
  for (uint32_t n = 0; n < 9; n++) {
    for (uint32_t i = 0; i < 30; i++) {
      const uint32_t value = (i * 7919 + n) % 101;
      memcpy(in.memory + DATA + 4 * i, &value, 4);
    }
    if (strcmp(name, "sort") == 0)
      arguments(&in, DATA, 3 * n, 0, 0);
    else if (strcmp(name, "ackermann") == 0)
      arguments(&in, n % 3, n / 3, 0, 0);
    else
      arguments(&in, n, n + 4 * n * n, 77, 5 - n);
    hash = hash * 31 + run(&in, name);
    for (uint32_t i = 0; i < 30 && strcmp(name, "sort") == 0; i++)
      hash = hash * 31 + in.memory[DATA + 4 * i];
    if (in.wrong != NULL)
      hash = UINT32_MAX;
  }
  interpreter_free(&in);
  sl_unit_free(&unit);
  sl_object64_free(&object);
  return hash;
}

struct tally {
  unsigned found, equal;
};

/* Checks the current state of the function's allocation, which is a mutant. */
static void judge(struct program *p, const char *name, uint32_t right, struct tally *tally, const char *what,
                  uint32_t i)
{
  struct stages *s = stages_of(p, name);
  struct sl_error err = {0};
  if (sl_check_allocation(&s->before, &s->after, &s->registers, &err) == SL_OK) {
    tally->equal++;
    if (outcome(p, name) != right)
      fail_msg("%s: %s at instruction %u is wrong, and was not found", name, what, i);
  } else {
    assert_int_equal(err.code, SL_INTERNAL);
    tally->found++;
  }
}

/* Replaces each register of each instruction by others. */
static void other_registers(struct program *p, const char *name, uint32_t right, struct tally *tally)
{
  struct sl_lir *after = &stages_of(p, name)->after;
  static const uint8_t others[] = {0, 1, 5, 8, 10, 11, 12, 15, 18, 31};
  for (uint32_t i = 0; i < after->insn_count; i++) {
    struct sl_lir_operand *operand = sl_lir_operands(after, &after->insn[i]);
    for (uint32_t k = 0; k < after->insn[i].operand_count; k++) {
      const uint32_t own = operand[k].reg;
      for (uint32_t o = i % 3; own < SL_LIR_VIRTUAL && o < sizeof others; o += 3)
        if (others[o] != own) {
          operand[k].reg = others[o];
          judge(p, name, right, tally, "another register", i);
        }
      operand[k].reg = own;
    }
  }
}

static void other_slots(struct program *p, const char *name, uint32_t right, struct tally *tally)
{
  struct sl_lir *after = &stages_of(p, name)->after;
  for (uint32_t i = 0; i < after->insn_count; i++) {
    struct sl_lir_operand *operand = sl_lir_operands(after, &after->insn[i]);
    for (uint32_t k = 0; k < after->insn[i].operand_count; k++) {
      const uint32_t own = operand[k].reg;
      for (uint32_t slot = 0; own >= SL_LIR_VIRTUAL && slot < after->kind_count; slot++)
        if (SL_LIR_VIRTUAL + slot != own) {
          operand[k].reg = SL_LIR_VIRTUAL + slot;
          judge(p, name, right, tally, "another slot", i);
        }
      operand[k].reg = own;
    }
  }
}

/* Removes each instruction: inserted ones, and those of the function. */
static void missing_instructions(struct program *p, const char *name, uint32_t right, struct tally *tally)
{
  struct sl_lir *after = &stages_of(p, name)->after;
  for (uint32_t b = 0; b < after->block_count; b++) {
    struct sl_lir_block *block = &after->block[b];
    for (uint32_t k = 0; k < block->insn_count; k++) {
      struct sl_lir_insn *place = after->insn + block->insn + k;
      const struct sl_lir_insn gone = *place;
      const size_t behind = block->insn_count - k - 1;
      memmove(place, place + 1, behind * sizeof *place);
      block->insn_count--;
      judge(p, name, right, tally, "a missing instruction", block->insn + k);
      block->insn_count++;
      memmove(place + 1, place, behind * sizeof *place);
      *place = gone;
    }
  }
}

/* Swaps neighbours of which at least one is an inserted instruction. */
static void swapped_instructions(struct program *p, const char *name, uint32_t right, struct tally *tally)
{
  struct sl_lir *after = &stages_of(p, name)->after;
  for (uint32_t b = 0; b < after->block_count; b++)
    for (uint32_t k = 0; k + 1 < after->block[b].insn_count; k++) {
      struct sl_lir_insn *place = after->insn + after->block[b].insn + k;
      if (place[0].origin != SL_LIR_NONE && place[1].origin != SL_LIR_NONE)
        continue;
      for (int twice = 0; twice < 2; twice++) {
        const struct sl_lir_insn swap = place[0];
        place[0] = place[1];
        place[1] = swap;
        if (twice == 0)
          judge(p, name, right, tally, "a swap", after->block[b].insn + k);
      }
    }
}

typedef void mutation(struct program *p, const char *name, uint32_t right, struct tally *tally);

/* The minimum percentage of rejected mutants: a lower one would show that the mutation does nothing. */
static void every_mutant(unsigned registers, enum sl_allocation allocation, mutation *mutate, unsigned percent)
{
  struct program p = program(registers, allocation);
  struct tally tally = {0};
  for (size_t f = 0; f < FUNCTIONS; f++)
    mutate(&p, functions[f], outcome(&p, functions[f]), &tally);
  free_program(&p);
  print_message("%u found, %u compute the same\n", tally.found, tally.equal);
  assert_true(tally.found * 100 >= percent * (tally.found + tally.equal));
  assert_true(tally.found > 50);
}

static void operands_in_other_registers_are_found(void **state)
{
  (void)state;
  every_mutant(128, SL_COST, other_registers, 90);
  every_mutant(20, SL_FIRST_FIT, other_registers, 90);
}

static void other_slots_are_found(void **state)
{
  (void)state;
  every_mutant(20, SL_COST, other_slots, 70);
}

static void missing_instructions_are_found(void **state)
{
  (void)state;
  every_mutant(20, SL_COST, missing_instructions, 95);
}

static void swapped_instructions_are_found(void **state)
{
  (void)state;
  every_mutant(20, SL_UNAWARE, swapped_instructions, 20);
}

static void correct_allocations_are_accepted(void **state)
{
  (void)state;
  static const unsigned registers[] = {20, 32, 47, 128, 256};
  for (size_t r = 0; r < sizeof registers / sizeof registers[0]; r++)
    for (unsigned allocation = 0; allocation < SL_ALLOCATIONS; allocation++) {
      struct program p = program(registers[r], (enum sl_allocation)allocation);
      for (size_t i = 0; i < p.module->function_count; i++) {
        struct sl_error err = {0};
        struct stages *s = &p.stages[i];
        if (sl_check_allocation(&s->before, &s->after, &s->registers, &err) != SL_OK)
          fail_msg("%s", err.text);
      }
      free_program(&p);
    }
}

/* The upper part of an address, read as a number so that it is not folded, and more values than registers. It is
 * rematerialised where it is read, by a LUI, which is a constant without a base. */
static void an_upper_part_may_be_rematerialised(void **state)
{
  (void)state;
  enum { VALUES = 20 };
  char text[8000] = "---\nname: f\nregisters:\n";
  size_t n = strlen(text);
  for (unsigned v = 0; v <= VALUES + 1; v++)
    n += (size_t)snprintf(text + n, sizeof text - n, "  - { id: %u, class: gpr }\n", v);
  n += (size_t)snprintf(text + n, sizeof text - n,
                        "body: |\n  bb.0:\n    liveins: $x10\n    %%0:gpr = COPY $x10\n"
                        "    %%1:gpr = LUI target-flags(riscv-hi) @v\n"
                        "    SW %%1, %%0, 4\n");
  for (unsigned v = 2; v <= VALUES + 1; v++)
    n += (size_t)snprintf(text + n, sizeof text - n, "    %%%u:gpr = LW %%0, %u\n", v, 4 * v);
  for (unsigned v = 2; v <= VALUES + 1; v++)
    n += (size_t)snprintf(text + n, sizeof text - n, "    SW %%%u, %%0, %u\n", v, 400 - 4 * v);
  n += (size_t)snprintf(text + n, sizeof text - n, "    SW %%1, %%0, 0\n    PseudoRET\n...\n");
  struct sl_mir_module module = {0};
  struct sl_error err = {0};
  assert_int_equal(sl_mir_read("text", text, n, &module, &err), SL_OK);
  struct stages s = staged(&module, "f", 16, SL_COST);
  unsigned made = 0;
  for (size_t i = 0; i < s.after.insn_count; i++)
    made += s.after.insn[i].op == SL_OP_LUI;
  assert_int_equal(made, 2);
  if (sl_check_allocation(&s.before, &s.after, &s.registers, &err) != SL_OK)
    fail_msg("%s", err.text);
  free_stages(&s);
  sl_mir_free(&module);
}

/* A saved register that is not restored, and a temporary that is used across a call, under the given calling
 * convention. */
static void the_calling_convention_decides_which_registers_calls_preserve(void **state)
{
  (void)state;
  struct sl_mir_module module = golden("mixed");
  struct stages s = staged(&module, "pressure", 128, SL_COST);
  struct sl_error err = {0};
  assert_int_equal(sl_check_allocation(&s.before, &s.after, &s.registers, &err), SL_OK);
  assert_true(s.facts.saved > 20);
  struct sl_registers none = s.registers;
  memset(none.saved, 0, sizeof none.saved);
  assert_int_equal(sl_check_allocation(&s.before, &s.after, &none, &err), SL_INTERNAL);
  assert_non_null(strstr(err.text, "pressure"));
  struct sl_registers all = s.registers;
  for (unsigned reg = 10; reg < 18; reg++)
    all.saved[reg] = true;
  assert_int_equal(sl_check_allocation(&s.before, &s.after, &all, &err), SL_INTERNAL);
  free_stages(&s);
  sl_mir_free(&module);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(correct_allocations_are_accepted),
      cmocka_unit_test(operands_in_other_registers_are_found),
      cmocka_unit_test(other_slots_are_found),
      cmocka_unit_test(missing_instructions_are_found),
      cmocka_unit_test(swapped_instructions_are_found),
      cmocka_unit_test(the_calling_convention_decides_which_registers_calls_preserve),
      cmocka_unit_test(an_upper_part_may_be_rematerialised),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
