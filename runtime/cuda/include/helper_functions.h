/* Helpers of SDK samples */
#ifndef SIMTLAB_CUDA_HELPER_FUNCTIONS_H
#define SIMTLAB_CUDA_HELPER_FUNCTIONS_H

#include "helper_image.h"
#include "helper_string.h"
#include "helper_timer.h"

#endif
