/* The CUDA runtime on a simulated GPU: what the functions of the interface share.
 *
 * A process has one runtime and one device (cudart.c). Constructors only register modules; the first call that needs
 * the device opens it, and the first use of a module parses it. A call holds the runtime's lock. Kernels and copies are
 * complete when their call returns; streams and events keep simulated time (host/host_device.h).
 *
 * Source: CUDA Runtime API 10.1, Reference Manual; the calls that Clang generates: lib/CodeGen/CGCUDANV.cpp of LLVM. */
#ifndef SL_CUDART_CUDART_H
#define SL_CUDART_CUDART_H

#include <cuda.h>
#include <pthread.h>
#include <sys/types.h>

#include "cuda_runtime_api.h"
#include "host/host_device.h"
#include "host/host_observers.h"

#define SL_CUDART_API __attribute__((visibility("default")))

/* A module of PTX, registered by an object file or loaded by the driver interface. */
struct cudart_module {
  struct cudart_module *next;
  const char *text; /* PTX, ends with NUL */
  uint64_t bytes;
  char *own;                    /* the same, if the driver interface has loaded it */
  bool separate;                /* linked with all others of this kind */
  uint32_t most_registers;      /* per thread, by -maxrregcount; 0: no bound */
  struct sl_gpu_module *loaded; /* NULL: not yet used */
  bool failed;
};

struct cudart_function {
  struct cudart_function *next;
  const void *stub; /* address of the host function; of the driver interface: of this struct */
  struct cudart_module *module;
  char *name;
  struct sl_gpu_kernel *kernel; /* NULL: not yet used */
  uint32_t most_dynamic;        /* dynamic shared memory that the program has asked for; 0: the default limit */
};

enum cudart_variable_kind { CUDART_VARIABLE, CUDART_MANAGED, CUDART_TEXTURE, CUDART_SURFACE };

struct cudart_variable {
  struct cudart_variable *next;
  enum cudart_variable_kind kind;
  const void *shadow;
  struct cudart_module *module;
  char *name;
  size_t bytes;
};

/* Host memory that the runtime has allocated, or that it knows: pinned or, with a device address, managed. */
struct cudart_host_range {
  struct cudart_host_range *next;
  char *start;
  size_t bytes;
  uint64_t buffer; /* of the device, if it is managed memory and no variable */
  uint64_t device; /* address of `start` on the device, if it is managed */
  unsigned flags;
  bool managed, registered;
};

struct CUstream_st {
  struct CUstream_st *next;
  struct sl_queue *queue;
  struct sl_event *last; /* of its latest command; NULL: none */
  unsigned flags;
  int priority;
  struct sl_capture *capture;   /* NULL: commands are performed */
  struct CUgraphNode_st **tail; /* the next node that it captures follows these */
  size_t tail_count;
};

struct CUevent_st {
  struct CUevent_st *next;
  struct sl_event *event; /* NULL: not recorded */
  unsigned flags;
  struct sl_capture *capture; /* NULL: it was not recorded in a stream that captures */
  struct CUgraphNode_st **tail;
  size_t tail_count;
};

struct cudaArray {
  struct cudaArray *next;
  uint64_t address;
  struct cudaChannelFormatDesc desc;
  struct cudaExtent extent; /* texels; a height or depth of 0: no such dimension */
  size_t texel;             /* bytes */
  unsigned flags;
};

struct cudart_texture;
struct cudart_surface;
struct sl_capture;

struct cudart {
  pthread_mutex_t lock; /* recursive: the driver interface calls the runtime interface */
  bool opened, failed;
  pid_t owner; /* the process that opens or has opened the device; 0: none */
  struct sl_host_device device;
  cudaError_t sticky; /* a fault: every later call returns it until cudaDeviceReset */
  struct cudart_module *modules;
  struct cudart_function *functions;
  struct cudart_variable *variables;
  struct cudart_host_range *ranges;
  struct cudart_texture *textures;
  struct cudart_surface *surfaces;
  struct CUstream_st *streams, legacy;
  struct CUstream_st *ended[2]; /* two of the streams: they wait for destroyed ones, and for non-blocking ones */
  struct CUevent_st *events;
  struct cudaArray *arrays;
  struct CUgraph_st *graphs;
  struct CUgraphExec_st *execs;
  struct sl_capture *captures;
  uint64_t capture_number; /* of the latest one */
  bool per_thread;         /* the default stream is that of the thread */
  struct CUlinkState_st *links;
  struct _nvrtcProgram *programs;
  size_t limits[8];
  unsigned device_flags;
  uint64_t log;
  unsigned resets; /* cudaDeviceReset has closed the device so many times */
  /* The driver interface: cuInit has been called; calls in progress; users of the context; contexts so far. */
  bool initialised;
  unsigned in_driver, contexts;
  uint64_t generation;
  bool implied; /* the runtime interface has opened the device, so its context is current everywhere */
};

/* Locks the runtime and, if `opens`, opens the device. Call sl_cudart_leave in any case; it returns the error, keeps it
 * for cudaGetLastError, and logs the call. */
cudaError_t sl_cudart_enter(struct cudart **runtime, bool opens);
cudaError_t sl_cudart_leave(struct cudart *runtime, const char *function, cudaError_t error);

/* The body of a function of the interface: an expression over the runtime `r`. */
#define CUDART_CALL(opens, expression)                                                                                 \
  do {                                                                                                                 \
    struct cudart *r;                                                                                                  \
    cudaError_t result_ = sl_cudart_enter(&r, opens);                                                                  \
    if (result_ == cudaSuccess)                                                                                        \
      result_ = (expression);                                                                                          \
    return sl_cudart_leave(r, __func__, result_);                                                                      \
  } while (0)

/* Says a sentence on standard error. */
void sl_cudart_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The error of this thread, for cudaGetLastError; 'reset' clears it. */
cudaError_t sl_cudart_last(bool reset);
void sl_cudart_restore_last(cudaError_t error);

/* Loads a module, if it is not loaded. The second one says why it cannot. */
cudaError_t sl_cudart_parse(struct cudart *r, struct cudart_module *module, struct sl_error *err);
cudaError_t sl_cudart_load(struct cudart *r, struct cudart_module *module);

/* Adds a copy of PTX text for the driver interface; drops such a module with its functions. */
struct cudart_module *sl_cudart_add_module(struct cudart *r, const char *text, uint64_t bytes);
void sl_cudart_drop_module(struct cudart *r, struct cudart_module *module);

/* The PTX of an image that `simtlab cuda` has made; NULL: it is another image. */
const char *sl_cudart_image_text(const void *image);

struct cudart_function *sl_cudart_add_function(struct cudart *r, struct cudart_module *module, const void *stub,
                                               const char *name);

/* The function of a stub, with its kernel; the variable of a shadow or a name, of any module, with its place. */
cudaError_t sl_cudart_function(struct cudart *r, const void *stub, struct cudart_function **function);
cudaError_t sl_cudart_kernel(struct cudart *r, struct cudart_function *function);
cudaError_t sl_cudart_symbol(struct cudart *r, const void *symbol, struct cudart_variable **variable,
                             struct sl_gpu_symbol *place);

/* A stream; NULL and the legacy handle: the legacy stream. */
cudaError_t sl_cudart_stream(struct cudart *r, cudaStream_t handle, struct CUstream_st **stream);

/* Stores the events that the next command of a stream must follow, without those of its own; returns their number. */
size_t sl_cudart_waits(const struct cudart *r, const struct CUstream_st *stream, struct sl_event **waits, size_t most);

/* The stream's latest command has this event, which the stream owns from now on. */
void sl_cudart_follow(struct CUstream_st *stream, struct sl_event *event);

/* Adds a command to a stream, after the commands that it must follow. Returns after it has ended. */
cudaError_t sl_cudart_add(struct cudart *r, struct CUstream_st *stream, struct sl_command *command);

/* Launches a kernel: its parameters by address, or as a struct. */
cudaError_t sl_cudart_launch(struct cudart *r, struct cudart_function *function, const uint32_t grid[3],
                             const uint32_t block[3], void **parameters, const void *packed, size_t packed_bytes,
                             size_t shared, struct CUstream_st *stream);

/* Blocks of a kernel that fit on an SM. */
unsigned sl_cudart_blocks(struct cudart *r, const struct cudart_function *function, uint32_t threads, uint64_t dynamic);

/* Whether an address is of the device, with its buffer; of managed memory. */
bool sl_cudart_is_device(const struct cudart *r, const void *pointer, uint64_t *first, uint64_t *bytes);
/* Whether an address is one of buffers, and in none: of a buffer that has been freed. */
bool sl_cudart_is_stale(const struct cudart *r, const void *pointer);
void *sl_cudart_pointer(uint64_t address);
struct cudart_host_range *sl_cudart_range(const struct cudart *r, const void *pointer);

/* Copies managed memory to the device before a launch, and back after it. */
void sl_cudart_to_device(struct cudart *r);
void sl_cudart_from_device(struct cudart *r);

/* Managed variables (cudart_memory.c): whether a variable's shadow is managed; gives the shadows of a module their
 * initial values when it is registered; manages those of a module that has been loaded; and replaces pointers to
 * shadows in a kernel's parameters by those to the variables. */
bool sl_cudart_is_shadow(const void *pointer);
void sl_cudart_init_shadows(const struct cudart *r, const struct cudart_module *module);
cudaError_t sl_cudart_manage(struct cudart *r, const struct cudart_module *module);
void sl_cudart_translate(const struct cudart *r, void *arguments, size_t bytes);

/* Frees what an object of the interface owns; after cudaDeviceReset. */
void sl_cudart_free_memory(struct cudart *r);
void sl_cudart_free_streams(struct cudart *r);
void sl_cudart_free_textures(struct cudart *r);
void sl_cudart_free_surfaces(struct cudart *r);
void sl_cudart_free_graphs(struct cudart *r);
void sl_driver_drop_links(struct cudart *r);

/* Sides of copies and fills of the CUDA runtime. */

struct sl_cudart_place {
  uint64_t address; /* of the device, if `device` */
  char *host;
  bool device;
};

struct sl_cudart_place sl_cudart_place(const void *pointer, bool device);

/* Whether a pointer is memory of the device, and not managed: managed memory is the host's between launches. */
bool sl_cudart_on_device(const struct cudart *r, const void *pointer);

/* Whether the bytes are all there: in the buffer of the device, or in the range that the runtime has allocated. Of
 * other memory of the host nothing is known. */
bool sl_cudart_is_there(const struct cudart *r, struct sl_cudart_place place, size_t bytes);

/* The CUDA driver interface, above the runtime interface: there is one context, which both share. A driver handle of a
 * stream or event is that of the runtime, a function is the stub of itself, and a module is struct cudart_module.
 *
 * Source: CUDA Driver API 10.1, Reference Manual. */

enum sl_driver_need { SL_DRIVER_INIT, SL_DRIVER_CONTEXT };

/* Locks the runtime and checks that cuInit has been called, and that the thread has a context. Errors of the runtime
 * interface stay as they are. Call sl_driver_leave in any case. */
CUresult sl_driver_enter(struct cudart **runtime, enum sl_driver_need need, cudaError_t *last);
CUresult sl_driver_leave(struct cudart *runtime, const char *function, CUresult result, cudaError_t last);

/* The body of a function: an expression over the runtime `r`, a CUresult; or a cudaError_t. */
#define DRIVER_RESULT(need, expression)                                                                                \
  do {                                                                                                                 \
    struct cudart *r;                                                                                                  \
    cudaError_t last_;                                                                                                 \
    CUresult result_ = sl_driver_enter(&r, need, &last_);                                                              \
    if (result_ == CUDA_SUCCESS)                                                                                       \
      result_ = (expression);                                                                                          \
    return sl_driver_leave(r, __func__, result_, last_);                                                               \
  } while (0)
#define DRIVER_CALL(need, expression) DRIVER_RESULT(need, sl_cudart_result(expression))

CUresult sl_cudart_result(cudaError_t error);

static inline void *sl_driver_pointer(CUdeviceptr address)
{
  return (void *)(uintptr_t)address;
}

/* Graphs of the CUDA runtime: commands that a program adds or a stream captures, and that a launch performs.
 *
 * A launch performs the nodes one after another in its stream, in an order that follows the dependencies and otherwise
 * that of their creation. So results are those of any order, and simulated time is the sum: kernels never overlap, and
 * copies of a graph do not overlap its kernels.
 *
 * Source: CUDA Runtime API 11 and 12, "Graph Management". */

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
