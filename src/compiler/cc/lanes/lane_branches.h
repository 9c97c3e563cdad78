/* Check of the final machine code for unmarked divergent branches, for a machine whose warps have one program counter.
 *
 * The check finds each branch of a kernel at which lanes may diverge and that no split or predicate instruction guards.
 * It reads the linked program, because the compiler may create branches after the annotation pass. */
#ifndef SL_TOOLCHAIN_LANES_LANE_BRANCHES_H
#define SL_TOOLCHAIN_LANES_LANE_BRANCHES_H

#include "compiler/cc/compile.h"
#include "compiler/cc/tools.h"

/* Adds a warning to the log for each unmarked divergent branch of the program at `path`. Adds none if the program
 * cannot be read or memory is exhausted. */
void sl_check_branches(const struct sl_compile_order *order, const char *path, struct sl_log *log);

/* A kernel's function, whose only argument points to the launch, and what it had before code generation. */
struct sl_kernel_branches {
  char name[600];
  unsigned branches, annotations;
  const char *kinds; /* of branches and selects by number (compiler/cc/lanes/lane_branches.h); NULL or empty: none */
};

/* Checks kernels in the same way, on machines with splits or with nesting levels. Adds an error for each unmarked
 * divergent branch, and returns whether there is none.
 *
 * The analysis of machine code may take a uniform branch for a divergent one, which the analysis before code generation
 * does not. So each machine branch is mapped to its origin by the column of its source location. A branch that was
 * uniform is right, and one that was a select with a uniform condition. One that was annotated must be guarded. One
 * that code generation made of another instruction must be uniform by the analysis of machine code. If the location was
 * lost, the branch is right if code generation lost no annotation, as many uniform branches are not found, and no
 * annotated one can be meant. */
bool sl_check_kernel_branches(const char *path, const struct sl_kernel_branches *kernels, size_t count,
                              struct sl_log *log);

/* Numbers of a function's conditional branches and uniform selects, from the last pass on LLVM's representation to the
 * final machine code.
 *
 * Code generation keeps the debug location of a branch while it inverts, moves and copies it, and gives a branch that
 * it makes of another instruction the location of that instruction (LLVM, "How to Update Debug Info"). So each branch
 * has its number as column of its location, and so has each select of which code generation makes a branch; all other
 * instructions have a column that stands for none of them. Locations that code generation merges or drops have column 0
 * or line 0. */

enum sl_branch_number {
  SL_BRANCH_LOST = 0,
  SL_BRANCH_MADE = 1,    /* of another instruction */
  SL_BRANCH_FIRST = 2,   /* the numbers, in the order of the function */
  SL_BRANCH_LAST = 65535 /* a column has 16 bits; further branches have no number */
};

/* The kind of a branch or select, as a letter in a list by number. */
enum sl_branch_kind {
  SL_BRANCH_UNIFORM = 'u',   /* lanes agree, by the divergence analysis */
  SL_BRANCH_ANNOTATED = 'a', /* lanes may disagree: annotations must let them reconverge */
  SL_BRANCH_SELECT = 's', /* a select of floats, on whose condition lanes agree; code generation joins some of them */
};

#endif
