#include "machine/sm7/riscv/sm7_rv_warps.h"

#include <stdlib.h>

#include "base/dominators.h"

static bool commands(const struct sl_insn *in)
{
  return in->kind == SL_KIND_CSR && in->csr == SL_SM7_RV_CSR_COMMAND;
}

bool sl_sm7_rv_is_barrier(const struct sl_insn *in)
{
  return commands(in) &&
         (in->op == SL_OP_CSRRW ? in->rs1 == 0 : in->op == SL_OP_CSRRWI && in->imm == SL_SM7_RV_BARRIER);
}

bool sl_sm7_rv_is_end(const struct sl_insn *in)
{
  return commands(in) && in->op == SL_OP_CSRRWI && (in->imm & SL_SM7_RV_END);
}

/* The successors of a word; twice the same if there is only one. */
static void successors(const struct sl_code *code, uint32_t index, uint32_t next[2])
{
  const struct sl_insn *in = &code->insn[index];
  const uint32_t following = index + 1 < code->count ? index + 1 : SL_SM7_RV_NOWHERE;
  const uint32_t to = sl_code_index(code, sl_code_address(code, index) + in->imm);
  const uint32_t target = to < code->count ? to : SL_SM7_RV_NOWHERE;
  next[0] = next[1] = following;
  if (in->kind == SL_KIND_BRANCH)
    next[0] = target;
  else if (in->kind == SL_KIND_JAL && !sl_is_call(in))
    next[0] = next[1] = target;
  else if ((in->kind == SL_KIND_JALR && !sl_is_call(in)) || in->kind == SL_KIND_UNKNOWN || sl_sm7_rv_is_end(in))
    next[0] = next[1] = SL_SM7_RV_NOWHERE;
}

struct flow {
  const struct sl_code *code;
  uint32_t *node_of; /* by word; node 0 is the end */
  uint32_t *first;   /* word by node */
  uint32_t (*next)[2];
  uint32_t *ipdom;
  uint32_t nodes;
};

/* Blocks begin at targets, and after instructions that do not simply continue. */
static void find_blocks(struct flow *f)
{
  const uint32_t count = f->code->count;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t next[2];
    successors(f->code, i, next);
    if (next[0] == i + 1 && next[1] == i + 1)
      continue;
    if (next[0] != SL_SM7_RV_NOWHERE)
      f->node_of[next[0]] = 1;
    if (i + 1 < count)
      f->node_of[i + 1] = 1;
  }
  f->nodes = 1;
  for (uint32_t i = 0; i < count; i++) {
    if (i == 0 || f->node_of[i])
      f->first[f->nodes++] = i;
    f->node_of[i] = f->nodes - 1;
  }
  f->first[f->nodes] = count;
}

static void connect(struct flow *f)
{
  for (uint32_t node = 1; node < f->nodes; node++) {
    uint32_t next[2];
    successors(f->code, f->first[node + 1] - 1, next);
    for (unsigned i = 0; i < 2; i++)
      f->next[node][i] = next[i] == SL_SM7_RV_NOWHERE ? 0 : f->node_of[next[i]];
  }
}

enum sl_status sl_sm7_rv_flow(const struct sl_code *code, uint32_t *reconvergence, struct sl_error *err)
{
  const size_t nodes = (size_t)code->count + 2;
  struct flow f = {.code = code,
                   .node_of = calloc(nodes, sizeof *f.node_of),
                   .first = malloc(nodes * sizeof *f.first),
                   .next = calloc(nodes, sizeof *f.next),
                   .ipdom = malloc(nodes * sizeof *f.ipdom)};
  bool room = f.node_of && f.first && f.next && f.ipdom;
  if (room) {
    find_blocks(&f);
    connect(&f);
    room = sl_post_dominators((const uint32_t(*)[2])f.next, f.nodes, f.ipdom);
  }
  for (uint32_t i = 0; i < code->count && room; i++) {
    const uint32_t node = f.ipdom[f.node_of[i]];
    reconvergence[i] = node == 0 || node == SL_NO_POST_DOMINATOR ? SL_SM7_RV_NOWHERE : f.first[node];
  }
  free(f.node_of);
  free(f.first);
  free(f.next);
  free(f.ipdom);
  return room ? SL_OK : sl_no_memory(err, nodes * sizeof *f.next);
}

enum { RETURN_ADDRESS = 1 };

/* An instruction that orders what other blocks see or reads what they have written, or that leads where the code does
 * not tell. After a fence before its end a thread reads nothing. */
static bool depends(const struct sl_code *code, uint32_t index)
{
  const struct sl_insn *in = &code->insn[index];
  const bool last = index + 1 < code->count && sl_sm7_rv_is_end(&code->insn[index + 1]);
  const bool returns = in->kind == SL_KIND_JALR && in->rd == 0 && in->rs1 == RETURN_ADDRESS;
  return (sl_kind_is_atomic(in->kind) && in->rd != 0) || (in->kind == SL_KIND_FENCE && !last) ||
         (in->kind == SL_KIND_JALR && !returns);
}

/* Words to visit, each once. */
struct visits {
  bool *seen;
  uint32_t *word;
  uint32_t count;
};

static void visit(struct visits *v, uint32_t word, uint32_t words)
{
  if (word >= words || v->seen[word])
    return;
  v->seen[word] = true;
  v->word[v->count++] = word;
}

bool sl_sm7_rv_waits(const struct sl_code *code, uint32_t entry)
{
  struct visits v = {.seen = calloc(code->count + (size_t)1, sizeof *v.seen),
                     .word = malloc((code->count + (size_t)1) * sizeof *v.word)};
  bool waits = v.seen == NULL || v.word == NULL;
  if (!waits)
    visit(&v, entry, code->count);
  while (v.count > 0 && !waits) {
    const uint32_t index = v.word[--v.count];
    const struct sl_insn *in = &code->insn[index];
    uint32_t next[2];
    successors(code, index, next);
    waits = depends(code, index);
    visit(&v, next[0], code->count);
    visit(&v, next[1], code->count);
    if (in->kind == SL_KIND_JAL)
      visit(&v, sl_code_index(code, sl_code_address(code, index) + in->imm), code->count);
  }
  free(v.seen);
  free(v.word);
  return waits;
}

struct place {
  uint8_t unit, class;
};

/* By the classes of isa.h; all others are in the class "other" of the integer unit. */
static const struct place places[SL_CLASS_COUNT] = {
    [SL_CLASS_MUL] = {SL_SM7_INT, SL_SM7_C_INT_MUL},   [SL_CLASS_DIV] = {SL_SM7_SFU, SL_SM7_C_INT_DIV},
    [SL_CLASS_FADD] = {SL_SM7_SP, SL_SM7_C_F32_ADD},   [SL_CLASS_FMUL] = {SL_SM7_SP, SL_SM7_C_F32_MUL},
    [SL_CLASS_FFUSED] = {SL_SM7_SP, SL_SM7_C_F32_MAD}, [SL_CLASS_FMINMAX] = {SL_SM7_SP, SL_SM7_C_F32_MINMAX},
    [SL_CLASS_FDIV] = {SL_SM7_SFU, SL_SM7_C_F32_DIV},  [SL_CLASS_FSQRT] = {SL_SM7_SFU, SL_SM7_C_SFU},
    [SL_CLASS_LOAD] = {SL_SM7_MEM, SL_SM7_C_MEMORY},   [SL_CLASS_STORE] = {SL_SM7_MEM, SL_SM7_C_MEMORY},
    [SL_CLASS_ATOMIC] = {SL_SM7_MEM, SL_SM7_C_MEMORY}, [SL_CLASS_FENCE] = {SL_SM7_MEM, SL_SM7_C_MEMORY},
};

static bool adds(const struct sl_insn *in)
{
  switch (in->op) {
  case SL_OP_LUI:
  case SL_OP_AUIPC:
  case SL_OP_ADD:
  case SL_OP_ADDI:
  case SL_OP_SUB: return true;
  default: return false;
  }
}

static struct place place_of(const struct sl_insn *in)
{
  const struct place place = places[sl_op_info(in->op)->class];
  if (adds(in))
    return (struct place){SL_SM7_INT, SL_SM7_C_INT_ADD};
  if (in->op >= SL_OP_SHFL_UP && in->op <= SL_OP_SHFL_IDX)
    return (struct place){SL_SM7_INT, SL_SM7_C_SHFL};
  return place.class == SL_SM7_C_OTHER ? (struct place){SL_SM7_INT, SL_SM7_C_OTHER} : place;
}

static enum sl_sm7_kind kind_of(const struct sl_insn *in)
{
  switch ((enum sl_kind)in->kind) {
  case SL_KIND_LOAD: return SL_SM7_LOAD;
  case SL_KIND_STORE: return SL_SM7_STORE;
  case SL_KIND_AMO: return SL_SM7_ATOMIC;
  case SL_KIND_FENCE: return SL_SM7_FENCE;
  default: return sl_sm7_rv_is_barrier(in) ? SL_SM7_BARRIER : SL_SM7_ALU;
  }
}

/* x0 is not a register. */
static void read(struct sl_sm7_instruction *i, unsigned reg)
{
  if (reg == 0)
    return;
  i->watch[i->watched++] = (uint16_t)reg;
  sl_sm7_add_source(i, reg, 1);
  for (unsigned n = 0; n < i->reads; n++)
    if (i->read_bank[n] == reg)
      return;
  i->read_bank[i->reads++] = (uint16_t)reg;
  i->words_read++;
}

struct sl_sm7_instruction sl_sm7_rv_facts(const struct sl_insn *in)
{
  const struct place place = place_of(in);
  struct sl_sm7_instruction i = {.unit = place.unit, .class = place.class, .kind = (uint8_t)kind_of(in)};
  i.uncached = i.kind == SL_SM7_ATOMIC;
  i.branch = in->kind == SL_KIND_BRANCH || in->kind == SL_KIND_JAL || in->kind == SL_KIND_JALR;
  i.returns = i.kind == SL_SM7_ATOMIC && in->rd != 0;
  if (sl_reads_rs1(in))
    read(&i, in->rs1);
  if (sl_reads_rs2(in))
    read(&i, in->rs2);
  if (sl_reads_rs3(in))
    read(&i, in->rs3);
  if (sl_writes_rd(in) && in->rd != 0) {
    i.watch[i.watched++] = in->rd;
    i.write[i.writes] = i.write_bank[i.writes] = in->rd;
    i.writes++;
    i.words_written++;
  }
  return i;
}
