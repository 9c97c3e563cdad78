/* A SIMTight SM as bytes: its own struct, then the arrays its threads point to. */
#include <string.h>

#include "machine/simtight/simtight_sm.h"
#include "machine/state_parts.h"

/* The arrays outside the struct. */
enum { PARTS = 5 };

static void parts(const struct sl_simtight_sm *sm, struct sl_state_part part[PARTS])
{
  const struct sl_path_warps *t = &sm->warps;
  part[0] = (struct sl_state_part){t->x, t->spec.warps * t->warp_words * sizeof *t->x};
  part[1] = (struct sl_state_part){t->paths, t->spec.warps * sizeof *t->paths};
  part[2] = (struct sl_state_part){t->code, t->spec.code_words * sizeof *t->code};
  part[4] = (struct sl_state_part){t->operands, t->spec.code_words * sizeof *t->operands};
  part[3] = (struct sl_state_part){sm->predicted, t->spec.code_words * sizeof *sm->predicted};
}

size_t sl_simtight_state_bytes(const struct sl_sm *handle)
{
  const struct sl_simtight_sm *sm = sl_simtight_of_const(handle);
  struct sl_state_part part[PARTS];
  parts(sm, part);
  return sizeof *sm + sl_state_parts_size(part, PARTS);
}

void sl_simtight_save(const struct sl_sm *handle, uint8_t *bytes)
{
  const struct sl_simtight_sm *sm = sl_simtight_of_const(handle);
  struct sl_state_part part[PARTS];
  parts(sm, part);
  memcpy(bytes, sm, sizeof *sm);
  sl_state_parts_save(part, PARTS, bytes + sizeof *sm);
}

void sl_simtight_restore(struct sl_sm *handle, const uint8_t *bytes)
{
  struct sl_simtight_sm *sm = sl_simtight_of(handle);
  /* What points into this process stays as it is. */
  const struct sl_sm_environment environment = sm->environment;
  const struct sl_path_warps threads = sm->warps;
  const struct sl_lane_ops *one = sm->registers.one;
  uint8_t *predicted = sm->predicted;
  struct sl_state_part part[PARTS];
  parts(sm, part);
  memcpy(sm, bytes, sizeof *sm);
  sm->environment = environment;
  sm->observed = environment.commit != NULL || environment.access != NULL || environment.profile != NULL;
  sm->warps.ops = threads.ops;
  sm->warps.memory = threads.memory;
  sm->warps.x = threads.x;
  sm->warps.paths = threads.paths;
  sm->warps.code = threads.code;
  sm->warps.operands = threads.operands;
  sm->warps.print_word = threads.print_word;
  sm->warps.end_program = threads.end_program;
  sm->warps.print_context = threads.print_context;
  sm->warps.fault.detail = NULL;
  sm->coalescer.ops = threads.ops;
  sm->registers.one = one;
  sm->predicted = predicted;
  sl_state_parts_restore(part, PARTS, bytes + sizeof *sm);
}

uint32_t sl_simtight_register(const struct sl_sm *handle, unsigned warp, unsigned lane, unsigned reg)
{
  const struct sl_simtight_sm *sm = sl_simtight_of_const(handle);
  const struct sl_warp_registers *r = &sm->registers.warp[warp];
  if (sm->warps.timing && (r->stale >> reg & 1))
    return r->base[reg] + lane * r->stride[reg];
  return sl_path_warps_registers(&sm->warps, warp)[((size_t)reg << sm->warps.lane_bits) + lane];
}

uint32_t sl_simtight_pc(const struct sl_sm *handle, unsigned warp, unsigned lane)
{
  const struct sl_simtight_sm *sm = sl_simtight_of_const(handle);
  const struct sl_paths *paths = &sm->warps.paths[warp];
  for (unsigned i = 0; i < paths->count; i++)
    if (paths->path[i].lanes & sl_bit(lane))
      return paths->path[i].pc;
  return 0;
}
