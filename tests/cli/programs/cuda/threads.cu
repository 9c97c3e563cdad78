/* Two host threads, each with a stream, an event, a captured graph and its own errors; a child of fork. */
#include <cstdio>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

enum { N = 64, ROUNDS = 20 };
static int wrong[2];

__global__ void add(int *p, int by)
{
  p[threadIdx.x] += by;
}

static void *work(void *context)
{
  int *failures = (int *)context, *p, host[N] = {0};
  const int by = (int)(failures - wrong) + 1;
  cudaStream_t stream;
  cudaEvent_t start, end;
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  float ms = 0;
#define IS(error, x) (*failures += (x) != (error))
  IS(cudaSuccess, cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  IS(cudaSuccess, cudaEventCreate(&start));
  IS(cudaSuccess, cudaEventCreate(&end));
  IS(cudaSuccess, cudaMalloc(&p, sizeof host));
  IS(cudaSuccess, cudaMemcpyAsync(p, host, sizeof host, cudaMemcpyHostToDevice, stream));
  IS(cudaSuccess, cudaEventRecord(start, stream));
  for (int i = 0; i < ROUNDS; i++)
    add<<<1, N, 0, stream>>>(p, by);
  IS(cudaSuccess, cudaEventRecord(end, stream));
  IS(cudaSuccess, cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  add<<<1, N, 0, stream>>>(p, by);
  IS(cudaSuccess, cudaStreamEndCapture(stream, &graph));
  IS(cudaSuccess, cudaGraphInstantiate(&exec, graph, NULL, NULL, 0));
  for (int i = 0; i < ROUNDS; i++)
    IS(cudaSuccess, cudaGraphLaunch(exec, stream));
  IS(cudaSuccess, cudaStreamSynchronize(stream));
  IS(cudaSuccess, cudaMemcpyAsync(host, p, sizeof host, cudaMemcpyDeviceToHost, stream));
  IS(cudaSuccess, cudaEventElapsedTime(&ms, start, end));
  *failures += host[N - 1] != 2 * ROUNDS * by || ms <= 0;
  /* Errors belong to a thread. */
  IS(cudaSuccess, cudaGetLastError());
  IS(cudaErrorInvalidValue, cudaFree((void *)5));
  IS(cudaErrorInvalidValue, cudaGetLastError());
  IS(cudaSuccess, cudaGraphExecDestroy(exec));
  IS(cudaSuccess, cudaGraphDestroy(graph));
  IS(cudaSuccess, cudaStreamDestroy(stream));
  IS(cudaSuccess, cudaFree(p));
  return NULL;
}

int main()
{
  pthread_t thread[2];
  int status = 0;
  for (int i = 0; i < 2; i++)
    pthread_create(&thread[i], NULL, work, &wrong[i]);
  for (int i = 0; i < 2; i++)
    pthread_join(thread[i], NULL);
  const pid_t child = fork();
  if (child == 0)
    _exit(cudaDeviceSynchronize() == cudaErrorInitializationError ? 0 : 1);
  waitpid(child, &status, 0);
  printf("%d and %d failures, child %d\n", wrong[0], wrong[1], status);
  return wrong[0] + wrong[1] + (status != 0);
}
