#include "program.h"

#include <string.h>

#include "base/dominators.h"

static void successors(const struct program *p, unsigned pc, unsigned next[2])
{
  const struct insn in = p->insn[pc];
  next[0] = next[1] = pc + 1;
  if (in.op == OP_BRANCH) {
    next[1] = in.target;
    next[0] = in.condition == ALWAYS ? in.target : pc + 1;
  }
}

static uint32_t reached(const struct program *p, bool *leaves)
{
  uint32_t seen = 1, todo = 1;
  *leaves = false;
  while (todo != 0) {
    const unsigned pc = sl_lowest(todo);
    unsigned next[2];
    todo &= todo - 1;
    if (p->insn[pc].op == OP_END)
      continue;
    successors(p, pc, next);
    for (unsigned i = 0; i < 2; i++) {
      if (next[i] >= p->count) {
        *leaves = true;
        return seen;
      }
      todo |= ~seen & 1u << next[i];
      seen |= 1u << next[i];
    }
  }
  return seen;
}

bool program_analyse(struct program *p)
{
  uint32_t next[PROGRAM_MOST + 1][2] = {{0}}, meet[PROGRAM_MOST + 1];
  bool leaves;
  if (reached(p, &leaves) != (uint32_t)sl_low_bits(p->count) || leaves)
    return false;
  for (unsigned pc = 0; pc < p->count; pc++) {
    unsigned to[2] = {0};
    successors(p, pc, to);
    for (unsigned i = 0; i < 2; i++)
      next[pc + 1][i] = p->insn[pc].op == OP_END ? 0 : to[i] + 1;
  }
  if (!sl_post_dominators((const uint32_t(*)[2])next, p->count + 1, meet))
    return false;
  for (unsigned pc = 0; pc < p->count; pc++)
    p->meet[pc] = meet[pc + 1] == SL_NO_POST_DOMINATOR || meet[pc + 1] == 0 ? NOWHERE : (uint8_t)(meet[pc + 1] - 1);
  return true;
}

bool program_add_yields(struct program *p)
{
  struct program q = {.lanes = p->lanes};
  uint8_t moved[PROGRAM_MOST];
  for (unsigned pc = 0; pc < p->count; pc++) {
    const bool back = p->insn[pc].op == OP_BRANCH && p->insn[pc].target <= pc;
    if (q.count + 1u + back > PROGRAM_MOST)
      return false;
    moved[pc] = (uint8_t)q.count;
    if (back)
      q.insn[q.count++] = (struct insn){.op = OP_YIELD};
    q.insn[q.count++] = p->insn[pc];
  }
  for (unsigned pc = 0; pc < q.count; pc++)
    if (q.insn[pc].op == OP_BRANCH)
      q.insn[pc].target = moved[q.insn[pc].target];
  *p = q;
  return program_analyse(p);
}

bool program_has(const struct program *p, enum op op)
{
  for (unsigned pc = 0; pc < p->count; pc++)
    if (p->insn[pc].op == op)
      return true;
  return false;
}

static void print_condition(struct insn in, FILE *file)
{
  static const char *const names[] = {"", "lane bit", "register", "word"};
  fprintf(file, " if %s%s", in.negate ? "no " : "", names[in.condition]);
  if (in.condition != REGISTER)
    fprintf(file, " %u", in.arg);
}

void program_print(const struct program *p, FILE *file)
{
  static const char *const names[] = {"branch", "exch", "store", "add",  "load",  "command", "end", "split",
                                      "join",   "save", "leave", "pred", "yield", "barrier", "wait"};
  for (unsigned pc = 0; pc < p->count; pc++) {
    const struct insn in = p->insn[pc];
    fprintf(file, "  %2u %s", pc, names[in.op]);
    if (in.op == OP_BRANCH)
      fprintf(file, " to %u", in.target);
    else if (in.op != OP_PRED && in.op != OP_SPLIT && in.op != OP_END)
      fprintf(file, " %u", in.arg);
    if ((in.op == OP_BRANCH && in.condition != ALWAYS) || in.op == OP_PRED || in.op == OP_SPLIT)
      print_condition(in, file);
    fputc('\n', file);
  }
}
