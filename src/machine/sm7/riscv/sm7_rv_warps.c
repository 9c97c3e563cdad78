#include "machine/sm7/riscv/sm7_rv_warps.h"

#include <stdlib.h>
#include <string.h>

#include "base/arrays.h"
#include "convergence/simt_stack.h"
#include "func/jit/jit.h"

enum { STACK_POINTER = 2, ARGUMENT = 10 };

enum sl_status sl_sm7_rv_init(struct sl_sm7_rv *rv, const struct sl_sm7_spec *spec,
                              const struct sl_sm_environment *environment, uint32_t code_base, unsigned isa_sets,
                              struct sl_error *err)
{
  const bool portable = environment->portable_lanes;
  *rv = (struct sl_sm7_rv){.environment = *environment,
                           .ops = portable ? sl_lane_ops_portable(SL_SM7_LANES) : sl_lane_ops(SL_SM7_LANES),
                           .fp = portable ? sl_fp_ops_portable() : sl_fp_ops(SL_SM7_LANES),
                           .sms = spec->clusters * spec->sms_per_cluster,
                           .warps = spec->warps,
                           .spec = *spec};
  rv->warp = sl_array_of((size_t)rv->sms * rv->warps, sizeof *rv->warp);
  rv->block = calloc((size_t)rv->sms * SL_SM7_MAX_BLOCKS, sizeof *rv->block);
  if (rv->warp == NULL || rv->block == NULL)
    return sl_no_memory(err, (size_t)rv->sms * rv->warps * sizeof *rv->warp);
  return sl_code_init(&rv->code, sl_isa(SL_ISA_RV32), isa_sets, code_base, 0, err);
}

static void free_shared(struct sl_sm7_rv *rv)
{
  for (size_t i = 0; rv->block != NULL && i < (size_t)rv->sms * SL_SM7_MAX_BLOCKS; i++) {
    free(rv->block[i].shared);
    rv->block[i].shared = NULL;
  }
}

void sl_sm7_rv_forget_forms(struct sl_sm7_rv *rv)
{
  struct sl_sm7_rv_linear *l = &rv->linear;
  for (unsigned i = 0; l->sm != NULL && i < rv->sms; i++)
    free(l->sm[i].tr);
  free(l->sm);
  free(l->form);
  free(l->fused);
  *l = (struct sl_sm7_rv_linear){.forms = 0};
}

static void free_warps(const struct sl_sm7_rv *rv)
{
  for (size_t i = 0; rv->warp != NULL && i < (size_t)rv->sms * rv->warps; i++) {
    free(rv->warp[i].x);
    free(rv->warp[i].local);
  }
  free(rv->warp);
}

void sl_sm7_rv_free_shadow(struct sl_sm7_rv *rv)
{
  if (rv->shadow != NULL)
    free_warps(&rv->shadow->view);
  free(rv->shadow);
  rv->shadow = NULL;
}

void sl_sm7_rv_free(struct sl_sm7_rv *rv)
{
  free_shared(rv);
  sl_sm7_rv_free_shadow(rv);
  free_warps(rv);
  free(rv->block);
  free(rv->reconvergence);
  free(rv->fact);
  sl_jit_close(&rv->basic_blocks);
  sl_basic_blocks_free(&rv->basic_blocks);
  sl_sm7_rv_forget_forms(rv);
  sl_code_free(&rv->code);
}

bool sl_sm7_rv_exchange(struct sl_sm7_rv *rv, struct sl_sm7_rv_aside *aside)
{
  struct sl_sm7_rv_aside other = *aside;
  if (other.warp == NULL)
    other.warp = sl_array_of((size_t)rv->sms * rv->warps, sizeof *other.warp);
  if (other.block == NULL)
    other.block = calloc((size_t)rv->sms * SL_SM7_MAX_BLOCKS, sizeof *other.block);
  *aside = (struct sl_sm7_rv_aside){other.warp, other.block, other.shared_room};
  if (other.warp == NULL || other.block == NULL)
    return false;
  *aside = (struct sl_sm7_rv_aside){rv->warp, rv->block, rv->shared_room};
  rv->warp = other.warp;
  rv->block = other.block;
  if (other.shared_room < rv->shared_room)
    free_shared(rv);
  return true;
}

void sl_sm7_rv_free_aside(const struct sl_sm7_rv *rv, struct sl_sm7_rv_aside *aside)
{
  struct sl_sm7_rv view = {.warp = aside->warp, .block = aside->block, .sms = rv->sms, .warps = rv->warps};
  free_shared(&view);
  free_warps(&view);
  free(view.block);
}

bool sl_sm7_rv_write_code(struct sl_sm7_rv *rv, uint32_t index, uint32_t word)
{
  if (index >= rv->code.count && !sl_code_grow(&rv->code, index + 1))
    return false;
  sl_code_write(&rv->code, index, word);
  rv->changed = true;
  rv->edition++;
  return true;
}

bool sl_sm7_rv_find_facts(struct sl_sm7_rv *rv)
{
  const size_t count = rv->code.count;
  if (!rv->changed)
    return true;
  free(rv->reconvergence);
  free(rv->fact);
  rv->reconvergence = malloc((count + 1) * sizeof *rv->reconvergence);
  rv->fact = malloc((count + 1) * sizeof *rv->fact);
  if (rv->reconvergence == NULL || rv->fact == NULL ||
      sl_sm7_rv_flow(&rv->code, rv->reconvergence, &(struct sl_error){0}) != SL_OK)
    return false;
  for (size_t i = 0; i < count; i++) {
    rv->fact[i] = sl_sm7_rv_facts(&rv->code.insn[i]);
    sl_sm7_choose_unit(&rv->spec, &rv->fact[i]);
  }
  rv->fact[count] = (struct sl_sm7_instruction){.writes = 0}; /* after the last instruction comes a fault */
  rv->changed = false;
  return true;
}

static bool refuse(struct sl_sm7_rv *rv, enum sl_fault_kind kind, const char *why)
{
  rv->fault = (struct sl_fault){.kind = kind, .pc = rv->entry, .detail = why};
  return false;
}

static bool has_blocks(const struct sl_sm7_rv *rv)
{
  const uint32_t *block = rv->launch.block;
  const uint64_t lanes = (uint64_t)rv->warps * SL_SM7_LANES, plane = (uint64_t)block[0] * block[1];
  return plane > 0 && plane <= lanes && block[2] > 0 && block[2] <= lanes / plane && sl_sm7_rv_blocks(rv) > 0;
}

bool sl_sm7_rv_can_launch(const struct sl_sm7_rv *rv)
{
  return has_blocks(rv) && sl_code_at(&rv->code, rv->entry) != NULL;
}

bool sl_sm7_rv_launch(struct sl_sm7_rv *rv, uint32_t entry, uint32_t closure)
{
  struct sl_sm7_rv_launch *l = &rv->launch;
  rv->entry = entry;
  rv->closure = closure;
  rv->failed = false;
  rv->linear.chosen = NULL;
  sl_sm7_rv_free_shadow(rv);
  rv->fault = (struct sl_fault){.kind = SL_FAULT_NONE};
  sl_memory_read(rv->environment.memory, closure, l, sizeof *l);
  if (!has_blocks(rv))
    return refuse(
        rv, SL_FAULT_EXTENSION,
        "the launch has no blocks, or its blocks have no threads or more than an SM has; launch smaller blocks");
  if (sl_code_at(&rv->code, entry) == NULL)
    return refuse(rv, SL_FAULT_FETCH, NULL);
  if (!sl_sm7_rv_find_facts(rv))
    return refuse(rv, SL_FAULT_INTERNAL, "out of memory for the decoded program");
  rv->warps_per_block = (sl_sm7_rv_threads(rv) + SL_SM7_LANES - 1) / SL_SM7_LANES;
  if (l->shared_bytes > rv->shared_room) {
    free_shared(rv);
    rv->shared_room = l->shared_bytes;
  }
  return true;
}

void sl_sm7_rv_thread(const struct sl_sm7_rv *rv, unsigned warp, unsigned lane, uint32_t index[3])
{
  const uint32_t number = warp * SL_SM7_LANES + lane, *block = rv->launch.block;
  index[0] = number % block[0];
  index[1] = number / block[0] % block[1];
  index[2] = number / block[0] / block[1];
}

bool sl_sm7_rv_fault(struct sl_sm7_rv *rv, const struct sl_sm7_rv_place *at, enum sl_fault_kind kind, uint32_t lanes,
                     uint32_t address)
{
  const unsigned number = sl_sm7_rv_number(rv, at->sm, at->slot, at->warp);
  const uint32_t index = sl_simt_stack_pc(&rv->warp[number].stack);
  rv->fault = (struct sl_fault){.kind = kind,
                                .warp = (int)number,
                                .lanes = lanes,
                                .pc = sl_code_address(&rv->code, index),
                                .address = address,
                                .in_grid = true};
  if (index < rv->code.count)
    rv->fault.insn = rv->code.insn[index];
  memcpy(rv->fault.block, sl_sm7_rv_block_at(rv, at)->index, sizeof rv->fault.block);
  sl_sm7_rv_thread(rv, at->warp, lanes ? (unsigned)__builtin_ctz(lanes) : 0, rv->fault.thread);
  return false;
}

void sl_sm7_rv_reset(struct sl_sm7_rv *rv, struct sl_sm7_rv_warp *w, uint32_t lanes)
{
  memset(w->x, 0, (size_t)w->rows * SL_SM7_LANES * sizeof *w->x);
  rv->ops->broadcast(w->x + STACK_POINTER * SL_SM7_LANES, SL_SM7_RV_STACK, lanes, SL_SM7_LANES);
  rv->ops->broadcast(w->x + ARGUMENT * SL_SM7_LANES, rv->closure, lanes, SL_SM7_LANES);
}

/* Registers are 0 except those that the hardware sets, and so is a block's memory. A program's error must not depend on
 * the blocks that the SM ran before. */
bool sl_sm7_rv_begin_warp(struct sl_sm7_rv *rv, struct sl_sm7_rv_warp *w, unsigned warp)
{
  if (w->rows < sl_sm7_rv_rows(rv)) {
    free(w->x);
    w->rows = (uint8_t)sl_sm7_rv_rows(rv);
    w->x = sl_lines_of((size_t)w->rows * SL_SM7_LANES, sizeof *w->x);
  }
  if (w->x == NULL) {
    w->rows = 0;
    return false;
  }
  const uint32_t lanes = sl_sm7_rv_lanes_of(rv, warp);
  sl_sm7_rv_reset(rv, w, lanes);
  if (w->local != NULL)
    memset(w->local, 0, (size_t)w->local_words * SL_SM7_LANES * sizeof *w->local);
  w->fcsr = 0;
  sl_simt_stack_init(&w->stack, sl_code_index(&rv->code, rv->entry), lanes);
  sl_simt_groups_use(&w->stack, sl_sm7_scheme(&rv->spec), sl_sm7_period(&rv->spec));
  return true;
}

bool sl_sm7_rv_begin(void *context, unsigned sm, unsigned slot, uint64_t block)
{
  struct sl_sm7_rv *rv = context;
  struct sl_sm7_rv_block *b = &rv->block[sm * SL_SM7_MAX_BLOCKS + slot];
  const uint32_t *grid = rv->launch.grid;
  b->index[0] = (uint32_t)(block % grid[0]);
  b->index[1] = (uint32_t)(block / grid[0] % grid[1]);
  b->index[2] = (uint32_t)(block / grid[0] / grid[1]);
  bool room = true;
  if (b->shared != NULL)
    memset(b->shared, 0, rv->launch.shared_bytes);
  else if (rv->shared_room > 0)
    room = (b->shared = calloc(1, rv->shared_room)) != NULL;
  for (unsigned i = 0; i < rv->warps_per_block && room; i++)
    room = sl_sm7_rv_begin_warp(rv, &rv->warp[sl_sm7_rv_number(rv, sm, slot, i)], i);
  return room || refuse(rv, SL_FAULT_INTERNAL, "out of memory for the threads of a block");
}

uint32_t sl_sm7_rv_lanes(void *context, unsigned sm, unsigned slot, unsigned warp, uint32_t *pc)
{
  const struct sl_sm7_rv *rv = context;
  const struct sl_simt_stack *stack = &rv->warp[sl_sm7_rv_number(rv, sm, slot, warp)].stack;
  if (stack->depth > 0)
    *pc = sl_simt_stack_pc(stack);
  return sl_simt_stack_mask(stack);
}

struct sl_sm7_demand sl_sm7_rv_demand(const struct sl_sm7_rv *rv)
{
  if (rv->linear.chosen != NULL)
    return rv->linear.demand;
  return (struct sl_sm7_demand){.blocks = sl_sm7_rv_blocks(rv),
                                .threads = sl_sm7_rv_threads(rv),
                                .shared_bytes = rv->launch.shared_bytes,
                                .registers = SL_SM7_RV_REGISTERS};
}
