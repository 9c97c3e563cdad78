/* cuda_runtime.h has it. */
#include "cuda_runtime.h"
