/* Graphs of the CUDA runtime: graphs, nodes and dependencies. */
#include "runtime/cuda/cudart.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- graphs and nodes -------------------------------------------------------------------------------------------- */

struct CUgraph_st *sl_graph_new(struct cudart *r, bool listed)
{
  struct CUgraph_st *g = calloc(1, sizeof *g);
  if (g == NULL)
    return NULL;
  g->last = &g->first;
  if (listed) {
    g->next = r->graphs;
    r->graphs = g;
  }
  return g;
}

static void free_node(struct cudart *r, struct CUgraphNode_st *node)
{
  if (node->child != NULL)
    sl_graph_free(r, node->child);
  free(node->kernel.kernelParams);
  free(node->arguments);
  free(node->after);
  free(node);
}

void sl_graph_free(struct cudart *r, struct CUgraph_st *graph)
{
  for (struct CUgraph_st **at = &r->graphs; *at != NULL; at = &(*at)->next)
    if (*at == graph) {
      *at = graph->next;
      break;
    }
  for (struct CUgraphNode_st *n = graph->first, *next; n != NULL; n = next) {
    next = n->next;
    free_node(r, n);
  }
  free(graph);
}

bool sl_graph_is_known(const struct cudart *r, const struct CUgraph_st *graph)
{
  const struct CUgraph_st *g = r->graphs;
  while (g != NULL && g != graph)
    g = g->next;
  return g != NULL;
}

struct CUgraphNode_st *sl_graph_node(const struct cudart *r, cudaGraphNode_t node)
{
  for (const struct CUgraph_st *g = r->graphs; g != NULL && node != NULL; g = g->next)
    for (struct CUgraphNode_st *n = g->first; n != NULL; n = n->next)
      if (n == node)
        return n;
  return NULL;
}

struct CUgraphNode_st *sl_graph_append(struct CUgraph_st *graph, enum cudaGraphNodeType type)
{
  struct CUgraphNode_st *n = calloc(1, sizeof *n);
  if (n == NULL)
    return NULL;
  n->graph = graph;
  n->type = type;
  *graph->last = n;
  graph->last = &n->next;
  graph->count++;
  return n;
}

static void remove_dependency(struct CUgraphNode_st *node, const struct CUgraphNode_st *on)
{
  for (size_t i = 0; i < node->after_count; i++)
    if (node->after[i] == on) {
      node->after_count--;
      memmove(&node->after[i], &node->after[i + 1], (node->after_count - i) * sizeof *node->after);
      return;
    }
}

void sl_graph_drop(struct cudart *r, struct CUgraphNode_st *node)
{
  struct CUgraph_st *graph = node->graph;
  struct CUgraphNode_st **at = &graph->first;
  while (*at != node)
    at = &(*at)->next;
  *at = node->next;
  if (graph->last == &node->next)
    graph->last = at;
  graph->count--;
  for (struct CUgraphNode_st *n = graph->first; n != NULL; n = n->next)
    remove_dependency(n, node);
  free_node(r, node);
}

static bool depends(const struct CUgraphNode_st *node, const struct CUgraphNode_st *on)
{
  for (size_t i = 0; i < node->after_count; i++)
    if (node->after[i] == on)
      return true;
  return false;
}

bool sl_graph_depend(struct CUgraphNode_st *node, struct CUgraphNode_st *on)
{
  if (depends(node, on))
    return true;
  if (node->after_count == node->after_room) {
    const size_t room = 2 * node->after_room + 4;
    struct CUgraphNode_st **more = realloc(node->after, room * sizeof(void *));
    if (more == NULL)
      return false;
    node->after = more;
    node->after_room = room;
  }
  node->after[node->after_count++] = on;
  return true;
}

/* ---- copies ------------------------------------------------------------------------------------------------------ */

cudaError_t sl_graph_set_kernel(struct cudart *r, struct CUgraphNode_st *node,
                                const struct cudaKernelNodeParams *params, const void *packed)
{
  struct cudart_function *f;
  const cudaError_t error = sl_cudart_function(r, params->func, &f);
  if (error != cudaSuccess)
    return error;
  const struct sl_gpu_kernel *k = f->kernel;
  const unsigned count = k->parameter_count;
  if (count > SL_GPU_PARAMETERS || (count > 0 && params->kernelParams == NULL && packed == NULL))
    return cudaErrorInvalidValue;
  uint8_t *arguments = calloc(1, k->parameter_bytes + (size_t)1);
  void **pointers = calloc(count + (size_t)1, sizeof *pointers);
  if (arguments == NULL || pointers == NULL) {
    free(arguments);
    free(pointers);
    return cudaErrorMemoryAllocation;
  }
  if (packed != NULL)
    memcpy(arguments, packed, k->parameter_bytes);
  for (unsigned i = 0; i < count; i++) {
    pointers[i] = arguments + k->parameter[i].offset;
    if (packed == NULL && params->kernelParams[i] != NULL)
      memcpy(pointers[i], params->kernelParams[i], k->parameter[i].bytes);
  }
  free(node->kernel.kernelParams);
  free(node->arguments);
  node->kernel = *params;
  node->kernel.kernelParams = pointers;
  node->kernel.extra = NULL;
  node->arguments = arguments;
  return cudaSuccess;
}

cudaError_t sl_graph_copy_node(struct cudart *r, struct CUgraphNode_st *to, const struct CUgraphNode_st *from)
{
  to->copy = from->copy;
  to->fill = from->fill;
  to->host = from->host;
  to->event = from->event;
  if (from->type == cudaGraphNodeTypeKernel)
    return sl_graph_set_kernel(r, to, &from->kernel, NULL);
  if (from->child != NULL) {
    struct CUgraph_st *child = sl_graph_clone(r, from->child, sl_graph_is_known(r, to->graph));
    if (child == NULL)
      return cudaErrorMemoryAllocation;
    if (to->child != NULL)
      sl_graph_free(r, to->child);
    to->child = child;
  }
  return cudaSuccess;
}

struct CUgraph_st *sl_graph_clone(struct cudart *r, const struct CUgraph_st *graph, bool listed)
{
  struct CUgraph_st *g = sl_graph_new(r, listed);
  struct CUgraphNode_st **nodes = calloc(graph->count + 1, sizeof(void *));
  bool right = g != NULL && nodes != NULL;
  size_t i = 0;
  for (struct CUgraphNode_st *n = graph->first; n != NULL && right; n = n->next) {
    n->index = i;
    nodes[i] = sl_graph_append(g, n->type);
    right = nodes[i] != NULL && sl_graph_copy_node(r, nodes[i], n) == cudaSuccess;
    if (right)
      nodes[i]->origin = n;
    i++;
  }
  for (struct CUgraphNode_st *n = graph->first; n != NULL && right; n = n->next)
    for (size_t k = 0; k < n->after_count && right; k++)
      right = sl_graph_depend(nodes[n->index], nodes[n->after[k]->index]);
  free(nodes);
  if (right || g == NULL)
    return g;
  sl_graph_free(r, g);
  return NULL;
}

struct CUgraphNode_st **sl_graph_order(const struct CUgraph_st *graph)
{
  struct CUgraphNode_st **order = calloc(graph->count + 1, sizeof(void *));
  size_t count = 0, before;
  for (struct CUgraphNode_st *n = graph->first; n != NULL; n = n->next)
    n->done = false;
  do {
    before = count;
    for (struct CUgraphNode_st *n = graph->first; n != NULL && order != NULL; n = n->next) {
      bool ready = !n->done;
      for (size_t i = 0; i < n->after_count && ready; i++)
        ready = n->after[i]->done;
      if (ready)
        order[count++] = n;
      n->done |= ready;
    }
  } while (count > before);
  if (count == graph->count)
    return order;
  free(order);
  return NULL;
}

/* ---- functions of the interface ---------------------------------------------------------------------------------- */

static cudaError_t create(struct cudart *r, cudaGraph_t *graph, unsigned flags)
{
  if (graph == NULL || flags != 0)
    return cudaErrorInvalidValue;
  *graph = sl_graph_new(r, true);
  return *graph != NULL ? cudaSuccess : cudaErrorMemoryAllocation;
}

SL_CUDART_API cudaError_t cudaGraphCreate(cudaGraph_t *graph, unsigned flags)
{
  CUDART_CALL(true, create(r, graph, flags));
}

/* Whether a graph is that of a node, which owns it, or of a capture in progress. */
static bool is_owned(const struct cudart *r, const struct CUgraph_st *graph)
{
  for (const struct sl_capture *c = r->captures; c != NULL; c = c->next)
    if (c->graph == graph)
      return true;
  for (const struct CUgraph_st *g = r->graphs; g != NULL; g = g->next)
    for (const struct CUgraphNode_st *n = g->first; n != NULL; n = n->next)
      if (n->child == graph)
        return true;
  return false;
}

static cudaError_t destroy(struct cudart *r, struct CUgraph_st *graph)
{
  if (!sl_graph_is_known(r, graph) || is_owned(r, graph))
    return cudaErrorInvalidValue;
  sl_graph_free(r, graph);
  return cudaSuccess;
}

SL_CUDART_API cudaError_t cudaGraphDestroy(cudaGraph_t graph)
{
  CUDART_CALL(true, destroy(r, graph));
}

static cudaError_t make_clone(struct cudart *r, cudaGraph_t *to, const struct CUgraph_st *from)
{
  if (to == NULL || !sl_graph_is_known(r, from))
    return cudaErrorInvalidValue;
  *to = sl_graph_clone(r, from, true);
  return *to != NULL ? cudaSuccess : cudaErrorMemoryAllocation;
}

SL_CUDART_API cudaError_t cudaGraphClone(cudaGraph_t *copy, cudaGraph_t original)
{
  CUDART_CALL(true, make_clone(r, copy, original));
}

static cudaError_t find_in_clone(const struct cudart *r, cudaGraphNode_t *node, cudaGraphNode_t original,
                                 const struct CUgraph_st *graph)
{
  if (node == NULL || !sl_graph_is_known(r, graph))
    return cudaErrorInvalidValue;
  for (struct CUgraphNode_st *n = graph->first; n != NULL; n = n->next)
    if (n->origin == original) {
      *node = n;
      return cudaSuccess;
    }
  return cudaErrorInvalidValue;
}

SL_CUDART_API cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t *node, cudaGraphNode_t original, cudaGraph_t copy)
{
  CUDART_CALL(true, find_in_clone(r, node, original, copy));
}

static cudaError_t destroy_node(struct cudart *r, cudaGraphNode_t handle)
{
  struct CUgraphNode_st *node = sl_graph_node(r, handle);
  if (node == NULL)
    return cudaErrorInvalidValue;
  sl_graph_drop(r, node);
  return cudaSuccess;
}

SL_CUDART_API cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node)
{
  CUDART_CALL(true, destroy_node(r, node));
}

/* A list of nodes that the program has asked for: as many as it has room for, or their number only. */
struct list {
  cudaGraphNode_t *nodes;
  size_t room, count;
};

static void put(struct list *list, cudaGraphNode_t node)
{
  if (list->nodes != NULL && list->count < list->room)
    list->nodes[list->count] = node;
  list->count++;
}

static void end_list(const struct list *list, size_t *count)
{
  for (size_t i = list->count; list->nodes != NULL && i < list->room; i++)
    list->nodes[i] = NULL;
  if (list->nodes == NULL || list->count < *count)
    *count = list->count;
}

static cudaError_t get_nodes(const struct cudart *r, const struct CUgraph_st *graph, cudaGraphNode_t *nodes,
                             size_t *count, bool roots)
{
  if (count == NULL || !sl_graph_is_known(r, graph))
    return cudaErrorInvalidValue;
  struct list list = {nodes, *count, 0};
  for (struct CUgraphNode_st *n = graph->first; n != NULL; n = n->next)
    if (!roots || n->after_count == 0)
      put(&list, n);
  end_list(&list, count);
  return cudaSuccess;
}

SL_CUDART_API cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count)
{
  CUDART_CALL(true, get_nodes(r, graph, nodes, count, false));
}

SL_CUDART_API cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count)
{
  CUDART_CALL(true, get_nodes(r, graph, nodes, count, true));
}

static cudaError_t get_edges(const struct cudart *r, const struct CUgraph_st *graph, cudaGraphNode_t *from,
                             cudaGraphNode_t *to, size_t *count)
{
  if (count == NULL || !sl_graph_is_known(r, graph) || (from == NULL) != (to == NULL))
    return cudaErrorInvalidValue;
  struct list sources = {from, *count, 0}, targets = {to, *count, 0};
  for (struct CUgraphNode_st *n = graph->first; n != NULL; n = n->next)
    for (size_t i = 0; i < n->after_count; i++) {
      put(&sources, n->after[i]);
      put(&targets, n);
    }
  size_t other = *count;
  end_list(&targets, &other);
  end_list(&sources, count);
  return cudaSuccess;
}

SL_CUDART_API cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to,
                                            size_t *count)
{
  CUDART_CALL(true, get_edges(r, graph, from, to, count));
}

static cudaError_t get_type(const struct cudart *r, cudaGraphNode_t handle, enum cudaGraphNodeType *type)
{
  const struct CUgraphNode_st *node = sl_graph_node(r, handle);
  if (node == NULL || type == NULL)
    return cudaErrorInvalidValue;
  *type = node->type;
  return cudaSuccess;
}

SL_CUDART_API cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, enum cudaGraphNodeType *type)
{
  CUDART_CALL(true, get_type(r, node, type));
}

static cudaError_t get_neighbours(const struct cudart *r, cudaGraphNode_t handle, cudaGraphNode_t *nodes, size_t *count,
                                  bool dependents)
{
  const struct CUgraphNode_st *node = sl_graph_node(r, handle);
  if (node == NULL || count == NULL)
    return cudaErrorInvalidValue;
  struct list list = {nodes, *count, 0};
  for (size_t i = 0; i < node->after_count && !dependents; i++)
    put(&list, node->after[i]);
  for (struct CUgraphNode_st *n = node->graph->first; n != NULL && dependents; n = n->next)
    if (depends(n, node))
      put(&list, n);
  end_list(&list, count);
  return cudaSuccess;
}

SL_CUDART_API cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t *nodes, size_t *count)
{
  CUDART_CALL(true, get_neighbours(r, node, nodes, count, false));
}

SL_CUDART_API cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t *nodes, size_t *count)
{
  CUDART_CALL(true, get_neighbours(r, node, nodes, count, true));
}

static cudaError_t change_dependencies(const struct cudart *r, const struct CUgraph_st *graph,
                                       const cudaGraphNode_t *from, const cudaGraphNode_t *to, size_t count, bool add)
{
  if (!sl_graph_is_known(r, graph) || (count > 0 && (from == NULL || to == NULL)))
    return cudaErrorInvalidValue;
  for (size_t i = 0; i < count; i++) {
    struct CUgraphNode_st *source = sl_graph_node(r, from[i]), *target = sl_graph_node(r, to[i]);
    if (source == NULL || target == NULL || source->graph != graph || target->graph != graph || source == target ||
        depends(target, source) == add)
      return cudaErrorInvalidValue;
    if (!add)
      remove_dependency(target, source);
    else if (!sl_graph_depend(target, source))
      return cudaErrorMemoryAllocation;
  }
  return cudaSuccess;
}

SL_CUDART_API cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                                   const cudaGraphNode_t *to, size_t count)
{
  CUDART_CALL(true, change_dependencies(r, graph, from, to, count, true));
}

SL_CUDART_API cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                                      const cudaGraphNode_t *to, size_t count)
{
  CUDART_CALL(true, change_dependencies(r, graph, from, to, count, false));
}

/* ---- pictures ---------------------------------------------------------------------------------------------------- */

static void print_node(const struct cudart *r, struct CUgraphNode_st *n, FILE *file)
{
  static const char *const types[cudaGraphNodeTypeCount] = {
      "kernel",     "memcpy",       "memset", "host", "graph",    "empty",
      "wait event", "event record", "signal", "wait", "allocate", "release",
  };
  const struct cudart_function *f = r->functions;
  while (f != NULL && f->stub != n->kernel.func)
    f = f->next;
  if (n->type == cudaGraphNodeTypeKernel && f != NULL)
    fprintf(file, "  n%zu [label=\"kernel %s\\n%u x %u x %u blocks of %u x %u x %u threads\"];\n", n->index, f->name,
            n->kernel.gridDim.x, n->kernel.gridDim.y, n->kernel.gridDim.z, n->kernel.blockDim.x, n->kernel.blockDim.y,
            n->kernel.blockDim.z);
  else
    fprintf(file, "  n%zu [label=\"%s\"];\n", n->index, types[n->type]);
  for (size_t i = 0; i < n->after_count; i++)
    fprintf(file, "  n%zu -> n%zu;\n", n->after[i]->index, n->index);
}

static cudaError_t print_dot(const struct cudart *r, const struct CUgraph_st *graph, const char *path)
{
  size_t i = 0;
  if (!sl_graph_is_known(r, graph) || path == NULL)
    return cudaErrorInvalidValue;
  FILE *file = fopen(path, "w");
  if (file == NULL)
    return cudaErrorOperatingSystem;
  for (struct CUgraphNode_st *n = graph->first; n != NULL; n = n->next)
    n->index = i++;
  fputs("digraph graph_of_cuda {\n  node [shape=box];\n", file);
  for (struct CUgraphNode_st *n = graph->first; n != NULL; n = n->next)
    print_node(r, n, file);
  fputs("}\n", file);
  return fclose(file) == 0 ? cudaSuccess : cudaErrorOperatingSystem;
}

SL_CUDART_API cudaError_t cudaGraphDebugDotPrint(cudaGraph_t graph, const char *path, unsigned flags)
{
  (void)flags;
  CUDART_CALL(true, print_dot(r, graph, path));
}
