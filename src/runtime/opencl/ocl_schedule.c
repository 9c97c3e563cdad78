/* Execution of commands.
 *
 * A command is ready when the events that it waits for are complete and, in a queue with order, the command before it.
 * Whoever adds a command, completes an event or waits executes what is ready, unless another thread uses the device;
 * that thread then goes on with it. So a deterministic program has deterministic runs. A queue without order executes
 * what is ready in the order of adding, and its copies overlap its kernels in simulated time. */
#include "runtime/opencl/ocl.h"

#include <stdlib.h>
#include <string.h>

/* ---- adding ------------------------------------------------------------------------------------------------------ */

cl_int sl_ocl_check_waits(cl_context context, cl_uint count, const cl_event *waits)
{
  if ((count == 0) != (waits == NULL))
    return CL_INVALID_EVENT_WAIT_LIST;
  for (cl_uint i = 0; i < count; i++)
    if (!sl_ocl_is(waits[i], OCL_EVENT))
      return CL_INVALID_EVENT_WAIT_LIST;
  for (cl_uint i = 0; i < count; i++)
    if (waits[i]->context != context)
      return CL_INVALID_CONTEXT;
  return CL_SUCCESS;
}

struct ocl_command *sl_ocl_new_command(cl_command_queue queue, cl_command_type type, cl_uint count,
                                       const cl_event *waits)
{
  struct ocl_command *c = calloc(1, sizeof *c);
  if (c == NULL)
    return NULL;
  /* One more for the barrier of a queue without order */
  c->waits = calloc((size_t)count + 1, sizeof(cl_event));
  c->event = sl_ocl_new_event(queue->context, queue, type);
  c->queue = queue;
  c->timing = SL_COMMAND_MARKER;
  queue->object.references++;
  if (c->waits == NULL || c->event == NULL) {
    sl_ocl_free_command(c);
    return NULL;
  }
  for (cl_uint i = 0; i < count; i++) {
    c->waits[c->wait_count++] = waits[i];
    waits[i]->object.references++;
  }
  return c;
}

static void drop_uses(struct ocl_command *c)
{
  for (cl_uint i = 0; i < c->wait_count; i++)
    sl_ocl_release_event(c->waits[i]);
  c->wait_count = 0;
  sl_ocl_release_mem(c->from);
  sl_ocl_release_mem(c->to);
  c->from = c->to = NULL;
  for (size_t i = 0; i < c->used_count; i++)
    sl_ocl_release_mem(c->used[i]);
  c->used_count = 0;
  sl_ocl_free_launch(c->launch);
  c->launch = NULL;
}

void sl_ocl_free_command(struct ocl_command *c)
{
  drop_uses(c);
  sl_ocl_release_event(c->event);
  sl_ocl_release_queue(c->queue);
  free(c->waits);
  free(c->used);
  free(c);
}

/* In a queue without order a command waits for the last barrier. */
static void order(struct ocl_command *c)
{
  cl_command_queue q = c->queue;
  if ((q->properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) == 0)
    return;
  if (q->barrier != NULL && q->barrier->status > CL_COMPLETE) {
    c->waits[c->wait_count++] = q->barrier;
    q->barrier->object.references++;
  }
  if (!c->is_barrier)
    return;
  sl_ocl_release_event(q->barrier);
  q->barrier = c->event;
  q->barrier->object.references++;
}

static cl_int block(cl_command_queue q, cl_event e)
{
  sl_ocl_wait_for(e);
  const bool failed = q->failed;
  q->failed = false;
  return e->status == CL_COMPLETE && !failed                         ? CL_SUCCESS
         : e->status == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST ? e->status
                                                                     : CL_OUT_OF_RESOURCES;
}

cl_int sl_ocl_add(struct ocl_command *c, bool blocking, cl_event *event)
{
  cl_command_queue q = c->queue;
  cl_event e = c->event;
  cl_int error = CL_SUCCESS;
  order(c);
  q->object.references++; /* the command may end and be freed below */
  e->object.references++;
  e->queued = sl_timeline_now(q->device->host.timeline);
  *q->last = c;
  q->last = &c->next;
  sl_ocl_run_ready();
  if (blocking)
    error = block(q, e);
  if (event != NULL)
    *event = e;
  else
    sl_ocl_release_event(e);
  sl_ocl_release_queue(q);
  return error;
}

/* ---- executing --------------------------------------------------------------------------------------------------- */

static bool events_complete(const struct ocl_command *c)
{
  for (cl_uint i = 0; i < c->wait_count; i++)
    if (c->waits[i]->status > CL_COMPLETE)
      return false;
  return true;
}

/* The first ready command of a queue; NULL: none. */
static struct ocl_command *ready(cl_command_queue q)
{
  const bool ordered = (q->properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) == 0;
  if (q->device->busy)
    return NULL;
  for (struct ocl_command *c = q->first; c != NULL; c = ordered ? NULL : c->next)
    if (!c->running && events_complete(c) && (!c->waits_for_all || c == q->first))
      return c;
  return NULL;
}

static struct sl_queue *time_of(const struct ocl_command *c)
{
  return c->timing == SL_COMMAND_READ || c->timing == SL_COMMAND_WRITE ? c->queue->copies : c->queue->kernels;
}

struct moving {
  struct ocl_command *command;
  enum sl_status code;
  struct sl_error *err;
};

static void move(void *context)
{
  struct moving *m = context;
  m->code = m->command->perform(m->command, m->err);
}

/* Performs a command that is not a launch: it takes the time of a command of its kind. */
static enum sl_status perform_timed(struct ocl_command *c, struct sl_event *const *waits, size_t count,
                                    struct sl_error *err)
{
  struct moving m = {c, SL_OK, err};
  struct sl_command command = {.kind = SL_COMMAND_MARKER, .waits = waits, .wait_count = count};
  if (c->perform != NULL) {
    command.kind = SL_COMMAND_CALL;
    command.timing = c->timing;
    command.size = c->bytes;
    command.call = move;
    command.context = &m;
  }
  const enum sl_status code = sl_queue_add(time_of(c), &command, &c->event->time, err);
  return code != SL_OK ? code : m.code;
}

/* Makes one engine of a queue without order wait for the end of what the other has got. */
static void join(struct sl_queue *first, struct sl_queue *then)
{
  struct sl_event *end = NULL;
  const struct sl_command marker = {.kind = SL_COMMAND_MARKER};
  const struct sl_command after = {.kind = SL_COMMAND_MARKER, .waits = &end, .wait_count = 1};
  if (first != then && sl_queue_add(first, &marker, &end, NULL) == SL_OK)
    sl_queue_add(then, &after, NULL, NULL);
  sl_event_release(end);
}

/* The times of events of the same device, and of the other queue of a barrier. */
static size_t times_before(const struct ocl_command *c, struct sl_event **waits)
{
  size_t count = 0;
  for (cl_uint i = 0; i < c->wait_count; i++) {
    const cl_event e = c->waits[i];
    if (e->time != NULL && e->queue->device == c->queue->device)
      waits[count++] = e->time;
  }
  return count;
}

static void perform(struct ocl_command *c, struct sl_error *err)
{
  cl_event e = c->event;
  struct sl_event **waits = calloc((size_t)c->wait_count + 1, sizeof *waits);
  if (waits == NULL) {
    sl_no_memory(err, c->wait_count * sizeof *waits);
    return;
  }
  const size_t count = times_before(c, waits);
  e->submitted = sl_timeline_now(c->queue->device->host.timeline);
  if (c->launch != NULL)
    err->code = sl_ocl_perform_launch(c, waits, count, err);
  else {
    if (c->waits_for_all)
      join(c->queue->copies, c->queue->kernels);
    err->code = perform_timed(c, waits, count, err);
    if (c->is_barrier)
      join(c->queue->kernels, c->queue->copies);
  }
  if (e->time != NULL) {
    const struct sl_event_times t = sl_event_times(e->time);
    if (c->launch == NULL)
      e->start = t.start;
    e->end = t.end;
  }
  free(waits);
}

/* Gives what the command uses current contents on its device. */
static enum sl_status prepare(struct ocl_command *c, struct sl_error *err)
{
  const cl_device_id device = c->queue->device;
  enum sl_status code = c->from != NULL ? sl_ocl_prepare(c->from, device, err) : SL_OK;
  if (code == SL_OK && c->to != NULL)
    code = sl_ocl_prepare(c->to, device, err);
  for (size_t i = 0; i < c->used_count && code == SL_OK; i++)
    code = sl_ocl_prepare(c->used[i], device, err);
  return code == SL_OK && c->launch != NULL ? sl_ocl_prepare_launch(c, err) : code;
}

static cl_int failed_wait(const struct ocl_command *c)
{
  for (cl_uint i = 0; i < c->wait_count; i++)
    if (c->waits[i]->status < 0)
      return CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
  return CL_COMPLETE;
}

static void unlink_command(struct ocl_command *c)
{
  cl_command_queue q = c->queue;
  struct ocl_command **at = &q->first;
  while (*at != c)
    at = &(*at)->next;
  *at = c->next;
  if (*at == NULL)
    q->last = at;
}

static void execute(struct ocl_command *c)
{
  cl_command_queue q = c->queue;
  struct sl_error err = {.code = SL_OK};
  cl_int status = failed_wait(c);
  c->running = true;
  sl_ocl_set_status(c->event, CL_SUBMITTED);
  if (status == CL_COMPLETE && prepare(c, &err) == SL_OK) {
    sl_ocl_set_status(c->event, CL_RUNNING);
    sl_ocl_take(q->device);
    perform(c, &err);
    sl_ocl_give(q->device);
    if (c->to != NULL)
      sl_ocl_written(c->to, q->device);
    for (size_t i = 0; i < c->used_count && c->launch != NULL; i++)
      sl_ocl_written(c->used[i], q->device);
  }
  if (err.code != SL_OK) {
    status = err.code == SL_USAGE && c->launch == NULL ? CL_MEM_OBJECT_ALLOCATION_FAILURE : CL_OUT_OF_RESOURCES;
    q->failed = true;
    sl_ocl_notify(q->context, err.text);
  } else if (status < 0)
    q->failed = true;
  unlink_command(c);
  drop_uses(c);
  sl_ocl_set_status(c->event, status);
  if (q->barrier == c->event) {
    sl_ocl_release_event(q->barrier);
    q->barrier = NULL;
  }
  sl_ocl_free_command(c);
}

void sl_ocl_run_ready(void)
{
  for (bool any = true; any;) {
    any = false;
    for (cl_command_queue q = *sl_ocl_queues(); q != NULL && !any; q = q->next) {
      struct ocl_command *c = ready(q);
      if (c == NULL)
        continue;
      execute(c); /* may release the lock, so the list of queues may have changed */
      any = true;
    }
  }
}

void sl_ocl_wait_for(cl_event e)
{
  e->object.references++;
  sl_ocl_run_ready();
  while (e->status > CL_COMPLETE) {
    sl_ocl_wait();
    sl_ocl_run_ready();
  }
  if (e->time != NULL) {
    cl_device_id device = e->queue->device;
    sl_ocl_take(device);
    sl_event_wait(e->time, NULL);
    sl_ocl_give(device);
  }
  sl_ocl_release_event(e);
}
