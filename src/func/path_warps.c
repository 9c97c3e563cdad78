#include "func/path_warps.h"

#include <stdlib.h>
#include <string.h>

#include "base/arrays.h"
#include "func/path_execute.h"

enum sl_status sl_path_warps_init(struct sl_path_warps *t, const struct sl_path_warps_spec *spec,
                                  const struct sl_lane_ops *ops, struct sl_memory *memory, struct sl_error *err)
{
  const size_t warp_words = (size_t)SL_REGISTERS * spec->lanes + SL_REGISTER_GAP;
  const size_t bytes = spec->warps * warp_words * sizeof *t->x;
  *t = (struct sl_path_warps){
      .spec = *spec,
      .ops = ops,
      .memory = memory,
      .warp_words = warp_words,
      .lane_bits = sl_log2(spec->lanes),
      .all = sl_low_bits(spec->lanes),
      .stack = {.virtual_base = sl_path_warps_stack_base(spec),
                .gap_bytes = sl_path_warps_stack_base(spec) - (spec->scratchpad_base + spec->scratchpad_bytes),
                .physical_base = sl_path_warps_stack_memory(spec),
                .slot_shift = 2 + sl_log2(spec->lanes) + sl_log2(spec->warps)},
      .x = sl_lines_of(1, bytes),
      .paths = sl_lines_of(spec->warps, sizeof *t->paths),
      .operands = sl_array_of(spec->code_words, sizeof *t->operands),
      .memo = sl_lines_of(1, sizeof *t->memo),
  };
  if (SL_CHECKS && spec->fairness)
    t->waited = calloc(spec->warps, SL_MAX_LANES * sizeof *t->waited);
  if (spec->global_atomics)
    t->reserved = calloc((size_t)spec->warps * spec->lanes, sizeof *t->reserved);
  const bool reserves = t->reserved != NULL || !spec->global_atomics;
  const bool counts = t->waited != NULL || !SL_CHECKS || !spec->fairness;
  const bool room = reserves && counts && t->x != NULL && t->paths != NULL && t->operands != NULL && t->memo != NULL;
  enum sl_status code = room ? SL_OK : sl_no_memory(err, bytes);
  if (code == SL_OK)
    code = sl_code_init(&t->code, sl_isa(SL_ISA_RV32), spec->isa_sets, spec->code_base, spec->code_words, err);
  if (code != SL_OK) {
    sl_path_warps_free(t);
    return code;
  }
  for (unsigned w = 0; w < spec->warps; w++) {
    t->paths[w].fair.period = spec->fairness;
    sl_fair_start(&t->paths[w].fair);
  }
  return SL_OK;
}

void sl_path_warps_free(struct sl_path_warps *t)
{
  free(t->x);
  free(t->reserved);
  free(t->waited);
  free(t->paths);
  sl_code_free(&t->code);
  free(t->operands);
  free(t->memo);
  *t = (struct sl_path_warps){0};
}

void sl_path_warps_start(struct sl_path_warps *t, uint32_t entry, uint32_t closure)
{
  t->s.closure = closure;
  t->s.global_atomics = 0;
  if (t->reserved != NULL)
    memset(t->reserved, 0, ((size_t)t->spec.warps << t->lane_bits) * sizeof *t->reserved);
  t->fault = (struct sl_fault){.kind = SL_FAULT_NONE};
  if (t->waited != NULL)
    memset(t->waited, 0, t->spec.warps * SL_MAX_LANES * sizeof *t->waited);
  for (unsigned w = 0; w < t->spec.warps; w++) {
    sl_paths_start(&t->paths[w], t->spec.convergence, t->all, entry);
    t->paths[w].fair.period = t->spec.fairness;
  }
}

/* Calls write ra, returns jump to it and write nothing. */
static int8_t depth_of(const struct sl_insn *in)
{
  enum { RA = 1 };
  const bool jump = in->kind == SL_KIND_JAL || in->kind == SL_KIND_JALR;
  if (jump && in->rd == RA)
    return 1;
  return in->kind == SL_KIND_JALR && in->rd == 0 && in->rs1 == RA ? -1 : 0;
}

struct sl_operands sl_operands_of(const struct sl_insn *in)
{
  return (struct sl_operands){
      .reads = UINT32_C(1) << (in->rs1 & 31) | UINT32_C(1) << (in->rs2 & 31),
      .writes = in->rd ? UINT32_C(1) << (in->rd & 31) : 0,
      .scalarisable = sl_scalarisable(in->op),
      .addition = in->op == SL_OP_ADD || in->op == SL_OP_ADDI,
      .depth = depth_of(in),
  };
}

void sl_path_warps_write_code(struct sl_path_warps *t, uint32_t address, uint32_t word)
{
  /* The hardware takes the address modulo the size of the memory. */
  const uint32_t index = (address - t->code.base) >> t->code.shift & (t->code.count - 1);
  sl_code_write(&t->code, index, word);
  t->code_edition++;
  t->operands[index] = sl_operands_of(&t->code.insn[index]);
}

static bool is_at_command(const struct sl_path_warps *t, uint32_t pc)
{
  const uint32_t index = sl_code_index(&t->code, pc);
  return index < t->code.count && t->code.insn[index].kind == SL_KIND_CSR && t->code.insn[index].csr == SL_CSR_COMMAND;
}

const char *sl_path_warps_waited(struct sl_path_warps *t, unsigned warp, sl_lanes lanes,
                                 const struct sl_warp_path *path, unsigned count)
{
  const uint32_t bound = (2 * t->spec.lanes - 1) * t->spec.fairness;
  sl_lanes waits = 0;
  for (unsigned i = 0; i < count; i++)
    waits |= count > 1 && !is_at_command(t, path[i].pc) ? path[i].lanes & ~lanes : 0;
  return sl_lanes_longest_wait(&t->waited[warp * SL_MAX_LANES], waits, 1, t->spec.lanes) > bound
             ? "a lane waits longer than fairness allows"
             : NULL;
}

const char *sl_path_warps_broken(struct sl_path_warps *t, unsigned warp, sl_lanes lanes)
{
  struct sl_warp_path path[SL_MAX_LANES];
  const char *broken = sl_paths_broken(&t->paths[warp], t->all);
  if (broken != NULL || t->waited == NULL)
    return broken;
  return sl_path_warps_waited(t, warp, lanes, path, sl_paths_places(&t->paths[warp], path));
}
