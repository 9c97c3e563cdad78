/* nvToolsExt.h has it. */
#include "../nvToolsExt.h"
