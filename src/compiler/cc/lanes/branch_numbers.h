/* Numbers of a function's conditional branches and uniform selects, from the last pass on LLVM's representation to the
 * final machine code.
 *
 * Code generation keeps the debug location of a branch while it inverts, moves and copies it, and gives a branch that
 * it makes of another instruction the location of that instruction (LLVM, "How to Update Debug Info"). So each branch
 * has its number as column of its location, and so has each select of which code generation makes a branch; all other
 * instructions have a column that stands for none of them. Locations that code generation merges or drops have column 0
 * or line 0. */
#ifndef SL_TOOLCHAIN_LANES_BRANCH_NUMBERS_H
#define SL_TOOLCHAIN_LANES_BRANCH_NUMBERS_H

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
