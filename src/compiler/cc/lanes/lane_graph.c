#include "compiler/cc/lanes/lane_code.h"

#include <stdlib.h>
#include <string.h>

#include "base/dominators.h"

enum { END = 0 };

static unsigned extensions_of(const struct sl_program *program)
{
  const unsigned all = SL_ISA_I | SL_ISA_M | SL_ISA_A | SL_ISA_ZICSR | SL_ISA_ZICOND | SL_ISA_WARP2 | SL_ISA_SIMT;
  if (sl_program_isa(program) == SL_ISA_WIDE64)
    return all | SL_ISA_WIDE | SL_ISA_ZFINX;
  return all | (sl_program_has_float_registers(program) ? SL_ISA_F : SL_ISA_ZFINX);
}

/* The node at an address; the end for addresses outside the function. */
static uint32_t node_at(const struct sl_lane_code *code, uint32_t address)
{
  const uint32_t index = (address - code->address) / code->bytes;
  return index < code->count ? index + 1 : END;
}

static void find_successors(struct sl_lane_code *code, uint32_t node)
{
  const struct sl_insn *in = &code->insn[node - 1];
  const uint32_t following = node < code->count ? node + 1 : END, pc = sl_lane_code_at(code, node);
  uint32_t *next = code->next[node];
  next[0] = next[1] = following;
  if (in->kind == SL_KIND_BRANCH)
    next[1] = node_at(code, pc + in->imm);
  else if (in->kind == SL_KIND_JAL && !sl_is_call(in))
    next[0] = next[1] = in->rd == 0 ? node_at(code, pc + in->imm) : following;
  else if ((in->kind == SL_KIND_JALR && !sl_is_call(in)) || in->kind == SL_KIND_UNKNOWN)
    next[0] = next[1] = END;
  if (next[0] != following)
    code->leader[next[0]] = true;
  if (next[1] != following)
    code->leader[next[0]] = code->leader[next[1]] = code->leader[following] = true;
}

uint32_t sl_lane_block_end(const struct sl_lane_code *code, uint32_t leader)
{
  uint32_t node = leader;
  while (node != END && code->next[node][0] == code->next[node][1] && !code->leader[code->next[node][0]])
    node = code->next[node][0];
  return node;
}

/* Puts the blocks that the first instruction reaches into reverse postorder. */
static bool order_blocks(struct sl_lane_code *code)
{
  const size_t nodes = (size_t)code->count + 1;
  uint32_t *stack = malloc(nodes * sizeof *stack), depth = 0, place = (uint32_t)nodes;
  uint8_t *seen = calloc(nodes, 1);
  code->order = calloc(nodes, sizeof *code->order);
  if (stack != NULL && seen != NULL && code->order != NULL && code->count > 0) {
    stack[depth++] = 1;
    seen[1] = seen[END] = 1;
    code->order[--place] = END;
    while (depth > 0) {
      const uint32_t leader = stack[depth - 1], *next = code->next[sl_lane_block_end(code, leader)];
      const unsigned edge = seen[leader] - 1U;
      if (edge == 2) {
        code->order[--place] = leader;
        depth--;
        continue;
      }
      seen[leader]++;
      if (seen[next[edge]] == 0) {
        seen[next[edge]] = 1;
        stack[depth++] = next[edge];
      }
    }
    code->blocks = (uint32_t)nodes - place;
    memmove(code->order, code->order + place, code->blocks * sizeof *code->order);
  }
  const bool allocated = stack != NULL && seen != NULL && code->order != NULL;
  free(stack);
  free(seen);
  return allocated;
}

enum { NO_LEVEL = INT16_MIN };

/* Sets `level` to the nesting level before each node, relative to the function's entry. */
static bool find_levels(const struct sl_lane_code *code, int16_t *level)
{
  uint32_t *worklist = malloc(2 * ((size_t)code->count + 1) * sizeof *worklist), count = 0;
  if (worklist == NULL)
    return false;
  for (uint32_t node = 0; node <= code->count; node++)
    level[node] = NO_LEVEL;
  level[1] = 0;
  worklist[count++] = 1;
  while (count > 0) {
    const uint32_t node = worklist[--count];
    const unsigned kind = code->insn[node - 1].kind;
    for (unsigned i = 0; i < 2; i++) {
      const uint32_t next = code->next[node][i];
      if (next == END || level[next] != NO_LEVEL)
        continue;
      level[next] = (int16_t)(level[node] + (kind == SL_KIND_PUSH) - (kind == SL_KIND_POP));
      worklist[count++] = next;
    }
  }
  free(worklist);
  return true;
}

/* Whether a POP to the branch's level comes where its paths meet, before another branch. */
static bool is_closed(const struct sl_lane_code *code, const int16_t *level, uint32_t branch)
{
  uint32_t node = code->post_dominator[branch];
  for (uint32_t i = 0; i < code->count && node != SL_NO_POST_DOMINATOR && node != END; i++) {
    const unsigned kind = code->insn[node - 1].kind;
    if (kind == SL_KIND_POP && level[node] <= level[branch])
      return level[node] == level[branch];
    if (kind == SL_KIND_PUSH || kind == SL_KIND_BRANCH)
      return false;
    node = code->next[node][0];
  }
  return false;
}

static bool find_closed(struct sl_lane_code *code)
{
  int16_t *level = calloc((size_t)code->count + 1, sizeof *level);
  const bool found = code->count == 0 || (level != NULL && find_levels(code, level));
  for (uint32_t node = 1; found && node <= code->count; node++)
    code->closed[node] = code->insn[node - 1].kind == SL_KIND_BRANCH && is_closed(code, level, node);
  free(level);
  return found;
}

enum sl_status sl_lane_code_read(struct sl_lane_code *code, const struct sl_program *program, uint32_t address,
                                 uint32_t end, struct sl_error *err)
{
  const struct sl_isa *isa = sl_isa(sl_program_isa(program));
  *code = (struct sl_lane_code){.address = address, .bytes = isa->word_bytes};
  code->count = (end - address) / code->bytes;
  const size_t nodes = (size_t)code->count + 1;
  code->insn = calloc(nodes, sizeof *code->insn);
  code->next = calloc(nodes, sizeof *code->next);
  code->post_dominator = calloc(nodes, sizeof *code->post_dominator);
  code->leader = calloc(nodes, sizeof *code->leader);
  code->closed = calloc(nodes, sizeof *code->closed);
  if (code->insn == NULL || code->next == NULL || code->post_dominator == NULL || code->leader == NULL ||
      code->closed == NULL)
    return sl_no_memory(err, nodes * sizeof *code->insn);
  for (uint32_t i = 0; i < code->count; i++) {
    code->insn[i] = isa->decode(sl_program_instruction(program, address + i * code->bytes), extensions_of(program));
    code->sets_masks |= code->insn[i].op == SL_OP_TMC;
    code->has_levels |= code->insn[i].kind == SL_KIND_PUSH;
  }
  for (uint32_t node = 1; node < nodes; node++)
    find_successors(code, node);
  code->leader[END] = true;
  if (code->count > 0)
    code->leader[1] = true;
  if (!sl_post_dominators((const uint32_t(*)[2])code->next, (uint32_t)nodes, code->post_dominator))
    return sl_no_memory(err, nodes * sizeof *code->post_dominator);
  if (code->has_levels && !find_closed(code))
    return sl_no_memory(err, nodes * sizeof(int16_t));
  return order_blocks(code) ? SL_OK : sl_no_memory(err, nodes * sizeof *code->order);
}

void sl_lane_code_free(struct sl_lane_code *code)
{
  free(code->insn);
  free(code->next);
  free(code->post_dominator);
  free(code->leader);
  free(code->closed);
  free(code->order);
  *code = (struct sl_lane_code){0};
}

bool sl_lane_is_branch(const struct sl_lane_code *code, uint32_t node)
{
  return node != END && code->insn[node - 1].kind == SL_KIND_BRANCH && code->next[node][0] != code->next[node][1];
}

bool sl_lane_code_calls(const struct sl_lane_code *code, uint32_t target)
{
  for (uint32_t node = 1; node <= code->count; node++) {
    const struct sl_insn *in = &code->insn[node - 1], *before = node > 1 ? in - 1 : in;
    const uint32_t pc = sl_lane_code_at(code, node);
    const bool far = in->kind == SL_KIND_JALR && before->op == SL_OP_AUIPC && before->rd == in->rs1;
    if ((in->kind == SL_KIND_JAL && pc + in->imm == target) ||
        (far && pc - code->bytes + before->imm + in->imm == target))
      return true;
  }
  return false;
}

bool sl_lane_region(const struct sl_lane_code *code, uint32_t branch, bool *in)
{
  const uint32_t post_dominator = code->post_dominator[branch];
  uint32_t *worklist = malloc(2 * ((size_t)code->count + 1) * sizeof *worklist), count = 0;
  if (worklist == NULL)
    return false;
  worklist[count++] = branch;
  while (count > 0) {
    const uint32_t node = worklist[--count];
    for (unsigned i = 0; i < 2; i++) {
      const uint32_t next = code->next[node][i];
      if (next != END && next != post_dominator && !in[next]) {
        in[next] = true;
        worklist[count++] = next;
      }
    }
  }
  free(worklist);
  return true;
}
