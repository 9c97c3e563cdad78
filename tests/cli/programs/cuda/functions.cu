/* Mathematical functions of both precisions, against those of the host. The exit status says whether all is right. */
#include <cmath>
#include <cstdio>
__global__ void k(const double *x, double *o, float *f, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double v = x[i];
  float w = v;
  double r[] = {sin(v),
                cos(v),
                tan(v),
                exp(v * 0.1),
                log(fabs(v) + 1),
                pow(fabs(v), 1.3),
                sqrt(fabs(v)),
                cbrt(v),
                atan2(v, 2.0),
                tanh(v),
                erf(v),
                tgamma(fabs(v) * 0.3 + 1),
                lgamma(fabs(v) + 1),
                fmod(v, 3.0),
                hypot(v, 4.0),
                floor(v),
                ceil(v),
                rint(v),
                trunc(v),
                asinh(v),
                expm1(v * .1),
                log1p(fabs(v)),
                copysign(3.0, v),
                remainder(v, 3.0)};
  for (int j = 0; j < 24; j++)
    o[j * n + i] = r[j];
  float q[] = {sinf(w),
               cosf(w),
               expf(w * .1f),
               logf(fabsf(w) + 1),
               powf(fabsf(w), 1.3f),
               sqrtf(fabsf(w)),
               rsqrtf(fabsf(w) + 1),
               __expf(w * .1f),
               __logf(fabsf(w) + 1),
               __sinf(w * .1f),
               erff(w),
               fmaf(w, w, w),
               fminf(w, 1),
               fmaxf(w, 1),
               fabsf(w),
               exp2f(w * .1f),
               log10f(fabsf(w) + 1),
               sinpif(w),
               rcbrtf(fabsf(w) + 1),
               norm3df(w, 1, 2)};
  for (int j = 0; j < 20; j++)
    f[j * n + i] = q[j];
}
int main()
{
  const int n = 256;
  double h[n], *x, *o, *ho = new double[24 * n];
  float *f, *hf = new float[20 * n];
  for (int i = 0; i < n; i++)
    h[i] = (i - 128) * 0.11 + 0.003;
  cudaMalloc(&x, n * 8);
  cudaMalloc(&o, 24 * n * 8);
  cudaMalloc(&f, 20 * n * 4);
  cudaMemcpy(x, h, n * 8, cudaMemcpyHostToDevice);
  k<<<2, 128>>>(x, o, f, n);
  cudaError_t e = cudaMemcpy(ho, o, 24 * n * 8, cudaMemcpyDeviceToHost);
  cudaMemcpy(hf, f, 20 * n * 4, cudaMemcpyDeviceToHost);
  int bad = e != 0;
  if (e)
    printf("%s\n", cudaGetErrorString(e));
  for (int i = 0; i < n; i++) {
    double v = h[i];
    float w = v;
    double r[] = {sin(v),
                  cos(v),
                  tan(v),
                  exp(v * 0.1),
                  log(fabs(v) + 1),
                  pow(fabs(v), 1.3),
                  sqrt(fabs(v)),
                  cbrt(v),
                  atan2(v, 2.0),
                  tanh(v),
                  erf(v),
                  tgamma(fabs(v) * 0.3 + 1),
                  lgamma(fabs(v) + 1),
                  fmod(v, 3.0),
                  hypot(v, 4.0),
                  floor(v),
                  ceil(v),
                  rint(v),
                  trunc(v),
                  asinh(v),
                  expm1(v * .1),
                  log1p(fabs(v)),
                  copysign(3.0, v),
                  remainder(v, 3.0)};
    for (int j = 0; j < 24; j++)
      if (fabs(r[j] - ho[j * n + i]) > 1e-11 * (fabs(r[j]) + 1)) {
        if (bad++ < 5)
          printf("d%d(%g): %g want %g\n", j, v, ho[j * n + i], r[j]);
      }
    double q[] = {sin(w),
                  cos(w),
                  exp(w * .1f),
                  log(fabs(w) + 1),
                  pow(fabs(w), 1.3f),
                  sqrt(fabs(w)),
                  1 / sqrt(fabs(w) + 1.0),
                  exp(w * .1f),
                  log(fabs(w) + 1),
                  sin(w * .1f),
                  erf(w),
                  fma(w, w, w),
                  fmin(w, 1),
                  fmax(w, 1),
                  fabs(w),
                  exp2(w * .1f),
                  log10(fabs(w) + 1),
                  sin(M_PI * w),
                  1 / cbrt(fabs(w) + 1.0),
                  sqrt((double)w * w + 5)};
    for (int j = 0; j < 20; j++)
      if (fabs(q[j] - hf[j * n + i]) > 4e-6 * (fabs(q[j]) + 1)) {
        if (bad++ < 12)
          printf("f%d(%g): %g want %g\n", j, w, hf[j * n + i], q[j]);
      }
  }
  printf("%d %s\n", bad, bad ? "FAIL" : "PASS");
  return bad != 0;
}
