/* Streams and events of the CUDA runtime: queues of the device, in simulated time. Commands of the legacy stream follow
 * those of all blocking streams, and the other way round. A callback runs when its turn comes, within the call that
 * adds it. */
#include <stdlib.h>
#include <string.h>

#include "runtime/cuda/cudart.h"

/* The stream of a thread, made at its first use; another generation of the device has others. */
static _Thread_local struct CUstream_st *own_stream;
static _Thread_local uint64_t own_generation;

static cudaError_t create(struct cudart *r, cudaStream_t *stream, unsigned flags, int priority);

static cudaError_t thread_stream(struct cudart *r, struct CUstream_st **stream)
{
  cudaError_t error = cudaSuccess;
  if (own_stream == NULL || own_generation != r->resets)
    error = create(r, &own_stream, cudaStreamDefault, 0);
  own_generation = r->resets;
  *stream = own_stream;
  return error;
}

/* The legacy stream waits for all others, so nothing is captured while it has commands. */
static cudaError_t legacy_stream(struct cudart *r, struct CUstream_st **stream)
{
  *stream = &r->legacy;
  for (struct sl_capture *c = r->captures; c != NULL; c = c->next)
    if (c->mode != cudaStreamCaptureModeRelaxed && (c->origin->flags & cudaStreamNonBlocking) == 0)
      return sl_capture_refuse(c, cudaErrorStreamCaptureImplicit);
  return cudaSuccess;
}

SL_CUDART_API void __cudaDefaultStreamPerThread(void)
{
  struct cudart *r;
  sl_cudart_enter(&r, false);
  r->per_thread = true;
  sl_cudart_leave(r, __func__, cudaSuccess);
}

cudaError_t sl_cudart_stream(struct cudart *r, cudaStream_t handle, struct CUstream_st **stream)
{
  *stream = &r->legacy;
  if (handle == cudaStreamPerThread || (handle == NULL && r->per_thread))
    return thread_stream(r, stream);
  if (handle == NULL || handle == cudaStreamLegacy)
    return legacy_stream(r, stream);
  for (struct CUstream_st *s = r->streams; s != NULL; s = s->next)
    if (s == handle) {
      *stream = s;
      return cudaSuccess;
    }
  return cudaErrorInvalidResourceHandle;
}

size_t sl_cudart_waits(const struct cudart *r, const struct CUstream_st *stream, struct sl_event **waits, size_t most)
{
  size_t count = 0;
  if (stream != &r->legacy && (stream->flags & cudaStreamNonBlocking) != 0)
    return 0;
  if (stream != &r->legacy) {
    if (r->legacy.last != NULL)
      waits[count++] = r->legacy.last;
    return count;
  }
  for (const struct CUstream_st *s = r->streams; s != NULL && count < most; s = s->next)
    if (s->last != NULL && (s->flags & cudaStreamNonBlocking) == 0)
      waits[count++] = s->last;
  return count;
}

void sl_cudart_follow(struct CUstream_st *stream, struct sl_event *event)
{
  if (stream->last != NULL)
    sl_event_release(stream->last);
  stream->last = event;
}

cudaError_t sl_cudart_add(struct cudart *r, struct CUstream_st *stream, struct sl_command *command)
{
  struct sl_event *waits[64], *event;
  command->waits = waits;
  command->wait_count = sl_cudart_waits(r, stream, waits, 64);
  if (sl_queue_add(stream->queue, command, &event, NULL) != SL_OK)
    return cudaErrorInvalidValue;
  const enum sl_status code = sl_event_times(event).status;
  sl_cudart_follow(stream, event);
  /* Such calls mostly return when the command is complete: cudaMemcpy, cudaMemset. */
  if (command->kind != SL_COMMAND_MARKER && (stream == &r->legacy || stream == own_stream))
    sl_timeline_know(r->device.timeline, stream->queue);
  return code == SL_OK ? cudaSuccess : cudaErrorInvalidValue;
}

/* The host waits for a stream. */
static cudaError_t finish(struct CUstream_st *stream)
{
  sl_queue_finish(stream->queue, NULL); /* errors were those of the calls that added the commands */
  return cudaSuccess;
}

static cudaError_t finish_all(struct cudart *r)
{
  if (r->captures != NULL && r->captures->mode == cudaStreamCaptureModeGlobal)
    return sl_capture_refuse(r->captures, cudaErrorStreamCaptureUnsupported);
  finish(&r->legacy);
  for (struct CUstream_st *s = r->streams; s != NULL; s = s->next)
    finish(s);
  return cudaSuccess;
}

SL_CUDART_API cudaError_t cudaDeviceSynchronize(void)
{
  CUDART_CALL(true, finish_all(r));
}

SL_CUDART_API cudaError_t cudaThreadSynchronize(void)
{
  CUDART_CALL(true, finish_all(r));
}

static cudaError_t create(struct cudart *r, cudaStream_t *stream, unsigned flags, int priority)
{
  if (stream == NULL || flags > cudaStreamNonBlocking)
    return cudaErrorInvalidValue;
  struct CUstream_st *s = calloc(1, sizeof *s);
  if (s == NULL || sl_queue_open(r->device.timeline, &s->queue, NULL) != SL_OK) {
    free(s);
    return cudaErrorMemoryAllocation;
  }
  s->flags = flags;
  s->priority = priority;
  s->next = r->streams;
  r->streams = *stream = s;
  return cudaSuccess;
}

SL_CUDART_API cudaError_t cudaStreamCreate(cudaStream_t *stream)
{
  CUDART_CALL(true, create(r, stream, cudaStreamDefault, 0));
}

SL_CUDART_API cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags)
{
  CUDART_CALL(true, create(r, stream, flags, 0));
}

SL_CUDART_API cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned flags, int priority)
{
  CUDART_CALL(true, create(r, stream, flags, priority));
}

/* A destroyed stream's commands still come before what the legacy stream, or a wait for the device, has later. Sets the
 * queue that has waited for those of its kind. Source: CUDA Runtime API, "cudaStreamDestroy". */
static void outlive(struct cudart *r, const struct CUstream_st *s)
{
  struct CUstream_st **ended = &r->ended[(s->flags & cudaStreamNonBlocking) != 0];
  struct sl_event *event, *waits[] = {s->last};
  if (s->last == NULL || (*ended == NULL && create(r, ended, s->flags, 0) != cudaSuccess))
    return;
  const struct sl_command marker = {.kind = SL_COMMAND_MARKER, .waits = waits, .wait_count = 1};
  if (sl_queue_add((*ended)->queue, &marker, &event, NULL) == SL_OK)
    sl_cudart_follow(*ended, event);
}

/* The queue stays in the timeline, with what its commands took. */
static void drop(struct cudart *r, struct CUstream_st **at)
{
  struct CUstream_st *s = *at;
  *at = s->next;
  sl_capture_leave(r, s);
  sl_cudart_follow(s, NULL);
  sl_queue_close(s->queue);
  free(s);
}

static cudaError_t destroy(struct cudart *r, cudaStream_t handle)
{
  for (struct CUstream_st *s = r->streams; s != NULL; s = s->next)
    if (s == handle)
      outlive(r, s);
  for (struct CUstream_st **at = &r->streams; *at != NULL; at = &(*at)->next)
    if (*at == handle) {
      drop(r, at);
      return cudaSuccess;
    }
  return cudaErrorInvalidResourceHandle;
}

SL_CUDART_API cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
  CUDART_CALL(true, destroy(r, stream));
}

static cudaError_t stream_facts(struct cudart *r, cudaStream_t handle, unsigned *flags, int *priority)
{
  struct CUstream_st *s;
  const cudaError_t error = sl_cudart_stream(r, handle, &s);
  if (error != cudaSuccess || (flags == NULL && priority == NULL))
    return error != cudaSuccess ? error : cudaErrorInvalidValue;
  if (flags != NULL)
    *flags = s->flags;
  if (priority != NULL)
    *priority = s->priority;
  return cudaSuccess;
}

SL_CUDART_API cudaError_t cudaStreamGetPriority(cudaStream_t stream, int *priority)
{
  CUDART_CALL(true, stream_facts(r, stream, NULL, priority));
}

SL_CUDART_API cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned *flags)
{
  CUDART_CALL(true, stream_facts(r, stream, flags, NULL));
}

static cudaError_t synchronize(struct cudart *r, cudaStream_t handle)
{
  struct CUstream_st *s;
  const cudaError_t error = sl_cudart_stream(r, handle, &s);
  if (error == cudaSuccess && s->capture != NULL)
    return sl_capture_refuse(s->capture, cudaErrorStreamCaptureUnsupported);
  return error == cudaSuccess ? finish(s) : error;
}

SL_CUDART_API cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
  CUDART_CALL(true, synchronize(r, stream));
}

SL_CUDART_API cudaError_t cudaStreamQuery(cudaStream_t stream)
{
  CUDART_CALL(true, synchronize(r, stream));
}

SL_CUDART_API cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void *pointer, size_t bytes, unsigned flags)
{
  (void)pointer, (void)bytes, (void)flags;
  CUDART_CALL(true, synchronize(r, stream));
}

/* The place of a stream's callback. It takes no simulated time. */
static cudaError_t add_callback(struct cudart *r, cudaStream_t handle, cudaHostFn_t function, void *data, bool given,
                                bool *now)
{
  struct CUstream_st *s;
  struct sl_command marker = {.kind = SL_COMMAND_MARKER};
  const cudaError_t error = sl_cudart_stream(r, handle, &s);
  if (error != cudaSuccess || !given)
    return error != cudaSuccess ? error : cudaErrorInvalidValue;
  *now = s->capture == NULL;
  if (*now) { /* the callback may tell the host's threads */
    const cudaError_t added = sl_cudart_add(r, s, &marker);
    sl_timeline_know(r->device.timeline, s->queue);
    return added;
  }
  if (function == NULL)
    return sl_capture_refuse(s->capture, cudaErrorStreamCaptureUnsupported);
  struct CUgraphNode_st *node = sl_capture_append(r, s, cudaGraphNodeTypeHost);
  if (node == NULL)
    return cudaErrorMemoryAllocation;
  node->host = (struct cudaHostNodeParams){function, data};
  return cudaSuccess;
}

/* `function`: that of a node, if the stream captures. *now: it does not, and the callback executes. */
static cudaError_t reach_callback(const char *caller, cudaStream_t stream, cudaHostFn_t function, void *data,
                                  bool given, bool *now)
{
  struct cudart *r;
  cudaError_t error = sl_cudart_enter(&r, true);
  if (error == cudaSuccess)
    error = add_callback(r, stream, function, data, given, now);
  return sl_cudart_leave(r, caller, error);
}

/* Callbacks execute without the lock, so they can wait for threads that call the interface. */
SL_CUDART_API cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t function, void *data,
                                                unsigned flags)
{
  bool now = false;
  const cudaError_t error = reach_callback(__func__, stream, NULL, data, function != NULL && flags == 0, &now);
  if (error == cudaSuccess && now)
    function(stream, cudaSuccess, data);
  return error;
}

SL_CUDART_API cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *data)
{
  bool now = false;
  const cudaError_t error = reach_callback(__func__, stream, function, data, function != NULL, &now);
  if (error == cudaSuccess && now)
    function(data);
  return error;
}

/* ---- events ------------------------------------------------------------------------------------------------------ */

static struct CUevent_st *find_event(const struct cudart *r, cudaEvent_t handle)
{
  for (struct CUevent_st *e = r->events; e != NULL; e = e->next)
    if (e == handle)
      return e;
  return NULL;
}

static cudaError_t create_event(struct cudart *r, cudaEvent_t *event, unsigned flags)
{
  if (event == NULL)
    return cudaErrorInvalidValue;
  struct CUevent_st *e = calloc(1, sizeof *e);
  if (e == NULL)
    return cudaErrorMemoryAllocation;
  e->flags = flags;
  e->next = r->events;
  r->events = *event = e;
  return cudaSuccess;
}

SL_CUDART_API cudaError_t cudaEventCreate(cudaEvent_t *event)
{
  CUDART_CALL(true, create_event(r, event, cudaEventDefault));
}

SL_CUDART_API cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags)
{
  CUDART_CALL(true, create_event(r, event, flags));
}

static cudaError_t record(struct cudart *r, cudaEvent_t handle, cudaStream_t stream)
{
  struct CUstream_st *s;
  struct CUevent_st *e = find_event(r, handle);
  struct sl_command marker = {.kind = SL_COMMAND_MARKER};
  cudaError_t error = e != NULL ? sl_cudart_stream(r, stream, &s) : cudaErrorInvalidResourceHandle;
  if (error == cudaSuccess && s->capture != NULL)
    return sl_capture_record(s, e);
  if (error == cudaSuccess)
    error = sl_cudart_add(r, s, &marker);
  if (error != cudaSuccess)
    return error;
  sl_capture_forget(e);
  if (e->event != NULL)
    sl_event_release(e->event);
  e->event = s->last;
  sl_event_retain(e->event);
  return cudaSuccess;
}

SL_CUDART_API cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
  CUDART_CALL(true, record(r, event, stream));
}

/* An event that has not been recorded counts as complete. */
static cudaError_t wait_event(const struct cudart *r, cudaEvent_t handle)
{
  const struct CUevent_st *e = find_event(r, handle);
  if (e == NULL)
    return cudaErrorInvalidResourceHandle;
  if (e->capture != NULL)
    return sl_capture_refuse(e->capture, cudaErrorCapturedEvent);
  if (e->event != NULL)
    sl_event_wait(e->event, NULL);
  return cudaSuccess;
}

SL_CUDART_API cudaError_t cudaEventQuery(cudaEvent_t event)
{
  CUDART_CALL(true, wait_event(r, event));
}

SL_CUDART_API cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
  CUDART_CALL(true, wait_event(r, event));
}

static cudaError_t destroy_event(struct cudart *r, cudaEvent_t handle)
{
  for (struct CUevent_st **at = &r->events; *at != NULL; at = &(*at)->next)
    if (*at == handle) {
      struct CUevent_st *e = *at;
      *at = e->next;
      sl_capture_forget(e);
      if (e->event != NULL)
        sl_event_release(e->event);
      free(e);
      return cudaSuccess;
    }
  return cudaErrorInvalidResourceHandle;
}

SL_CUDART_API cudaError_t cudaEventDestroy(cudaEvent_t event)
{
  CUDART_CALL(true, destroy_event(r, event));
}

/* Programs divide by it, so it is at least one picosecond. */
static cudaError_t elapsed(const struct cudart *r, float *ms, cudaEvent_t start, cudaEvent_t end)
{
  const struct CUevent_st *a = find_event(r, start), *b = find_event(r, end);
  if (ms == NULL)
    return cudaErrorInvalidValue;
  if (a == NULL || b == NULL || a->event == NULL || b->event == NULL ||
      ((a->flags | b->flags) & cudaEventDisableTiming) != 0)
    return cudaErrorInvalidResourceHandle;
  const double t = (double)sl_event_times(b->event).end - (double)sl_event_times(a->event).end;
  *ms = (float)((t == 0 ? 1 : t) / 1e9);
  return cudaSuccess;
}

SL_CUDART_API cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t start, cudaEvent_t end)
{
  CUDART_CALL(true, elapsed(r, ms, start, end));
}

/* Later commands of the stream follow the event. */
static cudaError_t stream_waits(struct cudart *r, cudaStream_t stream, cudaEvent_t event)
{
  struct CUstream_st *s;
  const struct CUevent_st *e = find_event(r, event);
  const cudaError_t error = e != NULL ? sl_cudart_stream(r, stream, &s) : cudaErrorInvalidResourceHandle;
  if (error == cudaSuccess && e->capture != NULL)
    return s == &r->legacy ? sl_capture_refuse(e->capture, cudaErrorStreamCaptureImplicit) : sl_capture_follow(s, e);
  if (error == cudaSuccess && s->capture != NULL)
    return e->event == NULL ? cudaSuccess : sl_capture_refuse(s->capture, cudaErrorStreamCaptureIsolation);
  if (error != cudaSuccess || e->event == NULL)
    return error;
  struct sl_event *wait = e->event, *own;
  const struct sl_command marker = {.kind = SL_COMMAND_MARKER, .waits = &wait, .wait_count = 1};
  if (sl_queue_add(s->queue, &marker, &own, NULL) != SL_OK)
    return cudaErrorMemoryAllocation;
  sl_cudart_follow(s, own);
  return cudaSuccess;
}

SL_CUDART_API cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags)
{
  (void)flags;
  CUDART_CALL(true, stream_waits(r, stream, event));
}

void sl_cudart_free_streams(struct cudart *r)
{
  sl_cudart_follow(&r->legacy, NULL);
  r->legacy.queue = NULL;
  while (r->streams != NULL)
    drop(r, &r->streams);
  r->ended[0] = r->ended[1] = NULL;
  while (r->events != NULL)
    destroy_event(r, r->events);
}
