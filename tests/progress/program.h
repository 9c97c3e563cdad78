/* Programs of the model checker: up to 31 instructions for lanes with one register of two bits, and three words of
 * memory of two bits. Each instruction means the same for a lane whatever scheme schedules it; marks of the schemes do
 * nothing to a lane. */
#ifndef SL_TESTS_PROGRESS_PROGRAM_H
#define SL_TESTS_PROGRESS_PROGRAM_H

#include <stdio.h>

#include "base/types.h"

enum { PROGRAM_MOST = 31, WORDS = 3, VALUES = 3 /* mask of a value */, MOST_LANES = 4, LEVELS = 3, NOWHERE = 255 };

enum op {
  OP_BRANCH,  /* to the target if the condition holds */
  OP_EXCH,    /* r = word, word = 1 */
  OP_STORE,   /* word = 0 */
  OP_ADD,     /* r = word, word = word + 1 */
  OP_LOAD,    /* r = word */
  OP_COMMAND, /* a barrier of the warp */
  OP_END,
  OP_SPLIT, /* marks, from here on: a statement begins (Vortex: SPLIT, SIMTight: push) */
  OP_JOIN,  /* it has ended (JOIN, pop) */
  OP_SAVE,  /* a loop begins: the lanes that run (push) */
  OP_LEAVE, /* it has ended (pop) */
  OP_PRED,  /* its lanes stay if the condition holds */
  OP_YIELD,
  OP_BARRIER, /* of the lanes (its) */
  OP_WAIT
};

enum condition { ALWAYS, LANE_BIT, REGISTER, WORD };

struct insn {
  uint8_t op, condition;
  uint8_t negate;
  uint8_t arg;    /* bit of the lane's number, word, or barrier */
  uint8_t level;  /* of nesting, of a mark */
  uint8_t target; /* of a branch */
};

struct program {
  unsigned count, lanes; /* lanes of all warps */
  struct insn insn[PROGRAM_MOST];
  uint8_t meet[PROGRAM_MOST]; /* where lanes that part at a branch meet again, or NOWHERE; see program_analyse */
};

/* Whether the condition holds for a lane. */
static inline bool program_holds(struct insn in, unsigned lane, unsigned r, const uint8_t *word)
{
  bool holds = true;
  if (in.condition == LANE_BIT)
    holds = lane >> in.arg & 1;
  else if (in.condition == REGISTER)
    holds = r != 0;
  else if (in.condition == WORD)
    holds = word[in.arg] != 0;
  return holds != (in.negate != 0);
}

static inline bool program_accesses(struct insn in)
{
  return in.op >= OP_EXCH && in.op <= OP_LOAD;
}

/* A lane executes an instruction. Returns its next pc. */
static inline unsigned program_step(struct insn in, unsigned pc, unsigned lane, uint8_t *r, uint8_t *word)
{
  const uint8_t old = word[in.arg % WORDS];
  switch (in.op) {
  case OP_BRANCH: return program_holds(in, lane, *r, word) ? in.target : pc + 1;
  case OP_EXCH:
    *r = old;
    word[in.arg] = 1;
    break;
  case OP_STORE: word[in.arg] = 0; break;
  case OP_ADD:
    *r = old;
    word[in.arg] = (uint8_t)((old + 1) & VALUES);
    break;
  case OP_LOAD: *r = old; break;
  default: break;
  }
  return pc + 1;
}

/* Memory as the number of a bit. */
static inline uint64_t program_memory(const uint8_t *word)
{
  return UINT64_C(1) << (word[0] | word[1] << 2 | word[2] << 4);
}

/* Finds the post-dominators. Returns false if an instruction cannot be reached, or the pc can leave the program. */
bool program_analyse(struct program *p);

/* Adds a yield before each branch backwards. Returns false if the program becomes too long. */
bool program_add_yields(struct program *p);

bool program_has(const struct program *p, enum op op);
void program_print(const struct program *p, FILE *file);

#endif
