// A pass of a radix-2 Fourier transform over many signals with persistent threads: the grid has as many blocks as are
// resident, and each block takes the next unprocessed signal. Factors come from a table.

#include "r2d2.h"

SIMT_KERNEL(pass, (const float *, in), (float *, out), (const float *, factors), (int, n), (int, half), (int, signals))
{
  const int thread = threadIdx.x, k = thread & (half - 1), at = 2 * (thread - k) + k;
  for (int signal = blockIdx.x; signal < signals; signal += gridDim.x) {
    const float *const from = in + 2 * n * signal;
    float *const to = out + 2 * n * signal;
    const float ar = from[2 * thread], ai = from[2 * thread + 1];
    const float br = from[2 * (thread + n / 2)], bi = from[2 * (thread + n / 2) + 1];
    const float wr = factors[2 * k], wi = factors[2 * k + 1], tr = br * wr - bi * wi, ti = br * wi + bi * wr;
    to[2 * at] = ar + tr;
    to[2 * at + 1] = ai + ti;
    to[2 * (at + half)] = ar - tr;
    to[2 * (at + half) + 1] = ai - ti;
  }
}
