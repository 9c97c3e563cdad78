/* Graphs of the CUDA runtime: executable graphs and their launches. */
#include "runtime/cuda/cudart.h"

#include <stdlib.h>
#include <string.h>

static struct CUgraphExec_st *exec_of(const struct cudart *r, cudaGraphExec_t handle)
{
  struct CUgraphExec_st *e = r->execs;
  while (e != NULL && e != handle)
    e = e->next;
  return e;
}

/* Whether the dependencies of a graph, and of the graphs in it, are not circular. */
static bool is_ordered(const struct CUgraph_st *graph)
{
  struct CUgraphNode_st **order = sl_graph_order(graph);
  bool right = order != NULL;
  free(order);
  for (const struct CUgraphNode_st *n = graph->first; n != NULL && right; n = n->next)
    right = n->child == NULL || is_ordered(n->child);
  return right;
}

static cudaError_t instantiate(struct cudart *r, cudaGraphExec_t *exec, const struct CUgraph_st *graph)
{
  if (exec == NULL || !sl_graph_is_known(r, graph) || !is_ordered(graph))
    return cudaErrorInvalidValue;
  struct CUgraphExec_st *e = calloc(1, sizeof *e);
  if (e == NULL || (e->graph = sl_graph_clone(r, graph, false)) == NULL) {
    free(e);
    return cudaErrorMemoryAllocation;
  }
  e->next = r->execs;
  r->execs = *exec = e;
  return cudaSuccess;
}

SL_CUDART_API cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph, cudaGraphNode_t *node,
                                               char *log, size_t size)
{
  if (node != NULL)
    *node = NULL;
  if (log != NULL && size > 0)
    log[0] = '\0';
  CUDART_CALL(true, instantiate(r, exec, graph));
}

SL_CUDART_API cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *exec, cudaGraph_t graph,
                                                        unsigned long long flags)
{
  (void)flags;
  CUDART_CALL(true, instantiate(r, exec, graph));
}

static cudaError_t destroy(struct cudart *r, cudaGraphExec_t exec)
{
  for (struct CUgraphExec_st **at = &r->execs; *at != NULL; at = &(*at)->next)
    if (*at == exec) {
      struct CUgraphExec_st *e = *at;
      *at = e->next;
      sl_graph_free(r, e->graph);
      free(e);
      return cudaSuccess;
    }
  return cudaErrorInvalidValue;
}

SL_CUDART_API cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec)
{
  CUDART_CALL(true, destroy(r, exec));
}

SL_CUDART_API cudaError_t cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t handle)
{
  struct CUstream_st *stream;
  CUDART_CALL(true, exec_of(r, exec) != NULL ? sl_cudart_stream(r, handle, &stream) : cudaErrorInvalidValue);
}

void sl_cudart_free_graphs(struct cudart *r)
{
  while (r->captures != NULL)
    sl_capture_drop(r, r->captures);
  while (r->execs != NULL)
    destroy(r, r->execs);
  while (r->graphs != NULL) { /* a node's graph is in the list, too, after it or before it */
    struct CUgraph_st *g = r->graphs;
    sl_graph_free(r, g);
    for (struct CUgraph_st *other = r->graphs; other != NULL; other = other->next)
      for (struct CUgraphNode_st *n = other->first; n != NULL; n = n->next)
        if (n->child == g)
          n->child = NULL;
  }
}

/* ---- launches ---------------------------------------------------------------------------------------------------- */

static cudaError_t launch_kernel(struct cudart *r, const struct CUgraphNode_st *node, struct CUstream_st *stream)
{
  const struct cudaKernelNodeParams *k = &node->kernel;
  const uint32_t grid[3] = {k->gridDim.x, k->gridDim.y, k->gridDim.z};
  const uint32_t block[3] = {k->blockDim.x, k->blockDim.y, k->blockDim.z};
  struct cudart_function *f;
  const cudaError_t error = sl_cudart_function(r, k->func, &f);
  return error == cudaSuccess ? sl_cudart_launch(r, f, grid, block, k->kernelParams, NULL, 0, k->sharedMemBytes, stream)
                              : error;
}

static cudaError_t perform(struct cudart *r, const struct CUgraphNode_st *node, cudaStream_t handle)
{
  struct CUstream_st *stream;
  const cudaError_t error = sl_cudart_stream(r, handle, &stream);
  if (error != cudaSuccess)
    return error;
  switch (node->type) {
  case cudaGraphNodeTypeKernel: return launch_kernel(r, node, stream);
  case cudaGraphNodeTypeMemcpy: return sl_cudart_copy(r, &node->copy, handle);
  case cudaGraphNodeTypeMemset: return sl_cudart_fill(r, &node->fill, handle);
  case cudaGraphNodeTypeEventRecord: return cudaEventRecord(node->event, handle);
  case cudaGraphNodeTypeWaitEvent: return cudaStreamWaitEvent(handle, node->event, 0);
  default: return cudaSuccess;
  }
}

/* Performs the nodes. Those of the host execute without the lock. */
static cudaError_t launch_nodes(const struct CUgraph_st *graph, cudaStream_t stream)
{
  struct CUgraphNode_st **order = sl_graph_order(graph);
  cudaError_t error = order != NULL ? cudaSuccess : cudaErrorInvalidValue;
  struct cudart *r;
  for (size_t i = 0; i < graph->count && error == cudaSuccess; i++) {
    const struct CUgraphNode_st *node = order[i];
    if (node->type == cudaGraphNodeTypeHost) {
      node->host.fn(node->host.userData);
    } else if (node->type == cudaGraphNodeTypeGraph) {
      error = launch_nodes(node->child, stream);
    } else {
      error = sl_cudart_enter(&r, true);
      if (error == cudaSuccess)
        error = perform(r, node, stream);
      error = sl_cudart_leave(r, "a node of a graph", error);
    }
  }
  free(order);
  return error;
}

/* A stream that captures gets the graph as a node; *now: it does not. */
static cudaError_t begin_launch(struct cudart *r, cudaGraphExec_t exec, cudaStream_t handle, bool *now)
{
  struct CUstream_st *stream;
  const struct CUgraphExec_st *e = exec_of(r, exec);
  const cudaError_t error = e != NULL ? sl_cudart_stream(r, handle, &stream) : cudaErrorInvalidValue;
  *now = error == cudaSuccess && stream->capture == NULL;
  if (error != cudaSuccess || *now)
    return error;
  struct CUgraphNode_st *node = sl_capture_append(r, stream, cudaGraphNodeTypeGraph);
  if (node == NULL || (node->child = sl_graph_clone(r, e->graph, true)) == NULL)
    return cudaErrorMemoryAllocation;
  return cudaSuccess;
}

SL_CUDART_API cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream)
{
  struct cudart *r;
  bool now = false;
  cudaError_t error = sl_cudart_enter(&r, true);
  if (error == cudaSuccess)
    error = begin_launch(r, exec, stream, &now);
  error = sl_cudart_leave(r, __func__, error);
  return now ? launch_nodes(exec->graph, stream) : error;
}

/* ---- updates ----------------------------------------------------------------------------------------------------- */

/* Whether two graphs have the same nodes and dependencies, in the order of creation. *node: the first other one. */
static enum cudaGraphExecUpdateResult compare(const struct CUgraph_st *old, const struct CUgraph_st *new,
                                              cudaGraphNode_t *node)
{
  size_t i = 0;
  struct CUgraphNode_st *n = new->first;
  if (old->count != new->count)
    return cudaGraphExecUpdateErrorTopologyChanged;
  for (struct CUgraphNode_st *o = old->first; o != NULL; o = o->next, n = n->next)
    o->index = n->index = i++;
  n = new->first;
  for (const struct CUgraphNode_st *o = old->first; o != NULL; o = o->next, n = n->next) {
    *node = n;
    if (o->type != n->type)
      return cudaGraphExecUpdateErrorNodeTypeChanged;
    if (o->after_count != n->after_count)
      return cudaGraphExecUpdateErrorTopologyChanged;
    for (size_t k = 0; k < o->after_count; k++)
      if (o->after[k]->index != n->after[k]->index)
        return cudaGraphExecUpdateErrorTopologyChanged;
    cudaGraphNode_t inner = NULL;
    const enum cudaGraphExecUpdateResult result =
        o->child != NULL ? compare(o->child, n->child, &inner) : cudaGraphExecUpdateSuccess;
    if (result != cudaGraphExecUpdateSuccess)
      return result;
  }
  *node = NULL;
  return cudaGraphExecUpdateSuccess;
}

static cudaError_t update(struct cudart *r, cudaGraphExec_t exec, const struct CUgraph_st *graph, cudaGraphNode_t *node,
                          enum cudaGraphExecUpdateResult *result)
{
  const struct CUgraphExec_st *e = exec_of(r, exec);
  cudaGraphNode_t other = NULL;
  if (e == NULL || !sl_graph_is_known(r, graph))
    return cudaErrorInvalidValue;
  const enum cudaGraphExecUpdateResult compared = compare(e->graph, graph, &other);
  if (node != NULL)
    *node = other;
  if (result != NULL)
    *result = compared;
  if (compared != cudaGraphExecUpdateSuccess)
    return cudaErrorGraphExecUpdateFailure;
  struct CUgraphNode_st *to = e->graph->first;
  for (const struct CUgraphNode_st *n = graph->first; n != NULL; n = n->next, to = to->next) {
    const cudaError_t error = sl_graph_copy_node(r, to, n);
    if (error != cudaSuccess)
      return error;
    to->origin = n;
  }
  return cudaSuccess;
}

SL_CUDART_API cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphNode_t *node,
                                              enum cudaGraphExecUpdateResult *result)
{
  CUDART_CALL(true, update(r, exec, graph, node, result));
}
