/* helper_math.h has it. */
#include "helper_math.h"
