/* Command queues: life cycle, finish, markers and barriers. */
#include "runtime/opencl/ocl.h"

#include <stdlib.h>
#include <string.h>

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

/* Events: status, callbacks, user events, waiting, profiling. */

struct ocl_callback {
  struct ocl_callback *next;
  cl_event event; /* retained while the callback is due */
  cl_int type, status;
  void(CL_CALLBACK *function)(cl_event, cl_int, void *);
  void *user;
};

cl_event sl_ocl_new_event(cl_context context, cl_command_queue queue, cl_command_type type)
{
  cl_event e = sl_ocl_new(sizeof *e, OCL_EVENT);
  if (e == NULL)
    return NULL;
  e->context = context;
  e->context->object.references++;
  e->queue = queue;
  if (queue != NULL)
    queue->object.references++;
  e->type = type;
  e->status = queue != NULL ? CL_QUEUED : CL_SUBMITTED;
  return e;
}

void sl_ocl_release_event(cl_event e)
{
  if (e == NULL || --e->object.references > 0)
    return;
  while (e->callbacks != NULL) {
    struct ocl_callback *c = e->callbacks;
    e->callbacks = c->next;
    free(c);
  }
  cl_command_queue queue = e->queue;
  sl_event_release(e->time);
  sl_ocl_release_context(e->context);
  free(e);
  if (queue != NULL)
    sl_ocl_release_queue(queue);
}

static void call_back(void *user)
{
  struct ocl_callback *c = user;
  c->function(c->event, c->status, c->user);
  sl_ocl_enter();
  sl_ocl_release_event(c->event);
  sl_ocl_leave(__func__, CL_SUCCESS);
  free(c);
}

static void make_due(cl_event e, struct ocl_callback *c)
{
  c->event = e;
  c->status = e->status < 0 ? e->status : c->type;
  e->object.references++;
  sl_ocl_later(call_back, c);
}

void sl_ocl_set_status(cl_event e, cl_int status)
{
  e->status = status;
  for (struct ocl_callback **at = &e->callbacks; *at != NULL;) {
    struct ocl_callback *c = *at;
    if (c->type < status) {
      at = &c->next;
      continue;
    }
    *at = c->next;
    make_due(e, c);
  }
  sl_ocl_changed();
}

/* ---- user events ------------------------------------------------------------------------------------------------- */

static cl_event create_user(cl_context context, cl_int *error)
{
  if (!sl_ocl_is(context, OCL_CONTEXT)) {
    *error = CL_INVALID_CONTEXT;
    return NULL;
  }
  cl_event e = sl_ocl_new_event(context, NULL, CL_COMMAND_USER);
  if (e == NULL)
    *error = CL_OUT_OF_HOST_MEMORY;
  return e;
}

CL_API_ENTRY cl_event CL_API_CALL clCreateUserEvent(cl_context context, cl_int *error)
{
  OCL_MAKE(cl_event, create_user(context, &made));
}

static cl_int set_user(cl_event e, cl_int status)
{
  if (!sl_ocl_is(e, OCL_EVENT) || e->queue != NULL)
    return CL_INVALID_EVENT;
  if (status > CL_COMPLETE)
    return CL_INVALID_VALUE;
  if (e->status <= CL_COMPLETE)
    return CL_INVALID_OPERATION;
  e->object.references++;
  sl_ocl_set_status(e, status);
  sl_ocl_run_ready();
  sl_ocl_release_event(e);
  return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL clSetUserEventStatus(cl_event event, cl_int status)
{
  OCL_CALL(set_user(event, status));
}

static cl_int set_callback(cl_event e, cl_int type, void(CL_CALLBACK *function)(cl_event, cl_int, void *), void *user)
{
  if (!sl_ocl_is(e, OCL_EVENT))
    return CL_INVALID_EVENT;
  if (function == NULL || (type != CL_SUBMITTED && type != CL_RUNNING && type != CL_COMPLETE))
    return CL_INVALID_VALUE;
  struct ocl_callback *c = malloc(sizeof *c);
  if (c == NULL)
    return CL_OUT_OF_HOST_MEMORY;
  *c = (struct ocl_callback){.type = type, .function = function, .user = user};
  if (e->status <= type) {
    make_due(e, c);
    return CL_SUCCESS;
  }
  struct ocl_callback **at = &e->callbacks;
  while (*at != NULL)
    at = &(*at)->next;
  *at = c;
  return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL clSetEventCallback(cl_event event, cl_int type,
                                                   void(CL_CALLBACK *function)(cl_event, cl_int, void *), void *user)
{
  OCL_CALL(set_callback(event, type, function, user));
}

/* ---- waiting ----------------------------------------------------------------------------------------------------- */

static cl_int wait_all(cl_uint count, const cl_event *events)
{
  if (count == 0 || events == NULL)
    return CL_INVALID_VALUE;
  for (cl_uint i = 0; i < count; i++)
    if (!sl_ocl_is(events[i], OCL_EVENT))
      return CL_INVALID_EVENT;
  for (cl_uint i = 1; i < count; i++)
    if (events[i]->context != events[0]->context)
      return CL_INVALID_CONTEXT;
  cl_int error = CL_SUCCESS;
  for (cl_uint i = 0; i < count; i++) {
    sl_ocl_wait_for(events[i]);
    if (events[i]->status < 0)
      error = CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
  }
  return error;
}

CL_API_ENTRY cl_int CL_API_CALL clWaitForEvents(cl_uint count, const cl_event *events)
{
  OCL_CALL(wait_all(count, events));
}

/* ---- references and queries -------------------------------------------------------------------------------------- */

CL_API_ENTRY cl_int CL_API_CALL clRetainEvent(cl_event event)
{
  OCL_CALL(sl_ocl_is(event, OCL_EVENT) ? (event->object.references++, CL_SUCCESS) : CL_INVALID_EVENT);
}

CL_API_ENTRY cl_int CL_API_CALL clReleaseEvent(cl_event event)
{
  OCL_CALL(sl_ocl_is(event, OCL_EVENT) ? (sl_ocl_release_event(event), CL_SUCCESS) : CL_INVALID_EVENT);
}

static cl_int event_info(cl_event e, cl_event_info what, size_t room, void *value, size_t *needed)
{
  if (!sl_ocl_is(e, OCL_EVENT))
    return CL_INVALID_EVENT;
  switch (what) {
  case CL_EVENT_COMMAND_QUEUE: OCL_ANSWER(cl_command_queue, e->queue);
  case CL_EVENT_CONTEXT: OCL_ANSWER(cl_context, e->context);
  case CL_EVENT_COMMAND_TYPE: OCL_ANSWER(cl_command_type, e->type);
  case CL_EVENT_COMMAND_EXECUTION_STATUS: OCL_ANSWER(cl_int, e->status);
  case CL_EVENT_REFERENCE_COUNT: OCL_ANSWER(cl_uint, e->object.references);
  default: return CL_INVALID_VALUE;
  }
}

CL_API_ENTRY cl_int CL_API_CALL clGetEventInfo(cl_event event, cl_event_info what, size_t room, void *value,
                                               size_t *needed)
{
  OCL_CALL(event_info(event, what, room, value, needed));
}

static cl_int profiling(cl_event e, cl_profiling_info what, size_t room, void *value, size_t *needed)
{
  enum { PICOSECONDS = 1000 };
  if (!sl_ocl_is(e, OCL_EVENT))
    return CL_INVALID_EVENT;
  if (e->queue == NULL || (e->queue->properties & CL_QUEUE_PROFILING_ENABLE) == 0 || e->status != CL_COMPLETE)
    return CL_PROFILING_INFO_NOT_AVAILABLE;
  switch (what) {
  case CL_PROFILING_COMMAND_QUEUED: OCL_ANSWER(cl_ulong, e->queued / PICOSECONDS);
  case CL_PROFILING_COMMAND_SUBMIT: OCL_ANSWER(cl_ulong, e->submitted / PICOSECONDS);
  case CL_PROFILING_COMMAND_START: OCL_ANSWER(cl_ulong, e->start / PICOSECONDS);
  case CL_PROFILING_COMMAND_END: OCL_ANSWER(cl_ulong, e->end / PICOSECONDS);
  default: return CL_INVALID_VALUE;
  }
}

CL_API_ENTRY cl_int CL_API_CALL clGetEventProfilingInfo(cl_event event, cl_profiling_info what, size_t room,
                                                        void *value, size_t *needed)
{
  OCL_CALL(profiling(event, what, room, value, needed));
}
