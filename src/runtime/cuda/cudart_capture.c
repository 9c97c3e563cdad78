/* Captures of the CUDA runtime: streams whose commands become nodes of a graph. */
#include "runtime/cuda/cudart.h"

#include <stdlib.h>
#include <string.h>

static _Thread_local enum cudaStreamCaptureMode thread_mode = cudaStreamCaptureModeGlobal;

static void leave(struct CUstream_st *stream)
{
  free(stream->tail);
  stream->tail = NULL;
  stream->tail_count = 0;
  stream->capture = NULL;
}

void sl_capture_forget(struct CUevent_st *event)
{
  free(event->tail);
  event->tail = NULL;
  event->tail_count = 0;
  event->capture = NULL;
}

/* Ends a capture; its graph stays. */
static void end(struct cudart *r, struct sl_capture *capture)
{
  struct sl_capture **at = &r->captures;
  while (*at != capture)
    at = &(*at)->next;
  *at = capture->next;
  for (struct CUstream_st *s = r->streams; s != NULL; s = s->next)
    if (s->capture == capture)
      leave(s);
  for (struct CUevent_st *e = r->events; e != NULL; e = e->next)
    if (e->capture == capture)
      sl_capture_forget(e);
  free(capture);
}

void sl_capture_drop(struct cudart *r, struct sl_capture *capture)
{
  struct CUgraph_st *graph = capture->graph;
  end(r, capture);
  sl_graph_free(r, graph);
}

void sl_capture_leave(struct cudart *r, struct CUstream_st *stream)
{
  if (stream->capture != NULL && stream->capture->origin == stream)
    sl_capture_drop(r, stream->capture);
  else if (stream->capture != NULL) {
    stream->capture->invalid = true;
    leave(stream);
  }
}

cudaError_t sl_capture_refuse(struct sl_capture *capture, cudaError_t error)
{
  capture->invalid = true;
  return error;
}

struct CUgraphNode_st *sl_capture_append(struct cudart *r, struct CUstream_st *stream, enum cudaGraphNodeType type)
{
  struct CUgraphNode_st *node = sl_graph_append(stream->capture->graph, type);
  bool right = node != NULL;
  for (size_t i = 0; i < stream->tail_count && right; i++)
    right = sl_graph_depend(node, stream->tail[i]);
  struct CUgraphNode_st **tail = right ? realloc(stream->tail, sizeof(void *)) : NULL;
  if (tail == NULL) {
    if (node != NULL)
      sl_graph_drop(r, node);
    return NULL;
  }
  tail[0] = node;
  stream->tail = tail;
  stream->tail_count = 1;
  return node;
}

cudaError_t sl_capture_record(struct CUstream_st *stream, struct CUevent_st *event)
{
  struct CUgraphNode_st **tail = calloc(stream->tail_count + 1, sizeof(void *));
  if (tail == NULL)
    return cudaErrorMemoryAllocation;
  if (stream->tail_count > 0)
    memcpy(tail, stream->tail, stream->tail_count * sizeof(void *));
  sl_capture_forget(event);
  event->capture = stream->capture;
  event->tail = tail;
  event->tail_count = stream->tail_count;
  return cudaSuccess;
}

cudaError_t sl_capture_follow(struct CUstream_st *stream, const struct CUevent_st *event)
{
  if (stream->capture != NULL && stream->capture != event->capture)
    return sl_capture_refuse(stream->capture, cudaErrorStreamCaptureMerge);
  struct CUgraphNode_st **tail = realloc(stream->tail, (stream->tail_count + event->tail_count + 1) * sizeof(void *));
  if (tail == NULL)
    return cudaErrorMemoryAllocation;
  stream->tail = tail;
  stream->capture = event->capture;
  for (size_t i = 0; i < event->tail_count; i++) {
    size_t k = 0;
    while (k < stream->tail_count && tail[k] != event->tail[i])
      k++;
    if (k == stream->tail_count)
      tail[stream->tail_count++] = event->tail[i];
  }
  return cudaSuccess;
}

/* ---- functions of the interface ---------------------------------------------------------------------------------- */

static cudaError_t begin(struct cudart *r, cudaStream_t handle, enum cudaStreamCaptureMode mode)
{
  struct CUstream_st *stream;
  const cudaError_t error = sl_cudart_stream(r, handle, &stream);
  if (error != cudaSuccess)
    return error;
  if (stream == &r->legacy)
    return cudaErrorStreamCaptureUnsupported;
  if (stream->capture != NULL)
    return cudaErrorIllegalState;
  if ((unsigned)mode > cudaStreamCaptureModeRelaxed)
    return cudaErrorInvalidValue;
  struct sl_capture *c = calloc(1, sizeof *c);
  if (c == NULL || (c->graph = sl_graph_new(r, true)) == NULL) {
    free(c);
    return cudaErrorMemoryAllocation;
  }
  c->origin = stream;
  c->mode = mode;
  c->number = ++r->capture_number;
  c->next = r->captures;
  r->captures = stream->capture = c;
  return cudaSuccess;
}

SL_CUDART_API cudaError_t cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode)
{
  CUDART_CALL(true, begin(r, stream, mode));
}

/* Whether all that other streams have captured comes before what the origin has captured. */
static bool is_joined(const struct cudart *r, const struct sl_capture *c)
{
  for (struct CUgraphNode_st *n = c->graph->first; n != NULL; n = n->next)
    n->done = false;
  for (size_t i = 0; i < c->origin->tail_count; i++)
    c->origin->tail[i]->done = true;
  /* A captured node follows earlier ones only, so as many rounds as it takes are few. */
  for (bool more = true; more;) {
    more = false;
    for (struct CUgraphNode_st *n = c->graph->first; n != NULL; n = n->next)
      for (size_t i = 0; i < n->after_count && n->done; i++)
        if (!n->after[i]->done)
          more = n->after[i]->done = true;
  }
  for (const struct CUstream_st *s = r->streams; s != NULL; s = s->next)
    for (size_t i = 0; s->capture == c && i < s->tail_count; i++)
      if (!s->tail[i]->done)
        return false;
  return true;
}

static cudaError_t end_capture(struct cudart *r, cudaStream_t handle, cudaGraph_t *graph)
{
  struct CUstream_st *stream;
  const cudaError_t error = sl_cudart_stream(r, handle, &stream);
  if (error != cudaSuccess || graph == NULL)
    return error != cudaSuccess ? error : cudaErrorInvalidValue;
  struct sl_capture *c = stream->capture;
  *graph = NULL;
  if (c == NULL)
    return cudaErrorIllegalState;
  if (c->origin != stream)
    return sl_capture_refuse(c, cudaErrorStreamCaptureUnmatched);
  if (c->invalid || !is_joined(r, c)) {
    const cudaError_t reason = c->invalid ? cudaErrorStreamCaptureInvalidated : cudaErrorStreamCaptureUnjoined;
    sl_capture_drop(r, c);
    return reason;
  }
  *graph = c->graph;
  end(r, c);
  return cudaSuccess;
}

SL_CUDART_API cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph)
{
  CUDART_CALL(true, end_capture(r, stream, graph));
}

static cudaError_t info(struct cudart *r, cudaStream_t handle, enum cudaStreamCaptureStatus *status,
                        unsigned long long *number, cudaGraph_t *graph, const cudaGraphNode_t **nodes, size_t *count)
{
  struct CUstream_st *stream;
  const cudaError_t error = sl_cudart_stream(r, handle, &stream);
  if (error != cudaSuccess || status == NULL)
    return error != cudaSuccess ? error : cudaErrorInvalidValue;
  const struct sl_capture *c = stream->capture;
  *status = c == NULL    ? cudaStreamCaptureStatusNone
            : c->invalid ? cudaStreamCaptureStatusInvalidated
                         : cudaStreamCaptureStatusActive;
  if (c == NULL)
    return cudaSuccess;
  if (number != NULL)
    *number = c->number;
  if (graph != NULL)
    *graph = c->graph;
  if (nodes != NULL)
    *nodes = stream->tail;
  if (count != NULL)
    *count = stream->tail_count;
  return cudaSuccess;
}

SL_CUDART_API cudaError_t cudaStreamIsCapturing(cudaStream_t stream, enum cudaStreamCaptureStatus *status)
{
  CUDART_CALL(true, info(r, stream, status, NULL, NULL, NULL, NULL));
}

SL_CUDART_API cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, enum cudaStreamCaptureStatus *status,
                                                   unsigned long long *number)
{
  CUDART_CALL(true, info(r, stream, status, number, NULL, NULL, NULL));
}

SL_CUDART_API cudaError_t cudaStreamGetCaptureInfo_v2(cudaStream_t stream, enum cudaStreamCaptureStatus *status,
                                                      unsigned long long *number, cudaGraph_t *graph,
                                                      const cudaGraphNode_t **nodes, size_t *count)
{
  CUDART_CALL(true, info(r, stream, status, number, graph, nodes, count));
}

static cudaError_t set_tail(struct cudart *r, cudaStream_t handle, cudaGraphNode_t *nodes, size_t count, unsigned flags)
{
  struct CUstream_st *stream;
  const cudaError_t error = sl_cudart_stream(r, handle, &stream);
  if (error != cudaSuccess)
    return error;
  if (stream->capture == NULL)
    return cudaErrorIllegalState;
  if ((count > 0 && nodes == NULL) || flags > cudaStreamSetCaptureDependencies)
    return cudaErrorInvalidValue;
  for (size_t i = 0; i < count; i++) {
    const struct CUgraphNode_st *n = sl_graph_node(r, nodes[i]);
    if (n == NULL || n->graph != stream->capture->graph)
      return cudaErrorInvalidValue;
  }
  const struct CUevent_st event = {.capture = stream->capture, .tail = nodes, .tail_count = count};
  if (flags == cudaStreamSetCaptureDependencies)
    stream->tail_count = 0;
  return sl_capture_follow(stream, &event);
}

SL_CUDART_API cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t *nodes, size_t count,
                                                              unsigned flags)
{
  CUDART_CALL(true, set_tail(r, stream, nodes, count, flags));
}

static cudaError_t exchange_mode(enum cudaStreamCaptureMode *mode)
{
  if (mode == NULL || (unsigned)*mode > cudaStreamCaptureModeRelaxed)
    return cudaErrorInvalidValue;
  const enum cudaStreamCaptureMode before = thread_mode;
  thread_mode = *mode;
  *mode = before;
  return cudaSuccess;
}

SL_CUDART_API cudaError_t cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode *mode)
{
  CUDART_CALL(true, exchange_mode(mode));
}
