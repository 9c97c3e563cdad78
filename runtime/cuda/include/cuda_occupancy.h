/* The occupancy functions of the runtime are in cuda_runtime_api.h. */
#include "cuda_runtime_api.h"
