/* Graphs of the CUDA runtime: commands that a program adds or a stream captures, and that a launch performs.
 *
 * A launch performs the nodes one after another in its stream, in an order that follows the dependencies and otherwise
 * that of their creation. So results are those of any order, and simulated time is the sum: kernels never overlap, and
 * copies of a graph do not overlap its kernels.
 *
 * Source: CUDA Runtime API 11 and 12, "Graph Management". */
#ifndef SL_CUDART_CUDART_GRAPH_H
#define SL_CUDART_CUDART_GRAPH_H

#include "runtime/cuda/cudart.h"

enum sl_graph_copy_form {
  SL_GRAPH_COPY_ROWS,
  SL_GRAPH_COPY_BOX,
  SL_GRAPH_COPY_TO_SYMBOL,  /* `to` is the symbol */
  SL_GRAPH_COPY_FROM_SYMBOL /* `from` is */
};

struct sl_graph_copy {
  enum sl_graph_copy_form form;
  struct cudaMemcpy3DParms box;
  void *to;
  const void *from;
  size_t to_pitch, from_pitch, width, rows, offset;
  enum cudaMemcpyKind kind;
};

struct CUgraphNode_st {
  struct CUgraphNode_st *next;
  struct CUgraph_st *graph;
  enum cudaGraphNodeType type;
  const void *origin; /* the node that this one is a copy of; NULL: none */
  size_t index;       /* in its graph; of a copy in progress, or of an order */
  bool done;          /* likewise */
  struct CUgraphNode_st **after;
  size_t after_count, after_room;
  struct cudaKernelNodeParams kernel; /* its parameters are in `arguments` */
  uint8_t *arguments;
  struct sl_graph_copy copy;
  struct cudaMemsetParams fill;
  struct cudaHostNodeParams host;
  cudaEvent_t event;
  struct CUgraph_st *child; /* owned */
};

struct CUgraph_st {
  struct CUgraph_st *next; /* of the runtime's list; a graph of an executable graph is in none */
  struct CUgraphNode_st *first, **last;
  size_t count;
};

struct CUgraphExec_st {
  struct CUgraphExec_st *next;
  struct CUgraph_st *graph;
};

/* A capture in progress. A stream and an event know the nodes that their next node follows. */
struct sl_capture {
  struct sl_capture *next;
  struct CUgraph_st *graph;
  struct CUstream_st *origin;
  enum cudaStreamCaptureMode mode;
  bool invalid;
  uint64_t number;
};

struct CUgraph_st *sl_graph_new(struct cudart *r, bool listed);
void sl_graph_free(struct cudart *r, struct CUgraph_st *graph);
bool sl_graph_is_known(const struct cudart *r, const struct CUgraph_st *graph);

/* A copy with the same nodes in the same order; NULL: out of memory. */
struct CUgraph_st *sl_graph_clone(struct cudart *r, const struct CUgraph_st *graph, bool listed);

/* Appends a node; NULL: out of memory. */
struct CUgraphNode_st *sl_graph_append(struct CUgraph_st *graph, enum cudaGraphNodeType type);
void sl_graph_drop(struct cudart *r, struct CUgraphNode_st *node);
bool sl_graph_depend(struct CUgraphNode_st *node, struct CUgraphNode_st *on);

/* A node of any graph that the program knows; NULL: it is none. */
struct CUgraphNode_st *sl_graph_node(const struct cudart *r, cudaGraphNode_t node);

/* Copies a kernel's parameters, from pointers to them or from a struct, into a node. */
cudaError_t sl_graph_set_kernel(struct cudart *r, struct CUgraphNode_st *node,
                                const struct cudaKernelNodeParams *params, const void *packed);

/* Copies the operation of a node to another of the same type. */
cudaError_t sl_graph_copy_node(struct cudart *r, struct CUgraphNode_st *to, const struct CUgraphNode_st *from);

/* The nodes in an order that follows the dependencies. NULL: they are circular, or out of memory. */
struct CUgraphNode_st **sl_graph_order(const struct CUgraph_st *graph);

/* Performs a copy or a fill in a stream. */
cudaError_t sl_cudart_copy(struct cudart *r, const struct sl_graph_copy *copy, cudaStream_t stream);
cudaError_t sl_cudart_fill(struct cudart *r, const struct cudaMemsetParams *fill, cudaStream_t stream);

/* Captures: appends a node that follows what the stream has captured; NULL: out of memory. */
struct CUgraphNode_st *sl_capture_append(struct cudart *r, struct CUstream_st *stream, enum cudaGraphNodeType type);

/* Records in an event what a stream has captured; lets a stream follow it. */
cudaError_t sl_capture_record(struct CUstream_st *stream, struct CUevent_st *event);
cudaError_t sl_capture_follow(struct CUstream_st *stream, const struct CUevent_st *event);

/* A call that a capture does not allow: invalidates it. */
cudaError_t sl_capture_refuse(struct sl_capture *capture, cudaError_t error);

/* Ends the part of a stream that is destroyed, or that of an event. */
void sl_capture_leave(struct cudart *r, struct CUstream_st *stream);
void sl_capture_forget(struct CUevent_st *event);
void sl_capture_drop(struct cudart *r, struct sl_capture *capture);

#endif
