// Sorting of a large array by integer keys.

#define NAME "BitonicSortLarge"
#define KEY int
#include "BitonicSortLarge-variant.h"
