// Sorting of a large array by single-precision keys.

#define NAME "BitonicSortLarge_Float"
#define KEY float
#include "../BitonicSortLarge/BitonicSortLarge-variant.h"
