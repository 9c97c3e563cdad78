/* Textures: references with a linear filter and wrapped addresses, objects, and normalised bytes with a pitch. The exit
 * status says whether all is right. */
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#define checkCudaErrors(e)                                                                                             \
  do {                                                                                                                 \
    cudaError_t c_ = (e);                                                                                              \
    if (c_ != cudaSuccess) {                                                                                           \
      printf("%s\n", cudaGetErrorString(c_));                                                                          \
      exit(1);                                                                                                         \
    }                                                                                                                  \
  } while (0)
texture<float, 2, cudaReadModeElementType> tex;
texture<unsigned char, 2, cudaReadModeNormalizedFloat> texn;
__global__ void corners(float *out, int w, int h)
{
  int x = threadIdx.x, y = blockIdx.x;
  out[y * w + x] = tex2D(tex, (float)x / w, (float)y / h);
}
__global__ void objk(cudaTextureObject_t t, float *o, int w)
{
  int x = threadIdx.x, y = blockIdx.x;
  o[y * w + x] = tex2D<float>(t, x + 0.5f, y + 0.5f);
}
__global__ void nk(float *o, int w)
{
  int x = threadIdx.x, y = blockIdx.x;
  o[y * w + x] = tex2D(texn, x, y);
}
int main()
{
  const int w = 64, h = 64;
  float *hd = (float *)malloc(w * h * 4), *r = (float *)malloc(w * h * 4);
  for (int i = 0; i < w * h; i++)
    hd[i] = (i * 31) % 97 / 97.f;
  cudaChannelFormatDesc cd = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
  cudaArray *arr;
  checkCudaErrors(cudaMallocArray(&arr, &cd, w, h));
  checkCudaErrors(cudaMemcpyToArray(arr, 0, 0, hd, w * h * 4, cudaMemcpyHostToDevice));
  tex.addressMode[0] = cudaAddressModeWrap;
  tex.addressMode[1] = cudaAddressModeWrap;
  tex.filterMode = cudaFilterModeLinear;
  tex.normalized = true;
  checkCudaErrors(cudaBindTextureToArray(tex, arr, cd));
  float *d;
  cudaMalloc(&d, w * h * 4);
  corners<<<h, w>>>(d, w, h);
  checkCudaErrors(cudaDeviceSynchronize());
  cudaMemcpy(r, d, w * h * 4, cudaMemcpyDeviceToHost);
  int bad = 0;
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      int x0 = (x - 1 + w) % w, y0 = (y - 1 + h) % h;
      float want = (hd[y * w + x] + hd[y * w + x0] + hd[y0 * w + x] + hd[y0 * w + x0]) / 4;
      if (fabs(want - r[y * w + x]) > 2e-3)
        bad++;
    }
  printf("linear wrap bad %d\n", bad);
  cudaResourceDesc rd;
  memset(&rd, 0, sizeof rd);
  rd.resType = cudaResourceTypeArray;
  rd.res.array.array = arr;
  cudaTextureDesc td;
  memset(&td, 0, sizeof td);
  td.addressMode[0] = td.addressMode[1] = cudaAddressModeClamp;
  td.filterMode = cudaFilterModePoint;
  td.readMode = cudaReadModeElementType;
  cudaTextureObject_t t = 0;
  checkCudaErrors(cudaCreateTextureObject(&t, &rd, &td, NULL));
  objk<<<h, w>>>(t, d, w);
  cudaMemcpy(r, d, w * h * 4, cudaMemcpyDeviceToHost);
  for (int i = 0; i < w * h; i++)
    if (r[i] != hd[i])
      bad++;
  printf("object bad %d\n", bad);
  cudaDestroyTextureObject(t);
  unsigned char *hb = (unsigned char *)malloc(w * h), *db;
  for (int i = 0; i < w * h; i++)
    hb[i] = i * 7;
  size_t pitch;
  cudaMallocPitch((void **)&db, &pitch, w, h);
  cudaMemcpy2D(db, pitch, hb, w, w, h, cudaMemcpyHostToDevice);
  cudaChannelFormatDesc ub = cudaCreateChannelDesc<unsigned char>();
  size_t off;
  checkCudaErrors(cudaBindTexture2D(&off, texn, db, ub, w, h, pitch));
  nk<<<h, w>>>(d, w);
  cudaMemcpy(r, d, w * h * 4, cudaMemcpyDeviceToHost);
  for (int i = 0; i < w * h; i++)
    if (fabs(r[i] - hb[i] / 255.f) > 1e-6)
      bad++;
  printf("%s\n", bad ? "FAIL" : "PASS");
  return bad != 0;
}
