/* cooperative_groups.h has it. */
#include "../cooperative_groups.h"
