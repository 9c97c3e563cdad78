#include "detail/config.h"
