#include "ptx/run/ptx_execute.h"

#include <string.h>

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
