#include "toolchain/lanes/lane_code.h"

#include <stdlib.h>
#include <string.h>

#include "base/post_dominators.h"

enum { END = 0 };

static unsigned sets_of(const struct sl_program *program)
{
  const unsigned all = SL_ISA_I | SL_ISA_M | SL_ISA_A | SL_ISA_ZICSR | SL_ISA_ZICOND | SL_ISA_WARP2;
  if (sl_program_isa(program) == SL_ISA_WIDE64)
    return all | SL_ISA_WIDE | SL_ISA_ZFINX;
  return all | (sl_program_has_float_registers(program) ? SL_ISA_F : SL_ISA_ZFINX);
}

/* The node at an address, the end for those outside. */
static uint32_t node_at(const struct sl_lane_code *code, uint32_t address)
{
  const uint32_t index = (address - code->address) / code->bytes;
  return index < code->count ? index + 1 : END;
}

static void find_next(struct sl_lane_code *code, uint32_t node)
{
  const struct sl_insn *in = &code->insn[node - 1];
  const uint32_t behind = node < code->count ? node + 1 : END, pc = sl_lane_code_at(code, node);
  uint32_t *next = code->next[node];
  next[0] = next[1] = behind;
  if (in->kind == SL_KIND_BRANCH)
    next[1] = node_at(code, pc + in->imm);
  else if (in->kind == SL_KIND_JAL && !sl_is_call(in))
    next[0] = next[1] = in->rd == 0 ? node_at(code, pc + in->imm) : behind;
  else if ((in->kind == SL_KIND_JALR && !sl_is_call(in)) || in->kind == SL_KIND_UNKNOWN)
    next[0] = next[1] = END;
  if (next[0] != behind)
    code->head[next[0]] = true;
  if (next[1] != behind)
    code->head[next[0]] = code->head[next[1]] = code->head[behind] = true;
}

/* The last node of the stretch that begins with a head. */
uint32_t sl_lane_stretch_end(const struct sl_lane_code *code, uint32_t head)
{
  uint32_t node = head;
  while (node != END && code->next[node][0] == code->next[node][1] && !code->head[code->next[node][0]])
    node = code->next[node][0];
  return node;
}

/* Reverse postorder of what the first instruction leads to. */
static bool find_order(struct sl_lane_code *code)
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
      const uint32_t head = stack[depth - 1], *next = code->next[sl_lane_stretch_end(code, head)];
      const unsigned way = seen[head] - 1U;
      if (way == 2) {
        code->order[--place] = head;
        depth--;
        continue;
      }
      seen[head]++;
      if (seen[next[way]] == 0) {
        seen[next[way]] = 1;
        stack[depth++] = next[way];
      }
    }
    code->heads = (uint32_t)nodes - place;
    memmove(code->order, code->order + place, code->heads * sizeof *code->order);
  }
  const bool room = stack != NULL && seen != NULL && code->order != NULL;
  free(stack);
  free(seen);
  return room;
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
  code->meets = calloc(nodes, sizeof *code->meets);
  code->head = calloc(nodes, sizeof *code->head);
  if (code->insn == NULL || code->next == NULL || code->meets == NULL || code->head == NULL)
    return sl_no_memory(err, nodes * sizeof *code->insn);
  for (uint32_t i = 0; i < code->count; i++) {
    code->insn[i] = isa->decode(sl_program_instruction(program, address + i * code->bytes), sets_of(program));
    code->masks |= code->insn[i].op == SL_OP_TMC;
  }
  for (uint32_t node = 1; node < nodes; node++)
    find_next(code, node);
  code->head[END] = true;
  if (code->count > 0)
    code->head[1] = true;
  if (!sl_post_dominators((const uint32_t(*)[2])code->next, (uint32_t)nodes, code->meets))
    return sl_no_memory(err, nodes * sizeof *code->meets);
  return find_order(code) ? SL_OK : sl_no_memory(err, nodes * sizeof *code->order);
}

void sl_lane_code_free(struct sl_lane_code *code)
{
  free(code->insn);
  free(code->next);
  free(code->meets);
  free(code->head);
  free(code->order);
  *code = (struct sl_lane_code){0};
}

bool sl_lane_branches(const struct sl_lane_code *code, uint32_t node)
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
  const uint32_t meet = code->meets[branch];
  uint32_t *waiting = malloc(2 * ((size_t)code->count + 1) * sizeof *waiting), count = 0;
  if (waiting == NULL)
    return false;
  waiting[count++] = branch;
  while (count > 0) {
    const uint32_t node = waiting[--count];
    for (unsigned i = 0; i < 2; i++) {
      const uint32_t next = code->next[node][i];
      if (next != END && next != meet && !in[next]) {
        in[next] = true;
        waiting[count++] = next;
      }
    }
  }
  free(waiting);
  return true;
}
