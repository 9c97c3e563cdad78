/* Control-flow graph of a function's machine code. */
#ifndef SL_TOOLCHAIN_LANES_LANE_CODE_H
#define SL_TOOLCHAIN_LANES_LANE_CODE_H

#include "base/error.h"
#include "base/types.h"
#include "compiler/cc/compile.h"
#include "compiler/cc/tools.h"
#include "isa/isa.h"
#include "program/program.h"

/* Node 0 is the end of the function; node i + 1 is its instruction i. */
struct sl_lane_code {
  uint32_t address, count; /* number of instructions */
  unsigned bytes;          /* per instruction */
  struct sl_insn *insn;
  uint32_t (*next)[2];      /* by node: its successors; twice the same if there is one */
  uint32_t *post_dominator; /* by node: the immediate one, or SL_NO_POST_DOMINATOR */
  bool *leader;             /* by node: it begins a basic block */
  uint32_t *order;          /* leaders of the reachable blocks in reverse postorder; the end is last */
  uint32_t blocks;          /* number of reachable blocks */
  bool sets_masks;          /* the function sets lane masks itself (TMC) */
  bool has_levels;          /* its annotations are nesting levels */
  bool *closed;             /* by node: a branch whose paths a POP to its level merges */
};

/* Returns the address of a node's instruction. */
static inline uint32_t sl_lane_code_at(const struct sl_lane_code *code, uint32_t node)
{
  return code->address + (node - 1) * code->bytes;
}

/* Returns true if the function calls the function at `target`. */
bool sl_lane_code_calls(const struct sl_lane_code *code, uint32_t target);

/* Abstract state before an instruction: for each place (a register or a word of the stack) its symbolic value, and
 * whether it differs between the lanes of a warp. */

/* Symbolic values (terms): equal terms denote equal values. The table records the operands of each computed term. */
/* 0: no term. */
typedef uint64_t sl_term;

struct sl_term_entry {
  sl_term term, of[3]; /* operands; 0: none */
};

struct sl_terms {
  struct sl_term_entry *entry; /* hash table; its size is a power of two */
  size_t room, count;
  bool lost; /* memory was exhausted: the operands of some terms are unknown */
};

void sl_terms_free(struct sl_terms *terms);

/* Returns true if `part` is `whole` or an operand of it, within a limited depth. */
bool sl_term_has(const struct sl_terms *terms, sl_term whole, sl_term part);

enum { SL_LANE_REGISTERS = 256, SL_LANE_SLOTS = 512, SL_LANE_FURTHER_SLOTS = 2048 };
enum { SL_LANE_PLACES = SL_LANE_REGISTERS + SL_LANE_SLOTS };

enum sl_lane_kind {
  SL_LANE_ANY,
  SL_LANE_NUMBER, /* a constant */
  SL_LANE_STACK,  /* the stack pointer at entry plus a number */
  SL_LANE_FRAME,  /* a pointer into the stack, made of such an address; the number is the lowest one that it may have */
  SL_LANE_OBJECT, /* address of the kernel's object (struct simt_geometry and the arguments) plus a number */
  SL_LANE_SHIFT,  /* shift from a thread's number to its block slot's, which is uniform in a warp */
};

/* A value is the sum of a uniform part and a part that differs between lanes, `lane`. Two values with equal `lane` have
 * the same difference in all lanes. */
struct sl_lane_value {
  sl_term term, lane; /* lane 0: the value is uniform */
  uint32_t number;
  uint8_t kind; /* enum sl_lane_kind */
};

struct sl_lane_state {
  bool reached;
  uint16_t registers; /* places of registers that the machine has; 0 before the state is reached */
  sl_term predicate;  /* predicate of the last split or pred: uniform in active lanes; 0: none */
  struct sl_lane_value place[SL_LANE_PLACES]; /* registers, then stack words */
};

/* Stack words, numbered in the order in which the analysis finds them. Of those that the state has no place for, it
 * only knows whether a store of a divergent value has been found. Of those that a pointer may reach it knows nothing:
 * they are at the lowest address of which a pointer was made that memory, a store or a function uses, and above, since
 * compilers count from an object's begin. */
struct sl_lane_slots {
  uint32_t offset[SL_LANE_SLOTS];
  uint32_t count;
  uint32_t further[SL_LANE_FURTHER_SLOTS]; /* offsets */
  bool differs[SL_LANE_FURTHER_SLOTS], changed;
  uint32_t further_count;
  bool reached; /* pointers are used */
  int32_t lowest;
};

enum { SL_LANE_ZERO = 0, SL_LANE_RA = 1, SL_LANE_SP = 2, SL_LANE_TP = 4, SL_LANE_A0 = 10 };

/* Sets the state at the entry. `differ`: divergent arguments (struct sl_lane_call). A kernel's a0 points to its object.
 */
void sl_lane_state_enter(struct sl_lane_state *state, bool kernel, uint16_t differ);

/* The place after `i` that the machine has. */
static inline uint32_t sl_lane_next_place(const struct sl_lane_state *state, uint32_t i)
{
  return i + 1 == state->registers ? (uint32_t)SL_LANE_REGISTERS : i + 1;
}

/* Copies the places before `end`. */
void sl_lane_state_copy(struct sl_lane_state *to, const struct sl_lane_state *from, uint32_t end);

/* Joins a predecessor's out state into the in state of a node. `mixed` has an element per place; 0 before the first
 * predecessor. Places from `end` on are stack words that are not found yet, so nothing has changed them. */
void sl_lane_state_join(struct sl_lane_state *state, const struct sl_lane_state *from, uint8_t *mixed, uint32_t node,
                        uint32_t end);

/* Forgets what differs from the state that the node had before, so that a node's state changes a few times only. */
void sl_lane_state_widen(struct sl_lane_state *state, const struct sl_lane_state *before, uint32_t node, uint32_t end);

/* Finds places that differ after diverged lanes reconverge at node `join`. `in`: nodes of the divergent region;
 * `changed`: places that they write. Adds these places to `merges`; returns true if it has added any. */
bool sl_lane_state_find_merges(const struct sl_lane_state *state, const struct sl_terms *terms, const bool *in,
                               const bool *changed, uint32_t join, bool *merges);

/* Makes the places of `merges` divergent at the node. */
void sl_lane_state_set_merges(struct sl_lane_state *state, const bool *merges, uint32_t node, uint32_t end);

bool sl_lane_state_equal(const struct sl_lane_state *a, const struct sl_lane_state *b, uint32_t end);

/* Applies an instruction other than a call. Returns the place that it writes, or SL_LANE_PLACES. */
uint32_t sl_lane_state_step(struct sl_lane_state *state, const struct sl_lane_code *code, uint32_t node,
                            struct sl_terms *terms, struct sl_lane_slots *slots);

/* A store in a divergent region, of which some lanes may execute another one: marks the stack word if the state has no
 * place for it. Returns true if it was not marked. */
bool sl_lane_slots_mark(struct sl_lane_slots *slots, const struct sl_lane_state *state, const struct sl_insn *store);

/* Applies a call with these divergent results (struct sl_lane_call). Sets `changed` for the caller-saved registers. */
void sl_lane_state_call(struct sl_lane_state *state, const struct sl_lane_code *code, uint32_t node, uint16_t results,
                        bool *changed);

/* The callee may use pointers that it gets as arguments. */
void sl_lane_slots_pass(struct sl_lane_slots *slots, const struct sl_lane_state *state);

/* Returns the divergent arguments (struct sl_lane_call). */
uint16_t sl_lane_state_arguments(const struct sl_lane_state *state);

/* Sets the target of a call or jump. Returns false if it is not constant. */
bool sl_lane_state_target(const struct sl_lane_state *state, const struct sl_lane_code *code, uint32_t node,
                          uint32_t *target);

/* Divergence analysis of a function's machine code: a fixed point over its basic blocks. It finds the branches at which
 * lanes of a warp may diverge, and those of them that no annotation guards. */

/* Callbacks of the analysis at calls. */
struct sl_lane_calls {
  /* Returns true if the callee returns, and sets its divergent results. The address `target` is valid if `known`. Bits
   * of `arguments` and `results`: struct sl_lane_call. */
  bool (*returns)(void *context, uint32_t target, bool known, uint16_t arguments, uint16_t *results);
  void *context;
};

/* Blocks have the numbers of code.order. */
struct sl_lane_function {
  struct sl_lane_code code;
  struct sl_terms terms;
  struct sl_lane_slots slots;
  struct sl_lane_state *in_state;            /* by block: state at its entry */
  struct sl_lane_state *forward;             /* by block: the same from its forward edges only */
  struct sl_lane_state *out_state;           /* by block: state after its last instruction */
  uint32_t *block_of;                        /* by leader: number of its block */
  uint32_t *first_predecessor, *predecessor; /* by block: first index into predecessor[]; the predecessors' numbers */
  bool (*merges)[SL_LANE_PLACES];            /* by block: places that differ because diverged lanes reconverge here */
  bool *stale;                               /* by block: what its in state depends on has changed */
  bool evaluated;                            /* every block at least once */
  bool keeps;                                /* back edges are never ignored */
  bool widens;                               /* states only lose what is known */
  bool *uniform;                             /* by node: a branch at which lanes agree; set before solving */
  bool *diverges;                            /* by node: an annotated branch at which lanes may diverge */
  bool *unmarked;  /* by node: a branch or jump without annotation at which lanes may diverge */
  bool *in_region; /* by node: diverged lanes may execute it */
};

/* Reads a function and its control-flow graph. Close it also after an error. */
enum sl_status sl_lane_function_open(struct sl_lane_function *f, const struct sl_program *program, uint32_t address,
                                     uint32_t end, struct sl_error *err);

void sl_lane_function_close(struct sl_lane_function *f);

/* Computes the fixed point. `differ`: divergent arguments, with the bits of struct sl_lane_call. */
enum sl_status sl_lane_function_solve(struct sl_lane_function *f, bool kernel, uint16_t differ,
                                      const struct sl_lane_calls *calls, struct sl_error *err);

/* Returns the divergent results of a solved function, with the bits of struct sl_lane_call. */
uint16_t sl_lane_function_results(const struct sl_lane_function *f);

/* Calls `found` for each call of the solved function that has a known target, with the state before the call. */
void sl_lane_function_calls(struct sl_lane_function *f,
                            void (*found)(void *context, uint32_t node, uint32_t target,
                                          const struct sl_lane_state *state),
                            void *context);

/* Check of the final machine code for unmarked divergent branches, for a machine whose warps have one program counter.
 *
 * The check finds each branch of a kernel at which lanes may diverge and that no split or predicate instruction guards.
 * It reads the linked program, because the compiler may create branches after the annotation pass. */

/* Adds a warning to the log for each unmarked divergent branch of the program at `path`. Adds none if the program
 * cannot be read or memory is exhausted. */
void sl_check_branches(const struct sl_compile_order *order, const char *path, struct sl_log *log);

/* A kernel's function, whose only argument points to the launch, and what it had before code generation. */
struct sl_kernel_branches {
  char name[600];
  unsigned branches, annotations;
  const char *kinds; /* of branches and selects by number; NULL or empty: none */
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
