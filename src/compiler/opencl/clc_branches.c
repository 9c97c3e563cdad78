#include <llvm-c/DebugInfo.h>
#include <string.h>

#include "compiler/cc/lanes/lane_code.h"
#include "compiler/opencl/clc.h"
#include "compiler/reconverge/passes.h"

/* ---- counts ------------------------------------------------------------------------------------------------------ */

/* Annotations in a text of assembly. */
static unsigned annotations_of(const char *text)
{
  static const char *const annotation[] = {".word 0x00050009", ".word 0x00051009", ".insn r 0x0B, 2,",
                                           ".insn r 0x0B, 3,", ".insn r 0x0B, 5,"};
  unsigned count = 0;
  for (size_t i = 0; i < sizeof annotation / sizeof *annotation; i++)
    for (const char *at = text; at != NULL && (at = strstr(at, annotation[i])) != NULL; at++)
      count++;
  return count;
}

static bool is_branch(LLVMValueRef instruction)
{
  return LLVMIsATerminatorInst(instruction) != NULL && LLVMGetNumSuccessors(instruction) > 1;
}

/* Uniform selects become branches, too. */
static void count(LLVMValueRef function, struct clc_layout *l)
{
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b != NULL; b = LLVMGetNextBasicBlock(b))
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i != NULL; i = LLVMGetNextInstruction(i)) {
      l->annotations += annotations_of(sl_assembly_of(i));
      l->branches += is_branch(i);
      l->made += LLVMIsASelectInst(i) != NULL;
    }
}

/* ---- numbers ----------------------------------------------------------------------------------------------------- */

/* Gives an instruction a column. One of the launch has no line of the kernel; without line 0 it would have that of the
 * one before. But a column needs a line: a branch of the launch has the kernel's first one. */
static void place(const struct sl_tool *tool, LLVMMetadataRef lines, LLVMValueRef instruction, unsigned column)
{
  const LLVMMetadataRef old = LLVMInstructionGetDebugLoc(instruction);
  unsigned line = old != NULL ? LLVMDILocationGetLine(old) : 0;
  const bool own = line == 0 && column >= SL_BRANCH_FIRST;
  if (own)
    line = LLVMDISubprogramGetLine(lines);
  const LLVMMetadataRef scope = old != NULL && !own ? LLVMDILocationGetScope(old) : lines;
  const LLVMMetadataRef call = old != NULL && !own ? LLVMDILocationGetInlinedAt(old) : NULL;
  LLVMInstructionSetDebugLoc(instruction, LLVMDIBuilderCreateDebugLocation(tool->context, line, column, scope, call));
}

/* The kind of an instruction that has a number; 0: it has none. Words are selected by instructions or arithmetic. */
static char kind_of(LLVMValueRef i, const struct sl_divergence *divergence, bool annotated)
{
  if (is_branch(i))
    return annotated || sl_differs(divergence, LLVMGetOperand(i, 0)) ? SL_BRANCH_ANNOTATED : SL_BRANCH_UNIFORM;
  const bool is_float = LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMFloatTypeKind;
  return LLVMIsASelectInst(i) != NULL && is_float && !sl_differs(divergence, LLVMGetOperand(i, 0)) ? SL_BRANCH_SELECT
                                                                                                   : '\0';
}

/* Whether the block's branch leaves its loop. */
static bool leaves_loop(const struct sl_flow *flow, unsigned b)
{
  bool leaves = false;
  for (unsigned e = flow->successors.begin[b]; e < flow->successors.begin[b + 1] && flow->loop[b] != SL_NO_BLOCK; e++)
    leaves |= !sl_flow_in_loop(flow, flow->successors.item[e], flow->loop[b]);
  return leaves;
}

/* Code generation makes a branch for each of the comparisons of a condition, unless it cannot predict the branch. Lanes
 * that stay in a loop by different branches would be apart until they leave it. Those of a statement meet at its end.
 */
static void keep_whole(const struct sl_tool *tool, LLVMValueRef branch)
{
  static const char unpredictable[] = "unpredictable";
  const unsigned noted = LLVMGetMDKindIDInContext(tool->context, unpredictable, sizeof unpredictable - 1);
  const LLVMMetadataRef nothing = LLVMMDNodeInContext2(tool->context, NULL, 0);
  LLVMSetMetadata(branch, noted, LLVMMetadataAsValue(tool->context, nothing));
}

void clc_number_branches(const struct sl_tool *tool, LLVMValueRef function, bool marks, struct clc_layout *l)
{
  static const char differs[] = "simt.differs";
  const unsigned noted = LLVMGetMDKindIDInContext(tool->context, differs, sizeof differs - 1);
  const LLVMMetadataRef lines = LLVMGetSubprogram(function);
  struct sl_flow flow;
  struct sl_divergence divergence;
  count(function, l);
  l->kinds = sl_room(l->branches + l->made + 1, 1);
  sl_flow_make(&flow, function);
  sl_divergence_find(&divergence, &flow, function, true);
  unsigned next = 0;
  for (unsigned b = 0; b < flow.count; b++)
    for (LLVMValueRef i = LLVMGetFirstInstruction(flow.block[b]); i != NULL; i = LLVMGetNextInstruction(i)) {
      const char kind = marks ? kind_of(i, &divergence, LLVMGetMetadata(i, noted) != NULL) : '\0';
      if (kind == SL_BRANCH_ANNOTATED && leaves_loop(&flow, b))
        keep_whole(tool, i);
      const bool numbered = lines != NULL && kind != '\0' && next <= SL_BRANCH_LAST - SL_BRANCH_FIRST;
      if (numbered)
        l->kinds[next] = kind;
      if (lines != NULL)
        place(tool, lines, i, numbered ? SL_BRANCH_FIRST + next : is_branch(i) ? SL_BRANCH_LOST : SL_BRANCH_MADE);
      next += numbered;
    }
  sl_divergence_free(&divergence);
  sl_flow_free(&flow);
}
