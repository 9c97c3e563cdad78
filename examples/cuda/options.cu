/* Prices options by Black and Scholes' formula on two streams, timed by events. */
#include "check.h"

template <class T> __host__ __device__ T price(T stock, T strike, T years)
{
  const T rate = (T)0.02, volatility = (T)0.3, root = sqrt(years) * volatility;
  const T d1 = (log(stock / strike) + (rate + volatility * volatility / 2) * years) / root, d2 = d1 - root;
  const T below = (T)0.70710678118654752;
  return stock * erfc(-d1 * below) / 2 - strike * exp(-rate * years) * erfc(-d2 * below) / 2;
}

template <class T> __global__ void prices(const T *stock, const T *strike, const T *years, T *result, int n)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    result[i] = price(stock[i], strike[i], years[i]);
}

int main()
{
  const int n = 10000;
  random_numbers next;
  std::vector<float> stock(n), strike(n), years(n), result(n);
  for (int i = 0; i < n; i++) {
    stock[i] = 5 + 25 * next();
    strike[i] = 1 + 99 * next();
    years[i] = 0.25f + 9.75f * next();
    result[i] = (float)price<double>(stock[i], strike[i], years[i]);
  }
  float *ds = to_device(stock), *dk = to_device(strike), *dy = to_device(years), *dr = to_device(years), ms;
  cudaStream_t streams[2];
  cudaEvent_t start, end;
  CHECK(cudaEventCreate(&start));
  CHECK(cudaEventCreate(&end));
  CHECK(cudaEventRecord(start));
  for (int s = 0; s < 2; s++) {
    const int from = s * n / 2;
    CHECK(cudaStreamCreate(&streams[s]));
    prices<<<(n / 2 + 127) / 128, 128, 0, streams[s]>>>(ds + from, dk + from, dy + from, dr + from, n / 2);
  }
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaEventRecord(end));
  CHECK(cudaEventSynchronize(end));
  CHECK(cudaEventElapsedTime(&ms, start, end));
  std::printf("options: %s\n", ms > 0 ? "timed" : "not timed");
  return report("options", to_host(dr, n), result, 1e-4);
}
