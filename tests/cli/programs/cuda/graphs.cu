/* Graphs: captured streams and explicit nodes, launches, updates, copies of graphs, pictures, and errors. */
#include <cstdio>
#include <cstring>

static int failures;
static void check(bool right, int line)
{
  if (!right)
    printf("wrong: line %d\n", line);
  failures += !right;
}
#define CHECK(x) check(x, __LINE__)
#define OK(x) check((x) == cudaSuccess, __LINE__)
#define FAILS(error, x) check((x) == (error), __LINE__), cudaGetLastError()

__global__ void add(int *p, int n, int by)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    p[i] += by;
}
__global__ void times(int *p, int n, int by)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    p[i] *= by;
}
__device__ int scale[2];
static int called;
static void call(void *data)
{
  called += *(int *)data;
}

enum { N = 256, BYTES = N * sizeof(int) };
static int host[N], back[N];

static void captured(int *p)
{
  cudaStream_t a, b;
  cudaEvent_t fork, join;
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  enum cudaStreamCaptureStatus status;
  int three = 3;
  size_t nodes = 0, edges = 0, roots = 0;
  OK(cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking));
  OK(cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking));
  OK(cudaEventCreate(&fork));
  OK(cudaEventCreate(&join));
  OK(cudaStreamBeginCapture(a, cudaStreamCaptureModeGlobal));
  OK(cudaMemcpyAsync(p, host, BYTES, cudaMemcpyHostToDevice, a));
  add<<<2, 128, 0, a>>>(p, N, 1);
  OK(cudaEventRecord(fork, a));
  OK(cudaStreamWaitEvent(b, fork, 0));
  OK(cudaStreamIsCapturing(b, &status));
  CHECK(status == cudaStreamCaptureStatusActive);
  OK(cudaMemsetAsync(p + N, 1, BYTES, b));
  times<<<2, 128, 0, a>>>(p, N, 2);
  OK(cudaEventRecord(join, b));
  OK(cudaStreamWaitEvent(a, join, 0));
  OK(cudaLaunchHostFunc(a, call, &three));
  OK(cudaMemcpyAsync(back, p, BYTES, cudaMemcpyDeviceToHost, a));
  OK(cudaStreamEndCapture(a, &graph));
  CHECK(called == 0 && back[5] == 0);
  OK(cudaGraphGetNodes(graph, NULL, &nodes));
  OK(cudaGraphGetRootNodes(graph, NULL, &roots));
  OK(cudaGraphGetEdges(graph, NULL, NULL, &edges));
  CHECK(nodes == 6 && roots == 1 && edges == 6);
  OK(cudaGraphInstantiate(&exec, graph, NULL, NULL, 0));
  for (int i = 0; i < 3; i++) {
    host[5] = 10 * i;
    OK(cudaGraphLaunch(exec, a));
    OK(cudaStreamSynchronize(a));
    CHECK(back[5] == 2 * (10 * i + 1) && called == 3 * (i + 1));
  }
  OK(cudaMemcpy(back, p + N, BYTES, cudaMemcpyDeviceToHost));
  CHECK(back[7] == 0x01010101);

  /* The same capture with another factor updates the executable graph; another one does not. */
  for (int round = 0; round < 2; round++) {
    cudaGraph_t other;
    cudaGraphNode_t node;
    enum cudaGraphExecUpdateResult result;
    OK(cudaStreamBeginCapture(a, cudaStreamCaptureModeThreadLocal));
    OK(cudaMemcpyAsync(p, host, BYTES, cudaMemcpyHostToDevice, a));
    add<<<2, 128, 0, a>>>(p, N, 1);
    OK(cudaEventRecord(fork, a));
    OK(cudaStreamWaitEvent(b, fork, 0));
    OK(cudaMemsetAsync(p + N, 1, BYTES, b));
    times<<<2, 128, 0, a>>>(p, N, 5);
    OK(cudaEventRecord(join, b));
    OK(cudaStreamWaitEvent(a, join, 0));
    if (round == 0)
      OK(cudaLaunchHostFunc(a, call, &three));
    OK(cudaMemcpyAsync(back, p, BYTES, cudaMemcpyDeviceToHost, a));
    OK(cudaStreamEndCapture(a, &other));
    if (round == 0)
      OK(cudaGraphExecUpdate(exec, other, &node, &result));
    else
      FAILS(cudaErrorGraphExecUpdateFailure, cudaGraphExecUpdate(exec, other, &node, &result));
    CHECK(result == (round == 0 ? cudaGraphExecUpdateSuccess : cudaGraphExecUpdateErrorTopologyChanged));
    OK(cudaGraphDestroy(other));
    host[5] = 1;
    OK(cudaGraphLaunch(exec, a));
    OK(cudaDeviceSynchronize());
    CHECK(back[5] == 10);
  }

  /* What a capture does not allow */
  OK(cudaStreamBeginCapture(a, cudaStreamCaptureModeRelaxed));
  FAILS(cudaErrorIllegalState, cudaStreamBeginCapture(a, cudaStreamCaptureModeRelaxed));
  FAILS(cudaErrorStreamCaptureUnsupported, cudaStreamSynchronize(a));
  FAILS(cudaErrorStreamCaptureInvalidated, cudaStreamEndCapture(a, &graph));
  CHECK(graph == NULL);
  FAILS(cudaErrorIllegalState, cudaStreamEndCapture(a, &graph));
  OK(cudaStreamBeginCapture(a, cudaStreamCaptureModeRelaxed));
  OK(cudaEventRecord(fork, a));
  FAILS(cudaErrorCapturedEvent, cudaEventSynchronize(fork));
  FAILS(cudaErrorStreamCaptureInvalidated, cudaStreamEndCapture(a, &graph));
  OK(cudaStreamBeginCapture(a, cudaStreamCaptureModeRelaxed));
  add<<<1, 1, 0, a>>>(p, N, 1);
  OK(cudaEventRecord(fork, a));
  OK(cudaStreamWaitEvent(b, fork, 0));
  add<<<1, 1, 0, b>>>(p, N, 1);
  FAILS(cudaErrorStreamCaptureUnjoined, cudaStreamEndCapture(a, &graph));
  FAILS(cudaErrorStreamCaptureUnsupported, cudaStreamBeginCapture(0, cudaStreamCaptureModeGlobal));
  OK(cudaStreamBeginCapture(b, cudaStreamCaptureModeGlobal));
  OK(cudaStreamDestroy(b));
  OK(cudaGraphExecDestroy(exec));
  FAILS(cudaErrorInvalidValue, cudaGraphLaunch(exec, a));
  OK(cudaStreamDestroy(a));
}

static void explicit_nodes(int *p)
{
  cudaGraph_t graph, inner, copy;
  cudaGraphExec_t exec;
  cudaGraphNode_t first, kernel, symbol, read, again, fill, host_node, child, empty, start, stop, list[16];
  cudaEvent_t a, b;
  int n = N, by = 7, out[2] = {0, 0}, one = 1;
  float ms = 0;
  size_t count = 16;
  enum cudaGraphNodeType type;
  void *args[] = {&p, &n, &by};
  cudaKernelNodeParams k = {(void *)add, dim3(2), dim3(128), 0, args, NULL};
  cudaMemsetParams m = {p, 0, 5, sizeof(int), N, 1};
  cudaHostNodeParams h = {call, &one};
  cudaMemcpy3DParms c = {};
  OK(cudaEventCreate(&a));
  OK(cudaEventCreate(&b));
  OK(cudaGraphCreate(&graph, 0));
  OK(cudaGraphCreate(&inner, 0));
  OK(cudaGraphAddEventRecordNode(&start, graph, NULL, 0, a));
  OK(cudaGraphAddMemsetNode(&first, graph, &start, 1, &m));
  OK(cudaGraphAddKernelNode(&kernel, graph, &first, 1, &k));
  by = 100; /* the node has the value of before */
  c.srcPtr = make_cudaPitchedPtr(p, BYTES, N, 1);
  c.dstPtr = make_cudaPitchedPtr(back, BYTES, N, 1);
  c.extent = make_cudaExtent(BYTES, 1, 1);
  c.kind = cudaMemcpyDeviceToHost;
  OK(cudaGraphAddMemcpyNode(&read, graph, &kernel, 1, &c));
  OK(cudaGraphAddMemcpyNodeToSymbol(&symbol, graph, NULL, 0, scale, host, sizeof scale, 0, cudaMemcpyHostToDevice));
  OK(cudaGraphAddMemcpyNodeFromSymbol(&again, graph, &symbol, 1, out, scale, sizeof scale, 0, cudaMemcpyDeviceToHost));
  OK(cudaGraphAddHostNode(&host_node, inner, NULL, 0, &h));
  OK(cudaGraphAddMemcpyNode1D(&fill, inner, NULL, 0, p + N, p, BYTES, cudaMemcpyDeviceToDevice));
  OK(cudaGraphAddChildGraphNode(&child, graph, &read, 1, inner));
  OK(cudaGraphAddEmptyNode(&empty, graph, &child, 1));
  OK(cudaGraphAddEventRecordNode(&stop, graph, &empty, 1, b));
  OK(cudaGraphNodeGetType(child, &type));
  CHECK(type == cudaGraphNodeTypeGraph);
  OK(cudaGraphGetNodes(graph, list, &count));
  CHECK(count == 9 && list[0] == start && list[9] == NULL);
  OK(cudaGraphDebugDotPrint(graph, "graph.dot", 0));
  OK(cudaGraphInstantiate(&exec, graph, 0ULL));
  host[0] = 11, host[1] = 12;
  called = 0;
  OK(cudaGraphLaunch(exec, 0));
  OK(cudaDeviceSynchronize());
  CHECK(back[9] == 12 && called == 1 && out[0] == 11 && out[1] == 12);
  OK(cudaEventElapsedTime(&ms, a, b));
  CHECK(ms > 0);
  int copied[N];
  OK(cudaMemcpy(copied, p + N, BYTES, cudaMemcpyDeviceToHost));
  CHECK(copied[9] == 12);

  /* Other parameters of the executable graph only */
  OK(cudaGraphExecKernelNodeSetParams(exec, kernel, &k));
  OK(cudaGraphLaunch(exec, 0));
  OK(cudaDeviceSynchronize());
  CHECK(back[9] == 105);
  cudaKernelNodeParams got;
  OK(cudaGraphKernelNodeGetParams(kernel, &got));
  CHECK(got.func == (void *)add && *(int *)got.kernelParams[2] == 7);
  OK(cudaGraphExecMemcpyNodeSetParams1D(exec, read, back + 1, p, BYTES - 4, cudaMemcpyDeviceToHost));

  /* Dependencies: circular ones are refused; removed ones are gone; copies are separate. */
  OK(cudaGraphAddDependencies(graph, &stop, &start, 1));
  cudaGraphExec_t circular;
  FAILS(cudaErrorInvalidValue, cudaGraphInstantiate(&circular, graph, NULL, NULL, 0));
  OK(cudaGraphRemoveDependencies(graph, &stop, &start, 1));
  FAILS(cudaErrorInvalidValue, cudaGraphRemoveDependencies(graph, &stop, &start, 1));
  OK(cudaGraphClone(&copy, graph));
  cudaGraphNode_t same;
  OK(cudaGraphNodeFindInClone(&same, kernel, copy));
  CHECK(same != kernel);
  OK(cudaGraphDestroyNode(kernel));
  count = 0;
  OK(cudaGraphNodeGetDependencies(read, NULL, &count));
  CHECK(count == 0);
  count = 0;
  OK(cudaGraphNodeGetDependencies(same, NULL, &count));
  CHECK(count == 1);

  /* Misuse */
  FAILS(cudaErrorInvalidValue, cudaGraphAddKernelNode(&kernel, graph, NULL, 0, NULL));
  FAILS(cudaErrorInvalidValue, cudaGraphAddEmptyNode(&empty, graph, &same, 1));
  FAILS(cudaErrorInvalidValue, cudaGraphAddEmptyNode(&empty, (cudaGraph_t)5, NULL, 0));
  FAILS(cudaErrorInvalidValue, cudaGraphNodeGetType((cudaGraphNode_t)5, &type));
  FAILS(cudaErrorInvalidValue, cudaGraphMemsetNodeGetParams(empty, &m));
  k.func = (void *)host;
  FAILS(cudaErrorInvalidDeviceFunction, cudaGraphAddKernelNode(&kernel, graph, NULL, 0, &k));
  m.elementSize = 3;
  FAILS(cudaErrorInvalidValue, cudaGraphAddMemsetNode(&fill, graph, NULL, 0, &m));
  OK(cudaGraphDestroy(copy));
  OK(cudaGraphDestroy(graph));
  FAILS(cudaErrorInvalidValue, cudaGraphDestroy(graph));
  OK(cudaGraphDestroy(inner));
  OK(cudaGraphExecDestroy(exec));
}

int main()
{
  int *p;
  OK(cudaMalloc(&p, 2 * BYTES));
  captured(p);
  explicit_nodes(p);
  OK(cudaDeviceReset());
  printf("%d failures\n", failures);
  return failures;
}
