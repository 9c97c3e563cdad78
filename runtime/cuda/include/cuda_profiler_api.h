/* The profiler's functions are in cuda_runtime_api.h. */
#include "cuda_runtime_api.h"
