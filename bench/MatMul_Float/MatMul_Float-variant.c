// Product of two matrices of single-precision numbers.

#define NAME "MatMul_Float"
#define ELEMENT float
#include "../MatMul/MatMul-variant.h"
