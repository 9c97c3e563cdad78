/* simtlab-marks: reconvergence pass. It compiles LLVM bitcode of a C or C++ file to an object, assembly, or bitcode for
 * llc, and inserts reconvergence annotations. `simtlab cc --marks=auto` runs it. It is a separate program because LLVM
 * terminates the process on fatal errors. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "marks/constructors.h"
#include "marks/divergence.h"
#include "marks/endings.h"
#include "marks/lane_functions.h"
#include "marks/nesting.h"
#include "marks/passes.h"
#include "marks/placing.h"
#include "marks/selects.h"

/* Short branches become selects, switches become branches, loops get one entry and one back edge. */
static const char tidying[] =
    "function(expand-large-div-rem,expand-large-fp-convert,scalarizer,instsimplify,simplifycfg,"
    "lower-switch),mergereturn,function(loop-simplify,lcssa)";
/* Every branch and every loop gets one end. */
static const char restructuring[] =
    "function(fix-irreducible,loop-simplify,lcssa,unify-loop-exits,structurizecfg,early-cse,instsimplify,loop-simplify,"
    "lcssa)";
static const char to_memory[] = "function(reg2mem)";
static const char from_memory[] = "function(mem2reg,early-cse,dce)";

struct lane_functions {
  struct sl_lane_function *item;
  size_t count;
};

static bool any(const struct sl_lane_function *function)
{
  return function->function != NULL;
}

static bool is_unnested(const struct sl_lane_function *function)
{
  return function->restructure;
}

static void find_unnested(const struct sl_tool *tool, struct sl_lane_function *f)
{
  struct sl_flow flow;
  struct sl_divergence divergence;
  sl_flow_make(&flow, f->function);
  sl_divergence_find(&divergence, &flow, f->function, f->same_parameters);
  for (unsigned b = 0; b < flow.count; b++)
    f->restructure |= divergence.split[b] && sl_nest_of(&flow, b) == SL_NEST_NONE;
  sl_divergence_free(&divergence);
  sl_flow_free(&flow);
  if (f->restructure)
    sl_give_endings(tool, f->function);
}

static void note(const struct sl_tool *tool, const struct sl_lane_function *f)
{
  struct sl_flow flow;
  struct sl_divergence divergence;
  sl_flow_make(&flow, f->function);
  sl_divergence_find(&divergence, &flow, f->function, f->same_parameters);
  sl_note_branches(tool, &flow, &divergence);
  sl_selects_replace(tool, &divergence, f->function);
  sl_divergence_free(&divergence);
  sl_flow_free(&flow);
}

static bool insert_marks(const struct sl_tool *tool, const struct lane_functions *f)
{
  for (size_t i = 0; i < f->count; i++)
    sl_selects_spell_out(tool, f->item[i].function);
  if (!sl_run_passes_on(tool, tidying, f->item, f->count, any))
    return false;
  for (size_t i = 0; i < f->count; i++)
    find_unnested(tool, &f->item[i]);
  if (!sl_run_passes_on(tool, "mergereturn", f->item, f->count, is_unnested) ||
      !sl_run_passes_on(tool, restructuring, f->item, f->count, is_unnested))
    return false;
  for (size_t i = 0; i < f->count; i++)
    note(tool, &f->item[i]);
  if (!sl_run_passes_on(tool, to_memory, f->item, f->count, any))
    return false;
  for (size_t i = 0; i < f->count; i++)
    sl_place_marks(tool, f->item[i].function);
  return sl_run_passes_on(tool, from_memory, f->item, f->count, any);
}

static bool compile(struct sl_tool *tool, const char *input, const char *output, enum sl_marks_output kind)
{
  if (!sl_open_module(tool, input) || !sl_run_passes(tool, "default<O2>"))
    return false;
  struct lane_functions functions = {0};
  functions.item = sl_lane_functions(tool, &functions.count);
  const bool marked = insert_marks(tool, &functions);
  free(functions.item);
  sl_list_constructors(tool);
  return marked && sl_write_code(tool, output, kind);
}

int main(int argc, char **argv)
{
  static const char *const kinds[] = {[SL_MARKS_VORTEX] = "vortex", [SL_MARKS_LEVELS] = "simt"};
  static const char *const outputs[] = {[SL_MARKS_ASSEMBLY] = "-S", [SL_MARKS_BITCODE] = "-emit-llvm"};
  enum sl_marks_output output = SL_MARKS_BITCODE;
  while (output > SL_MARKS_OBJECT && (argc != 5 || strcmp(argv[1], outputs[output]) != 0))
    output--;
  const int chosen = output != SL_MARKS_OBJECT;
  char **words = argv + 1 + chosen;
  struct sl_tool tool = {.kind = SL_MARKS_VORTEX};
  while (argc == 4 + chosen && tool.kind <= SL_MARKS_LEVELS && strcmp(words[0], kinds[tool.kind]) != 0)
    tool.kind++;
  if (argc != 4 + chosen || tool.kind > SL_MARKS_LEVELS) {
    fprintf(stderr, "usage: simtlab-marks [-S|-emit-llvm] vortex|simt INPUT.bc OUTPUT\n"
                    "Bitcode of a C or C++ file to an object, assembly or bitcode with convergence marks; simtlab cc\n"
                    "--marks=auto runs this.\n");
    return 2;
  }
  const bool done = compile(&tool, words[1], words[2], output);
  sl_close_module(&tool);
  return done ? EXIT_SUCCESS : EXIT_FAILURE;
}
