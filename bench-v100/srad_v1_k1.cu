// Speckle-reducing diffusion: differences of a pixel to its four neighbours, found by tables of indices, and the
// coefficient of diffusion. Constants without a suffix are of double precision, as in the published program.

extern "C" __global__ void diffusion(float lambda, int rows, int columns, long elements, int *north, int *south,
                                     int *east, int *west, float *dn, float *ds, float *de, float *dw, float q0,
                                     float *c, float *image)
{
  const int at = blockIdx.x * 512 + threadIdx.x;
  int row = (at + 1) % rows - 1, column = (at + 1) / rows + 1 - 1;
  if ((at + 1) % rows == 0) {
    row = rows - 1;
    column = column - 1;
  }
  if (at < elements) {
    const float centre = image[at];
    const float n = image[north[row] + rows * column] - centre;
    const float s = image[south[row] + rows * column] - centre;
    const float w = image[row + rows * west[column]] - centre;
    const float e = image[row + rows * east[column]] - centre;
    const float gradient = (n * n + s * s + w * w + e * e) / (centre * centre);
    const float laplacian = (n + s + w + e) / centre;
    const float upper = 0.5 * gradient - (1.0 / 16.0) * (laplacian * laplacian);
    float lower = 1 + 0.25 * laplacian;
    const float q = upper / (lower * lower);
    lower = (q - q0) / (q0 * (1 + q0));
    float value = 1.0 / (1.0 + lower);
    if (value < 0)
      value = 0;
    else if (value > 1)
      value = 1;
    dn[at] = n;
    ds[at] = s;
    dw[at] = w;
    de[at] = e;
    c[at] = value;
  }
}
