/* Part of curand_kernel.h */
#ifndef SIMTLAB_CUDA_CURAND_TYPES_H
#define SIMTLAB_CUDA_CURAND_TYPES_H
#include "cuda_runtime.h"
#endif
