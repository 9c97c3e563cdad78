/* Images and comparison of SDK samples */
#ifndef SIMTLAB_CUDA_HELPER_IMAGE_H
#define SIMTLAB_CUDA_HELPER_IMAGE_H

#include "simtlab/samples.h"

template <class T> SIMTLAB_SAMPLE bool sdkLoadPGM(const char *path, T **data, unsigned int *width, unsigned int *height)
{
  return simtlab_load_pgm(path, data, width, height);
}
template <class T> SIMTLAB_SAMPLE bool sdkSavePGM(const char *path, T *data, unsigned int width, unsigned int height)
{
  return simtlab_save_pgm(path, data, width, height);
}
SIMTLAB_SAMPLE bool sdkCompareL2fe(const float *reference, const float *data, unsigned int n, float epsilon)
{
  return simtlab_close_l2(reference, data, n, epsilon);
}
template <class T, class S>
SIMTLAB_SAMPLE bool compareData(const T *reference, const T *data, unsigned int n, S epsilon, float threshold)
{
  unsigned int wrong = 0;
  for (unsigned int i = 0; i < n; i++)
    wrong += !(fabs((double)reference[i] - (double)data[i]) <= (double)epsilon);
  return threshold == 0 ? wrong == 0 : (float)wrong < (float)n * threshold;
}

#endif
