/* Helpers of the samples of SDK 4.2; later ones have helper_functions.h for them. */
#ifndef SIMTLAB_CUDA_SDKHELPER_H
#define SIMTLAB_CUDA_SDKHELPER_H

#include "helper_functions.h"
#include "helper_math.h"

#endif
