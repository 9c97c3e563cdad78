/* cutil.h has it. */
#include "cutil.h"
