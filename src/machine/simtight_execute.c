#include "machine/simtight_sm.h"

/* Whether the unit that an instruction needs can take it in this cycle. */
static bool unit_accepts(const struct sl_sm *sm, enum sl_kind kind)
{
  switch (kind) {
  case SL_KIND_MUL: return sm->multiplier_ready;
  case SL_KIND_DIV: return sl_divider_can_put(&sm->divider, sm->cycle);
  case SL_KIND_FPU: return sl_fpu_can_put(&sm->fpu);
  default: return sl_coalescer_can_put(&sm->coalescer, sm->cycle);
  }
}

static void retry(struct sl_sm *sm, unsigned warp, unsigned path)
{
  struct sl_paths *paths = &sm->threads.paths[warp];
  paths->path[path].retry = true;
  if (paths->count > 1)
    sl_paths_merge(paths, path);
  sm->counts.slots[SL_SLOT_RETRIED]++;
  sm->requeue |= sl_bit(warp);
}

void sl_simtight_command(struct sl_sm *sm, unsigned warp, uint32_t command)
{
  if (command & SL_COMMAND_END) {
    sm->ended |= sl_bit(warp);
    sm->success &= (command & SL_COMMAND_SUCCESS) != 0;
  } else {
    sm->barrier.waiting |= sl_bit(warp);
  }
}

void sl_simtight_deadlock(struct sl_sm *sm)
{
  const unsigned warp = sl_lowest(sm->barrier.waiting);
  const struct sl_path *path = &sm->threads.paths[warp].path[0];
  const uint32_t pc = path->pc - 4; /* of the warp command */
  sm->threads.fault = (struct sl_fault){.kind = SL_FAULT_DEADLOCK,
                                        .warp = (int)warp,
                                        .lanes = path->lanes,
                                        .pc = pc,
                                        .insn = sm->threads.code[(pc - sm->threads.spec.code_base) / 4]};
  sm->state = SL_SM_FAULTED;
}

/* In the functional mode there are no cycles: instructions are numbered instead. */
static uint64_t when(const struct sl_sm *sm)
{
  return sm->threads.timing ? (uint64_t)sm->cycle : sm->counts.instructions - 1;
}

static void report_access(const struct sl_sm *sm, unsigned warp, const struct sl_execution *ex,
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
      .lanes = sm->threads.spec.lanes,
  };
  sm->environment.access(sm->environment.access_context, &event);
}

static void report_commit(const struct sl_sm *sm, unsigned warp, const struct sl_execution *ex)
{
  const struct sl_threads *t = &sm->threads;
  const bool wrote = sl_writes_rd(ex->insn) && ex->insn->rd != 0;
  const struct sl_commit commit = {
      .cycle = when(sm),
      .launch = sm->launches - 1,
      .warp = warp,
      .active = ex->active,
      .pc = ex->pc,
      .insn = ex->insn,
      .values = wrote ? sl_threads_registers(t, warp) + ((size_t)ex->insn->rd << t->lane_bits) : NULL,
      .lanes = t->spec.lanes,
  };
  sm->environment.commit(sm->environment.commit_context, &commit);
}

void sl_simtight_report(const struct sl_sm *sm, unsigned warp, const struct sl_execution *ex,
                        const struct sl_request *request)
{
  const enum sl_kind kind = ex->insn->kind;
  if (sm->environment.access && (kind == SL_KIND_LOAD || kind == SL_KIND_STORE || kind == SL_KIND_AMO))
    report_access(sm, warp, ex, request);
  if (sm->environment.commit)
    report_commit(sm, warp, ex);
}

/* Puts the request on the memory path; its lanes wait if it answers. */
static void issue_memory(struct sl_sm *sm, unsigned warp, const struct sl_request *request)
{
  const sl_lanes waiting = request->responds ? request->pending : 0;
  sl_coalescer_put(&sm->coalescer);
  if (!waiting)
    return;
  sl_suspension_set(&sm->suspension, warp, waiting, SL_WAIT_MEMORY);
  sm->counts.requested += waiting == sm->threads.all ? sm->threads.spec.lanes : sl_count(waiting);
}

/* Hands the executed instruction to the unit that delivers its result. */
static void dispatch(struct sl_sm *sm, unsigned warp, const struct sl_execution *ex, const struct sl_request *request)
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

void sl_simtight_execute(struct sl_sm *sm, unsigned warp)
{
  unsigned path;
  struct sl_execution ex;
  if (!sl_threads_fetch(&sm->threads, warp, &path, &ex)) {
    sm->state = SL_SM_FAULTED;
    return;
  }
  const bool needs_unit = sl_kind_needs_unit(ex.insn->kind);
  if (needs_unit && !unit_accepts(sm, ex.insn->kind)) {
    retry(sm, warp, path);
    return;
  }
  struct sl_request *request = sl_coalescer_next(&sm->coalescer);
  enum sl_effect effect = sl_threads_execute(&sm->threads, warp, path, &ex, request);
  if (effect == SL_EFFECT_FAULT) {
    sm->state = SL_SM_FAULTED;
    return;
  }
  const unsigned active = ex.active == sm->threads.all ? sm->threads.spec.lanes : sl_count(ex.active);
  sm->counts.slots[SL_SLOT_ISSUED]++;
  sm->counts.thread_instructions += active;
  sm->recent[(unsigned)sm->cycle % SL_SIMTIGHT_RING] = (uint8_t)active;
  if (__builtin_expect(sm->observed, 0))
    sl_simtight_report(sm, warp, &ex, request);
  if (needs_unit) {
    dispatch(sm, warp, &ex, request);
  } else if (effect == SL_EFFECT_RESULT) {
    sm->result = sl_response(ex.active, warp, ex.insn->rd);
    sl_suspension_set(&sm->suspension, warp, ex.active, SL_WAIT_WRITE_BACK);
  }
  if (effect == SL_EFFECT_COMMAND)
    sl_simtight_command(sm, warp, ex.command);
  else
    sm->requeue |= sl_bit(warp);
}
