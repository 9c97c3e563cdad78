/* Part of cuda_bf16.h */
#include "cuda_bf16.h"
