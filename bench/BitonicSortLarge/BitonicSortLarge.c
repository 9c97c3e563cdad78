// Sorting of a large array by integer keys.

#define NAME "BitonicSortLarge"
#define KEY unsigned
#include "BitonicSortLarge.h"
