// cuda::barrier and cuda::pipeline: copies into shared memory, one stage and two stages ahead.
#include <cooperative_groups.h>
#include <cstdio>
#include <cuda/barrier>
#include <cuda/pipeline>
using block_barrier = cuda::barrier<cuda::thread_scope_block>;
__global__ void reverse(const int *in, int *out)
{
  __shared__ block_barrier bar;
  __shared__ int data[256];
  auto block = cooperative_groups::this_thread_block();
  if (block.thread_rank() == 0)
    init(&bar, block.size());
  block.sync();
  for (int part = 0; part < 4; part++) {
    cuda::memcpy_async(block, data, in + 256 * part, sizeof(int) * 256, bar);
    bar.arrive_and_wait();
    out[256 * part + threadIdx.x] = data[255 - threadIdx.x];
    auto token = bar.arrive();
    bar.wait(std::move(token));
  }
}
__global__ void staged(const int *in, int *out)
{
  constexpr auto scope = cuda::thread_scope_block;
  constexpr unsigned char stages = 2;
  __shared__ cuda::pipeline_shared_state<scope, stages> state;
  __shared__ int data[stages][128];
  auto block = cooperative_groups::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  int sum = 0;
  for (int part = 0, fetch = 0; part < 8; part++) {
    for (; fetch < 8 && fetch < part + stages; fetch++) {
      pipe.producer_acquire();
      cuda::memcpy_async(block, data[fetch % stages], in + 128 * fetch, cuda::aligned_size_t<16>(512), pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    sum += data[part % stages][127 - threadIdx.x];
    pipe.consumer_release();
  }
  out[threadIdx.x] = sum;
}
int main()
{
  int *in, *out, wrong = 0;
  cudaMallocManaged(&in, 4096);
  cudaMallocManaged(&out, 4096);
  for (int i = 0; i < 1024; i++)
    in[i] = i;
  reverse<<<1, 256>>>(in, out);
  cudaDeviceSynchronize();
  for (int i = 0; i < 1024; i++)
    wrong += out[i] != i / 256 * 256 + 255 - i % 256;
  staged<<<1, 128>>>(in, out);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  for (int i = 0; i < 128; i++)
    wrong += out[i] != 8 * (127 - i) + 128 * 28;
  printf("%d wrong\n", wrong);
  return wrong;
}
