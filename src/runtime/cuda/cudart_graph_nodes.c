/* Graphs of the CUDA runtime: nodes of each type, their operations, and how executable graphs change them. */
#include "runtime/cuda/cudart.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* ---- operations -------------------------------------------------------------------------------------------------- */

/* The operation of a node: what a function adds or sets. */
struct operation {
  enum cudaGraphNodeType type;
  const struct cudaKernelNodeParams *kernel;
  const struct sl_graph_copy *copy;
  const struct cudaMemsetParams *fill;
  const struct cudaHostNodeParams *host;
  cudaEvent_t event;
  struct CUgraph_st *child;
  bool wrong; /* an argument is NULL */
};

static bool is_event(const struct cudart *r, cudaEvent_t event)
{
  const struct CUevent_st *e = r->events;
  while (e != NULL && e != event)
    e = e->next;
  return e != NULL;
}

/* Sets the operation of a node of its type. The node is as before if it fails. */
static cudaError_t set(struct cudart *r, struct CUgraphNode_st *node, const struct operation *o)
{
  struct CUgraph_st *child;
  switch (o->type) {
  case cudaGraphNodeTypeKernel: return sl_graph_set_kernel(r, node, o->kernel, NULL);
  case cudaGraphNodeTypeMemcpy: node->copy = *o->copy; return cudaSuccess;
  case cudaGraphNodeTypeMemset:
    if (o->fill->elementSize != 1 && o->fill->elementSize != 2 && o->fill->elementSize != 4)
      return cudaErrorInvalidValue;
    node->fill = *o->fill;
    return cudaSuccess;
  case cudaGraphNodeTypeHost: node->host = *o->host; return o->host->fn != NULL ? cudaSuccess : cudaErrorInvalidValue;
  case cudaGraphNodeTypeEventRecord:
  case cudaGraphNodeTypeWaitEvent:
    if (!is_event(r, o->event))
      return cudaErrorInvalidValue;
    node->event = o->event;
    return cudaSuccess;
  case cudaGraphNodeTypeGraph:
    if (!sl_graph_is_known(r, o->child) || o->child == node->graph)
      return cudaErrorInvalidValue;
    child = sl_graph_clone(r, o->child, sl_graph_is_known(r, node->graph));
    if (child == NULL)
      return cudaErrorMemoryAllocation;
    if (node->child != NULL)
      sl_graph_free(r, node->child);
    node->child = child;
    return cudaSuccess;
  default: return cudaSuccess;
  }
}

static cudaError_t add(struct cudart *r, cudaGraphNode_t *node, struct CUgraph_st *graph,
                       const cudaGraphNode_t *dependencies, size_t count, const struct operation *o)
{
  if (node == NULL || o->wrong || !sl_graph_is_known(r, graph) || (count > 0 && dependencies == NULL))
    return cudaErrorInvalidValue;
  for (size_t i = 0; i < count; i++) {
    const struct CUgraphNode_st *on = sl_graph_node(r, dependencies[i]);
    if (on == NULL || on->graph != graph)
      return cudaErrorInvalidValue;
  }
  struct CUgraphNode_st *n = sl_graph_append(graph, o->type);
  cudaError_t error = n != NULL ? set(r, n, o) : cudaErrorMemoryAllocation;
  for (size_t i = 0; i < count && error == cudaSuccess; i++)
    if (!sl_graph_depend(n, dependencies[i]))
      error = cudaErrorMemoryAllocation;
  if (error == cudaSuccess)
    *node = n;
  else if (n != NULL)
    sl_graph_drop(r, n);
  return error;
}

static struct CUgraphNode_st *node_of(const struct cudart *r, cudaGraphNode_t handle, enum cudaGraphNodeType type)
{
  struct CUgraphNode_st *node = sl_graph_node(r, handle);
  return node != NULL && node->type == type ? node : NULL;
}

static cudaError_t change(struct cudart *r, cudaGraphNode_t handle, const struct operation *o)
{
  struct CUgraphNode_st *node = node_of(r, handle, o->type);
  return node != NULL && !o->wrong ? set(r, node, o) : cudaErrorInvalidValue;
}

/* The node of an executable graph, or of a graph in it, that comes from a node of the program. */
static struct CUgraphNode_st *node_from(const struct CUgraph_st *graph, const void *origin)
{
  struct CUgraphNode_st *found = NULL;
  for (struct CUgraphNode_st *n = graph->first; n != NULL && found == NULL; n = n->next)
    found = n->origin == origin ? n : n->child != NULL ? node_from(n->child, origin) : NULL;
  return found;
}

static cudaError_t change_exec(struct cudart *r, cudaGraphExec_t exec, cudaGraphNode_t handle,
                               const struct operation *o)
{
  const struct CUgraphExec_st *e = r->execs;
  while (e != NULL && e != exec)
    e = e->next;
  struct CUgraphNode_st *node = e != NULL && handle != NULL ? node_from(e->graph, handle) : NULL;
  return node != NULL && node->type == o->type && !o->wrong ? set(r, node, o) : cudaErrorInvalidValue;
}

/* ---- functions of the interface ---------------------------------------------------------------------------------- */

#define ADD(...)                                                                                                       \
  const struct operation o = {__VA_ARGS__};                                                                            \
  CUDART_CALL(true, add(r, node, graph, dependencies, count, &o))
#define CHANGE(...)                                                                                                    \
  const struct operation o = {__VA_ARGS__};                                                                            \
  CUDART_CALL(true, change(r, node, &o))
#define CHANGE_EXEC(...)                                                                                               \
  const struct operation o = {__VA_ARGS__};                                                                            \
  CUDART_CALL(true, change_exec(r, exec, node, &o))
#define WHERE cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *dependencies, size_t count

/* Copies a member of a node of the type. */
static cudaError_t get(const struct cudart *r, cudaGraphNode_t handle, enum cudaGraphNodeType type, size_t member,
                       void *to, size_t bytes)
{
  const struct CUgraphNode_st *node = node_of(r, handle, type);
  if (node == NULL || to == NULL)
    return cudaErrorInvalidValue;
  memcpy(to, (const uint8_t *)node + member, bytes);
  return cudaSuccess;
}

#define GET(type, member, to)                                                                                          \
  CUDART_CALL(true, get(r, node, type, offsetof(struct CUgraphNode_st, member), to, sizeof *(to)))
#define KERNEL .type = cudaGraphNodeTypeKernel, .kernel = params, .wrong = params == NULL

SL_CUDART_API cudaError_t cudaGraphAddKernelNode(WHERE, const struct cudaKernelNodeParams *params)
{
  ADD(KERNEL);
}

SL_CUDART_API cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node, struct cudaKernelNodeParams *params)
{
  GET(cudaGraphNodeTypeKernel, kernel, params);
}

SL_CUDART_API cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node, const struct cudaKernelNodeParams *params)
{
  CHANGE(KERNEL);
}

SL_CUDART_API cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                           const struct cudaKernelNodeParams *params)
{
  CHANGE_EXEC(KERNEL);
}

#define COPY .type = cudaGraphNodeTypeMemcpy, .copy = &copy
#define BOX                                                                                                            \
  const struct sl_graph_copy copy = {.form = SL_GRAPH_COPY_BOX,                                                        \
                                     .box = params != NULL ? *params : (struct cudaMemcpy3DParms){.srcArray = NULL}}
#define LINE                                                                                                           \
  const struct sl_graph_copy copy = {.form = SL_GRAPH_COPY_ROWS,                                                       \
                                     .to = to,                                                                         \
                                     .from = from,                                                                     \
                                     .to_pitch = bytes,                                                                \
                                     .from_pitch = bytes,                                                              \
                                     .width = bytes,                                                                   \
                                     .rows = 1,                                                                        \
                                     .kind = kind}

/* A copy of rows is told as one of boxes, too. */
static cudaError_t get_copy(const struct cudart *r, cudaGraphNode_t handle, struct cudaMemcpy3DParms *params)
{
  const struct CUgraphNode_st *node = node_of(r, handle, cudaGraphNodeTypeMemcpy);
  if (node == NULL || params == NULL || node->copy.form > SL_GRAPH_COPY_BOX)
    return cudaErrorInvalidValue;
  const struct sl_graph_copy *c = &node->copy;
  *params = c->box;
  if (c->form == SL_GRAPH_COPY_ROWS)
    *params = (struct cudaMemcpy3DParms){
        .dstPtr = {c->to, c->to_pitch, c->width, c->rows},
        .srcPtr = {(void *)(uintptr_t)c->from, c->from_pitch, c->width, c->rows},
        .extent = {c->width, c->rows, 1},
        .kind = c->kind,
    };
  return cudaSuccess;
}

SL_CUDART_API cudaError_t cudaGraphAddMemcpyNode(WHERE, const struct cudaMemcpy3DParms *params)
{
  BOX;
  ADD(COPY, .wrong = params == NULL);
}

SL_CUDART_API cudaError_t cudaGraphAddMemcpyNode1D(WHERE, void *to, const void *from, size_t bytes,
                                                   enum cudaMemcpyKind kind)
{
  LINE;
  ADD(COPY, .wrong = to == NULL || from == NULL);
}

SL_CUDART_API cudaError_t cudaGraphAddMemcpyNodeToSymbol(WHERE, const void *symbol, const void *from, size_t bytes,
                                                         size_t offset, enum cudaMemcpyKind kind)
{
  const struct sl_graph_copy copy = {.form = SL_GRAPH_COPY_TO_SYMBOL,
                                     .to = (void *)(uintptr_t)symbol,
                                     .from = from,
                                     .width = bytes,
                                     .offset = offset,
                                     .kind = kind};
  ADD(COPY, .wrong = symbol == NULL || from == NULL);
}

SL_CUDART_API cudaError_t cudaGraphAddMemcpyNodeFromSymbol(WHERE, void *to, const void *symbol, size_t bytes,
                                                           size_t offset, enum cudaMemcpyKind kind)
{
  const struct sl_graph_copy copy = {
      .form = SL_GRAPH_COPY_FROM_SYMBOL, .to = to, .from = symbol, .width = bytes, .offset = offset, .kind = kind};
  ADD(COPY, .wrong = symbol == NULL || to == NULL);
}

SL_CUDART_API cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node, struct cudaMemcpy3DParms *params)
{
  CUDART_CALL(true, get_copy(r, node, params));
}

SL_CUDART_API cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node, const struct cudaMemcpy3DParms *params)
{
  BOX;
  CHANGE(COPY, .wrong = params == NULL);
}

SL_CUDART_API cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void *to, const void *from, size_t bytes,
                                                         enum cudaMemcpyKind kind)
{
  LINE;
  CHANGE(COPY, .wrong = to == NULL || from == NULL);
}

SL_CUDART_API cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                           const struct cudaMemcpy3DParms *params)
{
  BOX;
  CHANGE_EXEC(COPY, .wrong = params == NULL);
}

SL_CUDART_API cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t exec, cudaGraphNode_t node, void *to,
                                                             const void *from, size_t bytes, enum cudaMemcpyKind kind)
{
  LINE;
  CHANGE_EXEC(COPY, .wrong = to == NULL || from == NULL);
}

#define FILL .type = cudaGraphNodeTypeMemset, .fill = params, .wrong = params == NULL

SL_CUDART_API cudaError_t cudaGraphAddMemsetNode(WHERE, const struct cudaMemsetParams *params)
{
  ADD(FILL);
}

SL_CUDART_API cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t node, struct cudaMemsetParams *params)
{
  GET(cudaGraphNodeTypeMemset, fill, params);
}

SL_CUDART_API cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t node, const struct cudaMemsetParams *params)
{
  CHANGE(FILL);
}

SL_CUDART_API cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                           const struct cudaMemsetParams *params)
{
  CHANGE_EXEC(FILL);
}

#define HOST .type = cudaGraphNodeTypeHost, .host = params, .wrong = params == NULL

SL_CUDART_API cudaError_t cudaGraphAddHostNode(WHERE, const struct cudaHostNodeParams *params)
{
  ADD(HOST);
}

SL_CUDART_API cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t node, struct cudaHostNodeParams *params)
{
  GET(cudaGraphNodeTypeHost, host, params);
}

SL_CUDART_API cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t node, const struct cudaHostNodeParams *params)
{
  CHANGE(HOST);
}

SL_CUDART_API cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                         const struct cudaHostNodeParams *params)
{
  CHANGE_EXEC(HOST);
}

#define CHILD .type = cudaGraphNodeTypeGraph, .child = child, .wrong = child == NULL

SL_CUDART_API cudaError_t cudaGraphAddChildGraphNode(WHERE, cudaGraph_t child)
{
  ADD(CHILD);
}

SL_CUDART_API cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node, cudaGraph_t *graph)
{
  GET(cudaGraphNodeTypeGraph, child, graph);
}

SL_CUDART_API cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                               cudaGraph_t child)
{
  CHANGE_EXEC(CHILD);
}

SL_CUDART_API cudaError_t cudaGraphAddEmptyNode(WHERE)
{
  ADD(.type = cudaGraphNodeTypeEmpty);
}

#define RECORD .type = cudaGraphNodeTypeEventRecord, .event = event
#define WAIT .type = cudaGraphNodeTypeWaitEvent, .event = event

SL_CUDART_API cudaError_t cudaGraphAddEventRecordNode(WHERE, cudaEvent_t event)
{
  ADD(RECORD);
}

SL_CUDART_API cudaError_t cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t node, cudaEvent_t *event)
{
  GET(cudaGraphNodeTypeEventRecord, event, event);
}

SL_CUDART_API cudaError_t cudaGraphEventRecordNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event)
{
  CHANGE(RECORD);
}

SL_CUDART_API cudaError_t cudaGraphExecEventRecordNodeSetEvent(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                               cudaEvent_t event)
{
  CHANGE_EXEC(RECORD);
}

SL_CUDART_API cudaError_t cudaGraphAddEventWaitNode(WHERE, cudaEvent_t event)
{
  ADD(WAIT);
}

SL_CUDART_API cudaError_t cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t node, cudaEvent_t *event)
{
  GET(cudaGraphNodeTypeWaitEvent, event, event);
}

SL_CUDART_API cudaError_t cudaGraphEventWaitNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event)
{
  CHANGE(WAIT);
}

SL_CUDART_API cudaError_t cudaGraphExecEventWaitNodeSetEvent(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                             cudaEvent_t event)
{
  CHANGE_EXEC(WAIT);
}
