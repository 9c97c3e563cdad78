#include "../../execution_policy.h"
