/* Transformations of a kernel whose branches have their targets, as an assembler for GPUs makes them: predicates for
 * short branches, and unrolled loops. Behind them, what they are made of: editing of code, folding of numbers, loops.
 */
#ifndef SL_PTX_TEXT_PTX_TRANSFORM_H
#define SL_PTX_TEXT_PTX_TRANSFORM_H

#include "ptx/ptx_passes.h"
#include "ptx/text/ptx_parser.h"

/* Turns short branches of a kernel into predicates: the instructions that a branch goes around, or those of both sides,
 * execute under its condition.
 *
 * NVIDIA's compiler does so if a condition controls up to 7 instructions, or up to 4 if it is not likely to differ in a
 * warp (CUDA C Programming Guide 4.2, section 5.4.2). Here a condition is likely to differ if it depends on the
 * thread's index or on loaded data. Loads, stores and instructions without side effects are predicated. */

enum { SL_PTX_PREDICATE_VARYING = 7, SL_PTX_PREDICATE_UNIFORM = 4 };

/* Predicates the branches of the kernel from `begin` to the end of the code, whose branches have their targets. Returns
 * the number of branches that are gone. */
uint32_t sl_ptx_predicate(struct sl_ptx_parser *p, uint32_t begin);

/* Unrolls loops of a kernel that are one basic block, as an assembler for GPUs does unless a .pragma "nounroll" is at
 * their head (PTX ISA, "Pragma Strings").
 *
 * A loop with a known number of rounds disappears if its copies are short enough. Other counted loops do four rounds at
 * a time and the remaining ones as before. Numbers are folded, so the counter is gone from the copies. Results that
 * only the next round reads have registers of their own, so loads of several rounds can be outstanding. Instructions
 * keep their place in the text.
 *
 * The limits of NVIDIA's assembler are not published. These are those of LLVM 19 at -O3 (LoopUnrollPass.cpp): 300
 * instructions, and up to four times as many if folding removes so many (-unroll-threshold-aggressive,
 * -unroll-max-percent-threshold-boost), which is examined for up to 10 rounds (-unroll-max-iteration-count-to-analyze).
 */

enum { SL_PTX_UNROLL_MOST = 300, SL_PTX_UNROLL_BOOST = 400, SL_PTX_UNROLL_EXAMINED = 10 };

/* Unrolls the loops of the kernel from `begin` to the end of the code, whose branches have their targets. False: out of
 * memory. */
bool sl_ptx_unroll(struct sl_ptx_parser *p, uint32_t begin);

/* Editing of the instructions of a kernel: operands by role, new registers, renaming, and replacing a piece of code. */

enum { SL_PTX_READS = 5, SL_PTX_WRITES = SL_PTX_ELEMENTS };

/* Operands of an instruction in operand order, without guard and address. */
struct sl_ptx_roles {
  struct sl_ptx_place *read[SL_PTX_READS], *written[SL_PTX_WRITES];
  unsigned reads, writes;
};

/* False: instructions of this kind are not edited. */
bool sl_ptx_roles_find(struct sl_ptx_roles *roles, struct sl_ptx_insn *in);

struct sl_ptx_editor {
  struct sl_ptx_parser *p;
  uint32_t begin;                        /* the kernel's first instruction; its last one is the parser's */
  uint32_t index[SL_PTX_TOLD_APART];     /* in the parser's registers, by number */
  uint16_t id_at[8 * SL_PTX_TOLD_APART]; /* by place, in units of the smallest register */
};

/* False: the kernel has more registers than machines tell apart. Call it again when registers are removed. */
bool sl_ptx_edit_begin(struct sl_ptx_editor *e, struct sl_ptx_parser *p, uint32_t begin);

/* The number of the register at a place; SL_PTX_NO_REG: there is none. */
uint16_t sl_ptx_edit_id(const struct sl_ptx_editor *e, struct sl_ptx_place place);
struct sl_ptx_place sl_ptx_edit_place(const struct sl_ptx_editor *e, uint16_t id);
struct sl_ptx_reg sl_ptx_edit_reg(const struct sl_ptx_editor *e, uint16_t id);
enum sl_ptx_type sl_ptx_edit_type(const struct sl_ptx_editor *e, uint16_t id);

/* Adds a register; SL_PTX_NO_REG: no number is left, or no memory. */
uint16_t sl_ptx_edit_new(struct sl_ptx_editor *e, enum sl_ptx_type type);
/* Removes the registers from number `used` on, which no instruction has. */
void sl_ptx_edit_drop(struct sl_ptx_editor *e, uint16_t used);

/* Renames registers that the instruction reads and writes: new numbers by old ones. */
void sl_ptx_edit_rename(const struct sl_ptx_editor *e, struct sl_ptx_insn *in, const uint16_t *reads,
                        const uint16_t *writes);
/* Sets the lists of registers of an instruction whose operands were changed. */
void sl_ptx_edit_registers(const struct sl_ptx_editor *e, struct sl_ptx_insn *in);

/* The value of a constant operand; false: the place is another one, or its value is not known yet. */
bool sl_ptx_edit_number(const struct sl_ptx_editor *e, struct sl_ptx_place place, bool wide, uint64_t *bits);

/* An instruction of a row, at the place in the text of another instruction. */
struct sl_ptx_insn sl_ptx_edit_row(const struct sl_ptx_editor *e, const struct sl_ptx_insn *like, unsigned row,
                                   struct sl_ptx_place d, struct sl_ptx_place a, struct sl_ptx_place b);

/* The new PC of an instruction if `count` instructions replace `removed` ones at `at`. */
uint32_t sl_ptx_edit_moved(uint32_t pc, uint32_t at, uint32_t removed, uint32_t count);
/* Replaces instructions. Branches to the first one go to the first new one; no other branch may lead to removed ones.
 * Targets of new branches are new PCs. False: out of memory. */
bool sl_ptx_edit_replace(struct sl_ptx_editor *e, uint32_t at, uint32_t removed, const struct sl_ptx_insn *code,
                         uint32_t count);

/* Folds numbers in straight code: what is known of registers is a number, or another register plus a number.
 *
 * Instructions whose operands are numbers become moves of a number; additions of numbers become one addition; copies
 * are read at their source; known sums in addresses move to the offset. An assembler does the same with the copies of
 * an unrolled loop. */

/* The register `base` as of a definition, plus a number; base SL_PTX_NO_REG: the number alone. Predicates are 0 or 1.
 */
struct sl_ptx_known {
  uint64_t number;
  uint32_t version;
  uint16_t base;
};

struct sl_ptx_fold {
  struct sl_ptx_editor *e;
  bool dry; /* instructions do not change; versions are values, which may be gone from their register */
  uint32_t version[SL_PTX_TOLD_APART];
  struct sl_ptx_known value[SL_PTX_TOLD_APART];
};

/* Each register has its first version, and is known as itself. */
void sl_ptx_fold_begin(struct sl_ptx_fold *f, struct sl_ptx_editor *e, bool dry);

void sl_ptx_fold_number(struct sl_ptx_fold *f, uint16_t id, uint64_t number);
struct sl_ptx_known sl_ptx_fold_of(const struct sl_ptx_fold *f, uint16_t id);
/* The same of an operand, `wide`: of 64 bits; false: it is neither a number nor a register. */
bool sl_ptx_fold_operand(const struct sl_ptx_fold *f, struct sl_ptx_place place, bool wide, struct sl_ptx_known *known);

/* Simplifies the next instruction and notes what it computes. False: it never executes. */
bool sl_ptx_fold(struct sl_ptx_fold *f, struct sl_ptx_insn *in);

/* The result of an instruction on integers of 32 and 64 bits with these operands; false: it is another instruction. */
bool sl_ptx_fold_evaluate(const struct sl_ptx_insn *in, const uint64_t operand[3], uint64_t *result);
/* Its operands: their number, and whether each has 64 bits. */
unsigned sl_ptx_fold_operands(const struct sl_ptx_insn *in, bool wide[3]);

/* Loops of one basic block, and what is known of registers before them. */

struct sl_ptx_loop {
  uint32_t head, branch, end; /* the conditional branch; the first PC behind the loop */
  uint32_t exit;              /* where the loop leads */
  bool leaves;                /* the branch is taken to leave, not to continue */
};

/* The kernel's code: valid until it changes. */
struct sl_ptx_loops {
  const struct sl_ptx_editor *e;
  struct sl_ptx_blocks blocks;
  uint32_t *entries; /* by pc - begin: branches that lead there */
};

/* False: out of memory. Free it in either case. */
bool sl_ptx_loops_begin(struct sl_ptx_loops *loops, const struct sl_ptx_editor *e);
void sl_ptx_loops_free(struct sl_ptx_loops *loops);

/* The loop that begins at a PC and is one basic block of instructions that can be edited; false: there is none. */
bool sl_ptx_loop_at(const struct sl_ptx_loops *loops, uint32_t head, struct sl_ptx_loop *loop);

/* Whether a .pragma "nounroll" is at its head, or it was unrolled before. */
bool sl_ptx_loop_is_rolled(const struct sl_ptx_editor *e, const struct sl_ptx_loop *loop);

/* The number that a register has whenever the loop is entered; false: it is not known. */
bool sl_ptx_loop_number(const struct sl_ptx_loops *loops, const struct sl_ptx_loop *loop, uint16_t id,
                        uint64_t *number);

/* Whether the loop writes a register. */
bool sl_ptx_loop_writes(const struct sl_ptx_editor *e, const struct sl_ptx_loop *loop, uint16_t id);

/* Counted loops: a register grows by a number in each round until it passes a bound that does not change. */

enum { SL_PTX_COUNTED_ROUNDS = 4 /* at a time */, SL_PTX_COUNTED_GUARD = 5 /* instructions, at most */ };

struct sl_ptx_counted {
  uint16_t counter;
  bool wide, swapped; /* the bound is the comparison's first operand */
  int64_t step;       /* per round */
  unsigned relation;  /* of counter and bound, if the loop continues: enum sl_ptx_relation */
  uint32_t compare;   /* the instruction that compares, in the loop */
  struct sl_ptx_place bound;
  uint16_t limit, more; /* new registers: for how long rounds are done four at a time; whether they are */
};

/* Whether the loop is counted. `fold` gives what is known before the loop of registers that it does not write. */
bool sl_ptx_counted_find(struct sl_ptx_counted *c, struct sl_ptx_fold *fold, const struct sl_ptx_loop *loop);

/* The number of rounds if the counter begins with a number; 0: the bound is not a number, or there are too many. */
uint32_t sl_ptx_counted_rounds(const struct sl_ptx_counted *c, const struct sl_ptx_editor *e, uint64_t first);

/* Writes the instructions that compute whether four rounds are left, and the limit of the counter; the last one is a
 * branch for threads that have fewer, whose target the caller sets. Returns their number; 0: no register is left. */
unsigned sl_ptx_counted_guard(struct sl_ptx_counted *c, struct sl_ptx_editor *e, const struct sl_ptx_loop *loop,
                              struct sl_ptx_insn code[SL_PTX_COUNTED_GUARD]);
/* After four rounds: the comparison and branch for the next four, then those for the end of the loop. The caller sets
 * the targets. */
void sl_ptx_counted_end(const struct sl_ptx_counted *c, const struct sl_ptx_editor *e, const struct sl_ptx_loop *loop,
                        struct sl_ptx_insn code[4]);

#endif
