/* Launches: an index range as grids of blocks, arguments as parameters.
 *
 * A work-group is a block. A range with more than 65,535 groups in its second or third dimension takes several grids.
 * The contents of __constant arguments are copied into a variable of the module before the launch, as drivers of
 * hardware do, which takes no simulated time. */
#include "runtime/opencl/ocl.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct ocl_launch {
  cl_kernel kernel;
  struct ocl_argument *arguments; /* as they were when the command was added */
  struct simtlab_range range;
  uint32_t local[3];
};

void sl_ocl_free_launch(struct ocl_launch *l)
{
  if (l == NULL)
    return;
  for (unsigned i = 0; l->arguments != NULL && i < l->kernel->info->argument_count; i++) {
    free(l->arguments[i].value);
    sl_ocl_release_sampler(l->arguments[i].sampler);
  }
  free(l->arguments);
  sl_ocl_release_kernel(l->kernel);
  free(l);
}

/* ---- checks ------------------------------------------------------------------------------------------------------ */

/* The largest divisor of `size` up to `most`, a multiple of `lanes` if there is one. */
static size_t divisor(size_t size, size_t most, size_t lanes)
{
  size_t best = 1, best_multiple = 0;
  for (size_t d = 1; d <= most && d <= size; d++)
    if (size % d == 0) {
      best = d;
      best_multiple = d % lanes == 0 ? d : best_multiple;
    }
  return best_multiple > 0 ? best_multiple : best;
}

/* The group size that the runtime chooses. */
static void choose_local(cl_kernel k, cl_device_id device, cl_uint dimensions, const size_t *global, uint32_t local[3])
{
  enum { USUAL = 256 };
  const unsigned fits = sl_ocl_max_group(device, k->layout, sl_ocl_local_bytes(k));
  size_t left = fits < USUAL ? fits : USUAL;
  for (cl_uint i = 0; i < dimensions; i++) {
    const size_t most = left < device->host.facts.max_block[i] ? left : device->host.facts.max_block[i];
    local[i] = (uint32_t)divisor(global[i], most, i == 0 ? device->host.facts.lanes : 1);
    left /= local[i];
  }
}

static cl_int check_local(cl_kernel k, cl_device_id device, cl_uint dimensions, const size_t *global,
                          const size_t *given, uint32_t local[3])
{
  const struct sl_gpu_facts *f = &device->host.facts;
  const size_t *required = k->info->required;
  size_t items = 1;
  local[0] = local[1] = local[2] = 1;
  if (given == NULL && required[0] != 0)
    return CL_INVALID_WORK_GROUP_SIZE;
  if (given == NULL) {
    choose_local(k, device, dimensions, global, local);
    return CL_SUCCESS;
  }
  for (cl_uint i = 0; i < dimensions; i++) {
    if (given[i] == 0)
      return CL_INVALID_WORK_GROUP_SIZE;
    if (given[i] > f->max_block[i])
      return CL_INVALID_WORK_ITEM_SIZE;
    items *= given[i];
    local[i] = (uint32_t)given[i];
  }
  for (cl_uint i = 0; i < 3; i++)
    if (required[0] != 0 && required[i] != local[i])
      return CL_INVALID_WORK_GROUP_SIZE;
  if (items > f->max_threads || items > sl_ocl_max_group(device, k->layout, k->layout->shared_bytes))
    return CL_INVALID_WORK_GROUP_SIZE;
  for (cl_uint i = 0; i < dimensions; i++)
    if (global[i] % given[i] != 0)
      return CL_INVALID_WORK_GROUP_SIZE;
  return CL_SUCCESS;
}

static cl_int check_arguments(cl_kernel k, cl_device_id device)
{
  for (unsigned i = 0; i < k->info->argument_count; i++) {
    const struct ocl_argument *a = &k->arguments[i];
    if (!a->set)
      return CL_INVALID_KERNEL_ARGS;
    if (a->mem != NULL && !sl_ocl_is(a->mem, OCL_MEM))
      return CL_INVALID_KERNEL_ARGS;
    if (a->mem != NULL && sl_ocl_overlaps_misaligned(a->mem, device))
      return CL_MISALIGNED_SUB_BUFFER_OFFSET;
  }
  return CL_SUCCESS;
}

static cl_int check(cl_command_queue q, cl_kernel k, cl_uint dimensions, const size_t *offset, const size_t *global,
                    const size_t *local, struct ocl_launch *l, cl_uint count, const cl_event *waits)
{
  if (!sl_ocl_is(q, OCL_QUEUE))
    return CL_INVALID_COMMAND_QUEUE;
  if (!sl_ocl_is(k, OCL_KERNEL))
    return CL_INVALID_KERNEL;
  if (k->program->context != q->context)
    return CL_INVALID_CONTEXT;
  const struct ocl_build *b = sl_ocl_build_of(k->program, q->device);
  if (b == NULL || b->code == NULL)
    return CL_INVALID_PROGRAM_EXECUTABLE;
  cl_int error = check_arguments(k, q->device);
  if (error != CL_SUCCESS)
    return error;
  if (dimensions < 1 || dimensions > 3)
    return CL_INVALID_WORK_DIMENSION;
  if (global == NULL)
    return CL_INVALID_GLOBAL_WORK_SIZE;
  for (cl_uint i = 0; i < dimensions; i++) {
    if (global[i] == 0)
      return CL_INVALID_GLOBAL_WORK_SIZE;
    if (offset != NULL && offset[i] + global[i] < global[i])
      return CL_INVALID_GLOBAL_OFFSET;
  }
  error = check_local(k, q->device, dimensions, global, local, l->local);
  if (error != CL_SUCCESS)
    return error;
  l->range = (struct simtlab_range){.dimensions = dimensions};
  for (cl_uint i = 0; i < 3; i++) {
    l->range.offset[i] = offset != NULL && i < dimensions ? offset[i] : 0;
    l->range.groups[i] = i < dimensions ? global[i] / l->local[i] : 1;
  }
  if (l->range.groups[0] > q->device->host.facts.max_grid[0] ||
      sl_ocl_local_bytes(k) > q->device->host.facts.max_shared) {
    sl_ocl_say("kernel %.200s: a group needs %zu bytes of local memory, and may have %" PRIu32
               "; a range has at most %" PRIu32 " groups in its first dimension",
               k->info->name, sl_ocl_local_bytes(k), q->device->host.facts.max_shared,
               q->device->host.facts.max_grid[0]);
    return CL_OUT_OF_RESOURCES;
  }
  return sl_ocl_check_waits(q->context, count, waits);
}

/* ---- adding ------------------------------------------------------------------------------------------------------ */

static bool copy_arguments(struct ocl_command *c, struct ocl_launch *l, cl_kernel k)
{
  const unsigned count = k->info->argument_count;
  l->kernel = k;
  k->object.references++;
  l->arguments = calloc(count + 1, sizeof *l->arguments);
  c->used = calloc(count + 1, sizeof *c->used);
  if (l->arguments == NULL || c->used == NULL)
    return false;
  for (unsigned i = 0; i < count; i++) {
    struct ocl_argument *a = &l->arguments[i];
    *a = k->arguments[i];
    a->value = NULL;
    if (a->sampler != NULL)
      a->sampler->object.references++;
    if (a->mem != NULL) {
      a->mem->object.references++;
      c->used[c->used_count++] = a->mem;
    }
  }
  for (unsigned i = 0; i < count; i++)
    if (k->arguments[i].value != NULL) {
      l->arguments[i].value = malloc(k->arguments[i].size + 1);
      if (l->arguments[i].value == NULL)
        return false;
      memcpy(l->arguments[i].value, k->arguments[i].value, k->arguments[i].size);
    }
  return true;
}

static cl_int launch(cl_command_queue q, cl_kernel k, cl_command_type type, cl_uint dimensions, const size_t *offset,
                     const size_t *global, const size_t *local, cl_uint count, const cl_event *waits, cl_event *event)
{
  struct ocl_launch checked = {.kernel = NULL};
  const cl_int error = check(q, k, dimensions, offset, global, local, &checked, count, waits);
  if (error != CL_SUCCESS)
    return error;
  struct ocl_command *c = sl_ocl_new_command(q, type, count, waits);
  struct ocl_launch *l = c != NULL ? malloc(sizeof *l) : NULL;
  if (l == NULL) {
    if (c != NULL)
      sl_ocl_free_command(c);
    return CL_OUT_OF_HOST_MEMORY;
  }
  *l = checked;
  c->launch = l;
  c->timing = SL_COMMAND_LAUNCH;
  if (!copy_arguments(c, l, k)) {
    sl_ocl_free_command(c);
    return CL_OUT_OF_HOST_MEMORY;
  }
  return sl_ocl_add(c, false, event);
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                                                       const size_t *offset, const size_t *global, const size_t *local,
                                                       cl_uint count, const cl_event *waits, cl_event *event)
{
  OCL_CALL(launch(queue, kernel, CL_COMMAND_NDRANGE_KERNEL, dimensions, offset, global, local, count, waits, event));
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueTask(cl_command_queue queue, cl_kernel kernel, cl_uint count,
                                              const cl_event *waits, cl_event *event)
{
  const size_t one = 1;
  OCL_CALL(launch(queue, kernel, CL_COMMAND_TASK, 1, NULL, &one, &one, count, waits, event));
}

/* Devices execute no functions of the host. */
CL_API_ENTRY cl_int CL_API_CALL clEnqueueNativeKernel(cl_command_queue queue, void(CL_CALLBACK *function)(void *),
                                                      void *arguments, size_t size, cl_uint mem_count,
                                                      const cl_mem *mems, const void **places, cl_uint count,
                                                      const cl_event *waits, cl_event *event)
{
  (void)function;
  (void)arguments;
  (void)size;
  (void)mem_count;
  (void)mems;
  (void)places;
  (void)count;
  (void)waits;
  (void)event;
  OCL_CALL(sl_ocl_is(queue, OCL_QUEUE) ? CL_INVALID_OPERATION : CL_INVALID_COMMAND_QUEUE);
}

/* ---- executing --------------------------------------------------------------------------------------------------- */

static uint64_t constant_room(const struct ocl_launch *l)
{
  uint64_t room = 0;
  for (unsigned i = 0; i < l->kernel->info->argument_count; i++)
    if (l->kernel->info->arguments[i].kind == OCL_CONSTANT && l->arguments[i].mem != NULL)
      room += (l->arguments[i].mem->size + 255) / 256 * 256;
  return room;
}

/* Copies a buffer to constant memory. */
static enum sl_status copy_constant(struct sl_gpu *gpu, uint64_t to, uint64_t from, size_t size, struct sl_error *err)
{
  void *bytes = malloc(size);
  if (bytes == NULL)
    return sl_no_memory(err, size);
  enum sl_status code = sl_gpu_read(gpu, SL_GPU_GLOBAL, from, bytes, size, err);
  if (code == SL_OK)
    code = sl_gpu_write(gpu, SL_GPU_CONSTANT, to, bytes, size, err);
  free(bytes);
  return code;
}

static uint32_t sampler_bits(cl_sampler s)
{
  static const uint32_t modes[] = {0, 2, 4, 6, 8};
  return modes[s->addressing - CL_ADDRESS_NONE] | (s->normalised ? 1 : 0) |
         (s->filter == CL_FILTER_LINEAR ? 0x20 : 0x10);
}

/* Puts the arguments into the kernel's layout. *shared: the end of local memory. */
static enum sl_status pack(const struct ocl_launch *l, cl_device_id device, const struct ocl_module *module,
                           uint8_t *to, uint64_t *shared, struct sl_error *err)
{
  const struct sl_gpu_kernel *layout = l->kernel->layout;
  struct sl_gpu_symbol constants = {.address = 0};
  uint64_t constant = 0;
  enum sl_status code = SL_OK;
  if (sl_gpu_symbol(module->loaded, OCL_CONSTANTS, &constants))
    constant = constants.address;
  *shared = layout->shared_bytes;
  for (unsigned i = 0; i < l->kernel->info->argument_count && code == SL_OK; i++) {
    const struct ocl_argument *a = &l->arguments[i];
    uint64_t value = 0;
    const void *bytes = &value;
    switch (l->kernel->info->arguments[i].kind) {
    case OCL_VALUE: bytes = a->value; break;
    case OCL_GLOBAL: value = a->mem != NULL ? sl_ocl_address(a->mem, device) : 0; break;
    case OCL_IMAGE: value = a->mem->places[device->number].descriptor; break;
    case OCL_SAMPLED: value = sampler_bits(a->sampler); break;
    case OCL_LOCAL:
      value = (*shared + OCL_ALIGNMENT - 1) / OCL_ALIGNMENT * OCL_ALIGNMENT;
      *shared = value + a->size;
      break;
    case OCL_CONSTANT:
      if (a->mem == NULL)
        break;
      if (!device->host.facts.ptx) {
        value = sl_ocl_address(a->mem, device);
        break;
      }
      value = constant;
      code = copy_constant(device->host.gpu, constant, sl_ocl_address(a->mem, device), a->mem->size, err);
      constant += (a->mem->size + 255) / 256 * 256;
      break;
    }
    memcpy(to + layout->parameter[i].offset, bytes, layout->parameter[i].bytes);
  }
  return code;
}

static enum sl_status perform(struct ocl_command *c, const struct sl_gpu_launch *launch, struct sl_event *const *waits,
                              size_t count, struct sl_error *err)
{
  struct sl_host_device *host = &c->queue->device->host;
  struct sl_event *last = NULL;
  const enum sl_status code = sl_host_launch(host, c->queue->kernels, launch, waits, count, &last, err);
  if (last == NULL)
    return code;
  if (c->event->time == NULL)
    c->event->start = sl_event_times(last).start;
  sl_event_release(c->event->time);
  c->event->time = last;
  if (host->options.log >= 1)
    sl_ocl_say("launch %" PRIu64 ": %s, %u x %u x %u groups of %u x %u x %u items, %.3f us", host->launches - 1,
               launch->kernel, launch->grid[0], launch->grid[1], launch->grid[2], launch->block[0], launch->block[1],
               launch->block[2], (double)sl_gpu_last_picoseconds(host->gpu) / 1e6);
  return code;
}

/* Launches the grid of a part of the range that begins at l->range.base. */
static enum sl_status launch_part(struct ocl_command *c, const struct ocl_module *module, struct sl_gpu_launch *launch,
                                  struct sl_event *const *waits, size_t count, struct sl_error *err)
{
  const struct ocl_launch *l = c->launch;
  struct sl_host_device *host = &c->queue->device->host;
  struct sl_gpu_symbol range;
  enum sl_status code = SL_OK;
  if (sl_gpu_symbol(module->loaded, OCL_RANGE, &range))
    code = sl_gpu_write(host->gpu, SL_GPU_CONSTANT, range.address, &l->range, sizeof l->range, err);
  for (unsigned i = 0; i < 3; i++) {
    const uint64_t left = l->range.groups[i] - l->range.base[i];
    launch->grid[i] = (uint32_t)(left < host->facts.max_grid[i] ? left : host->facts.max_grid[i]);
  }
  return code == SL_OK ? perform(c, launch, waits, count, err) : code;
}

/* Adds the work-item to the sentence of a fault, which names warp and lanes. Which of a slot's groups it was is not
 * known. `slot`: the threads of a slot. */
static void name_item(const struct ocl_launch *l, cl_device_id device, uint32_t slot, struct sl_error *err)
{
  const struct sl_gpu_fault fault = sl_gpu_last_fault(device->host.gpu);
  const size_t used = strlen(err->text);
  if (fault.kind == SL_GPU_FAULT_NONE || fault.lanes == 0)
    return;
  const uint64_t thread = (uint64_t)fault.warp * device->host.facts.lanes + sl_lowest(fault.lanes);
  const uint32_t item = (uint32_t)(thread % slot), *size = l->local;
  snprintf(err->text + used, sizeof err->text - used, "; work-item (%u,%u,%u) of its group", item % size[0],
           item / size[0] % size[1], item / size[0] / size[1]);
}

/* The range of a machine with RISC-V instructions is one launch. */
static enum sl_status launch_riscv(struct ocl_command *c, uint32_t shared, struct sl_gpu_launch *launch,
                                   struct sl_event *const *waits, size_t count, struct sl_error *err)
{
  const struct ocl_launch *l = c->launch;
  const struct sl_gpu_facts *f = &c->queue->device->host.facts;
  struct simtlab_riscv_range range = {.dimensions = l->range.dimensions,
                                      .count = 1,
                                      .items = l->local[0] * l->local[1] * l->local[2],
                                      .separate = shared > 0};
  uint64_t groups = 1;
  uint32_t slot = f->lanes;
  for (unsigned i = 0; i < 3; i++) {
    range.offset[i] = (uint32_t)l->range.offset[i];
    range.local_size[i] = l->local[i];
    range.groups[i] = (uint32_t)l->range.groups[i];
    groups = l->range.groups[i] <= UINT32_MAX && groups <= UINT32_MAX ? groups * l->range.groups[i] : UINT64_MAX;
  }
  if (groups > UINT32_MAX)
    return sl_fail(err, SL_USAGE, "kernel %.200s: the range has more than 2^32 - 1 groups; split it",
                   l->kernel->info->name);
  while (slot < range.items)
    slot *= 2;
  range.count = (uint32_t)groups;
  range.warps = (range.items + f->lanes - 1) / f->lanes;
  range.partial = range.items < slot ? f->lanes : 0;
  c->queue->device->host.own_barriers = range.partial != 0;
  enum sl_status code = sl_ocl_print_open(c->queue->device, err);
  if (code != SL_OK)
    return code;
  range.print = (uint32_t)c->queue->device->print_buffer;
  memcpy((uint8_t *)(uintptr_t)launch->arguments, &range, sizeof range);
  launch->grid[0] = range.count;
  launch->grid[1] = launch->grid[2] = 1;
  launch->block[0] = slot;
  launch->block[1] = launch->block[2] = 1;
  launch->shared = shared + (range.partial ? OCL_BARRIER_BYTES : 0);
  code = perform(c, launch, waits, count, err);
  if (code == SL_FAULT)
    name_item(l, c->queue->device, slot, err);
  sl_ocl_print_records(c->queue->device);
  return code;
}

enum sl_status sl_ocl_perform_launch(struct ocl_command *c, struct sl_event *const *waits, size_t count,
                                     struct sl_error *err)
{
  struct ocl_launch *l = c->launch;
  cl_device_id device = c->queue->device;
  const struct ocl_module *module = c->module;
  uint64_t shared;
  const size_t before = device->host.facts.ptx ? 0 : sizeof(struct simtlab_riscv_range);
  uint8_t *arguments = calloc(1, before + l->kernel->layout->parameter_bytes + (size_t)1);
  if (arguments == NULL)
    return sl_no_memory(err, l->kernel->layout->parameter_bytes);
  struct sl_gpu_launch launch = {.module = module->loaded,
                                 .kernel = l->kernel->info->name,
                                 .block = {l->local[0], l->local[1], l->local[2]},
                                 .arguments = arguments,
                                 .argument_bytes = before + l->kernel->layout->parameter_bytes};
  enum sl_status code = pack(l, device, module, arguments + before, &shared, err);
  launch.shared = (uint32_t)(shared - l->kernel->layout->shared_bytes);
  if (!device->host.facts.ptx) {
    if (code == SL_OK)
      code = launch_riscv(c, (uint32_t)shared, &launch, waits, count, err);
    free(arguments);
    return code;
  }
  const uint64_t most_y = device->host.facts.max_grid[1], most_z = device->host.facts.max_grid[2];
  for (l->range.base[2] = 0; l->range.base[2] < l->range.groups[2] && code == SL_OK; l->range.base[2] += most_z)
    for (l->range.base[1] = 0; l->range.base[1] < l->range.groups[1] && code == SL_OK; l->range.base[1] += most_y)
      code = launch_part(c, module, &launch, waits, count, err);
  free(arguments);
  return code;
}

/* Loads the kernel's module with room for its __constant arguments; with the lock. */
enum sl_status sl_ocl_prepare_launch(struct ocl_command *c, struct sl_error *err)
{
  c->module = sl_ocl_load(c->queue->device, c->launch->kernel->code, constant_room(c->launch), err);
  return c->module != NULL ? SL_OK : SL_USAGE;
}
