// MRI reconstruction: each voxel adds cosines and sines of its phase at 1024 samples in constant memory, two at a time.
// -use_fast_math of the published program: approximate sines, products and sums fused.

struct sample {
  float x, y, z, magnitude;
};

enum { SAMPLES = 1024 };
__constant__ struct sample samples[SAMPLES];

extern "C" __global__ void compute_q(int count, int first, float *xs, float *ys, float *zs, float *real,
                                     float *imaginary)
{
  const float turn = 6.2831853071795864769252867665590058f;
  const int voxel = blockIdx.x * 256 + threadIdx.x;
  const float x = xs[voxel], y = ys[voxel], z = zs[voxel];
  float re = real[voxel], im = imaginary[voxel];
  int k = 0;
  if (count % 2) {
    const float phase = turn * (samples[0].x * x + samples[0].y * y + samples[0].z * z);
    re += samples[0].magnitude * __cosf(phase);
    im += samples[0].magnitude * __sinf(phase);
    k++;
    first++;
  }
  for (; k < SAMPLES && first < count; k += 2, first += 2) {
    const float phase = turn * (samples[k].x * x + samples[k].y * y + samples[k].z * z);
    re += samples[k].magnitude * __cosf(phase);
    im += samples[k].magnitude * __sinf(phase);
    const float second = turn * (samples[k + 1].x * x + samples[k + 1].y * y + samples[k + 1].z * z);
    re += samples[k + 1].magnitude * __cosf(second);
    im += samples[k + 1].magnitude * __sinf(second);
  }
  real[voxel] = re;
  imaginary[voxel] = im;
}
