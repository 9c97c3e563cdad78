#include <string.h>

#include "machine/simtight/simtight_sm.h"

/* Kept out of the way of what happens nearly always. */
#define RARE __attribute__((noinline))

/* Whether the unit that an instruction needs can take it in this cycle. */
static inline __attribute__((always_inline)) bool unit_accepts(const struct sl_simtight_sm *sm, enum sl_kind kind)
{
  switch (kind) {
  case SL_KIND_MUL: return sm->multiplier_ready;
  case SL_KIND_DIV: return sl_divider_can_put(&sm->divider, sm->cycle);
  case SL_KIND_FPU: return sl_fpu_can_put(&sm->fpu);
  default: return sl_coalescer_can_put(&sm->coalescer, sm->cycle);
  }
}

static RARE void retry(struct sl_simtight_sm *sm, unsigned warp, unsigned path, const struct sl_execution *ex)
{
  sl_paths_retry(&sm->warps.paths[warp], path);
  sl_simtight_count_slot(sm, warp, ex->insn, SL_SLOT_RETRIED);
  sm->requeue |= sl_bit(warp);
}

void sl_simtight_command(struct sl_simtight_sm *sm, unsigned warp, uint32_t command)
{
  if (command & SL_COMMAND_END) {
    sm->ended |= sl_bit(warp);
    if (sm->spec.free_ended && sm->warps.timing)
      sl_register_file_abandon(&sm->registers, warp, sm->cycle);
    sm->success &= (command & SL_COMMAND_SUCCESS) != 0;
  } else {
    sm->barrier.waiting |= sl_bit(warp);
  }
}

void sl_simtight_deadlock(struct sl_simtight_sm *sm)
{
  const unsigned warp = sl_lowest(sm->barrier.waiting);
  const struct sl_path *path = &sm->warps.paths[warp].path[0];
  const uint32_t pc = path->pc - 4; /* of the warp command */
  sm->warps.fault = (struct sl_fault){.kind = SL_FAULT_DEADLOCK,
                                      .warp = (int)warp,
                                      .lanes = path->lanes,
                                      .pc = pc,
                                      .insn = sm->warps.code[(pc - sm->warps.spec.code_base) / 4]};
  sm->state = SL_SM_FAULTED;
}

void sl_simtight_check_spilling(struct sl_simtight_sm *sm)
{
  const sl_warps left = sm->queue | sm->barrier.waiting;
  sm->spill.fruitless = 0;
  if (sm->suspension.live || sm->scalar.queue || !sl_scalar_idle(&sm->scalar) || left == 0)
    return;
  for (sl_warps rest = left; rest; rest &= rest - 1)
    if (sl_simtight_victim(sm, sl_lowest(rest)) >= 0)
      return;
  const unsigned warp = sl_lowest(left);
  const struct sl_path *path = &sm->warps.paths[warp].path[sl_paths_select(&sm->warps.paths[warp])];
  sm->warps.fault = (struct sl_fault){.kind = SL_FAULT_SPILL,
                                      .warp = (int)warp,
                                      .lanes = path->lanes,
                                      .pc = path->pc,
                                      .address = sm->registers.spec.slots - sm->registers.in_use,
                                      .insn = sm->warps.code[(path->pc - sm->warps.spec.code_base) / 4]};
  sm->state = SL_SM_FAULTED;
}

/* In the functional mode there are no cycles: instructions are numbered instead. */
static uint64_t when(const struct sl_simtight_sm *sm)
{
  return sm->warps.timing ? (uint64_t)sm->cycle : sm->counts.instructions - 1;
}

static void report_access(const struct sl_simtight_sm *sm, unsigned warp, const struct sl_execution *ex,
                          const struct sl_request *request)
{
  const struct sl_access_event event = {
      .cycle = when(sm),
      .launch = sm->launches - 1,
      .warp = warp,
      .active = ex->active,
      .pc = ex->pc,
      .kind = ex->insn->kind,
      .width = ex->insn->width,
      .address = request->address,
      .lanes = sm->warps.spec.lanes,
  };
  sm->environment.access(sm->environment.access_context, &event);
}

static void report_commit(const struct sl_simtight_sm *sm, unsigned warp, const struct sl_execution *ex)
{
  const struct sl_path_warps *t = &sm->warps;
  const bool wrote = ex->insn->rd != 0;
  uint32_t *values = sl_path_warps_registers(t, warp) + ((size_t)ex->insn->rd << t->lane_bits);
  const struct sl_regular *result = &sm->registers.warp[warp].result;
  if (wrote && t->timing && sm->spec.compressed && result->once)
    t->ops->fill(values, result->base, result->stride, t->spec.lanes);
  const struct sl_commit commit = {
      .cycle = when(sm),
      .launch = sm->launches - 1,
      .warp = warp,
      .active = ex->active,
      .pc = ex->pc,
      .insn = ex->insn,
      .values = wrote ? values : NULL,
      .lanes = t->spec.lanes,
  };
  sm->environment.commit(sm->environment.commit_context, &commit);
}

void sl_simtight_report(const struct sl_simtight_sm *sm, unsigned warp, const struct sl_execution *ex,
                        const struct sl_request *request)
{
  const enum sl_kind kind = ex->insn->kind;
  if (sm->environment.access && (kind == SL_KIND_LOAD || kind == SL_KIND_STORE || kind == SL_KIND_AMO))
    report_access(sm, warp, ex, request);
  if (sm->environment.commit)
    report_commit(sm, warp, ex);
}

/* Puts the request on the memory path; its lanes wait if it answers. */
static inline __attribute__((always_inline)) void issue_memory(struct sl_simtight_sm *sm, unsigned warp,
                                                               const struct sl_request *request)
{
  const sl_lanes waiting = request->responds ? request->pending : 0;
  sl_coalescer_put(&sm->coalescer);
  if (!waiting)
    return;
  sl_suspension_set(&sm->suspension, warp, waiting, SL_WAIT_MEMORY);
  sm->counts.requested += waiting == sm->warps.all ? sm->warps.spec.lanes : sl_count(waiting);
}

/* Hands the executed instruction to the unit that delivers its result. */
static inline __attribute__((always_inline)) void
dispatch(struct sl_simtight_sm *sm, unsigned warp, const struct sl_execution *ex, const struct sl_request *request)
{
  const struct sl_response response = sl_response(ex->active, warp, ex->insn->rd);
  switch ((enum sl_kind)ex->insn->kind) {
  case SL_KIND_MUL: sl_multiplier_put(&sm->multiplier, response); break;
  case SL_KIND_DIV: sl_divider_put(&sm->divider, response, sm->cycle); break;
  case SL_KIND_FPU: sl_fpu_put(&sm->fpu, ex->insn, response); break;
  default: issue_memory(sm, warp, request); return;
  }
  sl_suspension_set(&sm->suspension, warp, ex->active, SL_WAIT_UNIT);
}

/* An instruction whose unit accepts it: executes it and hands it on. False: it faulted. */
static inline __attribute__((always_inline)) bool execute(struct sl_simtight_sm *sm, unsigned warp, unsigned path,
                                                          struct sl_execution *ex, const bool compressed)
{
  const bool needs_unit = sl_kind_needs_unit(ex->insn->kind);
  struct sl_request *request = sl_coalescer_next(&sm->coalescer);
  enum sl_effect effect;
  if (__builtin_expect(sm->observed, 0) && sm->environment.profile)
    sl_simtight_profile_operands(sm, warp, ex);
  if (compressed) {
    request->compressed = sl_register_file_scalars(&sm->registers.warp[warp]) >> ex->insn->rs2 & 1;
    effect = sl_register_file_execute(&sm->registers, &sm->warps, warp, path, ex, request);
  } else {
    effect = sl_path_execute(&sm->warps, warp, path, ex, request);
  }
  if (effect == SL_EFFECT_FAULT || !sl_path_warps_check(&sm->warps, warp)) {
    sm->state = SL_SM_FAULTED;
    return false;
  }
  const unsigned active = ex->active == sm->warps.all ? sm->warps.spec.lanes : sl_count(ex->active);
  sl_simtight_count_slot(sm, warp, ex->insn, SL_SLOT_ISSUED);
  sm->counts.thread_instructions += active;
  sm->recent[(unsigned)sm->cycle % SL_SIMTIGHT_RING] = (uint8_t)active;
  if (__builtin_expect(sm->observed, 0)) {
    if (sm->environment.commit || sm->environment.access)
      sl_simtight_report(sm, warp, ex, request);
    if (sm->environment.profile)
      sl_simtight_profile_execution(sm, warp, ex, request, false);
  }
  if (needs_unit) {
    dispatch(sm, warp, ex, request);
  } else if (effect == SL_EFFECT_RESULT) {
    sm->result = sl_response(ex->active, warp, ex->insn->rd);
    sl_suspension_set(&sm->suspension, warp, ex->active, SL_WAIT_WRITE_BACK);
  }
  if (effect == SL_EFFECT_COMMAND)
    sl_simtight_command(sm, warp, ex->command);
  else
    sm->requeue |= sl_bit(warp);
  return true;
}

void sl_simtight_execute(struct sl_simtight_sm *sm, unsigned warp)
{
  unsigned path;
  struct sl_execution ex;
  if (!sl_path_warps_fetch(&sm->warps, warp, &path, &ex)) {
    sm->state = SL_SM_FAULTED;
    return;
  }
  if (sl_kind_needs_unit(ex.insn->kind) && !unit_accepts(sm, ex.insn->kind)) {
    retry(sm, warp, path, &ex);
    return;
  }
  execute(sm, warp, path, &ex, false);
}

/* ---- with a compressed register file ----------------------------------------------------------------------------- */

/* A request for a whole register, in the memory that spilled registers go to. */
static struct sl_request *register_request(struct sl_simtight_sm *sm, unsigned warp, unsigned reg)
{
  const unsigned lanes = sm->warps.spec.lanes;
  const uint32_t first = sl_simtight_spill_base(&sm->spec) + (warp * SL_REGISTERS + reg) * lanes * 4;
  struct sl_request *r = sl_coalescer_next(&sm->coalescer);
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

/* Whether the warp in this slot was suspended when the pipeline looked. */
static bool was_suspended(struct sl_simtight_sm *sm, unsigned warp)
{
  const sl_warps bit = sm->slot_suspended & sl_bit(warp);
  sm->slot_suspended &= ~bit;
  return bit != 0;
}

/* What the warp will execute; that of the first word if its pc is outside the program. */
static const struct sl_insn *next_instruction(const struct sl_simtight_sm *sm, unsigned warp)
{
  const struct sl_paths *paths = &sm->warps.paths[warp];
  const uint32_t index = sl_path_warps_code_index(&sm->warps, paths->path[sl_paths_select(paths)].pc);
  return &sm->warps.code[index < sm->spec.code_words ? index : 0];
}

/* Execute, of a spill slot: writes the victim to memory, if there is one and the request FIFO takes it. */
static RARE void spill(struct sl_simtight_sm *sm, unsigned warp)
{
  const int reg = sm->spill.victim[warp];
  const struct sl_insn *next = next_instruction(sm, warp);
  sm->spill_slots &= (uint16_t) ~(1u << (unsigned)sm->cycle % SL_SIMTIGHT_RING);
  sl_spill_done(&sm->spill, warp, sm->cycle);
  if (reg < 0 || was_suspended(sm, warp)) {
    sl_simtight_count_slot(sm, warp, next, SL_SLOT_BUBBLE);
    return;
  }
  sl_simtight_count_slot(sm, warp, next, SL_SLOT_SPILL);
  if (!sl_coalescer_can_put(&sm->coalescer, sm->cycle))
    return;
  struct sl_request *request = register_request(sm, warp, (unsigned)reg);
  const uint32_t *values = sl_path_warps_registers(&sm->warps, warp) + ((size_t)reg << sm->warps.lane_bits);
  request->access = SL_ACCESS_STORE;
  request->responds = false;
  memcpy(sl_memory_at(sm->warps.memory, request->address[0]), values, (size_t)4 << sm->warps.lane_bits);
  sl_coalescer_put(&sm->coalescer);
  sm->evicted = (int8_t)warp;
  sm->evicted_register = (uint8_t)reg;
  sm->spill.spills++;
  if (sm->environment.profile)
    sm->environment.profile->rows[next - sm->warps.code].spills++;
  sm->spill.fruitless = 0;
}

/* Execute, of an instruction with a spilled operand: reads it back, first rs1, then rs2, then rd, if the request FIFO
 * takes that. The instruction is fetched again. */
static RARE void unspill(struct sl_simtight_sm *sm, unsigned warp, const struct sl_insn *insn)
{
  const uint32_t spilled = sm->registers.warp[warp].spilled;
  const unsigned reg = spilled >> insn->rs1 & 1 ? insn->rs1 : spilled >> insn->rs2 & 1 ? insn->rs2 : insn->rd;
  sm->requeue |= sl_bit(warp);
  if (was_suspended(sm, warp)) {
    sl_simtight_count_slot(sm, warp, insn, SL_SLOT_BUBBLE);
    return;
  }
  sl_simtight_count_slot(sm, warp, insn, SL_SLOT_UNSPILL);
  if (!sl_coalescer_can_put(&sm->coalescer, sm->cycle))
    return;
  struct sl_request *request = register_request(sm, warp, reg);
  uint32_t *values = sl_path_warps_registers(&sm->warps, warp) + ((size_t)reg << sm->warps.lane_bits);
  request->access = SL_ACCESS_LOAD;
  request->responds = true;
  memcpy(values, sl_memory_at(sm->warps.memory, request->address[0]), (size_t)4 << sm->warps.lane_bits);
  sm->registers.warp[warp].result = sl_register_file_compare(&sm->registers, &sm->warps, values);
  issue_memory(sm, warp, request);
  sm->spill.unspills++;
  if (sm->environment.profile)
    sm->environment.profile->rows[insn - sm->warps.code].unspills++;
}

/* Records whether the instruction was scalarisable, for the next warp that comes to it, and returns whether the one
 * after it is predicted to be. */
static inline bool predict(struct sl_simtight_sm *sm, unsigned warp, const struct sl_execution *ex,
                           const struct sl_operands *operands)
{
  const size_t index = (size_t)(ex->insn - sm->warps.code);
  sm->predicted[index] = ex->active == sm->warps.all && sl_scalar_accepts(&sm->registers.warp[warp], operands);
  return sm->predicted[(index + 1) & (sm->spec.code_words - 1)];
}

static RARE void suspended(struct sl_simtight_sm *sm, unsigned warp, const struct sl_insn *insn)
{
  sl_simtight_count_slot(sm, warp, insn, SL_SLOT_BUBBLE);
  sm->requeue |= sl_bit(warp);
}

void sl_simtight_execute_compressed(struct sl_simtight_sm *sm, unsigned warp)
{
  if (sm->spill_slots >> ((unsigned)sm->cycle % SL_SIMTIGHT_RING) & 1) {
    spill(sm, warp);
    return;
  }
  unsigned path;
  struct sl_execution ex;
  if (!sl_path_warps_fetch(&sm->warps, warp, &path, &ex)) {
    sm->state = SL_SM_FAULTED;
    return;
  }
  const bool full = ex.active == sm->warps.all;
  const struct sl_operands *operands = sl_path_warps_operands(&sm->warps, ex.insn);
  if (sm->registers.warp[warp].spilled & (operands->reads | (full ? 0 : operands->writes))) {
    unspill(sm, warp, ex.insn);
    return;
  }
  if (warp == 0 && sm->can_spill)
    sl_spill_use(&sm->spill, ex.insn->rs1, ex.insn->rs2);
  if (sm->slot_suspended && was_suspended(sm, warp)) {
    suspended(sm, warp, ex.insn);
    return;
  }
  const bool predicted = sm->spec.scalar_pipeline && predict(sm, warp, &ex, operands);
  if (sl_kind_needs_unit(ex.insn->kind) && !unit_accepts(sm, ex.insn->kind)) {
    retry(sm, warp, path, &ex);
    return;
  }
  if (!execute(sm, warp, path, &ex, true))
    return;
  if (predicted && full && !ex.jumped) {
    sm->requeue_scalar = sm->requeue;
    sm->requeue = 0;
  }
}
