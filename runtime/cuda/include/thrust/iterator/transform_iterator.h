#include "fancy.h"
