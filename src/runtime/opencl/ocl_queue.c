/* Command queues: life cycle, finish, markers and barriers. */
#include "runtime/opencl/ocl.h"

#include <stdlib.h>

static bool open_times(cl_command_queue q)
{
  const bool free_order = (q->properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) != 0;
  bool opened = false;
  sl_ocl_take(q->device);
  opened = sl_queue_open(q->device->host.timeline, &q->kernels, NULL) == SL_OK;
  q->copies = q->kernels;
  if (opened && free_order)
    opened = sl_queue_open(q->device->host.timeline, &q->copies, NULL) == SL_OK;
  sl_ocl_give(q->device);
  return opened;
}

static cl_command_queue create(cl_context context, cl_device_id device, cl_command_queue_properties properties,
                               cl_int *error)
{
  const cl_command_queue_properties known = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE;
  *error = !sl_ocl_is(context, OCL_CONTEXT)                        ? CL_INVALID_CONTEXT
           : device == NULL || !sl_ocl_has_device(context, device) ? CL_INVALID_DEVICE
           : (properties & ~known) != 0                            ? CL_INVALID_VALUE
                                                                   : CL_SUCCESS;
  if (*error != CL_SUCCESS)
    return NULL;
  cl_command_queue q = sl_ocl_new(sizeof *q, OCL_QUEUE);
  if (q != NULL) {
    q->context = context;
    q->device = device;
    q->properties = properties;
    q->last = &q->first;
    context->object.references++;
  }
  if (q == NULL || !open_times(q)) {
    *error = CL_OUT_OF_HOST_MEMORY;
    return NULL;
  }
  /* Behind the others: commands of earlier queues execute first. */
  cl_command_queue *at = sl_ocl_queues();
  while (*at != NULL)
    at = &(*at)->next;
  *at = q;
  return q;
}

CL_API_ENTRY cl_command_queue CL_API_CALL clCreateCommandQueue(cl_context context, cl_device_id device,
                                                               cl_command_queue_properties properties, cl_int *error)
{
  OCL_MAKE(cl_command_queue, create(context, device, properties, &made));
}

void sl_ocl_release_queue(cl_command_queue q)
{
  if (q == NULL || --q->object.references > 0)
    return;
  cl_command_queue *at = sl_ocl_queues();
  while (*at != q)
    at = &(*at)->next;
  *at = q->next;
  cl_event barrier = q->barrier;
  q->barrier = NULL;
  if (q->device->opened) {
    sl_ocl_take(q->device);
    sl_queue_close(q->kernels);
    if (q->copies != q->kernels)
      sl_queue_close(q->copies);
    sl_ocl_give(q->device);
  }
  sl_ocl_release_context(q->context);
  free(q);
  sl_ocl_release_event(barrier);
}

CL_API_ENTRY cl_int CL_API_CALL clRetainCommandQueue(cl_command_queue queue)
{
  OCL_CALL(sl_ocl_is(queue, OCL_QUEUE) ? (queue->object.references++, CL_SUCCESS) : CL_INVALID_COMMAND_QUEUE);
}

CL_API_ENTRY cl_int CL_API_CALL clReleaseCommandQueue(cl_command_queue queue)
{
  OCL_CALL(sl_ocl_is(queue, OCL_QUEUE) ? (sl_ocl_release_queue(queue), CL_SUCCESS) : CL_INVALID_COMMAND_QUEUE);
}

static cl_int info(cl_command_queue q, cl_command_queue_info what, size_t room, void *value, size_t *needed)
{
  if (!sl_ocl_is(q, OCL_QUEUE))
    return CL_INVALID_COMMAND_QUEUE;
  switch (what) {
  case CL_QUEUE_CONTEXT: OCL_ANSWER(cl_context, q->context);
  case CL_QUEUE_DEVICE: OCL_ANSWER(cl_device_id, q->device);
  case CL_QUEUE_REFERENCE_COUNT: OCL_ANSWER(cl_uint, q->object.references);
  case CL_QUEUE_PROPERTIES: OCL_ANSWER(cl_command_queue_properties, q->properties);
  default: return CL_INVALID_VALUE;
  }
}

CL_API_ENTRY cl_int CL_API_CALL clGetCommandQueueInfo(cl_command_queue queue, cl_command_queue_info what, size_t room,
                                                      void *value, size_t *needed)
{
  OCL_CALL(info(queue, what, room, value, needed));
}

/* A function of OpenCL 1.0; later versions leave it out. */
static cl_int set_property(cl_command_queue q, cl_command_queue_properties properties, cl_bool enable,
                           cl_command_queue_properties *old)
{
  if (!sl_ocl_is(q, OCL_QUEUE))
    return CL_INVALID_COMMAND_QUEUE;
  if (old != NULL)
    *old = q->properties;
  if (properties != CL_QUEUE_PROFILING_ENABLE)
    return (properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) != 0 ? CL_INVALID_QUEUE_PROPERTIES : CL_INVALID_VALUE;
  q->properties = enable ? q->properties | properties : q->properties & ~properties;
  return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL clSetCommandQueueProperty(cl_command_queue queue,
                                                          cl_command_queue_properties properties, cl_bool enable,
                                                          cl_command_queue_properties *old)
{
  OCL_CALL(set_property(queue, properties, enable, old));
}

/* ---- waiting ----------------------------------------------------------------------------------------------------- */

/* What is ready has been executed, so there is nothing to flush. */
CL_API_ENTRY cl_int CL_API_CALL clFlush(cl_command_queue queue)
{
  OCL_CALL(sl_ocl_is(queue, OCL_QUEUE) ? (sl_ocl_run_ready(), CL_SUCCESS) : CL_INVALID_COMMAND_QUEUE);
}

static cl_int finish(cl_command_queue q)
{
  if (!sl_ocl_is(q, OCL_QUEUE))
    return CL_INVALID_COMMAND_QUEUE;
  q->object.references++;
  sl_ocl_run_ready();
  while (q->first != NULL) {
    sl_ocl_wait();
    sl_ocl_run_ready();
  }
  const bool failed = q->failed;
  q->failed = false;
  sl_ocl_take(q->device);
  sl_queue_finish(q->kernels, NULL);
  sl_queue_finish(q->copies, NULL);
  sl_ocl_give(q->device);
  sl_ocl_release_queue(q);
  return failed ? CL_OUT_OF_RESOURCES : CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL clFinish(cl_command_queue queue)
{
  OCL_CALL(finish(queue));
}

/* ---- markers and barriers ---------------------------------------------------------------------------------------- */

/* Without events a marker waits for all commands before it, as a barrier does. */
static cl_int mark(cl_command_queue q, cl_command_type type, bool barrier, cl_uint count, const cl_event *waits,
                   cl_event *event)
{
  if (!sl_ocl_is(q, OCL_QUEUE))
    return CL_INVALID_COMMAND_QUEUE;
  const cl_int error = sl_ocl_check_waits(q->context, count, waits);
  if (error != CL_SUCCESS)
    return error;
  struct ocl_command *c = sl_ocl_new_command(q, type, count, waits);
  if (c == NULL)
    return CL_OUT_OF_HOST_MEMORY;
  c->is_barrier = barrier;
  c->waits_for_all = count == 0;
  return sl_ocl_add(c, false, event);
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueMarkerWithWaitList(cl_command_queue queue, cl_uint count,
                                                            const cl_event *waits, cl_event *event)
{
  OCL_CALL(mark(queue, CL_COMMAND_MARKER, false, count, waits, event));
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueBarrierWithWaitList(cl_command_queue queue, cl_uint count,
                                                             const cl_event *waits, cl_event *event)
{
  OCL_CALL(mark(queue, CL_COMMAND_BARRIER, true, count, waits, event));
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueMarker(cl_command_queue queue, cl_event *event)
{
  OCL_CALL(event == NULL ? CL_INVALID_VALUE : mark(queue, CL_COMMAND_MARKER, false, 0, NULL, event));
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueBarrier(cl_command_queue queue)
{
  OCL_CALL(mark(queue, CL_COMMAND_BARRIER, true, 0, NULL, NULL));
}

static cl_int wait_for(cl_command_queue q, cl_uint count, const cl_event *waits)
{
  if (sl_ocl_is(q, OCL_QUEUE) && (count == 0 || waits == NULL))
    return CL_INVALID_VALUE;
  const cl_int error = mark(q, CL_COMMAND_BARRIER, true, count, waits, NULL);
  return error == CL_INVALID_EVENT_WAIT_LIST ? CL_INVALID_EVENT : error;
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueWaitForEvents(cl_command_queue queue, cl_uint count, const cl_event *waits)
{
  OCL_CALL(wait_for(queue, count, waits));
}
