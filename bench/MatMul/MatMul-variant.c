// Product of two matrices of integers.

#define NAME "MatMul"
#define ELEMENT int
#include "MatMul-variant.h"
