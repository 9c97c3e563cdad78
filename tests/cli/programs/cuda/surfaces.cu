/* Surfaces: objects and references in one to three dimensions, boundary modes, layers; and textures with layers. */
#include <cstdio>

static int failures;
static void check(bool right, int line)
{
  if (!right)
    printf("wrong: line %d\n", line);
  failures += !right;
}
#define CHECK(x) check(x, __LINE__)
#define OK(x) check((x) == cudaSuccess, __LINE__)

enum { W = 20, H = 6, D = 3 };
surface<void, cudaSurfaceType2D> plane;

__global__ void fill(cudaSurfaceObject_t s)
{
  const int x = threadIdx.x, y = blockIdx.x, z = blockIdx.y;
  surf3Dwrite(100.0f * z + 10 * y + x, s, x * 4, y, z);
}
__global__ void copy(cudaSurfaceObject_t from, cudaSurfaceObject_t to)
{
  float v, w = surf3Dread<float>(from, threadIdx.x * 4, blockIdx.x, blockIdx.y);
  surf3Dread(&v, from, threadIdx.x * 4, blockIdx.x, blockIdx.y, cudaBoundaryModeTrap);
  surf3Dwrite(v + w, to, threadIdx.x * 4, blockIdx.x, blockIdx.y);
}
__global__ void line(cudaSurfaceObject_t s, int *out)
{
  const uchar4 v = make_uchar4(1, 2, 3, threadIdx.x);
  surf1Dwrite(v, s, threadIdx.x * 4);
  __syncthreads();
  out[threadIdx.x] = surf1Dread<uchar4>(s, (W - 1 - threadIdx.x) * 4).w;
}
/* Threads beyond the edges: their writes are ignored, their reads are 0 or the edge. */
__global__ void edges(float *out)
{
  const int x = (int)threadIdx.x - 2, y = (int)threadIdx.y - 2;
  surf2Dwrite(float(x + 10 * y), plane, x * 4, y, cudaBoundaryModeZero);
  __syncthreads();
  const int at = threadIdx.y * blockDim.x + threadIdx.x;
  out[2 * at] = surf2Dread<float>(plane, x * 4, y, cudaBoundaryModeZero);
  out[2 * at + 1] = surf2Dread<float>(plane, x * 4, y, cudaBoundaryModeClamp);
}
__global__ void beyond(cudaSurfaceObject_t s)
{
  surf2Dwrite(1.0f, s, W * 4, 0);
}
texture<float, cudaTextureType2DLayered> layers;
__global__ void layered(cudaSurfaceObject_t s, cudaTextureObject_t t, float *out)
{
  const int x = threadIdx.x, y = blockIdx.x, z = blockIdx.y, at = (z * H + y) * W + x;
  out[3 * at] = surf2DLayeredread<float>(s, x * 4, y, z);
  out[3 * at + 1] = tex2DLayered<float>(t, (x + 0.5f) / W, (y + 0.5f) / H, z);
  out[3 * at + 2] = tex2DLayered(layers, x + 0.5f, y + 0.5f, z + 5 * (z == D - 1));
}
__global__ void cube(cudaTextureObject_t t, float *out)
{
  const float d[6][3] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
  out[threadIdx.x] = texCubemap<float>(t, d[threadIdx.x][0], d[threadIdx.x][1], d[threadIdx.x][2]);
}

static cudaArray_t array(size_t w, size_t h, size_t d, unsigned flags, cudaSurfaceObject_t *s,
                         cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>())
{
  cudaArray_t a;
  cudaResourceDesc r = {};
  OK(cudaMalloc3DArray(&a, &desc, make_cudaExtent(w, h, d), flags));
  r.resType = cudaResourceTypeArray;
  r.res.array.array = a;
  if (s)
    OK(cudaCreateSurfaceObject(s, &r));
  return a;
}

static float values[W * H * D * 3];
static void read(cudaArray_t a, size_t w, size_t h, size_t d)
{
  cudaMemcpy3DParms p = {};
  p.srcArray = a;
  p.dstPtr = make_cudaPitchedPtr(values, w * 4, w, h);
  p.extent = make_cudaExtent(w, h, d);
  p.kind = cudaMemcpyDeviceToHost;
  OK(cudaMemcpy3D(&p));
}

int main()
{
  cudaSurfaceObject_t s, t;
  float *out;
  OK(cudaMalloc(&out, sizeof values));
  cudaArray_t a = array(W, H, D, cudaArraySurfaceLoadStore, &s), b = array(W, H, D, cudaArraySurfaceLoadStore, &t);
  fill<<<dim3(H, D), W>>>(s);
  copy<<<dim3(H, D), W>>>(s, t);
  read(b, W, H, D);
  CHECK(values[0] == 0 && values[(2 * H + 3) * W + 7] == 2 * 237);
  cudaResourceDesc got;
  OK(cudaGetSurfaceObjectResourceDesc(&got, s));
  CHECK(got.res.array.array == a);

  cudaSurfaceObject_t u;
  array(W, 0, 0, cudaArraySurfaceLoadStore, &u, cudaCreateChannelDesc<uchar4>());
  line<<<1, W>>>(u, (int *)out);
  int ints[W];
  OK(cudaMemcpy(ints, out, sizeof ints, cudaMemcpyDeviceToHost));
  CHECK(ints[0] == W - 1 && ints[W - 1] == 0);

  cudaArray_t flat = array(W, H, 0, cudaArraySurfaceLoadStore, NULL);
  OK(cudaBindSurfaceToArray(plane, flat));
  edges<<<1, dim3(W + 4, H + 4)>>>(out);
  OK(cudaMemcpy(values, out, 2 * (W + 4) * (H + 4) * 4, cudaMemcpyDeviceToHost));
  CHECK(values[0] == 0 && values[1] == 0);                                     /* (-2, -2) */
  CHECK(values[2 * (W + 1)] == 0 && values[2 * (W + 1) + 1] == W - 1); /* (W - 1, -2) */
  const int inside = 2 * ((3 + 2) * (W + 4) + 4 + 2), outside = 2 * ((3 + 2) * (W + 4) + W + 3);
  CHECK(values[inside] == 34 && values[inside + 1] == 34);
  CHECK(values[outside] == 0 && values[outside + 1] == W - 1 + 30);

  /* Layers */
  cudaSurfaceObject_t l;
  cudaArray_t stack = array(W, H, D, cudaArrayLayered | cudaArraySurfaceLoadStore, &l);
  fill<<<dim3(H, D), W>>>(l);
  cudaResourceDesc r = {};
  cudaTextureDesc d = {};
  cudaTextureObject_t texture;
  r.resType = cudaResourceTypeArray;
  r.res.array.array = stack;
  d.filterMode = cudaFilterModeLinear;
  d.normalizedCoords = 1;
  d.addressMode[0] = d.addressMode[1] = cudaAddressModeWrap;
  OK(cudaCreateTextureObject(&texture, &r, &d, NULL));
  OK(cudaBindTextureToArray(layers, stack));
  layered<<<dim3(H, D), W>>>(l, texture, out);
  OK(cudaMemcpy(values, out, sizeof values, cudaMemcpyDeviceToHost));
  bool right = true;
  for (int z = 0; z < D; z++)
    for (int y = 0; y < H; y++)
      for (int x = 0; x < W; x++)
        for (int k = 0; k < 3; k++)
          right = right && fabsf(values[3 * ((z * H + y) * W + x) + k] - (100 * z + 10 * y + x)) < 0.01f;
  CHECK(right);
  cudaSurfaceObject_t c;
  cudaArray_t faces = array(4, 4, 6, cudaArrayCubemap | cudaArraySurfaceLoadStore, &c);
  fill<<<dim3(4, 6), 4>>>(c);
  r.res.array.array = faces;
  d.filterMode = cudaFilterModePoint;
  OK(cudaCreateTextureObject(&texture, &r, &d, NULL));
  cube<<<1, 6>>>(texture, out);
  OK(cudaMemcpy(values, out, 6 * 4, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 6; i++)
    CHECK(values[i] == 100 * i + 22);

  /* Errors */
  cudaArray_t plain = array(W, H, 0, 0, NULL);
  r.res.array.array = plain;
  CHECK(cudaCreateSurfaceObject(&s, &r) == cudaErrorInvalidValue);
  CHECK(cudaDestroySurfaceObject(12345) == cudaErrorInvalidValue);
  OK(cudaDestroySurfaceObject(t));
  CHECK(cudaDestroySurfaceObject(t) == cudaErrorInvalidValue);
  cudaGetLastError();
  beyond<<<1, 1>>>(s);
  CHECK(cudaDeviceSynchronize() == cudaErrorLaunchFailure);
  OK(cudaDeviceReset());
  printf("%d failures\n", failures);
  return failures;
}
