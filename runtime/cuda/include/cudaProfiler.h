/* cuda.h has it. */
#include "cuda.h"
