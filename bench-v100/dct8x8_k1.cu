// Cosine transform of 8 x 8 blocks, a thread per pixel: the image is a texture, the matrix is in constant memory.

enum { SIDE = 8 };
__constant__ float matrix[SIDE * SIDE];

__device__ static float texel(unsigned long long texture, float x, float y)
{
  float r, g, b, a;
  asm volatile("tex.2d.v4.f32.f32 {%0, %1, %2, %3}, [%4, {%5, %6}];"
               : "=f"(r), "=f"(g), "=f"(b), "=f"(a)
               : "l"(texture), "f"(x), "f"(y));
  return r;
}

extern "C" __global__ void transform(float *output, int width, int left, int top, unsigned long long texture)
{
  __shared__ float first[SIDE * SIDE];
  __shared__ float second[SIDE * SIDE];
  const int bx = blockIdx.x + left, by = blockIdx.y + top, tx = threadIdx.x, ty = threadIdx.y;
  const float x = (float)(bx * SIDE + tx) + 0.5f, y = (float)(by * SIDE + ty) + 0.5f;
  first[ty * SIDE + tx] = texel(texture, x, y);
  __syncthreads();
  float sum = 0;
  int row = ty, column = tx;
#pragma unroll
  for (int i = 0; i < SIDE; i++) {
    sum += matrix[row] * first[column];
    row += SIDE;
    column += SIDE;
  }
  second[ty * SIDE + tx] = sum;
  __syncthreads();
  sum = 0;
  row = ty * SIDE;
  column = tx;
#pragma unroll
  for (int i = 0; i < SIDE; i++) {
    sum += second[row] * matrix[column];
    row += 1;
    column += SIDE;
  }
  first[ty * SIDE + tx] = sum;
  __syncthreads();
  output[(by * SIDE + ty) * width + bx * SIDE + tx] = first[ty * SIDE + tx];
}
