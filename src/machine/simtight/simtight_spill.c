/* Dynamic spilling in the pipeline: victims, spill slots and operands that must be read back. */
#include <string.h>

#include "machine/simtight/simtight_sm.h"

/* ---- victims ---------------------------------------------------------------------------------------------------- */

/* The next word that a warp fetches. The hardware takes the address modulo the size of instruction memory. */
static uint32_t next_word(const struct sl_simtight_sm *sm, unsigned warp)
{
  const struct sl_paths *paths = &sm->warps.paths[warp];
  const uint32_t index = sl_code_index(&sm->warps.code, paths->path[sl_paths_select(paths)].pc);
  return (uint32_t)sm->warps.code.insn[index & (sm->spec.code_words - 1)].word;
}

/* Returns the register of a warp that would be spilled now, or -1. */
static int victim_of(const struct sl_simtight_sm *sm, unsigned warp)
{
  return sl_spill_victim(&sm->s.spill, sm->s.registers.warp[warp].vector, next_word(sm, warp));
}

/* Round robin chooses in every cycle, with or without a warp in the slot, because each choice affects the one after the
 * next. In an empty slot the previous stage has read the state of warp 0 but still names the warp picked last. Its
 * vectors are matched with the instruction that warp 0 was about to execute three cycles ago. State that the scalar
 * pipeline executed in the previous cycle is written in this one. */
static void choose_in_turn(struct sl_simtight_sm *sm, int warp)
{
  const unsigned now = (unsigned)sm->s.cycle;
  const bool late = sm->s.scalar.leaving.full && sm->s.scalar.leaving.warp == 0;
  sm->s.warp0_words[now % 4] = late ? sm->s.warp0_words[(now + 3) % 4] : next_word(sm, 0);
  if (warp >= 0)
    sm->s.latest_slot = (uint8_t)warp;
  const uint32_t word = warp >= 0 ? next_word(sm, (unsigned)warp) : sm->s.warp0_words[(now + 1) % 4];
  const int victim = sl_spill_choose(&sm->s.spill, sm->s.registers.warp[sm->s.latest_slot].vector, word);
  if (warp >= 0)
    sm->s.spill.victim[warp] = (int8_t)victim;
}

void sl_simtight_look_ahead(struct sl_simtight_sm *sm)
{
  const unsigned now = (unsigned)sm->s.cycle;
  const int warp = sm->s.pipeline[(now + SL_SIMTIGHT_SUSPENDED) % SL_SIMTIGHT_RING];
  if (warp >= 0 && (sm->s.suspects & sl_bit((unsigned)warp))) {
    const sl_warps bit = sl_bit((unsigned)warp);
    sm->s.slot_suspended |= sm->s.suspension.live & bit;
    sm->s.suspects &= ~bit;
  }
  if (!sm->can_spill)
    return;
  const unsigned index = (now + SL_SIMTIGHT_VICTIM) % SL_SIMTIGHT_RING;
  if (sm->s.spill.policy == SL_SPILL_ROUND_ROBIN)
    choose_in_turn(sm, sm->s.pipeline[index]);
  else if (sm->s.spill_slots >> index & 1)
    sm->s.spill.victim[sm->s.pipeline[index]] = (int8_t)victim_of(sm, (unsigned)sm->s.pipeline[index]);
}

void sl_simtight_skip_choices(struct sl_simtight_sm *sm, int64_t cycles)
{
  const int64_t begin = sm->s.cycle;
  if (!sm->can_spill || sm->s.spill.policy != SL_SPILL_ROUND_ROBIN)
    return;
  for (; sm->s.cycle < begin + cycles; sm->s.cycle++)
    choose_in_turn(sm, -1);
  sm->s.cycle = begin;
}

/* ---- execute ---------------------------------------------------------------------------------------------------- */

/* Makes a request for a whole register in the memory of spilled registers. */
static struct sl_request *register_request(struct sl_simtight_sm *sm, unsigned warp, unsigned reg)
{
  const unsigned lanes = sm->warps.spec.lanes;
  const uint32_t first = sl_simtight_spill_base(&sm->spec) + (warp * SL_REGISTERS + reg) * lanes * 4;
  struct sl_request *r = sl_request_path_next(&sm->s.path);
  sm->warps.ops->fill(r->address, first, 4, lanes);
  r->pending = sm->warps.all;
  r->scratchpad = 0;
  r->warp = (uint8_t)warp;
  r->rd = (uint8_t)reg;
  r->width = 4;
  r->pattern = SL_PATTERN_BLOCK;
  r->compressed = false;
  r->instruction = SL_NO_INSTRUCTION;
  return r;
}

/* The instruction that the warp will execute; the first word's if its pc is outside the program. */
static const struct sl_insn *next_instruction(const struct sl_simtight_sm *sm, unsigned warp)
{
  const struct sl_paths *paths = &sm->warps.paths[warp];
  const uint32_t index = sl_code_index(&sm->warps.code, paths->path[sl_paths_select(paths)].pc);
  return &sm->warps.code.insn[index < sm->spec.code_words ? index : 0];
}

/* Execute stage of a spill slot: writes the victim to memory, if there is one and the request FIFO accepts it. */
__attribute__((noinline)) void sl_simtight_spill(struct sl_simtight_sm *sm, unsigned warp)
{
  const int reg = sm->s.spill.victim[warp];
  const struct sl_insn *next = next_instruction(sm, warp);
  sm->s.spill_slots &= (uint16_t) ~(1u << (unsigned)sm->s.cycle % SL_SIMTIGHT_RING);
  sl_spill_done(&sm->s.spill, warp, sm->s.cycle);
  if (reg < 0 || sl_simtight_was_suspended(sm, warp)) {
    sl_simtight_count_slot(sm, warp, next, SL_SLOT_BUBBLE);
    return;
  }
  sl_simtight_count_slot(sm, warp, next, SL_SLOT_SPILL);
  if (!sl_request_path_can_put(&sm->s.path, sm->s.cycle))
    return;
  struct sl_request *request = register_request(sm, warp, (unsigned)reg);
  const uint32_t *values = sl_path_warps_registers(&sm->warps, warp) + ((size_t)reg << sm->warps.lane_bits);
  request->access = SL_ACCESS_STORE;
  request->responds = false;
  memcpy(sl_memory_at(sm->warps.memory, request->address[0]), values, (size_t)4 << sm->warps.lane_bits);
  if (SL_CHECKS)
    sl_simtight_reference_put(sm, request);
  sl_request_path_put(&sm->s.path, sm->warps.ops, sm->s.cycle);
  sm->s.evicted = (int8_t)warp;
  sm->s.evicted_register = (uint8_t)reg;
  sm->s.spill.spills++;
  if (__builtin_expect(sm->observed, 0))
    sl_simtight_report_event(sm, SL_PROBE_SPILLED, warp, next, (unsigned)reg);
  sm->s.spill.fruitless = 0;
}

/* Execute stage of an instruction with a spilled operand: reads it back, first rs1, then rs2, then rd, if the request
 * FIFO accepts the request. The instruction is fetched again. */
__attribute__((noinline)) void sl_simtight_unspill(struct sl_simtight_sm *sm, unsigned warp, const struct sl_insn *insn)
{
  const uint32_t spilled = sm->s.registers.warp[warp].spilled;
  const unsigned reg = spilled >> insn->rs1 & 1 ? insn->rs1 : spilled >> insn->rs2 & 1 ? insn->rs2 : insn->rd;
  sm->s.requeue |= sl_bit(warp);
  if (sl_simtight_was_suspended(sm, warp)) {
    sl_simtight_count_slot(sm, warp, insn, SL_SLOT_BUBBLE);
    return;
  }
  sl_simtight_count_slot(sm, warp, insn, SL_SLOT_UNSPILL);
  if (!sl_request_path_can_put(&sm->s.path, sm->s.cycle))
    return;
  struct sl_request *request = register_request(sm, warp, reg);
  uint32_t *values = sl_path_warps_registers(&sm->warps, warp) + ((size_t)reg << sm->warps.lane_bits);
  request->access = SL_ACCESS_LOAD;
  request->responds = true;
  memcpy(values, sl_memory_at(sm->warps.memory, request->address[0]), (size_t)4 << sm->warps.lane_bits);
  sm->s.registers.warp[warp].result = sl_register_file_compare(&sm->s.registers, &sm->warps, values);
  sl_simtight_issue_memory(sm, warp, request);
  sm->s.spill.unspills++;
  if (__builtin_expect(sm->observed, 0)) {
    sm->s.account.filling |= sl_bit(warp);
    sl_simtight_report_event(sm, SL_PROBE_FILLED, warp, insn, reg);
  }
}

/* ---- deadlock ---------------------------------------------------------------------------------------------------- */

void sl_simtight_check_spilling(struct sl_simtight_sm *sm)
{
  const sl_warps left = sm->s.queue | sm->s.barrier.waiting;
  sm->s.spill.fruitless = 0;
  if (sm->s.suspension.live || sm->s.scalar.queue || !sl_scalar_idle(&sm->s.scalar) || left == 0)
    return;
  for (sl_warps rest = left; rest; rest &= rest - 1)
    if (victim_of(sm, sl_lowest(rest)) >= 0)
      return;
  const unsigned warp = sl_lowest(left);
  const struct sl_path *path = &sm->warps.paths[warp].path[sl_paths_select(&sm->warps.paths[warp])];
  sm->warps.fault = (struct sl_fault){.kind = SL_FAULT_SPILL,
                                      .warp = (int)warp,
                                      .lanes = path->lanes,
                                      .pc = path->pc,
                                      .address = sm->s.registers.spec.slots - sm->s.registers.in_use,
                                      .insn = *sl_code_at(&sm->warps.code, path->pc)};
  sm->base.state = SL_SM_FAULTED;
}
