#include "ptx/run/ptx_execute.h"

#include <string.h>

static const struct sl_simt_stack_entry *top(const struct sl_ptx_warp *w)
{
  return &w->stack.entries[w->stack.depth - 1];
}

void sl_ptx_level(struct sl_ptx_warp *w)
{
  const struct sl_ptx_function *k = w->block->launch->kernel;
  const bool deep = w->stack.depth > 0 && w->block->launch->module->code[top(w)->pc].deep;
  const uint32_t level = deep ? top(w)->call : 0;
  w->frame = level * k->frame_bytes;
  w->area[SL_PTX_REGISTERS] = w->registers - (size_t)level * k->window_bytes;
}

static uint8_t *frame_of(const struct sl_ptx_warp *w, unsigned lane, bool deep, uint32_t level)
{
  const struct sl_ptx_function *k = w->block->launch->kernel;
  return w->local + (size_t)lane * k->local_bytes + (size_t)(deep ? level * k->frame_bytes : 0);
}

/* Copies between the variables of a call and the parameters of the function, in the caller's and callee's frames. */
static void copy(const struct sl_ptx_warp *w, const struct sl_ptx_insn *call, const struct sl_ptx_function *f,
                 uint32_t level, uint32_t lanes, bool results)
{
  const struct sl_ptx_transfer *own = w->block->launch->module->transfers + call->immediate;
  const struct sl_ptx_param *params = f->params + (results ? f->param_count : 0);
  own += results ? 0 : call->results;
  for (unsigned i = 0; i < (results ? call->results : call->arguments); i++)
    for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
      const unsigned l = sl_lowest(rest);
      uint8_t *here = frame_of(w, l, call->deep, level) + own[i].offset;
      uint8_t *there = frame_of(w, l, f->deep, level + 1) + params[i].offset;
      memcpy(results ? here : there, results ? there : here, own[i].bytes);
    }
}

static uint64_t address_of(const struct sl_ptx_warp *w, const struct sl_ptx_insn *in, unsigned lane)
{
  uint64_t address;
  memcpy(&address, w->area[in->a.area] + in->a.offset + lane * sizeof address, sizeof address);
  return address;
}

static bool fits(const struct sl_ptx_module *m, const struct sl_ptx_insn *in, const struct sl_ptx_function *f)
{
  if (f->param_count != in->arguments || f->result_count != in->results)
    return false;
  for (unsigned i = 0; i < f->param_count + f->result_count; i++)
    if (f->params[i].bytes !=
        m->transfers[in->immediate + (i < f->param_count ? in->results + i : i - f->param_count)].bytes)
      return false;
  return true;
}

/* The function that the lowest lane calls; *lanes: those that call it. UINT32_MAX: none that takes these arguments. */
static uint32_t called(const struct sl_ptx_warp *w, const struct sl_ptx_insn *in, uint32_t active, uint32_t *lanes)
{
  const struct sl_ptx_module *m = w->block->launch->module;
  *lanes = active;
  if (in->mode == SL_PTX_CALL_COPIED)
    return in->function;
  const uint64_t address = address_of(w, in, sl_lowest(active));
  for (uint32_t rest = active; rest != 0; rest &= rest - 1)
    if (address_of(w, in, sl_lowest(rest)) != address)
      *lanes &= ~(uint32_t)sl_bit(sl_lowest(rest));
  const uint32_t number = sl_ptx_function_at(m, address);
  return number != UINT32_MAX && fits(m, in, &m->functions[number]) ? number : UINT32_MAX;
}

bool sl_ptx_call(struct sl_ptx_warp *w, const struct sl_ptx_insn *in, struct sl_ptx_effect *effect,
                 struct sl_ptx_fault *fault)
{
  const struct sl_ptx_launch *launch = w->block->launch;
  uint32_t lanes;
  const uint32_t number = called(w, in, effect->active, &lanes), level = top(w)->call;
  fault->lane = sl_lowest(effect->active);
  fault->address = in->mode == SL_PTX_CALL_ADDRESS ? address_of(w, in, fault->lane) : launch->kernel->levels;
  fault->kind = SL_PTX_FAULT_FUNCTION;
  if (number == UINT32_MAX)
    return false;
  const struct sl_ptx_function *f = &launch->module->functions[number];
  fault->kind = SL_PTX_FAULT_DEPTH;
  fault->address = launch->kernel->levels;
  if (f->deep && level >= launch->kernel->levels)
    return false;
  fault->kind = SL_PTX_FAULT_STACK;
  if (!sl_simt_stack_split(&w->stack, lanes) || !sl_simt_stack_call(&w->stack, f->begin))
    return false;
  effect->active = lanes;
  copy(w, in, f, level, lanes, false);
  return true;
}

void sl_ptx_call_results(struct sl_ptx_warp *w, const struct sl_ptx_insn *in, uint32_t lanes)
{
  const struct sl_ptx_module *m = w->block->launch->module;
  uint32_t i = w->stack.depth - 1;
  const uint32_t level = w->stack.entries[i].call - 1;
  while (i > 0 && w->stack.entries[i].call != level)
    i--;
  const struct sl_ptx_insn *call = &m->code[w->stack.entries[i].pc - 1];
  if (call->kind == SL_PTX_K_CALL && call->mode != SL_PTX_CALL_SHARED && in->function < m->function_count &&
      call->results == m->functions[in->function].result_count)
    copy(w, call, &m->functions[in->function], level, lanes, true);
}

bool sl_ptx_stack(struct sl_ptx_warp *w, const struct sl_ptx_insn *in, uint32_t active, struct sl_ptx_fault *fault)
{
  const uint64_t base = w->frame + (uint64_t)in->immediate + SL_PTX_STACK_HEAD;
  for (; active != 0; active &= active - 1) {
    const unsigned lane = sl_lowest(active);
    uint8_t *head = w->local + (size_t)lane * w->block->launch->kernel->local_bytes + (base - SL_PTX_STACK_HEAD);
    uint64_t used, value = 0;
    memcpy(&used, head, sizeof used);
    if (in->mode == SL_PTX_STACK_ALLOCA || in->mode == SL_PTX_STACK_RESTORE)
      memcpy(&value, (w->area[in->a.area] + in->a.offset) + (size_t)lane * in->bytes, in->bytes);
    const uint64_t start = (base + used + in->target - 1) / in->target * in->target;
    const uint64_t top = in->mode == SL_PTX_STACK_ALLOCA    ? start - base + value
                         : in->mode == SL_PTX_STACK_RESTORE ? value - base
                         : in->mode == SL_PTX_STACK_SAVE    ? used
                                                            : 0;
    if (top > SL_PTX_STACK_BYTES || value > base + SL_PTX_STACK_BYTES) {
      *fault = (struct sl_ptx_fault){
          .kind = SL_PTX_FAULT_ADDRESS, .space = SL_PTX_LOCAL, .lane = lane, .address = base + top};
      return false;
    }
    memcpy(head, &top, sizeof top);
    value = in->mode == SL_PTX_STACK_ALLOCA ? start : base + used;
    if (in->mode == SL_PTX_STACK_ALLOCA || in->mode == SL_PTX_STACK_SAVE)
      memcpy((w->area[in->d.area] + in->d.offset) + (size_t)lane * in->bytes, &value, in->bytes);
  }
  return true;
}

/* ---- services of the host ---------------------------------------------------------------------------------------- */

static const struct {
  const char *name;
  unsigned parameters, results;
} services[] = {[SL_PTX_SERVICE_VPRINTF] = {"vprintf", 2, 1},
                [SL_PTX_SERVICE_MALLOC] = {"malloc", 1, 1},
                [SL_PTX_SERVICE_FREE] = {"free", 1, 0},
                [SL_PTX_SERVICE_ASSERTFAIL] = {"__assertfail", 5, 0}};

bool sl_ptx_service_find(const char *name, enum sl_ptx_service *service, unsigned *parameters, unsigned *results)
{
  for (unsigned i = 0; i < sizeof services / sizeof *services; i++)
    if (strcmp(services[i].name, name) == 0) {
      *service = (enum sl_ptx_service)i;
      *parameters = services[i].parameters;
      *results = services[i].results;
      return true;
    }
  return false;
}

static const struct sl_ptx_function *function_of(const struct sl_ptx_warp *w, const struct sl_ptx_insn *in)
{
  return &w->block->launch->module->functions[in->target];
}

/* The place of a parameter or result in a lane's frame. */
static uint8_t *place(const struct sl_ptx_warp *w, const struct sl_ptx_param *param, unsigned lane)
{
  return w->local + (size_t)lane * w->block->launch->kernel->local_bytes + param->offset;
}

static uint64_t argument(const struct sl_ptx_warp *w, const struct sl_ptx_param *param, unsigned lane)
{
  uint64_t value = 0;
  memcpy(&value, place(w, param, lane), param->bytes < sizeof value ? param->bytes : sizeof value);
  return value;
}

bool sl_ptx_service_read(const struct sl_ptx_service_call *call, unsigned lane, uint64_t address, void *to,
                         size_t bytes)
{
  const struct sl_ptx_block *b = call->warp->block;
  const uint64_t shared = address - SL_PTX_SHARED_WINDOW, local = address - SL_PTX_LOCAL_WINDOW;
  const uint32_t frame = b->launch->kernel->local_bytes;
  const uint8_t *from = sl_ptx_memory_generic(b->launch->memory, address, bytes);
  if (shared < b->shared_bytes && bytes <= b->shared_bytes - shared)
    from = b->shared + shared;
  if (local < frame && bytes <= frame - local)
    from = call->warp->local + (size_t)lane * frame + local;
  if (from == NULL)
    return false;
  memcpy(to, from, bytes);
  return true;
}

bool sl_ptx_service_check(const struct sl_ptx_warp *w, const struct sl_ptx_insn *in, uint32_t lanes,
                          struct sl_ptx_fault *fault)
{
  if (lanes == 0 || (in->mode != SL_PTX_SERVICE_ASSERTFAIL && w->block->launch->services != NULL))
    return true;
  fault->kind = SL_PTX_FAULT_SERVICE;
  fault->lane = sl_lowest(lanes);
  if (in->mode != SL_PTX_SERVICE_ASSERTFAIL)
    return false;
  fault->kind = SL_PTX_FAULT_ASSERT;
  for (unsigned i = 0; i < sizeof fault->assertion / sizeof *fault->assertion; i++)
    fault->assertion[i] = argument(w, &function_of(w, in)->params[i], fault->lane);
  return false;
}

void sl_ptx_service_perform(const struct sl_ptx_warp *w, const struct sl_ptx_insn *in, uint32_t lanes)
{
  const struct sl_ptx_services *host = w->block->launch->services;
  const struct sl_ptx_function *f = function_of(w, in);
  struct sl_ptx_service_call call = {
      .service = in->mode, .warp = w, .pc = (uint32_t)(in - w->block->launch->module->code), .lanes = lanes};
  if (lanes == 0)
    return;
  for (unsigned i = 0; i < f->param_count; i++)
    for (uint32_t rest = lanes; rest != 0; rest &= rest - 1)
      call.argument[i][sl_lowest(rest)] = argument(w, &f->params[i], sl_lowest(rest));
  host->call(host->context, &call);
  for (uint32_t rest = f->result_count > 0 ? lanes : 0; rest != 0; rest &= rest - 1) {
    const struct sl_ptx_param *result = &f->params[f->param_count];
    memcpy(place(w, result, sl_lowest(rest)), &call.result[sl_lowest(rest)],
           result->bytes < sizeof *call.result ? result->bytes : sizeof *call.result);
  }
}
