#ifndef SIMTLAB_CUDA_PIPELINE_H
#define SIMTLAB_CUDA_PIPELINE_H
#include "cuda_pipeline_primitives.h"
#endif
