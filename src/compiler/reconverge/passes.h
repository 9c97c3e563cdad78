/* Passes of the annotation tool over the functions of a module (annotate.c, selects.c, waits.c), and
 * its interface to LLVM (passes.c): reads the module, runs passes, writes the object. Functions report errors on
 * standard error. */
#ifndef SL_MARKS_PASSES_H
#define SL_MARKS_PASSES_H

#include <llvm-c/Core.h>
#include <llvm-c/TargetMachine.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

/* Control flow of a function in numbers: blocks, edges, dominators, post-dominators and loops. It is a snapshot; code
 * that changes the function must recompute it. */

/* Sources of divergence: instructions whose result differs between lanes by itself, such as the lane's number, its own
 * stack and thread-local variables, and results of atomics and functions. For all others the operands decide. */

enum sl_lanes_get {
  SL_LANES_GET_SAME,    /* uniform, for any operands */
  SL_LANES_GET_OTHERS,  /* divergent */
  SL_LANES_BY_OPERANDS, /* uniform if all operands are */
};

enum sl_lanes_get sl_lanes_get(LLVMValueRef instruction);

/* Returns the text of an inline assembly call, or NULL. */
const char *sl_assembly_of(LLVMValueRef instruction);

/* Returns the name of the called intrinsic without "llvm.", or NULL. */
const char *sl_intrinsic_of(LLVMValueRef instruction);

#define SL_NO_BLOCK ((unsigned)-1)

/* Edges of block b: item[begin[b]] up to item[begin[b + 1]]. */
struct sl_edges {
  unsigned *begin, *item;
};

struct sl_flow {
  unsigned count;           /* of blocks; number `count` represents the function's end */
  LLVMBasicBlockRef *block; /* by number, in the order of the function */
  unsigned *order;          /* reachable blocks, in reverse post-order */
  unsigned reached;
  struct sl_edges successors, predecessors;
  unsigned *dominator;      /* the immediate one; SL_NO_BLOCK: none */
  unsigned *post_dominator; /* likewise; none for blocks without a path to the end */
  unsigned *loop;           /* header of the innermost enclosing loop, or SL_NO_BLOCK */
  unsigned *outer;          /* per header: header of the enclosing loop */
};

/* A function ends where it returns; one that never returns ends where it is unreachable. */
void sl_flow_make(struct sl_flow *flow, LLVMValueRef function);
void sl_flow_free(struct sl_flow *flow);

bool sl_flow_dominates(const struct sl_flow *flow, unsigned above, unsigned below);
bool sl_flow_in_loop(const struct sl_flow *flow, unsigned block, unsigned header);

/* Sets `in` for the blocks reachable from `from` without passing `stop`; `in` has an element per block and one for the
 * end. Blocks already set are not entered. */
void sl_flow_reach(const struct sl_flow *flow, unsigned from, unsigned stop, bool *in);

/* Divergence analysis: finds values of a function that may differ between the lanes at one place, by data flow to a
 * fixpoint. Three rules make a value divergent: it is computed from divergent values; it merges paths after a divergent
 * branch (control dependence); it is used after a loop that lanes leave in different iterations.
 *
 * The function is in LCSSA form: a value used after a loop passes through a PHI there. */

struct sl_divergence {
  LLVMValueRef *differing; /* hash table of 2^bits places */
  size_t bits, count;
  bool *meets; /* per block: diverged paths or iterations merge in it */
  bool *split; /* per block: it ends with a divergent branch */
};

/* `same_parameters`: the function's parameters are uniform, as a kernel's are. */
void sl_divergence_find(struct sl_divergence *divergence, const struct sl_flow *flow, LLVMValueRef function,
                        bool same_parameters);
void sl_divergence_free(struct sl_divergence *divergence);

bool sl_differs(const struct sl_divergence *divergence, LLVMValueRef value);

/* State shared by the tool's parts: the module and its target machine. */

/* Allocation for a tool that exits if memory is exhausted. */

/* Returns zeroed room for `count` items, at least one. */
static inline void *sl_room(size_t count, size_t size)
{
  void *room = calloc(count ? count : 1, size);
  if (room == NULL) {
    fprintf(stderr, "simtlab-marks: no memory left\n");
    exit(EXIT_FAILURE);
  }
  return room;
}

/* How the machine reconverges lanes. */
enum sl_marks_kind {
  SL_MARKS_VORTEX, /* a warp has one program counter: split and join, predicated loops */
  SL_MARKS_LEVELS, /* each lane has its own: nesting levels, push and pop (SIMTight) */
};

struct sl_tool {
  LLVMContextRef context;
  LLVMModuleRef module;
  LLVMTargetMachineRef machine;
  LLVMBuilderRef builder;
  enum sl_marks_kind kind;
  bool lane_barriers;  /* Vortex with a pc per lane: convergence barriers instead of splits */
  bool warns_of_waits; /* list the loops in which lanes may wait for each other */
  bool all_selects;    /* replace also uniform ones, and 64-bit operations that would become branches */
  bool integer_floats; /* floats are in integer registers (Zfinx) */
};

/* A function that several lanes of a warp may run. */
struct sl_marked_function {
  LLVMValueRef function;
  bool same_parameters; /* all lanes call it with the same arguments */
  bool restructure;     /* it has branches that are not nested */
};

/* Finds the reconvergence point of a divergent branch, and checks that no other edge enters or leaves the region
 * between them. Only then can annotations enclose it. */

enum sl_nest {
  SL_NEST_STATEMENT, /* from the branch to its post-dominator */
  SL_NEST_LOOP,      /* it is the loop's only exit, passed in every iteration */
  SL_NEST_NONE,      /* neither: another edge enters or leaves */
};

enum sl_nest sl_nest_of(const struct sl_flow *flow, unsigned branch);

/* Returns the block before a loop that only the loop follows, or SL_NO_BLOCK. */
unsigned sl_preheader(const struct sl_flow *flow, unsigned header);

/* Reconvergence annotations as inline assembly that no pass moves, copies or merges. Each is built at the position of
 * the tool's builder. */

/* Vortex. The result is the condition as a word that depends on the instruction, for the branch after it. */
struct sl_split {
  LLVMValueRef token, condition;
};
struct sl_split sl_assembly_split(const struct sl_tool *tool, LLVMValueRef condition);
void sl_assembly_join(const struct sl_tool *tool, LLVMValueRef token);
LLVMValueRef sl_assembly_active(const struct sl_tool *tool);
LLVMValueRef sl_assembly_predicate(const struct sl_tool *tool, LLVMValueRef condition, LLVMValueRef lanes);
void sl_assembly_yield(const struct sl_tool *tool);
void sl_assembly_barrier(const struct sl_tool *tool, unsigned number, bool wait); /* the lanes join it, or wait at it */

/* SIMTight. */
void sl_assembly_push(const struct sl_tool *tool);
void sl_assembly_pop(const struct sl_tool *tool);

/* Hides a word's value from the optimiser; a float as an integer, rounded in the instruction's mode. */
LLVMValueRef sl_assembly_opaque(const struct sl_tool *tool, LLVMValueRef word);
LLVMValueRef sl_assembly_single(const struct sl_tool *tool, LLVMValueRef word); /* and never copied */
LLVMValueRef sl_assembly_round(const struct sl_tool *tool, LLVMValueRef value, const char *mode);

/* Opens the compiler's bitcode, for the target that it was compiled for: reads it, and prepares code generation for the
 * triple, features and ABI that the module names. */
bool sl_open_module(struct sl_tool *tool, const char *path);
/* The parts of this: LLVM and a context; a module, or NULL; code generation. */
void sl_start(struct sl_tool *tool);
LLVMModuleRef sl_parse(const struct sl_tool *tool, const char *path);
bool sl_prepare_module(struct sl_tool *tool);
void sl_close_module(struct sl_tool *tool);

/* Runs passes, by their names, on all functions, or on the listed functions for which `chosen` holds. */
bool sl_run_passes(const struct sl_tool *tool, const char *passes);
bool sl_run_passes_on(const struct sl_tool *tool, const char *passes, const struct sl_marked_function *functions,
                      size_t count, bool (*chosen)(const struct sl_marked_function *));

enum sl_marks_output { SL_MARKS_OBJECT, SL_MARKS_ASSEMBLY, SL_MARKS_BITCODE };

/* Code generation from the bitcode elsewhere must use the code generation options of passes.c, too. */
bool sl_write_code(const struct sl_tool *tool, const char *path, enum sl_marks_output output);

/* Inserts reconvergence annotations into functions: finds divergent branches, restructures where they are not nested,
 * replaces what code generation would turn into branches, and places annotations around divergent branches, inner ones
 * first. */

bool sl_annotate(const struct sl_tool *tool, struct sl_marked_function *functions, size_t count);

/* Replaces operations for which code generation would create a branch that the source does not have.
 *
 * On Vortex, divergent selects of floats become selects of words, for which it has instructions. SIMTight has no such
 * instructions, so all divergent selects become arithmetic, and operations of 64 bits that code generation for 32-bit
 * words would give branches become operations on words: comparisons, shifts, counts of zero bits, saturating sums. */

/* Expands intrinsics: minimum and maximum to comparison and select; rounding to conversion and select; counts of zero
 * bits to a count for nonzero operands and select. Call it before the divergence analysis. */
void sl_selects_spell_out(const struct sl_tool *tool, LLVMValueRef function);

/* Replaces selects with a divergent condition, and conversions of a divergent condition to a float. */
void sl_selects_replace(const struct sl_tool *tool, const struct sl_divergence *divergence, LLVMValueRef function);

/* Loops in which lanes may wait for each other, such as `while (!done) if (!atomicExch(lock, 1)) { ...; done = 1; }`.
 *
 * The optimiser would move what follows a successful turn behind the loop. Then the lane that holds the lock leaves the
 * loop, and it may wait for the lanes that spin: on most machines for ever. Here the exits of such loops get conditions
 * that the optimiser does not know, so that each loop keeps its shape. */

/* Keeps the loops of a module that has not been optimised, and lists them if the tool is to warn. Returns false after
 * an error message. */
bool sl_waits_keep(const struct sl_tool *tool);

#endif
