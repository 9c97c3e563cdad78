#include "detail/algorithms.h"
