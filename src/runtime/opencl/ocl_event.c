/* Events: status, callbacks, user events, waiting, profiling. */
#include "runtime/opencl/ocl.h"

#include <stdlib.h>
#include <string.h>

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

static cl_int info(cl_event e, cl_event_info what, size_t room, void *value, size_t *needed)
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
  OCL_CALL(info(event, what, room, value, needed));
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
